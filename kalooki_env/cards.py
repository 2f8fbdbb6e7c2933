"""Card ids and their texts.

A card *type* is a number 0..52: `suit * 13 + rank index`, suits in the order C D H S, ranks in the
order A 2 3 ... T J Q K, and 52 for the joker. The two copies of a type in a double pack are alike.

A run counts its cards by *position* 1..14: the ace is 1 when low and 14 when high.
"""

from collections.abc import Iterable

import numpy as np

from kalooki_env.errors import NotationError

RANKS = "A23456789TJQK"
SUITS = "CDHS"
JOKER = 52
CARDS = 53
JOKER_TEXT = "*"
LOW_ACE = 1
HIGH_ACE = 14

_TEXTS = (*(rank + suit for suit in SUITS for rank in RANKS), JOKER_TEXT)
_IDS = {text: card for card, text in enumerate(_TEXTS)}


def make_card(suit: int, rank: int) -> int:
    """Return the card type of a suit 0..3 and a rank index 0..12."""
    return suit * 13 + rank


def card_suit(card: int) -> int:
    """Return the suit 0..3 (C D H S) of a natural card type 0..51."""
    return card // 13


def card_rank(card: int) -> int:
    """Return the rank index 0..12 (A 2 ... K) of a natural card type 0..51."""
    return card % 13


def position_rank(position: int) -> int:
    """Return the rank index of a run position 1..14; both 1 and 14 are the ace."""
    return (position - 1) % 13


def position_card(suit: int, position: int) -> int:
    """Return the card type at a position 1..14 of a run in a suit."""
    return suit * 13 + (position - 1) % 13


def card_text(card: int) -> str:
    """Return the text of a card type: rank then suit such as `5C` or `TD`, and `*` for a joker."""
    if not 0 <= card < CARDS:
        raise NotationError(f"expected a card type 0-52, got {card}")
    return _TEXTS[card]


def joker_text(card: int) -> str:
    """Return the text of a joker that stands for a natural card, such as `*6C`."""
    if not 0 <= card < JOKER:
        raise NotationError(
            f"expected a natural card type 0-51 for a joker to stand for, got {card}"
        )
    return JOKER_TEXT + _TEXTS[card]


def parse_card(text: str) -> int:
    """Return the card type of a text, in any case; `10D` is read as `TD`.

    Raises NotationError if the text is not one card (`*6C` is none: only melds have such jokers).
    """
    if not isinstance(text, str):
        raise NotationError(f"expected the text of a card such as 5C, TD or *, got {text!r}")
    key = text.strip().upper()
    if key.startswith("10"):
        key = "T" + key[2:]
    card = _IDS.get(key)
    if card is None:
        raise NotationError(
            f'expected a card such as 5C, TD or *, got "{text}": '
            f"write a rank of {RANKS} and then a suit of {SUITS}"
        )
    return card


def parse_cards(text: str) -> list[int]:
    """Return the card types of a text such as `"JS QS * 3D"`, in the order written."""
    if not isinstance(text, str):
        raise NotationError(f'expected cards in one text such as "5C TD *", got {text!r}')
    return [parse_card(word) for word in text.split()]


def sort_cards(cards: Iterable[int]) -> list[int]:
    """Sort card types by suit (C D H S) and rank (A to K), jokers last."""
    return sorted(int(card) for card in cards)


def cards_text(cards: Iterable[int]) -> str:
    """Return the text of card types in the order given, separated by spaces."""
    return " ".join(card_text(card) for card in cards)


def count_cards(cards: Iterable[int]) -> np.ndarray:
    """Return how often each card type occurs: int8[53]."""
    counts = np.zeros(CARDS, np.int8)
    for card in cards:
        counts[card] += 1
    return counts


def list_cards(counts: np.ndarray) -> list[int]:
    """Return the card types that int[53] counts hold, sorted: the inverse of `count_cards`."""
    return [card for card in range(CARDS) for _ in range(int(counts[card]))]
