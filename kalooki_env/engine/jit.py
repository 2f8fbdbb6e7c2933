"""Compilation, kept on disk under a hash of every source that takes part in it.

Numba's own cache key does not see an edit in a function called from another file, so a stale engine
would be silent. Here the folder itself is named after the sources: any edit starts an empty folder.
What is compiled outside the engine may hold agents too, and has a folder within the engine's that is
named after these: an edit of an agent leaves the engine alone.
"""

import functools
from collections.abc import Callable

import numba
import numpy as np

from ..compiling.kept import KeptCode
from ..compiling.pipeline import EntryCompiler, InsideCompiler
from ..compiling.sources import digest
from ..compiling.store import Store

i64 = np.int64

ENGINE = ("action_tables.py", "observation.py", "cards.py", "engine/*.py")
AGENTS = (
    "agents/greedy.py",
    "agents/hand_features.py",
    "agents/ends/*.py",
    "agents/heuristic/*.py",
    "agents/search/*.py",
)


def source_digest(patterns: tuple[str, ...] = ENGINE) -> str:
    """Hash of compiled sources and the versions of Numba and NumPy, as 16 hex digits."""
    return digest(patterns)


_NAME = source_digest() + ("-checked" if numba.config.BOUNDSCHECK else "")
ENGINE_STORE = Store(_NAME)
AGENTS_STORE = Store(_NAME, f"agents-{source_digest(AGENTS)}")


def _compile(function: Callable, is_inside: bool = False, **options: object) -> Callable:
    """Compile `function` on first use, without the GIL, kept on disk.

    Without reference counts too: nothing compiled here allocates, all memory is the caller's, and
    counting the arguments of every call up and down took most of the time of a decision.
    """
    if numba.config.DISABLE_JIT:
        return function
    compiled = numba.njit(
        nogil=True,
        error_model="numpy",
        _nrt=False,
        no_cfunc_wrapper=True,
        no_cpython_wrapper=is_inside,
        pipeline_class=InsideCompiler if is_inside else EntryCompiler,
        **options,
    )(function)
    in_engine = function.__module__.startswith("kalooki_env.engine.")
    store = ENGINE_STORE if in_engine else AGENTS_STORE
    compiled._cache = KeptCode(function, store, repr(sorted(options.items())), is_inside)
    return compiled


class _Inside:
    """A compiled function without an entrance from Python, as Numba's compiler sees it.

    Called from Python it is compiled once more, with an entrance, and kept apart.
    """

    def __init__(self, function: Callable) -> None:
        functools.update_wrapper(self, function)
        self._inside = _compile(function, is_inside=True)
        self._numba_type_ = self._inside._numba_type_

    @functools.cached_property
    def _entrance(self) -> Callable:
        return _compile(self.__wrapped__)

    def __call__(self, *arguments: object, **named: object) -> object:
        """Call it from Python."""
        return self._entrance(*arguments, **named)

    def __repr__(self) -> str:
        """Name the function."""
        return f"jit({self.__module__}.{self.__qualname__})"


def entry(function: Callable | None = None, **options: object) -> Callable:
    """Compile a function that Python calls; with options of Numba where they are given."""
    if function is None:
        return functools.partial(entry, **options)
    return _compile(function, **options)


def jit(function: Callable) -> Callable:
    """Compile a function that compiled ones call.

    It has no entrance from Python: making these took an eighth of the first start.
    """
    return function if numba.config.DISABLE_JIT else _Inside(function)


def inlined(function: Callable) -> Callable:
    """Compile a function as a part of those that call it: for what has one caller, or is short but
    calls much.

    What is compiled by itself is optimised with all that it calls, and once more within each of its
    callers; this spares half of the first start.
    """
    return _compile(function, inline="always")
