"""Compare what the engine says of hidden cards with all deals that agree: `--help` tells more."""

import argparse
import sys
import time

from .comparing import DEALT, SITUATIONS, compare_walks


def main() -> int:
    """Run from the command line; exit 1 on a difference."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0] + ".")
    parser.add_argument("--seats", nargs="+", type=int, default=[2, 3, 4, 5, 6])
    parser.add_argument("--moments", type=int, default=40, help="of each situation (default 40)")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    print(f"worlds compared, {DEALT} at each moment\n")
    print("seats" + "".join(f"{situation:>19}" for situation in SITUATIONS) + f"{'seconds':>9}")
    for seats in args.seats:
        began = time.monotonic()
        counts, problems = compare_walks(seats, args.moments, args.seed)
        for moment, what in problems:
            print(f"\nseat {moment.belief.seat} of {seats}: {what}\n{moment.game.position()}")
        row = "".join(f"{counts[seats, situation] * DEALT:>19}" for situation in SITUATIONS)
        print(f"{seats:>5}{row}{time.monotonic() - began:>9.0f}", flush=True)
        if problems:
            return 1
    print("\nno difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
