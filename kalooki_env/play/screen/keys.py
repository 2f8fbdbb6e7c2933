"""The keys of the table, for the page of help."""

import textwrap
from collections.abc import Iterator, Sequence

from rich.text import Text

from kalooki_env.play.screen.palette import COLORS

_GROUPS = (
    (
        "Your cards (or click them)",
        ("← →", "along them; Home, End"),
        ("Space ↑", "select one, ↓ not"),
        ("s", "sort by suit or rank"),
        ("Esc", "select nothing"),
    ),
    (
        "Your turn (or click the stock, the pile, a meld, a button)",
        ("d", "draw from the stock"),
        ("t", "take the pile's top"),
        ("m", "lay the cards as a meld"),
        ("l", "lay the card off"),
        ("w", "swap it for its joker"),
        ("1 2 3", "lay off, swap there"),
        ("Tab", "go to the melds: ← →"),
        ("Enter", "lay off, swap there"),
        ("x", "discard: the turn ends"),
        ("u", "undo"),
        ("y n", "answer a question"),
    ),
    (
        "Looking",
        ("/", "legal moves: find, type"),
        ("c", "coach, or a review"),
        ("p", "the discard pile"),
        ("g", "the log of this deal"),
        ("h", "the score sheet"),
        ("r", "the rules"),
    ),
    (
        "The table",
        ("+ -", "opponents faster, slower"),
        ("q", "leave and keep the match"),
    ),
)
_LAST = """\
Undo takes moves of this turn back, one by one: not the draw from the stock, nor a discard.
A move that the rules forbid is refused with the reason: just try.
kalooki play --continue goes on with a match that was left."""


def keys(width: int) -> Text:
    """Write what the keys do on a page of `width` cells, short lines two in a row."""
    text = Text()
    for title, *lines in _GROUPS:
        text.append(f"{title}\n", style=f"bold {COLORS['gold']}")
        text.append("\n".join(_rows(lines, width)) + "\n\n")
    return text.append(_LAST)


def _rows(lines: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Yield the rows of a group."""
    half, waiting = width // 2, ""
    for key, words in lines:
        line = f" {key:<8}{words}"
        if waiting and len(line) <= half:
            yield f"{waiting:<{half}}{line}"
            waiting = ""
            continue
        if waiting:
            yield waiting
            waiting = ""
        if len(line) < half:
            waiting = line
        else:
            yield from textwrap.wrap(line, width, subsequent_indent=" " * 9, drop_whitespace=True)
    if waiting:
        yield waiting
