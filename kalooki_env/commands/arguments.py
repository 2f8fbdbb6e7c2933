"""Kinds of argument that several commands share."""

import argparse


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    return _whole(text, 1)


def not_negative(text: str) -> int:
    """Read a whole number of at least 0."""
    return _whole(text, 0)


def port(text: str) -> int:
    """Read the number of a port."""
    return _whole(text, 1, 65535)


def _whole(text: str, least: int, most: int | None = None) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least or (most is not None and number > most):
        wanted = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise argparse.ArgumentTypeError(f"expected a whole number {wanted}, got {text!r}")
    return number


def add_table(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which game is played."""
    parser.add_argument(
        "--rules",
        default="british",
        metavar="PRESET",
        help="preset of the rules (default: %(default)s)",
    )
    parser.add_argument(
        "--seats",
        type=positive,
        default=2,
        metavar="N",
        help="seats at the table (default: %(default)s)",
    )
