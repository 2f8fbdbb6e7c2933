"""The solver by class of hand: is 40 reachable, and what are the best melds worth?"""

from collections.abc import Iterator

import numpy as np

from kalooki_env.batch import Batch
from kalooki_env.bench.rows import Part, Work, one
from kalooki_env.engine.hands import see_hand
from kalooki_env.engine.jit import entry, i64
from kalooki_env.engine.layout import CARDS, JOKER, PLAY, scratch_space
from kalooki_env.engine.solver import best_melds
from kalooki_env.engine.tables import point_runs
from kalooki_env.rules import Rules

HANDS = 4000
"""Hands of a class; a call solves a tenth of them."""
CARDS_HELD = 14
UNIT = "hands/CPU s"


@entry
def _solve(hands, first, last, need, rules, runs, work):
    """Solve `hands[first:last]` (int8[n, 53]); return the sum of their values."""
    values, largest = rules[0].set_points, i64(rules[0].max_set)
    total, none = i64(0), i64(0)
    for k in range(first, last):
        held, twice = see_hand(hands[k])
        jokers = i64(hands[k, JOKER])
        total += best_melds(held, twice, jokers, need, none, runs, values, values, largest, work[0])
    return total


def random_hands(jokers: int, n: int = HANDS, size: int = CARDS_HELD) -> np.ndarray:
    """Return int8[n, 53]: hands of `size` cards of the british pack, `jokers` of them jokers."""
    rng = np.random.default_rng(jokers)
    pack = np.repeat(np.arange(JOKER), 2)
    hands = np.zeros((n, CARDS), np.int8)
    for hand in hands:
        np.add.at(hand, rng.choice(pack, size - jokers, replace=False), 1)
    hands[:, JOKER] = jokers
    return hands


def hands_in_play(n: int = HANDS) -> np.ndarray:
    """Return int8[n, 53]: hands that random play holds when it may open."""
    batch, rng = Batch("british", n=256, seed=0, auto_play=False), np.random.default_rng(0)
    rows, found = np.arange(batch.n), []
    while sum(map(len, found)) < n:
        games, seats = batch.games, batch.to_move
        wanted = (games["phase"] == PLAY) & (games["opened"][rows, seats] == 0)
        found.append(games["hand"][rows, seats][wanted])
        ids, counts = batch.legal()
        batch.step(ids[rows, (rng.random(batch.n) * counts).astype(np.int64)])
    return np.concatenate(found)[:n]


def solver_work(hands: np.ndarray, *, best: bool) -> Work:
    """Solve hands in turn: what is the best, or only whether the opening is reached."""
    rules = Rules.preset("british")
    record, (work, _) = rules.record(), scratch_space()
    runs, first, some = point_runs(record), 0, len(hands) // 10
    need = 0 if best else rules.opening_points

    def solve() -> int:
        nonlocal first
        _solve(hands, first, first + some, need, record, runs, work)
        first = (first + some) % (10 * some)
        return some

    return solve


def parts() -> Iterator[Part]:
    """Yield what is measured here."""
    for question, best in (("are 40 reached", False), ("best melds", True)):
        for jokers in range(5):
            yield one(
                f"solver, 14 random cards, {jokers} joker{'s'[: jokers != 1]}, {question}",
                lambda jokers=jokers, best=best: solver_work(random_hands(jokers), best=best),
                UNIT,
            )
        yield one(
            f"solver, hands met in play, {question}",
            lambda best=best: solver_work(hands_in_play(), best=best),
            UNIT,
        )
