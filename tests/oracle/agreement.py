"""Compare engine and oracle on many positions: `python -m tests.oracle.agreement --help`.

Positions are reached by play (random, eager and greedy) and put together for the rare states,
each of which has a quota, counted by the state as observed. Every preset is compared as it is
and, on constructed positions, under overrides.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from . import census
from .comparing import Comparison, Tally
from .players import STYLES
from .rules import PRESETS, make_rules
from .shrinking import shrink
from .variants import (
    Override,
    name_of,
    override_for,
    overrides_of,
    quota_states,
    rules_value,
    seats_of,
)
from .walking import compare_constructed, compare_deals

CHUNK = 250
"""Positions of one part of the work that is done in one process."""
TRIES = 40
"""Positions that one part tries to construct for a quota."""
ROUNDS = 40
"""Rounds of constructing after which a quota is missed."""


@dataclass(frozen=True)
class Part:
    """Name a part of the work; with the seed it decides all that is compared in it."""

    preset: str
    seats: tuple[int, ...]
    amount: int
    seed: str
    style: str = ""
    state: str = ""
    override: tuple[tuple[str, Any], ...] = ()


def run_part(part: Part) -> Tally:
    """Do a part of the work."""
    override = dict(part.override)
    rules, name = rules_value(part.preset, override), name_of(part.preset, override)
    rng = random.Random(repr(part))
    comparison = Comparison(part.preset, name, part.style or "constructed", rng)
    try:
        if part.style:
            compare_deals(comparison, rules, part.seats[0], part.amount, part.style)
        else:
            compare_constructed(comparison, rules, list(part.seats), part.state, part.amount)
    except Exception as error:  # a crash of either side is a finding too, and others go on
        comparison.expect("an error", {}, repr(error), None, part=repr(part))
    return comparison.tally


def play_parts(preset: str, seats: list[int], positions: int, seed: int) -> list[Part]:
    """Divide the positions to be reached by play, so many for each number of seats."""
    parts = []
    for n in seats_of(make_rules(preset), seats):
        share = math.ceil(positions / len(STYLES))
        for style in STYLES:
            sizes = [min(CHUNK, share - done) for done in range(0, share, CHUNK)]
            parts += [
                Part(preset, (n,), size, f"{seed}/{index}", style=style)
                for index, size in enumerate(sizes)
            ]
    return parts


def constructed_parts(
    preset: str, seats: list[int], override: Override, tries: int, seed: int
) -> list[Part]:
    """List parts that construct every rare state, under one override."""
    fitting, said = tuple(seats_of(make_rules(preset), seats)), tuple(override.items())
    return [
        Part(preset, fitting, tries, f"{seed}", state=state, override=said)
        for state in quota_states(preset)
    ]


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
            count = self.positions()
            print(
                f"{what}: {done}/{len(parts)} parts, {count} positions in all, "
                f"{count / (now - self.started):.0f} a second, "
                f"{self.disagreements()} disagreements, {left / 60:.1f} min left",
                file=sys.stderr,
                flush=True,
            )

    def positions(self, *labels: Any) -> int:
        """Count the positions whose labels (preset, variant, origin, seats) begin so."""
        return sum(
            count
            for key, count in self.total.counts.items()
            if key[0] == "positions" and key[1 : 1 + len(labels)] == labels
        )

    def disagreements(self) -> int:
        """Count the disagreements."""
        return sum(n for key, n in self.total.counts.items() if key[0] == "disagreements")

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
            for state in quota_states(preset)
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
                for index in range(4)
            ]
            if parts:
                self.do(pool, parts, f"quotas, round {number + 1}")

    # -- what came out -------------------------------------------------------------------------

    def report(self) -> str:
        """Return the tables and the disagreements as text."""
        lines = [f"{self.positions()} positions in {time.monotonic() - self.started:.0f} s", ""]
        lines += [*self._presets_table(), "", *self._states_table(), ""]
        lines += [*self._counts("phase", "positions by phase"), ""]
        checks = {key[1]: n for key, n in self.total.counts.items() if key[0] == "checks"}
        lines += ["what was compared"] + [f"  {n:8}  {what}" for what, n in sorted(checks.items())]
        lines += ["", f"{self.disagreements()} disagreements"]
        for case in self.total.disagreements:
            if case["what"] == "legal ids":
                case = {**case, "position": shrink(case["position"])}
            lines += ["---", yaml.safe_dump(case, sort_keys=False, width=100)]
        lines += [f"quota missed: {preset}: {state}" for preset, _, state in self.missing()]
        return "\n".join(lines)

    def _presets_table(self) -> list[str]:
        head = f"{'positions by play':20}" + "".join(f"{n:>5} seats" for n in self.args.seats)
        lines = [head + f"{'constructed':>14}{'with override':>15}"]
        for preset, _ in self.presets():
            row = [
                sum(self.positions(preset, preset, style, n) for style in STYLES)
                for n in self.args.seats
            ]
            pure = self.positions(preset, preset, "constructed")
            other = self.positions(preset) - sum(row) - pure
            cells = "".join(f"{n:11}" if n else f"{'-':>11}" for n in row)
            lines.append(f"{preset:20}" + cells + f"{pure:14}{other:15}")
        return lines

    def _states_table(self) -> list[str]:
        lines = [f"{'rare states':40}{'plain':>10}{'in all':>10}"]
        for preset, _ in self.presets():
            lines.append(preset)
            for state in (*census.QUOTAS, *census.REMARKS):
                plain = self.total.counts["state without override", preset, state]
                every = self.total.counts["state", preset, state]
                lines.append(f"  {state:38}{plain:10}{every:10}")
        return lines

    def _counts(self, kind: str, title: str) -> list[str]:
        lines = [title]
        for preset, _ in self.presets():
            found = {key[2]: n for key, n in self.total.counts.items() if key[:2] == (kind, preset)}
            told = ", ".join(f"{name} {n}" for name, n in sorted(found.items()))
            lines.append(f"  {preset}: {told}")
        return lines

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
