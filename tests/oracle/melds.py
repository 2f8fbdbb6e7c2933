"""Melds: what a set and a run are, what they are worth, and all that a hand can lay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from .cards import (
    JOKER,
    NotationError,
    card_at,
    card_name,
    lowest_place,
    parse_card,
    place_value,
)
from .rules import Rules


class Meld(NamedTuple):
    """Hold a meld on the table.

    `low` is the lowest place of a run, or the rank of a set. `cards` are what lies there, a run
    from the low end, a set its naturals in the order of suits, then jokers. `laid` says that it
    was laid this turn; `added_low` and `added_high` count the lay-offs of this turn at the two
    ends of a run (a set: `added_low` alone).
    """

    kind: str
    suit: int
    low: int
    cards: tuple[int, ...]
    laid: bool = False
    added_low: int = 0
    added_high: int = 0

    @property
    def high(self) -> int:
        """Return the highest place of a run."""
        return self.low + len(self.cards) - 1

    @property
    def as_laid(self) -> tuple[int, int]:
        """Return the lowest and highest place of a run when this turn's lay-offs are left out."""
        return self.low + self.added_low, self.high - self.added_high


def make_set(rank: int, naturals: tuple[int, ...], jokers: int) -> Meld:
    """Return a set of these natural cards and so many jokers."""
    return Meld("set", -1, rank, tuple(sorted(naturals)) + (JOKER,) * jokers)


def missing_suits(meld: Meld, rules: Rules) -> list[int]:
    """List the suits that no natural card of a set has."""
    return [suit for suit in range(rules.suits) if suit * 13 + meld.low not in meld.cards]


def full_set(rules: Rules) -> int:
    """Return how many cards the largest set has."""
    return min(4, rules.suits)


def points(meld: Meld, rules: Rules) -> int:
    """Return what a meld counts towards the opening."""
    if meld.kind == "set":
        return len(meld.cards) * place_value(14 if meld.low == 0 else meld.low + 1, rules)
    return sum(place_value(place, rules) for place in range(meld.low, meld.high + 1))


def cards_text(meld: Meld) -> str:
    """Write the cards of a meld in the one order that texts use."""
    if meld.kind == "set":
        return " ".join(card_name(card) for card in meld.cards)
    words = []
    for place, card in enumerate(meld.cards, meld.low):
        name = card_name(card_at(meld.suit, place))
        words.append("*" + name if card == JOKER else name)
    return " ".join(words)


def hand_runs(hand: tuple[int, ...], rules: Rules) -> Iterator[Meld]:
    """Yield every run that the hand can lay, each choice of jokers apart."""
    jokers = hand.count(JOKER)
    bottom = lowest_place(rules)
    for suit in range(rules.suits):
        held = {place for place in range(bottom, 15) if card_at(suit, place) in hand}
        for low in range(bottom, 13):
            missing = 0
            for high in range(low, min(low + 12, 14) + 1):
                missing += high not in held
                if missing > jokers:
                    break
                if high >= low + 2:
                    yield from _runs_between(suit, low, high, held, jokers)


def _runs_between(suit: int, low: int, high: int, held: set[int], jokers: int) -> Iterator[Meld]:
    """Yield the runs from place `low` to `high`, every way of standing jokers for held cards."""
    natural = [place for place in range(low, high + 1) if place in held]
    spare = jokers - (high - low + 1 - len(natural))
    if spare < 0:
        return
    for count in range(0, min(spare, len(natural) - 1) + 1):
        for chosen in combinations(natural, count):
            yield Meld(
                "run",
                suit,
                low,
                tuple(
                    card_at(suit, place) if place in held and place not in chosen else JOKER
                    for place in range(low, high + 1)
                ),
            )


def hand_sets(hand: tuple[int, ...], rules: Rules) -> Iterator[Meld]:
    """Yield every set that the hand can lay."""
    jokers = hand.count(JOKER)
    for rank in range(13):
        held = [suit * 13 + rank for suit in range(rules.suits) if suit * 13 + rank in hand]
        for count in range(1, len(held) + 1):
            for naturals in combinations(held, count):
                for extra in range(jokers + 1):
                    if 3 <= count + extra <= full_set(rules):
                        yield make_set(rank, naturals, extra)


def parse_meld(text: str, rules: Rules) -> Meld | None:
    """Read a meld, its cards in any order.

    Returns None where the text is well-formed but no meld of these rules (a run of 14, which
    only lay-offs make, is read). Raises NotationError where it is no meld text at all.
    """
    tokens = [_read_token(word) for word in text.split()]
    if not tokens:
        raise NotationError("expected the cards of a meld, got none")
    bare = sum(1 for card, joker in tokens if card is None)
    declared = sum(1 for card, joker in tokens if joker and card is not None)
    ranks = {card % 13 for card, _ in tokens if card is not None}
    if len(ranks) <= 1:
        if declared and len(tokens) > 1:
            raise NotationError(f"a joker in a set is written *, got {text!r}")
        return None if declared else _parse_set([card for card, _ in tokens], rules)
    if bare:
        raise NotationError(f"a joker in a run names its card, such as *6C, got {text!r}")
    return _parse_run(tokens, rules, text)


def _read_token(word: str) -> tuple[int | None, bool]:
    """Read a card of a meld as the card named (None for a bare joker) and whether a joker."""
    if word == "*":
        return None, True
    if word.startswith("*"):
        card = parse_card(word[1:])
        if card == JOKER:
            raise NotationError(f"expected a joker such as *6C, got {word!r}")
        return card, True
    return parse_card(word), False


def _parse_set(cards: list[int | None], rules: Rules) -> Meld | None:
    """Make a set of naturals of one rank and bare jokers, or None."""
    naturals = tuple(card for card in cards if card is not None)
    if not naturals or len(set(naturals)) < len(naturals):
        return None
    if not 3 <= len(cards) <= full_set(rules):
        return None
    return make_set(naturals[0] % 13, naturals, len(cards) - len(naturals))


def _parse_run(tokens: list[tuple[int, bool]], rules: Rules, text: str) -> Meld | None:
    """Make a run of named cards, or None."""
    if len({card // 13 for card, _ in tokens}) > 1:
        return None
    aces = [index for index, (card, _) in enumerate(tokens) if card % 13 == 0]
    others = {card % 13 + 1 for card, _ in tokens if card % 13}
    if len(others) + len(aces) < len(tokens) or len(aces) > 2 or not others:
        return None
    where = {card % 13 + 1: joker for card, joker in tokens if card % 13}
    if len(aces) == 1:
        where[_ace_place(aces[0], others, tokens, text)] = tokens[aces[0]][1]
    elif len(aces) == 2:
        if len(others) < 12:
            return None
        if aces != [0, 13]:
            raise NotationError(f"the two aces of a run stand first and last, got {text!r}")
        where[1], where[14] = tokens[0][1], tokens[13][1]
    low, high = min(where), max(where)
    if high - low + 1 != len(where) or len(where) < 3 or low < lowest_place(rules):
        return None
    if all(where.values()):
        return None
    suit = tokens[0][0] // 13
    return Meld(
        "run",
        suit,
        low,
        tuple(JOKER if where[place] else card_at(suit, place) for place in range(low, high + 1)),
    )


def _ace_place(index: int, others: set[int], tokens: list[tuple[int, bool]], text: str) -> int:
    """Return 1 or 14 for the only ace of a run, by its neighbours or by where it is written."""
    if len(others) == 12:
        if index not in (0, len(tokens) - 1):
            raise NotationError(
                f"in a run of all thirteen ranks the ace stands first or last, got {text!r}"
            )
        return 1 if index == 0 else 14
    return 14 if max(others) == 13 else 1
