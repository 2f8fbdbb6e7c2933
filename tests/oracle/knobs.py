"""Draw rules at random, each knob at its extremes now and then, and say which can't be played."""

from __future__ import annotations

import random
from typing import Any

from .cards import full_pack
from .match import knocks_out, last_deal
from .rules import PRESETS, Rules, dealt_cards, make_rules

KNOBS: dict[str, tuple[Any, ...]] = {
    "decks": (1, 2),
    "jokers": (0, 1, 2, 3, 4),
    "suits": (1, 2, 3, 4),
    "hand_size": (3, 5, 8, 13, 16, 17, {2: 17, 3: 13, 4: 9}, {2: 6, 3: 5, 4: 4, 5: 3, 6: 3}),
    "ace": ("high", "both"),
    "opening_points": (0, 1, 30, 51, 90, 200),
    "discard_before_opening": ("free", "to_open", "never"),
    "first_turn_take": (False, True),
    "melds_per_turn": (None, 0, 1, 2, 5),
    "layoff_limit": (None, 1, 2, 3),
    "layoff_scope": ("end", "meld", "turn"),
    "announce": ("auto", "manual", "off"),
    "max_rebuilds": (None, 0, 1, 3),
    "kalooki_penalty": (0, 25),
    "scoring": ("penalty", "collect"),
    "match": ("pool", "lowest", "highest", "ring", "elimination", "points"),
    "out_above": (None, 0, 40, 150),
    "target": (None, 1, 60),
    "deals": (None, 1, 3),
    "buy_ins": (0, 1, 100),
    "initial": (0, 1, 7, 1_000_000),
    "call_up": (0, 3),
    "kalooki": (0, 4, 1000),
    "buy_in": (0, 5),
    "ring_payout": ("each", "split25"),
    "turn_cap": (None, None, None, 1, 30),
    "max_seats": (4, 6),
}
"""Values to draw from; those of cards and points are few, as each needs a table of the solver."""
POINTS = (
    {"ace_points": 0, "ace_low_points": 0, "ace_penalty": 0, "joker_penalty": 0},
    {"ace_points": 100, "ace_low_points": 100, "ace_penalty": 100, "joker_penalty": 100},
)
CONTRACTS = ("3", "4", "33", "34", "44", "334", "3344", "4444")


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Return a preset with some of its knobs turned, as a mapping."""
    rules: dict[str, Any] = {"preset": rng.choice(sorted(PRESETS))}
    share = rng.choice((0.1, 0.25, 0.6))
    rules |= {name: rng.choice(KNOBS[name]) for name in KNOBS if rng.random() < share}
    if rng.random() < 0.15:
        rules |= rng.choice(POINTS)
    if rng.random() < 0.2:
        rules["ranks"] = rng.choice((5, 9))
    if rng.random() < 0.2:
        rules["contracts"] = rng.sample(CONTRACTS, rng.randint(1, 5))
    if rng.random() < 0.3:
        # A pack for study is dealt in small hands and opened with little.
        rules["hand_size"], rules["opening_points"] = rng.choice((3, 4, 6)), rng.choice((0, 9, 20))
    return rules


def is_refused(mapping: dict[str, Any], seats: int) -> bool:
    """Tell whether no match of these rules can be played at a table of so many seats."""
    rules = make_rules(mapping)
    contracts = rules.contracts or ()
    if contracts and rules.deals is not None and rules.deals > len(contracts):
        return True
    if rules.min_seats > rules.max_seats or not rules.min_seats <= seats <= rules.max_seats:
        return True
    if rules.match != "ring" and last_deal(rules) is None and not _has_limit(rules):
        return True
    dealt = contracts_played(rules)
    smaller = range(2, seats) if knocks_out(rules) and last_deal(rules) != 1 else ()
    return not (
        all(_can_be_dealt(rules, seats, deal) for deal in dealt)
        # Nobody is out of the match before its second deal.
        and all(_can_be_dealt(rules, t, deal) for t in smaller for deal in dealt[1:] or dealt)
    )


def contracts_played(rules: Rules) -> list[int]:
    """List the contracts that a match plays, by number; without contracts the first deal alone."""
    if rules.contracts is None:
        return [1]
    return list(range(1, last_deal(rules) + 1))


def _can_be_dealt(rules: Rules, seats: int, deal: int) -> bool:
    """Tell whether the pack has hands, up-card and one card of stock for each seat in a deal."""
    if isinstance(rules.hand_size, dict) and seats not in rules.hand_size:
        return False
    return seats * dealt_cards(rules, seats, deal) + 1 + seats <= len(full_pack(rules))


def _has_limit(rules: Rules) -> bool:
    """Tell whether a total can end a match of this kind."""
    if rules.match in ("pool", "elimination"):
        return rules.out_above is not None
    return rules.match in ("lowest", "points") and rules.target is not None
