"""The parts of the table: seats, piles, melds, the hand, the buttons."""

from collections.abc import Collection, Sequence

from textual.geometry import Region, Size
from textual.widget import Widget

from kalooki_env.play.prompts import Button
from kalooki_env.play.screen.board import Board
from kalooki_env.render import hands, melds, places
from kalooki_env.render.boxes import Face
from kalooki_env.render.canvas import Canvas
from kalooki_env.render.style import group_cards
from kalooki_env.render.view import SeatView


class Seats(Board):
    """Who sits at the table."""

    view: SeatView | None = None
    names: Sequence[str] = ()
    money = False
    face = Face()

    def paint(self, width: int, height: int) -> Canvas:
        """Draw the seats."""
        if self.view is None:
            return Canvas(width, height, "white:panel")
        return places.seats(self.view, self.names, self.face, width, self.money)


class Piles(Board):
    """The stock and the discard pile."""

    view: SeatView | None = None
    face = Face()

    def paint(self, width: int, height: int) -> Canvas:
        """Draw the piles."""
        if self.view is None:
            return Canvas(width, height)
        mine = self.view.is_mine and self.view.phase == "draw"
        return places.piles(self.view, self.face, width, height, mine)


class Melds(Board):
    """The melds on the table; higher than its place when there are very many."""

    view: SeatView | None = None
    names: Sequence[str] = ()
    face = Face()
    pointer: int | None = None
    """Number of the meld that is pointed at."""
    fits: Collection[int] = ()
    """Numbers of the melds on which the selected cards fit."""

    def _room(self) -> int:
        return self.parent.size.height if isinstance(self.parent, Widget) else 1

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the rows that all melds take, at least those there are."""
        return self._drawn(width, container.height).height  # the parent has its new size later

    def paint(self, width: int, height: int) -> Canvas:
        """Draw the melds as large as they fit."""
        return self._drawn(width, min(height, self._room()))

    def _drawn(self, width: int, room: int) -> Canvas:
        if self.view is None or width <= 0:
            return Canvas(width, room)
        if not self.view.table:
            canvas = Canvas(width, max(room, 1))
            canvas.write(1, room // 2, "No melds on the table yet."[:width], "dim:felt")
            return canvas
        return melds.melds(
            self.view.table, self.names, self.face, width, room, self.pointer, self.fits
        )

    def show_pointer(self) -> None:
        """Scroll to the meld that is pointed at."""
        for zone in self.canvas.zones():
            if zone.target == ("meld", self.pointer) and self.parent is not None:
                region = Region(zone.x, zone.y, zone.width, zone.height)
                self.parent.scroll_to_region(region, animate=False)  # type: ignore[attr-defined]


class Hand(Board):
    """The person's cards: a cursor, and selected ones that stand out."""

    face = Face()

    def __init__(self, **options: str) -> None:
        super().__init__(**options)
        self.sort = "suit"
        self.cards: list[str] = []
        """The cards as they lie, from left to right."""
        self.selected: set[int] = set()
        self.cursor = 0
        self.fresh: str | None = None
        """The card that came in this turn."""
        self.shows_cursor = True

    def deal(self, hand: Sequence[str], fresh: str | None) -> None:
        """Show other cards; those selected stay so as far as they are still there."""
        kept = self.picked
        before = self.cards[self.cursor] if self.cursor < len(self.cards) else None
        self.cards = [card for group in group_cards(hand, self.sort) for card in group]
        self.fresh = fresh
        self.selected = set()
        for card in kept:
            free = [i for i, c in enumerate(self.cards) if c == card and i not in self.selected]
            self.selected.update(free[:1])
        if before in self.cards and before is not None:
            same = [i for i, card in enumerate(self.cards) if card == before]
            self.cursor = min(same, key=lambda index: abs(index - self.cursor))
        self.cursor = min(self.cursor, max(len(self.cards) - 1, 0))
        self.redraw()

    @property
    def picked(self) -> list[str]:
        """The selected cards."""
        return [self.cards[index] for index in sorted(self.selected)]

    def move(self, step: int) -> None:
        """Move the cursor, round the ends."""
        if self.cards:
            self.cursor = (self.cursor + step) % len(self.cards)
            self.redraw()

    def move_to(self, last: bool) -> None:
        """Move the cursor to the first or to the last card."""
        self.cursor = max(len(self.cards) - 1, 0) if last else 0
        self.redraw()

    def toggle(self, index: int | None = None, on: bool | None = None) -> None:
        """Select a card or put it back, that at the cursor if none is named."""
        if not self.cards:
            return
        index = self.cursor if index is None else index
        wanted = index not in self.selected if on is None else on
        (self.selected.add if wanted else self.selected.discard)(index)
        self.cursor = index
        self.redraw()

    def clear(self) -> None:
        """Select nothing."""
        self.selected.clear()
        self.redraw()

    def paint(self, width: int, height: int) -> Canvas:
        """Draw the hand."""
        news = [i for i, card in enumerate(self.cards) if card == self.fresh][:1]
        cursor = self.cursor if self.shows_cursor else None
        groups = group_cards(self.cards, self.sort)
        return hands.hand(groups, self.selected, cursor, self.face, width, height, news)


class Bar(Board):
    """The buttons, each with its key."""

    buttons: Sequence[Button] = ()
    others: Sequence[Button] = ()

    def paint(self, width: int, height: int) -> Canvas:
        """Draw the buttons; of the others those that there is room for, the last one always."""
        canvas = Canvas(width, height, "white:panel")
        gap = int(height == 1)  # in two rows, of a narrow screen, no cell is given away
        x, y = gap, 0
        for button in self.buttons:
            if x + len(self._label(button)) > width and y + 1 < height:
                x, y = 0, y + 1
            x = self._draw(canvas, x, y, button) + gap
        x = x + gap if y == height - 1 else 0
        others = list(self.others)
        while len(others) > 1 and self._cells(others, gap) > width - x:
            others.pop(-2)
        x = max(x, width - self._cells(others, gap))
        for button in others:
            x = self._draw(canvas, x, height - 1, button) + gap
        return canvas

    def _draw(self, canvas: Canvas, x: int, y: int, button: Button) -> int:
        label = self._label(button)
        key = len(self._key(button)) + 2
        ground = "button" if button.on else "panel"
        canvas.write(x, y, label[:key], f"{'gold' if button.on else 'dim'}:{ground}:bold")
        canvas.write(x + key, y, label[key:], f"{'white' if button.on else 'dim'}:{ground}")
        canvas.zone(x, y, len(label), 1, "key", button.key)
        return x + len(label)

    def _cells(self, buttons: Sequence[Button], gap: int) -> int:
        return sum(len(self._label(button)) + gap for button in buttons)

    @staticmethod
    def _key(button: Button) -> str:
        return {"enter": "Enter", "slash": "/", "question_mark": "?"}.get(button.key, button.key)

    def _label(self, button: Button) -> str:
        return f" {self._key(button)} {button.word} "
