"""One seat's view as text: for `Game.render`, the render mode `ansi` and the plain table."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kalooki_env.render.style import Style, group_cards
from kalooki_env.render.view import MeldView, SeatView, view_of

if TYPE_CHECKING:
    from kalooki_env.game import Game

WIDTH = 78
PLAIN = Style()


def render_text(game: "Game", seat: int) -> str:
    """Write what a seat sees in plain letters; nothing that is hidden from it is in the text."""
    view = view_of(game, seat)
    names = [f"seat {other.seat}" for other in view.seats]
    names[seat] = "you"
    return screen(view, names, note=f", seen by seat {seat}")


def screen(
    view: SeatView, names: Sequence[str], style: Style = PLAIN, sort: str = "suit", note: str = ""
) -> str:
    """Write the whole table from one seat: heading, seats, melds, piles, the seat's hand."""
    parts = (
        heading(f"Deal {view.deal}, turn {view.turn}{note}", style),
        seats(view, names, style),
        table(view, names, style),
        piles(view, style),
        hand(view, style, sort),
        duties(view, style),
    )
    return "\n".join(part for part in parts if part)


def heading(title: str, style: Style = PLAIN) -> str:
    """Write a title on a rule across the screen."""
    return style.bold(f"{style.line() * 2} {title} ".ljust(WIDTH, style.line()))


def seats(view: SeatView, names: Sequence[str], style: Style = PLAIN) -> str:
    """Write a line for each seat: whose turn, cards left, open or not, announced, total."""
    wide = max(len(name) for name in names)
    lines = []
    for info in view.seats:
        mark = ">" if info.seat == view.to_move else " "
        if info.eliminated:
            lines.append(style.dim(f"   {names[info.seat]:<{wide}}   out of the match"))
            continue
        count = f"{info.cards} card" + ("s" if info.cards != 1 else " ")
        facts = f"{count:>8}   {'open' if info.opened else 'not open':<8}   total {info.total}"
        if info.announced:
            facts += f"   announced {info.announced}"
        line = f" {mark} {names[info.seat]:<{wide}}  {facts}"
        lines.append(style.bold(line) if info.seat == view.to_move else line)
    return "\n".join(lines)


def table(view: SeatView, names: Sequence[str], style: Style = PLAIN) -> str:
    """Write the melds with the numbers that moves call them by; many stand in two columns."""
    if not view.table:
        return "Table  " + style.dim("no melds yet")
    lines = [_meld(meld, names) for meld in view.table]
    if len(lines) > 6 and max(map(len, lines)) < WIDTH // 2:
        half = (len(lines) + 1) // 2
        pairs = zip(lines[:half], [*lines[half:], ""], strict=False)
        lines = [f"{left:<{WIDTH // 2}}{right}".rstrip() for left, right in pairs]
    return "\n".join(["Table", *(style.cards(line) for line in lines)])


def piles(view: SeatView, style: Style = PLAIN) -> str:
    """Write the top of the discard pile, the cards just under it, and the size of the stock."""
    if view.pile:
        pile = style.cards(view.pile[-1])
        if len(view.pile) > 1:
            under = " ".join(reversed(view.pile[-6:-1]))
            more = " ..." if len(view.pile) > 6 else ""
            pile += style.dim("   under it: ") + style.cards(under) + style.dim(more)
    else:
        pile = style.dim("empty")
    rebuilt = {0: "", 1: ", rebuilt once"}.get(view.rebuilds, f", rebuilt {view.rebuilds} times")
    return f"Pile   {pile}\nStock  {view.stock} card{'s' if view.stock != 1 else ''}{rebuilt}"


def hand(view: SeatView, style: Style = PLAIN, sort: str = "suit") -> str:
    """Write the seat's own cards, grouped by suit or by rank."""
    groups = "   ".join(" ".join(group) for group in group_cards(view.hand, sort))
    return style.bold("Hand   ") + (style.cards(groups) if groups else style.dim("empty"))


def duties(view: SeatView, style: Style = PLAIN) -> str:
    """Write what the seat to move must still do in this turn; empty if nothing, or not its turn."""
    if not view.is_mine:
        return ""
    lines = []
    if view.points and view.opening_points and not view.me.opened:
        lines.append(f"Opening: {view.points} of {view.opening_points} points laid so far")
    if view.duty and view.taken:
        lines.append(f"The {view.taken} from the pile must be in your opening")
    elif view.taken and view.taken in view.hand and not view.may_discard_taken:
        lines.append(f"You took {view.taken} from the pile: it can't be discarded in this turn")
    if view.owed:
        jokers = "1 released joker" if view.owed == 1 else f"{view.owed} released jokers"
        lines.append(f"{jokers} must still be laid in this turn")
    if view.barred:
        lines.append("You did not announce your last cards: you may not go out in this turn")
    return "\n".join(style.cards(line) for line in lines)


def _meld(meld: MeldView, names: Sequence[str]) -> str:
    owner = "" if meld.owner is None else names[meld.owner]
    return f"{meld.number:>4}  {' '.join(meld.cards):<24} {owner}".rstrip()
