"""Which presets, overrides and numbers of seats are compared, and which rare states each can reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import census
from .match import knocks_out
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
    "british": ({"deals": 2}, {"kalooki": 5, "call_up": 3}, {"buy_ins": 3, "out_above": 60}),
    "european": ({"out_above": None, "deals": 3},),
    "north_american": ({"deals": 3},),
    "kalooki40": ({"deals": 3}, {"initial": 7}),
    "ring51": ({"ring_payout": "split25"}, {"initial": 7}),
    "tournament51": (
        {"match": "points"},
        {"match": "points", "target": None, "deals": 2},
        {"deals": 3, "initial": 7},
    ),
    "hunt51": ({"scoring": "collect", "match": "highest"},),
    "contract": ({"deals": 3}, {"melds_per_turn": 1}),
}
NEED_A_LIMIT = (census.LAYOFF_LIMIT, census.DELAYED, census.SWAP_REFUSED)
"""States that are there, or are not too rare, only where lay-offs are limited."""
TABLE_FOR_THREE = (census.ELIMINATED, census.BUYING_IN)
"""States that a table of two can't be in: the match would be over."""


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
    needed: Override = {}
    if state in (census.BARRED, census.ANNOUNCING) and rules.announce != "manual":
        needed["announce"] = "manual"
    if state == census.DUTY and rules.discard_before_opening != "to_open":
        needed["discard_before_opening"] = "to_open"
    if state in NEED_A_LIMIT and rules.layoff_limit is None:
        needed["layoff_limit"] = 2
    if state in (census.MELD_LIMIT, census.CHAIN) and not rules.melds_per_turn:
        needed["melds_per_turn"] = 1
    if state == census.BUYING_IN and not rules.buy_ins:
        needed |= {"buy_ins": 2, "buy_in": 5}
    return needed


def quota_states(preset: str, seats: Sequence[int]) -> list[str]:
    """List the rare states that a preset can reach at these tables, under an override at least."""
    rules = make_rules(preset)
    by_contract = rules.contracts is not None
    never = {census.HALF_OPEN if by_contract else census.CONTRACT_HALF}
    if by_contract:
        # No meld follows the contract, so a joker owed is laid off at once or never.
        never |= {census.MELD_LIMIT, census.CHAIN, census.DELAYED}
    # Elsewhere nobody is ever out of a match, and so nobody buys in.
    if not knocks_out(rules) or max(seats) < 3:
        never |= set(TABLE_FOR_THREE)
    return [state for state in census.QUOTAS if state not in never]


def seats_of(rules: Rules, seats: list[int]) -> list[int]:
    """List those of the numbers of seats that the rules allow."""
    return [n for n in seats if rules.min_seats <= n <= rules.max_seats]
