"""Alter thousands of files and show what became of them: `python -m tests.damage`.

Prints a table, a row for each kind of file, and every fault with the round that made it; the exit
code is 1 if there is one. The same seed makes the same files.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.damage.trial import KINDS, run


def main() -> int:
    """Run the trials; return 1 if there is a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.damage", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}")
    parser.add_argument("--rounds", type=int, default=1000, help="altered files of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="a folder for files with a fault")
    args = parser.parse_args()
    if unknown := set(args.kinds) - set(KINDS):
        parser.error(f"expected kinds of {', '.join(KINDS)}, got {', '.join(unknown)}")
    faults = 0
    print("| kind | altered files | refused in one sentence | accepted | faults |")
    print("|---|---:|---:|---:|---:|", flush=True)
    for name in args.kinds or KINDS:
        keep = args.keep and args.keep.resolve()
        with tempfile.TemporaryDirectory() as folder:
            row = run(KINDS[name], args.rounds, args.seed, Path(folder), keep)
        counts = (row.altered, row.refused, row.accepted, len(row.faults))
        print(f"| {name} | {' | '.join(f'{count:,}' for count in counts)} |", flush=True)
        for fault in row.faults:
            print(f"    {fault}", file=sys.stderr, flush=True)
        faults += len(row.faults)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
