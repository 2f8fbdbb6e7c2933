"""Explain the rules of a preset in plain English.

Without PRESET the presets are listed. The text is made from the values of the
rules, so it is right for every reading of them: --set changes a knob, such as
--set opening_points=51, --set layoff_limit=null, --set announce=off or
--set 'hand_size={"2": 15, "3": 13}'. docs/rules.md has all presets and the
meaning of every knob.
"""

import argparse
import shutil
from collections.abc import Sequence

from kalooki_env.commands.arguments import positive
from kalooki_env.commands.knobs import add_knobs, read_knobs
from kalooki_env.errors import RulesError

WIDEST = 100
"""Longer lines are hard to read, however wide the terminal is."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("preset", nargs="?", metavar="PRESET", help="preset to explain")
    add_knobs(parser)
    parser.add_argument(
        "--seats",
        type=positive,
        metavar="N",
        help="explain it for a table of N seats (default: all that can be dealt)",
    )
    parser.add_argument(
        "--values", action="store_true", help="print all knobs and their values instead"
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown")


def run(args: argparse.Namespace) -> int:
    """Print the list of presets, the rules of one, or its values."""
    from kalooki_env.rules import Rules
    from kalooki_env.rules_text import catalogue, explain, to_markdown, to_text

    if args.preset is None:
        if args.knobs or args.seats or args.values:
            raise RulesError(
                f"expected a preset before other options, got none: use {', '.join(catalogue.ABOUT)}"
            )
        print(_presets(args.markdown))
        return 0
    rules = Rules.preset(args.preset, **read_knobs(args.knobs))
    if args.seats is not None:
        rules.check_seats(args.seats)
    values = catalogue.values(rules, args.preset)
    title = f"Kalooki, {args.preset} rules" + _changes(values)
    if args.values:
        print(_values(title, values, args.preset, args.markdown))
    elif args.markdown:
        print(f"# {title}\n\n{to_markdown(explain(rules, args.seats))}", end="")
    else:
        width = max(20, min(shutil.get_terminal_size().columns, WIDEST))
        print(f"{title}\n\n{to_text(explain(rules, args.seats), width)}", end="")
    return 0


def _presets(markdown: bool) -> str:
    from kalooki_env.rules_text import catalogue, page

    rows = catalogue.summaries()
    if markdown:
        return page.table(catalogue.HEADINGS, rows).rstrip()
    lines = [catalogue.HEADINGS, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return "\n".join([*table, "", "kalooki rules PRESET explains one of them."])


def _changes(values: Sequence) -> str:
    """Name the knobs that differ from the preset."""
    changed = [f"{knob.name} {knob.value}" for knob in values if knob.preset is not None]
    return f" with {', '.join(changed)}" if changed else ""


def _values(title: str, values: Sequence, preset: str, markdown: bool) -> str:
    from kalooki_env.rules_text import page

    rows = [
        (
            "" if knob.preset is None else "*",
            knob.name,
            knob.value,
            "" if knob.preset is None else f"{preset}: {knob.preset}",
        )
        for knob in values
    ]
    if markdown:
        return f"# {title}\n\n" + page.table(("", "knob", "value", "preset"), rows).rstrip()
    lines = [
        f"{mark:1} {name:<23} {value:<12} {other}".rstrip() for mark, name, value, other in rows
    ]
    marked = [f"\n* differs from {preset}"] if any(row[0] for row in rows) else []
    return "\n".join([title, "", *lines, *marked])
