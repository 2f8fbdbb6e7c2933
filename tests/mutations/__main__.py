"""Make every mutation and show what notices it: `python -m tests.mutations`.

Each is made in a copy of the sources, where the engine runs interpreted. Prints a table of what
noticed it; the exit code is 1 if one survives. Half an hour on one core for all of them.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kalooki_env.commands.progress import clock

from .listed import PACKAGE, Mutation, StaleMutation, apply, load

ROOT = Path(__file__).parents[2]
MOST_NAMED = 6
"""Cases named in the table of those that notice a mutation."""
NOTICING = ("cases", "oracle", "batch")
"""What can notice a mutation: case files, the oracle, games of a batch looked at alone."""
LONGEST = 3600
"""Seconds after which a tree counts as one that does not run."""


class DoesNotRun(Exception):
    """A tree whose trial ended in an error: neither noticed nor survived."""


@dataclass(frozen=True)
class Row:
    """What came of one mutation."""

    mutation: Mutation
    by: str
    where: tuple[str, ...]
    problem: str
    seconds: float

    @property
    def noticed(self) -> bool:
        """Whether anything noticed it."""
        return self.by in NOTICING

    @property
    def story(self) -> str:
        """What noticed it, in a few words."""
        if not self.noticed:
            return f"NOTHING{': ' if self.problem else ''}{self.problem[-200:]}"
        more = len(self.where) - MOST_NAMED
        named = " ".join(self.where[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
        return named if self.by == "cases" else f"{self.by}, {named}"

    def as_plain(self) -> dict[str, Any]:
        """Return the row as plain data."""
        return {
            "name": self.mutation.name,
            "says": self.mutation.says,
            "where": self.mutation.where,
            "by": self.by,
            "noticed": list(self.where),
            "problem": self.problem,
            "seconds": round(self.seconds, 1),
        }


def copy_sources(source: Path, target: Path) -> None:
    """Copy the package and the tests."""
    for name in (PACKAGE, "tests"):
        unwanted = shutil.ignore_patterns("__pycache__", "golden")
        shutil.copytree(source / name, target / name, ignore=unwanted)


def run_trial(tree: Path, *words: str, cache: Path | None = None) -> dict[str, Any]:
    """Run the trial of a tree in a process of its own, interpreted; return what it found."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(tree)}
    if cache is not None:
        environment["KALOOKI_CACHE_DIR"] = str(cache)
    command = [sys.executable, "-m", "tests.mutations.trial", *words]
    done = subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, timeout=LONGEST
    )
    if done.returncode:
        raise DoesNotRun(done.stderr.strip()[-500:] or f"exit code {done.returncode}")
    return json.loads(done.stdout.splitlines()[-1])


def try_mutation(mutation: Mutation, base: Path, honest: Mapping[str, Any]) -> Row:
    """Make a mutation in a copy of the base and run its trial; `honest` is that of the base."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutation-") as name:
        tree = Path(name) / "tree"
        copy_sources(base, tree)
        apply(mutation, tree)
        words = ["--parts", json.dumps(mutation.oracle), "--costs", json.dumps(honest["costs"])]
        if not mutation.builds_tables:
            words += ["--tables", honest["tables"]]
        try:
            found = run_trial(tree, *words, cache=Path(name) / "cache")
        except (DoesNotRun, subprocess.TimeoutExpired) as error:
            found = {"by": "error", "where": [], "problem": f"it does not run: {error}"}
    seconds = time.monotonic() - begun
    return Row(mutation, found["by"], tuple(found["where"]), found["problem"], seconds)


def try_all(mutations: list[Mutation], processes: int) -> Iterator[Row]:
    """Try the sources as they are, which nothing may notice, then every mutation of them."""
    with tempfile.TemporaryDirectory(prefix="mutations-") as name:
        base = Path(name)
        copy_sources(ROOT, base)
        honest = run_trial(base)
        if honest["by"]:
            raise DoesNotRun(f"the sources as they are: {honest['where']}: {honest['problem']}")
        with ThreadPoolExecutor(processes) as pool:
            waiting = [pool.submit(try_mutation, one, base, honest) for one in mutations]
            try:
                for done in as_completed(waiting):
                    yield done.result()
            finally:
                pool.shutdown(cancel_futures=True)


def line(name: str, where: str, noticed: str, seconds: str) -> str:
    """Return one line of the table."""
    return f"{name:36} | {where:44} | {noticed:60} | {seconds:>7}"


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutations",
        description="Make small wrong changes to the engine and show what notices each.",
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these mutations")
    parser.add_argument("--list", action="store_true", help="list the mutations, and try none")
    parser.add_argument("--json", action="store_true", help="print the table as JSON")
    parser.add_argument("--processes", type=int, default=1, metavar="P")
    args = parser.parse_args(words)
    args.mutations = load()
    names = {mutation.name for mutation in args.mutations}
    if unknown := [name for name in args.only or () if name not in names]:
        parser.error(f"expected names that --list shows, got {', '.join(unknown)}")
    if args.only:
        args.mutations = [one for one in args.mutations if one.name in args.only]
    return args


def show_all(args: argparse.Namespace) -> list[Row]:
    """Try the mutations, with a line of the table for each and one that says how far it is."""
    rows: list[Row] = []
    begun, total = time.monotonic(), len(args.mutations)
    if not args.json:
        print(line("mutation", "file", "noticed by", "seconds"), flush=True)
    for row in try_all(args.mutations, args.processes):
        rows.append(row)
        if not args.json:
            cells = row.mutation.name, row.mutation.where, row.story, f"{row.seconds:.1f}"
            print(line(*cells), flush=True)
        left = clock((time.monotonic() - begun) / len(rows) * (total - len(rows)))
        print(f"{len(rows)} of {total} mutations, {left} left", file=sys.stderr, flush=True)
    return rows


def main(words: list[str] | None = None) -> int:
    """Try the mutations; return 1 if one survives or does not run, 2 if none could be tried."""
    args = read_arguments(words)
    if args.list:
        for mutation in args.mutations:
            print(f"{mutation.name:36} | {mutation.where:44} | {mutation.says}")
        return 0
    try:
        rows = show_all(args)
    except (DoesNotRun, StaleMutation) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    survivors = [row.mutation.name for row in rows if not row.noticed]
    if args.json:
        print(json.dumps([row.as_plain() for row in rows], indent=2))
    cases, oracle, batch = (sum(row.by == by for row in rows) for by in NOTICING)
    print(
        f"{len(rows)} mutations: {cases} noticed by the cases, {oracle} by the oracle, "
        f"{batch} by a batch, {len(survivors)} by nothing",
        file=sys.stderr if args.json else sys.stdout,
    )
    for name in survivors:
        print(f"not noticed: {name}", file=sys.stderr)
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
