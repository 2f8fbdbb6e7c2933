"""Moves in words, for the line under a picture."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from kalooki_env import actions

if TYPE_CHECKING:
    from kalooki_env.render.view import SeatView

YOU = "you"


def of_move(name: str, move: str, card: str = "") -> str:
    """Tell a move of NOTATION, such as `add 8C @2`, in a sentence.

    Args:
        name: who played it; `you` is spoken to.
        move: its text.
        card: the card that was drawn or taken with it, if that may be told.
    """
    verb, _, rest = move.partition(" ")
    cards, _, place = rest.partition("@")
    match verb:
        case "draw":
            told = f"draw {card}" if card else "draw from the stock"
        case "take":
            told = f"take {card} from the pile" if card else "take the top of the pile"
        case "meld":
            told = f"lay {rest}"
        case "add":
            told = f"lay off {cards.strip()} on meld {place}"
        case "swap":
            told = f"swap {' and '.join(cards.split())} for a joker of meld {place}"
        case "announce":
            told = "announce the last cards"
        case "silent":
            told = "stay silent"
        case _:
            told = move
    return f"{name} {_conjugated(told, name)}"


def of_actions(names: Sequence[str], played: Iterable[tuple[int, int]]) -> list[str]:
    """Tell actions, seat and id of each, in a sentence for the moves of a seat in a row."""
    sentences: list[str] = []
    last: int | None = None
    for seat, action in played:
        told = actions.describe(action)
        if told.startswith("on table meld"):
            part = f" {told.replace('table ', '').replace('@', '')}"
        else:
            part = ("" if seat != last else ", ") + _conjugated(told, names[seat])
        if seat == last:
            sentences[-1] += part
        else:
            sentences.append(f"{names[seat]} {part.lstrip()}")
        last = seat
    return sentences


def of_view(view: "SeatView", names: Sequence[str]) -> str:
    """Tell how the game stands, where the moves before are not known."""
    if view.end is not None:
        return of_end(view, names)
    if view.to_move is None:
        return ""
    name = names[view.to_move]
    if view.phase == "draw":
        return f"{name} {'are' if name == YOU else 'is'} to draw"
    if view.phase == "play":
        told = "draw from the stock" if view.taken is None else f"take {view.taken} from the pile"
        return f"{name} {_conjugated(told, name)}"
    return f"{name} {'decide' if name == YOU else 'decides'}"


def of_end(view: "SeatView", names: Sequence[str]) -> str:
    """Tell how the deal ended, and the match with it; empty while it goes on."""
    if view.end is None:
        return ""
    if view.end.winner is None:
        return "nobody wins: the deal is void" if view.end.void else "nobody wins: the deal was cut"
    name = names[view.end.winner]
    told = f"{name} {_conjugated('win the deal', name)}"
    if view.end.kalooki:
        told += " with a kalooki"
    if view.end.match_winners:
        winners = [names[seat] for seat in view.end.match_winners]
        one = winners[0] if len(winners) == 1 else ""
        told += f"; {' and '.join(winners)} {'wins' if one and one != YOU else 'win'} the match"
    return told


def _conjugated(told: str, name: str) -> str:
    """Put the verb that a phrase begins with into the form for a name."""
    verb, space, rest = told.partition(" ")
    return told if name == YOU else f"{verb}s{space}{rest}"
