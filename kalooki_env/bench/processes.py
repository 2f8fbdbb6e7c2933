"""Two processes against one: each plays a batch of its own, and they share nothing but the machine."""

import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.synchronize import Barrier

from kalooki_env.bench.batches import batch_work
from kalooki_env.bench.rows import DECISIONS, Part, Row, summary

GAMES = 1024
_ONE, _TWO, _WALL = (
    "1 process, Batch(1024), mask and observation",
    "2 processes, the same: each of them",
    "2 processes / 1, wall time",
)


def play(
    barrier: Barrier, number: int, seconds: float, rules: str, seats: int
) -> tuple[float, float]:
    """Play in one of several processes for some wall time, once all are ready.

    Returns:
        decisions per CPU second and per wall second.
    """
    work = batch_work(GAMES, rules, seats, seed=number)
    work()
    barrier.wait()
    made, cpu, wall = 0, time.process_time(), time.perf_counter()
    while time.perf_counter() - wall < seconds:
        made += work()[0]
    return made / (time.process_time() - cpu), made / (time.perf_counter() - wall)


def rates(
    count: int, seconds: float, rules: str = "british", seats: int = 2
) -> list[tuple[float, float]]:
    """Play in `count` processes at once; return what `play` returned in each."""
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager, context.Pool(count) as pool:
        barrier = manager.Barrier(count)
        jobs = [(barrier, number, seconds, rules, seats) for number in range(count)]
        return pool.starmap(play, jobs, chunksize=1)


def _rows(repeats: int, seconds: float) -> Iterator[Row]:
    alone, each, walls = [], [], []
    for _ in range(repeats):
        [(cpu, wall)] = rates(1, 2 * seconds)
        together = rates(2, 2 * seconds)
        alone.append(cpu)
        each.extend(rate for rate, _ in together)
        walls.append(sum(rate for _, rate in together) / wall)
    yield summary(_ONE, DECISIONS, alone)
    yield summary(_TWO, DECISIONS, each)
    yield summary(_WALL, "ratio", walls)


def parts() -> Iterator[Part]:
    """Yield what is measured here."""
    yield Part((_ONE, _TWO, _WALL), _rows)
