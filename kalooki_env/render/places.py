"""The stock, the discard pile and the seats on a canvas."""

from collections.abc import Sequence

from kalooki_env.render.boxes import Face, draw_card, draw_empty, ink
from kalooki_env.render.canvas import Canvas
from kalooki_env.render.view import SeatInfo, SeatView


def piles(view: SeatView, face: Face, width: int, height: int, mine: bool) -> Canvas:
    """Draw the stock and the discard pile; in a line where there is but one row.

    Args:
        view: what the seat sees.
        face: how cards are written.
        width: cells across.
        height: rows there are.
        mine: the seat may draw now, so the piles are pointed out.
    """
    canvas = Canvas(width, height)
    title = "gold:felt:bold" if mine else "dim:felt"
    if height == 1:
        _pile_line(canvas, view, face, title)
        return canvas
    rows = 4 if height >= 6 else 3
    for x, word, count, top in (
        (1, "Stock", view.stock, "back" if view.stock else None),
        (9, "Pile", len(view.pile), view.pile[-1] if view.pile else None),
    ):
        canvas.write(x, 0, word, title)
        if top is None:
            draw_empty(canvas, x, 1, face, rows)
        else:
            draw_card(canvas, x, 1, top, face, rows=rows)
        canvas.write(x + 1, 1 + rows, f"{count:>3}", "dim:felt")
        canvas.zone(x, 0, 7, rows + 2, word.lower())
    under = view.pile[-6:-1][::-1]
    if under and height >= rows + 5:
        canvas.write(1, rows + 3, "under it", "dim:felt")
        x, y = 1, rows + 4
        for card in under:
            text = face.text(card)
            if x + len(text) > width:
                x, y = 1, y + 1
            x = canvas.write(x, y, text, f"felt-{ink(card)}:felt") + 1
        canvas.zone(0, rows + 2, width, y - rows - 1, "pile")
    return canvas


def _pile_line(canvas: Canvas, view: SeatView, face: Face, title: str) -> None:
    """Write the stock and the discard pile in a line."""
    at = canvas.write(1, 0, "Stock ", title)
    at = canvas.write(at, 0, f"{view.stock} ", "dim:felt")
    canvas.zone(0, 0, at + 1, 1, "stock")
    start = at + 2
    at = canvas.write(start, 0, "Pile ", title)
    if view.pile:
        top = view.pile[-1]
        at = canvas.write(at, 0, f" {face.text(top)} ", f"{ink(top)}:card:bold")
    for card in view.pile[-6:-1][::-1]:
        at = canvas.write(at + 1, 0, face.text(card), f"felt-{ink(card)}:felt")
    canvas.zone(start, 0, max(at - start, 6), 1, "pile")


def seats(view: SeatView, names: Sequence[str], face: Face, width: int, money: bool) -> Canvas:
    """Draw who sits at the table: whose turn, cards left, open, announced, totals; three rows."""
    canvas = Canvas(width, 3, "white:panel")
    each = max(1, min(40, width // len(names)))
    for index, info in enumerate(view.seats):
        # Between narrow places there is one column, else there are two.
        x, room = (index * each + 1, each - 2) if each >= 12 else (index * each, each - 1)
        turn = info.seat == view.to_move
        pointer = "▶" if face.symbols else ">"
        pointer = "" if not turn else f"{pointer} " if each >= 12 else pointer
        name = short(names[info.seat], room - len(pointer))
        canvas.write(x, 0, pointer + name, f"{'gold' if turn else 'white'}:panel:bold")
        if info.eliminated:
            canvas.write(x, 1, "out"[:room], "dim:panel")
            continue
        canvas.write(x, 1, _cards(info, face, room), "white:panel")
        state = _state(info, room)
        if money and room >= 22:
            state += f"  {info.money:+d}"
        style = "gold:panel" if info.announced else "green:panel" if info.opened else "dim:panel"
        canvas.write(x, 2, state[:room], style)
    return canvas


def short(name: str, room: int) -> str:
    """Cut a name to the letters there are; the number of one that is called like others stays."""
    if len(name) <= room:
        return name
    word, _, number = name.rpartition(" ")
    if word and number.isdecimal():
        return f"{word[: max(room - len(number) - 1, 1)]} {number}"
    return name[: max(room, 0)]


def _cards(info: SeatInfo, face: Face, room: int) -> str:
    """Write how many cards a seat has left, and its total if it is not cut off."""
    if room >= 12:
        cards = f"{info.cards} card{'s' if info.cards != 1 else ''}"
        return f"{cards:<9}" + (f"total {info.total}" if room >= 19 else str(info.total))
    cards = f"{info.cards}{'▯' if face.symbols else 'c'}"
    text = f"{cards} {info.total:>{max(room - len(cards) - 1, 1)}}"
    return text if len(text) <= room else cards


def _state(info: SeatInfo, room: int) -> str:
    """Write whether a seat is open and what it announced."""
    state = "open" if info.opened else "not open" if room >= 8 else "shut"
    if not info.announced:
        return state
    if room >= 16:
        return f"{state}, says {info.announced}"
    return f"says {info.announced}" if room >= 7 else f"say {info.announced}"
