"""Dialogs over the table: a choice, all legal moves, the discard pile, the log, help."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from kalooki_env.cards import JOKER_TEXT
from kalooki_env.errors import NotationError
from kalooki_env.game import Game
from kalooki_env.play.lists import expand
from kalooki_env.play.screen.lines import Words
from kalooki_env.play.screen.palette import dressed
from kalooki_env.play.screen.sizes import COLUMNS, SLIM, TooSmall
from kalooki_env.render.boxes import STAR, Face

if TYPE_CHECKING:
    from kalooki_env.play.seating import Seated

SHOWN = 200
"""Moves that the list shows more of at once: thousands take seconds to write."""


class Choose(ModalScreen[int | None]):
    """Asks for one of several things; returns its index, None if the person thinks better of it."""

    BINDINGS = [
        Binding("escape", "leave", "Back"),
        *(Binding(str(n), f"pick({n})") for n in range(1, 10)),
    ]

    def __init__(self, title: str, options: Sequence[Text | str]) -> None:
        super().__init__()
        self.heading, self.offered = title, options

    def compose(self) -> ComposeResult:
        """Lay out the dialog."""
        with Vertical(classes="dialog small"):
            yield Words(self.heading, classes="title")
            lines = [
                Text(f"{n}  ").append_text(Text() + t) if isinstance(t, Text) else f"{n}  {t}"
                for n, t in enumerate(self.offered, 1)
            ]
            yield OptionList(*(Option(line) for line in lines), markup=False)
            yield Words("Enter or the number chooses, Esc goes back", classes="hint")
        yield TooSmall()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Return the choice."""
        self.dismiss(event.option_index)

    def action_pick(self, number: int) -> None:
        """Return the choice of a number."""
        if number <= len(self.offered):
            self.dismiss(number - 1)

    def action_leave(self) -> None:
        """Choose nothing."""
        self.dismiss(None)


async def leave(app: App, seated: "Seated") -> None:
    """Ask whether to leave the table, and how."""
    options = ["Stay at the table", "Leave; the match is kept", "Leave for good: give the match up"]
    if not seated.can_resume:
        options = ["Stay at the table", "Leave"]
    chosen = await app.push_screen_wait(Choose("Leave the table?", options))
    if chosen:
        app.leave(seated, for_good=chosen == 2)  # type: ignore[attr-defined]


class Moves(ModalScreen[str | None]):
    """Lists the legal moves, searches them, and takes a typed one; returns a move's text.

    Args:
        game: a copy of the game. Its moves are listed behind the dialog, which can take seconds.
        face: how cards are written.
    """

    BINDINGS = [
        Binding("escape", "leave", "Back"),
        Binding("down", "step(1)", show=False, priority=True),
        Binding("up", "step(-1)", show=False, priority=True),
        Binding("pagedown", "step(10)", show=False, priority=True),
        Binding("pageup", "step(-10)", show=False, priority=True),
    ]

    def __init__(self, game: Game, face: Face) -> None:
        super().__init__()
        self._game, self._face = game, face
        self._moves: Sequence[str] | None = None
        self.found: list[str] = []
        self.shown = 0
        """How many of those found are in the list; after them a line brings more."""

    def compose(self) -> ComposeResult:
        """Lay out the dialog."""
        with Vertical(classes="dialog"):
            yield Words("", id="count", classes="title")
            yield Input(
                placeholder="search, or type a move, such as: meld 7c   add 8h @2   discard"
            )
            yield OptionList(markup=False)
            yield Words("", id="answer")
            yield Words("↑ ↓ choose, Enter plays, Esc goes back", classes="hint")
        yield TooSmall()

    def on_mount(self) -> None:
        """Show all moves as soon as they are known."""
        self._search("")
        self.query_one(Input).focus()
        self.run_worker(self._list())

    async def _list(self) -> None:
        listing = self._game.clone().legal_moves
        self._moves = await self.app.in_thread(listing, aside=True)  # type: ignore[attr-defined]
        self._search(self.query_one(Input).value)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow the list."""
        self._search(event.value)

    def _search(self, typed: str) -> None:
        if self._moves is None:
            self.query_one("#count", Words).update("Listing the moves ...")
            return
        words = as_move(typed).lower().split()
        self.found = [m for m in self._moves if all(w in m.lower() for w in words)]
        options = self.query_one(OptionList)
        options.clear_options()
        self.shown = 0
        self._show_more()
        if self.found and words:
            options.highlighted = 0  # with nothing typed nothing is chosen, and Enter plays nothing
        of = f"{len(self.found):,} of {len(self._moves):,}" if words else f"{len(self._moves):,}"
        self.query_one("#count", Words).update(f"{of} legal moves")
        self.query_one("#answer", Words).update("" if self.found else self._why(typed))

    def _show_more(self) -> None:
        """Add the next moves to the list."""
        options = self.query_one(OptionList)
        if options.option_count > self.shown:
            options.remove_option_at_index(self.shown)
        news = self.found[self.shown : self.shown + SHOWN]
        options.add_options([Option(self._line(move)) for move in news])
        self.shown += len(news)
        if rest := len(self.found) - self.shown:
            options.add_option(
                Option(f"... {rest:,} more: go on down, or type words that they have")
            )

    def _line(self, move: str) -> Text:
        line = dressed(move, self._face)
        state = self._game.state[0]
        opening = not state["opened"][self._game.to_move or 0] and not self._game.rules.contracts
        if move.startswith("meld") and opening:
            line.append(f"   {self._game.meld_points(move[5:])} points", style="dim")
        return line

    def _why(self, typed: str) -> Text:
        """Say why a typed move can't be played."""
        try:
            reason = self._game.explain(as_move(typed))
        except NotationError:
            return Text("No legal move has these words in it.", style="italic")
        text = Text("Not allowed: ", style="bold")
        return text.append_text(dressed(f"{reason}.", self._face, "bad"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Play what was typed if it is a move, else the one that is chosen."""
        typed = as_move(event.value)
        try:
            if typed and self._game.explain(typed) is None:
                self.dismiss(typed)
                return
        except NotationError:
            pass
        at = self.query_one(OptionList).highlighted
        if self.found and at is not None:
            self._choose(at)
        elif self.found:
            self.query_one("#answer", Words).update("Choose a move, or type one, first.")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Play the move that was clicked."""
        self._choose(event.option_index)

    def _choose(self, at: int) -> None:
        """Play a move of the list, or show more of them."""
        if at < self.shown:
            self.dismiss(self.found[at])
        else:
            self._show_more()

    def action_step(self, step: int) -> None:
        """Move through the list while typing."""
        options = self.query_one(OptionList)
        if options.option_count:
            before = -1 if options.highlighted is None else options.highlighted
            at = before + step
            if at >= self.shown and self.shown < len(self.found):
                self._show_more()
            options.highlighted = max(0, min(at, options.option_count - 1))

    def action_leave(self) -> None:
        """Play nothing."""
        self.dismiss(None)


def as_move(typed: str) -> str:
    """Read what a person types: short verbs, suit symbols, 10 for T, a star for a joker."""
    return expand(re.sub(r"10(?=[cdhsCDHS♣♦♥♠])", "T", typed).replace(STAR, JOKER_TEXT))


def inside(width: int) -> int:
    """Return the cells that the text of a page has on a screen, or on the smallest there may be."""
    width = max(width, COLUMNS)
    return min(width if width < SLIM else width * 9 // 10, 104) - 5


class Page(ModalScreen[None]):
    """Shows a long text that can be scrolled."""

    BINDINGS = [
        Binding("escape,q,enter,space", "leave", "Back"),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
    ]

    def __init__(self, title: str, text: Text | str, end: bool = False) -> None:
        super().__init__()
        self.heading, self.text, self._at_end = title, text, end

    def compose(self) -> ComposeResult:
        """Lay out the page."""
        with Vertical(classes="dialog"):
            yield Words(self.heading, classes="title")
            with VerticalScroll():
                yield Words(self.text)
            yield Words("↑ ↓ scroll, Esc goes back", classes="hint")
        yield TooSmall()

    def on_mount(self) -> None:
        """Begin at the top, or where the latest is."""
        scroll = self.query_one(VerticalScroll)
        scroll.focus()
        if self._at_end:
            self.call_after_refresh(scroll.scroll_end, animate=False)

    def action_scroll(self, rows: int) -> None:
        """Scroll."""
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)
