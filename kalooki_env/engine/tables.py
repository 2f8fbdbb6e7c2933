"""The tables of the solver, built once a process for each set of values."""

from functools import lru_cache

import numpy as np

from .layout import JOKER
from .solver import run_table


@lru_cache(maxsize=8)
def _table(natural: bytes, joker: bytes, low_position: int, jokers: int) -> np.ndarray:
    return run_table(np.frombuffer(natural, np.int64), np.frombuffer(joker, np.int64), low_position, jokers)


def point_runs(record: np.ndarray) -> np.ndarray:
    """Return the run table of opening points for a rules record (shape (1,)), uint16[3**13, jokers + 1]."""
    r = record[0]
    points = r["run_points"].astype(np.int64).tobytes()
    return _table(points, points, int(r["low_position"]), int(r["jokers"]))


def penalty_runs(record: np.ndarray) -> np.ndarray:
    """Return the run table of penalties: what melded cards no longer cost."""
    r = record[0]
    cards = [(p - 1) % 13 for p in range(15)]
    natural = r["penalty"][cards].astype(np.int64)
    joker = np.full(15, int(r["penalty"][JOKER]), np.int64)
    return _table(natural.tobytes(), joker.tobytes(), int(r["low_position"]), int(r["jokers"]))
