"""The cards: faces, jokers with what they stand for, backs. Each is drawn once and kept."""

from functools import lru_cache

from PIL import Image, ImageDraw

from kalooki_env.cards import JOKER_TEXT
from kalooki_env.render.picture import paint
from kalooki_env.render.picture.paint import Color, plate, put, shown_rank, stamp

RATIO = 1.4
"""Height of a card to its width."""
_FINE = 2
_LEFT, _MIDDLE, _RIGHT = 0.385, 0.5, 0.615
_TOP, _BOTTOM = 0.2, 0.8
_SIDES = (_LEFT, _RIGHT)
_FOUR = (0.2, 0.4, 0.6, 0.8)


def _rows(rows: tuple[float, ...]) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x in _SIDES for y in rows)


_PIPS: dict[str, tuple[tuple[float, float], ...]] = {
    "2": ((_MIDDLE, _TOP), (_MIDDLE, _BOTTOM)),
    "3": ((_MIDDLE, _TOP), (_MIDDLE, 0.5), (_MIDDLE, _BOTTOM)),
    "4": _rows((_TOP, _BOTTOM)),
    "5": (*_rows((_TOP, _BOTTOM)), (_MIDDLE, 0.5)),
    "6": _rows((_TOP, 0.5, _BOTTOM)),
    "7": (*_rows((_TOP, 0.5, _BOTTOM)), (_MIDDLE, 0.35)),
    "8": (*_rows((_TOP, 0.5, _BOTTOM)), (_MIDDLE, 0.35), (_MIDDLE, 0.65)),
    "9": (*_rows(_FOUR), (_MIDDLE, 0.5)),
    "T": (*_rows(_FOUR), (_MIDDLE, 0.3), (_MIDDLE, 0.7)),
}
"""Where the middles of the suit signs lie on a card of one by one."""


def height_of(width: int) -> int:
    """Return the height of a card."""
    return round(width * RATIO)


@lru_cache(maxsize=1024)
def face(card: str, width: int, stands_for: str = "") -> Image.Image:
    """Return a card as `RGBA`. It is shared: don't change it.

    Args:
        card: `7C`, `*` for a joker, `*6C` for one that stands for a card.
        width: pixels across; the height is `height_of(width)`.
        stands_for: rank that a bare joker stands for in a set.
    """
    w, h = width * _FINE, height_of(width) * _FINE
    joker = card.startswith(JOKER_TEXT)
    paper = paint.JOKER_PAPER if joker else paint.PAPER
    image = plate(w, h, w * 0.1, paper, paint.EDGE, max(w * 0.012, 1.0)).copy()
    if joker:
        _draw_joker(image, card, stands_for)
    else:
        _draw_natural(image, card)
    return image.reduce(_FINE)


@lru_cache(maxsize=64)
def back(width: int) -> Image.Image:
    """Return the back of a card as `RGBA`. It is shared: don't change it."""
    w, h = width * _FINE, height_of(width) * _FINE
    image = plate(w, h, w * 0.1, paint.PAPER, paint.EDGE, max(w * 0.012, 1.0)).copy()
    inset = max(round(w * 0.07), 2)
    inner = Image.new("RGB", (w - 2 * inset, h - 2 * inset), paint.BACK)
    pen = ImageDraw.Draw(inner)
    step = max(w / 7, 4.0)
    line = max(round(w * 0.016), 1)
    for k in range(-h, w + h, 1):
        at = k * step
        if at > w + h:
            break
        pen.line((at, 0, at + h, h), paint.BACK_LINE, line)
        pen.line((at, 0, at - h, h), paint.BACK_LINE, line)
    shape = plate(*inner.size, w * 0.06, paint.BACK)
    image.paste(inner, (inset, inset), shape)
    return image.reduce(_FINE)


def rank_in_set(cards: tuple[str, ...]) -> str:
    """Return the rank that a bare joker of a meld stands for; empty where none is bare."""
    naturals = [card for card in cards if not card.startswith(JOKER_TEXT)]
    return naturals[0][0] if JOKER_TEXT in cards and naturals else ""


def _draw_natural(image: Image.Image, card: str) -> None:
    rank, suit = card
    color, w = paint.INKS[suit], image.width
    if rank in _PIPS:
        _draw_pips(image, rank, suit)
    elif rank == "A":
        size = round(w * 0.46)
        stamp(image, suit, (w - size) // 2, (image.height - size) // 2, size, color)
    else:
        _draw_court(image, rank, suit)
    _draw_corners(image, shown_rank(rank), suit, color)


def _draw_pips(image: Image.Image, rank: str, suit: str) -> None:
    w, h = image.size
    size = round(w * 0.175)
    pip = Image.new("RGBA", (size, size), (*paint.INKS[suit], 0))
    stamp(pip, suit, 0, 0, size, (*paint.INKS[suit], 255))
    for x, y in _PIPS[rank]:
        left, top = round(x * w - size / 2), round((0.96 * y + 0.02) * h - size / 2)
        put(image, pip if y <= 0.5 else pip.rotate(180), left, top)


def _draw_court(image: Image.Image, rank: str, suit: str) -> None:
    """Draw a frame with a head-dress upright and upside down, and the suit between them."""
    w, h = image.size
    color = paint.INKS[suit]
    tint = tuple(round(0.9 * 255 + 0.1 * c) for c in color)
    frame_w, frame_h = round(w * 0.42), round(h * 0.78)
    half = Image.new("RGBA", (frame_w, frame_h), (0, 0, 0, 0))
    size = round(w * 0.32)
    stamp(half, rank, (frame_w - size) // 2, round(h * 0.05), size, (*color, 255))
    x, y = (w - frame_w) // 2, (h - frame_h) // 2
    put(image, plate(frame_w, frame_h, w * 0.05, tint, color, w * 0.014), x, y)
    put(image, half, x, y)
    put(image, half.rotate(180), x, y)
    size = round(w * 0.24)
    stamp(image, suit, (w - size) // 2, (h - size) // 2, size, color)


def _draw_joker(image: Image.Image, card: str, stands_for: str) -> None:
    w, h = image.size
    size = round(w * 0.47)
    x, y = (w - size) // 2, round(h * 0.5 - size * 0.5)
    for part, color in (
        ("cap-sides", paint.JOKER_INK),
        ("cap-middle", paint.CAP[0]),
        ("cap-bells", paint.CAP[1]),
    ):
        stamp(image, part, x, y, size, color)
    if card != JOKER_TEXT:
        _draw_corners(image, shown_rank(card[-2]), card[-1], paint.JOKER_INK, star=True)
    elif stands_for:
        _draw_corners(image, shown_rank(stands_for), "star", paint.JOKER_INK)
    else:
        _draw_corners(image, "", "star", paint.JOKER_INK)


def _draw_corners(
    image: Image.Image, rank: str, sign: str, color: Color, star: bool = False
) -> None:
    """Draw rank and suit in the upper left corner, and upside down in the lower right.

    `star`: a joker's mark above them.
    """
    w, h = image.size
    index = Image.new("RGBA", (round(w * 0.36), round(h * 0.6)), (*color, 0))
    size, pip = round(w * 0.3), round(w * 0.22)
    middle, y = w * 0.175, round(w * 0.07)
    if star:
        stamp(index, "star", round(middle - pip / 2), y, pip, (*color, 255))
        y += pip
    if rank:
        y += round(size * 0.74)
        narrow = size if len(rank) == 1 else round(size * 0.88)
        paint.write(index, middle, y, rank, narrow, (*color, 255), "middle", bold=True)
        y += round(w * 0.035)
    stamp(index, sign, round(middle - pip / 2), y, pip, (*color, 255))
    put(image, index, 0, 0)
    turned = index.rotate(180)
    put(image, turned, w - index.width, h - index.height)
