"""The `kalooki` command: one module of `kalooki_env.commands` for each word after it."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from kalooki_env.errors import KalookiError

COMMANDS = ("play", "train", "evaluate", "ladder", "replay", "bench", "cases", "rules", "compile")
BAD_USAGE = 2
INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line that says what to do."""

    def error(self, message: str) -> NoReturn:
        """Print the error and leave with exit code 2."""
        self.exit(BAD_USAGE, f"{self.prog}: {message} (see '{self.prog} --help')\n")


def build_parser() -> argparse.ArgumentParser:
    """Build the parser of every command; nothing heavy is imported for it."""
    parser = Parser(
        prog="kalooki",
        description="Kalooki (rummy with jokers): play it, train agents on it, measure them.",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = importlib.import_module(f"kalooki_env.commands.{name}")
        summary, _, description = (module.__doc__ or name).strip().partition("\n\n")
        command = commands.add_parser(
            name,
            help=summary.rstrip("."),
            description=f"{summary}\n\n{description}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: the words after `kalooki`; those of the process if not given.

    Returns:
        the exit code: 0, 1 where a command says so, 2 for bad usage, 130 after Ctrl-C.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    args = build_parser().parse_args(argv)
    try:
        code = args.run(args)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has left: what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"kalooki {args.command}: {error}", file=sys.stderr)
        return BAD_USAGE
    except KalookiError as error:
        print(f"kalooki {args.command}: {' '.join(str(error).split())}", file=sys.stderr)
        return BAD_USAGE


if __name__ == "__main__":
    sys.exit(main())
