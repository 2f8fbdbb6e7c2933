"""The page that a picture is drawn on: where things lie, how cards and texts get onto it."""

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image, ImageDraw

from kalooki_env.render.picture import paint
from kalooki_env.render.picture.faces import back, face
from kalooki_env.render.picture.paint import Color, plate, put, shadow, write
from kalooki_env.render.view import SeatView

WIDTH, HEIGHT = 960, 640
"""The usual size of a picture. All lengths of the layout are those of this size."""
MARGIN = 12
OTHERS = (8, 122)
"""Top and bottom of the other seats."""
MIDDLE = (132, 456)
"""Top and bottom of melds and piles."""
OWN = (466, 606)
"""Top and bottom of the seat whose view it is."""
CAPTION = 613
PILES = 776
"""Left edge of the piles."""


@lru_cache(maxsize=8)
def _ground(scale: float) -> Image.Image:
    """Draw what no game changes: the felt with its marks and the line of words."""
    width, height = round(WIDTH * scale), round(HEIGHT * scale)
    image = Image.new("RGB", (width, height), paint.FELT)
    top, bottom = (round(y * scale) for y in MIDDLE)
    left, middle, right = (round(x * scale) for x in (MARGIN, PILES - 12, WIDTH - MARGIN))
    radius, line = 10 * scale, 1.5 * scale
    for x, end in ((left, middle), (round(PILES * scale), right)):
        mat = plate(end - x, bottom - top, radius, paint.MAT, paint.FELT_LIGHT, line)
        put(image, mat, x, top)
    box = (0, round(CAPTION * scale), width, height)
    ImageDraw.Draw(image).rectangle(box, fill=paint.RAIL)
    return image


@lru_cache(maxsize=1024)
def _lifted(card: str, width: int, stands_for: str) -> tuple[Image.Image, Image.Image, int]:
    """Return a card with its shadow: colours, how much they cover, pixels it is larger by."""
    image = back(width) if card == "back" else face(card, width, stands_for)
    blur = max(round(width * 0.06), 2)
    soft = shadow(*image.size, round(width * 0.1), blur)
    whole = Image.new("RGBA", (soft.width, soft.height + blur), (*paint.SHADOW, 0))
    whole.paste((*paint.SHADOW, 255), (0, blur // 2), soft)
    whole.putalpha(Image.new("L", whole.size))
    cover = whole.getchannel("A")
    cover.paste(soft, (0, blur // 2))
    whole.putalpha(cover)
    whole.alpha_composite(image, (blur, blur))
    return whole.convert("RGB"), whole.getchannel("A"), blur


class Page:
    """One picture while it is drawn. `px` makes pixels of lengths of the usual size."""

    def __init__(
        self,
        view: SeatView,
        names: Sequence[str],
        hands: Sequence[Sequence[str]] | None,
        scale: float,
    ) -> None:
        self.view, self.names, self.hands, self.scale = view, names, hands, scale
        self.image = _ground(scale).copy()

    def px(self, length: float) -> int:
        """Return a length in pixels."""
        return round(length * self.scale)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        color: Color,
        align: str = "left",
        bold: bool = False,
    ) -> None:
        """Write a text; x and y in pixels."""
        write(self.image, x, y, text, max(self.px(size), 7), color, align, bold)

    def card(self, card: str, x: int, y: int, width: int, stands_for: str = "") -> None:
        """Lay a card, or `back`, on the table; all in pixels."""
        image, alpha, edge = _lifted(card, width, stands_for)
        self.image.paste(image, (x - edge, y - edge), alpha)
