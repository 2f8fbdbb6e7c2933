"""What all tests share."""

import signal

import pytest


@pytest.fixture(autouse=True, scope="session")
def interrupts_are_not_ignored():
    """Let Ctrl-C tests work where the tests run in the background of a script.

    A shell starts such jobs with SIGINT ignored, and their children inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
