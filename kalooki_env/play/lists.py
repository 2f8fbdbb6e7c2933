"""Lists of moves that stay short however many there are, and the moves a person types."""

from collections.abc import Sequence

from kalooki_env.render.style import SYMBOLS

PER_GROUP = 12
"""Moves shown of each kind; the rest is counted."""

_WIDTH = 78
_KINDS = (
    ("draw", "Draw"),
    ("take", "Draw"),
    ("meld", "Lay a meld"),
    ("add", "Lay off"),
    ("swap", "Swap a joker"),
    ("discard", "Discard"),
)
_SHORT = {"t": "take", "m": "meld", "a": "add", "s": "swap", "x": "discard"}
_SUIT_LETTERS = str.maketrans(SYMBOLS + "♧♢♡♤", "CDHSCDHS")


def grouped(moves: Sequence[str], per_group: int = PER_GROUP) -> tuple[list[str], list[str]]:
    """Write a list of moves by kind, numbered, at most `per_group` of a kind.

    Returns:
        the lines, and the moves that got a number, the first being number 1.
    """
    groups: dict[str, list[str]] = {}
    for move in moves:
        verb = move.partition(" ")[0]
        groups.setdefault(dict(_KINDS).get(verb, "Choose"), []).append(move)
    lines: list[str] = []
    numbered: list[str] = []
    for title, members in groups.items():
        lines.append(f"  {title}")
        first = len(numbered) + 1
        numbered += members[:per_group]
        lines += _columns([f"{n:>3}  {move}" for n, move in enumerate(members[:per_group], first)])
        hidden = len(members) - per_group
        if hidden > 0:
            words = " ".join(members[0].split()[:2])
            lines.append(f"       ... and {hidden:,} more; narrow the list, as in: moves {words}")
    return lines, numbered


def _columns(items: Sequence[str]) -> list[str]:
    """Set short items side by side, read from left to right."""
    wide = max(map(len, items)) + 3
    per_line = max(1, (_WIDTH - 2) // wide)
    return [
        "  " + "".join(f"{item:<{wide}}" for item in items[start : start + per_line]).rstrip()
        for start in range(0, len(items), per_line)
    ]


def expand(text: str) -> str:
    """Read what a person types as a move: suit symbols as letters, short verbs written out.

    `d` alone draws and with a card discards; `x`, `m`, `a`, `s`, `t` are discard, meld, add, swap
    and take.
    """
    words = text.translate(_SUIT_LETTERS).split()
    if not words:
        return ""
    verb = words[0].lower()
    if verb == "d":
        words[0] = "discard" if len(words) > 1 else "draw"
    else:
        words[0] = _SHORT.get(verb, verb)
    return " ".join(words)
