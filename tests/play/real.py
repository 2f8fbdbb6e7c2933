"""The command in a terminal of its own, and what it does to that terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 120.0
MODES = {1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 1049, 2004, 2048}
"""Modes that a program may switch on and has to switch off: mouse, focus, other screen, paste, size."""
CURSOR, WRAP = 25, 7


def _as_at_a_terminal(hang_up):
    """Set what signals do as a terminal would: tests that run in the background ignore some of them."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, hang_up)


class Terminal:
    """A process in a terminal of 80 columns and 24 lines.

    Args:
        options: of `kalooki play`.
        hang_up: what the process does at SIGHUP; whoever runs the tests may ignore it (nohup does).
        stderr: a file for standard error; None: the terminal.
        environment: more variables.
    """

    def __init__(self, *options, hang_up=signal.SIG_DFL, stderr=None, **environment):
        self.leader, self._follower = pty.openpty()
        fcntl.ioctl(self._follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self._follower)
        self.seen = b""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kalooki_env.cli", "play", *options],
            stdin=self._follower,
            stdout=self._follower,
            stderr=stderr or self._follower,
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm-256color", **environment},
            start_new_session=True,
            preexec_fn=lambda: _as_at_a_terminal(hang_up),
        )

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        self.close()

    def press(self, keys):
        """Type letters, or bytes."""
        os.write(self.leader, keys.encode() if isinstance(keys, str) else keys)

    def wait_for(self, *texts):
        """Wait until a text, any of some, is shown again; return what was shown up to it."""
        start, end = len(self.seen), time.monotonic() + PATIENCE
        while not any(text.encode() in self.seen[start:] for text in texts):
            late = f"waited in vain for {texts}, saw {self.seen[start:][-2000:]!r}"
            assert time.monotonic() < end, late
            self.look()
        return self.seen[start:].decode(errors="replace")

    def look(self, seconds=0.1):
        """Read what is shown, until nothing is for a while."""
        while select.select([self.leader], [], [], seconds)[0]:
            self.seen += os.read(self.leader, 1 << 16)
            seconds = min(seconds, 0.02)  # a screen comes in pieces

    def wait(self):
        """Wait for the end of the process, reading what it shows; return its exit code."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it does not end, saw {self.seen[-2000:]!r}"
            self.look()
        self.look(0.01)
        return self.process.returncode

    def settings(self):
        """Return what is not as it was: modes that are on, and settings of the line."""
        found = {}
        for numbers, switch in re.findall(rb"\x1b\[\?([\d;]+)([hl])", self.seen):
            found |= {int(number): switch == b"h" for number in numbers.split(b";")}
        changed = {mode for mode in MODES if found.get(mode)}
        changed |= {mode for mode in (CURSOR, WRAP) if not found.get(mode, True)}
        if self.seen.count(b"u") and len(re.findall(rb"\x1b\[>\d+u", self.seen)) > self.seen.count(
            b"\x1b[<u"
        ):
            changed.add("keyboard")
        if termios.tcgetattr(self._follower) != self.before:
            changed.add("line")
        return changed

    def close(self):
        """Close the terminal, as its window does."""
        for number in {self.leader, self._follower} - {None}:
            os.close(number)
        self.leader = self._follower = None

    def end(self, signal_number):
        """End the process with a signal; return its exit code."""
        self.process.send_signal(signal_number)
        code = self.wait()
        self.close()
        return code
