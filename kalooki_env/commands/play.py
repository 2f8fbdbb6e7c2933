"""Sit down at the table against an agent.

A plain terminal table: your hand, the melds, the piles, and moves typed as
text; 'help' at the table explains the rest. Without --opponent it is the
newest checkpoint in runs/ or checkpoints/, else greedy. The same seed deals
the same cards.

Every game is recorded, move by move: in a file of its own in the user's data
folder (XDG_DATA_HOME, else ~/.local/share/kalooki/games), or added to the
file that --record names. 'kalooki replay FILE' shows it.
"""

import argparse

from kalooki_env.commands.arguments import add_table, not_negative


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "--opponent", metavar="NAME", help="random, greedy, or a checkpoint by name or path"
    )
    add_table(parser)
    parser.add_argument(
        "--seed", type=not_negative, metavar="S", help="seed of the cards (default: a new one)"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--record", metavar="FILE", help="add the game to this file of records")
    where.add_argument("--no-record", action="store_true", help="do not record the game")
    parser.add_argument("--ascii", action="store_true", help="letters instead of suit symbols")


def run(args: argparse.Namespace) -> int:
    """Open the table."""
    from kalooki_env.play import terminal

    return terminal.play(
        opponent=args.opponent,
        rules=args.rules,
        seats=args.seats,
        seed=args.seed,
        ascii_only=args.ascii,
        record=args.record,
        keep=not args.no_record,
    )
