"""Compare engine and oracle on many positions: `python -m tests.oracle.agreement --help`.

Positions are reached by play (random, eager and greedy) and put together for the rare states,
each of which has a quota, counted by the state as observed. Every preset is compared as it is
and, on constructed positions, under overrides; `--knobs` adds rules drawn at random.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator
from typing import Any

import yaml

from . import reporting
from .comparing import Tally
from .parts import RANDOM, TRIES, Part, constructed_parts, knobs_parts, play_parts, run_part
from .rules import PRESETS, make_rules
from .shrinking import shrink
from .variants import override_for, overrides_of, quota_states, seats_of

MOST_PARTS = 32
"""Parts that work for one quota in one round; the first round has one, each next one twice as many."""
ROUNDS = 14
"""Rounds of constructing after which a quota is missed."""


class Run:
    """Do the parts in several processes, with a line of progress, and add up what they tell."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.total = Tally()
        self.started = time.monotonic()

    def presets(self) -> Iterator[tuple[str, list[int]]]:
        """Yield the presets and the numbers of seats that are compared."""
        for preset in self.args.rules:
            if fitting := seats_of(make_rules(preset), self.args.seats):
                yield preset, fitting

    def do(self, pool: Any, parts: list[Part], what: str) -> None:
        """Do all parts."""
        begun, shown = time.monotonic(), 0.0
        for done, tally in enumerate(pool.imap_unordered(run_part, parts), 1):
            self.total.add(tally)
            for case in tally.disagreements:
                print(yaml.safe_dump(case, sort_keys=False), file=sys.stderr, flush=True)
            now = time.monotonic()
            if now - shown < self.args.every and done < len(parts):
                continue
            shown, left = now, (now - begun) / done * (len(parts) - done)
            count = reporting.positions(self.total)
            print(
                f"{what}: {done}/{len(parts)} parts, {count} positions in all, "
                f"{count / (now - self.started):.0f} a second, "
                f"{self.disagreements()} disagreements, {left / 60:.1f} min left",
                file=sys.stderr,
                flush=True,
            )

    def disagreements(self) -> int:
        """Count the disagreements."""
        return reporting.disagreements(self.total)

    def reached(self, preset: str, state: str) -> int:
        """Count a preset's positions in a rare state: as it is, or if it can't be, with overrides."""
        plain = self.total.counts["state without override", preset, state]
        every = self.total.counts["state", preset, state]
        return every - plain if override_for(preset, state) else plain

    def missing(self) -> list[tuple[str, list[int], str]]:
        """List the quotas that are not reached yet."""
        return [
            (preset, seats, state)
            for preset, seats in self.presets()
            for state in quota_states(preset, seats)
            if self.reached(preset, state) < self.args.quota
        ]

    def all(self, pool: Any) -> None:
        """Do everything."""
        args = self.args
        parts = []
        for preset, seats in self.presets():
            parts += play_parts(preset, seats, args.positions, args.seed)
        self.do(pool, parts, "by play")
        parts = []
        for preset, seats in self.presets():
            for override in overrides_of(preset):
                parts += constructed_parts(preset, seats, override, args.tries, args.seed)
        self.do(pool, parts, "constructed")
        for number in range(ROUNDS):
            parts = [
                Part(
                    preset,
                    tuple(seats),
                    TRIES,
                    f"{args.seed}/{number}/{index}",
                    state=state,
                    override=tuple(override_for(preset, state).items()),
                )
                for preset, seats, state in self.missing()
                for index in range(min(2**number, MOST_PARTS))
            ]
            if parts:
                self.do(pool, parts, f"quotas, round {number + 1}")
        if args.knobs:
            self.do(pool, knobs_parts(args.knobs, args.seed), RANDOM)

    # -- what came out -------------------------------------------------------------------------

    def report(self) -> str:
        """Return the tables and the disagreements as text."""
        tally, seconds = self.total, time.monotonic() - self.started
        presets = [preset for preset, _ in self.presets()]
        presets += [RANDOM] if self.args.knobs else []
        blocks = [
            [f"{reporting.positions(tally)} positions in {seconds:.0f} s"],
            reporting.presets_table(tally, presets, self.args.seats),
            reporting.states_table(tally, presets),
            reporting.counts_of(tally, presets, "phase", "positions by phase"),
            reporting.counts_of(tally, presets, "endings", "ends of deals and what followed"),
            reporting.checks_table(tally),
        ]
        lines = [line for block in blocks for line in (*block, "")]
        lines.append(f"{self.disagreements()} disagreements")
        for case in self.total.disagreements:
            if case["what"] == "legal ids":
                case = {**case, "position": shrink(case["position"])}
            lines += ["---", yaml.safe_dump(case, sort_keys=False, width=100)]
        lines += [f"quota missed: {preset}: {state}" for preset, _, state in self.missing()]
        return "\n".join(lines)

    def as_json(self) -> str:
        """Return the counts and the disagreements as JSON."""
        counts = [[*key, n] for key, n in sorted(self.total.counts.items(), key=repr)]
        missed = [[preset, state] for preset, _, state in self.missing()]
        return json.dumps(
            {
                "counts": counts,
                "disagreements": self.total.disagreements,
                "quotas_missed": missed,
            }
        )


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.oracle.agreement", description="Compare engine and oracle."
    )
    parser.add_argument(
        "--rules",
        nargs="+",
        default=["british"],
        metavar="PRESET",
        help="presets, or `all` (default: british)",
    )
    parser.add_argument("--seats", nargs="+", type=int, default=[2, 3, 4, 5])
    parser.add_argument(
        "--positions",
        type=int,
        default=2000,
        metavar="N",
        help="positions reached by play for each preset and number of seats",
    )
    parser.add_argument(
        "--quota",
        type=int,
        default=100,
        metavar="N",
        help="positions in each rare state, for each preset",
    )
    parser.add_argument(
        "--tries",
        type=int,
        default=10,
        metavar="N",
        help="positions to construct for each rare state under every override",
    )
    parser.add_argument(
        "--knobs", type=int, default=0, metavar="N", help="rules to draw at random and compare"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2, metavar="P")
    parser.add_argument(
        "--every", type=float, default=10, metavar="S", help="seconds between two lines of progress"
    )
    parser.add_argument("--json", action="store_true", help="print counts as JSON")
    args = parser.parse_args(words)
    if args.rules == ["all"]:
        args.rules = list(PRESETS)
    if unknown := [name for name in args.rules if name not in PRESETS]:
        parser.error(f"expected presets of {', '.join(PRESETS)}, got {', '.join(unknown)}")
    return args


def compare(args: argparse.Namespace) -> Run:
    """Do all that the arguments ask for."""
    run = Run(args)
    with multiprocessing.Pool(args.processes) as pool:
        run.all(pool)
    return run


def main(words: list[str] | None = None) -> int:
    """Compare and print; return 1 if engine and oracle differ or a quota is missed."""
    args = read_arguments(words)
    run = compare(args)
    print(run.as_json() if args.json else run.report())
    return 1 if run.disagreements() or run.missing() else 0


if __name__ == "__main__":
    sys.exit(main())
