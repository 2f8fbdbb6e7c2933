"""How long it takes to start: `python -m benchmarks.startup`.

Every figure is a fresh process. First the import alone, then each way of using the package in an
empty cache folder, where it compiles what it needs, and again with what that left in the folder.
With `--functions N` it also lists which functions cost most to compile. An empty cache costs about
a minute of CPU time for each use.
"""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kalooki_env.commands.arguments import not_negative, positive

USES = {
    "a game of Game": """
from kalooki_env import Game
game = Game(seed=0)
while not game.over:
    game.play(int(game.legal_actions()[0]))
""",
    "Batch, mask and observation": """
from kalooki_env import Batch
batch = Batch(n=64, seed=0)
observation, mask = batch.observe(), batch.mask()
for _ in range(50):
    batch.step(batch.legal()[0][:, 0], observation, mask)
""",
    "AEC environment": """
from kalooki_env import kalooki_v0
env = kalooki_v0.env()
env.reset(seed=0)
for agent in env.agent_iter():
    observation, _, ended, cut, _ = env.last()
    env.step(None if ended or cut else int(observation["action_mask"].argmax()))
""",
    "VectorEnv against greedy": """
import gymnasium
envs = gymnasium.make_vec("kalooki_env:Kalooki-v0", num_envs=8, opponents="greedy")
observation, _ = envs.reset(seed=0)
for _ in range(50):
    observation, *_ = envs.step(observation["action_mask"].argmax(axis=1))
""",
}
"""Programs of a few lines, by what they do."""

BAR_IMPORT, BAR_COMPILE, BAR_LATER = 0.6, 45.0, 2.0
"""Seconds: the import (wall), compilation for one use (CPU), a later start (wall)."""


@dataclass(frozen=True)
class Run:
    """What a process took, in seconds."""

    wall: float
    cpu: float
    output: str

    @classmethod
    def of(cls, *arguments: str, cache: Path | None = None) -> "Run":
        """Run Python with some arguments, its compiled code kept in `cache`.

        Raises:
            subprocess.CalledProcessError: the process failed.
        """
        extra = {} if cache is None else {"KALOOKI_CACHE_DIR": str(cache)}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, **extra},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        )
        wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return cls(wall, cpu, done.stdout)


def imported(repeats: int) -> Run:
    """Return the median import in processes that do nothing else."""
    runs = [Run.of("-c", "import kalooki_env") for _ in range(repeats + 1)][1:]
    return Run(
        statistics.median(run.wall for run in runs), statistics.median(run.cpu for run in runs), ""
    )


def heaviest_imports(count: int) -> list[tuple[str, float]]:
    """Return the modules whose import takes longest, those they import included, in seconds."""
    lines = Run.of("-X", "importtime", "-c", "import kalooki_env").output.splitlines()
    found = (re.match(r"import time: +\d+ \| +(\d+) \| +(\S+)", line) for line in lines)
    times = [(match[2], int(match[1]) / 1e6) for match in found if match]
    return sorted(times, key=lambda item: -item[1])[:count]


def note(text: str = "") -> None:
    """Say in a terminal what is going on; nothing wipes it."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def show_uses(uses: Mapping[str, str], repeats: int) -> bool:
    """Print what each use takes in an empty cache folder and afterwards; tell if bars are met."""
    print(
        f"\n{'':<28} {'first: CPU s':>14} {'wall s':>8} {'later: CPU s':>14} {'wall s':>8} {'MB':>6}"
    )
    good = True
    for name, code in uses.items():
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder)
            note(f"{name}, in an empty cache: about a minute ...")
            first = Run.of("-c", code, cache=cache)
            later = [Run.of("-c", code, cache=cache) for _ in range(repeats)]
            cpu = statistics.median(run.cpu for run in later)
            wall = statistics.median(run.wall for run in later)
            megabytes = size_of(cache) / 1e6
        note()
        print(
            f"{name:<28} {first.cpu:>14.1f} {first.wall:>8.1f} {cpu:>14.2f} {wall:>8.2f} "
            f"{megabytes:>6.1f}",
            flush=True,
        )
        good = good and first.cpu - cpu < BAR_COMPILE and cpu < BAR_LATER
    return good


def show_functions(name: str, code: str, count: int) -> None:
    """Print the functions that cost most to compile for one use."""
    with tempfile.TemporaryDirectory() as folder:
        note(f"{name}, function by function: about a minute ...")
        run = Run.of("-m", "benchmarks.compiling", code, cache=Path(folder))
        note()
    found = json.loads(run.output.splitlines()[-1])
    functions = found["functions"]
    compiled = sum(function["signatures"] for function in functions)
    print(
        f"\ncompiled for {name}: {len(functions)} functions, {compiled} signatures, "
        f"{found['total']:.1f} CPU s; callees are not counted with a function"
    )
    for function in functions[:count]:
        print(f"{function['seconds']:>8.2f} s  x{function['signatures']}  {function['name']}")


def main(words: list[str] | None = None) -> int:
    """Measure and print; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.startup", description="Measure how long it takes to start."
    )
    parser.add_argument("--repeats", type=positive, default=5, metavar="N")
    parser.add_argument("--only", default="", metavar="TEXT", help="the uses whose name holds TEXT")
    parser.add_argument(
        "--functions", type=not_negative, default=0, metavar="N", help="list so many functions"
    )
    args = parser.parse_args(words)
    uses = {name: code for name, code in USES.items() if args.only.casefold() in name.casefold()}
    alone = imported(args.repeats)
    print(f"import kalooki_env: {alone.wall:.2f} s wall, {alone.cpu:.2f} s CPU")
    for name, seconds in heaviest_imports(8):
        print(f"{seconds:>8.3f} s  {name}")
    good = show_uses(uses, args.repeats)
    if args.functions:
        for name, code in uses.items():
            show_functions(name, code, args.functions)
    print(
        f"\nbars: import {BAR_IMPORT} s, compilation for one use {BAR_COMPILE:.0f} CPU s, later "
        f"start {BAR_LATER:.0f} s (CPU time, for the machine may be busy)"
    )
    return int(not (good and alone.cpu < BAR_IMPORT))


if __name__ == "__main__":
    sys.exit(main())
