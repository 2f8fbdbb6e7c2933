"""The engine alone: compiled loops of random play, without Python between two decisions."""

from collections.abc import Callable, Iterator

import numpy as np

from kalooki_env import actions, observation
from kalooki_env.bench.rows import DECISIONS, Part, Row, Work, measure, one
from kalooki_env.engine.apply import apply
from kalooki_env.engine.batch import SHORT, step_many
from kalooki_env.engine.dealing import next_single_deal
from kalooki_env.engine.jit import entry, i64
from kalooki_env.engine.layout import GAME, NO_QUESTION, records, scratch_space
from kalooki_env.engine.legal import list_legal
from kalooki_env.engine.rng import mix
from kalooki_env.engine.single import start_match_at
from kalooki_env.engine.tables import point_runs
from kalooki_env.rules import TURN_CAP, Rules

DECISIONS_A_CALL = 8192
SPREAD_OVER = 600
"""Random actions, at most, that games side by side are played before they are measured: a deal
takes about 250, and games that were all just dealt would be measured at its beginning alone."""


@entry
def _play(games, rules, runs, work, scratch, steps, number):
    """Play `steps` random actions in the first game; return the next number and the decisions.

    A deal that ends is dealt anew. Answers to a question belong to the decision that asked.
    """
    g = games[0]
    made = i64(0)
    for _ in range(steps):
        count = list_legal(games[0], rules[0], runs, work[0], scratch)
        number = mix(number + np.uint64(1))
        made += g.question == NO_QUESTION
        action = i64(work[0].ids[i64(number % np.uint64(count))])
        apply(games[0], rules[0], runs, work[0], scratch, action)
        if g.deal_over == 1:
            next_single_deal(games[0], rules[0], i64(g.seats))
    return number, made


@entry
def _play_seen(
    games, rules, runs, work, scratch, chosen, lists, starts, done, winner, penalties, rewards,
    turns, ends, seen, mask, steps, number,
):  # fmt: skip
    """Play `steps` random actions in every game, masks and observations filled after each.

    Returns the next number, the decisions and the deals that ended.
    """
    made, deals = i64(0), i64(0)
    for _ in range(steps):
        for i in range(len(games)):
            number = mix(number + np.uint64(1))
            count = starts[i + 1] - starts[i]
            chosen[i] = lists[starts[i] + i64(number % np.uint64(count))]
            made += games[i].question == NO_QUESTION
        step_many(
            games, rules, runs, work, scratch, chosen, lists, starts, False, done, winner, penalties,
            rewards, turns, ends, seen, mask,
        )  # fmt: skip
        for i in range(len(games)):
            deals += i64(done[i])
    return number, made, deals


def tables(rules: str = "british", seats: int = 2, n: int = 1) -> tuple[np.ndarray, ...]:
    """Return what every compiled function takes first: `n` games at any moment of random play, the
    rules, the run table and the scratch arrays."""
    record = Rules.preset(rules, turn_cap=TURN_CAP).record()
    games, others = records(n, GAME), (record, point_runs(record), *scratch_space())
    for i, steps in enumerate(np.random.default_rng(0).integers(SPREAD_OVER, size=n)):
        start_match_at(games, i, record, seats, np.uint64(1 + i), 0, 0)
        _play(games[i : i + 1], *others, steps, np.uint64(1 + i))
    return games, *others


def list_work(rules: str = "british", seats: int = 2) -> Work:
    """Play one game, writing the legal list before each decision."""
    table, number = tables(rules, seats), np.uint64(1)

    def work() -> int:
        nonlocal number
        state, made = _play(*table, DECISIONS_A_CALL, number)
        number = np.uint64(state)
        return made

    return work


def seen_work(n: int, rules: str = "british", seats: int = 2) -> Callable[[], tuple[int, int]]:
    """Play `n` games side by side with mask and observation; count decisions and deals."""
    table, number = tables(rules, seats, n), np.uint64(1)
    chosen, lists, starts = (
        np.zeros(n, np.int64),
        np.zeros(n * actions.N + SHORT, np.int16),
        np.zeros(n + 1, int),
    )
    done, winner = np.zeros(n, np.bool_), np.zeros(n, np.int32)
    penalties, rewards = np.zeros((n, seats), np.int32), np.zeros((n, seats), np.float32)
    turns, ends = np.zeros(n, np.int32), np.zeros((3, n), np.bool_)
    seen, mask = np.zeros((n, observation.SIZE), np.uint8), np.zeros((n, actions.N), np.int8)
    arrays = (chosen, lists, starts, done, winner, penalties, rewards, turns, ends, seen, mask)
    step_many(*table, np.empty(0, np.int64), lists, starts, False, *arrays[3:])

    def work() -> tuple[int, int]:
        nonlocal number
        state, made, deals = _play_seen(*table, *arrays, max(DECISIONS_A_CALL // n, 1), number)
        number = np.uint64(state)
        return made, deals

    return work


def with_deals(
    name: str, play: Callable[[], tuple[int, int]], repeats: int, seconds: float
) -> Iterator[Row]:
    """Measure decisions; yield their row, and the deals that they played on an average."""
    made, deals = 0, 0

    def work() -> int:
        nonlocal made, deals
        more, ended = play()
        made, deals = made + more, deals + ended
        return more

    row = measure(name, DECISIONS, work, repeats, seconds)
    yield row
    share = deals / made
    low, high = row.spread
    yield Row(
        f"{name}: deals",
        "deals/CPU s",
        row.per_second * share,
        repeats,
        (low * share, high * share),
    )


def parts() -> Iterator[Part]:
    """Yield what is measured here."""
    yield one("engine, compiled loop, legal list alone", list_work)
    for n in (1, 1024):
        name = f"engine, compiled loop over {n} game{'s'[: n > 1]}, mask and observation"
        yield one(name, lambda n=n: decisions_of(seen_work(n)))


def decisions_of(play: Callable[[], tuple[int, int]]) -> Work:
    """Return the work of play that counts decisions and deals, without the deals."""
    return lambda: play()[0]
