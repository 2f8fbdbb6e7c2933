"""Tables that were left, or cut off, in the middle of a match: who sits where, beside the record.

A table is a small file of its own, written whole or not at all. It names the record, which holds
the game itself; when the match is over the file is removed.
"""

import contextlib
import json
import os
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from kalooki_env import records
from kalooki_env.engine.layout import MAX_SEATS
from kalooki_env.errors import RecordError, shown
from kalooki_env.files import read_json, read_whole, why, write_whole
from kalooki_env.play.keeping import data_folder
from kalooki_env.play.wishes import SPEEDS
from kalooki_env.records import Record
from kalooki_env.rules import PRESETS

VERSION = 1
_LARGEST = 1 << 16
_LONGEST = 4096
_MOST = 1_000_000_000
"""Bounds on a table's file, its texts and its numbers."""


@dataclass(frozen=True)
class Saved:
    """What a table's file says."""

    record: str
    """The file whose last game is this one."""
    opponents: tuple[str, ...]
    """The agents of seats 1, 2, ... as `agents.load` finds them."""
    rules: str
    """Name of the rules, to tell tables apart."""
    deal: int
    totals: tuple[int, ...]
    """As they were when the deal began."""
    speed: str = "normal"
    """How fast the opponents moved last."""
    path: Path | None = None
    """The file itself."""

    @property
    def told(self) -> str:
        """Say in a line which match it is."""
        seats = len(self.opponents) + 1
        return f"Go on: {self.rules}, {seats} seats, deal {self.deal}{self._when()}"

    def _when(self) -> str:
        """Say when it was played last."""
        try:
            then = time.localtime(Path(self.record).stat().st_mtime)
            today = time.strftime("%Y-%m-%d", then) == time.strftime("%Y-%m-%d")
        except (OSError, ValueError, OverflowError):  # gone, or of a year without a calendar
            return ""
        return time.strftime(", %H:%M" if today else ", %Y-%m-%d", then)


def write(record: Path, saved: Saved) -> Path | None:
    """Write the file of a table, named after its record; None if it cannot be written."""
    try:
        path = data_folder("tables") / f"{record.stem}.json"
        entry = {"kalooki": "table", "version": VERSION, **asdict(saved)}
        del entry["path"]
        write_whole(path, json.dumps(entry))
    except (OSError, RecordError):
        return None
    return path


def remove(path: Path | None) -> None:
    """Remove the file of a table whose match is over."""
    if path is not None:
        with contextlib.suppress(OSError):  # of a disk that cannot be written any more
            path.unlink(missing_ok=True)


def tables() -> list[Saved]:
    """List the tables that were left, the one played last first; broken files are passed over."""
    found = []
    try:
        paths = list(data_folder("tables").glob("*.json"))
    except (OSError, RecordError):
        return []
    for path in paths:
        try:
            saved = read(path)
            found.append((Path(saved.record).stat().st_mtime, saved))
        except (OSError, ValueError):
            continue
    return [saved for _, saved in sorted(found, key=lambda item: -item[0])]


def goes_on(record: str | Path) -> bool:
    """Tell whether a table was left in the middle of the last game of a record."""
    path = os.path.realpath(record)
    return any(table.record == path for table in tables())


def read(path: Path) -> Saved:
    """Read the file of a table.

    Raises:
        RecordError: it is none, was cut short, or is of another version.
    """
    expected = f"expected the file of a table that was left, got {path}"
    try:
        entry = read_json(read_whole(path, _LARGEST))
    except OSError as error:
        raise RecordError(f"{expected}: {why(error)}") from None
    except ValueError:
        raise RecordError(f"{expected}, which is damaged: remove it") from None
    if not isinstance(entry, Mapping) or entry.get("kalooki") != "table":
        raise RecordError(f"{expected}, which is none: remove it")
    if entry.get("version") != VERSION:
        raise RecordError(
            f"{expected} of version {shown(entry.get('version'), 40)}, expected {VERSION}: use the "
            "version of kalooki that wrote it"
        )
    entry = {"speed": Saved.speed, **entry}  # which files of old do not have
    if (problem := _problem(entry)) is not None:
        raise RecordError(f"{expected}, {problem}: remove it")
    values = {name: entry[name] for name in _KINDS}
    values |= {name: tuple(values[name]) for name in ("opponents", "totals")}
    return Saved(**values, path=path)


def _is_text(value: object) -> bool:
    """Tell whether a value is a text, without signs that move the cursor."""
    return (
        isinstance(value, str)
        and 0 < len(value) <= _LONGEST
        and not any(unicodedata.category(letter) == "Cc" for letter in value)
    )


def _is_number(value: object, least: int = -_MOST) -> bool:
    return type(value) is int and least <= value <= _MOST


def _is_list(value: object, most: int, fits: Callable[[object], bool]) -> bool:
    return isinstance(value, list) and 0 < len(value) <= most and all(map(fits, value))


_KINDS: dict[str, Callable[[Any], bool]] = {
    "record": _is_text,
    "opponents": lambda value: _is_list(value, MAX_SEATS - 1, _is_text),
    "rules": lambda value: isinstance(value, str) and value.removesuffix("*") in PRESETS,
    "deal": lambda value: _is_number(value, 1),
    "totals": lambda value: _is_list(value, MAX_SEATS, _is_number),
    "speed": lambda value: isinstance(value, str) and value in SPEEDS,
}
assert set(_KINDS) | {"path"} == {field.name for field in fields(Saved)}


def _problem(entry: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the values of a table's file."""
    for name, fits in _KINDS.items():
        if name not in entry or not fits(entry[name]):
            return f"whose {name!r} cannot be used"
    if len(entry["totals"]) != len(entry["opponents"]) + 1:
        return "whose 'totals' are not those of its seats"
    return None


def game_of(saved: Saved) -> Record:
    """Read the game of a table: the last one of its record, played again to see that it is right.

    Raises:
        RecordError: the record is not there, was altered, or its game is over or of other seats.
    """
    games: Sequence[Record] = records.read(saved.record, unfinished=True)
    if not games or not games[-1].deals:
        raise RecordError(f"expected a game to go on with in {saved.record}, got none")
    record = games[-1]
    if record.seats != len(saved.opponents) + 1:
        raise RecordError(
            f"expected a game of {len(saved.opponents) + 1} seats at the end of {saved.record}, got one "
            f"of {record.seats}"
        )
    if record.over:
        raise RecordError(f"expected a game to go on with in {saved.record}, got one that is over")
    records.verify(record)
    return replace(record, path=saved.record)
