"""How `Game` calls the engine: without looking types up, with scratch arrays of its thread.

A compiled function that is called from Python finds out the types of its arguments first. For
arrays of records that takes longer than most of what a single game asks.
"""

import threading
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from kalooki_env.engine import layout as L
from kalooki_env.engine import single


class Direct:
    """An entry point of the engine that takes arguments of the same types at every call.

    Whole numbers may be of any type. `call` must be looked up at each call: the first one compiles
    and replaces it.
    """

    def __init__(self, entry: Callable[..., Any]) -> None:
        self._entry = entry
        self.call: Callable[..., Any] = entry if L.INTERPRETED else self._first_call

    def _first_call(self, *arguments: Any) -> Any:
        types = tuple(
            numba.int64 if isinstance(value, int | np.integer) else numba.typeof(value)
            for value in arguments
        )
        self._entry.compile(types)
        self.call = self._entry.get_overload(types)
        return self.call(*arguments)


list_legal = Direct(single.list_legal_at)
play = Direct(single.play_at)
apply = Direct(single.apply_at)
mask = Direct(single.mask_at)
observe = Direct(single.observe_at)
look = Direct(single.look_at)


class ThreadSpace(threading.local):
    """Scratch arrays for the engine, others in each thread."""

    def __init__(self) -> None:
        work, scratch = L.scratch_space()
        self.arrays = work, scratch, work["ids"][0]
        """WORK[1] and GAME[SCRATCH], and of the former the legal ids."""


space = ThreadSpace()
