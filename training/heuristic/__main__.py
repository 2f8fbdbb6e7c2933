"""Tune the weights of the heuristic and write them to its weights.json.

    python -m training.heuristic                          every variant, 2 and 4 seats
    python -m training.heuristic --rules british --seats 2

The heuristic plays deals against itself, each seat's ends of turns are kept with what came of the
deal, and a logistic regression of the outcome on the features gives the next weights. A table takes
a few minutes on one core. The deals come from a seed of their own, apart from those that the
arena measures on.
"""

import argparse
import json
import sys
import time

import numpy as np

from kalooki_env.agents.heuristic.layout import FEATURES
from kalooki_env.agents.heuristic.weights import PATH
from kalooki_env.errors import KalookiError
from kalooki_env.files import write_whole
from kalooki_env.rules import PRESETS
from training.heuristic.fit import tune
from training.heuristic.self_play import SelfPlay

TUNED = [name for name in PRESETS if name not in ("hunt51", "tournament51")]
"""The deals of the two others are those of ring51, whose weights they play with."""


def main() -> int:
    """Tune what the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="python -m training.heuristic",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rules", nargs="+", choices=list(PRESETS), default=TUNED)
    parser.add_argument("--seats", nargs="+", type=int, default=[2, 4])
    parser.add_argument("--rounds", type=int, default=12, help="default: %(default)s")
    parser.add_argument(
        "--deals", type=int, default=16000, help="hands dealt a round (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    args = parser.parse_args()
    try:
        tables = [(rules, SelfPlay(rules, n)) for rules in args.rules for n in args.seats]
    except KalookiError as error:
        parser.error(str(error))
    for rules, table in tables:
        weights = tune(
            table,
            args.rounds,
            args.deals // table.seats,
            args.seed,
            _Report(rules, table, args.rounds),
        )
        _write(rules, table.seats, weights)
    return 0


class _Report:
    """Prints a line after each round, with the time that is left for the table."""

    def __init__(self, rules: str, table: SelfPlay, rounds: int) -> None:
        self._what, self._rounds = f"{rules}, {table.seats} seats", rounds
        self._start = time.perf_counter()

    def __call__(self, number: int, text: str) -> None:
        spent = time.perf_counter() - self._start
        left = spent / number * (self._rounds - number)
        print(
            f"{self._what}: round {number} of {self._rounds}, {text}, {left:.0f} s left",
            file=sys.stderr,
            flush=True,
        )


def _write(rules: str, seats: int, weights: np.ndarray) -> None:
    """Put one table into the file; the others stay."""
    data = {"features": list(FEATURES), "weights": {}}
    if PATH.exists():
        old = json.loads(PATH.read_text())
        if old["features"] == data["features"]:
            data = old
    rows = [[float(f"{weight:.4g}") for weight in row] for row in weights]
    data["weights"].setdefault(rules, {})[str(seats)] = rows
    text = json.dumps(data)
    for ends in ("],", "}, ", "{"):
        text = text.replace(ends, ends.rstrip() + "\n")
    write_whole(PATH, (text + "\n").encode())


if __name__ == "__main__":
    sys.exit(main())
