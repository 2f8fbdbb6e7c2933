"""Measure how fast this machine plays Kalooki.

Each row is one way of using the package, from the compiled engine alone to
the PettingZoo loop and, where PyTorch is there, training decisions. A row is
repeated after a warm-up; the figure is the median, the spread the smallest
and largest repeat. One thread.
"""

import argparse
import json

from kalooki_env.commands.arguments import positive


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "--repeats",
        type=positive,
        default=3,
        metavar="N",
        help="repeats of each row (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")


def run(args: argparse.Namespace) -> int:
    """Run the benchmarks and print a row each."""
    from kalooki_env import bench

    rows = []
    for row in bench.run(args.repeats):
        rows.append(row)
        if not args.json:
            low, high = row.spread
            rate = f"{row.per_second:>10,.0f} {row.unit}/s"
            print(f"{row.name:<53} {rate}   ({low:,.0f} to {high:,.0f})", flush=True)
    if args.json:
        print(json.dumps([row.as_dict() for row in rows], indent=2))
    return 0
