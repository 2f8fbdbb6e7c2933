"""How fast this machine plays: a row for each way of using the package.

Every row plays British deals for two seats, uniformly at random. A decision is one action, asked
questions included. Rows marked, forced moves inside count only decisions with a choice; the
engine plays the others unseen.
"""

import contextlib
import csv
import io
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from kalooki_env import kalooki_v0
from kalooki_env.batch import Batch
from kalooki_env.commands.train import NEEDED
from kalooki_env.engine.apply import apply
from kalooki_env.engine.batch import next_single_deal, start_match
from kalooki_env.engine.jit import i64, jit
from kalooki_env.engine.layout import GAME, records, scratch_space
from kalooki_env.engine.legal import list_legal
from kalooki_env.engine.rng import mix
from kalooki_env.engine.tables import point_runs
from kalooki_env.game import Game
from kalooki_env.rules import TURN_CAP, Rules

SECONDS = 1.0
"""Least time of one repeat."""
N = 1024
"""Games in a batch."""


@dataclass(frozen=True)
class Row:
    """One measurement: the median of the repeats, and the slowest and the fastest of them."""

    name: str
    unit: str
    per_second: float
    repeats: int
    spread: tuple[float, float]

    def as_dict(self) -> dict[str, object]:
        """Return the row as plain data for JSON."""
        return {**asdict(self), "spread": list(self.spread)}


def run(repeats: int = 3, seconds: float = SECONDS) -> Iterator[Row]:
    """Measure row after row; each is warmed up (and compiled) before it is timed.

    Args:
        repeats: times each row is measured.
        seconds: least time of one repeat.
    """
    for name, make in (
        ("engine, compiled loop, legal list", _engine),
        (f"Batch({N}), legal list, forced moves inside", _batch_list),
        (f"Batch({N}), mask and observation, forced moves inside", _batch_full),
        ("Game, legal_actions and play", _game),
        ("PettingZoo AEC, raw_env", _aec),
    ):
        step = make()
        step()
        yield _row(name, [_rate(step, seconds) for _ in range(repeats)])
    rates = _training(repeats)
    if rates:
        yield _row("PPO self-play, 1 process, forced moves inside", rates)


def _row(name: str, rates: list[float]) -> Row:
    return Row(name, "decisions", statistics.median(rates), len(rates), (min(rates), max(rates)))


def _rate(step: Callable[[], int], seconds: float) -> float:
    """Call `step`, which returns the decisions it made, for some time; return their rate."""
    made = 0
    start = time.perf_counter()
    while True:
        made += step()
        passed = time.perf_counter() - start
        if passed >= seconds:
            return made / passed


@jit
def _play(games, i, rules, runs, work, scratch, steps, number):
    """Play random decisions in game `i`, dealing anew after a deal; return the next number."""
    for _ in range(steps):
        count = list_legal(games, i, rules, runs, work, scratch)
        number = mix(number + np.uint64(1))
        action = work[0].ids[i64(number % np.uint64(count))]
        apply(games, i, rules, runs, work, scratch, i64(action))
        if games[i].deal_over == 1:
            next_single_deal(games, i, rules, i64(games[i].seats))
    return number


def _engine() -> Callable[[], int]:
    record = Rules.preset("british", turn_cap=TURN_CAP).record()
    games, (work, scratch) = records(1, GAME), scratch_space()
    runs = point_runs(record)
    start_match(games, 0, record, 2, np.uint64(1), 0, 0)
    number = np.uint64(1)

    def step() -> int:
        nonlocal number
        number = np.uint64(_play(games, 0, record, runs, work, scratch, 10_000, number))
        return 10_000

    return step


def _batch_list() -> Callable[[], int]:
    batch, rng = Batch("british", seats=2, n=N, seed=0), np.random.default_rng(0)
    rows = np.arange(N)

    def step() -> int:
        ids, counts = batch.legal()
        batch.step(ids[rows, (rng.random(N) * counts).astype(np.int64)])
        return N

    return step


def _batch_full() -> Callable[[], int]:
    batch, rng = Batch("british", seats=2, n=N, seed=0), np.random.default_rng(0)
    rows = np.arange(N)
    observation, mask = batch.observe(), batch.mask()

    def step() -> int:
        ids, counts = batch.legal()
        batch.step(ids[rows, (rng.random(N) * counts).astype(np.int64)], observation, mask)
        return N

    return step


def _game() -> Callable[[], int]:
    rng = np.random.default_rng(0)
    rules = Rules.preset("british", turn_cap=TURN_CAP)
    game = Game(rules, seats=2, seed=0)

    def step() -> int:
        nonlocal game
        for _ in range(200):
            if game.over:
                game = Game(rules, seats=2, seed=int(rng.integers(2**32)))
            ids = game.legal_actions()
            game.play(int(ids[int(rng.random() * len(ids))]))
        return 200

    return step


def _aec() -> Callable[[], int]:
    env, rng = kalooki_v0.raw_env(seats=2), np.random.default_rng(0)
    env.reset(seed=0)

    def step() -> int:
        made = 0
        while made < 200:
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.reset()
                continue
            ids = np.flatnonzero(observation["action_mask"])
            env.step(int(ids[int(rng.random() * len(ids))]))
            made += 1
        return made

    return step


def _training(repeats: int) -> list[float]:
    """Train a little with the default network; return no rates where training is not installed."""
    with tempfile.TemporaryDirectory() as folder:
        config, out = Path(folder) / "bench.toml", Path(folder) / "run"
        config.write_text("workers = 1\ndecisions = 1_000_000\neval_minutes = 0.0\n")
        silence = io.StringIO()
        try:
            from training import ppo

            with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
                ppo.train(config, out=out, iterations=repeats + 1)
        except ImportError as error:
            if error.name not in NEEDED:
                raise
            return []
        with open(out / "metrics.csv", newline="") as file:
            rates = [float(row["charts/SPS"]) for row in csv.DictReader(file)]
    return rates[1:]
