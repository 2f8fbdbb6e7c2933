"""What every action is about, as numbers: a table for networks that share weights over actions."""

import numpy as np

from kalooki_env.action_tables import (
    A_CARD,
    A_END,
    A_HIGH,
    A_JOKERS,
    A_LOW,
    A_MASK,
    A_POSITION,
    A_RANK,
    A_SUIT,
    A_TABLE,
    BLOCKS,
    DROP_OUT,
    KIND,
    KIND_SPARE,
    KIND_TABLE,
    NO_SPARE,
    SILENT,
    TAKE,
    N,
)
from kalooki_env.cards import CARDS, HIGH_ACE, JOKER, RANKS, SUITS, card_text

_N_TABLE = BLOCKS[KIND_TABLE].count
_COLUMNS = (
    ("kind", tuple(block.name for block in BLOCKS)),
    ("choice", ("second",)),
    ("suit", tuple(SUITS)),
    ("rank", tuple(RANKS)),
    ("position", tuple(str(position) for position in range(1, HIGH_ACE + 1))),
    ("card", tuple(card_text(card) for card in range(CARDS))),
    ("end", ("low", "high")),
    ("table", tuple(str(number) for number in range(1, _N_TABLE + 1))),
    ("amount", ("cards", "jokers", "points")),
)
FEATURE_NAMES = tuple(f"{group}_{name}" for group, names in _COLUMNS for name in names)
"""Names of the columns of `features()`."""

_POSITION_POINTS = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11])
_RANK_POINTS = np.array([11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10])


def features() -> np.ndarray:
    """Return one row of features an action: float32[N, len(FEATURE_NAMES)], all in 0..1.

    Columns: kind (one-hot); whether it is the second of two choices (take, no further joker,
    silent, drop out); suits, ranks, run positions and cards it names, also those of a run that
    jokers may fill; end of a run; table meld; then its cards / 14, jokers / 4 and points / 150 (an
    ace 11, low 1).
    """
    positions = _positions()
    cards = _cards(positions)
    naturals = cards[:, :JOKER].reshape(N, 4, 13)
    suits = naturals.any(axis=2) | _one_hot(A_SUIT, 4)
    ranks = naturals.any(axis=1) | _one_hot(A_RANK, 13)
    jokers = np.maximum(A_JOKERS, cards[:, JOKER])
    n_cards = naturals.sum(axis=(1, 2)) + jokers * ~_is_run()
    points = np.where(
        positions.any(axis=1), positions @ _POSITION_POINTS, (ranks @ _RANK_POINTS) * n_cards
    )
    second = np.isin(np.arange(N), (TAKE, NO_SPARE, SILENT, DROP_OUT))
    columns = (
        _one_hot(KIND, len(BLOCKS)),
        second[:, None],
        suits,
        ranks,
        positions,
        cards,
        _one_hot(A_END, 2),
        _one_hot(A_TABLE, _N_TABLE),
        np.stack((n_cards / 14, jokers / 4, points / 150), axis=1),
    )
    return np.concatenate(columns, axis=1, dtype=np.float32)


def _one_hot(values: np.ndarray, size: int, first: int = 0) -> np.ndarray:
    """Return bool[N, size]; a value of -1 gives a row of zeros."""
    return values[:, None] == np.arange(first, first + size)


def _is_run() -> np.ndarray:
    return A_LOW > 0


def _positions() -> np.ndarray:
    """Return the run positions that every action names: bool[N, 14]."""
    position = np.arange(1, HIGH_ACE + 1)
    inside = (A_LOW[:, None] <= position) & (position <= A_HIGH[:, None])
    return inside | (A_POSITION[:, None] == position)


def _cards(positions: np.ndarray) -> np.ndarray:
    """Return the card types that every action names: bool[N, 53]."""
    cards = _one_hot(A_CARD, CARDS)
    cards[:, JOKER] |= (A_JOKERS > 0) | ((KIND == KIND_SPARE) & (A_POSITION > 0))
    in_run = positions & _is_run()[:, None]
    for suit in range(4):
        block = cards[:, suit * 13 : suit * 13 + 13]
        of_suit = in_run & (suit == A_SUIT)[:, None]
        block |= of_suit[:, :13]
        block[:, 0] |= of_suit[:, 13]
        in_set = np.maximum(A_MASK, 0) >> suit & 1 == 1
        block |= _one_hot(A_RANK, 13) & in_set[:, None]
    return cards
