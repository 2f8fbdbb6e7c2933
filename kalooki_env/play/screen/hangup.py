"""The end of the game when its terminal is gone, or the server that shows it in a browser.

Mostly the signal SIGHUP ends it. Where that is ignored, Textual would go on for ever: a terminal that
is gone can always be read, for nothing.
"""

import os
import select
import sys
import threading
from collections.abc import Callable

CODE = 129
"""What a shell calls the end by SIGHUP."""
_PATIENCE = 2.0
"""Seconds for leaving; a loop that waits to write to the terminal never gets to it."""


def watch(leave: Callable[[], None]) -> None:
    """Wait in a thread for the terminal, or the pipe, of the keys to go; then end the process.

    Args:
        leave: called in that thread; asks the loop of the application to leave and end by itself.
    """
    if sys.__stdin__ is None or not hasattr(select, "poll"):
        return
    number = sys.__stdin__.fileno()
    threading.Thread(target=_wait, args=(number, leave), name="hang-up", daemon=True).start()


def _wait(number: int, leave: Callable[[], None]) -> None:
    poll = select.poll()
    poll.register(number, 0)  # nothing but the hang-up, which is always told
    if not any(event & select.POLLHUP for _, event in poll.poll()):
        return  # a system that can't watch it
    try:
        leave()
        threading.Event().wait(_PATIENCE)
    finally:
        os._exit(CODE)  # every move is in the record already
