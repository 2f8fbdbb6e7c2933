"""The application: first screen, table, and the thread in which opponents are loaded and think."""

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from rich.text import Text
from textual import events
from textual.app import App
from textual.driver import Driver
from textual.filter import LineFilter

from kalooki_env.errors import KalookiError
from kalooki_env.play import signals, web
from kalooki_env.play.screen import hangup, sizes
from kalooki_env.play.screen.first import First
from kalooki_env.play.screen.letters import Letters
from kalooki_env.play.screen.wait import Wait
from kalooki_env.play.wishes import Wishes
from kalooki_env.render.boxes import Face
from kalooki_env.render.style import prepare
from kalooki_env.rules import Rules

if TYPE_CHECKING:
    from kalooki_env.play.saved import Saved
    from kalooki_env.play.seating import Seated

T = TypeVar("T")


class KalookiApp(App[list[str]]):
    """Shows the first screen or a table; returns lines to print when it is left.

    Args:
        wishes: what the first screen proposes.
        begin: makes the table that the application begins with; None: the first screen asks.
        speed: how fast the opponents move; None: as they did when the match was left, else normal.
        ascii_only: letters instead of suit symbols.
    """

    CSS_PATH = "table.tcss"
    HORIZONTAL_BREAKPOINTS = sizes.ACROSS
    VERTICAL_BREAKPOINTS = sizes.DOWN
    TITLE = "Kalooki"
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        wishes: Wishes,
        *,
        begin: "Callable[[], Seated] | None" = None,
        speed: str | None = None,
        ascii_only: bool = False,
    ) -> None:
        super().__init__()
        self.wishes, self.begin = wishes, begin
        self.speed, self.face = speed, Face(symbols=not ascii_only)
        self._threads, self._aside = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
        self._work: list[Future] = []
        self.seated: Seated | None = None
        self.failed: str | None = None
        self.leaving = self._opening = False
        self._letters = Letters(ascii_only)

    def on_mount(self) -> None:
        """Show the first screen, or the table at once."""
        if not self.is_headless:
            loop = asyncio.get_running_loop()
            hangup.watch(lambda: loop.call_soon_threadsafe(self._hung_up))
        if self.begin is not None:
            self._open(self.begin, self.speed)
        else:
            self.push_screen(First(self.wishes, self.face, self.speed))
            self._submit(_warm_up)

    def get_driver_class(self) -> type[Driver]:
        """Choose our own driver where Textual would use that for terminals."""
        chosen = super().get_driver_class()
        if chosen.__name__ != "LinuxDriver":
            return chosen
        from kalooki_env.play.screen.driver import TerminalDriver

        return TerminalDriver

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Let only letters that can be shown reach the terminal."""
        return [*super().get_line_filters(), self._letters]

    async def on_event(self, event: events.Event) -> None:
        """Take no key and no click any more when the game is being left."""
        if not (self.leaving and isinstance(event, events.InputEvent)):
            await super().on_event(event)

    def exit(self, *args: Any, **options: Any) -> None:
        """Leave."""
        self.leaving = True
        super().exit(*args, **options)

    def _handle_exception(self, error: Exception) -> None:
        """Pass over what a screen misses that is taken down before all of it was there."""
        if not self.leaving:
            super()._handle_exception(error)

    async def in_thread(self, work: Callable[[], T], aside: bool = False) -> T:
        """Do work in the thread of the opponents, or in one aside, which does not wait for them."""
        return await asyncio.wrap_future(self._submit(work, aside))

    def _submit(self, work: Callable[[], T], aside: bool = False) -> "Future[T]":
        future = (self._aside if aside else self._threads).submit(work)
        self._work = [*filter(lambda other: not other.done(), self._work), future]
        return future

    @property
    def busy(self) -> bool:
        """Whether a thread is still at work, which can't be stopped."""
        return not all(future.done() for future in self._work)

    def sit_down(self, wishes: Wishes, speed: str) -> None:
        """Open a new table."""
        self._open(lambda: _sit_down(wishes), speed)

    def resume(self, table: "Saved", speed: str | None) -> None:
        """Go on at a table that was left."""
        self._open(lambda: _resume(table), speed)

    def _open(self, make: "Callable[[], Seated]", speed: str | None) -> None:
        if not self._opening:  # a second Enter while the first one is followed
            self._opening = True
            self.run_worker(self._seat(make, speed))

    async def _seat(self, make: "Callable[[], Seated]", speed: str | None) -> None:
        """Load the opponents behind a screen that says so, then show the table."""
        wait = Wait()
        try:
            await self.push_screen(wait)
            self.seated = await self.in_thread(make)
        except KalookiError as error:
            words = " ".join(str(error).split())
            self.pop_screen()
            if isinstance(self.screen, First):
                self.screen.problem(words)
            else:
                self.failed = words
                self.exit()
            return
        finally:
            self._opening = False
        if wait.left:
            self.exit(self.seated.leave())
            return
        from kalooki_env.play.screen.table import Table

        if speed is not None:
            self.seated.keep_speed(speed)
        self.switch_screen(Table(self.seated, self.face))

    def leave(self, seated: "Seated", for_good: bool = False) -> None:
        """Close the record and leave."""
        self.seated = None
        self.exit([*seated.leave(for_good), "You leave the table. Goodbye."])

    def end(self, number: int) -> None:
        """Leave because a signal says so; the match is kept."""
        seated, self.seated = self.seated, None
        lines = seated.leave() if seated is not None else []
        self.exit(lines, return_code=signals.CODE + number)

    def _hung_up(self) -> None:
        """Close the record of a table whose terminal is gone, and end; nothing can be shown."""
        if self.seated is not None:
            self.seated.leave()
        os._exit(hangup.CODE)

    def match_over(self, seated: "Seated") -> None:
        """Go back to the first screen after a match."""
        seated.leave()
        self.seated = None
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.push_screen(First(self.wishes, self.face, self.speed))

    def show_rules(self, rules: Rules, seats: int) -> None:
        """Show the rules of a variant."""
        from kalooki_env.play.screen.dialogs import Page, inside
        from kalooki_env.rules_text import explain, to_text

        width = min(inside(self.size.width), 96)
        words = to_text(explain(rules, seats), width)
        self.push_screen(Page(f"The rules of {rules.name}, {seats} seats", Text(words)))


# The engine takes a second to load: it is imported in the thread, behind the first screen.


def _warm_up() -> None:
    """Load the engine and the table while the first screen is read."""
    from kalooki_env.agents import heuristic  # noqa: F401 (a helper compiles it beside the engine)
    from kalooki_env.game import Game
    from kalooki_env.play.screen import table  # noqa: F401

    Game("british", seats=2, seed=0).legal_actions()


def _sit_down(wishes: Wishes) -> "Seated":
    from kalooki_env.play import seating

    return seating.sit_down(wishes)


def _resume(table: "Saved | None" = None) -> "Seated":
    from kalooki_env.play import seating

    return seating.resume(table)


def play(wishes: Wishes, *, ask: bool, resume: bool, speed: str | None, ascii_only: bool) -> int:
    """Run the application in this terminal; return the exit code.

    Raises:
        KalookiError: the match cannot be begun or gone on with.
    """
    begin = None if ask else lambda: _sit_down(wishes)
    if resume:
        begin = _resume
    if not web.in_browser():
        ascii_only = not prepare(sys.stdout, ascii_only).symbols
    app = KalookiApp(wishes, begin=begin, speed=speed, ascii_only=ascii_only)
    lines = app.run()
    if app.failed is not None:
        raise KalookiError(app.failed)
    if app.seated is not None:
        lines = app.seated.leave()
    for line in () if web.in_browser() else lines or ():
        print(line)
    sys.stdout.flush()
    code = app.return_code or 0
    if app.busy or code > signals.CODE:
        # The engine may be compiling itself, or a signal said so: nobody wants to wait for that.
        os._exit(code)
    return code
