"""The melds of the table as rows of cards on a canvas."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kalooki_env.render.boxes import Face, draw_card, ink
from kalooki_env.render.canvas import Canvas
from kalooki_env.render.view import MeldView


@dataclass(frozen=True)
class _Tile:
    """How a meld is drawn: rows, cells beside its cards, and from one card to the next."""

    rows: int
    tag: int
    gap: int
    pitch: int = 4

    def width(self, meld: MeldView, face: Face, room: int) -> int:
        """Return the cells that a meld takes, of `room`."""
        if self.rows == 1:
            return self.tag + sum(map(len, _words(meld, face, room - self.tag)))
        return self.tag + self.pitch * len(meld.cards) + 1


def _words(meld: MeldView, face: Face, room: int) -> list[str]:
    """Write the cards of a meld for one row, without spaces if it is too long for them."""
    words = [f" {face.text(card)}" for card in meld.cards]
    words[-1] += " "
    if sum(map(len, words)) <= room:
        return words
    return [face.text(card, 2) for card in meld.cards]


_LARGE, _TALL, _BOX, _STRIP = _Tile(6, 1, 2, 6), _Tile(4, 1, 2), _Tile(3, 3, 2), _Tile(1, 3, 2)


def melds(
    table: Sequence[MeldView],
    names: Sequence[str],
    face: Face,
    width: int,
    height: int,
    cursor: int | None = None,
    fits: Collection[int] = (),
) -> Canvas:
    """Draw the melds of the table as large as the height allows; the canvas may be higher.

    Args:
        table: the melds.
        names: of the seats, for the owners.
        face: how cards are written.
        width: cells across.
        height: rows there are.
        cursor: number of the meld that is pointed at.
        fits: numbers of the melds on which the selected cards fit.
    """
    for tile in (_LARGE, _TALL, _BOX, _STRIP):
        places, rows = _flow(table, tile, face, width)
        if rows <= height and all(tile.width(meld, face, width) <= width for meld in table):
            break
    canvas = Canvas(width, max(rows, height))
    for meld, (x, y) in zip(table, places, strict=True):
        _draw_meld(canvas, meld, x, y, tile, names, face, meld.number == cursor, fits)
        canvas.zone(x, y, tile.width(meld, face, width), tile.rows, "meld", meld.number)
    return canvas


def _flow(
    table: Sequence[MeldView], tile: _Tile, face: Face, width: int
) -> tuple[list[tuple[int, int]], int]:
    """Place melds from left to right and then below; return the places and the rows used."""
    places, x, y = [], 0, 0
    for meld in table:
        wide = tile.width(meld, face, width)
        if x and x + wide >= width:  # a column stays free at the edge
            x, y = 0, y + tile.rows
        places.append((x, y))
        x += wide + tile.gap
    return places, y + tile.rows if table else 0


def _draw_meld(
    canvas: Canvas,
    meld: MeldView,
    x: int,
    y: int,
    tile: _Tile,
    names: Sequence[str],
    face: Face,
    pointed: bool,
    fits: Collection[int],
) -> None:
    mark = "gold:felt:bold" if meld.number in fits or pointed else "dim:felt"
    owner = "" if meld.owner is None else names[meld.owner]
    number = f">{meld.number}" if pointed else f"{meld.number}"
    if tile is _STRIP:
        canvas.write(x, y, f"{number:>2}", mark)
        at = x + tile.tag
        for card, word in zip(meld.cards, _words(meld, face, canvas.width - tile.tag), strict=True):
            at = canvas.write(at, y, word, f"{ink(card)}:card:bold")
        return
    rows = 3
    if tile in (_LARGE, _TALL):
        title = f"{number} {owner}"[: tile.pitch * len(meld.cards)]
        canvas.write(x + 1, y, title, mark)
        x, y, rows = x + 1, y + 1, tile.rows - 1
    else:
        canvas.write(x, y + 1, f"{number:>2}", mark)
        x += tile.tag
    lines = face.heavy if pointed else face.box
    edge = f"{'cursor' if pointed else 'edge'}:card"
    for index, card in enumerate(meld.cards):
        at = x + tile.pitch * index
        draw_card(canvas, at, y, card, face, inner=tile.pitch - 1, rows=rows, heavy=pointed)
        if index:
            canvas.write(at, y, lines[6], edge)
            canvas.write(at, y + rows - 1, lines[7], edge)
