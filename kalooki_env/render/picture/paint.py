"""Brushes: colours, fonts, plates with round corners and soft shadows, text with cards in it."""

import re
from collections.abc import Iterator
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from kalooki_env.render.picture.shapes import mask

Color = tuple[int, int, int]

FELT: Color = (30, 96, 68)
FELT_LIGHT: Color = (44, 116, 84)
RAIL: Color = (24, 30, 36)
PANEL: Color = (20, 62, 46)
MAT: Color = (27, 88, 62)
SHADOW: Color = (10, 40, 28)
ROSE: Color = (244, 150, 150)
MINT: Color = (134, 226, 164)
WHITE: Color = (255, 255, 255)
PALE: Color = (214, 232, 222)
DIM: Color = (142, 184, 163)
GOLD: Color = (250, 200, 76)
PAPER: Color = (253, 252, 247)
EDGE: Color = (150, 150, 144)
JOKER_INK: Color = (126, 52, 168)
JOKER_PAPER: Color = (248, 240, 252)
CAP: tuple[Color, Color] = ((214, 60, 110), (236, 168, 32))
"""Middle and bells of the jester's cap on a joker."""
BACK: Color = (40, 70, 140)
BACK_LINE: Color = (96, 128, 196)
INKS: dict[str, Color] = {
    "C": (22, 122, 62),
    "D": (24, 98, 190),
    "H": (202, 24, 48),
    "S": (24, 26, 36),
}
"""Each suit has a colour of its own, so that small cards are told apart too."""
PALE_INKS: dict[str, Color] = {
    "C": (134, 232, 160),
    "D": (140, 200, 255),
    "H": (255, 140, 140),
    "S": (255, 255, 255),
    "*": (224, 176, 255),
}
"""The same for cards in a text on dark ground."""
SEATS: tuple[Color, ...] = (
    (255, 132, 118),
    (96, 200, 240),
    (166, 224, 110),
    (192, 164, 252),
    (244, 152, 204),
    (226, 206, 160),
)
"""Colours of the seats, by seat number."""

ALL: tuple[Color, ...] = (
    *(FELT, FELT_LIGHT, MAT, RAIL, PANEL, SHADOW, WHITE, PALE, DIM, GOLD, ROSE, MINT),
    *(PAPER, EDGE, BACK, BACK_LINE, JOKER_INK, JOKER_PAPER, *CAP),
    *INKS.values(),
    *PALE_INKS.values(),
    *SEATS,
)
"""What a picture is painted with; all else in it are mixtures at edges."""

_FINE = 4
_CARD = re.compile(r"(?<![\w*])(\*?[A2-9TJQK][CDHS]|\*)(?!\w)")


@lru_cache(maxsize=128)
def font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font that comes with Pillow, of a height in pixels."""
    return ImageFont.load_default(size)


@lru_cache(maxsize=512)
def plate(
    width: int,
    height: int,
    radius: float,
    fill: Color | None,
    edge: Color | None = None,
    line: float = 1.0,
) -> Image.Image:
    """Return a rectangle with round corners as `RGBA`. It is shared: don't change it."""
    fine = Image.new("L", (width * _FINE, height * _FINE))
    box = (0, 0, width * _FINE - 1, height * _FINE - 1)
    ImageDraw.Draw(fine).rounded_rectangle(box, radius * _FINE, fill=255)
    outer = fine.reduce(_FINE)
    image = Image.new("RGBA", (width, height), (*(edge or fill or WHITE), 0))
    if edge is None:
        image.paste((*fill, 255), (0, 0), outer)
        image.putalpha(outer)
        return image
    fine.paste(0, (0, 0, *fine.size))
    inset = line * _FINE
    inner_box = (inset, inset, box[2] - inset, box[3] - inset)
    ImageDraw.Draw(fine).rounded_rectangle(inner_box, max(radius - line, 0) * _FINE, fill=255)
    inner = fine.reduce(_FINE)
    image.paste((*edge, 255), (0, 0, width, height))
    if fill is None:
        image.putalpha(ImageChops.subtract(outer, inner))
        return image
    image.paste((*fill, 255), (0, 0), inner)
    image.putalpha(outer)
    return image


@lru_cache(maxsize=64)
def shadow(width: int, height: int, radius: int, blur: int) -> Image.Image:
    """Return the mask of a soft shadow, `blur` pixels larger on each side."""
    image = Image.new("L", (width + 2 * blur, height + 2 * blur))
    box = (blur, blur, blur + width - 1, blur + height - 1)
    ImageDraw.Draw(image).rounded_rectangle(box, radius, fill=110)
    return image.filter(ImageFilter.GaussianBlur(blur / 2))


def put(ground: Image.Image, image: Image.Image, x: int, y: int) -> None:
    """Lay an `RGBA` image on the ground, `RGB` or `RGBA`."""
    if ground.mode == "RGBA":
        ground.alpha_composite(image, (x, y))
    else:
        ground.paste(image, (x, y), image)


def stamp(ground: Image.Image, shape: str, x: int, y: int, size: int, color: Color) -> None:
    """Print a shape in a colour."""
    ground.paste(color, (x, y), mask(shape, size))


# Text


@lru_cache(maxsize=1024)
def letters(text: str, size: int, bold: bool = False) -> tuple[Image.Image, int, int]:
    """Return a text as a mask `L`, and where its corner lies from the left end of the base line."""
    # Letters are drawn larger first: small ones lie on whole pixels, unevenly, and so do strokes.
    fine = 2 * _FINE
    stroke = round(size * fine / (42 if bold else 160))
    big = font(size * fine)
    left, top, right, bottom = big.getbbox(text, anchor="ls", stroke_width=stroke)
    left, top = (int(edge // fine) - 1 for edge in (left, top))
    right, bottom = (int(edge // fine) + 2 for edge in (right, bottom))
    image = Image.new("L", ((right - left) * fine, (bottom - top) * fine))
    ImageDraw.Draw(image).text(
        (-left * fine, -top * fine), text, 255, big, "ls", stroke_width=stroke
    )
    return image.reduce(fine), left, top


def write(
    ground: Image.Image,
    x: float,
    y: float,
    text: str,
    size: int,
    color: Color = WHITE,
    align: str = "left",
    bold: bool = False,
) -> None:
    """Write a text that begins, ends or has its middle at x (`align`); y is its base line."""
    if align != "left":
        x -= width_of(text, size) * (1.0 if align == "right" else 0.5)
    image, left, top = letters(text, size, bold)
    ground.paste(color, (round(x) + left, round(y) + top), image)


@lru_cache(maxsize=1024)
def width_of(text: str, size: int) -> float:
    """Return how wide a text is, in pixels."""
    return font(size * 2 * _FINE).getlength(text) / (2 * _FINE)


def shortened(text: str, size: int, room: float) -> str:
    """Cut a text so that it fits."""
    if width_of(text, size) <= room:
        return text
    while text and width_of(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def write_cards(
    ground: Image.Image, x: float, y: float, text: str, size: int, room: float, color: Color = PALE
) -> float:
    """Write a text in which cards such as `7C` get the sign of their suit; return its end.

    What does not fit in `room` pixels is left out, and three dots say so.
    """
    end = x + room
    for word, is_card, wide in _pieces(text, size):
        if x + wide > end:
            write(ground, x, y, shortened(word if not is_card else "", size, end - x), size, color)
            return end
        if is_card:
            _write_card(ground, x, y, word, size)
        else:
            write(ground, x, y, word, size, color)
        x += wide
    return x


def width_of_cards(text: str, size: int) -> float:
    """Return how wide a text is that `write_cards` writes, in pixels."""
    return sum(wide for _, _, wide in _pieces(text, size))


def _pieces(text: str, size: int) -> Iterator[tuple[str, bool, float]]:
    """Yield the words and the cards of a text: each, whether it is a card, and its width."""
    for word in _CARD.split(text):
        if _CARD.fullmatch(word):
            yield word, True, _card_width(word, size)
        elif word:
            yield word, False, width_of(word, size)


def shown_rank(rank: str) -> str:
    """Return a rank as it stands on a card."""
    return "10" if rank == "T" else rank


def _card_width(card: str, size: int) -> float:
    pip = round(size * 0.68) + 1
    bare = card.lstrip("*")
    text = width_of(shown_rank(bare[0]), size) if bare else 0
    return text + pip * ((card[0] == "*") + bool(bare)) + 1


def _write_card(ground: Image.Image, x: float, y: float, card: str, size: int) -> None:
    pip = round(size * 0.68)
    bare = card.lstrip("*")
    top = round(y - size * 0.68)
    if card[0] == "*":
        stamp(ground, "star", round(x), top, pip, PALE_INKS["*"])
        x += pip + 1
    if bare:
        color = PALE_INKS["*" if card[0] == "*" else bare[1]]
        rank = shown_rank(bare[0])
        write(ground, x, y, rank, size, color)
        stamp(ground, bare[1], round(x + width_of(rank, size)), top, pip, color)
