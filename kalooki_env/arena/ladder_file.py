"""The file of a ladder: JSON, written whole after every pair, from which a ladder can be gone on with.

```
{"kalooki": "ladder", "version": 1, "agents": [{"agent": "greedy", "checkpoint": null}, ...],
 "anchor": "greedy", "deals": 4000, "seed": 0, "streams": false,
 "ladders": [{"rules": "british", "seats": 2,
              "ratings": [{"agent": ..., "rating": ..., "ci95": [low, high]}, ...],
              "pairs": [{"a": ..., "b": ..., "win_rate": ..., ..., "scores": "0241...", "code": "5f0c...",
                         "expected": ...}]}]}
```

`ratings` and `expected` are there once all pairs were played. A rate, a rating or an end of an interval
that cannot be told is null (every deal of a pair cut, an agent that cannot be compared with the anchor,
one that won or lost every deal). `checkpoint` is a hash of the file that
an agent was loaded from, `code` one of the sources of engine and agents that a pair was played with.
"""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kalooki_env.arena.crossplay import (
    DIGITS,
    Ladder,
    Ladders,
    PairResult,
    checkpoint_digest,
    code_digest,
    rates_of,
)
from kalooki_env.arena.figures import Interval
from kalooki_env.engine.layout import MAX_SEATS
from kalooki_env.errors import KalookiError, one_line, shown
from kalooki_env.files import kind, read_json, read_whole, temporary_name, why, write_whole
from kalooki_env.rules import Rules

VERSION = 1
MOST_DEALS = 1_000_000_000


class LadderError(KalookiError):
    """A file that is no ladder, was altered, or is one of other agents."""


def check_new_file(path: str | Path, replace: bool = False) -> None:
    """Raise LadderError unless a file can be written there; one that exists only with `replace`."""
    path = Path(path)
    if path.is_dir():
        raise LadderError(f"expected a file to write to, got the folder {path}")
    if path.exists() and not replace:
        raise LadderError(
            f"expected a new file to write to, got {path}, which exists: use another name (a ladder's "
            "--json FILE is gone on with by --continue)"
        )
    probe = temporary_name(path)
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise LadderError(
            f"expected a folder that can be written to, got {path.absolute().parent} for {path}: "
            f"{error.strerror or error}"
        ) from None


def write(path: str | Path, content: str | bytes) -> None:
    """Write a file, whole or not at all.

    Raises:
        LadderError: it cannot be written.
    """
    try:
        write_whole(path, content)
    except OSError as error:
        raise LadderError(f"expected to write {path}, got: {error.strerror or error}") from None


def to_json(ladders: Ladders) -> str:
    """Write ladders as JSON."""
    return json.dumps(_as_dict(ladders), indent=1) + "\n"


def _as_dict(ladders: Ladders) -> dict[str, Any]:
    return {
        "kalooki": "ladder",
        "version": VERSION,
        "agents": [
            {"agent": name, "checkpoint": ladders.checkpoints.get(name)} for name in ladders.agents
        ],
        "anchor": ladders.anchor,
        "deals": ladders.deals,
        "seed": ladders.seed,
        "streams": ladders.streams,
        "ladders": [
            {
                "rules": place.rules,
                "seats": place.seats,
                "ratings": [dataclasses.asdict(one) for one in place.ratings],
                "pairs": [
                    dataclasses.asdict(pair)
                    | ({"expected": place.expected[k]} if place.expected else {})
                    for k, pair in enumerate(place.pairs)
                ],
            }
            for place in ladders.ladders
        ],
    }


def read(path: str | Path) -> tuple[Ladders, bool]:
    """Read a ladder to go on with it; ratings are made anew.

    Returns:
        the ladder, and whether every pair was played with the sources of engine and agents that are there now.

    Raises:
        LadderError: no such file, no ladder, or a checkpoint that is another file now.
    """
    try:
        raw = read_whole(path)
        data = read_json(raw)
    except OSError as error:
        raise LadderError(f"expected the file of a ladder, got {path}: {why(error)}") from None
    except ValueError:
        what = kind(raw) or "no JSON"
        raise LadderError(f"expected the file of a ladder, got {path}, which is {what}") from None
    if not isinstance(data, dict) or data.get("kalooki") != "ladder":
        raise LadderError(f"expected the file of a ladder, got {path}, which is none")
    if data.get("version") != VERSION:
        raise LadderError(
            f"expected a ladder of version {VERSION}, got {path} of version "
            f"{shown(data.get('version'))}: play it anew"
        )
    try:
        ladders = _from_dict(data)
    except KeyError as error:
        raise LadderError(
            f"expected the file of a ladder, got {path}, which was altered: {error} is missing"
        ) from None
    except (TypeError, ValueError, AttributeError) as error:
        raise LadderError(
            f"expected the file of a ladder, got {path}, which was altered: {one_line(error)}"
        ) from None
    for name, digest in ladders.checkpoints.items():
        if checkpoint_digest(name) != digest:
            raise LadderError(
                f"expected the checkpoint {name} that {path} was played with, got another file of that "
                "name: use a new ladder"
            )
    code = code_digest()
    return ladders, all(pair.code == code for place in ladders.ladders for pair in place.pairs)


def _from_dict(data: dict[str, Any]) -> Ladders:
    """Make ladders of what was read; raise what comes where a value is not what it should be."""
    ladders = Ladders(
        agents=[_text(entry["agent"]) for entry in data["agents"]],
        deals=_whole(data["deals"], 1, MOST_DEALS),
        seed=_whole(data["seed"], 0),
        streams=_flag(data["streams"]),
        anchor=_text(data["anchor"]),
        checkpoints={
            _text(entry["agent"]): None
            if entry["checkpoint"] is None
            else _text(entry["checkpoint"])
            for entry in data["agents"]
        },
    )
    for entry in data["ladders"]:
        rules, seats = _text(entry["rules"]), _whole(entry["seats"], 2)
        Rules.preset(rules).check_seats(seats)
        place = ladders.ladder(rules, seats)
        for pair in entry["pairs"]:
            place.pairs.append(_pair(pair, ladders, place))
    return ladders


def _pair(entry: dict[str, Any], ladders: Ladders, place: Ladder) -> PairResult:
    values = {}
    for one in dataclasses.fields(PairResult):
        values[one.name] = _READ[one.type](entry[one.name])
    pair = PairResult(**values)
    if place.find(pair.a, pair.b) is not None:
        raise ValueError(f"{shown(pair.a)} and {shown(pair.b)} are there twice")
    plan = ladders.plan(place, pair.a, pair.b)
    if {pair.a, pair.b} - set(ladders.agents):
        raise ValueError(f"{shown(pair.a)} and {shown(pair.b)} are not both among its agents")
    if len(pair.scores) != plan.deals or set(pair.scores) - set(DIGITS[: place.seats**2 + 1]):
        raise ValueError(f"the scores of {pair.a} and {pair.b} are not those of {plan.deals} deals")
    if pair.win_rate is None:
        if pair.cut_rate != 1:
            raise ValueError(f"{pair.a} and {pair.b} have no win rate")
    elif not np.isclose(rates_of(pair.scores, place.seats).mean(), pair.win_rate):
        raise ValueError(f"the scores of {pair.a} and {pair.b} do not give their win rate")
    return pair


def _whole(value: object, least: int, most: int = 2**128) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{shown(value)} is no whole number of at least {least}")
    return value


def _number(value: object) -> float:
    if type(value) not in (int, float) or not -1e9 < value < 1e9:
        raise ValueError(f"{shown(value)} is no number")
    return value


def _number_or_none(value: object) -> float | None:
    return None if value is None else _number(value)


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError(f"{shown(value)} is no text")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{shown(value)} is not true or false")
    return value


def _interval(value: object) -> Interval:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{shown(value)} is no interval")
    return (_number_or_none(value[0]), _number_or_none(value[1]))


_READ: dict[Any, Callable[[Any], Any]] = {
    str: _text,
    int: lambda value: _whole(value, 0, MOST_DEALS * MAX_SEATS),
    float: _number,
    float | None: _number_or_none,
    Interval: _interval,
}
"""How a value of a pair is read, by the type that it has."""
