"""What the network reads of the end of a turn, and the record that one decision works on.

The inputs are the features of the heuristic, which are numbers, and *cards and places*, each of which
is there or not: an end has some eighty of several hundred. Between the ends of one turn that differ
in the discard alone only two or three change, so the first layer is added up once for a table and a
hand, and then mended for each discard (the efficiently updated networks of chess and shogi engines
are the model).
"""

import numpy as np

from ...engine.layout import CARDS, MAX_SEATS
from ...observation import RULE_ENTRIES
from ..heuristic.layout import MOVES, OPTIONS, ROWS, N

OTHERS = MAX_SEATS - 1
JOKERS = 4
HAND_SIZES = 15
STOCKS = 12
STOCK_STEP = 6
TURNS = 10

_BLOCKS = (
    ("row", ROWS, "situation and moment, as the rows of the heuristic's weights"),
    ("hand", 52, "natural cards held after the discard"),
    ("hand_twice", 52, "of which both copies are held"),
    ("hand_jokers", JOKERS, "at least 1, 2, 3, 4 jokers held"),
    ("discard", CARDS, "the card that ends the turn"),
    ("seen", 52, "natural cards of which at least one copy lies where the seat can see it"),
    ("seen_twice", 52, "of which no copy is unseen"),
    ("unseen_jokers", JOKERS, "at least 1, 2, 3, 4 jokers unseen"),
    ("fits", 52, "natural cards that can be laid off on the table"),
    ("swaps", 52, "natural cards for which a joker of a run stands"),
    ("cards", HAND_SIZES, "cards held after the discard, the last entry for all beyond"),
    ("stock", STOCKS, f"cards in the stock / {STOCK_STEP}"),
    ("turn", TURNS, "turns that a seat has had"),
    ("seats", MAX_SEATS + 1, "seats of the table"),
    ("rules", len(RULE_ENTRIES), "block `rules` of the observation, where it is above 0"),
    ("open", OTHERS, "other seats that are open, in turn order, as all that follows"),
    ("others_cards", OTHERS * HAND_SIZES, "their cards"),
    ("known", OTHERS * CARDS, "cards they took or released in the open and still hold"),
    ("thrown", OTHERS * CARDS, "cards they discarded in this deal"),
    ("refused", OTHERS * CARDS, "top discards they passed over by drawing"),
)


def _offsets() -> dict[str, int]:
    at, offset = {}, N
    for name, size, _ in _BLOCKS:
        at[name] = offset
        offset += size
    at["end"] = offset
    return at


AT = _offsets()
"""Where each block of the inputs begins; the features come first."""
INPUTS = AT["end"]
"""Inputs of the network."""
MEANINGS = {name: meaning for name, _, meaning in _BLOCKS}
SIZES = {name: size for name, size, _ in _BLOCKS}

SLOTS = MOVES + 2
"""States of the table and the hand that one decision looks at."""
LISTED = 320
"""Inputs that are there at one time, at most."""

PAD = np.dtype(
    [
        ("n_options", "i8"),
        ("n_slots", "i8"),
        ("option", "i2", OPTIONS),  # action ids,
        ("worth", "f8", OPTIONS),  # the score of the best end that each can lead to, log odds,
        ("slot", "i2", OPTIONS),  # the state before the discard of that end,
        ("card", "i2", OPTIONS),  # the discard, NO_CARD before a draw,
        ("twin", "i1", OPTIONS),  # whether its twin stays in the hand,
        ("row", "i1", OPTIONS),
        ("phi", "f4", (OPTIONS, N)),  # and its features
        ("listed", "i2", (SLOTS, LISTED)),  # inputs that are there, by state, the discard still held
        ("n_listed", "i2", SLOTS),
        ("held", "i8", SLOTS),  # the hand, the discard still in it, and what it can be laid off on:
        ("twice", "i8", SLOTS),
        ("jokers", "i8", SLOTS),
        ("fits", "i8", SLOTS),  # see MIND
        ("low_ends", "i8", SLOTS),
        ("high_ends", "i8", SLOTS),
        ("joker_places", "i8", SLOTS),
        ("end_phi", "f4", (CARDS, N)),  # features of the last state's ends, by discard,
        ("end_worth", "f8", CARDS),  # their scores
        ("end_twin", "i1", CARDS),
        ("end_row", "i8"),
    ]
)
"""The options of one decision, with what is needed to learn from them. Scratch space of one thread."""
