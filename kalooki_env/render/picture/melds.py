"""Where the melds of the table lie: seat by seat, in lines, as large as the room allows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kalooki_env.render.picture.faces import height_of
from kalooki_env.render.view import MeldView

_WIDTHS = (60, 54, 48, 43, 38, 34, 30, 27, 24, 21, 18, 15)
"""Widths of a card that are tried, in pixels of a picture of the usual size."""


@dataclass(frozen=True)
class Look:
    """How large melds are drawn, in pixels."""

    card: int
    """Width of a card."""
    pitch: int
    """From one card of a meld to the next."""
    tag: int
    """Height of the label above a meld."""
    gap: int
    """Between two melds of a line, and between lines."""

    @classmethod
    def of(cls, card: int, scale: float) -> "Look":
        """Choose the look for a width of the cards."""
        tag = max(round(card * 0.26), round(11 * scale))
        return cls(card, max(round(card * 0.4), 2), tag, max(round(card * 0.2), 3))

    @property
    def height(self) -> int:
        """Height of a meld with its label."""
        return self.tag + 2 + height_of(self.card)

    def width(self, meld: MeldView) -> int:
        """Return the width of a meld."""
        return self.card + self.pitch * (len(meld.cards) - 1)


class Place(NamedTuple):
    """Where a meld lies: its upper left corner, in pixels from that of the room."""

    meld: MeldView
    x: int
    y: int


def lay_out(
    table: Sequence[MeldView], order: Sequence[int], width: int, height: int, scale: float
) -> tuple[Look, list[Place]]:
    """Find places for the melds of the table so that none lies over another.

    Args:
        table: the melds.
        order: seats, whose melds come first.
        width: of the room, in pixels.
        height: of the room.
        scale: size of the picture to the usual one.

    Returns:
        How large they are, and their places: every seat begins a line if there is room for that.
    """
    ranks = {seat: rank for rank, seat in enumerate(order)}
    melds = sorted(table, key=lambda meld: ranks.get(meld.owner, len(ranks)))
    for card in _WIDTHS:
        look = Look.of(max(round(card * scale), 6), scale)
        for apart in (True, False):
            places, used = _flow(melds, look, width, apart)
            if used <= height:
                return look, places
    return look, places


def _flow(
    melds: Sequence[MeldView], look: Look, width: int, apart: bool
) -> tuple[list[Place], int]:
    """Place melds from left to right and then below; return the places and the height used.

    `apart`: every seat begins a line.
    """
    places: list[Place] = []
    x = y = 0
    for meld in melds:
        wide = look.width(meld)
        is_next = bool(places) and places[-1].meld.owner != meld.owner
        if x and (x + wide > width or (apart and is_next)):
            x, y = 0, y + look.height + look.gap
        places.append(Place(meld, x, y))
        x += wide + look.gap
    return places, y + look.height if melds else 0
