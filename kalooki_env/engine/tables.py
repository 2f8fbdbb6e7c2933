"""The tables of the solver: built once for each set of values and kept beside the compiled engine."""

import hashlib
import os
import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np

from .jit import FOLDER
from .layout import JOKER
from .run_table import CODES, run_table


@lru_cache(maxsize=8)
def _table(natural: bytes, joker: bytes, low_position: int, jokers: int) -> np.ndarray:
    name = hashlib.sha256(natural + joker + bytes([low_position, jokers])).hexdigest()[:16]
    path = FOLDER / f"runs-{name}.npy"
    table = _read(path, jokers)
    if table is not None:
        return table
    values = np.frombuffer(natural, np.int64), np.frombuffer(joker, np.int64)
    table = run_table(*values, low_position, jokers)
    _write(path, table)
    return table


def _read(path: Path, jokers: int) -> np.ndarray | None:
    """Return a table that was kept, or None if there is none that is whole."""
    try:
        table = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    whole = table.shape == (CODES, jokers + 1) and table.dtype == np.uint16
    return table if whole else None


def _write(path: Path, table: np.ndarray) -> None:
    """Keep a table, whole or not at all; a folder that cannot be written only costs time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            np.save(file, table)
        os.replace(name, path)
    except OSError:
        return


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
