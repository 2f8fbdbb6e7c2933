"""Compilation, cached on disk under a hash of every source that takes part in it.

Numba's own cache key does not see an edit in a function called from another file, so a stale engine
would be silent. Here the folder itself is named after the sources: any edit starts an empty folder.
What is compiled outside the engine may hold agents too, and has a folder within the engine's that is
named after these: an edit of an agent leaves the engine alone.
"""

import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np

i64 = np.int64

_PACKAGE = Path(__file__).resolve().parent.parent
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
    digest = hashlib.sha256(f"numba {numba.__version__} numpy {np.__version__}".encode())
    for pattern in patterns:
        for path in sorted(_PACKAGE.glob(pattern)):
            digest.update(str(path.relative_to(_PACKAGE)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Folder of the compiled functions of exactly these sources (`KALOOKI_CACHE_DIR` moves it)."""
    base = os.environ.get("KALOOKI_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    root = Path(base) if base else Path.home() / ".cache"
    checked = "-checked" if numba.config.BOUNDSCHECK else ""
    return root / "kalooki" / (source_digest() + checked)


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _choose_folder() -> Path:
    """Return the cache folder, or one for temporary files where that cannot be written."""
    folder = cache_folder()
    if _writable(folder):
        return folder
    spare = Path(tempfile.gettempdir()) / f"kalooki-{os.getuid()}" / folder.name
    print(
        f"kalooki: {folder} cannot be written, compiled code is kept in {spare} "
        "(KALOOKI_CACHE_DIR names another folder)",
        file=sys.stderr,
    )
    spare.mkdir(parents=True, exist_ok=True)
    return spare


FOLDER = _choose_folder()
AGENTS_FOLDER = FOLDER / f"agents-{source_digest(AGENTS)}"


def _folder_of(function: Callable) -> Path:
    """Return the cache folder of a function: of the engine, or of what is built on it."""
    return FOLDER if function.__module__.startswith("kalooki_env.engine.") else AGENTS_FOLDER


def _compile(function: Callable, folder: Path, **options: object) -> Callable:
    """Compile `function` on first use, without the GIL, cached on disk.

    Without reference counts too: nothing compiled here allocates, all memory is the caller's, and
    counting the arguments of every call up and down took most of the time of a decision.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    options |= {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
    try:
        return numba.njit(no_cfunc_wrapper=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = before


class _Inside:
    """A compiled function without an entrance from Python, as Numba's compiler sees it.

    Called from Python it is compiled once more, with an entrance, and kept in a folder apart:
    Numba's index of what is compiled does not tell the two from each other.
    """

    def __init__(self, function: Callable) -> None:
        functools.update_wrapper(self, function)
        self._inside = _compile(function, _folder_of(function), no_cpython_wrapper=True)
        self._numba_type_ = self._inside._numba_type_

    @functools.cached_property
    def _entrance(self) -> Callable:
        function = self.__wrapped__
        return _compile(function, _folder_of(function) / "entrances")

    def __call__(self, *arguments: object, **named: object) -> object:
        """Call it from Python."""
        return self._entrance(*arguments, **named)

    def __repr__(self) -> str:
        """Name the function."""
        return f"jit({self.__module__}.{self.__qualname__})"


def entry(function: Callable) -> Callable:
    """Compile a function that Python calls."""
    return _compile(function, _folder_of(function))


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
    return _compile(function, _folder_of(function), inline="always")


_announced = False


def announce_compilation() -> None:
    """Say on standard error, once, that the first use compiles the engine."""
    global _announced
    if _announced:
        return
    _announced = True
    if numba.config.DISABLE_JIT or any(FOLDER.rglob("apply.apply-*.nbi")):
        return
    print("kalooki: compiling the engine, once (about a minute) ...", file=sys.stderr, flush=True)
