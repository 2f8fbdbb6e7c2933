"""Records of the games of an evaluation, written in the order of the games."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from kalooki_env.arena.seating import seating
from kalooki_env.arena.table import Part, Plan
from kalooki_env.errors import RecordError
from kalooki_env.records import Record, Writer, from_choices


def check_recordable(path: str | Path | None, streams: bool) -> None:
    """Raise RecordError where games cannot be recorded to a file."""
    if path is None:
        return
    if streams:
        raise RecordError(
            "expected games that a record can repeat, got seats with streams of the stock of their "
            "own: leave out the streams, or the record"
        )
    if Path(path).exists():
        raise RecordError(
            f"expected a new file to record to, got {path}, which exists: use another name"
        )


@contextlib.contextmanager
def recorder(path: str | Path | None, plan: Plan) -> Iterator["_Recorder | None"]:
    """Give what writes the games to a file that is there once everything was played, or None."""
    if path is None:
        yield None
        return
    with Writer(path) as writer:
        yield _Recorder(plan, writer)


class _Recorder:
    def __init__(self, plan: Plan, writer: Writer) -> None:
        self._plan, self._writer, self._names = plan, writer, plan.names
        self._seating = seating(len(plan.agents), plan.seats)

    def add(self, part: Part) -> None:
        """Write the games of a part."""
        seats = self._plan.seats
        deals = len(part.choices) // seats
        for k, seed in enumerate(self._plan.deal_seeds(part.first, deals).tolist()):
            order = self._seating[(part.first + k) % len(self._seating)]
            for turn in range(seats):
                names = tuple(self._names[entrant] for entrant in order[turn])
                what = Record(self._plan.rules, seats, seed, names=names)
                self._writer.add(from_choices(what, part.choices[k * seats + turn]))
