"""The presets side by side, and every knob: its values, what it means."""

import ast
import functools
import inspect
import json
import textwrap
from collections.abc import Mapping
from typing import NamedTuple

from kalooki_env.knobs import HAND_SIZES, NULLABLE, RANGES, WORDS
from kalooki_env.rules import PRESETS, Rules
from kalooki_env.rules_text.variant import Variant
from kalooki_env.rules_text.words import count

ABOUT = {
    "british": "Kalooki in Britain, for money",
    "european": "European Kalooki, for money",
    "north_american": "North American Kalooki",
    "kalooki40": "Kaluki Rummy, or Kalooki 40",
    "double_deck": "Double Deck Kaluki",
    "contract": "Contract Kaluki",
    "hunt51": "Kalooki 51 for penalties",
    "ring51": "Kalooki 51 as a ring game",
    "tournament51": "Kalooki 51 as a tournament",
}
"""What each preset is called by people."""


class Summary(NamedTuple):
    """A preset in one line."""

    name: str
    seats: str
    opening: str
    end: str
    about: str


HEADINGS = Summary("preset", "seats", "opens with", "the match ends with", "what it is")


def summaries() -> list[Summary]:
    """Return a line for each preset."""
    return [
        Summary(name, _seats(rules), _opening(rules), _end(Variant(rules)), ABOUT[name])
        for name, rules in PRESETS.items()
    ]


def _seats(rules: Rules) -> str:
    return f"{rules.min_seats}-{rules.max_seats}"


def _opening(rules: Rules) -> str:
    if rules.contracts:
        return "a contract"
    return count(rules.opening_points, "point") if rules.opening_points else "any meld"


def _end(v: Variant) -> str:
    best = "highest" if v.highest_wins else "lowest"
    if v.rules.match == "ring":
        return "a deal that shares out the pool"
    if v.knocks_out:
        return f"one seat at {v.rules.out_above} or less"
    if v.last_deal is None:
        return f"a total of {v.target}, {best} wins"
    return f"{count(v.last_deal, 'deal')}, {best} wins"


def knob_meanings() -> dict[str, str]:
    """Return what every knob of `Rules` means, as its source says beside it."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(Rules))).body
    assert isinstance(definition, ast.ClassDef)
    meanings = {}
    for field, text in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            assert isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
            meanings[field.target.id] = " ".join(str(text.value.value).split())
    return meanings


def knob_range(name: str) -> str:
    """Return the values that a knob may have."""
    if name in WORDS:
        return ", ".join(f'"{word}"' for word in WORDS[name])
    if name in RANGES:
        low, high = RANGES[name]
        return f"{low}-{high:,}" + (" or null" if name in NULLABLE else "")
    return {
        "hand_size": f"{HAND_SIZES[0]}-{HAND_SIZES[1]}, or such a number for each number of seats",
        "contracts": 'null, or a list of texts such as "334"',
        "first_turn_take": "true, false",
        "kalooki_penalty": "0, 25",
    }[name]


def shown(value: object) -> str:
    """Return a knob's value in the form that `kalooki rules --set` reads."""
    return value if isinstance(value, str) else json.dumps(value)


@functools.cache
def _plain(rules: Rules) -> dict[str, str]:
    return {name: shown(value) for name, value in rules.to_dict().items()}


class Value(NamedTuple):
    """A knob of a variant, and what the preset has instead where they differ."""

    name: str
    value: str
    preset: str | None


def values(rules: Rules, preset: str) -> list[Value]:
    """Return every knob with its value, and the value of `preset` where that is another."""
    own, base = _plain(rules), _plain(PRESETS[preset])
    return [Value(k, own[k], None if own[k] == base[k] else base[k]) for k in own]


def differences() -> Mapping[str, tuple[str, ...]]:
    """Return the knobs in which presets differ, each with the values of all presets."""
    every = [_plain(rules) for rules in PRESETS.values()]
    rows = {name: tuple(knobs[name] for knobs in every) for name in every[0]}
    return {name: row for name, row in rows.items() if len(set(row)) > 1}
