"""Melds as texts: reading one, telling a set from a run, writing it, counting its points.

A meld has the numbers that the engine's table uses (`kind`, `key`, `low`, `high`,
`jokers`): a run its suit, first and last position and the positions of its jokers as bits; a set
its rank index, natural suits as bits, number of cards and number of jokers.

A text can be readable and yet be no meld of the rules (`5C 6D 7C`). Such a move is illegal, not
unreadable: `parse_meld` then returns a meld whose `problem` says why.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from kalooki_env.cards import (
    HIGH_ACE,
    JOKER,
    JOKER_TEXT,
    LOW_ACE,
    card_text,
    joker_text,
    make_card,
    parse_card,
    position_card,
)
from kalooki_env.engine.layout import NO_MELD, RUN, SET
from kalooki_env.errors import NotationError, PositionError
from kalooki_env.rules import Rules

TOO_SHORT = "a meld has at least three cards"
SET_TOO_LONG = "a set has at most four cards"
RUN_TOO_LONG = "a run laid from the hand has at most thirteen cards"
NO_NATURAL = "a meld has at least one natural card"
SUIT_TWICE = "a set never holds one suit twice"
CARD_TWICE = "a run never holds one card twice"
MIXED_SUITS = "all cards of a run are of one suit"
NEITHER = "a meld is a set of one rank or a run of one suit"
NOT_CONSECUTIVE = "the cards of a run are consecutive"
ROUND_THE_CORNER = "a run never goes round the corner (K A 2)"
ACE_IS_HIGH = "the ace is high: a run ends with Q K A and never starts with the ace"
NOT_IN_PACK = "these rules play without {}"

_ALL_BUT_ACE = tuple(range(2, HIGH_ACE))


class MeldCard(NamedTuple):
    """A card as written in a move: natural, a joker that stands for `card`, or a bare joker."""

    card: int
    """Card type; 52 for a bare joker."""
    joker: bool = False

    @property
    def text(self) -> str:
        """The card as written: `6C`, `*6C` or `*`."""
        return joker_text(self.card) if self.joker and self.card != JOKER else card_text(self.card)

    @property
    def is_bare(self) -> bool:
        """Whether this is a joker that does not say what it stands for."""
        return self.card == JOKER


def parse_meld_card(text: str) -> MeldCard:
    """Return a card, `*6C` or `*` from its text."""
    if text.startswith(JOKER_TEXT) and len(text) > 1:
        card = parse_card(text[1:])
        if card == JOKER:
            raise NotationError(f'expected * or a joker with its card such as *6C, got "{text}"')
        return MeldCard(card, True)
    card = parse_card(text)
    return MeldCard(card, card == JOKER)


@dataclass(frozen=True)
class Meld:
    """A meld in the engine's numbers, or cards that are none and the reason (`problem`)."""

    kind: int
    """RUN or SET; NO_MELD if the cards are neither."""
    key: int
    """A run's suit, a set's rank index; -1 in a meld with a problem."""
    low: int
    """A run's first position, a set's natural suits as bits; 0 in a meld with a problem."""
    high: int
    """A run's last position, a set's number of cards; 0 in a meld with a problem."""
    jokers: int
    """A run's joker positions (bit p = position p), a set's number of jokers."""
    cards: tuple[MeldCard, ...]
    """A run's from its low end, a set's by suit and then jokers; as written with a problem."""
    problem: str | None = None
    """Why the cards are no meld that can be laid, in the words of the rules."""

    @property
    def text(self) -> str:
        """The cards as text, in the order of `cards`."""
        return " ".join(card.text for card in self.cards)

    @property
    def size(self) -> int:
        """Number of cards."""
        return len(self.cards)

    @property
    def n_jokers(self) -> int:
        """Number of jokers, in a run or a set."""
        return sum(card.joker for card in self.cards)

    @property
    def naturals(self) -> tuple[int, ...]:
        """Card types of the natural cards."""
        return tuple(card.card for card in self.cards if not card.joker)

    @property
    def suit(self) -> int:
        """A run's suit."""
        return self.key

    @property
    def rank(self) -> int:
        """A set's rank index."""
        return self.key

    @property
    def mask(self) -> int:
        """A set's natural suits as bits."""
        return self.low


def make_meld(kind: int, key: int, low: int, high: int, jokers: int) -> Meld:
    """Return the meld of the engine's numbers, with its cards in canonical order."""
    if kind == RUN:
        cards = [
            MeldCard(position_card(key, position), bool(jokers >> position & 1))
            for position in range(low, high + 1)
        ]
    else:
        cards = [MeldCard(make_card(suit, key)) for suit in range(4) if low >> suit & 1]
        cards += [MeldCard(JOKER, True)] * jokers
    return Meld(int(kind), int(key), int(low), int(high), int(jokers), tuple(cards))


def parse_meld(text: str) -> Meld:
    """Return the meld that a move lays, from its cards in any order.

    Raises NotationError if a card is unreadable, a joker is written in the wrong way for a set or a
    run, or the ace of a run of all thirteen ranks stands neither first nor last. Cards that are
    readable and no meld give a `Meld` with a `problem`.
    """
    cards = _parse_words(text)
    if _is_set(cards):
        return _read_set(cards)
    meld = _read_run(cards)
    if meld.problem is None and meld.size > 13:
        return _no_meld(RUN, cards, RUN_TOO_LONG)
    return meld


def parse_table_meld(text: str) -> tuple[int, int, int, int, int]:
    """Return (kind, key, low, high, jokers) of a meld on the table, in the engine's numbers.

    A run may have fourteen cards: of its two aces the one written first is low. Raises
    NotationError as `parse_meld` does, PositionError for cards that are no meld.
    """
    cards = _parse_words(text)
    meld = _read_set(cards) if _is_set(cards) else _read_run(cards)
    if meld.problem is not None:
        raise PositionError(f'expected a meld on the table, got "{text}": {meld.problem}')
    return meld.kind, meld.key, meld.low, meld.high, meld.jokers


def table_meld_text(kind: int, key: int, low: int, high: int, jokers: int) -> str:
    """Return the text of a meld in the engine's numbers: runs from low, sets C D H S and jokers."""
    return make_meld(kind, key, low, high, jokers).text


def meld_points(meld: Meld, rules: Rules) -> int:
    """Return the points of a meld towards the opening; a joker counts as what it stands for."""
    if meld.kind == RUN:
        return sum(rules.position_points(p) for p in range(meld.low, meld.high + 1))
    return rules.rank_points(meld.key) * meld.high if meld.kind == SET else 0


def meld_problem(meld: Meld, rules: Rules) -> str | None:
    """Return why no hand could ever lay this meld under these rules, or None.

    Covers the meld itself, the place of the ace and smaller packs; not hands, points or turns.
    """
    if meld.problem is not None:
        return meld.problem
    if meld.kind == RUN and meld.low == LOW_ACE and rules.low_position > LOW_ACE:
        return ACE_IS_HIGH
    if meld.kind == SET and meld.high > rules.suits:
        return f"a set has at most {rules.suits} cards, one of each suit of the pack"
    pack = rules.deck_counts()
    for card in meld.cards:
        if pack[card.card] == 0:
            return NOT_IN_PACK.format("jokers" if card.is_bare else card_text(card.card))
        if card.joker and pack[JOKER] == 0:
            return NOT_IN_PACK.format("jokers")
    return None


def _parse_words(text: str) -> list[MeldCard]:
    cards = [parse_meld_card(word) for word in text.split()]
    if not cards:
        raise NotationError('expected the cards of a meld such as "5C *6C 7C", got none')
    return cards


def _no_meld(kind: int, cards: Iterable[MeldCard], problem: str) -> Meld:
    return Meld(kind, -1, 0, 0, 0, tuple(cards), problem)


def _is_set(cards: list[MeldCard]) -> bool:
    """Tell a set from a run; raise NotationError where the jokers are written for the other."""
    bare = any(card.is_bare for card in cards)
    declared = next((card for card in cards if card.joker and not card.is_bare), None)
    if bare and declared:
        raise NotationError(
            "expected jokers written alike, * in a set or with their card in a run, "
            f"got * and {declared.text}"
        )
    named = [card.card for card in cards if not card.is_bare]
    naturals = [card.card for card in cards if not card.joker]
    if declared:
        if _is_one_rank(named) or _is_one_rank(naturals):
            raise NotationError(f'expected a joker in a set written as *, got "{declared.text}"')
        return False
    is_one_rank = len({card % 13 for card in named}) <= 1
    if bare and not is_one_rank and len({card // 13 for card in named}) == 1:
        raise NotationError('expected a joker in a run written with its card such as *6C, got "*"')
    return is_one_rank or bare


def _is_one_rank(cards: list[int]) -> bool:
    """Tell whether cards can only be meant as a set: one rank in different suits."""
    return len({card % 13 for card in cards}) == 1 and len({card // 13 for card in cards}) > 1


def _read_set(cards: list[MeldCard]) -> Meld:
    naturals = [card.card for card in cards if not card.joker]
    suits = {card // 13 for card in naturals}
    problem = None
    if len({card % 13 for card in naturals}) > 1:
        return _no_meld(NO_MELD, cards, NEITHER)
    if not naturals:
        problem = NO_NATURAL
    elif len(suits) < len(naturals):
        problem = SUIT_TWICE
    elif len(cards) < 3:
        problem = TOO_SHORT
    elif len(cards) > 4:
        problem = SET_TOO_LONG
    if problem is not None:
        return _no_meld(SET, cards, problem)
    mask = sum(1 << suit for suit in suits)
    return make_meld(SET, naturals[0] % 13, mask, len(cards), len(cards) - len(naturals))


def _read_run(cards: list[MeldCard]) -> Meld:
    """Read a run of up to fourteen cards."""
    suits = {card.card // 13 for card in cards}
    ranks = {card.card % 13 for card in cards}
    if len(suits) > 1:
        return _no_meld(NO_MELD, cards, MIXED_SUITS if len(ranks) == len(cards) else NEITHER)
    placed = _place(cards)
    if isinstance(placed, str):
        return _no_meld(RUN, cards, placed)
    low, high = min(placed), max(placed)
    if len(cards) < 3:
        return _no_meld(RUN, cards, TOO_SHORT)
    if high - low + 1 != len(cards):
        return _no_meld(RUN, cards, NOT_CONSECUTIVE)
    if all(card.joker for card in cards):
        return _no_meld(RUN, cards, NO_NATURAL)
    jokers = sum(1 << position for position, card in placed.items() if card.joker)
    return make_meld(RUN, min(suits), low, high, jokers)


def _place(cards: list[MeldCard]) -> dict[int, MeldCard] | str:
    """Return the cards of one suit by position, or the reason why they have none.

    The ace's neighbours decide where it stands; beside all twelve other ranks the order written.
    """
    placed = {card.card % 13 + 1: card for card in cards if card.card % 13 != 0}
    aces = [index for index, card in enumerate(cards) if card.card % 13 == 0]
    others = tuple(sorted(placed))
    if len(others) + len(aces) < len(cards) or len(aces) > 2:
        return CARD_TWICE
    if len(aces) == 2:
        if others != _ALL_BUT_ACE:
            return CARD_TWICE
        placed[LOW_ACE], placed[HIGH_ACE] = (cards[index] for index in aces)
    elif len(aces) == 1:
        end = _ace_end(others, aces[0], len(cards))
        if isinstance(end, str):
            return end
        placed[end] = cards[aces[0]]
    return placed


def _ace_end(others: tuple[int, ...], index: int, n_cards: int) -> int | str:
    """Return the position of a run's only ace, written at an index, beside the other positions."""
    if others == _ALL_BUT_ACE:
        if index not in (0, n_cards - 1):
            raise NotationError(
                "expected the ace of a run of all thirteen ranks first (low) or last (high), "
                f"got it at place {index + 1}"
            )
        return LOW_ACE if index == 0 else HIGH_ACE
    if 2 in others and 13 in others:
        gaps = sum(b - a > 1 for a, b in pairwise(others))
        return ROUND_THE_CORNER if gaps == 1 else NOT_CONSECUTIVE
    return LOW_ACE if 2 in others else HIGH_ACE
