"""The option `--set`, which changes a knob of the rules."""

import argparse
import tomllib
from collections.abc import Sequence

from kalooki_env.errors import RulesError, shown
from kalooki_env.files import read_json

EXAMPLE = "--set opening_points=51"


def add_knobs(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="knobs",
        metavar="KNOB=VALUE",
        help="change a knob; the value as in JSON or TOML, or a bare word; may be repeated",
    )


def read_knobs(settings: Sequence[str]) -> dict[str, object]:
    """Read texts such as `opening_points=51` into knobs and values; the last of a knob counts.

    A value is JSON, else TOML, else a bare word; none is null. Raises RulesError for anything else.
    """
    knobs = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or not name.strip() or not text.strip():
            raise RulesError(f"--set: expected KNOB=VALUE such as {EXAMPLE}, got {shown(setting)}")
        knobs[name.strip()] = _read_value(text.strip(), setting)
    return knobs


def _read_value(text: str, setting: str) -> object:
    words = {"none": None, "null": None, "true": True, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    try:
        return read_json(text)
    except ValueError:
        pass
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, KeyError, RecursionError):
        pass
    if text.replace("_", "").isalnum():
        return text
    raise RulesError(
        f"--set: expected a value as in JSON or TOML, or a bare word, got {shown(text)}: "
        f'write it like {EXAMPLE} or --set \'contracts=["33", "34"]\''
    )
