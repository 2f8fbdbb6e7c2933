"""Files of game records: reading with line numbers, writing whole, appending, following live."""

import contextlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self

from kalooki_env.errors import KalookiError, RecordError, shown
from kalooki_env.files import append_whole, open_plain, temporary_name, why
from kalooki_env.records.entries import Builder, entries
from kalooki_env.records.lines import LONGEST_LINE, Chain, check_beginning, located, parse, to_bytes
from kalooki_env.records.record import Record
from kalooki_env.records.recorder import Recorder, replay

# Reading


def read(path: str | Path, *, unfinished: bool = False) -> list[Record]:
    """Read all games of a file; see `scan`."""
    return list(scan(path, unfinished=unfinished))


def scan(path: str | Path, *, unfinished: bool = False) -> Iterator[Record]:
    """Read a file game by game. The checks of all lines are looked at; `verify` plays the moves too.

    Args:
        path: the file.
        unfinished: let the last game end without its last line, in the middle of a line too; its
            `over` is None then.

    Raises:
        RecordError: no such file, no record, altered or cut short; `line` is the first bad line, or
            None where the file cannot be read at all.
    """
    with _open(path) as file:
        lines = _Lines(str(path), file)
        while (record := _read_game(lines, unfinished)) is not None:
            yield record


class _Lines:
    """The whole lines of a file with their numbers."""

    def __init__(self, path: str, file: BinaryIO) -> None:
        self.path, self._file = path, file
        self.number = 0
        """Whole lines read so far."""
        self.rest = b""
        """What stands behind the last line feed."""

    def next(self) -> bytes | None:
        """Return the next line, None after the last whole one."""
        raw = self._file.readline(LONGEST_LINE + 1)
        if len(raw) > LONGEST_LINE:
            raise self.error(f"expected a line of at most {LONGEST_LINE:,} bytes, got a longer one")
        if not raw.endswith(b"\n"):
            self.rest = raw
            return None
        self.number += 1
        return raw

    def error(self, problem: str, line: int | None = None) -> RecordError:
        """Make the error of a line, if not given the one after the last that was read."""
        return located(self.path, line or self.number + 1, problem)


def _read_game(lines: _Lines, unfinished: bool) -> Record | None:
    """Read the next game; None after the last one."""
    raw = lines.next()
    if raw is None and not lines.rest:
        if not lines.number:
            raise lines.error("expected a game record, got an empty file")
        return None
    builder, check, first = None, 0, lines.number
    while raw is not None:
        try:
            if builder is None:
                check_beginning(raw)
            entry, check = parse(raw, check)
            if builder is None:
                builder = Builder(entry, lines.path, first)
            else:
                builder.add(entry)
        except KalookiError as error:
            raise lines.error(str(error), lines.number) from None
        if builder.closed:
            return builder.record
        raw = lines.next()
    return _cut(lines, builder, first, unfinished)


def _cut(lines: _Lines, builder: Builder | None, first: int, unfinished: bool) -> Record | None:
    """Return a game that the file breaks off in, if that is allowed."""
    if builder is None:
        try:
            check_beginning(lines.rest)
        except RecordError as error:
            raise lines.error(str(error)) from None
    if unfinished and lines.number:
        return None if builder is None else builder.record
    raise _cut_error(lines.path, first if builder else lines.number + 1, lines.number)


def cut_error(record: Record) -> RecordError:
    """Make the error of an unfinished record that was read from a file."""
    return _cut_error(record.path, record.line, record.line + sum(1 for _ in entries(record)) - 1)


def _cut_error(path: str, first: int, last: int) -> RecordError:
    problem = (
        f"expected the game that begins in line {first} to go on, got the end of the file: it was cut "
        f"short or is unfinished; the last good line is {last}"
    )
    return located(path, last + 1, problem)


@contextlib.contextmanager
def _open(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for reading; raise RecordError if that cannot be done."""
    try:
        file = open_plain(path, pipes=True)
    except OSError as error:
        if os.path.isdir(path):
            raise RecordError(f"expected a file of game records, got the folder {path}") from None
        raise RecordError(f"expected a file of game records, got {path}: {why(error)}") from None
    with file:
        yield file


# Verifying


class Tally(NamedTuple):
    """What was verified."""

    games: int
    moves: int


def verify(source: str | Path | Record, *, unfinished: bool = False) -> Tally:
    """Play every move of a record, or of all records of a file, and check all that they say.

    Args:
        source: a record or the path of a file.
        unfinished: as for `scan`.

    Raises:
        RecordError: with the first line that is wrong.
    """
    games = moves = 0
    records = [source] if isinstance(source, Record) else scan(source, unfinished=unfinished)
    for record in records:
        for step in replay(record):
            moves += step.move is not None
        games += 1
    return Tally(games, moves)


# Writing


def write(path: str | Path, records: Iterable[Record]) -> None:
    """Write a file of records whole or not at all; an older file of that name is replaced.

    Raises:
        RecordError: the file cannot be written.
    """
    with Writer(path) as writer:
        for record in records:
            writer.add(record)


class Writer:
    """Writes a file of records that is there only once its `with` block has ended well.

    Args:
        path: the file; an older one of that name is replaced.

    Raises:
        RecordError: the file cannot be written.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = path
        with _writable(path):
            self._target = Path(os.path.realpath(path))
            if self._target.exists() and not self._target.is_file():
                raise RecordError(f"expected a file for game records, got {path}, which is none")
        self._temporary = temporary_name(path)

    def __enter__(self) -> Self:
        with _writable(self._path):
            self._file = open(self._temporary, "wb")
        return self

    def add(self, record: Record) -> None:
        """Add a game."""
        with _writable(self._path):
            self._file.write(to_bytes(entries(record)))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        with _writable(self._path), contextlib.ExitStack() as stack:
            stack.callback(self._temporary.unlink, missing_ok=True)
            with self._file:
                if kind is None:
                    self._file.flush()
                    os.fsync(self._file.fileno())
            if kind is None:
                os.replace(self._temporary, self._target)


def append(path: str | Path, record: Record) -> None:
    """Add a game at the end of a file, which is made if it is not there.

    The game is written at once, so several processes can share a file.

    Raises:
        RecordError: the file cannot be written.
    """
    with _writable(path), open(path, "ab", buffering=0) as file:
        append_whole(file, to_bytes(entries(record)))


def check_appendable(path: str | Path) -> None:
    """Raise RecordError unless games can be added to a file: none yet, or one of whole games."""
    with _writable(path):
        try:
            mode = Path(path).stat().st_mode
        except FileNotFoundError:
            folder = Path(path).parent
            if not folder.is_dir() or not os.access(folder, os.W_OK):
                raise RecordError(
                    f"expected a folder that can be written to, got {folder} for {path}"
                ) from None
            return
        if not stat.S_ISREG(mode):
            raise RecordError(f"expected a file for game records, got {path}, which is none")
        with open(path, "r+b") as file:
            beginning = file.readline(LONGEST_LINE)
            file.seek(max(0, file.seek(0, os.SEEK_END) - 200))
            ending = file.read()
    if not beginning:
        return
    try:
        check_beginning(beginning)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    if not ending.endswith(b"\n") or not ending.splitlines()[-1].startswith(b'{"end": '):
        raise RecordError(
            f"expected a file of whole games to add to, got {path}, which ends in the middle of one: "
            "name another file"
        )


@contextlib.contextmanager
def _writable(path: str | Path) -> Iterator[None]:
    """Turn what the system says against writing a file into a RecordError."""
    try:
        yield
    except OSError as error:
        raise RecordError(f"expected to write game records to {path}, got: {why(error)}") from None
    except KalookiError:
        raise
    except ValueError:  # a NUL in the name
        raise RecordError(f"expected a file for game records, got {shown(str(path))}") from None


class Journal:
    """Writes a game line by line while it is played, so that nothing is lost if the program is killed.

    The file is made, or added to, with the first move. If it cannot be written any more, the game
    need not stop: `problem` says why, and nothing further is written; whole lines are what stays.

    Args:
        path: the file, checked by `check_appendable`.
        start: what is played and by whom.
    """

    def __init__(self, path: str | Path, start: Record) -> None:
        self.path = Path(path)
        self.problem: str | None = None
        self._recorder = Recorder(start)
        self._chain = Chain()
        self._written = 0
        self._file: BinaryIO | None = None

    @property
    def begun(self) -> bool:
        """Whether anything was written."""
        return self._written > 0

    def play(self, move: str | int) -> None:
        """Write down a move that was played; see `Recorder.play`."""
        self._go_on(lambda: self._recorder.play(move))

    def close(self) -> None:
        """Write the end of the game, if anything was written, and close the file."""
        if self.begun:
            self._go_on(self._recorder.close)
        if self._file is not None:
            self._file.close()

    def _go_on(self, follow: Callable[[], None]) -> None:
        """Let the recorder follow the game and write its new entries."""
        if self.problem is not None:
            return
        self.problem = "it was interrupted"  # so it stays if an exception leaves in the middle
        try:
            follow()
            new = self._recorder.entries[self._written :]
            if self._file is None:
                self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115
            append_whole(self._file, b"".join(map(self._chain.line, new)))
            self._written += len(new)
            self.problem = None
        except OSError as error:
            self.problem = why(error)
