"""The shape of a hand: which cards belong together, and which unseen cards would complete them.

Places of runs lie in lanes of 16 bits, one a suit: bit 16 * suit + p is position p, 1..14. Bits 0
and 15 of a lane stay empty, so that neighbours of all suits are found by shifts.
"""

from ...engine.bits import popcount
from ...engine.hands import RANK, SUIT, places_of, ranks_of
from ...engine.jit import i64, jit

ALL_CARDS = (1 << 52) - 1
"""Every natural card, as bits."""
LANE_HIGH = 0x7F00
"""Positions 8 and up of one lane."""
HIGH_PLACES = LANE_HIGH | LANE_HIGH << 16 | LANE_HIGH << 32 | (LANE_HIGH << 48)
LANES = 0x7FFE | 0x7FFE << 16 | 0x7FFE << 32 | (0x7FFE << 48)
"""All places of all suits. A lane has no bit 15, so the numbers stay positive."""
HIGH_RANKS = (SUIT & ~0x7F) | 1
"""Rank indices from 8 up, and the ace."""


@jit
def lanes(cards, low_position):
    """Turn natural cards (bits) into places of runs; an ace has two where it may stand low."""
    places = places_of(ranks_of(cards, 0), low_position)
    places |= places_of(ranks_of(cards, 1), low_position) << 16
    places |= places_of(ranks_of(cards, 2), low_position) << 32
    return places | places_of(ranks_of(cards, 3), low_position) << 48


@jit
def cards_at(places):
    """Turn places of runs into natural cards (bits)."""
    cards = i64(0)
    for suit in range(4):
        lane = (places >> (16 * suit)) & 0x7FFE
        ranks = ((lane >> 1) & (SUIT - 1)) | ((lane >> 14) & 1) | ((lane >> 1) & 1)
        cards |= ranks << (13 * suit)
    return cards


@jit
def in_runs(places):
    """Return the places that are part of three or more in a row."""
    middle = places & (places << 1) & (places >> 1)
    return middle | (middle << 1) | (middle >> 1)


@jit
def ranks_with(cards, least):
    """Return the ranks (bits) of which at least `least` suits, 1 to 3, are among the cards."""
    a, b = cards & SUIT, (cards >> 13) & SUIT
    c, d = (cards >> 26) & SUIT, (cards >> 39) & SUIT
    if least == 1:
        return a | b | c | d
    ab, cd = a & b, c & d
    if least == 2:
        return ab | cd | ((a | b) & (c | d))
    return (ab & (c | d)) | (cd & (a | b))


@jit
def all_suits(ranks):
    """Return the cards of all suits of some ranks."""
    return ranks * RANK


@jit
def outs(wanted, live, live_twice):
    """Return how many copies of the wanted cards are unseen."""
    return popcount(wanted & live) + popcount(wanted & live_twice)


@jit
def near_cards(card, low_position):
    """Return the cards (bits) that can stand beside a card in a meld of three."""
    bit = i64(1) << card
    places = lanes(bit, low_position)
    around = (places << 1) | (places << 2) | (places >> 1) | (places >> 2)
    return (all_suits(i64(1) << (card % 13)) & ~bit) | cards_at(around & i64(LANES))
