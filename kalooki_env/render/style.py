"""How cards and words look on a terminal: suit symbols or letters, colours or none."""

import io
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TextIO

from kalooki_env.cards import SUITS

SYMBOLS = "♣♦♥♠"
_ACE_HIGH = "23456789TJQKA"
_CARD = re.compile(r"(?<![\w*])(?:\*?[A2-9TJQK][CDHS]|\*)(?!\w)")
_RED, _JOKER, _BOLD, _DIM, _OFF = "\x1b[31m", "\x1b[35m", "\x1b[1m", "\x1b[2m", "\x1b[0m"


@dataclass(frozen=True)
class Style:
    """What the screen can show. Plain letters without colour are the default."""

    symbols: bool = False
    color: bool = False

    def cards(self, text: str) -> str:
        """Write every card of a text the way this style shows cards."""
        return _CARD.sub(lambda match: self._card(match.group()), text)

    def bold(self, text: str) -> str:
        """Stress a text."""
        return f"{_BOLD}{text}{_OFF}" if self.color else text

    def dim(self, text: str) -> str:
        """Take a text back."""
        return f"{_DIM}{text}{_OFF}" if self.color else text

    def line(self) -> str:
        """Return the character that rules are drawn with."""
        return "─" if self.symbols else "-"

    def _card(self, card: str) -> str:
        shown = card
        if self.symbols and card != "*":
            shown = card[:-1] + SYMBOLS[SUITS.index(card[-1])]
        if not self.color:
            return shown
        if card.startswith("*"):
            return f"{_JOKER}{shown}{_OFF}"
        return f"{_RED}{shown}{_OFF}" if card[-1] in "DH" else shown


def is_dumb() -> bool:
    """Tell whether the terminal knows no control sequences, by the variable TERM."""
    return os.environ.get("TERM", "").lower() in ("dumb", "unknown")


def prepare(stream: TextIO, ascii_only: bool = False) -> Style:
    """Choose the style for a stream that writes names and paths of others as well.

    What it cannot write, or what is not ASCII where that alone is wanted, is written as an escape
    such as `\\xe4` from now on.
    """
    style = style_of(stream, ascii_only)
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(
            encoding="ascii" if ascii_only else stream.encoding, errors="backslashreplace"
        )
    return style


def style_of(stream: TextIO, ascii_only: bool = False) -> Style:
    """Choose the style for a stream: symbols if it can write them, colours if it is a terminal.

    The environment variable NO_COLOR, set to anything, turns colours off.
    """
    symbols = not ascii_only
    try:
        (SYMBOLS + "─").encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        symbols = False
    plain = os.environ.get("NO_COLOR") or is_dumb()
    return Style(symbols=symbols, color=stream.isatty() and not plain)


def group_cards(cards: Iterable[str], key: str = "suit") -> list[list[str]]:
    """Sort a hand into groups: by suit, or by rank; aces high, jokers last.

    Args:
        cards: card texts such as `5C` and `*`.
        key: "suit" or "rank".
    """
    groups: dict[object, list[str]] = {}
    order = sorted(cards, key=lambda card: _place(card, key))
    for card in order:
        groups.setdefault(_place(card, key)[0], []).append(card)
    return list(groups.values())


def _place(card: str, key: str) -> tuple[int, int]:
    if card == "*":
        return (99, 0)
    rank, suit = _ACE_HIGH.index(card[0]), SUITS.index(card[1])
    return (suit, rank) if key == "suit" else (rank, suit)
