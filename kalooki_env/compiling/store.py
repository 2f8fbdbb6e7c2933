"""What is kept from one start to the next: compiled functions, and tables of the solver.

It lies in the user's cache folder. Where that is not ours or cannot be written, it lies in a
private folder that goes when this process ends, and where there is none either, in memory.
"""

import os
import shutil
import sys
import tempfile
from functools import cache
from multiprocessing import util
from pathlib import Path

import numba

from kalooki_env.compiling.folder import PrivateFolder

PLACE = "KALOOKI_CACHE_DIR"


def base_folder() -> Path:
    """Return the folder that holds ours: `KALOOKI_CACHE_DIR`, else `NUMBA_CACHE_DIR`, else the user's
    cache folder.

    Raises:
        OSError: there is none: no variable is set, and the user has no home.
    """
    named = os.environ.get(PLACE) or numba.config.CACHE_DIR or os.environ.get("XDG_CACHE_HOME")
    if named:
        return Path(named)
    try:
        return Path.home() / ".cache"
    except RuntimeError:
        raise FileNotFoundError("this user has no home folder") from None


class Store:
    """Files of bytes by name in `kalooki/NAME/...` of the base folder; nothing is made before a file
    is kept.

    Args:
        names: folders, each inside the one before.
    """

    def __init__(self, *names: str) -> None:
        self._names = ("kalooki", *names)
        self._problem: OSError | None = None
        """Why a file could not be kept for good."""
        self._spare: PrivateFolder | None = None
        self._folder: PrivateFolder | None = None
        try:
            self._folder = PrivateFolder(base_folder(), *self._names)
        except OSError as error:
            self._problem = error

    @property
    def path(self) -> Path | None:
        """The folder where files are kept for good, None if there is none."""
        return self._folder.path if self._folder is not None else None

    def read(self, name: str) -> bytes | None:
        """Return a file's content, None where there is none that is whole and ours."""
        for folder in (self._folder, self._spare):
            if folder is not None and (content := folder.read(name)) is not None:
                return content
        return None

    def lock(self, name: str, patience: float) -> int | None:
        """Take the lock of a file that is going to be made, see `PrivateFolder.lock`; None as well where
        nothing is kept for good."""
        if self._folder is None or self._problem is not None:
            return None
        try:
            return self._folder.lock(name, patience)
        except OSError:
            return None

    def unlock(self, name: str, lock: int) -> None:
        """Give a lock back."""
        assert self._folder is not None
        self._folder.unlock(name, lock)

    @property
    def base(self) -> Path | None:
        """The folder that holds ours, None where files can't be kept for good."""
        if self._folder is None or self._problem is not None:
            return None
        try:
            self._folder.make()
        except OSError:
            return None
        return self._folder.base

    def write(self, name: str, content: bytes) -> None:
        """Keep a file, for good or as long as this runs; where it can't be, a line says so, once."""
        if self._folder is not None and self._problem is None:
            try:
                self._folder.write(name, content)
                return
            except OSError as error:
                self._problem = error
        spare = _make_spare()
        if spare is not None:
            self._spare = PrivateFolder(spare, *self._names)
            try:
                self._spare.write(name, content)
            except OSError:
                spare = None
        _say_once(self._problem, spare)


@cache
def _make_spare() -> Path | None:
    """Make a private folder that goes when this process ends; None where there can be none.

    The processes that this one starts find it by the environment: each would compile on its own.
    """
    try:
        spare = Path(tempfile.mkdtemp(prefix="kalooki-"))
    except OSError:
        return None
    util.Finalize(None, shutil.rmtree, (spare, True), exitpriority=0)
    os.environ[PLACE] = str(spare)
    return spare


_said = False


def _say_once(problem: OSError | None, spare: Path | None) -> None:
    """Say that compiled code is not kept for good, and why."""
    global _said
    if _said or problem is None:
        return
    _said = True
    reason = problem.strerror or str(problem)
    if problem.strerror and problem.filename:
        reason = f"{problem.filename}: {reason}"
    print(
        f"kalooki: compiled code is kept in {spare or 'memory'} until this ends ({reason}); "
        f"{PLACE} names a folder where it stays",
        file=sys.stderr,
        flush=True,
    )
