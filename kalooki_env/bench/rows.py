"""A row of the benchmark, and how its rate is taken: work done per CPU second of this process.

CPU seconds are the anchor because the machine may be busy: on an idle one they equal wall seconds.
"""

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

SECONDS = 0.5
"""Least CPU time of one repeat."""
REPEATS = 3
"""Times each row is measured."""
DECISIONS = "decisions/CPU s"

Work = Callable[[], int]
"""Does some work, much less than `SECONDS` of it, and returns how many units that was."""


@dataclass(frozen=True)
class Row:
    """One measurement: the median of the repeats, and the least and the largest of them."""

    name: str
    unit: str
    per_second: float
    repeats: int
    spread: tuple[float, float]

    def as_dict(self) -> dict[str, object]:
        """Return the row as plain data for JSON."""
        return {**asdict(self), "spread": list(self.spread)}


class Part(NamedTuple):
    """Rows that are measured together."""

    names: tuple[str, ...]
    """The names of its rows."""
    take: Callable[[int, float], Iterable[Row]]
    """Measures them, given the repeats and the least CPU seconds of each."""


def summary(name: str, unit: str, rates: Sequence[float]) -> Row:
    """Return the row of some repeats' rates (median, least and largest)."""
    return Row(name, unit, statistics.median(rates), len(rates), (min(rates), max(rates)))


def rate(work: Work, seconds: float = SECONDS) -> float:
    """Do `work` again and again for some CPU time; return how many units a CPU second did."""
    done = 0
    start = time.process_time()
    while True:
        done += work()
        passed = time.process_time() - start
        if passed >= seconds:
            return done / passed


def measure(
    name: str, unit: str, work: Work, repeats: int = REPEATS, seconds: float = SECONDS
) -> Row:
    """Warm `work` up (which compiles it), time its repeats, and return the row."""
    work()
    return summary(name, unit, [rate(work, seconds) for _ in range(repeats)])


def one(name: str, make: Callable[[], Work], unit: str = DECISIONS) -> Part:
    """Return the part of a single row; `make` prepares its work when it is its turn."""
    return Part((name,), lambda repeats, seconds: [measure(name, unit, make(), repeats, seconds)])
