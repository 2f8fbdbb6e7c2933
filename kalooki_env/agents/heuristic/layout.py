"""The features of the end of a turn, and the record that a decision of the heuristic works on."""

import numpy as np

from ...engine.layout import CARDS

MEANINGS = {
    "bias": "1",
    # the hand
    "penalty": "penalty of all cards / 100",
    "deadwood": "penalty without the best melds / 50",
    "cards": "cards / 10",
    "cards_squared": "the square of it",
    "jokers": "jokers",
    "melds": "natural cards that are part of a meld in the hand / 10",
    "run_outs_low": "unseen cards that complete two neighbours of a suit below 8 / 10",
    "run_outs_high": "the same from 8 up",
    "gap_outs_low": "unseen cards between two of a suit, the lower one below 8 / 10",
    "gap_outs_high": "the same from 8 up",
    "set_outs_low": "unseen cards that make three of two of a rank below 8 / 10",
    "set_outs_high": "the same from 8 up",
    "lone_cards": "kinds of card with no partner in the hand / 10",
    "lone_penalty": "their penalty / 50",
    "doubles": "second copies / 10",
    # the opening, while the seat is not open
    "opening": "the share of the opening that the melds in the hand reach",
    "can_open": "1 where they reach it",
    "spare_points": "points beyond it / 50",
    "open_next": "the chance that the next stock card makes an opening",
    # the hand and the table
    "fits": "cards that can be laid off in the next turn / 5",
    "stuck": "cards that neither fit the table nor are part of a meld, and all second copies / 5",
    "stuck_squared": "the square of it",
    "fit_outs": "the chance that the next stock card is a natural card that fits the table",
    "out_next": "open, with five cards or fewer: the chance to go out in the next turn",
    "out_soon": "open: 1 / (1 + cards that do not fit the table)",
    # the discard, for the next seat
    "gift": "1 where the next seat is open and the discard fits the table",
    "gift_last": "1 where it then has one card",
    "gift_few": "1 where it then has two to four",
    "gift_joker": "1 for a joker",
    "near_known": "known cards of the next seat equal to the discard or near / 3, where it may take freely",
    "near_live": "unseen cards near the discard / 10, where the next seat may take freely",
    "near_refused": "kinds of card equal or near that it refused / 3, where it may take freely",
    "near_thrown": "kinds equal or near that it discarded / 3, where it may take freely",
    "closed_near_live": "unseen cards near / 10, where the next seat may take at most to open",
    # the others
    "others_open": "other seats that are open",
    "others_cards": "cards of all other seats / 13",
    "others_open_1": "open seats with one card",
    "others_open_2": "with two",
    "others_open_3": "with three",
    "others_open_4": "with four",
    "others_open_5": "with five or six",
    "others_open_7": "with seven or more",
    "others_closed_cards": "cards of seats that are not open / 13",
    "race": "1 / (1 + cards of the open seat with the fewest)",
    "stock": "cards in the stock / 50",
    "turn": "turns a seat has had / 10, at most 4",
    "late_penalty": "penalty x (race - 0.1) where positive",
    "late_deadwood": "deadwood x (race - 0.1) where positive",
}
"""What each feature is, in the order of `phi`. Near a card are those that can stand beside it in a meld of
three; unseen are cards in the stock or another hand that were not seen to go there."""
FEATURES = tuple(MEANINGS)
N = len(FEATURES)
AT = {name: k for k, name in enumerate(FEATURES)}

SITUATIONS = ("closed", "open", "closed, another seat open", "open, another seat open")
MOMENTS = ("end of turn", "before a draw")
"""What is weighed: the end of an own turn, and the own hand where a card is to be drawn from the stock."""
ROWS = len(SITUATIONS) * len(MOMENTS)
"""Rows of the weights: float64[ROWS, N], the situations of the first moment, then of the second."""
BEFORE_DRAW = len(SITUATIONS)

DEPTH = 40
"""Steps of one turn that the search for a way out looks ahead."""
LEAF = 12
"""The first of them that lays off: swaps and the answers to questions come before."""
MOVES = 256
"""Moves that are looked at in one position: more are hardly ever legal, with four jokers."""

OPTIONS = MOVES + CARDS
"""Actions that one decision weighs."""

SEEN = 512
PLANS = 20
"""Cards of a hand, the largest one of 17 and the drawn one, with an end before and after them."""
PLAN = np.dtype(
    [
        # cards of which nothing is decided yet,
        ("held", "i8"),
        ("twice", "i8"),
        ("jokers", "i8"),
        # those that are not melded,
        ("kept", "i8"),
        ("kept_twice", "i8"),
        ("loose", "i8"),  # and how many of these do not fit the table
        # the melds so far, and the last of them
        ("melds", "i8"),
        ("points", "i8"),
        ("kind", "i8"),
        ("key", "i8"),  # a run's suit, a set's rank index
        ("low", "i8"),  # a run's first position, a set's natural suits (bits)
        ("high", "i8"),  # a run's last position, a set's number of jokers
        ("places", "i8"),  # a run's jokers (bits)
        # what is tried for the next card
        ("step", "i8"),
        ("card", "i8"),
        ("sets", "i8"),
        ("from_low", "i8"),
        ("to_high", "i8"),
        ("extra", "i8"),
        # the same for all steps of a plan, kept at the first
        ("fits", "i8"),  # cards (bits) that may be kept
        ("most", "i8"),  # melds
        ("longest", "i8"),  # cards of a run
        ("depth", "i8"),
    ]
)
"""A step of a plan that lays a hand: the melds chosen, and the cards that are kept for lay-offs."""

MIND = np.dtype(
    [
        ("live", "i8"),  # cards of which a copy is unseen, as bits
        ("live_twice", "i8"),  # both copies
        ("live_jokers", "i8"),
        ("unseen", "i8"),  # all unseen cards, at least 1
        ("live_runs", "i8"),  # `live` as places, see `shape.lanes`
        ("live_runs_twice", "i8"),
        ("fits", "i8"),  # natural cards that can be laid off on the table, as bits
        ("low_ends", "i8"),  # places below runs of the table
        ("high_ends", "i8"),  # places above them
        ("joker_places", "i8"),  # places where a joker can be laid off
        ("may_open", "i8"),  # natural cards that could bring an opening, see `opening.note_openers`
        ("weights", "f8", (ROWS, N)),
        ("joker_value", "i4", 13),  # penalty of a joker in a meld of each rank
        ("phi", "f8", N),  # the features
        ("discard_worth", "f8", CARDS),  # the value of the turn by its discard
        ("n_options", "i8"),
        ("option", "i2", OPTIONS),  # what was weighed in the last decision,
        ("worth", "f8", OPTIONS),  # and the value of the turn's end then
        ("moves", "i2", (DEPTH, MOVES)),  # moves to try, by depth
        ("n_moves", "i8", DEPTH),
        ("next", "i8", DEPTH),
        ("plans", PLAN, 2 * PLANS),  # of a whole hand, then of an opening before swaps
        ("seen", "i8", SEEN),  # positions that the search for a way out has looked at, hashed
        ("left", "i8"),  # steps that it may still try
    ]
)
"""What one seat sees, the features, and scratch space of one thread. Only the weights and the value of
a joker outlive a decision."""
POINTS_SHARE = 0.3
"""How much the outcome of a deal is its points rather than the win: the weights are fitted to it, and
the search compares by it."""
POINTS_SCALE = 120.0
"""Points ahead of the others that make up for a deal that is lost."""

TRIALS = DEPTH + 1
"""Games on which moves are tried out; the last one is for taking the discard."""
