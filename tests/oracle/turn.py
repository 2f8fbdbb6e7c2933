"""One turn: every move the rules allow at a moment, and whether the turn can still be ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from .cards import JOKER, card_at, lowest_place, without
from .melds import Meld, full_set, hand_runs, hand_sets, missing_suits, points
from .opening import ContractSearch, Ending, PointsSearch
from .rules import Rules

Move = tuple[Any, ...]
# ("meld", Meld) | ("add", index, end, card) with end 0 low, 1 high, None for a set
# | ("swap", index, place) on a run | ("swap", index, (card, card)) on a set | ("discard", card)


class State(NamedTuple):
    """Hold what play changes within a turn."""

    hand: tuple[int, ...]
    table: tuple[Meld, ...]
    opened: bool
    owed: int


@dataclass(frozen=True)
class Conditions:
    """Hold what stays the same while a seat plays its turn."""

    rules: Rules
    ending: Ending
    was_open: bool
    taken: int | None
    duty: bool
    contract: str | None


def laydowns(table: tuple[Meld, ...]) -> int:
    """Count the lay-downs of this turn; runs that touch one another are one."""
    laid = [meld for meld in table if meld.laid]
    groups: list[list[Meld]] = []
    for meld in laid:
        joined = [group for group in groups if any(_touch(meld, other) for other in group)]
        merged = [meld] + [other for group in joined for other in group]
        groups = [group for group in groups if group not in joined] + [merged]
    return len(groups)


def _touch(one: Meld, two: Meld) -> bool:
    """Tell whether two runs of a suit, as they were laid, stand one directly above the other."""
    if one.kind != "run" or two.kind != "run" or one.suit != two.suit:
        return False
    (low, high), (low2, high2) = one.as_laid, two.as_laid
    return high + 1 == low2 or high2 + 1 == low


class Search:
    """Generate moves and search the rest of a turn, remembering what was found."""

    def __init__(self, conditions: Conditions) -> None:
        self.at = conditions
        self.rules = conditions.rules
        self.known: dict[tuple, bool] = {}
        args = (conditions.rules, conditions.ending, conditions.taken)
        self.by_points, self.by_contract = PointsSearch(*args), ContractSearch(*args)

    # -- moves that the rules allow at once, whatever follows ----------------------------------

    def moves(self, state: State) -> Iterator[Move]:
        """Yield the melds, lay-offs and swaps that the rules allow in this state."""
        yield from self._melds(state)
        if state.opened:
            for index, meld in enumerate(state.table):
                yield from self._adds(state, index, meld)
                yield from self._swaps(state, index, meld)

    def discards(self, state: State) -> Iterator[Move]:
        """Yield the discards that end the turn in this state."""
        if state.owed or len(state.hand) < 1 + self.at.ending.keep:
            return
        if not state.opened and (self.at.duty or any(meld.laid for meld in state.table)):
            return
        for card in sorted(set(state.hand)):
            if self.at.ending.discardable(card):
                yield ("discard", card)

    def _melds(self, state: State) -> Iterator[Move]:
        if state.opened and self.at.contract is not None:
            return
        for source in (hand_sets, hand_runs):
            for meld in source(state.hand, self.rules):
                laid = meld._replace(laid=True)
                if self._may_lay(state, laid):
                    yield ("meld", laid)

    def _may_lay(self, state: State, meld: Meld) -> bool:
        """Tell whether the contract and the limit of melds allow this meld."""
        if not state.opened:
            if self.at.contract is None:
                return True
            return self._fits_contract(state, meld)
        limit = self.rules.melds_per_turn
        if limit is None or not self.at.was_open:
            return True
        return laydowns((*state.table, meld)) <= limit

    def _fits_contract(self, state: State, meld: Meld) -> bool:
        laid = [other for other in state.table if other.laid and other.kind == meld.kind]
        if meld.kind == "set":
            room = len(laid) < self.at.contract.count("3")
            return room and all(other.low != meld.low for other in laid)
        room = len(laid) < self.at.contract.count("4") and len(meld.cards) >= 4
        return room and all(other.suit != meld.suit for other in laid)

    def _adds(self, state: State, index: int, meld: Meld) -> Iterator[Move]:
        if self.rules.layoff_scope == "turn" and self._limit_reached(
            sum(other.added_low + other.added_high for other in state.table)
        ):
            return
        if self.rules.layoff_scope == "meld" and self._limit_reached(
            meld.added_low + meld.added_high
        ):
            return
        if meld.kind == "set":
            if len(meld.cards) == 3 and full_set(self.rules) > 3:
                wanted = [suit * 13 + meld.low for suit in missing_suits(meld, self.rules)]
                for card in [*wanted, JOKER]:
                    if card in state.hand:
                        yield ("add", index, None, card)
            return
        ends = ((0, meld.low - 1, meld.added_low), (1, meld.high + 1, meld.added_high))
        for end, place, count in ends:
            if not lowest_place(self.rules) <= place <= 14:
                continue
            if self.rules.layoff_scope == "end" and self._limit_reached(count):
                continue
            for card in (card_at(meld.suit, place), JOKER):
                if card in state.hand:
                    yield ("add", index, end, card)

    def _limit_reached(self, count: int) -> bool:
        return self.rules.layoff_limit is not None and count >= self.rules.layoff_limit

    def _swaps(self, state: State, index: int, meld: Meld) -> Iterator[Move]:
        if JOKER not in meld.cards:
            return
        if meld.kind == "run":
            for place, card in enumerate(meld.cards, meld.low):
                if card == JOKER and card_at(meld.suit, place) in state.hand:
                    yield ("swap", index, place)
        elif len(meld.cards) == 3 and full_set(self.rules) > 3:
            wanted = [suit * 13 + meld.low for suit in missing_suits(meld, self.rules)]
            for pair in combinations(wanted, 2):
                if pair[0] in state.hand and pair[1] in state.hand:
                    yield ("swap", index, pair)

    # -- what a move does ----------------------------------------------------------------------

    def after(self, state: State, move: Move) -> State:
        """Return the state after a meld, a lay-off or a swap."""
        if move[0] == "meld":
            return self._after_meld(state, move[1])
        _, index, *rest = move
        table = list(state.table)
        meld = table[index]
        if move[0] == "add":
            end, card = rest
            table[index] = _add(meld, end, card)
            hand = without(state.hand, [card])
            owed = max(state.owed - (card == JOKER), 0)
            return State(hand, tuple(table), state.opened, owed)
        table[index], given = _swap(meld, rest[0])
        hand = tuple(sorted((*without(state.hand, given), JOKER)))
        return State(hand, tuple(table), state.opened, state.owed + 1)

    def _after_meld(self, state: State, meld: Meld) -> State:
        hand = without(state.hand, meld.cards)
        table = (*state.table, meld)
        owed = max(state.owed - meld.cards.count(JOKER), 0)
        return State(hand, table, state.opened or self.opens(table), owed)

    def opens(self, table: tuple[Meld, ...]) -> bool:
        """Tell whether the melds of this turn make the seat open."""
        laid = [meld for meld in table if meld.laid]
        if not laid:
            return False
        if self.at.duty and not any(self.at.taken in meld.cards for meld in laid):
            return False
        if self.at.contract is not None:
            return len(laid) == len(self.at.contract)
        return sum(points(meld, self.rules) for meld in laid) >= self.rules.opening_points

    # -- can the turn still be ended? ----------------------------------------------------------

    def can_finish(self, state: State) -> bool:
        """Tell whether some sequence of moves from here ends the turn."""
        if next(self.discards(state), None) is not None:
            return True
        # No move makes the hand larger, and a joker owed has to leave it.
        if len(state.hand) - state.owed < 1 + self.at.ending.keep:
            return False
        if not state.opened:
            return self._can_open(state)
        key = (state.hand, tuple(sorted(state.table, key=_order)), state.owed)
        if key not in self.known:
            self.known[key] = self._search(state)
        return self.known[key]

    def _search(self, state: State) -> bool:
        later = []
        for move in self.moves(state):
            if not lays_joker(move):
                later.append(move)
            elif self.can_finish(self.after(state, move)):
                return True
        return any(self.can_finish(self.after(state, move)) for move in later)

    def _can_open(self, state: State) -> bool:
        laid = [meld for meld in state.table if meld.laid]
        duty = self.at.duty and not any(self.at.taken in meld.cards for meld in laid)
        if self.at.contract is not None:
            return self.by_contract.feasible(state.hand, self.at.contract, laid, duty)
        need = self.rules.opening_points - sum(points(meld, self.rules) for meld in laid)
        return self.by_points.feasible(state.hand, need, duty)


def _order(meld: Meld) -> tuple:
    return tuple(meld)


def lays_joker(move: Move) -> bool:
    """Tell whether a move lays a joker of the hand."""
    return (move[0] == "add" and move[3] == JOKER) or (move[0] == "meld" and JOKER in move[1].cards)


def _add(meld: Meld, end: int | None, card: int) -> Meld:
    """Return the meld with a card laid off on it."""
    if end is None:
        cards = tuple(sorted((*meld.cards, card)))
        return meld._replace(cards=cards, added_low=meld.added_low + 1)
    if end == 0:
        return meld._replace(
            low=meld.low - 1, cards=(card, *meld.cards), added_low=meld.added_low + 1
        )
    return meld._replace(cards=(*meld.cards, card), added_high=meld.added_high + 1)


def _swap(meld: Meld, what: int | tuple[int, int]) -> tuple[Meld, tuple[int, ...]]:
    """Return the meld after a swap and the natural cards given for it."""
    if meld.kind == "run":
        card = card_at(meld.suit, what)
        cards = list(meld.cards)
        cards[what - meld.low] = card
        return meld._replace(cards=tuple(cards)), (card,)
    cards = list(meld.cards)
    cards.remove(JOKER)
    return meld._replace(cards=tuple(sorted((*cards, *what)))), what
