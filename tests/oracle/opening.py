"""Can this hand open? An exhaustive search over melds that share no card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .cards import (
    JOKER,
    card_at,
    lowest_place,
    parse_card,
    parse_cards,
    place_value,
    places_of,
    without,
)
from .melds import Meld, full_set, hand_runs, hand_sets
from .rules import Rules, make_rules

Bundle = tuple[int, ...]


@dataclass(frozen=True)
class Ending:
    """Say what a hand must be like at the end of the turn."""

    keep: int = 0
    locked: int | None = None

    def discardable(self, card: int) -> bool:
        """Tell whether the card may be discarded (no joker owed)."""
        return card != self.locked

    def holds(self, hand: tuple[int, ...]) -> bool:
        """Tell whether a turn can end with this hand before the discard."""
        return len(hand) >= 1 + self.keep and any(self.discardable(card) for card in hand)


class PointsSearch:
    """Find out whether melds of a hand reach a sum and leave a discard.

    The search takes the lowest natural card still undecided: it is either kept, or in one of the
    melds that hold it. What was found is remembered by the cards left.
    """

    def __init__(self, rules: Rules, ending: Ending, taken: int | None) -> None:
        self.rules, self.ending, self.taken = rules, ending, taken
        self.known: dict[tuple, list[int]] = {}
        self.best_joker = max(place_value(place, rules) for place in range(1, 15))

    def feasible(self, hand: tuple[int, ...], need: int, duty: bool) -> bool:
        """Tell whether melds worth `need` can be laid, the taken card among them if `duty`."""
        return self._search(tuple(sorted(hand)), 0, False, duty, need)

    def _search(
        self, hand: tuple[int, ...], kept: int, kept_good: bool, duty: bool, need: int
    ) -> bool:
        enough, need = 1 + self.ending.keep, max(need, 0)
        if need == 0 and not duty:
            good = kept_good or any(self.ending.discardable(card) for card in hand)
            return good and kept + len(hand) >= enough
        if not hand or hand[0] == JOKER or kept + len(hand) < enough:
            return False
        if sum(self._most(card) for card in hand) < need:
            return False
        key = (hand, min(kept, enough), kept_good, duty)
        record = self.known.setdefault(key, [-1, 10**6])
        if need <= record[0]:
            return True
        if need >= record[1]:
            return False
        found = self._branch(hand, kept, kept_good, duty, need)
        if found:
            record[0] = max(record[0], need)
        else:
            record[1] = min(record[1], need)
        return found

    def _branch(
        self, hand: tuple[int, ...], kept: int, kept_good: bool, duty: bool, need: int
    ) -> bool:
        first = hand[0]
        for bundle, worth in bundles_with(first, hand, self.rules).items():
            rest = without(hand, bundle)
            still = duty and self.taken not in bundle
            if self._search(rest, kept, kept_good, still, need - worth):
                return True
        good = kept_good or self.ending.discardable(first)
        return self._search(hand[1:], kept + 1, good, duty, need)

    def _most(self, card: int) -> int:
        """Return the most points that a card can bring in any meld."""
        if card == JOKER:
            return self.best_joker
        places = [14] if card % 13 == 0 else []
        return max(place_value(place, self.rules) for place in places + places_of(card, self.rules))


def bundles_with(card: int, hand: tuple[int, ...], rules: Rules) -> dict[Bundle, int]:
    """Return the cards of every meld that has this natural card, with the most points they make."""
    best: dict[Bundle, int] = {}
    for bundle, worth in _run_bundles(card, hand, rules):
        best[bundle] = max(worth, best.get(bundle, 0))
    jokers = hand.count(JOKER)
    rank = card % 13
    value = place_value(14 if rank == 0 else rank + 1, rules)
    others = [
        suit * 13 + rank
        for suit in range(rules.suits)
        if suit != card // 13 and suit * 13 + rank in hand
    ]
    for count in range(len(others) + 1):
        for chosen in combinations(others, count):
            for extra in range(jokers + 1):
                size = 1 + count + extra
                if 3 <= size <= full_set(rules):
                    bundle = tuple(sorted((card, *chosen))) + (JOKER,) * extra
                    best[bundle] = max(size * value, best.get(bundle, 0))
    return best


def _run_bundles(card: int, hand: tuple[int, ...], rules: Rules) -> Iterator[tuple[Bundle, int]]:
    """Yield the cards and points of the runs in which the card stands for itself."""
    suit, bottom, jokers = card // 13, lowest_place(rules), hand.count(JOKER)
    held = {place for place in range(bottom, 15) if card_at(suit, place) in hand}
    for own in places_of(card, rules):
        for low in range(max(bottom, own - 12), min(own, 12) + 1):
            for high in range(max(own, low + 2), min(low + 12, 14) + 1):
                span = range(low, high + 1)
                natural = [place for place in span if place in held and place != own]
                spare = jokers - (len(span) - len(natural) - 1)
                if spare < 0:
                    continue
                worth = sum(place_value(place, rules) for place in span)
                for count in range(0, min(spare, len(natural)) + 1):
                    for gone in combinations(natural, count):
                        stay = [card_at(suit, place) for place in natural if place not in gone]
                        size = len(span) - len(stay) - 1
                        yield tuple(sorted((card, *stay))) + (JOKER,) * size, worth


class ContractSearch:
    """Find out whether a hand can lay the melds that a contract still asks for."""

    def __init__(self, rules: Rules, ending: Ending, taken: int | None) -> None:
        self.rules, self.ending, self.taken = rules, ending, taken
        self.known: dict[tuple, bool] = {}

    def feasible(self, hand: tuple[int, ...], contract: str, laid: list[Meld], duty: bool) -> bool:
        """Tell whether the rest of the contract can be laid and a discard be left."""
        ranks = frozenset(meld.low for meld in laid if meld.kind == "set")
        suits = frozenset(meld.suit for meld in laid if meld.kind == "run")
        sets = contract.count("3") - len(ranks)
        runs = contract.count("4") - len(suits)
        return self._search(tuple(sorted(hand)), sets, ranks, runs, suits, duty)

    def _search(
        self,
        hand: tuple[int, ...],
        sets: int,
        ranks: frozenset[int],
        runs: int,
        suits: frozenset[int],
        duty: bool,
    ) -> bool:
        if len(hand) < 3 * sets + 4 * runs + 1 + self.ending.keep:
            return False
        if sets == 0 and runs == 0:
            return not duty and self.ending.holds(hand)
        key = (hand, sets, ranks, runs, suits, duty)
        if key not in self.known:
            self.known[key] = self._branch(*key)
        return self.known[key]

    def _branch(
        self,
        hand: tuple[int, ...],
        sets: int,
        ranks: frozenset[int],
        runs: int,
        suits: frozenset[int],
        duty: bool,
    ) -> bool:
        tried = set()
        source = hand_runs(hand, self.rules) if runs else hand_sets(hand, self.rules)
        for meld in source:
            if runs and (len(meld.cards) < 4 or meld.suit in suits):
                continue
            if not runs and meld.low in ranks:
                continue
            bundle = (meld.suit if runs else meld.low, tuple(sorted(meld.cards)))
            if bundle in tried:
                continue
            tried.add(bundle)
            still = duty and self.taken not in meld.cards
            rest = without(hand, meld.cards)
            if runs:
                found = self._search(rest, sets, ranks, runs - 1, suits | {meld.suit}, still)
            else:
                found = self._search(rest, sets - 1, ranks | {meld.low}, runs, suits, still)
            if found:
                return True
        return False


def opening_feasible(
    hand: str,
    rules: Any,
    *,
    laid_points: int = 0,
    taken: str = "",
    twin: bool = False,
    must_use: bool = False,
    barred: bool = False,
    contract: str | None = None,
) -> bool:
    """Tell whether the hand can open from here and end the turn.

    `taken` is the card taken this turn (it is in the hand), `twin` that an equal one was held
    before; `must_use` that it has to be in the opening melds; `contract` a text such as "334".
    """
    rules = make_rules(rules)
    card = parse_card(taken) if taken else None
    ending = Ending(1 if barred else 0, None if twin else card)
    cards = tuple(sorted(parse_cards(hand)))
    if contract is not None:
        return ContractSearch(rules, ending, card).feasible(cards, contract, [], must_use)
    need = rules.opening_points - laid_points
    if need <= 0 and not must_use:
        # Opening takes a meld also where no points are asked for.
        melds = (*hand_sets(cards, rules), *hand_runs(cards, rules))
        return any(ending.holds(without(cards, meld.cards)) for meld in melds)
    return PointsSearch(rules, ending, card).feasible(cards, need, must_use)
