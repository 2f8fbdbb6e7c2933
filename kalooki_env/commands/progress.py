"""A line on standard error that says how far a long command is."""

import sys
import time
from typing import TextIO


class Progress:
    """Shows done, rate and time left: redrawn in a terminal, a line every ten seconds elsewhere.

    Nothing is shown before the work has taken a moment, so quick commands stay silent. The rate
    counts from the first report on: before that the engine may have compiled itself.
    """

    def __init__(self, label: str, unit: str, stream: TextIO | None = None) -> None:
        self.label = label
        self.unit = unit
        self.stream = stream if stream is not None else sys.stderr
        self.tty = self.stream.isatty()
        self.next_at = time.monotonic() + (0.5 if self.tty else 5.0)
        self.since: tuple[float, int] | None = None
        """When the first report came, and what was done by then."""
        self.width = 0

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` is behind us, if it is time to."""
        now = time.monotonic()
        if self.since is None and done:
            self.since = now, done
        if self.since is None or now < self.next_at or done == self.since[1]:
            return
        self.next_at = now + (0.2 if self.tty else 10.0)
        rate = (done - self.since[1]) / max(now - self.since[0], 1e-9)
        left = clock((total - done) / rate)
        line = f"{self.label}: {done:,} of {total:,} {self.unit}, {rate:,.0f}/s, {left} left"
        if self.tty:
            self.stream.write("\r" + line.ljust(self.width))
            self.width = len(line)
        else:
            self.stream.write(line + "\n")
        self.stream.flush()

    def close(self) -> None:
        """Wipe the line, so that what follows starts at the left."""
        if self.tty and self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()
            self.width = 0


def clock(seconds: float) -> str:
    """Write a time as 12 s, 3:05 or 1:02:03."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes}:{rest:02d}"
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
