"""The weights of the heuristic: one table for each preset and number of seats it was tuned at.

They are data, `weights.json`, written by `python -m training.heuristic`.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ...rules import Rules
from .layout import FEATURES, ROWS

PATH = Path(__file__).with_name("weights.json")
ALIKE = (
    ("contracts", 8.0),
    ("discard_before_opening", 4.0),
    ("melds_per_turn", 2.0),
    ("opening_points", 1.0),
    ("layoff_limit", 1.0),
    ("ace", 0.5),
    ("jokers", 0.5),
)
"""Knobs that make two variants play differently, and how much each counts."""


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, Any]]:
    data = json.loads(PATH.read_text())
    if tuple(data["features"]) != FEATURES:
        raise ValueError(f"expected weights of the features {FEATURES}, got {data['features']}")
    return data["weights"]


def weights_for(rules: Rules, seats: int) -> np.ndarray:
    """Return the weights to play with: float64[ROWS, N].

    Those of the preset that is played, else of the preset most like it; of the number of seats that
    is nearest.
    """
    tables = _tables()
    name = rules.name if rules.name in tables else min(tables, key=lambda n: _unlike(rules, n))
    by_seats = tables[name]
    nearest = min(by_seats, key=lambda n: abs(int(n) - seats))
    return np.array(by_seats[nearest], dtype=np.float64).reshape(ROWS, len(FEATURES))


def _unlike(rules: Rules, name: str) -> float:
    """Return how much the rules differ from a preset."""
    preset = Rules.preset(name)
    return sum(
        weight
        for knob, weight in ALIKE
        if (getattr(rules, knob) is None) != (getattr(preset, knob) is None)
        or (knob != "contracts" and getattr(rules, knob) != getattr(preset, knob))
    )
