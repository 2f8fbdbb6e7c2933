"""The table: one person's seat, its keys, and the opponents that move in between."""

import asyncio
import time

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen

from kalooki_env.errors import KalookiError
from kalooki_env.play.screen import dialogs
from kalooki_env.play.screen.boards import Bar, Hand, Melds, Piles, Seats
from kalooki_env.play.screen.lines import Lines, Words
from kalooki_env.play.screen.looking import Looking
from kalooki_env.play.screen.playing import Playing
from kalooki_env.play.screen.score import Score
from kalooki_env.play.screen.selecting import Selecting
from kalooki_env.play.screen.showing import Showing
from kalooki_env.play.screen.sizes import TooSmall
from kalooki_env.play.seating import Seated
from kalooki_env.render.boxes import Face

PAUSES = {"slow": 1.6, "normal": 0.7, "fast": 0.2, "instant": 0.0}
"""Seconds from one move of an opponent to the next."""


class Table(Selecting, Playing, Showing, Looking, Screen[None]):
    """Shows a session and plays what the person does there."""

    BINDINGS = [
        Binding("left", "step(-1)", show=False),
        Binding("right", "step(1)", show=False),
        Binding("home", "end(False)", show=False),
        Binding("end", "end(True)", show=False),
        Binding("up", "raise(True)", show=False),
        Binding("down", "raise(False)", show=False),
        Binding("space", "toggle", show=False),
        Binding("enter", "enter", show=False),
        Binding("tab", "point", show=False, priority=True),
        Binding("escape", "clear", show=False),
        Binding("s", "sort", show=False),
        Binding("d", "bare('draw')", show=False),
        Binding("t", "bare('take')", show=False),
        Binding("m", "cards('meld')", show=False),
        Binding("l,a", "cards('lay_off')", show=False),
        Binding("w", "cards('swap')", show=False),
        Binding("x", "cards('discard')", show=False),
        Binding("u", "undo", show=False),
        Binding("y", "decide(True)", show=False),
        Binding("n", "decide(False)", show=False),
        Binding("slash,f", "moves", show=False),
        Binding("p", "pile", show=False),
        Binding("g", "log", show=False),
        Binding("h", "score", show=False),
        Binding("r", "rules", show=False),
        Binding("c", "coach", show=False),
        Binding("plus,equals_sign", "speed(1)", show=False),
        Binding("minus", "speed(-1)", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("q", "leave", show=False),
        *(Binding(str(n), f"digit({n})", show=False) for n in range(10)),
    ]

    def __init__(self, seated: Seated, face: Face) -> None:
        super().__init__()
        self.seated, self.session, self.face = seated, seated.session, face
        self.pointing = False
        self.digits = ""
        self._said: tuple[str, str] = ("", "white")

    def compose(self) -> ComposeResult:
        """Lay out the table."""
        yield Words(id="head")
        yield Seats(id="seats")
        with Horizontal(id="middle"):
            yield Piles(id="piles")
            with VerticalScroll(id="felt", can_focus=False):
                yield Melds(id="melds")
            with VerticalScroll(id="side", can_focus=False):
                yield Words(id="log")
        yield Lines(id="last")
        yield Lines(id="task")
        yield Lines(id="said")
        yield Hand(id="hand")
        yield Bar(id="bar")
        yield TooSmall()

    def on_mount(self) -> None:
        """Show the table and let the opponents begin."""
        for kind in (Seats, Piles, Melds, Hand):
            self.query_one(kind).face = self.face
        self.say(" ".join(filter(None, (self.seated.told, self.seated.note))))
        self.show()
        self.go_on()

    @property
    def speed(self) -> str:
        """How fast the opponents move."""
        return self.seated.speed

    # Opponents

    def go_on(self) -> None:
        """Let the opponents move until it is the person's turn or the deal is over."""
        self.run_worker(self._drive(), exclusive=True, group="drive")

    async def _drive(self) -> None:
        """Let agents move, each in a thread of its own, with a pause in between."""
        session = self.session
        while not session.game.deal_over and not session.my_turn:
            began = time.monotonic()
            try:
                seat, move = await self.app.in_thread(session.think)  # type: ignore[attr-defined]
            except KalookiError as error:
                self.say(f"An opponent cannot go on: {error}", "bad")
                return
            rest = PAUSES[self.speed] - (time.monotonic() - began)
            await asyncio.sleep(max(rest, 0))
            session.answer(seat, move)
            self.show()
        if session.game.deal_over:
            screen = self.app.screen
            screen.deal_over() if isinstance(screen, Score) else self.action_score()

    # Score, speed, leaving

    def action_score(self) -> None:
        """Show the score sheet; after a deal it leads to the next one."""
        if not isinstance(self.app.screen, Score):
            self.app.push_screen(Score(self.seated, self.face, self.speed), self._after_score)

    def _after_score(self, what: str | None) -> None:
        if what == "next":
            self.session.next_deal()
            self.say("")
            self.query_one(Hand).clear()
            self.show()
            self.go_on()
        elif what == "leave":
            self.app.match_over(self.seated)  # type: ignore[attr-defined]
        else:
            self.show()

    def action_speed(self, step: int) -> None:
        """Let the opponents move faster or slower."""
        speeds = list(PAUSES)
        at = max(0, min(speeds.index(self.speed) + step, len(speeds) - 1))
        self.seated.keep_speed(speeds[at])
        self.say(f"Opponents move: {self.speed}.")
        self._show_head(self.view)

    def action_leave(self) -> None:
        """Ask whether to leave."""
        self.run_worker(dialogs.leave(self.app, self.seated), exclusive=True, group="ask")
