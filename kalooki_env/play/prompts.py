"""What a person can do now, in words: the task, the buttons, what selected cards are worth."""

from collections.abc import Sequence
from typing import NamedTuple

from kalooki_env import actions
from kalooki_env.play import choices
from kalooki_env.play.session import Session
from kalooki_env.play.words import contract_words, count
from kalooki_env.render import text
from kalooki_env.render.view import SeatView


class Button(NamedTuple):
    """A thing to do: its key, its word, and whether it can be done now."""

    key: str
    word: str
    on: bool


_MELDS = {actions.KIND_RUN, actions.KIND_SET}
_LAYOFFS = {actions.KIND_LAYOFF_RUN, actions.KIND_LAYOFF_SET}
_SWAPS = {actions.KIND_SWAP_RUN, actions.KIND_SWAP_SET}


def task(session: Session, view: SeatView) -> str:
    """Say whose turn it is, and what the person has to do in the own one."""
    if view.to_move is None:
        return "The match is over." if session.game.over else "The deal is over."
    if not session.my_turn:
        name = session.names[view.to_move]
        if view.phase == "buy_in":
            return f"{name} decides on a buy-in."
        return f"{name} is to move." + (" You are out; the others play on." if _out(view) else "")
    match view.phase:
        case "draw" if session.game.explain("take") is None:
            why = " (first turn: free)" if free_take(session) else ""
            return f"Your turn: draw from the stock, or take {view.pile[-1]} from the pile{why}."
        case "draw":
            return "Your turn: draw from the stock."
        case "announce":
            return f"Announce your last {count(len(view.hand))}? Silence bars you from going out next turn."
        case "buy_in":
            return f"Buy in for {session.game.rules.buy_in}, or drop out of the match?"
    duties = text.duties(view).replace("\n", ". ")
    if duties:
        return f"{duties}."
    if view.me.opened:
        return "Your turn: lay melds, lay off, swap; discard a card to end it."
    return f"Your turn: open with {_opening(session, view)}, or just discard a card."


def free_take(session: Session) -> bool:
    """Tell whether the top of the pile may be taken only because it is the first turn of the deal."""
    rules = session.game.rules
    return (
        rules.first_turn_take and rules.discard_before_opening != "free" and session.view.turn == 1
    )


def _out(view: SeatView) -> bool:
    return view.me.eliminated


def _opening(session: Session, view: SeatView) -> str:
    """Say what an opening asks for."""
    contracts = session.game.rules.contracts
    if not contracts:
        return f"melds of {view.opening_points} points" if view.opening_points else "any meld"
    contract = contracts[(int(session.game.state["deal"][0]) - 1) % len(contracts)]
    return contract_words(contract)


def buttons(session: Session) -> list[Button]:
    """List what can be done now, and what the phase asks for."""
    game = session.game
    legal = game.legal_actions() if session.my_turn else []
    kinds = {int(actions.KIND[action]) for action in legal}
    if session.my_turn and game.phase == "draw":
        return [
            Button("d", "Draw", actions.DRAW in legal),
            Button("t", "Take", actions.TAKE in legal),
        ]
    if session.my_turn and game.phase == "announce":
        return [
            Button("y", "Announce", True),
            Button("n", "Stay silent", True),
            Button("u", "Undo", session.can_undo),
        ]
    if session.my_turn and game.phase == "buy_in":
        return [Button("y", "Buy in", actions.BUY_IN in legal), Button("n", "Drop out", True)]
    if game.deal_over:
        return [Button("enter", "Score", True)]
    return [
        Button("m", "Meld", bool(kinds & _MELDS)),
        Button("l", "Lay off", bool(kinds & _LAYOFFS)),
        Button("w", "Swap", bool(kinds & _SWAPS)),
        Button("x", "Discard", actions.KIND_DISCARD in kinds),
        *([Button("u", "Undo", True)] if session.can_undo else []),
    ]


def worth(session: Session, cards: Sequence[str]) -> str:
    """Say what selected cards are: a meld that may be laid and its points, or how many."""
    if len(cards) < 3:
        return ""
    answer = choices.meld(session.game, cards)
    if not answer.ways:
        return ""
    melds = [way[0].partition(" ")[2] for way in answer.ways]
    if session.game.rules.contracts or session.view.me.opened:
        return f"A meld: {melds[0]}" + (" (or otherwise)" if len(melds) > 1 else "")
    points = sorted({session.game.meld_points(cards) for cards in melds})
    return f"A meld of {' or '.join(map(str, points))} points."
