"""The seats of a picture: the others in a row of panels, the own one with its hand."""

from collections.abc import Sequence

from kalooki_env.render.picture import paint
from kalooki_env.render.picture.faces import height_of
from kalooki_env.render.picture.page import MARGIN, OTHERS, OWN, WIDTH, Page
from kalooki_env.render.picture.paint import (
    Color,
    plate,
    put,
    shortened,
    width_of,
    write_cards,
)
from kalooki_env.render.style import group_cards
from kalooki_env.render.view import SeatInfo, SeatView

_OWN_PANEL = 158
"""Width of the own panel."""


def draw_others(page: Page) -> None:
    """Draw the other seats beside each other, clockwise from the seat's left."""
    seats = len(page.view.seats)
    others = [(page.view.seat + k) % seats for k in range(1, seats)]
    room = page.px(WIDTH - 2 * MARGIN)
    gap = page.px(8)
    wide = min((room - gap * (len(others) - 1)) // len(others), page.px(330))
    x = (page.image.width - wide * len(others) - gap * (len(others) - 1)) // 2
    top, bottom = map(page.px, OTHERS)
    for seat in others:
        _draw_other(page, page.view.seats[seat], x, top, wide, bottom - top)
        x += wide + gap


def _draw_panel(page: Page, seat: int, x: int, y: int, width: int, height: int) -> None:
    """Draw the ground of a seat's panel; that of the seat to move has a golden edge."""
    is_next = page.view.to_move == seat
    edge, line = (paint.GOLD, 2.5) if is_next else (paint.FELT_LIGHT, 1.0)
    ground = plate(width, height, 9 * page.scale, paint.PANEL, edge, line * page.scale)
    put(page.image, ground, x, y)


def _draw_name(page: Page, info: SeatInfo, x: int, y: int, room: float) -> None:
    """Write a seat's name behind a dot of its colour; y is the base line."""
    dot = page.px(11)
    put(page.image, plate(dot, dot, dot / 2, paint.SEATS[info.seat]), x, y - dot)
    color = paint.GOLD if page.view.to_move == info.seat else paint.WHITE
    name = shortened(page.names[info.seat], page.px(16), room - page.px(17))
    page.text(x + page.px(17), y, name, 16, color, bold=True)


def _draw_other(page: Page, info: SeatInfo, x: int, y: int, width: int, height: int) -> None:
    _draw_panel(page, info.seat, x, y, width, height)
    inset = page.px(10)
    left, right, room = x + inset, x + width - inset, width - 2 * inset
    total = f"total {info.total}" if width >= page.px(200) else str(info.total)
    page.text(right, y + page.px(21), total, 14, paint.PALE, "right")
    room_of_name = room - width_of(total, page.px(14)) - page.px(8)
    _draw_name(page, info, left, y + page.px(21), room_of_name)
    if info.eliminated and not _hand_of(page, info):
        page.text(left, y + page.px(62), "out of the match", 14, paint.DIM)
        return
    _draw_small_hand(page, _hand_of(page, info), left, y + page.px(29), room)
    base = y + height - page.px(10)
    cards = f"{info.cards} card{'' if info.cards == 1 else 's'}"
    page.text(left, base, cards, 14, paint.PALE)
    _draw_badges(page, info, left + width_of(cards, page.px(14)) + page.px(8), base, right)


def _hand_of(page: Page, info: SeatInfo) -> list[str]:
    """Return the cards of another seat as they are shown, sorted where they lie open."""
    if page.hands is None:
        return ["back"] * info.cards
    return [card for group in group_cards(page.hands[info.seat]) for card in group]


def _draw_small_hand(page: Page, cards: Sequence[str], x: int, y: int, room: int) -> None:
    """Draw the hand of another seat: backs in one line, faces in two where they need it."""
    if not cards:
        return
    width = page.px(41)
    lines = [cards]
    if cards[0] != "back" and width + (len(cards) - 1) * width * 0.36 > room:
        width = page.px(30)
        half = (len(cards) + 1) // 2
        lines = [cards[:half], cards[half:]]
    for line in lines:
        step = min(width * 0.5, (room - width) / max(len(lines[0]) - 1, 1))
        for k, card in enumerate(line):
            page.card(card, round(x + k * step), y, width)
        y += round(width * 0.6)


def _draw_badges(page: Page, info: SeatInfo, x: float, base: int, end: float) -> None:
    """Draw what is known of a seat as badges: open, announced; after the deal its penalty."""
    for text, color in _badges(page, info):
        wide = round(width_of(text, page.px(13))) + page.px(12)
        if x + wide > end + 1:
            return
        high = page.px(19)
        put(page.image, plate(wide, high, high / 2, color), round(x), base - page.px(14))
        page.text(round(x) + wide / 2, base, text, 13, paint.RAIL, "middle")
        x += wide + page.px(5)


def _badges(page: Page, info: SeatInfo) -> list[tuple[str, Color]]:
    view, badges = page.view, []
    if view.end is not None:
        if view.end.winner == info.seat:
            badges.append(("kalooki" if view.end.kalooki else "won", paint.GOLD))
        elif view.end.winner is not None:
            badges.append((f"penalty {view.end.penalties[info.seat]}", paint.ROSE))
        if info.eliminated:
            badges.append(("out", paint.DIM))
        return badges
    if info.opened:
        badges.append(("open", paint.MINT))
    elif info.seat == view.to_move and view.points and view.opening_points:
        badges.append((f"{view.points} of {view.opening_points}", paint.ROSE))
    if info.announced:
        badges.append((f"last {info.announced}", paint.GOLD))
    return badges


def draw_own(page: Page) -> None:
    """Draw the panel and the hand of the seat whose view it is."""
    info = page.view.me
    top, bottom = map(page.px, OWN)
    x, wide = page.px(MARGIN), page.px(_OWN_PANEL)
    _draw_panel(page, info.seat, x, top, wide, bottom - top)
    left, room = x + page.px(10), wide - page.px(20)
    _draw_name(page, info, left, top + page.px(23), room)
    cards = f"{info.cards} card{'' if info.cards == 1 else 's'}"
    page.text(left, top + page.px(46), cards, 14, paint.PALE)
    page.text(left + room, top + page.px(46), f"total {info.total}", 14, paint.PALE, "right")
    _draw_badges(page, info, left, top + page.px(70), left + room)
    for line, told in enumerate(_duties(page.view)[:3]):
        base = top + page.px(92 + 17 * line)
        write_cards(page.image, left, base, told, page.px(13), room, paint.GOLD)
    _draw_own_hand(page, x + wide + page.px(12), top, bottom)


def _draw_own_hand(page: Page, left: int, top: int, bottom: int) -> None:
    """Draw the seat's cards in groups of a suit, closer where there are many."""
    groups = group_cards(page.view.hand)
    count = sum(map(len, groups))
    width = page.px(96)
    room = page.image.width - page.px(MARGIN) - left
    gaps = max(len(groups) - 1, 0)
    gap = page.px(10)
    step = min((room - width - gap * gaps) / max(count - 1, 1), width * 0.62)
    x = left + max(room - (width + step * (count - 1) + gap * gaps), 0) / 2
    y = top + (bottom - top - height_of(width)) // 2
    for group in groups:
        for card in group:
            page.card(card, round(x), y, width)
            x += step
        x += gap
    if not count:
        middle = (left + room / 2, top + page.px(76))
        page.text(*middle, "no cards left", 16, paint.DIM, "middle")


def _duties(view: SeatView) -> list[str]:
    """Write in a few words what the seat must still do in this turn."""
    if not view.is_mine:
        return []
    lines = []
    if view.duty and view.taken:
        lines.append(f"{view.taken} must be laid")
    elif view.taken and view.taken in view.hand and not view.may_discard_taken:
        lines.append(f"{view.taken} must be kept")
    if view.owed:
        lines.append("a joker must be laid" if view.owed == 1 else f"{view.owed} jokers to lay")
    if view.barred:
        lines.append("may not go out")
    return lines
