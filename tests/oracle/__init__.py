"""An independent, slow reading of the rules, to hold the engine against.

Written from the text of the rules alone; it shares no code with the engine.
"""

from __future__ import annotations

from typing import Any

from .cards import NotationError
from .melds import parse_meld, points
from .opening import opening_feasible
from .position import IllegalMove, Position
from .rules import PRESETS, Rules, RulesError, make_rules

__all__ = [
    "PRESETS",
    "IllegalMove",
    "NotationError",
    "Position",
    "Rules",
    "RulesError",
    "make_rules",
    "meld_points",
    "opening_feasible",
]


def meld_points(text: str, rules: Any) -> int | None:
    """Return what a meld counts towards the opening, None where it is no meld."""
    meld = parse_meld(text, make_rules(rules))
    return None if meld is None else points(meld, make_rules(rules))
