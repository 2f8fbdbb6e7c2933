"""Sitting down at a table: rules, seats, opponents, the record, or a match that was left."""

import functools
import json
import os
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kalooki_env.agents.base import Agent
from kalooki_env.errors import KalookiError, RecordError, printable
from kalooki_env.play import coach, keeping, opponents, saved
from kalooki_env.play.saved import Saved
from kalooki_env.play.session import Session
from kalooki_env.play.wishes import Wishes
from kalooki_env.records import check_appendable
from kalooki_env.rules import Rules


class Seated:
    """A session, and what is kept of it so that one can leave and go on later.

    Attributes:
        session: the match.
        told: who the opponents are, in words.
        again: the command that deals the same cards.
        note: why nothing is recorded, empty if all is well.
        speed: how fast the opponents move; changed by `keep_speed`.
    """

    def __init__(
        self,
        session: Session,
        names: Sequence[str],
        told: str,
        again: str,
        note: str = "",
        path: Path | None = None,
        speed: str = Saved.speed,
    ) -> None:
        self.session, self.told, self.again, self.note = session, told, again, note
        self._opponents = tuple(names)
        self.speed = speed
        self._path = path
        self._saved: Saved | None = None
        session.watch = self._keep
        self._keep()

    def _keep(self) -> None:
        """Write who sits where, at the beginning of each deal; remove it when the match is over."""
        session = self.session
        if session.game.over:
            saved.remove(self._path)
            return
        state = session.view
        if session.book is None or (self._saved is not None and state.deal == self._saved.deal):
            return
        totals = tuple(seat.total for seat in state.seats)
        rules = session.game.rules.name
        record = os.path.realpath(session.book.path)
        self._write(Saved(record, self._opponents, rules, state.deal, totals, self.speed))

    def _write(self, table: Saved) -> None:
        path = saved.write(Path(table.record), table)
        if path is not None:  # else the file of an earlier deal stays, or it is tried again
            self._path, self._saved = path, table

    def keep_speed(self, speed: str) -> None:
        """Remember how fast the opponents move, for going on later."""
        self.speed = speed
        if self._saved is not None and not (self.session.game.over or self.session.closed):
            self._write(replace(self._saved, speed=speed))

    @functools.cached_property
    def coach(self) -> Agent:
        """The agent that is asked for advice; loaded when it is asked first."""
        return coach.find(self.session)

    @property
    def can_resume(self) -> bool:
        """Whether the match can be gone on with after leaving."""
        book = self.session.book
        return (
            not self.session.game.over
            and self._path is not None
            and book is not None
            and book.begun
            and not book.lost
        )

    def leave(self, for_good: bool = False) -> list[str]:
        """Close the record; return lines that say where it is and how to go on.

        Args:
            for_good: the match is given up and not kept for going on.
        """
        if not for_good:
            self._keep()
        can_resume = self.can_resume and not for_good
        self.session.close()
        if not can_resume:
            saved.remove(self._path)
        lines = keeping.told(self.session.book)
        return [*lines, "Go on with this match: kalooki play --continue"] if can_resume else lines


def sit_down(wishes: Wishes) -> Seated:
    """Deal a new match.

    Raises:
        KalookiError: no such preset, number of seats or agent, or a `record` that no game can be
            added to.
    """
    if wishes.record is not None:
        check_appendable(wishes.record)
    rules, seats = Rules.preset(wishes.rules, **wishes.knobs), wishes.seats
    rules.check_seats(seats, "match")
    seed = secrets.randbelow(1_000_000) if wishes.seed is None else wishes.seed
    others = opponents.choose(wishes.opponents, rules, seats, seed)
    file, note = wishes.record, ""
    if file is None and wishes.keep:
        file, note = keeping.new_file(wishes.rules, seed)
    session = Session(rules, others.agents, seed, record=file, called=others.called)
    again = _again(others.options, rules, seats, seed)
    names = [opponents.lasting(name) for name in others.names]
    return Seated(session, names, others.told, again, note)


def resume(table: Saved | None = None) -> Seated:
    """Go on with a match that was left or cut off.

    Args:
        table: which one; None: the one that was played last.

    Raises:
        KalookiError: there is none, its record was altered, or an agent is not there any more.
    """
    if table is None:
        table = next(iter(saved.tables()), None)
        if table is None:
            raise RecordError("expected a match to go on with, found none: kalooki play begins one")
    try:
        record = saved.game_of(table)
        others = opponents.choose(table.opponents, record.rules, record.seats, record.seed)
        session = Session.resume(record, others.agents, called=others.called)
    except KalookiError as error:
        told = f"{error}; to forget this match remove {table.path}"
        raise RecordError(printable(told)) from None
    again = _again(others.options, record.rules, record.seats, record.seed)
    return Seated(
        session,
        table.opponents,
        f"You go on with your match. {others.told}",
        again,
        path=table.path,
        speed=table.speed,
    )


def _again(options: str, rules: Rules, seats: int, seed: int) -> str:
    """Write the command that deals the same cards again."""
    preset, changed = rules.changes()
    words = [f"kalooki play {options} --rules {preset}"]
    words += [f"--set {shlex.quote(f'{knob}={json.dumps(v)}')}" for knob, v in changed.items()]
    return " ".join([*words, f"--seats {seats} --seed {seed}"])
