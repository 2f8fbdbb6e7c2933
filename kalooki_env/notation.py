"""Move texts: reading and writing the moves that people type, print and record.

`parse_move` raises NotationError for a text that is not a move at all. A move that is one, but that
no rules would ever allow (a meld of mixed suits), parses; its meld says why in `problem`. What
depends on the meld it names on the table is checked by `check_target`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from kalooki_env.cards import JOKER
from kalooki_env.engine.layout import RUN, SET
from kalooki_env.errors import NotationError
from kalooki_env.meld_notation import (
    Meld,
    MeldCard,
    make_meld,
    meld_points,
    meld_problem,
    parse_meld,
    parse_meld_card,
    parse_table_meld,
    table_meld_text,
)

__all__ = [
    "KINDS",
    "Meld",
    "MeldCard",
    "Move",
    "check_target",
    "make_meld",
    "meld_points",
    "meld_problem",
    "move_text",
    "parse_meld",
    "parse_meld_card",
    "parse_move",
    "parse_table_meld",
    "table_meld_text",
]

DRAW, TAKE, MELD, ADD, SWAP, DISCARD = "draw", "take", "meld", "add", "swap", "discard"
ANNOUNCE, SILENT, BUY_IN, DROP_OUT = "announce", "silent", "buy in", "drop out"
KINDS = (DRAW, TAKE, MELD, ADD, SWAP, DISCARD, ANNOUNCE, SILENT, BUY_IN, DROP_OUT)
"""The kinds of move; each is the word or words that its text starts with."""
LOW, HIGH = "low", "high"

_BARE = (DRAW, TAKE, ANNOUNCE, SILENT, BUY_IN, DROP_OUT)
_EXAMPLES = {
    MELD: "meld 5C *6C 7C",
    ADD: "add 8C @2",
    SWAP: "swap 6C @2",
    DISCARD: "discard 4H",
}


@dataclass(frozen=True)
class Move:
    """One move as a person names it."""

    kind: str
    """One of `KINDS`."""
    cards: tuple[MeldCard, ...] = ()
    """Cards of an add, swap (by suit) or discard; those of a meld are in `meld`."""
    meld: Meld | None = None
    """The meld that is laid."""
    target: int | None = None
    """Number of the table meld, from 1, of an add or swap."""
    end: str | None = None
    """"low" or "high" where the text says which ace is meant."""

    @property
    def card(self) -> int:
        """Card type of the first card, of a joker 52: what leaves the hand."""
        first = self.cards[0]
        return JOKER if first.joker else first.card


def parse_move(text: str) -> Move:
    """Return the move of a text, in any case and spacing; raise NotationError if it is none."""
    if not isinstance(text, str):
        raise NotationError(f"expected the text of a move, got {text!r}")
    words = text.split()
    plain = " ".join(words).lower()
    if plain in _BARE:
        return Move(plain)
    kind = words[0].lower() if words else ""
    if kind == MELD:
        return _parse_with(text, lambda: Move(MELD, meld=parse_meld(" ".join(words[1:]))))
    if kind == DISCARD:
        return _parse_with(text, lambda: _parse_discard(words[1:]))
    if kind in (ADD, SWAP):
        return _parse_with(text, lambda: _parse_targeted(kind, words[1:]))
    raise NotationError(
        f'expected a move that starts with {", ".join(KINDS[:-1])} or {KINDS[-1]}, got "{text}"'
    )


def move_text(move: Move) -> str:
    """Return the canonical text of a move; parsing it gives an equal move."""
    if move.kind == MELD:
        return f"{MELD} {move.meld.text}"
    words = [move.kind, *(card.text for card in move.cards)]
    if move.target is not None:
        words.append(f"@{move.target}")
    if move.end is not None:
        words.append(move.end)
    return " ".join(words)


def check_target(move: Move, kind: int) -> None:
    """Raise NotationError if an added joker is written in the wrong way for its table meld.

    `kind` is RUN or SET. On a run a joker is written with its card, on a set bare.
    """
    if move.kind != ADD or not move.cards[0].joker:
        return
    card = move.cards[0]
    if kind == RUN and card.is_bare:
        raise NotationError(
            f'"{move_text(move)}": expected a joker on a run written with its card such as *8C, '
            'got "*"'
        )
    if kind == SET and not card.is_bare:
        raise NotationError(
            f'"{move_text(move)}": expected a joker on a set written as *, got "{card.text}"'
        )


def _parse_with(text: str, parse: Callable[[], Move]) -> Move:
    """Run a parser and put the whole text in front of what it finds wrong."""
    try:
        return parse()
    except NotationError as error:
        raise NotationError(f'"{" ".join(text.split())}": {error}') from None


def _parse_discard(words: list[str]) -> Move:
    cards = [parse_meld_card(word) for word in words]
    if len(cards) != 1:
        raise NotationError(f"expected one card as in {_EXAMPLES[DISCARD]}, got {len(cards)}")
    if cards[0].joker and not cards[0].is_bare:
        raise NotationError(f'expected a discarded joker written as *, got "{cards[0].text}"')
    return Move(DISCARD, tuple(cards))


def _parse_targeted(kind: str, words: list[str]) -> Move:
    """Parse the words after `add` or `swap`: cards, @number and perhaps low or high."""
    end = words.pop().lower() if words and words[-1].lower() in (LOW, HIGH) else None
    if not words or not words[-1].startswith("@"):
        raise NotationError(
            f"expected the table meld last as in {_EXAMPLES[kind]}, got no @ and number"
        )
    number = words.pop()[1:]
    readable = number.isascii() and number.isdigit() and len(number) <= 4
    if not readable or int(number) == 0:
        raise NotationError(
            f'expected the number of a table meld from 1 as in @2, got "@{number[:20]}"'
        )
    cards = [parse_meld_card(word) for word in words]
    if kind == ADD and len(cards) != 1:
        raise NotationError(f"expected one card as in {_EXAMPLES[ADD]}, got {len(cards)}")
    if kind == SWAP:
        cards = _check_swap(cards, end)
    return Move(kind, tuple(cards), target=int(number), end=end)


def _check_swap(cards: list[MeldCard], end: str | None) -> list[MeldCard]:
    if len(cards) not in (1, 2):
        raise NotationError(f"expected one card or two as in {_EXAMPLES[SWAP]}, got {len(cards)}")
    joker = next((card for card in cards if card.joker), None)
    if joker is not None:
        raise NotationError(f'expected natural cards to be given for a joker, got "{joker.text}"')
    if end is not None and len(cards) == 2:
        raise NotationError(f"expected {end} only after a swap of one card, got two cards")
    return sorted(cards)
