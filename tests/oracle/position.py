"""A position of the game: read, written, asked for its moves, played."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from . import play as _play
from .cards import show_cards
from .ids import PLAIN, all_sequences
from .match import Books, Outcome, out_after
from .melds import Meld, cards_text
from .notation import move_text, parse_move
from .opening import Ending
from .rules import Rules, rules_mapping
from .turn import Conditions, Move, Search, State


class IllegalMove(ValueError):
    """Say that a move is not legal here."""


@dataclass(frozen=True)
class Position:
    """Hold everything the rules know of a match at one moment.

    A position is never changed; `play` returns a new one. `stock_known` is False when the
    stock was rebuilt: its order is then unknown and `stock` merely sorted (see `with_stock`).
    """

    rules: Rules
    hands: tuple[tuple[int, ...], ...]
    to_move: int
    phase: str
    opened: tuple[bool, ...]
    turn: int
    barred: tuple[bool, ...]
    table: tuple[Meld, ...]
    discards: tuple[int, ...]
    stock: tuple[int, ...]
    rebuilds: int
    deal: int
    dealer: int
    books: Books
    stock_known: bool = True
    taken: int | None = None
    taken_twin: bool = False
    was_open: bool = False
    swaps: int = 0
    owed: int = 0
    half: tuple[int, ...] = ()
    outcome: Outcome | None = field(default=None)

    # -- reading and writing -------------------------------------------------------------------

    @classmethod
    def from_mapping(cls, mapping: dict[str, Any], rules: Any = None) -> Position:
        """Read a case or a position; `rules` default to those the mapping names."""
        from .reading import read_position

        return read_position(mapping, rules)

    def to_mapping(self, *, sort_stock: bool = False) -> dict[str, Any]:
        """Write the position in a normal form: all fields, cards and sets in the fixed order.

        A stock whose order is unknown is written sorted; `sort_stock` writes any stock so.
        """
        books = self.books
        over = self.phase == "over"
        stock = sorted(self.stock) if sort_stock else self.stock
        mapping: dict[str, Any] = {
            "rules": rules_mapping(self.rules),
            "hands": [show_cards(sorted(hand)) for hand in self.hands],
            "to_move": None if over else self.to_move,
            "phase": self.phase,
            "opened": list(self.opened),
            "turn": self.turn,
            "barred": list(self.barred),
            "table": [cards_text(meld) for meld in self.table],
            "discards": show_cards(self.discards),
            "stock": show_cards(stock),
            "rebuilds": self.rebuilds,
            "totals": list(books.totals),
            "buy_ins": list(books.buy_ins),
            "eliminated": list(books.eliminated),
            "deal": self.deal,
            "dealer": self.dealer,
            "money": list(books.money),
            "half": list(self.half),
        }
        if self.phase == "play":
            mapping.update(self._turn_mapping())
        if self.phase == "buy_in":
            mapping["to_decide"] = list(books.to_decide)
        return mapping

    def _turn_mapping(self) -> dict[str, Any]:
        added: dict[int, Any] = {}
        for number, meld in enumerate(self.table, 1):
            if meld.added_low or meld.added_high:
                ends = [meld.added_low, meld.added_high]
                added[number] = ends if meld.kind == "run" else meld.added_low
        return {
            "taken": "" if self.taken is None else show_cards([self.taken]),
            "taken_twin": self.taken_twin,
            "was_open": self.was_open,
            "laid": [number for number, meld in enumerate(self.table, 1) if meld.laid],
            "added": added,
            "swaps": self.swaps,
            "owed": self.owed,
        }

    def differences(self, mapping: dict[str, Any]) -> list[str]:
        """Say in which fields another position mapping differs; both are put in normal form.

        Rules are not compared. A stock whose order is unknown is compared without order.
        """
        loose = not self.stock_known
        mine = self.to_mapping(sort_stock=loose)
        other = Position.from_mapping(mapping, self.rules).to_mapping(sort_stock=loose)
        return [
            f"{key}: oracle {mine.get(key)!r}, other {other.get(key)!r}"
            for key in {**mine, **other}
            if key != "rules" and mine.get(key) != other.get(key)
        ]

    def with_stock(self, text: str) -> Position:
        """Return the position with the stock in this order (the same cards, next one first)."""
        from .cards import parse_cards

        stock = parse_cards(text)
        if sorted(stock) != sorted(self.stock):
            raise ValueError(f"expected an order of {show_cards(self.stock)}, got {text!r}")
        return replace(self, stock=stock, stock_known=True)

    # -- what may be played --------------------------------------------------------------------

    @cached_property
    def state(self) -> State:
        """Return the part of the position that play changes within a turn."""
        return State(self.hands[self.to_move], self.table, self.opened[self.to_move], self.owed)

    def search(self, taken: int | None, twin: bool, was_open: bool) -> Search:
        """Return a search of the rest of the turn of the seat to move."""
        rules = self.rules
        first = self.turn == 1 and rules.first_turn_take
        duty = (
            taken is not None
            and not was_open
            and not first
            and rules.discard_before_opening == "to_open"
        )
        ending = Ending(1 if self.barred[self.to_move] else 0, None if twin else taken)
        contract = None if rules.contracts is None else rules.contracts[self.deal - 1]
        return Search(Conditions(rules, ending, was_open, taken, duty, contract))

    @cached_property
    def turn_search(self) -> Search:
        """Return the search for the turn as it stands."""
        return self.search(self.taken, self.taken_twin, self.was_open)

    @cached_property
    def all_legal(self) -> dict[str, Move]:
        """Return the legal moves by their texts, as if no move were half made."""
        moves: list[Move] = []
        if self.phase == "draw":
            moves = _play.draw_moves(self)
        elif self.phase == "announce":
            moves = [("announce",), ("silent",)]
        elif self.phase == "buy_in":
            moves = [("buy in",), ("drop out",)]
        elif self.phase == "play":
            search, state = self.turn_search, self.state
            moves = list(search.discards(state))
            moves += [
                move for move in search.moves(state) if search.can_finish(search.after(state, move))
            ]
        return {move_text(move, self.table, self.rules): move for move in moves}

    @cached_property
    def all_sequences(self) -> dict[str, tuple[int, ...]]:
        """Return the id sequences of all legal moves, as if no move were half made."""
        if self.phase == "play":
            return all_sequences(self.all_legal, self.state)
        return {text: (PLAIN[text],) for text in self.all_legal}

    def sequences(self) -> dict[str, tuple[int, ...]]:
        """Return text -> ids really asked for; with a half-made move only its completions."""
        depth = len(self.half)
        return {text: ids for text, ids in self.all_sequences.items() if ids[:depth] == self.half}

    def legal_moves(self) -> set[str]:
        """Return the texts of the legal moves; with a half-made move only its completions."""
        return set(self.sequences()) if self.half else set(self.all_legal)

    def legal_ids(self) -> set[int]:
        """Return the legal ids: first ids, or the answers to the question that is open."""
        depth = len(self.half)
        return {ids[depth] for ids in self.sequences().values() if len(ids) > depth}

    def canonical(self, text: str) -> str | None:
        """Return the canonical text of a move text, None where it names nothing that exists."""
        move = parse_move(text, self.table, self.rules)
        return None if move is None else move_text(move, self.table, self.rules)

    def is_legal(self, text: str) -> bool:
        """Tell whether a move text, in any order of cards, is legal; may raise NotationError."""
        canonical = self.canonical(text)
        if canonical is None or canonical not in self.all_legal:
            return False
        return not self.half or canonical in self.sequences()

    # -- playing -------------------------------------------------------------------------------

    def play(self, text: str) -> Position:
        """Return the position after a move; raise IllegalMove or NotationError."""
        if not self.is_legal(text):
            raise IllegalMove(f"not legal here: {text!r}")
        move = self.all_legal[self.canonical(text)]
        return _play.apply(replace(self, half=()), move)

    def play_id(self, number: int) -> Position:
        """Return the position after an id: a move is played, or one more question answered."""
        if number not in self.legal_ids():
            raise IllegalMove(f"not a legal id here: {number}")
        half = (*self.half, number)
        for text, ids in self.all_sequences.items():
            if ids == half:
                return self.play(text)
        return replace(self, half=half)

    def result(self) -> dict[str, Any]:
        """Return the keys of `expect` without `meld_points`, and `truncated`."""
        books, outcome = self.books, self.outcome
        zero = [0] * len(self.hands)
        ended = outcome is not None
        won = ended and outcome.winner is not None
        winners = books.match_winner
        return {
            "hands": [show_cards(sorted(hand)) for hand in self.hands],
            "table": [cards_text(meld) for meld in self.table],
            "discards": show_cards(self.discards),
            "stock_size": len(self.stock),
            "to_move": None if self.phase == "over" else self.to_move,
            "over": ended,
            "winner": outcome.winner if ended else None,
            "kalooki": ended and outcome.kalooki,
            "void": ended and outcome.void,
            "truncated": ended and outcome.truncated,
            "penalties": list(outcome.penalties) if ended else zero,
            "chips": list(outcome.chips) if ended else zero,
            "totals": list(books.totals),
            "eliminated": list(out_after(self.rules, books) if won else books.eliminated),
            "pool": books.pool,
            "match_winner": list(winners) if isinstance(winners, tuple) else winners,
        }
