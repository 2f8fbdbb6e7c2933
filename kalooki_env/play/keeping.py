"""Where the games that a person plays are kept, and their records while they are played."""

import os
import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from kalooki_env.errors import RecordError
from kalooki_env.files import append_whole, read_whole, why
from kalooki_env.records import Record, check_appendable
from kalooki_env.records.entries import Entry
from kalooki_env.records.lines import Chain, to_bytes


def data_folder(name: str) -> Path:
    """Return a folder below the user's data folder (`XDG_DATA_HOME`), made if it is not there.

    Raises:
        RecordError: it cannot be made.
    """
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    try:
        folder = Path(base).expanduser() / "kalooki" / name
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        raise RecordError(f"expected a folder for recorded games, got: {error}") from None
    return folder


def games_folder() -> Path:
    """Return the folder of the recorded games.

    Raises:
        RecordError: it cannot be made.
    """
    return data_folder("games")


def new_file(rules: str, seed: int) -> tuple[Path | None, str]:
    """Choose a file for a game that begins now, named after the time, the rules and the seed.

    Returns:
        the file, and nothing more to say; or None, and why there is none: no reason not to play.
    """
    name = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{rules}-{seed}"
    try:
        folder = games_folder()
        path, number = folder / f"{name}.jsonl", 1
        while path.exists():
            number += 1
            path = folder / f"{name}-{number}.jsonl"
        check_appendable(path)
    except RecordError as error:
        return None, f"This game is not recorded: {error}."
    return path, ""


class Book:
    """The record of one game in its file while the game is played.

    A move is one line, written at once, so a program that is killed loses nothing; moves that are
    taken back are cut off again. The file is made, or added to, with the first move. If it cannot
    be written, the game need not stop: `problem` says why, what stands in the file ends with a whole
    line, and each move tries again to write what is missing.

    Args:
        path: the file, checked by `check_appendable`.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.problem: str | None = None
        self.lost = False
        """Whether another program wrote to the file, so that nothing more is written."""
        self._chain = Chain()
        self._lines = 0
        """Lines of this game in the file."""
        self._start = self._end = 0
        """Where this game begins and ends in the file, in bytes."""
        self._file: BinaryIO | None = None

    @classmethod
    def reopen(cls, record: Record, entries: Sequence[Entry]) -> "Book":
        """Go on with a record that was read from a file; its last line, if it has one, is cut off.

        Args:
            record: the record as it was read.
            entries: what its lines say, without the last line.

        Raises:
            RecordError: the file is another one by now, or other games follow in it.
        """
        book = cls(record.path)
        try:
            data = read_whole(book.path)
            for _ in range(record.line - 1):
                book._start = data.index(b"\n", book._start) + 1
            whole = to_bytes(entries)
            book._end = book._start + len(whole)
            if data[book._start : book._end] != whole:
                raise RecordError(
                    f"expected {record.path} as this program writes it, got one that differs: it "
                    "was altered, or written by another version"
                )
            if data.count(b"\n", book._end) > (record.over is not None):
                raise RecordError(
                    f"expected the game to be the last one in {record.path}, got others after it"
                )
            book._file = open(book.path, "ab", buffering=0)  # noqa: SIM115
            book._file.truncate(book._end)
        except (OSError, ValueError) as error:
            if isinstance(error, RecordError):
                raise
            raise RecordError(f"expected to go on with {record.path}, got: {error}") from None
        book._follow(entries)
        return book

    @property
    def begun(self) -> bool:
        """Whether anything was written."""
        return self._lines > 0

    def write(self, entries: Sequence[Entry]) -> None:
        """Write what is new since the last time."""
        if self.lost:
            return
        data = b"".join(map(self._chain.line, entries[self._lines :]))
        try:
            if self._file is None:
                self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115
                self._start = self._end = self._file.seek(0, os.SEEK_END)
            if os.fstat(self._file.fileno()).st_size != self._end:
                self.problem, self.lost = "another program wrote to it", True
                return
            append_whole(self._file, data)
        except OSError as error:
            self.problem = why(error)
            self._follow(entries[: self._lines])
            return
        self.problem = None
        self._lines = len(entries)
        self._end += len(data)

    def take_back(self, entries: Sequence[Entry]) -> None:
        """Cut off what is no longer among the entries."""
        if self.lost or self._file is None or len(entries) >= self._lines:
            return
        self._follow(entries)
        self._end = self._start + len(to_bytes(entries))
        try:
            self._file.truncate(self._end)
        except OSError as error:
            self.problem, self.lost = why(error), True

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def _follow(self, entries: Sequence[Entry]) -> None:
        """Take entries as those that stand in the file."""
        self._chain, self._lines = Chain(), len(entries)
        for entry in entries:
            self._chain.line(entry)


def told(book: Book | None) -> list[str]:
    """Return lines that say where the record of a game is, none if nothing was recorded."""
    if book is None or (not book.begun and book.problem is None):
        return []
    if not book.begun:
        return [f"This game is not recorded: {book.problem}."]
    lines = [
        f"This game is recorded: kalooki replay {shlex.quote(str(book.path))}",
        "Seats count from 0 there: with --seat 0 it shows only what you saw.",
    ]
    if book.problem is not None:
        lines.append(f"Its end is missing there: {book.problem}.")
    return lines
