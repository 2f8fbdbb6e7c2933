"""Rate a set of agents: every pair plays duplicate deals.

Each pair plays the same deals as kalooki evaluate would; with more than two
seats A sits alone among copies of B, and B among copies of A. One
maximum-likelihood fit gives the ratings, with 95 % intervals by bootstrap
over the deals of the cards; the anchor has 1000, and 400 points are a
strength of ten times as much. --rules and --seats may be given several times:
there is a ladder for each preset with each number of seats. What is printed
is Markdown.

The --json file is written after every pair. If a ladder was stopped,
--continue goes on with its file: pairs that are there are not played again,
and agents, presets and seats that are named besides are added.

An agent is a built-in one by name (random, greedy, ...), or a checkpoint by
name or path; without names all that are known here but search take part. A
checkpoint among these that cannot be read is left out, in a line.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kalooki_env.commands.arguments import not_negative, positive
from kalooki_env.errors import CheckpointError, KalookiError

if TYPE_CHECKING:
    from kalooki_env.arena.crossplay import Ladders

_DEALS, _SEED, _ANCHOR = 4000, 0, "greedy"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "agents",
        metavar="AGENT",
        nargs="*",
        help="who takes part (default: all known here but search, which is slow)",
    )
    parser.add_argument(
        "--rules", action="append", metavar="PRESET", help="preset of the rules (default: british)"
    )
    parser.add_argument(
        "--seats",
        type=positive,
        action="append",
        metavar="N",
        help="seats at the table (default: 2)",
    )
    parser.add_argument(
        "--deals", type=positive, metavar="N", help=f"deals of each pair (default: {_DEALS})"
    )
    parser.add_argument(
        "--seed", type=not_negative, metavar="S", help=f"seed of the cards (default: {_SEED})"
    )
    parser.add_argument(
        "--anchor", metavar="AGENT", help=f"the agent that is rated 1000 (default: {_ANCHOR})"
    )
    parser.add_argument(
        "--streams",
        action="store_true",
        default=None,
        help="let each seat draw from its own stream of the stock",
    )
    parser.add_argument(
        "--processes",
        type=positive,
        default=1,
        metavar="N",
        help="processes that share the deals (default: %(default)s)",
    )
    parser.add_argument("--json", metavar="FILE", help="write the results to this new file")
    parser.add_argument(
        "--continue", dest="go_on", action="store_true", help="go on with the --json file"
    )
    parser.add_argument("--markdown", metavar="FILE", help="write what is printed to this new file")
    parser.add_argument(
        "--plot", metavar="FILE", help="draw the ratings into this new file (.svg, .png or .pdf)"
    )


def run(args: argparse.Namespace) -> int:
    """Play the pairs that are missing and print the ladders."""
    from kalooki_env.arena import crossplay, ladder_file, ladder_text, picture
    from kalooki_env.commands.progress import Progress

    _check_files(args)
    ladders = _wanted(args)
    progress = Progress("ladder", "deals")

    def watch(label: str, done: int, total: int) -> None:
        progress.label = label
        progress(done, total)

    def keep(found: "Ladders") -> None:
        if args.json:
            ladder_file.write(args.json, ladder_file.to_json(found))

    try:
        crossplay.play_on(ladders, processes=args.processes, watch=watch, keep=keep)
    except KeyboardInterrupt:
        progress.close()
        if args.json and Path(args.json).exists():
            print(
                f"kalooki ladder: {args.json} has what was played, --continue goes on",
                file=sys.stderr,
            )
        raise
    finally:
        progress.close()
    text = ladder_text.to_markdown(ladders)
    if args.markdown:
        ladder_file.write(args.markdown, text)
    if args.plot:
        ladder_file.write(args.plot, picture.draw(ladders, args.plot[-4:]))
    print(text, end="")
    return 0


def _check_files(args: argparse.Namespace) -> None:
    """Raise a KalookiError, before anything is played, for files that cannot be written."""
    from kalooki_env.arena import ladder_file, picture

    if args.go_on and not args.json:
        raise KalookiError("--continue: expected --json FILE, the ladder to go on with")
    named = [name for name in (args.json, args.markdown, args.plot) if name]
    if len(set(named)) < len(named):
        raise KalookiError(f"expected a file of its own for each output, got {', '.join(named)}")
    for name in named:
        ladder_file.check_new_file(name, replace=args.go_on)
    if args.plot:
        picture.check_drawable(args.plot)


def _all_known() -> list[str]:
    """List the agents that are known here, but search; a file that is none is left out, and told."""
    from kalooki_env import agents

    found = []
    for name in agents.names():
        try:
            if name != "search":
                agents.load(name)
                found.append(name)
        except CheckpointError as error:
            print(f"kalooki ladder: {name} is left out: {error}", file=sys.stderr)
    return found


def _wanted(args: argparse.Namespace) -> "Ladders":
    """Return the ladders that the arguments ask for, with what was played before."""
    from kalooki_env.arena import ladder_file
    from kalooki_env.arena.crossplay import Ladders

    if args.go_on:
        ladders, same_code = ladder_file.read(args.json)
        if not same_code:
            print(
                f"kalooki ladder: engine or agents have changed since some pairs of {args.json} were "
                "played, which are kept",
                file=sys.stderr,
            )
        for key in ("deals", "seed", "streams", "anchor"):
            before, now = getattr(ladders, key), getattr(args, key)
            if now is not None and now != before:
                raise KalookiError(
                    f"--{key}: expected {before} as in {args.json}, got {now}: use another file"
                )
        ladders.agents += [name for name in args.agents if name not in ladders.agents]
    else:
        ladders = Ladders(
            args.agents or _all_known(),
            _DEALS if args.deals is None else args.deals,
            _SEED if args.seed is None else args.seed,
            bool(args.streams),
            args.anchor or _ANCHOR,
        )
    if args.rules or args.seats or not ladders.ladders:
        for rules in args.rules or ["british"]:
            for seats in args.seats or [2]:
                ladders.ladder(rules, seats)
    return ladders
