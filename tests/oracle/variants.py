"""Which presets, overrides and numbers of seats are compared, and which rare states each can reach."""

from __future__ import annotations

from typing import Any

from . import census
from .rules import PRESETS, Rules, make_rules

Override = dict[str, Any]

OVERRIDES: tuple[Override, ...] = (
    {"announce": "manual"},
    {"layoff_limit": 2, "layoff_scope": "meld"},
    {"layoff_limit": 2, "layoff_scope": "turn"},
    {"layoff_limit": 1},
    {"layoff_limit": 1, "layoff_scope": "meld", "announce": "manual"},
    {"ace": "both", "jokers": 4},
    {"ace": "high", "jokers": 3},
    {"discard_before_opening": "to_open"},
    {"discard_before_opening": "free", "first_turn_take": True},
    {"discard_before_opening": "never", "first_turn_take": True},
    {"max_rebuilds": 0},
    {"turn_cap": 30},
)
"""Other readings that every preset is compared under."""
BY_POINTS: tuple[Override, ...] = (
    {"melds_per_turn": 1, "jokers": 4},
    {"melds_per_turn": 2, "layoff_limit": 1},
    {"melds_per_turn": 0},
    {"opening_points": 0},
    {"opening_points": 90},
    {"decks": 1, "jokers": 2, "hand_size": 7},
    {"ranks": 9, "suits": 3, "hand_size": 6, "opening_points": 20},
)
"""Readings for presets that open by points."""
OF_PRESET: dict[str, tuple[Override, ...]] = {
    "british": ({"deals": 2}, {"kalooki": 5, "call_up": 3}),
    "ring51": ({"ring_payout": "split25"},),
    "tournament51": ({"match": "points"}, {"match": "points", "target": None, "deals": 2}),
    "hunt51": ({"scoring": "collect", "match": "highest"},),
    "contract": ({"deals": 3},),
}
NEED_A_LIMIT = (census.LAYOFF_LIMIT, census.DELAYED, census.SWAP_REFUSED)
"""States that are there, or are not too rare, only where lay-offs are limited."""


def name_of(preset: str, override: Override) -> str:
    """Return a short name for a preset with an override."""
    said = ", ".join(f"{key}={value}" for key, value in override.items())
    return f"{preset} ({said})" if override else preset


def rules_value(preset: str, override: Override) -> str | dict[str, Any]:
    """Return rules as a position states them."""
    return {"preset": preset, **override} if override else preset


def overrides_of(preset: str) -> list[Override]:
    """List the overrides under which a preset is compared, none first."""
    points = () if PRESETS[preset].get("contracts") else BY_POINTS
    return [{}, *OVERRIDES, *points, *OF_PRESET.get(preset, ())]


def override_for(preset: str, state: str) -> Override:
    """Return what a preset needs so that a rare state can be; nothing where it can anyway."""
    rules = make_rules(preset)
    if state == census.BARRED and rules.announce != "manual":
        return {"announce": "manual"}
    if state == census.DUTY and rules.discard_before_opening != "to_open":
        return {"discard_before_opening": "to_open"}
    if state in NEED_A_LIMIT and rules.layoff_limit is None:
        return {"layoff_limit": 2}
    if state in (census.MELD_LIMIT, census.CHAIN) and not rules.melds_per_turn:
        return {"melds_per_turn": 1}
    return {}


def quota_states(preset: str) -> list[str]:
    """List the rare states that a preset can reach, under an override at least."""
    states = list(census.QUOTAS)
    if make_rules(preset).contracts is not None:
        # Contract deals know no limit of melds: after the contract there are none.
        for state in (census.MELD_LIMIT, census.CHAIN, census.DELAYED):
            states.remove(state)
    return states


def seats_of(rules: Rules, seats: list[int]) -> list[int]:
    """List those of the numbers of seats that the rules allow."""
    return [n for n in seats if rules.min_seats <= n <= rules.max_seats]
