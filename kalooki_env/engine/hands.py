"""A hand as three numbers: `held`, `twice` and the jokers.

Bit `c` of `held` says that the hand has card type `c` (0..51), of `twice` that it has both copies.
A game keeps them for every seat beside its counts. Taking cards out for a trial gives new numbers,
and there is nothing to put back.
"""

import numpy as np

from .bits import popcount
from .jit import i64, jit

SUIT = (1 << 13) - 1
"""The ranks of one suit as bits."""
RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The four cards of rank index 0 as bits."""
SPREAD = np.array(
    [sum(1 << 13 * suit for suit in range(4) if mask >> suit & 1) for mask in range(16)],
    dtype=np.int64,
)
"""The cards of rank index 0 of some suits (a bit mask) as bits."""


@jit
def see_hand(counts):
    """Return `held` and `twice` of counts by card type."""
    held, twice = i64(0), i64(0)
    for card in range(52):
        held |= i64(counts[card] > 0) << card
        twice |= i64(counts[card] > 1) << card
    return held, twice


@jit
def remove(held, twice, cards):
    """Take one copy of each of some cards (bits), all of them held."""
    return held & ~(cards & ~twice), twice & ~cards


@jit
def add(held, twice, card):
    """Put a natural card into the hand."""
    bit = i64(1) << card
    return held | bit, twice | (held & bit)


@jit
def copies(held, twice, card):
    """Return how many copies of a natural card are held."""
    return ((held >> card) & 1) + ((twice >> card) & 1)


@jit
def count_cards(held, twice):
    """Return how many natural cards are held."""
    return popcount(held) + popcount(twice)


@jit
def ranks_of(held, suit):
    """Return the ranks held of a suit, as bits."""
    return (held >> (13 * suit)) & SUIT


@jit
def suits_of(held, rank):
    """Return the suits held of a rank, as bits."""
    line = held >> rank
    return (line & 1) | ((line >> 12) & 2) | ((line >> 24) & 4) | ((line >> 36) & 8)


@jit
def set_cards(rank, mask):
    """Return the natural cards of a set as bits."""
    return SPREAD[mask] << rank


@jit
def ranks_for_sets(held, jokers):
    """Return the ranks (bits) of which enough suits are held for a set of three."""
    clubs, diamonds = held & SUIT, (held >> 13) & SUIT
    hearts, spades = (held >> 26) & SUIT, (held >> 39) & SUIT
    minor, major = clubs | diamonds, hearts | spades
    if jokers >= 2:
        return minor | major
    if jokers == 1:
        return (clubs & diamonds) | (hearts & spades) | (minor & major)
    return (clubs & diamonds & major) | (hearts & spades & minor)


@jit
def places_of(ranks, low_position):
    """Turn ranks (bits 0..12) into positions of a run (bits 1..14)."""
    places = ((ranks & (SUIT - 1)) << 1) | ((ranks & 1) << 14)
    return places | ((ranks & 1) << 1) if low_position == 1 else places


@jit
def span(low, high):
    """Return the positions from `low` to `high` as bits."""
    return (i64(2) << high) - (i64(1) << low)


@jit
def run_cards(suit, naturals):
    """Return the natural cards of a run, given by their positions (bits), as bits."""
    ranks = ((naturals >> 1) & (SUIT - 1)) | ((naturals >> 14) & 1) | ((naturals >> 1) & 1)
    return ranks << (13 * suit)
