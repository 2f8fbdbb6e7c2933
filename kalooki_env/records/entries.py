"""What the lines of a record say, and the record that they say it of."""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kalooki_env.errors import RecordError
from kalooki_env.records.made import check_made
from kalooki_env.records.record import LONGEST_NAME, Deal, Record
from kalooki_env.rules import Rules

Entry = dict[str, Any]
"""What one line says, without its check."""

VERSION = 1


def header(record: Record) -> Entry:
    """Return the entry of the first line."""
    entry: Entry = {
        "kalooki": "record",
        "version": VERSION,
        **({"made": dict(record.made)} if record.made is not None else {}),
        "rules": _rules_value(record.rules),
        "seats": record.seats,
        "seed": record.seed,
        "episode": record.episode,
        "deal": record.deal,
        "names": list(record.names),
    }
    if record.position is not None:
        entry["position"] = dict(record.position)
    return entry


@functools.lru_cache
def _rules_value(rules: Rules) -> str | dict[str, Any]:
    """Return the preset's name, or a mapping with the knobs that differ from it."""
    preset, changed = rules.changes()
    return {"preset": preset, **changed} if changed else preset


def deal_entry(deal: Deal) -> Entry:
    """Return the entry that shows the cards of a deal."""
    return {
        "deal": deal.number,
        "dealer": deal.dealer,
        "hands": list(deal.hands),
        "discards": deal.discards,
        "stock": deal.stock,
    }


def move_entry(seat: int, move: str) -> Entry:
    """Return the entry of a move."""
    return {"seat": seat, "move": move}


def end_entry(over: bool, deals: int, moves: int) -> Entry:
    """Return the entry of the last line."""
    return {"end": {"over": over, "deals": deals, "moves": moves}}


def entries(record: Record) -> Iterator[Entry]:
    """Yield what the lines of a record say, in order."""
    yield header(record)
    for deal in record.deals:
        yield deal_entry(deal)
        yield from (move_entry(*move) for move in deal.moves)
        if deal.result is not None:
            yield {"result": dict(deal.result)}
        yield from (move_entry(*move) for move in deal.decisions)
    if record.over is not None:
        yield end_entry(record.over, len(record.deals), len(record.moves))


@dataclass
class _OpenDeal:
    """A deal whose entries are still coming."""

    cards: Entry
    moves: list[tuple[int, str]] = field(default_factory=list)
    result: Mapping[str, Any] | None = None
    decisions: list[tuple[int, str]] = field(default_factory=list)

    def deal(self) -> Deal:
        """Return what has come."""
        number, dealer, hands, discards, stock = self.cards.values()
        cards = (number, dealer, tuple(hands), discards, stock)
        return Deal(*cards, tuple(self.moves), self.result, tuple(self.decisions))


class Builder:
    """Puts a record together from entries of the right shape; their order is checked here.

    Args:
        first: the entry of the first line.
        path: the file that it comes from.
        line: number of the first line there.

    Raises:
        KalookiError: rules or a number of seats that cannot be played.
    """

    def __init__(self, first: Entry, path: str = "", line: int = 1) -> None:
        if "kalooki" not in first:
            raise RecordError(f"expected the first line of a game, got {next(iter(first))!r}")
        rules = Rules.from_value(first["rules"])
        check_made(first.get("made"), rules)
        rules.check_seats(first["seats"], first["episode"])
        names = tuple(first["names"])
        what = (rules, first["seats"], first["seed"], first["episode"], first["deal"], names)
        self._start = Record(
            *what, first.get("position"), made=first.get("made"), path=path, line=line
        )
        if self._start.names != names:
            raise RecordError(
                f"expected printable names of 1 to {LONGEST_NAME} letters, got {first['names']}"
            )
        self._deals: list[_OpenDeal] = []
        self._over: bool | None = None

    @property
    def closed(self) -> bool:
        """Whether the last line was added."""
        return self._over is not None

    @property
    def record(self) -> Record:
        """The record of the entries so far."""
        deals = tuple(deal.deal() for deal in self._deals)
        return replace(self._start, deals=deals, over=self._over)

    def add(self, entry: Entry) -> None:
        """Add an entry.

        Raises:
            RecordError: it cannot stand here.
        """
        last = self._deals[-1] if self._deals else None
        match next(iter(entry)):
            case "deal" if last is None or last.result is not None:
                self._deals.append(_OpenDeal(entry))
            case "seat" if last is not None:
                moves = last.moves if last.result is None else last.decisions
                moves.append((entry["seat"], entry["move"]))
            case "result" if last is not None and last.result is None:
                last.result = entry["result"]
            case "end" if last is not None:
                self._end(entry["end"])
            case other:
                raise RecordError(f"expected the game to go on here, got a line with {other!r}")

    def _end(self, end: Mapping[str, Any]) -> None:
        deals = len(self._deals)
        moves = sum(len(deal.moves) + len(deal.decisions) for deal in self._deals)
        if (deals, moves) != (end["deals"], end["moves"]):
            raise RecordError(
                f"expected the end to count {deals} deals and {moves} moves, "
                f"got {end['deals']} and {end['moves']}"
            )
        self._over = end["over"]
