"""Altering what a file says: one value somewhere in it becomes another, goes, or comes twice."""

import copy
import json
from random import Random
from typing import Any

GIANT, DEEP, NAN, INFINITE = "@@giant@@", "@@deep@@", "@@nan@@", "@@infinite@@"
"""Stand in a value for what `to_json` writes in their place and no Python value is."""
_WRITTEN = {
    GIANT: "9" * 5000,
    DEEP: "[" * 20_000 + "]" * 20_000,
    NAN: "NaN",
    INFINITE: "Infinity",
}

WRONG = (
    None, True, False, 0, 1, -1, 2, 7, 255, 256, 2**31, 2**63, 2**64, -(2**63) - 1, 10**30, 1.5, -0.0,
    1e300, "", "x", "\0", "\x1b[2J", "\ud800", "~nosuchuser", "../../..", "/dev/zero", "*", "british",
    "9" * 400, "x" * 9000, [], {}, [[]], [None], ["x"] * 300, {"": {}}, {"x": 1}, [0] * 99,
    GIANT, DEEP, NAN, INFINITE,
)  # fmt: skip


def alter(rng: Random, tree: Any) -> Any:
    """Return a copy of lists and mappings with one to three changes."""
    tree = copy.deepcopy(tree)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        places = list(_places(tree))
        if not places:
            return copy.deepcopy(rng.choice(WRONG))
        owner, key = rng.choice(places)
        _change(rng, owner, key, tree, places)
    return tree


def _change(rng: Random, owner: Any, key: Any, tree: Any, places: list[tuple[Any, Any]]) -> None:
    """Change what stands at one place."""
    match rng.randrange(8):
        case 0:
            del owner[key]
        case 1 if isinstance(owner, dict):
            owner[rng.choice(("x", "", "\0", str(key).upper(), "__class__"))] = owner.pop(key)
        case 1 | 2 if isinstance(owner, list):
            owner.insert(key, copy.deepcopy(owner[key]))
        case 3:
            other, place = rng.choice(places)
            owner[key] = copy.deepcopy(other[place])
        case 4 if type(owner[key]) is int:
            owner[key] += rng.choice((-1, 1, 2, 100))
        case 5 if isinstance(owner[key], str) and owner[key]:
            text, at = owner[key], rng.randrange(len(owner[key]))
            owner[key] = text[:at] + rng.choice(("", "\0", " ", "*", "2", "é")) + text[at + 1 :]
        case _:
            owner[key] = copy.deepcopy(rng.choice(WRONG))


def _places(tree: Any, depth: int = 0) -> Any:
    """Yield (owner, key) of every value in a tree."""
    if isinstance(tree, dict | list) and depth < 20:
        for key in list(tree) if isinstance(tree, dict) else range(len(tree)):
            yield tree, key
            yield from _places(tree[key], depth + 1)


def to_json(value: Any, **options: Any) -> str:
    """Write JSON, and in place of their names what no Python value is."""
    text = json.dumps(value, **options)
    for name, written in _WRITTEN.items():
        text = text.replace(f'"{name}"', written)
    return text
