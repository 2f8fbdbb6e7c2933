"""The records that the engine works on: plain data, one record a game and one a variant.

A game is one element of a NumPy array of dtype `GAME`; N games are an array of N. Copying, saving,
comparing and hashing a game are memory copies. A variant is one element of dtype `RULES`, so one
compilation serves every preset. Numbers are *signed* integers, as narrow as they can be in a game:
Numba reads an unsigned field as uint64, and mixing that with int64 gives floats.

Card types are 0..52 (suit * 13 + rank index, suits C D H S, ranks A..K, 52 the joker). Positions
in a run are 1..14: the ace is 1 low and 14 high.
"""

import os

import numpy as np

from ..action_tables import N
from ..observation import RULE_ENTRIES

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether the engine runs as plain Python, for coverage and debugging."""

CARDS = 53
JOKER = 52
MAX_SEATS = 6
MAX_CARDS = 108
MAX_MELDS = 36
"""Table melds a deal can hold: 108 cards, at least three in each."""
EARLIER = 6
"""Stocks before the present one that hidden cards are told apart by (see `engine/memory.py`)."""
MAX_HALF = 6
"""Action ids of a begun move: the first, then at most four spare jokers."""
NO_CARD = -1
NO_SEAT = -1
UNLIMITED = 127
"""Stands for null in a limit of the rules."""

# Phases of a game.
DRAW, PLAY, ANNOUNCE, BUY_IN, OVER = 0, 1, 2, 3, 4
PHASES = ("draw", "play", "announce", "buy_in", "over")

# Kinds of meld.
NO_MELD, RUN, SET = 0, 1, 2

# Questions that a begun move can ask.
NO_QUESTION, WHICH_PLACE, WHICH_MELD = 0, 1, 2
QUESTIONS = (None, "place", "meld")

# Codes of the rules that are words.
DISCARD_FREE, DISCARD_TO_OPEN, DISCARD_NEVER = 0, 1, 2
SCOPE_END, SCOPE_MELD, SCOPE_TURN = 0, 1, 2
ANNOUNCE_OFF, ANNOUNCE_AUTO, ANNOUNCE_MANUAL = 0, 1, 2
SCORE_PENALTY, SCORE_COLLECT = 0, 1
MATCH_POOL, MATCH_LOWEST, MATCH_HIGHEST, MATCH_RING, MATCH_ELIMINATION, MATCH_POINTS = range(6)
RING_EACH, RING_SPLIT25 = 0, 1

MAX_CONTRACTS = 9
CONTRACT_MELDS = 4

RULES = np.dtype(
    [
        ("decks", "i4"),
        ("jokers", "i4"),
        ("low_position", "i4"),  # lowest position of a run: 1 with ace="both", else 2 (15 - ranks)
        ("suits", "i4"),
        ("max_set", "i4"),  # cards in the largest set: min(4, suits)
        ("hand_size", "i4", MAX_SEATS + 1),  # by seats dealt to; 0 where it cannot be dealt
        ("run_points", "i4", 15),  # points at the opening by position; index 0 unused
        ("set_points", "i4", 13),  # points of one card of a set by rank index
        ("penalty", "i4", CARDS),  # penalty by card type
        ("pack", "i1", CARDS),  # copies in the pack by card type
        ("opening_points", "i4"),
        ("n_contracts", "i4"),  # 0 = opened by points
        ("contracts", "i1", (MAX_CONTRACTS, CONTRACT_MELDS)),  # 3 = set, 4 = run, 0 = none
        ("discard_before_opening", "i4"),
        ("first_turn_take", "i4"),
        ("melds_per_turn", "i4"),
        ("layoff_limit", "i4"),
        ("layoff_scope", "i4"),
        ("announce", "i4"),
        ("max_rebuilds", "i4"),
        ("kalooki_penalty", "i4"),
        ("scoring", "i4"),
        ("match", "i4"),
        ("out_above", "i4"),  # -1 = none
        ("target", "i4"),  # -1 = none
        ("deals", "i4"),  # -1 = none
        ("buy_ins", "i4"),
        ("initial", "i4"),
        ("call_up", "i4"),
        ("kalooki", "i4"),
        ("buy_in", "i4"),
        ("ring_payout", "i4"),
        ("turn_cap", "i4"),  # -1 = none
        ("shown", "u1", len(RULE_ENTRIES)),  # block `rules` of the observation
    ]
)

MELD = np.dtype(
    [
        ("kind", "i1"),
        ("key", "i1"),  # a run's suit, a set's rank index
        ("low", "i1"),  # a run's first position; a set's natural suits as a bit mask
        ("high", "i1"),  # a run's last position; a set's number of cards
        ("jokers", "i2"),  # a run's joker positions as bits; a set's number of jokers
        ("laid", "i1"),  # 1: laid this turn
        ("added_low", "i1"),  # laid off this turn at a run's low end, or on a set
        ("added_high", "i1"),
        ("owner", "i1"),
    ]
)
"""One meld on the table."""

PLAYED = np.dtype(
    [
        ("seat", "i1"),
        ("card", "i1"),
        ("drawn", "i1"),  # cards that the seat had drawn since the rebuild
    ]
)
"""A card that was played since the rebuild and that nobody knew in the hand."""

GAME = np.dtype(
    [
        ("key", "u8"),  # random stream: the n-th number is a hash of (key, n)
        ("drawn", "u8"),  # numbers taken from the stream so far
        # the deal
        ("turn", "i4"),  # turns begun in this deal, the current one included
        ("rebuilds", "i4"),
        ("seats", "i1"),
        ("phase", "i1"),
        ("to_move", "i1"),  # NO_SEAT when nobody is
        ("n_stock", "i1"),
        ("n_discards", "i1"),
        ("n_melds", "i1"),
        # this turn
        ("points", "i4"),  # points of the new melds of an opening turn
        ("swaps", "i2"),  # jokers released this turn
        ("layoffs", "i2"),  # cards laid off this turn
        ("laid", "i1"),  # melds laid this turn
        ("owed", "i1"),  # jokers released this turn, still to be laid
        ("taken", "i1"),  # card type taken from the discard pile, else NO_CARD
        ("taken_twin", "i1"),  # 1: an equal card was in the hand before the take
        ("taken_laid", "i1"),  # cards equal to the taken one that were laid or given since
        ("duty", "i1"),  # 1: the taken card must still be laid in the opening
        ("was_open", "i1"),  # open before this turn
        ("question", "i1"),
        ("n_half", "i1"),
        ("half", "i2", MAX_HALF),  # action ids of the begun move, as they were given
        ("begun_jokers", "i2"),  # joker places (bits) of a begun run so far
        ("begun_last", "i1"),  # the last spare place among them, or the one below the run
        # the end of the deal
        ("winner", "i1"),
        ("is_kalooki", "i1"),
        ("is_void", "i1"),
        ("is_cut", "i1"),
        ("deal_over", "i1"),
        # the match
        ("is_match", "i1"),
        ("match_over", "i1"),
        ("dealer", "i1"),
        ("deal", "i4"),  # number of this deal, from 1
        # seats
        ("hand_size", "i1", MAX_SEATS),
        ("opened", "i1", MAX_SEATS),
        ("barred", "i1", MAX_SEATS),  # may not go out in its next (or current) turn
        ("announced", "i1", MAX_SEATS),  # cards announced with the last discard, 0 = none
        ("eliminated", "i1", MAX_SEATS),  # out of the match
        ("buy_ins", "i1", MAX_SEATS),
        ("totals", "i4", MAX_SEATS),
        # cards
        ("held", "i8", MAX_SEATS),  # the hand as bits, see `engine/hands.py`
        ("twice", "i8", MAX_SEATS),
        ("on_table", "i1", CARDS),  # copies in the table melds, by card type
        ("in_pile", "i1", CARDS),  # copies in the discard pile
        ("melds", MELD, MAX_MELDS),  # in the order they were laid
        ("stock", "i1", MAX_CARDS),  # the next card is the last one: stock[n_stock - 1]
        ("discards", "i1", MAX_CARDS),  # bottom to top
        ("hand", "i1", (MAX_SEATS, CARDS)),  # copies held, by card type
        # what every seat could have seen
        ("known", "i1", (MAX_SEATS, CARDS)),  # taken or released in the open, not played since
        ("thrown", "u1", (MAX_SEATS, CARDS)),  # discarded in this deal, up to 255
        ("refused", "u1", (MAX_SEATS, CARDS)),  # top discards passed over by drawing, up to 255
        # what one seat alone could have seen
        ("rebuilt", "i1", (MAX_SEATS, CARDS)),  # cards shuffled into the stock, less those it drew
        # what everybody saw since a rebuild, see `engine/memory.py`
        ("made", "i1", CARDS),  # cards of the stock as it was rebuilt; none: it is the first
        ("fresh", "i1", MAX_SEATS),  # cards drawn from it
        ("n_played", "i1"),
        ("played", PLAYED, MAX_CARDS),  # from the hidden cards of the hands, in order
        ("stock_of", "i1", CARDS),  # earlier stock of the cards that hands hid at the rebuild
        ("older", "i1", (MAX_SEATS, EARLIER)),  # how many each hand hid, by stock
        # money and the end of the match
        ("penalties", "i4", MAX_SEATS),
        ("chips", "i4", MAX_SEATS),
        ("money", "i4", MAX_SEATS),
        ("pool", "i4"),
        ("n_to_decide", "i1"),
        ("to_decide", "i1", MAX_SEATS),  # seats that still decide on a buy-in, in order
        ("match_winners", "i1", MAX_SEATS),  # 1 for a winner of the match
    ],
    align=False,
)
"""One game, what a decision looks at first: most of a step is waiting for memory. `known`, `thrown` and
`refused` are the public memory of the deal that observations show; what is not `known` of a hand is
hidden. `rebuilt` is `UNLIMITED` for every card before the first rebuild: until then the stock may
hold any card that was not seen. Two fields are unsigned, since they count to 255: read them through
`i64`."""

FIRST_BYTES = GAME.fields["known"][1]
"""Bytes of a game that nearly every decision looks at."""

MAX_SWAPS = 3
"""Swaps that can follow one whose joker is owed: the pack has four jokers."""
SWAP_SLOT = 3
SCRATCH = SWAP_SLOT + MAX_SWAPS
"""Games that legality tries moves out on: 0 and 1 for new runs, 2 for a move, from `SWAP_SLOT` for
swaps."""

NODE = np.dtype(
    [
        ("held", "i8"),
        ("twice", "i8"),
        ("jokers", "i8"),
        ("codes", "i8", 4),
        ("points", "i8"),  # what the sets are worth,
        ("rest", "i8"),  # and the best runs of the cards that are left
        ("rank", "i8"),  # of the last set
        ("next", "i8"),  # the next set to try
    ]
)
"""A hand from which the solver has laid some sets (see `engine/solver.py`)."""

WORK = np.dtype(
    [
        ("nodes", NODE, 16),  # what the solver has tried, by the sets laid
        ("saved", "i8", (4, 4)),  # what a search for a contract goes back to, by suit
        ("bound", "i4", 401),
        ("dearest", "i4", 401),
        ("ids", "i2", N),  # legal action ids
        ("n_ids", "i4"),
        ("copies", "i1", CARDS),  # counts of cards
        ("present", "i1", CARDS),  # cards that are from the present stock or are still in it,
        ("earlier", "i1", CARDS),  # and those from earlier ones (see `engine/determinize.py`)
        ("room", "i4", (MAX_SEATS, EARLIER + 1)),  # hidden cards by hand and stock
        ("used", "i4", MAX_SEATS),  # cards of the present stock that each seat played
        ("origin", "i1", MAX_CARDS),  # where the cards came from that were played
        ("options", "i2", 400),  # sets the solver may lay
        ("stack", "i2", 16),
        ("lay_offs", "i8", 4),  # lay-offs on runs by suit, as bits
        ("label", "i4", MAX_MELDS + 1),
        ("swap", "i4", MAX_SWAPS + 1),  # the next swap to try at each depth
        ("targets", "i2", MAX_MELDS),  # table melds that a begun move fits
        ("n_targets", "i4"),
        ("cards", "i1", MAX_CARDS),  # cards that are dealt anew,
        ("places", "i1", MAX_CARDS),  # and the seats whose hands take them
    ]
)
"""Scratch space of one thread; nothing in it outlives a call."""


def as_records(array: np.ndarray) -> np.ndarray:
    """Return the array so that compiled and interpreted code can read its fields as attributes."""
    return array.view(np.recarray) if INTERPRETED else array


def scratch_space() -> tuple[np.ndarray, np.ndarray]:
    """Return fresh WORK[1] and GAME[SCRATCH] arrays, what one thread needs to ask the engine."""
    return records(1, WORK), records(SCRATCH, GAME)


def records(n: int, dtype: np.dtype) -> np.ndarray:
    """Return n blank records of GAME, RULES or WORK."""
    return as_records(np.zeros(n, dtype))
