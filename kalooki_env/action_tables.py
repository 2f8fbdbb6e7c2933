"""The numbers of the action catalogue: blocks of ids, tables of their parts, id builders.

The ids lie in named blocks; new blocks may only be appended, and renumbering bumps `VERSION`. The
tables `KIND`, `A_SUIT`, ... give the parts of every id (-1 where a part does not apply); like the
id builders they are plain enough for compiled code. Everything here is public through `actions`.
"""

from typing import NamedTuple

import numpy as np

from kalooki_env.cards import (
    HIGH_ACE,
    JOKER,
    position_card,
    position_rank,
)

VERSION = 1


class Block(NamedTuple):
    """A named range of action ids."""

    name: str
    offset: int
    count: int
    meaning: str


_MEANINGS = (
    ("draw", 2, "draw from the stock, take the top discard"),
    ("run", 308, "lay a run: suit x interval of positions 1..14"),
    ("set", 377, "lay a set: rank x natural suits and number of jokers"),
    ("layoff_run", 176, "lay off on a run: suit x end x position x natural or joker"),
    ("layoff_set", 65, "lay off on a set: natural card, or joker by rank"),
    ("swap_run", 56, "swap a joker out of a run: suit x position"),
    ("swap_set", 78, "swap a joker out of a set: rank x pair of suits"),
    ("discard", 53, "discard a card"),
    ("spare", 15, "a spare joker goes to a position 1..14 of the run, or no further joker"),
    ("table", 36, "which table meld is meant"),
    ("announce", 2, "announce the last cards, stay silent"),
    ("buy_in", 2, "buy in, drop out"),
)
_OFFSETS = np.cumsum([0] + [count for _, count, _ in _MEANINGS]).tolist()
BLOCKS = tuple(
    Block(name, offset, count, meaning)
    for offset, (name, count, meaning) in zip(_OFFSETS, _MEANINGS, strict=False)
)
"""All blocks, in the order of their ids."""
N = _OFFSETS[-1]
"""Number of actions: 1170."""

# First ids of the blocks, and the second id where a block is a pair of choices.
(
    DRAW,
    RUN,
    SET,
    LAYOFF_RUN,
    LAYOFF_SET,
    SWAP_RUN,
    SWAP_SET,
    DISCARD,
    SPARE,
    TABLE,
    ANNOUNCE,
    BUY_IN,
) = _OFFSETS[:-1]
TAKE = DRAW + 1
NO_SPARE = SPARE + 14
SILENT = ANNOUNCE + 1
DROP_OUT = BUY_IN + 1

# Values of KIND: the index of an id's block.
(
    KIND_DRAW,
    KIND_RUN,
    KIND_SET,
    KIND_LAYOFF_RUN,
    KIND_LAYOFF_SET,
    KIND_SWAP_RUN,
    KIND_SWAP_SET,
    KIND_DISCARD,
    KIND_SPARE,
    KIND_TABLE,
    KIND_ANNOUNCE,
    KIND_BUY_IN,
) = range(len(BLOCKS))

LOW_END, HIGH_END = 0, 1
INTERVALS = tuple(
    (low, high) for low in range(1, 13) for high in range(low + 2, min(low + 12, HIGH_ACE) + 1)
)
"""First and last position of the runs that can be laid, in the order of their ids."""
OPTIONS = tuple(
    (mask, jokers)
    for mask in range(1, 16)
    for jokers in range(4)
    if mask.bit_count() + jokers in (3, 4)
)
"""Natural suits (bit s = suit s) and number of jokers of the sets that can be laid."""
PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
"""The two suits given in a swap from a set."""
N_INTERVALS, N_OPTIONS, N_PAIRS = len(INTERVALS), len(OPTIONS), len(PAIRS)


def _index(keys: tuple[tuple[int, int], ...], shape: tuple[int, int]) -> np.ndarray:
    table = np.full(shape, -1, np.int8)
    for index, key in enumerate(keys):
        table[key] = index
    return table


RUN_INTERVAL = _index(INTERVALS, (15, 15))
"""Index of the interval (first, last position), or -1: int8[15, 15]."""
SET_OPTION = _index(OPTIONS, (16, 4))
"""Index of the option (natural suits, jokers), or -1: int8[16, 4]."""
PAIR_INDEX = _index(PAIRS, (4, 4))
"""Index of the pair (lower suit, higher suit), or -1: int8[4, 4]."""


def run_id(suit: int, low: int, high: int) -> int:
    """Return the id that lays the run of a suit from position `low` to `high`."""
    return RUN + suit * N_INTERVALS + int(RUN_INTERVAL[low, high])


def set_id(rank: int, mask: int, jokers: int) -> int:
    """Return the id that lays a set of a rank index: natural suits as bits, number of jokers."""
    return SET + rank * N_OPTIONS + int(SET_OPTION[mask, jokers])


def layoff_run_id(suit: int, end: int, position: int, joker: int) -> int:
    """Return the id that lays off a natural (joker 0) or joker (1) at an end (0 low, 1 high)."""
    return LAYOFF_RUN + ((suit * 2 + end) * 11 + position - 1 - 3 * end) * 2 + joker


def layoff_set_id(card: int) -> int:
    """Return the id that lays off a natural card type 0..51 on a set of its rank."""
    return LAYOFF_SET + card


def layoff_set_joker_id(rank: int) -> int:
    """Return the id that lays off a joker on a set of a rank index."""
    return LAYOFF_SET + 52 + rank


def swap_run_id(suit: int, position: int) -> int:
    """Return the id that swaps the joker at a position out of a run of a suit."""
    return SWAP_RUN + suit * 14 + position - 1


def swap_set_id(rank: int, pair_low: int, pair_high: int) -> int:
    """Return the id that gives two suits (the lower first) for a joker of a set."""
    return SWAP_SET + rank * N_PAIRS + int(PAIR_INDEX[pair_low, pair_high])


def discard_id(card: int) -> int:
    """Return the id that discards a card type 0..52."""
    return DISCARD + card


def spare_id(position: int) -> int:
    """Return the id that puts a spare joker on a position 1..14 of the run being laid."""
    return SPARE + position - 1


def table_id(index: int) -> int:
    """Return the id that answers "this table meld", by its index from 0."""
    return TABLE + index


def _table() -> np.ndarray:
    return np.full(N, -1, np.int8)


KIND = np.repeat(np.arange(len(BLOCKS)), [block.count for block in BLOCKS]).astype(np.int8)
"""Index of an id's block, one of the `KIND_*` values."""
A_SUIT = _table()
"""Suit of a run, of a card laid off, given or discarded."""
A_LOW = _table()
"""First position of a run that is laid."""
A_HIGH = _table()
"""Last position of a run that is laid."""
A_RANK = _table()
"""Rank index of a set, or of a card or place laid off, given, discarded, covered by a joker."""
A_MASK = _table()
"""Natural suits as bits: of a set that is laid, of a natural laid off on a set, of a pair given."""
A_JOKERS = _table()
"""Jokers of a set that is laid; 1 for a joker laid off, 0 for a natural laid off."""
A_POSITION = _table()
"""Position 1..14 of a lay-off on a run, a swap in a run, a spare joker."""
A_END = _table()
"""End of the run that a lay-off extends: 0 low, 1 high."""
A_CARD = _table()
"""Card type that leaves the hand, where it is one card: lay-offs, swaps in runs, discards."""
A_PAIR_LOW = _table()
"""Lower suit given in a swap from a set."""
A_PAIR_HIGH = _table()
"""Higher suit given in a swap from a set."""
A_TABLE = _table()
"""Index from 0 of the table meld that is meant."""


def _fill_melds() -> None:
    for suit in range(4):
        for low, high in INTERVALS:
            action = run_id(suit, low, high)
            A_SUIT[action], A_LOW[action], A_HIGH[action] = suit, low, high
    for rank in range(13):
        for mask, jokers in OPTIONS:
            action = set_id(rank, mask, jokers)
            A_RANK[action], A_MASK[action], A_JOKERS[action] = rank, mask, jokers


def _fill_place(action: int, suit: int, position: int) -> None:
    A_SUIT[action], A_POSITION[action] = suit, position
    A_RANK[action], A_CARD[action] = position_rank(position), position_card(suit, position)


def _fill_layoffs() -> None:
    for suit in range(4):
        for end in (LOW_END, HIGH_END):
            for position in range(1 + 3 * end, 12 + 3 * end):
                for joker in (0, 1):
                    action = layoff_run_id(suit, end, position, joker)
                    _fill_place(action, suit, position)
                    A_END[action], A_JOKERS[action] = end, joker
                    if joker:
                        A_CARD[action] = JOKER
    for card in range(JOKER):
        action = layoff_set_id(card)
        A_CARD[action], A_SUIT[action], A_RANK[action] = card, card // 13, card % 13
        A_MASK[action], A_JOKERS[action] = 1 << card // 13, 0
    for rank in range(13):
        action = layoff_set_joker_id(rank)
        A_CARD[action], A_RANK[action], A_JOKERS[action] = JOKER, rank, 1


def _fill_swaps() -> None:
    for suit in range(4):
        for position in range(1, HIGH_ACE + 1):
            _fill_place(swap_run_id(suit, position), suit, position)
    for rank in range(13):
        for low, high in PAIRS:
            action = swap_set_id(rank, low, high)
            A_RANK[action], A_MASK[action] = rank, 1 << low | 1 << high
            A_PAIR_LOW[action], A_PAIR_HIGH[action] = low, high


def _fill_others() -> None:
    for card in range(JOKER):
        action = discard_id(card)
        A_CARD[action], A_SUIT[action], A_RANK[action] = card, card // 13, card % 13
    A_CARD[discard_id(JOKER)] = JOKER
    for position in range(1, HIGH_ACE + 1):
        action = spare_id(position)
        A_POSITION[action], A_RANK[action] = position, position_rank(position)
    for index in range(BLOCKS[KIND_TABLE].count):
        A_TABLE[table_id(index)] = index


_fill_melds()
_fill_layoffs()
_fill_swaps()
_fill_others()
