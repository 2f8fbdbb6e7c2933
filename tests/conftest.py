"""What all tests share."""

import signal

import pytest

from kalooki_env import Game


@pytest.fixture(autouse=True, scope="session")
def interrupts_are_not_ignored():
    """Let Ctrl-C tests work where the tests run in the background of a script.

    A shell starts such jobs with SIGINT ignored, and their children inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def the_engine_is_compiled():
    """Compile the engine before the first test: the note that says so is in nobody's output."""
    game = Game("british", seats=2, seed=0)
    game.play(game.legal_moves()[0])
