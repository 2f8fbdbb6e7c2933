"""The tables of the solver: built once for each set of values and kept beside the compiled engine."""

import hashlib
import io
from functools import lru_cache

import numpy as np

from .jit import ENGINE_STORE
from .layout import JOKER
from .run_table import CODES, run_table


@lru_cache(maxsize=8)
def _table(natural: bytes, joker: bytes, low_position: int, jokers: int) -> np.ndarray:
    name = hashlib.sha256(natural + joker + bytes([low_position, jokers])).hexdigest()[:16]
    file = f"runs-{name}.npy"
    table = _read(ENGINE_STORE.read(file), jokers)
    if table is None:
        values = np.frombuffer(natural, np.int64), np.frombuffer(joker, np.int64)
        table = run_table(*values, low_position, jokers)
        ENGINE_STORE.write(file, _written(table))
    return table


def _read(content: bytes | None, jokers: int) -> np.ndarray | None:
    """Return a table that was kept, None if it is none that fits."""
    if content is None:
        return None
    try:
        table = np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, EOFError):
        return None
    fits = table.shape == (CODES, jokers + 1) and table.dtype == np.uint16
    return table if fits else None


def _written(table: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, table)
    return file.getvalue()


def point_runs(record: np.ndarray) -> np.ndarray:
    """Return the run table of opening points for a rules record (shape (1,)), uint16[3**13, jokers
    + 1]."""
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
