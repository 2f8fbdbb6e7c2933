"""Signals that end the process, as an exception: whoever holds the terminal puts it back first."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator

CODE = 128
"""A shell adds the number of a signal to it for the exit code."""


@contextlib.contextmanager
def raised(error: Callable[[int], Exception]) -> Iterator[None]:
    """Raise an error, made of the exit code, where a signal would end the process on the spot.

    Those that somebody else handles, or that are ignored as under nohup, stay as they are.
    """

    def end(number: int, frame: object) -> None:
        raise error(CODE + number)

    names = ("SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    numbers = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
