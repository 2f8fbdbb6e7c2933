"""The middle of a picture: the melds, the stock and the discard pile."""

from kalooki_env.render.picture import paint
from kalooki_env.render.picture.faces import height_of, rank_in_set
from kalooki_env.render.picture.melds import Look, Place, lay_out
from kalooki_env.render.picture.page import MARGIN, MIDDLE, PILES, Page
from kalooki_env.render.picture.paint import plate, put, shortened, width_of, write


def draw_melds(page: Page) -> None:
    """Draw the melds, those of the other seats first, each under its number and its seat."""
    inset = page.px(10)
    left, top = page.px(MARGIN) + inset, page.px(MIDDLE[0]) + inset
    width = page.px(PILES - 12) - inset - left
    height = page.px(MIDDLE[1]) - inset - top
    if not page.view.table:
        middle = (left + width / 2, top + height / 2)
        page.text(*middle, "no melds yet", 18, paint.DIM, "middle")
        return
    seats = len(page.view.seats)
    order = [(page.view.seat + k) % seats for k in range(1, seats + 1)]
    look, places = lay_out(page.view.table, order, width, height, page.scale)
    for place in places:
        _draw_meld(page, place, left, top, look)


def _draw_meld(page: Page, place: Place, left: int, top: int, look: Look) -> None:
    meld, x, y = place.meld, left + place.x, top + place.y
    owner = None if meld.owner is None else page.names[meld.owner]
    color = paint.PALE if meld.owner is None else paint.SEATS[meld.owner]
    size = max(round(look.tag * 0.86), 7)
    base = y + look.tag - round(look.tag * 0.3)
    number = f"{meld.number} "
    write(page.image, x + 1, base, number, size, paint.PALE)
    if owner is not None:
        room = look.width(meld) - width_of(number, size)
        label = shortened(owner, size, room)
        write(page.image, x + 1 + width_of(number, size), base, label, size, color)
    rank = rank_in_set(meld.cards)
    for k, card in enumerate(meld.cards):
        page.card(card, x + k * look.pitch, y + look.tag + 2, look.card, rank)
    if meld.fresh:
        edge = page.px(3)
        width, height = look.width(meld) + 2 * edge, height_of(look.card) + 2 * edge
        halo = plate(width, height, look.card * 0.1 + edge, None, paint.GOLD, edge)
        put(page.image, halo, x - edge, y + look.tag + 2 - edge)


def draw_piles(page: Page) -> None:
    """Draw the stock, the discard pile and the cards just under its top."""
    view = page.view
    top, width = page.px(MIDDLE[0]), page.px(70)
    left, right = page.px(PILES + 11), page.px(PILES + 91)
    can_draw = view.phase == "draw" and view.is_mine
    title = paint.GOLD if can_draw else paint.PALE
    y = top + page.px(34)
    below = y + height_of(width) + page.px(21)
    for x, word, count in ((left, "stock", view.stock), (right, "pile", len(view.pile))):
        middle = x + width / 2
        page.text(middle, top + page.px(22), word, 15, title, "middle")
        page.text(middle, below, str(count), 15, paint.WHITE, "middle", bold=True)
        if not count:
            hole = plate(width, height_of(width), width * 0.1, None, paint.FELT_LIGHT, 2.0)
            put(page.image, hole, x, y)
    for k in range(min(-(-view.stock // 18), 4)):
        page.card("back", left + k * page.px(1.6), y - k * page.px(1.6), width)
    if view.pile:
        page.card(view.pile[-1], right, y, width)
    _draw_under(page, left, below, width)


def _draw_under(page: Page, left: int, below: int, width: int) -> None:
    """Draw what lies under the top of the pile, and what else there is to know."""
    under = page.view.pile[-6:-1][::-1]
    if under:
        page.text(left, below + page.px(30), "under it", 13, paint.DIM)
        small = page.px(42)
        step = page.px(27)
        for k, card in enumerate(under):
            page.card(card, left + k * step, below + page.px(38), small)
    facts = []
    if page.view.rebuilds:
        times = {1: "once", 2: "twice"}.get(page.view.rebuilds, f"{page.view.rebuilds} times")
        facts.append(f"stock rebuilt {times}")
    if page.view.pool:
        facts.append(f"{page.view.pool} in the pool")
    for k, fact in enumerate(facts):
        page.text(left, below + page.px(124 + 19 * k), fact, 13, paint.DIM)
