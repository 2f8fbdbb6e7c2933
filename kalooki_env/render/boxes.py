"""Cards as little boxes on a canvas: a hand, the melds of the table, the two piles."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kalooki_env.cards import JOKER_TEXT, SUITS
from kalooki_env.render.canvas import Canvas
from kalooki_env.render.style import SYMBOLS
from kalooki_env.render.view import MeldView, SeatView

STAR = "★"


@dataclass(frozen=True)
class Face:
    """How cards are written: suits as symbols or letters, boxes in line drawing or plain."""

    symbols: bool = True

    def text(self, card: str) -> str:
        """Write a card: `10♥`, `★6♣` for a joker that stands for a card, `★` for a bare one."""
        joker = card.startswith(JOKER_TEXT)
        star = (STAR if self.symbols else JOKER_TEXT) if joker else ""
        if card == JOKER_TEXT:
            return star
        rank, suit = card[-2], card[-1]
        # A joker's ten stays short: its cell has three letters.
        rank = "10" if rank == "T" and not joker else rank
        return f"{star}{rank}{self.suit(suit)}"

    def suit(self, suit: str) -> str:
        """Write a suit."""
        return SYMBOLS[SUITS.index(suit)] if self.symbols else suit

    @property
    def box(self) -> str:
        """Corners (upper, lower), lines across and down, joints on the upper and lower edge."""
        return "╭╮╰╯─│┬┴" if self.symbols else "++++-|++"

    @property
    def heavy(self) -> str:
        """The same for the card at the cursor."""
        return "┏┓┗┛━┃┳┻" if self.symbols else "####=###"

    @property
    def back(self) -> str:
        """What the back of a card is made of."""
        return "▒" if self.symbols else "/"


def ink(card: str) -> str:
    """Return the name of the colour of a card."""
    if card.startswith(JOKER_TEXT):
        return "joker"
    return "red" if card[-1] in "DH" else "black"


def draw_card(
    canvas: Canvas,
    x: int,
    y: int,
    card: str,
    face: Face,
    *,
    inner: int = 3,
    rows: int = 3,
    ground: str = "card",
    heavy: bool = False,
    closed: bool = True,
) -> None:
    """Draw a card: a box of `inner` + 2 columns and `rows` rows.

    `closed`: with its lower edge; else it goes on below.
    """
    lines = face.heavy if heavy else face.box
    edge = f"{'cursor' if heavy else 'edge'}:{ground}"
    canvas.write(x, y, lines[0] + lines[4] * inner + lines[1], edge)
    body = rows - 1 - closed
    for row in range(y + 1, y + 1 + body):
        canvas.write(x, row, lines[5] + " " * inner + lines[5], edge)
    if closed:
        canvas.write(x, y + rows - 1, lines[2] + lines[4] * inner + lines[3], edge)
    if card == "back":
        for row in range(y + 1, y + 1 + body):
            canvas.write(x + 1, row, face.back * inner, "back:card")
        return
    style = f"{ink(card)}:{ground}:bold"
    canvas.write(x + 1, y + 1, face.text(card)[:inner], style)
    if body > 1:
        pip = face.text(card)[-1] if card != JOKER_TEXT else face.text(card)
        canvas.write(x + 1 + inner // 2, y + 1 + body // 2, pip, style)


# The hand


@dataclass(frozen=True)
class HandLook:
    """How large the cards of a hand are: cells from one card to the next, and rows."""

    pitch: int
    rows: int

    @classmethod
    def fitting(cls, cards: int, width: int, height: int) -> "HandLook":
        """Choose the largest look for which the cards fit beside each other."""
        for pitch in (8, 6, 5, 4, 3):
            if cards * pitch + 1 <= width and (pitch < 8 or height >= 9):
                return cls(pitch, max(height - 1, 2))
        return cls(3, max(height - 1, 2))


def hand(
    groups: Sequence[Sequence[str]],
    selected: Collection[int],
    cursor: int | None,
    face: Face,
    width: int,
    height: int,
    news: Collection[int] = (),
) -> Canvas:
    """Draw a hand, one card over the next, the selected ones a row higher.

    Args:
        groups: the cards in order, those of one suit or rank together.
        selected: indices of the raised cards, counted over all groups.
        cursor: index of the card with a heavy edge.
        face: how cards are written.
        width: cells across.
        height: rows, of which the first is for raised cards.
        news: indices of cards that came in this turn.
    """
    canvas = Canvas(width, height)
    n = sum(map(len, groups))
    look = HandLook.fitting(n, width, height)
    spare = width - n * look.pitch - 1
    gap = min(2, max(0, spare // max(len(groups) - 1, 1)))
    x = max(0, (spare - gap * (len(groups) - 1)) // 2)
    places, index = [], 0
    for group in groups:
        for card in group:
            places.append((index, x, card))
            x += look.pitch
            index += 1
        x += gap
    places.sort(key=lambda place: place[0] == cursor)  # the card at the cursor lies on top
    for index, x, card in places:
        y = 0 if index in selected else 1
        draw_card(
            canvas,
            x,
            y,
            card,
            face,
            inner=look.pitch - 1,
            rows=height - y,
            ground="lifted" if index in selected else "fresh" if index in news else "card",
            heavy=index == cursor,
            closed=False,
        )
        canvas.zone(x, 0, look.pitch + (index == n - 1), height, "card", index)
    return canvas


# The table


@dataclass(frozen=True)
class _Tile:
    """How a meld is drawn: rows, cells beside its cards, and from one card to the next."""

    rows: int
    tag: int
    gap: int
    pitch: int = 4

    def width(self, meld: MeldView, face: Face) -> int:
        """Return the cells that a meld takes."""
        if self.rows == 1:
            return self.tag + sum(len(face.text(card)) + 1 for card in meld.cards) + 1
        return self.tag + self.pitch * len(meld.cards) + 1


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
        if rows <= height:
            break
    canvas = Canvas(width, max(rows, height))
    for meld, (x, y) in zip(table, places, strict=True):
        _draw_meld(canvas, meld, x, y, tile, names, face, meld.number == cursor, fits)
        canvas.zone(x, y, tile.width(meld, face), tile.rows, "meld", meld.number)
    return canvas


def _flow(
    table: Sequence[MeldView], tile: _Tile, face: Face, width: int
) -> tuple[list[tuple[int, int]], int]:
    """Place melds from left to right and then below; return the places and the rows used."""
    places, x, y = [], 0, 0
    for meld in table:
        wide = tile.width(meld, face)
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
        at = canvas.write(x + tile.tag, y, " ", "edge:card")
        for card in meld.cards:
            at = canvas.write(at, y, face.text(card), f"{ink(card)}:card:bold")
            at = canvas.write(at, y, " ", "edge:card")
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


# The piles


def piles(view: SeatView, face: Face, width: int, height: int, mine: bool) -> Canvas:
    """Draw the stock and the discard pile.

    Args:
        view: what the seat sees.
        face: how cards are written.
        width: cells across.
        height: rows there are.
        mine: the seat may draw now, so the piles are pointed out.
    """
    canvas = Canvas(width, height)
    rows = 4 if height >= 6 else 3
    title = "gold:felt:bold" if mine else "dim:felt"
    for x, word, count, top in (
        (1, "Stock", view.stock, "back" if view.stock else None),
        (9, "Pile", len(view.pile), view.pile[-1] if view.pile else None),
    ):
        canvas.write(x, 0, word, title)
        if top is None:
            draw_empty(canvas, x, 1, face, rows)
        else:
            draw_card(canvas, x, 1, top, face, rows=rows)
        canvas.write(x + 1, 1 + rows, f"{count:>3}", "dim:felt")
        canvas.zone(x, 0, 7, rows + 2, word.lower())
    under = view.pile[-6:-1][::-1]
    if under and height >= rows + 5:
        canvas.write(1, rows + 3, "under it", "dim:felt")
        x, y = 1, rows + 4
        for card in under:
            text = face.text(card)
            if x + len(text) > width:
                x, y = 1, y + 1
            x = canvas.write(x, y, text, f"felt-{ink(card)}:felt") + 1
        canvas.zone(0, rows + 2, width, y - rows - 1, "pile")
    return canvas


def draw_empty(canvas: Canvas, x: int, y: int, face: Face, rows: int) -> None:
    """Draw the place of a card where none lies."""
    lines = face.box
    canvas.write(x, y, lines[0] + lines[4] * 3 + lines[1], "dim:felt")
    for row in range(y + 1, y + rows - 1):
        canvas.write(x, row, lines[5] + "   " + lines[5], "dim:felt")
    canvas.write(x, y + rows - 1, lines[2] + lines[4] * 3 + lines[3], "dim:felt")


# The seats


def seats(view: SeatView, names: Sequence[str], face: Face, width: int, money: bool) -> Canvas:
    """Draw who sits at the table: whose turn, cards left, open, announced, totals; three rows."""
    canvas = Canvas(width, 3, "white:panel")
    each = max(1, min(40, width // len(names)))
    for index, info in enumerate(view.seats):
        x = index * each + 1
        turn = info.seat == view.to_move
        room = each - 2
        pointer = ("▶ " if face.symbols else "> ") if turn else ""
        style = "gold:panel:bold" if turn else "white:panel:bold"
        canvas.write(x, 0, (pointer + names[info.seat])[:room], style)
        if info.eliminated:
            canvas.write(x, 1, "out"[:room], "dim:panel")
            continue
        cards = f"{info.cards} card{'s' if info.cards != 1 else ''}"
        total = f"total {info.total}" if room >= 19 else str(info.total)
        canvas.write(x, 1, f"{cards:<9}{total}"[:room], "white:panel")
        state = "open" if info.opened else "not open"
        if info.announced:
            state = f"{state}, says {info.announced}" if room >= 16 else f"says {info.announced}"
        if money and room >= 22:
            state += f"  {info.money:+d}"
        style = "gold:panel" if info.announced else "green:panel" if info.opened else "dim:panel"
        canvas.write(x, 2, state[:room], style)
    return canvas
