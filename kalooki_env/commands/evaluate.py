"""Measure agent A against agent B on duplicate deals.

A sits once in each seat against copies of B with the very same cards, so the
luck of the deal cancels between the rotations. Each rotation counts as one of
the deals; --deals is rounded up to whole sets of rotations. The 95 %
intervals treat the rotations of one deal as one observation. A deal that
nobody wins (void, or cut at 400 turns) counts as 1/seats of a win. The same
names, rules, seats and seed give the same figures.

With --record every game is written to a new file, in the order of the cards
and, within a deal of the cards, of A's seats; kalooki replay shows it.

An agent is random, greedy, or a checkpoint by name or path.
"""

import argparse
import json
from typing import TYPE_CHECKING

from kalooki_env.commands.arguments import add_table, not_negative, positive

if TYPE_CHECKING:
    from kalooki_env.arena import Interval, Result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("a", metavar="A", help="the agent that is measured")
    parser.add_argument("b", metavar="B", help="the agent in all other seats")
    add_table(parser)
    parser.add_argument(
        "--deals",
        type=positive,
        default=4000,
        metavar="N",
        help="deals to play (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=not_negative,
        default=0,
        metavar="S",
        help="seed of the cards (default: %(default)s)",
    )
    parser.add_argument("--record", metavar="FILE", help="write every game to this new file")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(args: argparse.Namespace) -> int:
    """Play the deals and print the figures."""
    from kalooki_env import arena
    from kalooki_env.commands.progress import Progress

    progress = Progress(f"{args.a} against {args.b}", "deals")
    try:
        result = arena.evaluate(
            args.a,
            args.b,
            args.rules,
            args.seats,
            args.deals,
            args.seed,
            progress=progress,
            record=args.record,
        )
    finally:
        progress.close()
    print(json.dumps(result.as_dict(), indent=2) if args.json else _text(result))
    return 0


def _text(result: "Result") -> str:
    """Write the figures for people."""
    others = result.b if result.seats == 2 else f"{result.seats - 1} x {result.b}"
    wins = f"{result.win_rate:6.3f}   95 % {_interval(result.win_rate_ci95, '.3f')}"
    points = f"{result.points_per_deal:+6.1f}   95 % {_interval(result.points_ci95, '+.1f')}"
    speed = f"{result.deals / max(result.seconds, 1e-9):,.0f} deals/s"
    return "\n".join(
        (
            f"{result.a} against {others}, {result.rules}, {result.seats} seats, "
            f"{result.deals:,} duplicate deals",
            f"  win rate        {wins}   ({1 / result.seats:.3f} is even)",
            f"  points a deal   {points}",
            f"  void, cut       {result.void_rate:6.2%}, {result.cut_rate:.2%}",
            f"  turns a deal    {result.turns_per_deal:6.1f}",
            f"  time            {result.seconds:6.1f} s, {speed}",
        )
    )


def _interval(interval: "Interval", form: str) -> str:
    low, high = interval
    return "unknown (one deal)" if low is None else f"{low:{form}} to {high:{form}}"
