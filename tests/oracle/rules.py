"""The knobs of the game and the nine presets, typed in from section 4 of the rules."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any


class RulesError(ValueError):
    """Say which knob is unknown or wrong."""


@dataclass(frozen=True)
class Rules:
    """Hold one value for every field of the rules; the defaults are those of `british`."""

    decks: int = 2
    jokers: int = 2
    ranks: int = 13
    suits: int = 4
    min_seats: int = 2
    max_seats: int = 5
    hand_size: Any = 13
    ace: str = "high"
    ace_points: int = 11
    ace_low_points: int = 1
    ace_penalty: int = 11
    joker_penalty: int = 15
    opening_points: int = 40
    contracts: tuple[str, ...] | None = None
    discard_before_opening: str = "to_open"
    first_turn_take: bool = True
    melds_per_turn: int | None = 1
    layoff_limit: int | None = 2
    layoff_scope: str = "end"
    announce: str = "auto"
    max_rebuilds: int | None = 1
    kalooki_penalty: int = 0
    scoring: str = "penalty"
    match: str = "pool"
    out_above: int | None = 150
    target: int | None = None
    deals: int | None = None
    buy_ins: int = 2
    initial: int = 5
    call_up: int = 1
    kalooki: int = 2
    buy_in: int = 5
    ring_payout: str = "each"
    turn_cap: int | None = None


_NO_STAKES = {
    "out_above": None,
    "buy_ins": 0,
    "initial": 0,
    "call_up": 0,
    "kalooki": 0,
    "buy_in": 0,
}
_FREE = {
    "ace": "both",
    "discard_before_opening": "free",
    "first_turn_take": False,
    "melds_per_turn": None,
    "layoff_limit": None,
    "announce": "off",
    "max_rebuilds": None,
    "match": "lowest",
    **_NO_STAKES,
}
_FIFTY_ONE = {
    **_FREE,
    "joker_penalty": 25,
    "opening_points": 51,
    "max_seats": 4,
    "kalooki_penalty": 25,
}
_CONTRACTS = ("333", "334", "344", "444", "3333", "3334", "3344", "3444", "4444")

PRESETS: dict[str, dict[str, Any]] = {
    "british": {},
    "european": {"discard_before_opening": "never", "melds_per_turn": None},
    "north_american": {
        **_NO_STAKES,
        "jokers": 4,
        "max_seats": 6,
        "hand_size": {2: 15, 3: 15, 4: 15, 5: 13, 6: 11},
        "ace": "both",
        "ace_points": 15,
        "ace_low_points": 15,
        "ace_penalty": 15,
        "joker_penalty": 25,
        "opening_points": 51,
        "melds_per_turn": None,
        "scoring": "collect",
        "match": "highest",
        "deals": 1,
    },
    "kalooki40": {**_FREE, "target": 100},
    "double_deck": {**_FREE, "jokers": 4, "max_seats": 6, "target": 100},
    "contract": {
        **_FREE,
        "jokers": 4,
        "opening_points": 0,
        "contracts": _CONTRACTS,
        "melds_per_turn": 0,
        "max_rebuilds": 1,
    },
    "hunt51": {**_FIFTY_ONE, "deals": 1},
    "ring51": {**_FIFTY_ONE, "match": "ring", "initial": 100},
    "tournament51": {
        **_FIFTY_ONE,
        "match": "elimination",
        "out_above": 150,
        "target": 150,
        "initial": 100,
    },
}


def make_rules(source: Any) -> Rules:
    """Build rules from a preset name, a mapping with overrides, or rules."""
    if isinstance(source, Rules):
        return source
    if isinstance(source, str):
        source = {"preset": source}
    overrides = dict(source)
    preset = overrides.pop("preset", None) or "british"
    if preset not in PRESETS:
        raise RulesError(f"expected a preset of {sorted(PRESETS)}, got {preset!r}")
    known = {field.name for field in fields(Rules)}
    for name in overrides:
        if name not in known:
            raise RulesError(f"expected a field of the rules, got {name!r}")
    if overrides.get("contracts") is not None:
        overrides["contracts"] = tuple(str(item) for item in overrides["contracts"])
    if isinstance(overrides.get("hand_size"), dict):
        sizes = overrides["hand_size"]
        overrides["hand_size"] = {int(seats): size for seats, size in sizes.items()}
    return replace(Rules(), **{**PRESETS[preset], **overrides})


def rules_mapping(rules: Rules) -> dict[str, Any]:
    """Return every field, as a mapping that `make_rules` reads back."""
    values = {field.name: getattr(rules, field.name) for field in fields(Rules)}
    if rules.contracts is not None:
        values["contracts"] = list(rules.contracts)
    return values


def dealt_cards(rules: Rules, seats: int, deal: int) -> int:
    """Return how many cards each of the seats dealt to gets in that deal."""
    size = rules.hand_size[seats] if isinstance(rules.hand_size, dict) else rules.hand_size
    if rules.contracts is None:
        return size
    return max(size, sum(int(item) for item in rules.contracts[deal - 1]) + 1)
