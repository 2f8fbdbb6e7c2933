"""The values that the knobs of `Rules` may have, and checks that name the knob and say why not."""

from collections.abc import Iterable, Mapping

from kalooki_env.checks import close_names, whole
from kalooki_env.engine.layout import CONTRACT_MELDS, MAX_CONTRACTS, MAX_SEATS, UNLIMITED
from kalooki_env.errors import RulesError, shown

MONEY = (0, 1_000_000)
RANGES: dict[str, tuple[int, int]] = {
    "decks": (1, 2),
    "jokers": (0, 4),
    "ranks": (5, 13),
    "suits": (1, 4),
    "min_seats": (2, MAX_SEATS),
    "max_seats": (2, MAX_SEATS),
    "ace_points": (0, 100),
    "ace_low_points": (0, 100),
    "ace_penalty": (0, 100),
    "joker_penalty": (0, 100),
    "opening_points": (0, 200),
    "melds_per_turn": (0, UNLIMITED - 1),
    "layoff_limit": (1, UNLIMITED - 1),
    "max_rebuilds": (0, UNLIMITED - 1),
    "out_above": MONEY,
    "target": (1, 1_000_000),
    "deals": (1, 1_000_000),
    "buy_ins": (0, 100),
    "initial": MONEY,
    "call_up": MONEY,
    "kalooki": MONEY,
    "buy_in": MONEY,
    "turn_cap": (1, 1_000_000),
}
"""Smallest and largest value of the knobs that are whole numbers."""
NULLABLE = {
    "melds_per_turn",
    "layoff_limit",
    "max_rebuilds",
    "out_above",
    "target",
    "deals",
    "turn_cap",
}
"""Whole numbers that may be None: no limit."""
WORDS: dict[str, tuple[str, ...]] = {
    "ace": ("high", "both"),
    "discard_before_opening": ("free", "to_open", "never"),
    "layoff_scope": ("end", "meld", "turn"),
    "announce": ("off", "auto", "manual"),
    "scoring": ("penalty", "collect"),
    "match": ("pool", "lowest", "highest", "ring", "elimination", "points"),
    "ring_payout": ("each", "split25"),
}
"""Values of the knobs that are words, in the order of the engine's codes."""
HAND_SIZES = (3, 17)


def check_names(given: Iterable[str], known: tuple[str, ...]) -> None:
    """Raise RulesError for the first name that is not a knob, with the close ones."""
    for name in given:
        if name not in known:
            hint = close_names(name, known) or f"; the knobs are {', '.join(known)}"
            raise RulesError(f"expected a knob of Rules, got {shown(name)}{hint}")


def checked_int(field: str, value: object, low: int, high: int) -> int | None:
    """Return a number in a range as a plain int, or None where the field may be null."""
    return whole(field, value, low, high, null=field in NULLABLE)


def checked_word(field: str, value: object) -> str:
    """Return a value that is one of the words of a knob."""
    if not isinstance(value, str) or value not in WORDS[field]:
        raise RulesError(f"{field}: expected one of {', '.join(WORDS[field])}, got {shown(value)}")
    return value


def checked_hand_size(value: object) -> int | tuple[tuple[int, int], ...]:
    """Return a hand size as a number or as sorted pairs of (seats, cards)."""
    if not isinstance(value, Mapping | tuple | list):
        return checked_int("hand_size", value, *HAND_SIZES)
    try:
        pairs = dict(value)
        # The keys of a mapping come back from JSON as texts.
        pairs = {int(key) if isinstance(key, str) else key: size for key, size in pairs.items()}
    except (TypeError, ValueError):
        pairs = {}
    if not pairs:
        raise RulesError(
            f"hand_size: expected a whole number or seats with their cards, got {shown(value)}"
        )
    checked = {
        checked_int("hand_size, seats", seats, 2, MAX_SEATS): checked_int(
            f"hand_size for {seats} seats", size, *HAND_SIZES
        )
        for seats, size in pairs.items()
    }
    return tuple(sorted(checked.items()))


def checked_contracts(value: object) -> tuple[str, ...] | None:
    """Return the contracts as a tuple of texts, or None."""
    if value is None:
        return None
    texts = tuple(value) if isinstance(value, list | tuple) else ()
    good = all(
        isinstance(text, str) and 1 <= len(text) <= CONTRACT_MELDS and set(text) <= {"3", "4"}
        for text in texts
    )
    if not good or not 1 <= len(texts) <= MAX_CONTRACTS:
        raise RulesError(
            f"contracts: expected None or a list of 1-{MAX_CONTRACTS} texts of 1-{CONTRACT_MELDS} "
            f'digits 3 (set) and 4 (run) such as "334", got {shown(value)}'
        )
    return texts
