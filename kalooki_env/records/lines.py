"""One line of a record: JSON with a running check, and what it may hold."""

import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from kalooki_env.errors import RecordError, printable
from kalooki_env.files import kind, read_json
from kalooki_env.records.entries import VERSION, Entry

LONGEST_LINE = 1 << 16
"""Bytes; the longest line that is written, a position with every knob changed, has some 8,000."""

_write = json.JSONEncoder(ensure_ascii=False).encode
_BEGINNING = b'{"kalooki": "record", "version": '
_VERSION = re.compile(re.escape(_BEGINNING) + rb"(\d{1,9})\b")
_TAIL = re.compile(rb', "check": "([0-9a-f]{8})"\}\n\Z')
_TAIL_SIZE = 24


def located(path: str, line: int, problem: str) -> RecordError:
    """Make the error of a line: one sentence that can be printed anywhere."""
    shown = problem if len(problem) <= 1200 else problem[:1200] + " ..."
    return RecordError(f"{path}, line {line}: {printable(shown)}", line)


class Chain:
    """Writes the lines of one game, each with the check of all of them so far."""

    def __init__(self) -> None:
        self._check = 0

    def line(self, entry: Entry) -> bytes:
        """Return the line of the next entry."""
        body = _write(entry).encode()
        self._check = zlib.crc32(body, self._check)
        return body[:-1] + b', "check": "%08x"}\n' % self._check


def to_bytes(entries: Iterable[Entry]) -> bytes:
    """Return the lines of one game."""
    chain = Chain()
    return b"".join(map(chain.line, entries))


def check_beginning(raw: bytes) -> None:
    """Raise RecordError unless a line, or the beginning of one, begins a game of this version."""
    whole = raw.endswith(b"\n")
    if not raw.startswith(_BEGINNING) and (whole or not _BEGINNING.startswith(raw)):
        what = "" if raw.startswith(b'{"kalooki": "record"') else kind(raw)
        raise RecordError(
            'expected a game record, which begins with {"kalooki": "record", '
            f"got {_shown(raw)}: {f'it is {what}' if what else 'is it another kind of file?'}"
        )
    version = _VERSION.match(raw)
    if whole and (version is None or int(version[1]) != VERSION):
        got = "none" if version is None else version[1].decode()
        raise RecordError(
            f"expected version {VERSION}, got {got}: use the version of kalooki that wrote it"
        )


def parse(raw: bytes, check: int) -> tuple[Entry, int]:
    """Read one line.

    Args:
        raw: the line with its line feed.
        check: that of the line before, 0 for the first line of a game.

    Returns:
        what the line says, and its check.

    Raises:
        RecordError: a line that no `Chain` writes there.
    """
    tail = _TAIL.search(raw, max(len(raw) - _TAIL_SIZE, 0))
    if tail is None:
        raise RecordError(
            f"expected a line that ends with its check, got {_shown(raw[-30:])}: it was altered"
        )
    body = raw[: tail.start()] + b"}"
    check = zlib.crc32(body, check)
    if check != int(tail[1], 16):
        raise RecordError(
            f"expected the check {check:08x}, got {tail[1].decode()}: this line was altered, or "
            "lines before it were removed, added or moved"
        )
    try:
        text = body.decode()
        entry = read_json(text)
        is_ours = isinstance(entry, dict) and _write(entry) == text
    except (ValueError, RecursionError):
        is_ours = False
    if not is_ours:
        raise RecordError(
            f"expected a JSON object as this program writes it, every key once, got {_shown(raw)}"
        )
    check_entry(entry)
    return entry, check


# What the entries look like


class Kind(NamedTuple):
    """A kind of value."""

    words: str
    fits: Callable[[Any], bool]


def _list_of(kind: Kind) -> Kind:
    return Kind(
        f"a list, each {kind.words}",
        lambda value: isinstance(value, list) and all(map(kind.fits, value)),
    )


def _or_null(kind: Kind) -> Kind:
    return Kind(f"{kind.words} or null", lambda value: value is None or kind.fits(value))


_WHOLE = Kind("a whole number", lambda value: type(value) is int)
_NATURAL = Kind("a number of 0 or more", lambda value: type(value) is int and value >= 0)
_TEXT = Kind("a text", lambda value: isinstance(value, str))
_FLAG = Kind("true or false", lambda value: isinstance(value, bool))
_MAPPING = Kind("an object", lambda value: isinstance(value, dict))
_MADE = Kind(
    "what made it",
    lambda value: (
        isinstance(value, dict)
        and list(value) == ["version", "values"]
        and isinstance(value["version"], str)
        and isinstance(value["values"], dict)
    ),
)
_EPISODE = Kind('"deal" or "match"', lambda value: value in ("deal", "match"))
_RULES = Kind("a preset or an object", lambda value: isinstance(value, str | dict))
_WINNERS = Kind(
    "a seat, a list of seats or null",
    lambda value: _or_null(_WHOLE).fits(value) or _list_of(_WHOLE).fits(value),
)

RESULT: dict[str, Kind] = {
    "winner": _or_null(_WHOLE),
    "kalooki": _FLAG,
    "void": _FLAG,
    "truncated": _FLAG,
    "penalties": _list_of(_WHOLE),
    "chips": _list_of(_WHOLE),
    "totals": _list_of(_WHOLE),
    "eliminated": _list_of(_FLAG),
    "pool": _WHOLE,
    "match_winner": _WINNERS,
}
"""The keys of `Game.result` that a record keeps."""

_SHAPES: dict[str, dict[str, Any]] = {
    "kalooki": {
        "kalooki": _TEXT,
        "version": _NATURAL,
        "made": _MADE,
        "rules": _RULES,
        "seats": _NATURAL,
        "seed": _NATURAL,
        "episode": _EPISODE,
        "deal": _or_null(_NATURAL),
        "names": _list_of(_TEXT),
        "position": _MAPPING,
    },
    "deal": {
        "deal": _NATURAL,
        "dealer": _NATURAL,
        "hands": _list_of(_TEXT),
        "discards": _TEXT,
        "stock": _TEXT,
    },
    "seat": {"seat": _NATURAL, "move": _TEXT},
    "result": {"result": RESULT},
    "end": {"end": {"over": _FLAG, "deals": _NATURAL, "moves": _NATURAL}},
}
"""What a line holds, by its first key."""
_OPTIONAL = ("made", "position")


def check_entry(entry: Entry) -> None:
    """Raise RecordError unless an entry has the keys and kinds of value of one of the lines."""
    first = next(iter(entry), None)
    if first not in _SHAPES:
        raise RecordError(
            f"expected a line that begins with {', '.join(_SHAPES)}, got {first!r:.40}"
        )
    _check(entry, _SHAPES[first])


def _check(entry: Mapping[str, Any], shape: Mapping[str, Any]) -> None:
    wanted = [key for key in shape if key not in _OPTIONAL or key in entry]
    if list(entry) != wanted:
        raise RecordError(f"expected the keys {', '.join(wanted)}, got {', '.join(entry):.100}")
    for key, value in entry.items():
        kind = shape[key]
        if isinstance(kind, dict):
            if not isinstance(value, dict):
                raise RecordError(f"expected an object for {key!r}, got {value!r:.100}")
            _check(value, kind)
        elif not kind.fits(value):
            raise RecordError(f"expected {kind.words} for {key!r}, got {value!r:.100}")


def _shown(raw: bytes) -> str:
    """Quote the beginning of a line so that it can be printed anywhere."""
    text = raw[:40].decode("utf-8", "replace").rstrip("\n")
    return ascii(text) + (" ..." if len(raw) > 40 else "")
