"""A start of the engine in a process of its own, small enough to be repeated: one function."""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 54321
"""A user without an entry among the users."""

PROGRAM = """
import os, stat, sys
from kalooki_env.compiling import store
from kalooki_env.engine.solver import suit_code
code = suit_code(1 << 12, 0, 0)
spare = store._make_spare() if store._make_spare.cache_info().currsize else None
mode = oct(stat.S_IMODE(os.stat(spare).st_mode)) if spare else None
print([code, sum(suit_code._entrance.stats.cache_hits.values()), str(spare), mode])
"""
"""Asks a compiled function for the code of a king: 177147, and tells what of it was kept."""
KING = 3**11

OTHER_USER = """
import multiprocessing.util, os, shutil, tempfile
import kalooki_env, numba
numba.njit(lambda row: row[0] + 1)(__import__("numpy").zeros(1, "i8"))
os.setgroups([]), os.setgid({user}), os.setuid({user})
"""
"""Becomes another user once all is loaded: the interpreter may lie where only root can read it."""


@dataclass(frozen=True)
class Start:
    """What a start said."""

    code: int
    hits: int
    """1 if what was kept is used, 0 if the function was compiled."""
    spare: Path | None
    """The private folder that was made."""
    mode: str | None
    """Its permissions."""
    said: str
    """Standard error, without that it compiles."""


@dataclass(frozen=True)
class Place:
    """Where a start takes place: an empty folder, and how the process is begun."""

    folder: Path
    user: int | None = None

    @property
    def cache(self) -> Path:
        """The base folder of what is kept."""
        return self.folder / "cache"

    @property
    def kept(self) -> Path:
        """The folder that is ours, the outermost one."""
        return self.cache / "kalooki"

    def files(self) -> list[Path]:
        """List what is kept."""
        return sorted(self.kept.rglob("*.nbc"))

    def environment(self, **changed: str | None) -> dict[str, str]:
        """Return the variables of a process here; None takes one away."""
        variables: dict[str, str | None] = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "KALOOKI_CACHE_DIR": str(self.cache),
            "NUMBA_CACHE_DIR": None,
            "XDG_CACHE_HOME": None,
            "TMPDIR": str(self.folder / "temporary"),
            **changed,
        }
        return {name: value for name, value in variables.items() if value is not None}

    def start(
        self, program: str = PROGRAM, limit: int | None = None, **changed: str | None
    ) -> Start:
        """Start once.

        Args:
            program: what is run.
            limit: the most bytes of a file: a full disk.
            changed: variables of the environment, see `environment`.
        """
        become = OTHER_USER.format(user=self.user)
        done = subprocess.run(
            [sys.executable, "-c", program if self.user is None else become + program],
            env=self.environment(**changed),
            cwd=self.folder,
            preexec_fn=_limited(limit),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        code, hits, spare, mode = eval(done.stdout.splitlines()[-1])
        found = None if spare == "None" else Path(spare)
        # That it compiles is said where that takes long: on a busy machine at any time.
        lines = done.stderr.splitlines()
        said = "\n".join(line for line in lines if "kalooki: compiling" not in line)
        return Start(code, hits, found, mode, said)


def _limited(limit: int | None) -> Callable[[], Any] | None:
    if limit is None:
        return None
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


@contextmanager
def place(user: int | None = None) -> Iterator[Place]:
    """Make an empty place, a user's own if one is given."""
    with tempfile.TemporaryDirectory(prefix="cache-test-") as name:
        folder = Path(name)
        (folder / "temporary").mkdir()
        if user is not None:
            for path in (folder, folder / "temporary"):
                os.chown(path, user, user)
        yield Place(folder, user)
