"""The line that says how far a long command is."""

import io

import pytest

from kalooki_env.commands import progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_a_quick_command_stays_silent(clock):
    for stream in (Terminal(), io.StringIO()):
        line = progress.Progress("evaluate", "deals", stream)
        for done in (1, 2, 3):
            clock[0] += 0.1
            line(done, 3)
        line.close()
        assert stream.getvalue() == ""


def test_the_time_before_the_first_report_is_not_in_the_rate(clock):
    stream = Terminal()
    line = progress.Progress("evaluate", "deals", stream)
    line(0, 1000)
    clock[0] += 60.0  # the engine compiles itself
    line(100, 1000)
    assert stream.getvalue() == ""
    clock[0] += 2.0
    line(300, 1000)
    assert stream.getvalue() == "\revaluate: 300 of 1,000 deals, 100/s, 7 s left"
    line.close()
    assert stream.getvalue().endswith("left\r" + " " * 45 + "\r")


def test_elsewhere_there_is_a_line_every_ten_seconds(clock):
    stream = io.StringIO()
    line = progress.Progress("evaluate", "deals", stream)
    for done in range(31):
        line(done, 3000)
        clock[0] += 1.0
    assert stream.getvalue().splitlines() == [
        "evaluate: 5 of 3,000 deals, 1/s, 49:55 left",
        "evaluate: 15 of 3,000 deals, 1/s, 49:45 left",
        "evaluate: 25 of 3,000 deals, 1/s, 49:35 left",
    ]
    line.close()


@pytest.mark.parametrize(
    "seconds, words", [(0.4, "0 s"), (59, "59 s"), (185, "3:05"), (3723, "1:02:03")]
)
def test_times_are_short(seconds, words):
    assert progress.clock(seconds) == words
