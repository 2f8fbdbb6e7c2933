"""Ctrl-C in a training run: the first one asks, the second one stops."""

import signal
import sys
from types import FrameType
from typing import Any, Self


class SignalHandler:
    """Handles Ctrl-C (SIGINT) in another way while it is entered; off the main thread it does
    nothing."""

    handler: Any = signal.SIG_IGN

    def __enter__(self) -> Self:
        try:
            self._before = signal.signal(signal.SIGINT, self.handler)
        except ValueError:  # only the main thread may; whoever runs that one handles Ctrl-C
            self._before = None
        return self

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


class IgnoreInterrupt(SignalHandler):
    """Ignores Ctrl-C, in processes started meanwhile too, from their first instruction on."""


class StopOnInterrupt(SignalHandler):
    """Takes the first Ctrl-C as the wish to stop at the next good place; a second one stops at
    once."""

    def __init__(self) -> None:
        self.asked = False

    def handler(self, number: int, frame: FrameType | None) -> None:
        """Note the wish."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        print("\nstopping after this update (Ctrl-C again: at once)", file=sys.stderr, flush=True)
