"""Cost curves: `python -m benchmarks.curves` writes docs/speed.md and docs/speed.svg.

Decisions per CPU second of a `Batch` in random play, mask and observation filled by `step`, against
the seats, the preset, the size of the batch and the number of processes; and memory per game. The
plot needs matplotlib: pip install -e ".[plot]".
"""

import argparse
import platform
import statistics
import sys
import tracemalloc
from dataclasses import dataclass, field
from pathlib import Path

import numba
import numpy as np

from kalooki_env import actions, observation
from kalooki_env.batch import Batch
from kalooki_env.bench import processes
from kalooki_env.bench.batches import batch_work
from kalooki_env.bench.engine import decisions_of
from kalooki_env.bench.rows import REPEATS, Work, rate
from kalooki_env.commands.arguments import positive
from kalooki_env.commands.progress import Progress
from kalooki_env.engine.layout import GAME
from kalooki_env.rules import PRESETS, Rules

DOCS = Path(__file__).resolve().parents[1] / "docs"
SIZES = tuple(4**k for k in range(8))
BY_SEATS = ("british", "north_american")
"""Presets measured at every number of seats: the default one, and one for six."""
GAMES = 1024


@dataclass
class Curves:
    """What was measured; rates are decisions per CPU second."""

    seats: dict[str, dict[int, float]] = field(default_factory=dict)
    presets: dict[str, float] = field(default_factory=dict)
    sizes: dict[int, float] = field(default_factory=dict)
    each: dict[int, float] = field(default_factory=dict)
    """By number of processes: the rate of each of them."""
    together: dict[int, float] = field(default_factory=dict)
    """By number of processes: decisions per wall second of all of them."""
    memory: dict[str, float] = field(default_factory=dict)
    """Bytes per game."""


Point = tuple[int, str, int]
"""Games in the batch, preset, seats."""


def points() -> list[Point]:
    """Return the points of all curves, each once."""
    found = [(GAMES, name, 2) for name in PRESETS]
    for name in BY_SEATS:
        rules = Rules.preset(name)
        found += [(GAMES, name, seats) for seats in range(rules.min_seats, rules.max_seats + 1)]
    found += [(n, "british", 2) for n in SIZES]
    return list(dict.fromkeys(found))


def take(repeats: int, seconds: float) -> Curves:
    """Measure everything, with a line of progress.

    All points are measured in turns, so that a moment at which the machine is slow is spread over
    the curves and does not bend them.
    """
    rates: dict[Point, list[float]] = {point: [] for point in points()}
    works: dict[Point, Work] = {}
    found = Curves(memory=memory())
    steps = (repeats + 1) * (len(rates) + 1)
    progress = Progress("curves", "measurements")
    for turn in range(repeats + 1):
        for k, point in enumerate(rates):
            progress(turn * (len(rates) + 1) + k, steps)
            if turn == 0:
                works[point] = decisions_of(batch_work(*point))
                works[point]()
            else:
                rates[point].append(rate(works[point], seconds))
    _processes(found, repeats, 2 * seconds)
    progress.close()
    median = {point: statistics.median(values) for point, values in rates.items()}
    found.presets = {name: median[GAMES, name, 2] for name in PRESETS}
    found.sizes = {n: median[n, "british", 2] for n in SIZES}
    for name in BY_SEATS:
        found.seats[name] = {
            seats: value
            for (n, rules, seats), value in median.items()
            if (n, rules) == (GAMES, name)
        }
    return found


def _processes(found: Curves, repeats: int, seconds: float) -> None:
    """Measure one process and two, in turns."""
    taken: dict[int, list[list[tuple[float, float]]]] = {1: [], 2: []}
    for _ in range(repeats):
        for count, runs in taken.items():
            runs.append(processes.rates(count, seconds))
    for count, runs in taken.items():
        found.each[count] = statistics.median(cpu for run in runs for cpu, _ in run)
        found.together[count] = statistics.median(sum(wall for _, wall in run) for run in runs)


def memory() -> dict[str, float]:
    """Measure the bytes that a game takes, by what holds them."""
    Batch("british", n=1)  # what is loaded once belongs to no game
    sizes = []
    for n in (GAMES, 2 * GAMES):
        tracemalloc.start()
        batch = Batch("british", n=n)
        sizes.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        del batch
    return {
        "the record of a game": GAME.itemsize,
        "all that a `Batch` holds, the record included": (sizes[1] - sizes[0]) / GAMES,
        "the caller's mask and observation": actions.N + observation.SIZE,
    }


def page(curves: Curves) -> str:
    """Write docs/speed.md."""
    return "\n".join(
        [
            "# Cost curves",
            "",
            "Written by `python -m benchmarks.curves`. Decisions per CPU second of one process:",
            f"`Batch` of {GAMES:,} games, uniformly random play, every seat and every forced move",
            "counted, mask and uint8 observation filled by `step`; `british` for two unless a table",
            "says otherwise.",
            "",
            "![Decisions per CPU second against seats, preset, size and processes](speed.svg)",
            "",
            *(
                line
                for name in curves.seats
                for line in _table(f"seats, `{name}`", curves.seats[name])
            ),
            *_table("preset", curves.presets),
            *_table("games in the batch", curves.sizes),
            "| processes | each, per CPU second | together, per wall second |",
            "|---|---|---|",
            *(
                f"| {count} | {curves.each[count]:,.0f} | {curves.together[count]:,.0f} |"
                for count in curves.each
            ),
            "",
            "| memory | bytes per game |",
            "|---|---|",
            *(f"| {what} | {size:,.0f} |" for what, size in curves.memory.items()),
            "",
            f"Python {platform.python_version()}, NumPy {np.__version__}, Numba {numba.__version__}, "
            f"{platform.machine()}.",
            "",
        ]
    )


def _table(name: str, rates: dict) -> list[str]:
    rows = [
        f"| {f'`{key}`' if isinstance(key, str) else f'{key:,}'} | {rate:,.0f} |"
        for key, rate in rates.items()
    ]
    return [f"| {name} | decisions per CPU second |", "|---|---|", *rows, ""]


def main(words: list[str] | None = None) -> int:
    """Measure, write the page and draw the plot."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.curves", description="Measure and draw the cost curves."
    )
    parser.add_argument("--repeats", type=positive, default=REPEATS, metavar="N")
    parser.add_argument(
        "--seconds", type=float, default=0.5, metavar="S", help="CPU seconds of a repeat"
    )
    parser.add_argument("--out", type=Path, default=DOCS, metavar="DIR", help="default: docs/")
    args = parser.parse_args(words)
    try:
        from benchmarks.plot import draw
    except ImportError as error:
        print(f'expected matplotlib, got no {error.name}: run pip install -e ".[plot]"')
        return 2
    curves = take(args.repeats, args.seconds)
    (args.out / "speed.md").write_text(page(curves), encoding="utf-8")
    draw(curves, args.out / "speed.svg")
    print(f"wrote {args.out / 'speed.md'} and speed.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
