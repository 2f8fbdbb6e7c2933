"""Measure how fast this machine plays Kalooki.

Each row is one way of using the package, from the compiled engine alone to
the PettingZoo loop and, where PyTorch is there, training. A row is repeated
after a warm-up; the figure is the median, beside it the least and the largest
repeat. Rates are per CPU second of one thread, which on a machine with
nothing else to do is a second. With --peers other packages are measured in
turns with this one (from a clone; benchmarks/README.md says how).
"""

import argparse
import json
import sys
from typing import TYPE_CHECKING

from kalooki_env.commands.arguments import positive
from kalooki_env.errors import KalookiError

if TYPE_CHECKING:
    from kalooki_env.bench.peers import Comparison
    from kalooki_env.bench.rows import Row


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="measure the rows whose name holds TEXT"
    )
    parser.add_argument(
        "--peers",
        nargs="*",
        metavar="NAME",
        help="compare with these peers too, all that are installed if none is named",
    )
    parser.add_argument(
        "--repeats",
        type=positive,
        default=3,
        metavar="N",
        help="repeats of each row (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")


def run(args: argparse.Namespace) -> int:
    """Run the benchmarks and print a row each; return 1 if a named peer could not be compared."""
    from kalooki_env import bench

    if args.peers is None and not bench.parts(args.only):
        raise KalookiError(
            f"--only: expected text of a row's name, got {args.only!r}: run kalooki bench without "
            "it to see them all"
        )
    if args.peers is not None:
        from kalooki_env.bench import peers

        peers.select(peers.load(), args.peers)  # a wrong name is told before anything is measured
    rows = []
    for row in bench.run(args.only, args.repeats, watch=_show):
        rows.append(row)
        _wipe()
        if not args.json:
            print(text(row), flush=True)
    failed = _compare(args, rows) if args.peers is not None else False
    if args.json:
        print(json.dumps([row.as_dict() for row in rows], indent=2))
    return int(failed and bool(args.peers))


def _compare(args: argparse.Namespace, rows: "list[Row]") -> bool:
    """Compare with the peers and add the rows of that; tell whether something failed."""
    from kalooki_env.bench import peers

    failed = False
    for result in peers.run(args.repeats, names=args.peers, watch=_show):
        _wipe()
        if isinstance(result, peers.Failure):
            failed = True
            print(result, file=sys.stderr)
            continue
        rows += comparison_rows(result)
        if not args.json:
            print(result, flush=True)
    return failed


def comparison_rows(comparison: "Comparison") -> "list[Row]":
    """Return the rows of a comparison: ours, theirs, and their ratio."""
    from kalooki_env.bench.rows import Row

    ours, theirs = comparison.ours.row, comparison.theirs.row
    name = f"{ours.name} / {theirs.name}"
    return [ours, theirs, Row(name, "ratio", comparison.ratio, ours.repeats, comparison.spread)]


def _show(done: int, total: int, name: str) -> None:
    """Say in a terminal what is being measured."""
    if sys.stderr.isatty():
        _wipe()
        print(f"{done + 1} of {total}: {name} ...", end="", file=sys.stderr, flush=True)


def _wipe() -> None:
    """Wipe that line."""
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def text(row: "Row") -> str:
    """Write a row as a line of the report."""
    digits = 0 if row.per_second >= 100 else 2
    figure, low, high = (f"{value:,.{digits}f}" for value in (row.per_second, *row.spread))
    return f"{row.name:<68} {figure:>11} {row.unit:<20} ({low} to {high})"
