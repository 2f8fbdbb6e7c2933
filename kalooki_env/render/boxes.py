"""Cards as little boxes on a canvas."""

from dataclasses import dataclass

from kalooki_env.cards import JOKER_TEXT, SUITS
from kalooki_env.render.canvas import Canvas
from kalooki_env.render.style import SYMBOLS

STAR = "★"


@dataclass(frozen=True)
class Face:
    """How cards are written: suits as symbols or letters, boxes in line drawing or plain."""

    symbols: bool = True

    def text(self, card: str, room: int = 4) -> str:
        """Write a card: `10♥`, `★6♣` for a joker that stands for a card, `★` for a bare one.

        A ten that has no `room` for its letters is `T♥` or `★T♥`, as the notation writes it.
        """
        joker = card.startswith(JOKER_TEXT)
        star = (STAR if self.symbols else JOKER_TEXT) if joker else ""
        if card == JOKER_TEXT:
            return star
        rank, suit = card[-2], card[-1]
        rank = "10" if rank == "T" and room > 2 + joker else rank
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

    `closed`: with its lower edge; else it goes on below. Where `inner` is 1, the suit stands below
    the rank.
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
    text = face.text(card, inner + (inner > 2 and body > 1))  # its suit stands below as well
    canvas.write(x + 1, y + 1, text[:inner], style)
    if body > 1:
        canvas.write(x + 1 + inner // 2, y + 1 + max(body // 2, inner == 1), text[-1], style)


def draw_empty(canvas: Canvas, x: int, y: int, face: Face, rows: int) -> None:
    """Draw the place of a card where none lies."""
    lines = face.box
    canvas.write(x, y, lines[0] + lines[4] * 3 + lines[1], "dim:felt")
    for row in range(y + 1, y + rows - 1):
        canvas.write(x, row, lines[5] + "   " + lines[5], "dim:felt")
    canvas.write(x, y + rows - 1, lines[2] + lines[4] * 3 + lines[3], "dim:felt")
