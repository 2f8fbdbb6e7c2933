"""Name cards, build the pack and read single cards.

A card is an int: suit * 13 + rank index (A = 0 ... K = 12), suits C D H S; the joker is 52.
A place in a run is 1..14: the low ace 1, 2..13 for 2..K, the high ace 14.
"""

from __future__ import annotations

from collections.abc import Iterable

from .rules import Rules

RANKS = "A23456789TJQK"
SUITS = "CDHS"
JOKER = 52


class NotationError(ValueError):
    """Say that a text is no card or no move at all."""


def card_name(card: int) -> str:
    """Return the text of a card, such as ``TD``, or ``*`` for a joker."""
    return "*" if card == JOKER else RANKS[card % 13] + SUITS[card // 13]


def parse_card(token: str) -> int:
    """Read one card; raise NotationError if the token is none."""
    text = token.upper()
    if text == "*":
        return JOKER
    if text.startswith("10"):
        text = "T" + text[2:]
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise NotationError(f"expected a card such as 5C, TD or *, got {token!r}")
    return SUITS.index(text[1]) * 13 + RANKS.index(text[0])


def parse_cards(text: str | Iterable[str]) -> tuple[int, ...]:
    """Read cards divided by blanks, in the order written."""
    tokens = text.split() if isinstance(text, str) else list(text)
    return tuple(parse_card(token) for token in tokens)


def show_cards(cards: Iterable[int]) -> str:
    """Write cards divided by blanks."""
    return " ".join(card_name(card) for card in cards)


def card_at(suit: int, place: int) -> int:
    """Return the card of a suit that stands at a place of a run."""
    return suit * 13 + (place - 1) % 13


def places_of(card: int, rules: Rules) -> list[int]:
    """List the places where a natural card may stand in a run."""
    rank = card % 13
    places = [1, 14] if rank == 0 else [rank + 1]
    return [place for place in places if place >= lowest_place(rules)]


def lowest_place(rules: Rules) -> int:
    """Return the lowest place of a run: 1 with a low ace, else the lowest card of the pack."""
    if rules.ranks < 13:
        return 15 - rules.ranks
    return 1 if rules.ace == "both" else 2


def full_pack(rules: Rules) -> list[int]:
    """Return all cards of the pack in the fixed order C D H S, A to K, jokers."""
    cards = []
    for suit in range(rules.suits):
        for rank in range(13):
            if (14 if rank == 0 else rank + 1) >= 15 - rules.ranks:
                cards += [suit * 13 + rank] * rules.decks
    return cards + [JOKER] * rules.jokers


def without(hand: tuple[int, ...], used: Iterable[int]) -> tuple[int, ...] | None:
    """Return the hand less the used cards, or None where one of them is not there."""
    rest = list(hand)
    for card in used:
        if card not in rest:
            return None
        rest.remove(card)
    return tuple(rest)


def place_value(place: int, rules: Rules) -> int:
    """Return the points of a place in a run."""
    if place == 1:
        return rules.ace_low_points
    return rules.ace_points if place == 14 else min(place, 10)


def penalty_value(card: int, rules: Rules) -> int:
    """Return what a card left in the hand counts."""
    if card == JOKER:
        return rules.joker_penalty
    return rules.ace_penalty if card % 13 == 0 else min(card % 13 + 1, 10)
