"""Drawing the table from one seat: the other seats above, melds and piles, the seat's hand below."""

from collections.abc import Sequence

from PIL import Image

from kalooki_env.render.picture import board, paint, seats
from kalooki_env.render.picture.page import CAPTION, HEIGHT, MARGIN, WIDTH, Page
from kalooki_env.render.picture.paint import plate, put, width_of, width_of_cards, write_cards
from kalooki_env.render.picture.words import of_view
from kalooki_env.render.view import SeatView

__all__ = ["HEIGHT", "LEAST", "MOST", "WIDTH", "draw"]

LEAST, MOST = 480, 1920
"""Bounds of the width of a picture."""


def draw(
    view: SeatView,
    names: Sequence[str],
    caption: Sequence[str] = (),
    hands: Sequence[Sequence[str]] | None = None,
    width: int = WIDTH,
) -> Image.Image:
    """Draw the table as a seat sees it.

    Args:
        view: what the seat sees.
        names: of the seats.
        caption: sentences for the last line; the last of them are shown that fit. Without any it
            says whose turn it is.
        hands: of all seats, to lay them open; None: they are, once the deal is over.
        width: pixels across, `LEAST` to `MOST`; the height is two thirds of it.

    Returns:
        A new image, `RGB`.
    """
    if not isinstance(width, int) or not LEAST <= width <= MOST:
        raise ValueError(f"width: expected a whole number from {LEAST} to {MOST}, got {width!r}")
    if hands is None and view.end is not None:
        hands = view.end.hands
    page = Page(view, names, hands, width / WIDTH)
    seats.draw_others(page)
    board.draw_melds(page)
    board.draw_piles(page)
    seats.draw_own(page)
    _draw_caption(page, caption)
    return page.image


def _draw_caption(page: Page, caption: Sequence[str]) -> None:
    """Write the line of words: what was played last, deal and turn."""
    size, base = page.px(17), page.px(CAPTION + 19)
    where = f"deal {page.view.deal}, turn {page.view.turn}"
    right = page.image.width - page.px(MARGIN)
    page.text(right, base, where, 14, paint.DIM, "right")
    left = page.px(MARGIN)
    room = right - width_of(where, page.px(14)) - page.px(20) - left
    sentences = [_capital(told) for told in caption or [of_view(page.view, page.names)] if told]
    mark, space = page.px(5), page.px(7)
    wide = [mark + 3 * space + width_of_cards(told, size) for told in sentences]
    while len(sentences) > 1 and sum(wide) - 2 * space > room:
        del sentences[0], wide[0]
    x: float = left
    for told in sentences:
        spot = plate(mark, mark, mark / 2, paint.GOLD)
        put(page.image, spot, round(x), page.px(CAPTION + 13))
        x += mark + space
        x = write_cards(page.image, x, base, told, size, left + room - x) + 2 * space


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
