"""What a game was made with: the package's version and the values of its rules.

A preset is a name for values that a later version may change; a record that gave the name alone
would then be played by other rules than those it tells of.
"""

import functools
import json
from collections.abc import Mapping
from typing import Any

from kalooki_env import __version__
from kalooki_env.errors import RecordError, shown
from kalooki_env.rules import PRESETS, Rules

Made = Mapping[str, Any]

NOW: Made = {}
"""Stands for what a game is made with that is written here and now."""

_FIRST = {
    "british": "bef5f94a86c052b6",
    "european": "8ad186e7b32d1da2",
    "north_american": "0584800e09b20cd0",
    "kalooki40": "fd747ff06f2489a8",
    "double_deck": "608fcac6c118bd0b",
    "contract": "dbb389c8221ea0e7",
    "hunt51": "374992b4a13770bf",
    "ring51": "44f410b1749ad143",
    "tournament51": "07e1648a29dc305e",
}
"""Digests of the presets that the first records were made with, which named them alone."""


@functools.lru_cache
def made_now(rules: Rules) -> Made:
    """Return what a game of these rules is made with here: version and values, as JSON has them."""
    return {"version": __version__, "values": json.loads(json.dumps(rules.to_dict()))}


def check_made(made: Made | None, rules: Rules) -> None:
    """Raise RecordError where a game was made with other values than its rules have here.

    Args:
        made: what the record says; None: nothing, it is one of the first.
        rules: what its preset and changed knobs are here.
    """
    if made is None:
        preset, _ = rules.changes()
        if preset in _FIRST and PRESETS[preset].digest() != _FIRST[preset]:
            raise RecordError(
                f"expected the values of the preset {preset} as they are here, got a game of a "
                "version that had others: use the version of kalooki that wrote it"
            )
        return
    here, there = made_now(rules)["values"], made["values"]
    other = [knob for knob in there if knob not in here or here[knob] != there[knob]]
    if other:
        knob = other[0]
        more = f" and {len(other) - 1} more" if len(other) > 1 else ""
        ours = f"{knob} {json.dumps(here[knob])}" if knob in here else f"no knob {shown(knob)}"
        raise RecordError(
            f"expected {rules.name} as it is here, with {ours}, got a game made by kalooki "
            f"{shown(made['version'])} with {shown(there[knob])}{more}: use that version"
        )
