"""Make a disagreement about legal ids small, so that it can be judged by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kalooki_env.game import Game

from .position import Position


def shrink(mapping: dict[str, Any]) -> dict[str, Any]:
    """Return a smaller position on whose legal ids engine and oracle still differ."""
    if not _differs(mapping):
        return mapping
    smaller: dict[str, Any] | None = mapping
    while smaller is not None:
        mapping = smaller
        smaller = next((other for other in _smaller(mapping) if _differs(other)), None)
    return mapping


def _differs(mapping: dict[str, Any]) -> bool:
    try:
        wanted = Position.from_mapping(mapping).legal_ids()
        return set(Game.from_position(mapping).legal_actions().tolist()) != wanted
    except Exception:
        return False


def _smaller(mapping: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for number in range(1, len(mapping["table"]) + 1):
        yield _without_meld(mapping, number)
    for seat, hand in enumerate(mapping["hands"]):
        cards = hand.split()
        for index in range(len(cards)):
            fewer = " ".join(cards[:index] + cards[index + 1 :])
            hands = [
                fewer if other == seat else text for other, text in enumerate(mapping["hands"])
            ]
            yield {**mapping, "hands": hands}
    for pile, kept in (("stock", slice(0, 1)), ("discards", slice(-1, None))):
        cards = mapping[pile].split()
        if len(cards) > 1:
            yield {**mapping, pile: " ".join(cards[kept])}


def _without_meld(mapping: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the position without one table meld, the others numbered anew."""

    def renumber(old: int) -> int:
        return old - (old > number)

    table = [text for index, text in enumerate(mapping["table"], 1) if index != number]
    laid = [renumber(old) for old in mapping.get("laid", ()) if old != number]
    added = {renumber(old): ends for old, ends in mapping.get("added", {}).items() if old != number}
    return {**mapping, "table": table, "laid": laid, "added": added}
