"""Whatever ends or stops the table, and whatever the terminal sends: the terminal is as it was."""

import os
import signal
import threading
import time

import pytest

pytest.importorskip("textual")

from textual import events
from textual.messages import InBandWindowResize

from kalooki_env import records
from kalooki_env.play import saved
from kalooki_env.play.screen import keyboard
from kalooki_env.play.screen.keyboard import Keyboard
from tests.play.noise import KNOWN, sequences
from tests.play.real import PATIENCE, Terminal

TABLE = ("--opponent", "random", "--seed", "1")
FIRST = "K A L O O K I"
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)


def drawn(terminal):
    """Begin a match and draw a card."""
    terminal.wait_for("Your turn: draw")
    terminal.press("d")
    terminal.wait_for("or just discard a card")
    return terminal


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_puts_the_terminal_back_and_names_the_record(number):
    with Terminal(*TABLE) as terminal:
        drawn(terminal)
        assert {1000, 1049, 2004, 25, "line"} <= terminal.settings()
        terminal.process.send_signal(number)
        assert terminal.wait() == 128 + number
        assert terminal.settings() == set()
        assert b"This game is recorded: kalooki replay " in terminal.seen
        assert terminal.seen.rstrip().endswith(b"kalooki play --continue")
        assert b"Traceback" not in terminal.seen
    [table] = saved.tables()
    assert saved.game_of(table).moves[-1] == (0, "draw")
    assert records.verify(table.record, unfinished=True).games == 1


@pytest.mark.parametrize(
    ("keys", "code", "last"),
    [(["q", "2"], 0, b"Goodbye."), (["\x11"], 0, b"--continue")],
)
def test_leaving_by_keys_puts_the_terminal_back(keys, code, last):
    with Terminal(*TABLE) as terminal:
        drawn(terminal)
        for key in keys:
            terminal.press(key)
            if key == "q":
                terminal.wait_for("Leave the table?")
        assert terminal.wait() == code
        assert terminal.settings() == set()
        assert terminal.seen.rstrip().endswith(last)


def test_a_signal_on_the_first_screen_puts_the_terminal_back():
    with Terminal() as terminal:
        terminal.wait_for(FIRST)
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.wait() == 143
        assert terminal.settings() == set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_at_the_plain_table_puts_the_line_back(number):
    with Terminal("--plain", *TABLE) as terminal:
        terminal.wait_for("draw, or take")
        terminal.press("draw\n")
        terminal.wait_for("meld or discard")
        terminal.process.send_signal(number)
        assert terminal.wait() == 128 + number
        assert terminal.settings() == set()
        assert b"This game is recorded: kalooki replay " in terminal.seen


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP])
def test_a_table_that_was_stopped_is_drawn_again_and_leaves_the_terminal_as_it_was(number):
    with Terminal(*TABLE) as terminal:
        terminal.wait_for("Your turn: draw")
        terminal.process.send_signal(number)
        _, status = os.waitpid(terminal.process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        terminal.look()
        if number == signal.SIGTSTP:
            assert terminal.settings() == set()
        terminal.process.send_signal(signal.SIGCONT)
        terminal.wait_for("Your turn: draw")
        terminal.press("d")
        terminal.wait_for("or just discard a card")
        terminal.process.send_signal(signal.SIGTERM)
        terminal.process.send_signal(signal.SIGCONT)  # as `timeout` and systemd do
        assert terminal.wait() == 143
        assert terminal.settings() == set()


def test_no_bytes_stop_the_table_or_make_it_deaf():
    with Terminal(*TABLE) as terminal:
        terminal.wait_for("Your turn: draw")
        for noise in sequences(60):
            terminal.press(noise)
            terminal.look(0.01)
        alive(terminal)
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.wait() == 143, terminal.seen[-8000:].decode(errors="replace")
        assert terminal.settings() == set()
        assert b"Traceback" not in terminal.seen


def alive(terminal):
    """See that keys do what they do: close whatever is open, and ask for help.

    A busy process reads Escape and the next key at once, which is another key: the pauses grow.
    """
    end, pause = time.monotonic() + PATIENCE, 0.5
    while b"Your cards (or click them)" not in terminal.seen:
        assert time.monotonic() < end, terminal.seen[-2000:]
        for key in ("\x1b", "?"):
            terminal.press(key)
            pressed = time.monotonic()
            while time.monotonic() < pressed + pause:
                terminal.look()
        pause = min(2 * pause, 8.0)
    terminal.press("\x1b")


def test_a_screen_that_takes_nothing_does_not_keep_the_process():
    with Terminal(*TABLE) as terminal:
        terminal.wait_for("Your turn: draw")
        stop = threading.Event()

        def press():
            while not stop.is_set():
                terminal.press("g\x1b")
                stop.wait(0.05)

        # Nobody reads what is shown, until writing blocks.
        thread = threading.Thread(target=press, daemon=True)
        thread.start()
        time.sleep(2)
        stop.set()
        thread.join()
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.process.wait(60) == 143
        assert "line" not in terminal.settings()


# What is shown


def test_a_dumb_terminal_gets_the_plain_table():
    for kind in ("dumb", "unknown"):
        with Terminal(*TABLE, TERM=kind) as terminal:
            terminal.wait_for("draw, or take")
            terminal.press("quit\n")
            assert terminal.wait() == 0
            assert b"\x1b" not in terminal.seen


def test_with_ascii_a_terminal_gets_nothing_else(tmp_path):
    for options in (["--ascii"], ["--ascii", "--plain"]):
        path = tmp_path / "\u00fc[/b]" / "g.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with Terminal(*TABLE, *options, "--record", str(path)) as terminal:
            terminal.wait_for("draw, or take", "Your turn: draw")
            terminal.press("d\n")
            terminal.wait_for("discard a card", "meld or discard")
            terminal.process.send_signal(signal.SIGTERM)
            assert terminal.wait() == 143
            assert b"[/b]/g.jsonl" in terminal.seen
            assert terminal.seen.isascii()


def test_a_terminal_that_cannot_write_the_symbols_gets_letters():
    with Terminal(*TABLE, PYTHONIOENCODING="latin-1") as terminal:
        terminal.wait_for("Your turn: draw")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.wait() == 143
        assert terminal.seen.isascii()


def test_the_table_is_where_standard_output_is(tmp_path):
    with open(tmp_path / "log", "wb") as log, Terminal(*TABLE, stderr=log) as terminal:
        terminal.wait_for("Your turn: draw")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.wait() == 143
        assert terminal.settings() == set()
    assert (tmp_path / "log").read_bytes() == b""


# What is read


def names(found):
    return [event.key for event in found if isinstance(event, events.Key)]


def test_old_mouse_reports_are_no_keys_wherever_they_are_cut():
    report = b"\x1b[M \xc3\xa9"
    for cut in range(3, len(report) + 1):
        keys = Keyboard()
        assert names(keys.feed(b"d" + report[:cut])) == ["d"]
        assert names(keys.feed(report[cut:] + b"m")) == ["m"]


def test_keys_are_read_after_any_bytes(monkeypatch):
    monkeypatch.setattr(keyboard, "_PATIENCE", -1.0)
    keys = Keyboard()
    for noise in sequences(3000):
        list(keys.feed(noise))
        for _ in range(2):  # whatever was begun is over after a while of silence
            keys._parser._timeout_time = keys._parser._timeout_time and 0.0
            list(keys.tick())
        assert "x" in names(keys.feed(b"x")), noise
        assert names(keys.feed(b"\x1b[C")) == ["right"], noise


def test_no_bytes_are_taken_for_the_size_of_the_terminal():
    keys = Keyboard()
    found = [message for noise in KNOWN for message in keys.feed(noise)]
    assert not [m for m in found if isinstance(m, (events.Resize, InBandWindowResize))]
