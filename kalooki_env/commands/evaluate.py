"""Measure agent A against agent B, or several at one table, on duplicate deals.

A sits once in each seat against copies of B with the very same cards, so the
luck of the deal cancels between the rotations. Each rotation counts as one of
the deals; --deals is rounded up to whole sets of rotations. The 95 %
intervals treat the rotations of one deal as one observation. A deal that
nobody wins (void, or cut at 400 turns) counts as 1/seats of a win; cut deals
are warned about, and where every deal was cut no win rate is claimed. The
same names, rules, seats and seed give the same figures, with any number of
processes. All deals are played before a figure is shown.

With more than two names each agent holds a seat of one table, the last also
the seats that are left, and every figure is given for each of them.

With --streams each seat draws from its own stream of the stock, which keeps
the rotations of a deal alike for longer; --stats shows how each agent plays.
docs/arena.md explains all figures.

With --record every game is written to a new file, in the order of the cards
and, within a deal of the cards, of A's seats; kalooki replay shows it.

An agent is a built-in one by name (random, greedy, ...), or a checkpoint by
name or path; a wrong name is answered with those that are known here.
"""

import argparse
import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from kalooki_env.commands.arguments import not_negative, positive

if TYPE_CHECKING:
    from kalooki_env.arena import Behaviour, Interval, Result, TableResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("a", metavar="A", help="the agent that is measured")
    parser.add_argument("b", metavar="B", help="the agent in all other seats")
    parser.add_argument(
        "others", metavar="C", nargs="*", default=[], help="further agents at the same table"
    )
    parser.add_argument(
        "--rules",
        default="british",
        metavar="PRESET",
        help="preset of the rules (default: %(default)s)",
    )
    parser.add_argument(
        "--seats",
        type=positive,
        metavar="N",
        help="seats at the table (default: as many as agents)",
    )
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
    parser.add_argument(
        "--processes",
        type=positive,
        default=1,
        metavar="N",
        help="processes that share the deals (default: %(default)s)",
    )
    parser.add_argument(
        "--streams", action="store_true", help="let each seat draw from its own stream of the stock"
    )
    parser.add_argument("--stats", action="store_true", help="show how each agent plays")
    parser.add_argument("--record", metavar="FILE", help="write every game to this new file")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(args: argparse.Namespace) -> int:
    """Play the deals and print the figures."""
    from kalooki_env import arena
    from kalooki_env.commands.progress import Progress

    names = [args.a, args.b, *args.others]
    pair = len(names) == 2
    progress = Progress(" against ".join(names) if pair else ", ".join(names), "deals")
    measure: Callable = arena.evaluate if pair else arena.evaluate_table
    try:
        result = measure(
            *(names if pair else [names]),
            args.rules,
            args.seats or len(names),
            args.deals,
            args.seed,
            progress=progress,
            record=args.record,
            streams=args.streams,
            behaviour=args.stats,
            processes=args.processes,
        )
    finally:
        progress.close()
    if result.warning is not None:
        print(f"kalooki evaluate: {result.warning}", file=sys.stderr)
    if args.json:
        print(json.dumps(result.as_dict(), indent=2))
    else:
        print("\n".join(_pair(result) if pair else _table(result)))
    return 0


_NONE = "none: every deal was cut"


def _pair(result: "Result") -> list[str]:
    """Write the figures of two agents for people."""
    others = result.b if result.seats == 2 else f"{result.seats - 1} x {result.b}"
    lines = [f"{result.a} against {others}, {_deals(result)}"]
    if result.win_rate is None:
        return [*lines, f"  win rate        {_NONE}", *_ends(result)]
    one_deal = result.deals == result.seats
    wins = _interval(result.win_rate_ci95, ".3f", one_deal)
    points = _interval(result.points_ci95, "+.1f", one_deal)
    lines += [
        f"  win rate        {result.win_rate:6.3f}   95 % {wins}   ({1 / result.seats:.3f} is even)",
        f"  points a deal   {result.points_per_deal:+6.1f}   95 % {points}",
        "  variance        "
        f"{_ratio(result.duplicate_variance_ratio)} of independent deals' for the win rate, "
        f"{_ratio(result.points_variance_ratio)} for the points",
    ]
    if result.sign_test_p is not None:
        lines.append(
            f"  won both ways   {result.swept:,} deals by {result.a}, {result.swept_by_b:,} by "
            f"{result.b}; sign test {_p_value(result.sign_test_p)}"
        )
    return lines + _ends(result)


def _table(result: "TableResult") -> list[str]:
    """Write the figures of several agents for people."""
    width = max(len("agent"), *(len(one.agent) for one in result.agents))
    lines = [f"{', '.join(one.agent for one in result.agents)} at one table, {_deals(result)}"]
    if result.agents[0].win_rate is None:
        return [*lines, f"  win rates       {_NONE}", *_ends(result)]
    one_deal = result.deals == result.seats
    lines.append(f"  {'agent':<{width}}  seats  win rate  95 %             points a deal  95 %")
    for one in result.agents:
        lines.append(
            f"  {one.agent:<{width}}  {one.seats_held:5}  {one.win_rate:8.3f}  "
            f"{_interval(one.win_rate_ci95, '.3f', one_deal):<15}  {one.points_per_deal:+13.1f}  "
            f"{_interval(one.points_ci95, '+.1f', one_deal)}"
        )
    lines.append(f"  a win rate of {1 / result.seats:.3f} is even")
    return lines + _ends(result)


def _deals(result: "Result | TableResult") -> str:
    streams = ", a stream of the stock for each seat" if result.streams else ""
    return f"{result.rules}, {result.seats} seats, {result.deals:,} duplicate deals{streams}"


def _ends(result: "Result | TableResult") -> list[str]:
    speed = f"{result.deals / max(result.seconds, 1e-9):,.0f} deals/s"
    return [
        f"  void, cut       {result.void_rate:6.2%}, {result.cut_rate:.2%}",
        f"  turns a deal    {result.turns_per_deal:6.1f}",
        f"  time            {result.seconds:6.1f} s, {speed}",
        *(_stats(result.behaviour) if result.behaviour else ()),
    ]


def _interval(interval: "Interval", form: str, one_deal: bool) -> str:
    low, high = interval
    if low is None:
        return "unknown (one deal)" if one_deal else "unknown (no two deals differ)"
    return f"{low:{form}} to {high:{form}}"


def _ratio(ratio: float | None) -> str:
    return "unknown" if ratio is None else f"{ratio:.2f}"


def _p_value(p: float) -> str:
    return f"p = {p:.2g}" if p > 0 else "p < 1e-300"


_SHARE, _MEAN = "{:.1%}", "{:.2f}"
_STATS = (
    ("never opens", "never_opened", _SHARE),
    ("opens in its turn", "opening_turn", _MEAN),
    ("points of the opening", "opening_points", _MEAN),
    ("turns ended closed that could have opened", "openings_kept", _SHARE),
    ("takes the discard where it may", "discards_taken", _SHARE),
    ("turns a deal", "turns_per_deal", _MEAN),
    ("melds a deal", "melds_per_deal", _MEAN),
    ("lay-offs a deal", "lay_offs_per_deal", _MEAN),
    ("swaps a deal", "swaps_per_deal", _MEAN),
    ("turns ended open with a meld to lay", "melds_kept", _SHARE),
    ("turns ended open with a card to lay off", "lay_offs_kept", _SHARE),
    ("jokers a deal", "jokers_per_deal", _MEAN),
    ("jokers laid", "jokers_laid", _SHARE),
    ("jokers discarded", "jokers_discarded", _SHARE),
    ("lays a joker in its turn", "joker_turn", _MEAN),
    ("wins that are a kalooki", "kalookis", _SHARE),
    ("penalty when it loses", "penalty_lost", _MEAN),
    ("  of that for jokers", "joker_penalty_lost", _MEAN),
    ("cards when it loses", "cards_lost", _MEAN),
    ("loses without having opened", "lost_closed", _SHARE),
)


def _stats(behaviour: "tuple[Behaviour, ...]") -> list[str]:
    """Write how the agents play, a column each."""
    label = max(len(title) for title, _, _ in _STATS)
    widths = [max(8, len(one.agent)) for one in behaviour]
    names = "  ".join(f"{one.agent:>{width}}" for one, width in zip(behaviour, widths, strict=True))
    lines = ["", f"  {'':<{label}}  {names}"]
    for title, key, form in _STATS:
        values = [getattr(one, key) for one in behaviour]
        cells = ["-" if value is None else form.format(value) for value in values]
        row = "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        lines.append(f"  {title:<{label}}  {row}")
    return lines
