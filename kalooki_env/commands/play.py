"""Sit down at the table against agents.

In a terminal the table fills the screen: keys and the mouse move the cards,
'?' there explains them. Without --rules, --set, --seats, --opponent or --seed a
first screen explains the game and lets you choose. --plain, a pipe instead of a
terminal, or TERM=dumb gives a table of plain lines where moves are typed. --set changes a
rule, such as --set opening_points=51; 'kalooki rules' explains them. Without
--opponent it is heuristic, a strong player; 'search' is stronger, 'greedy'
weaker. The same seed deals the same cards. --web serves the same table to
browsers on this machine.

Every game is recorded, move by move: in a file of its own in the user's data
folder (XDG_DATA_HOME, else ~/.local/share/kalooki/games), or added to the
file that --record names. 'kalooki replay FILE' shows it, --continue goes on
with the match that was left or cut off last.
"""

import argparse
import sys

from kalooki_env.commands.arguments import not_negative, port, positive
from kalooki_env.commands.knobs import add_knobs, read_knobs
from kalooki_env.errors import KalookiError
from kalooki_env.play.wishes import SPEEDS, Wishes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "--opponent",
        metavar="NAME",
        action="append",
        help="random, greedy, heuristic, search, or a checkpoint by name or path; given once it "
        "plays all other seats, else once for each (default: heuristic)",
    )
    parser.add_argument("--rules", metavar="PRESET", help="preset of the rules (default: british)")
    add_knobs(parser)
    parser.add_argument(
        "--seats", type=positive, metavar="N", help="seats at the table (default: 2)"
    )
    parser.add_argument(
        "--seed", type=not_negative, metavar="S", help="seed of the cards (default: a new one)"
    )
    parser.add_argument(
        "--continue", action="store_true", dest="resume", help="go on with the match left last"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--record", metavar="FILE", help="add the game to this file of records")
    where.add_argument("--no-record", action="store_true", help="do not record the game")
    parser.add_argument(
        "--speed",
        choices=SPEEDS,
        help="how fast the opponents move (default: normal, or as they did before)",
    )
    parser.add_argument("--web", action="store_true", help="serve the table to a browser here")
    parser.add_argument(
        "--port", type=port, default=8000, help="port for --web (default: %(default)s)"
    )
    parser.add_argument("--plain", action="store_true", help="plain lines, moves are typed")
    parser.add_argument("--ascii", action="store_true", help="letters instead of suit symbols")


def run(args: argparse.Namespace) -> int:
    """Open the table."""
    from kalooki_env.play import web
    from kalooki_env.render.style import is_dumb

    knobs = read_knobs(args.knobs)
    chosen = (args.rules, knobs or None, args.seats, args.opponent, args.seed, args.record)
    if args.resume and any(value is not None for value in chosen):
        raise KalookiError(
            "--continue: expected no option of a new match with it (--rules, --set, --seats, "
            "--opponent, --seed, --record), got one"
        )
    wishes = Wishes(
        rules=args.rules or "british",
        knobs=knobs,
        seats=args.seats or 2,
        opponents=args.opponent,
        seed=args.seed,
        record=args.record,
        keep=not args.no_record,
    )
    if args.web:
        _check(wishes)
        return web.serve(_options(args), args.port)
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty() and not is_dumb()
    if args.plain or not (on_terminal or web.in_browser()):
        from kalooki_env.play import terminal

        return terminal.play(wishes, args.ascii, args.resume)
    return _on_screen(args, wishes, any(value is not None for value in chosen[:5]))


def _check(wishes: Wishes) -> None:
    """Raise a KalookiError for rules and seats that no table of the server could open with."""
    from kalooki_env.rules import Rules

    Rules.preset(wishes.rules, **wishes.knobs).check_seats(wishes.seats, "match")


def _on_screen(args: argparse.Namespace, wishes: Wishes, decided: bool) -> int:
    """Open the table that fills the terminal."""
    try:
        from kalooki_env.play.screen import app
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("textual", "rich"):
            raise
        raise KalookiError(
            f"expected Textual for the table on the screen, got no {error.name}: run "
            "pip install 'kalooki-env[play]', or kalooki play --plain"
        ) from None
    return app.play(
        wishes,
        ask=not decided,
        resume=args.resume,
        speed=args.speed,
        ascii_only=args.ascii,
    )


def _options(args: argparse.Namespace) -> list[str]:
    """Write the options of a table again, for the processes that the server starts."""
    options = []
    for name in ("rules", "seats", "seed", "record", "speed"):
        if getattr(args, name) is not None:
            options.append(f"--{name}={getattr(args, name)}")
    options += [f"--set={setting}" for setting in args.knobs]
    options += [f"--opponent={name}" for name in args.opponent or ()]
    flags = {"--continue": args.resume, "--no-record": args.no_record, "--ascii": args.ascii}
    return options + [flag for flag, on in flags.items() if on]
