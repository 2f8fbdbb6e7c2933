"""What a person sees who waits until something is compiled: the seconds that it takes.

A terminal shows them as they pass, and the line goes when they are over. Elsewhere one line says
what is compiled: the engine, what is built on it, or the agents.
"""

import contextlib
import sys
import threading
import time
from collections.abc import Iterator

PATIENCE = 1.0
"""Seconds that need no word."""

_told: set[str] = set()
_spent: dict[str, float] = {}
"""Seconds by what was compiled: several functions one after the other are one wait."""


class Wait:
    """Shows that something is compiled until `end` is called."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._since = time.monotonic() - _spent.get(what, 0.0)
        self._over = threading.Event()
        self._shown = threading.Thread(target=self._show, name="compiling", daemon=True)
        self._shown.start()

    def end(self) -> None:
        """Stop counting, and wipe the line."""
        self._over.set()
        self._shown.join()
        _spent[self._what] = time.monotonic() - self._since

    def _show(self) -> None:
        """Say what is compiled if it takes longer than a moment."""
        left = self._since + PATIENCE - time.monotonic()
        if self._over.wait(max(left, 0.1)) or sys.stderr is None:
            return
        with contextlib.suppress(OSError, ValueError):  # nobody reads it
            if sys.stderr.isatty():
                self._count()
            elif self._what not in _told:
                _told.add(self._what)
                print(f"kalooki: compiling {self._what}, once ...", file=sys.stderr, flush=True)

    def _count(self) -> None:
        """Show the seconds in a terminal."""
        over = False
        while not over:
            seconds = time.monotonic() - self._since
            _rewrite(f"kalooki: compiling {self._what}, once: {seconds:.0f} s ")
            over = self._over.wait(1.0 - seconds % 1.0)
        _rewrite("")


def _rewrite(line: str) -> None:
    """Put a line in the place of the last one."""
    print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)


_waits: list[Wait | None] = []
"""What is waited for, the outermost first; Numba's lock is held whenever it changes."""


def begin(module: str) -> None:
    """Begin to wait for a function of a module; within another wait nothing more is shown."""
    _waits.append(None if any(_waits) else Wait(_part(module)))


def end() -> None:
    """End the wait that was begun last."""
    wait = _waits.pop()
    if wait is not None:
        wait.end()


@contextlib.contextmanager
def waiting(module: str) -> Iterator[None]:
    """Wait for a function of a module that another process compiles."""
    begin(module)
    try:
        yield
    finally:
        end()


def _part(module: str) -> str:
    """Say what a module is a part of."""
    if module.startswith("kalooki_env.engine."):
        return "the engine"
    return "the agents" if module.startswith("kalooki_env.agents.") else "what runs the games"
