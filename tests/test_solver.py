"""The solver against a search that tries everything: every card is left, or in each meld it fits."""

from functools import cache

import numpy as np
import pytest

from kalooki_env.engine.hands import see_hand
from kalooki_env.engine.layout import CARDS, JOKER, scratch_space
from kalooki_env.engine.opening import ANY_CARD
from kalooki_env.engine.run_table import run_table
from kalooki_env.engine.solver import best_melds

VALUES = {
    "points": (11, 1, None),
    "ace high and low": (15, 15, None),
    "penalties": (11, 11, 15),
    "dear jokers": (1, 1, 100),
    "worthless jokers": (11, 11, 0),
}
"""Ace high, ace low, and the joker where it has a value of its own."""


def vectors(high: int, low: int, joker: int | None) -> tuple[np.ndarray, ...]:
    """Return the values by position and by rank: natural and joker in runs, then in sets."""
    by_place = np.array([0, low, *(min(place, 10) for place in range(2, 14)), high])
    by_rank = np.array([high, *(min(rank + 1, 10) for rank in range(1, 13))])
    if joker is None:
        return by_place, by_place, by_rank, by_rank
    return by_place, np.full(15, joker), by_rank, np.full(13, joker)


def best_of_all(hand: np.ndarray, jokers: int, values: tuple, max_set: int, lowest: int) -> int:
    """Return the best total of disjoint melds, each with a natural card."""
    in_run, joker_in_run, in_set, joker_in_set = values

    @cache
    def best(cards: tuple[int, ...], jokers: int) -> int:
        if not cards:
            return 0
        card, rest = cards[0], cards[1:]
        suit, rank = divmod(card, 13)
        found = best(rest, jokers)
        others = sorted({c for c in rest if c % 13 == rank and c // 13 != suit})
        for chosen in range(1 << len(others)):
            with_it = [c for k, c in enumerate(others) if chosen >> k & 1]
            for used in range(jokers + 1):
                if 3 <= 1 + len(with_it) + used <= max_set:
                    worth = (1 + len(with_it)) * in_set[rank] + used * joker_in_set[rank]
                    found = max(found, worth + best(without(rest, with_it), jokers - used))
        for place in (1, 14) if rank == 0 else (rank + 1,):
            for low in range(max(lowest, place - 12), place + 1):
                found = max(found, run(rest, jokers, suit, place, low, low, 0, ()))
        return found

    def run(rest, jokers, suit, place, low, at, worth, taken) -> int:
        """Go on with a run from `low`, which holds the card at `place`, at position `at`."""
        found = -1
        if at > place and at - low >= 3:
            found = worth + best(without(rest, taken), jokers)
        if at > 14 or at - low >= 13:
            return found
        if at == place:
            return max(
                found, run(rest, jokers, suit, place, low, at + 1, worth + in_run[at], taken)
            )
        card = suit * 13 + (at - 1) % 13
        if rest.count(card) > taken.count(card):
            more = run(rest, jokers, suit, place, low, at + 1, worth + in_run[at], (*taken, card))
            found = max(found, more)
        if jokers:
            with_joker = worth + joker_in_run[at]
            more = run(rest, jokers - 1, suit, place, low, at + 1, with_joker, taken)
            found = max(found, more)
        return found

    def without(cards, taken) -> tuple[int, ...]:
        left = list(cards)
        for card in taken:
            left.remove(card)
        return tuple(left)

    return int(best(tuple(np.repeat(np.arange(JOKER), hand[:JOKER]).tolist()), jokers))


def alike_hand(rng: np.random.Generator) -> np.ndarray:
    """Return int8[53]: a hand of few ranks, some of its suits alike, often eight cards of a rank."""
    hand = np.zeros(CARDS, np.int8)
    ranks = rng.choice(13, rng.integers(1, 4), replace=False)
    if rng.random() < 0.5:
        ranks = (rng.integers(13) + np.arange(3)) % 13
    for suit in range(rng.integers(2, 5)):
        for rank in ranks:
            if hand.sum() < 9:
                hand[suit * 13 + rank] = 1 + (rng.random() < 0.6)
    hand[rng.integers(JOKER)] = 1
    return hand


@pytest.mark.parametrize("name", list(VALUES))
@pytest.mark.parametrize("lowest", [1, 2])
def test_the_best_melds_are_the_best_of_all(name, lowest):
    rng = np.random.default_rng([lowest, len(name)])
    values = vectors(*VALUES[name])
    in_run, joker_in_run, in_set, joker_in_set = values
    runs = run_table(in_run, joker_in_run, lowest, jokers=4)
    points, jokers_worth = in_set.astype(np.int32), joker_in_set.astype(np.int32)
    work = scratch_space()[0]
    for _ in range(25):
        hand, jokers, max_set = alike_hand(rng), int(rng.integers(5)), int(rng.integers(3, 5))
        held, twice = see_hand(hand)
        expected = best_of_all(hand, jokers, values, max_set, lowest)

        def solve(need, held=held, twice=twice, jokers=jokers, most=max_set) -> int:
            return best_melds(
                held, twice, jokers, need, 0, runs, points, jokers_worth, most, work[0]
            )

        assert solve(0) == expected, (hand.nonzero(), jokers, max_set)
        assert solve(expected) >= expected
        assert solve(expected + 1) <= expected


def best_that_leaves(hand: np.ndarray, jokers: int, keepers: int, *table: object) -> int:
    """Return the best total of disjoint melds that leave one of `keepers`; -1 without any."""
    found = best_of_all(hand, jokers - 1, *table) if jokers and keepers >> JOKER & 1 else -1
    for card in np.flatnonzero(hand[:JOKER]):
        if keepers >> int(card) & 1:
            hand[card] -= 1
            found = max(found, best_of_all(hand, jokers, *table))
            hand[card] += 1
    return found


@pytest.mark.parametrize("lowest", [1, 2])
def test_melds_that_must_leave_a_card_are_found_where_there_are_any(lowest):
    rng = np.random.default_rng(lowest)
    values = vectors(*VALUES["points"])
    in_run, joker_in_run, in_set, _ = values
    runs = run_table(in_run, joker_in_run, lowest, jokers=4)
    points, work = in_set.astype(np.int32), scratch_space()[0]
    apart = 0
    for _ in range(100):
        hand, jokers, max_set = alike_hand(rng), int(rng.integers(3)), int(rng.integers(3, 5))
        held, twice = see_hand(hand)
        keepers = 1 << int(rng.choice([*np.flatnonzero(hand), JOKER]))
        if rng.random() < 0.7:
            keepers ^= ANY_CARD

        def solve(need, hand=(held, twice, jokers), keepers=keepers, most=max_set) -> int:
            return best_melds(*hand, need, keepers, runs, points, points, most, work[0])

        expected = best_that_leaves(hand, jokers, keepers, values, max_set, lowest)
        if expected > 0:
            assert solve(expected) >= expected, (hand.nonzero(), jokers, max_set, keepers)
        more = max(expected + 1, 1)
        assert solve(more) < more, (hand.nonzero(), jokers, max_set, keepers)
        apart += 0 < expected < best_of_all(hand, jokers, values, max_set, lowest)
    assert apart >= 8  # the card that is left costs points
