"""Try one tree of sources: do its case files or the oracle notice that something is wrong?

Run in the tree as `python -m tests.mutations.trial`, the engine interpreted. It looks in four
places, from the cheapest on, and stops at the first that notices something: the case files (all
failing cases of the first file with one are named), the same cases followed by engine and oracle
together, games in a batch beside the same games alone, and positions that `tests.oracle.agreement`
plays or constructs.
"""

import argparse
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

from kalooki_env import cases
from kalooki_env.compiling.folder import PrivateFolder
from kalooki_env.engine.jit import ENGINE_STORE
from tests.mutations.batches import follow_batch
from tests.mutations.following import follow
from tests.oracle.parts import Part, run_part

CASES = Path(__file__).parents[1] / "cases"
PATIENCE = 60
"""Seconds after which a case counts as one that does not end; the longest takes about five."""
PART_PATIENCE = 600

Finding = dict[str, Any]


def trial(parts: list[dict[str, Any]], costs: dict[str, float]) -> Finding:
    """Return by what the tree is noticed (`cases`, `oracle`, `batch` or nothing) and where.

    `costs` tells how long each case file has taken: the quickest come first. It is filled with how
    long they take here.
    """
    known = dict(costs)
    found = sorted(cases.load([CASES]), key=lambda case: known.get(_file(case), 0.0))
    notices = (
        lambda: _by_cases(found, costs),
        lambda: _by_following(found),
        _by_batch,
        lambda: _by_parts(parts),
    )
    for notice in notices:
        if finding := notice():
            return finding
    return {"by": "", "where": [], "problem": ""}


def _file(case: cases.Case) -> str:
    return Path(case.file).name


def _by_cases(found: list[cases.Case], costs: dict[str, float]) -> Finding | None:
    """Play the case files until one has a failure."""
    for file, group in groupby(found, key=_file):
        begun = time.monotonic()
        failed = {case.id: problem for case in group if (problem := _first(cases.check, case))}
        costs[file] = round(time.monotonic() - begun, 2)
        if failed:
            return {"by": "cases", "where": list(failed), "problem": next(iter(failed.values()))}
    return None


def _by_following(found: list[cases.Case]) -> Finding | None:
    """Follow the cases until engine and oracle differ."""
    for case in found:
        if problem := _first(follow, case):
            return {"by": "oracle", "where": [f"following {case.id}"], "problem": problem}
    return None


def _by_batch() -> Finding | None:
    """Compare games side by side with the same games alone."""
    if problem := _first(follow_batch):
        return {"by": "batch", "where": [problem.partition(":")[0]], "problem": problem}
    return None


def _first(check: Callable[..., list[str]], *subject: Any) -> str:
    """Return the first problem that a check has, nothing if it has none; one without end has."""
    try:
        with _patience(PATIENCE):
            return next(iter(check(*subject)), "")
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _by_parts(parts: list[dict[str, Any]]) -> Finding | None:
    """Compare engine and oracle on positions that are played or constructed."""
    for part in parts:
        fields = {**part, "seats": tuple(part["seats"])}
        fields["override"] = tuple(part.get("override", {}).items())
        with _patience(PART_PATIENCE):
            tally = run_part(Part(seed="mutations", **fields))
        if tally.disagreements:
            first = tally.disagreements[0]
            state = part.get("state") or part.get("style")
            where = f"{part['preset']}, {state}: {first['what']}"
            return {"by": "oracle", "where": [where], "problem": str(first)[:500]}
    return None


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in what takes longer."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"expected an end within {seconds:.0f} s, got none")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def lend_tables(folder: Path) -> None:
    """Let the tables of the solver that another tree has built serve this one too."""
    theirs = PrivateFolder(folder.parent, folder.name)
    for table in folder.glob("runs-*.npy"):
        content = theirs.read(table.name)
        if content is not None:
            ENGINE_STORE.write(table.name, content)


def main() -> int:
    """Try the tree and print what was found as one line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations.trial", description=__doc__)
    parser.add_argument("--tables", type=Path, help="folder with the tables of the solver")
    parser.add_argument("--parts", type=json.loads, default=[], help="parts of the agreement")
    parser.add_argument("--costs", type=json.loads, default={}, help="seconds of each case file")
    args = parser.parse_args()
    if args.tables is not None:
        lend_tables(args.tables)
    found = trial(args.parts, args.costs)
    print(json.dumps({**found, "tables": str(ENGINE_STORE.path), "costs": args.costs}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
