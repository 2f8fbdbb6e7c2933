"""Why a move is not legal, in the words of the rules. Asked only for moves that the engine has
refused."""

from typing import TYPE_CHECKING

import numpy as np

from kalooki_env import actions, notation
from kalooki_env.cards import card_text
from kalooki_env.engine import layout as L
from kalooki_env.notation import Move

if TYPE_CHECKING:
    from kalooki_env.game import Game

_DRAWS = {
    actions.DRAW: "draw a card from the stock",
    actions.TAKE: "take the top discard",
}
_DEAD_END = {
    "owed": "a released joker must be laid in this turn, and after this move it could no longer be",
    "swap": "the joker it releases could not be laid in this turn with a card left to discard",
    "discard": "every turn ends with a discard, and after this move there would be no card to discard",
    "barred": "you did not announce your last cards, so you keep at least one card after the discard",
}


def reason(game: "Game", move: Move) -> str:
    """Return why `move`, which is not legal in `game`, is refused."""
    if game.to_move is None:
        return "the deal is over" if game.deal_over else "nobody is to move"
    if game.phase == "buy_in":
        return "first decide: buy in, or drop out"
    if game.phase == "announce":
        return "first decide: announce your last cards, or stay silent"
    if move.kind in (notation.ANNOUNCE, notation.SILENT):
        return "there is nothing to announce now"
    if move.kind in (notation.BUY_IN, notation.DROP_OUT):
        return "there is no buy-in to decide now"
    if move.kind in (notation.DRAW, notation.TAKE):
        return _draw_reason(game, move)
    if game.phase == "draw":
        return "first " + ", or ".join(_DRAWS[way] for way in game.legal_actions().tolist())
    if game.question is not None:
        return "first finish the move that was begun"
    by_kind = {
        notation.DISCARD: _discard_reason,
        notation.MELD: _meld_reason,
        notation.ADD: _add_reason,
        notation.SWAP: _swap_reason,
    }
    return by_kind[move.kind](game, move)


class _Seat:
    """The facts of the seat to move that the reasons need."""

    def __init__(self, game: "Game") -> None:
        state = game.state[0]
        self.state, self.number = state, int(game.to_move or 0)
        self.hand: np.ndarray = state["hand"][self.number]
        self.size = int(state["hand_size"][self.number])
        self.is_open = bool(state["opened"][self.number])
        self.barred = bool(state["barred"][self.number])
        self.owed = int(state["owed"])
        self.laid = int(state["melds"]["laid"][: state["n_melds"]].sum())
        self.half_open = not self.is_open and self.laid > 0

    def holds(self, cards: list[int]) -> int | None:
        """Return the first card that the hand lacks, or None."""
        for card in cards:
            if cards.count(card) > self.hand[card]:
                return card
        return None


def _draw_reason(game: "Game", move: Move) -> str:
    if game.phase != "draw":
        return "you have drawn already: a seat draws once a turn"
    state = game.state[0]
    if move.kind == notation.DRAW:
        return "the stock is empty"
    if state["n_discards"] == 0:
        return "the discard pile is empty"
    top = card_text(int(state["discards"][state["n_discards"] - 1]))
    if game.rules.discard_before_opening == "never":
        return "before you are open you may not take from the discard pile"
    return (
        f"before you are open you may take {top} only to open with it in this turn, and your hand "
        f"does not make {_opening(game)} with it inside the new melds"
    )


def _opening(game: "Game") -> str:
    if game.rules.contracts:
        return "the contract"
    return f"{game.rules.opening_points} points"


def _discard_reason(game: "Game", move: Move) -> str:
    seat = _Seat(game)
    card = move.card
    if not seat.hand[card]:
        return f"{card_text(card)} is not in your hand"
    if seat.owed:
        return "a released joker must be laid in this turn before you discard"
    if seat.half_open:
        return _unfinished_opening(game, seat)
    if seat.state["duty"]:
        return (
            f"you took {card_text(int(seat.state['taken']))} to open with it: lay the melds first"
        )
    if card == seat.state["taken"] and not seat.state["taken_twin"]:
        return "a card taken from the discard pile may not be discarded in the same turn"
    return _DEAD_END["barred"] if seat.barred else _DEAD_END["discard"]


def _unfinished_opening(game: "Game", seat: _Seat) -> str:
    laid = int(seat.state["points"])
    if game.rules.contracts:
        return "the contract is not complete: until it is, only its melds can be laid"
    if laid < game.rules.opening_points:
        return (
            f"the new melds are worth {laid} of the {game.rules.opening_points} points to open: until "
            "the sum is reached only further melds can be laid"
        )
    taken = card_text(int(seat.state["taken"]))
    return (
        f"the taken {taken} must be inside the melds you open with: only further melds can be laid"
    )


def _meld_reason(game: "Game", move: Move) -> str:
    seat, meld = _Seat(game), move.meld
    assert meld is not None
    problem = notation.meld_problem(meld, game.rules)
    if problem is not None:
        return problem
    lacking = seat.holds([L.JOKER if c.joker else c.card for c in meld.cards])
    if lacking is not None:
        what = "joker" if lacking == L.JOKER else card_text(lacking)
        held = int(seat.hand[lacking])
        if held:
            return f"you hold only {held} {what}{'s' if held > 1 else ''}"
        return f"{'a ' if lacking == L.JOKER else ''}{what} is not in your hand"
    if not seat.is_open:
        return _opening_reason(game, seat, meld)
    limit = game.rules.melds_per_turn
    if seat.state["was_open"] and limit is not None and not _fits_limit(game, seat):
        if limit == 0:
            return "after the opening turn no new meld is laid, only lay-offs and swaps"
        many = "one new meld" if limit == 1 else f"{limit} new melds"
        return f"a seat that is open lays at most {many} a turn"
    if game.rules.contracts and seat.laid:
        return "the opening lays exactly the melds of the contract, nothing beyond"
    return _dead_end(seat, meld.size)


def _fits_limit(game: "Game", seat: _Seat) -> bool:
    limit = game.rules.melds_per_turn
    return limit is None or seat.laid < limit


def _opening_reason(game: "Game", seat: _Seat, meld: notation.Meld) -> str:
    worth = notation.meld_points(meld, game.rules)
    if game.rules.contracts:
        return "with this meld your hand cannot complete the contract of this deal and keep a card to discard"
    reached = int(seat.state["points"]) + worth
    if reached < game.rules.opening_points:
        return (
            f"it brings you to {reached} of the {game.rules.opening_points} points to open, and the rest "
            "of your hand cannot complete them and keep a card to discard"
        )
    if seat.state["duty"]:
        taken = card_text(int(seat.state["taken"]))
        return (
            f"the taken {taken} must be inside the melds you open with, with a card kept to discard"
        )
    return _dead_end(seat, meld.size)


def _dead_end(seat: _Seat, cards: int) -> str:
    if seat.size - cards < 1:
        return _DEAD_END["discard"]
    if seat.owed:
        return _DEAD_END["owed"]
    if seat.barred and seat.size - cards < 2:
        return _DEAD_END["barred"]
    return _DEAD_END["discard"]


def _table_reason(game: "Game", seat: _Seat, move: Move, what: str) -> str | None:
    """The reasons that lay-offs and swaps share; None if none of them applies."""
    if not seat.is_open:
        if seat.half_open:
            return _unfinished_opening(game, seat)
        return f"before you are open you may not {what}"
    n = int(seat.state["n_melds"])
    if not 1 <= (move.target or 0) <= n:
        return f"there is no meld @{move.target} on the table" + (f" (1 to {n})" if n else "")
    lacking = seat.holds([L.JOKER if c.joker else c.card for c in move.cards])
    if lacking is not None:
        return f"{'the joker' if lacking == L.JOKER else card_text(lacking)} is not in your hand"
    return None


def _add_reason(game: "Game", move: Move) -> str:
    seat = _Seat(game)
    shared = _table_reason(game, seat, move, "lay off")
    if shared is not None:
        return shared
    m = (move.target or 0) - 1
    state, card = seat.state, move.cards[0]
    if state["melds"]["kind"][m] == L.SET:
        if not card.joker and card.card % 13 != state["melds"]["key"][m]:
            return "a set is of one rank"
        if state["melds"]["high"][m] >= min(4, game.rules.suits):
            return "the set is full"
        if not card.joker and state["melds"]["low"][m] >> (card.card // 13) & 1:
            return "a set never holds one suit twice"
    else:
        from kalooki_env.moves import run_places

        if card.card // 13 != state["melds"]["key"][m]:
            return "a run is of one suit"
        if not run_places(game, move, m):
            return "only the next card at either end of the run fits"
    if _limit_reached(game, seat, move, m):
        return f"at most {game.rules.layoff_limit} cards may be laid off there in one turn"
    return _dead_end(seat, 1)


def _limit_reached(game: "Game", seat: _Seat, move: Move, m: int) -> bool:
    limit, state = game.rules.layoff_limit, seat.state
    if limit is None:
        return False
    low, high = int(state["melds"]["added_low"][m]), int(state["melds"]["added_high"][m])
    if game.rules.layoff_scope == "turn":
        return int(state["layoffs"]) >= limit
    if game.rules.layoff_scope == "meld":
        return low + high >= limit
    if state["melds"]["kind"][m] == L.SET:
        return False
    from kalooki_env.moves import run_places

    return (low if run_places(game, move, m)[0] < int(state["melds"]["low"][m]) else high) >= limit


def _swap_reason(game: "Game", move: Move) -> str:
    seat = _Seat(game)
    shared = _table_reason(game, seat, move, "swap")
    if shared is not None:
        return shared
    m = (move.target or 0) - 1
    state = seat.state
    if not state["melds"]["jokers"][m]:
        return "there is no joker in that meld"
    if state["melds"]["kind"][m] == L.RUN:
        action = None
        if len(move.cards) == 1 and move.cards[0].card // 13 == state["melds"]["key"][m]:
            from kalooki_env.moves import run_places

            action = run_places(game, move, m)
        return (
            _DEAD_END["swap"]
            if action
            else "only the exact card that a joker of the run stands for replaces it"
        )
    if len(move.cards) != 2:
        return "a joker leaves a set only for two cards of the missing suits together"
    if state["melds"]["high"][m] >= 4:
        return "a set of four is closed: its jokers never leave"
    suits = [c.card // 13 for c in move.cards]
    in_set = [s for s in suits if state["melds"]["low"][m] >> s & 1]
    if (
        any(c.card % 13 != state["melds"]["key"][m] for c in move.cards)
        or suits[0] == suits[1]
        or in_set
    ):
        return "the two cards must be of the set's rank and of two suits that are missing in it"
    return _DEAD_END["swap"]
