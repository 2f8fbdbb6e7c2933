"""The table: one person's seat, keys and clicks turned into moves."""

import asyncio
import time

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from kalooki_env.errors import IllegalMove, KalookiError, NotationError
from kalooki_env.play import choices, prompts
from kalooki_env.play.choices import Answer, Moves
from kalooki_env.play.prompts import Button
from kalooki_env.play.screen import dialogs
from kalooki_env.play.screen.board import Board
from kalooki_env.play.screen.boards import Bar, Hand, Melds, Piles, Seats
from kalooki_env.play.screen.looking import Looking
from kalooki_env.play.screen.palette import dressed
from kalooki_env.play.screen.score import Score
from kalooki_env.play.screen.selecting import Selecting
from kalooki_env.play.seating import Seated
from kalooki_env.play.words import contract_words, told
from kalooki_env.render.boxes import Face
from kalooki_env.render.view import SeatView

PAUSES = {"slow": 1.6, "normal": 0.7, "fast": 0.2, "instant": 0.0}
"""Seconds from one move of an opponent to the next."""
OTHERS = [
    Button("slash", "Moves", True),
    Button("s", "Sort", True),
    Button("c", "Coach", True),
    Button("p", "Pile", True),
    Button("g", "Log", True),
    Button("question_mark", "Help", True),
]


class Table(Selecting, Looking, Screen[None]):
    """Shows a session and plays what the person does there."""

    BINDINGS = [
        Binding("left", "step(-1)", show=False),
        Binding("right", "step(1)", show=False),
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
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (32, "-tall"), (48, "-huge")]

    def __init__(self, seated: Seated, face: Face, speed: str = "normal") -> None:
        super().__init__()
        self.seated, self.session, self.face, self.speed = seated, seated.session, face, speed
        self.pointing = False
        self.digits = ""
        self._said: tuple[str, str] = ("", "white")

    def compose(self) -> ComposeResult:
        """Lay out the table."""
        yield Static(id="head")
        yield Seats(id="seats")
        with Horizontal(id="middle"):
            yield Piles(id="piles")
            with VerticalScroll(id="felt", can_focus=False):
                yield Melds(id="melds")
            with VerticalScroll(id="side", can_focus=False):
                yield Static(id="log")
        yield Static(id="last")
        yield Static(id="task")
        yield Static(id="said")
        yield Hand(id="hand")
        yield Bar(id="bar")

    def on_mount(self) -> None:
        """Show the table and let the opponents begin."""
        for kind in (Seats, Piles, Melds, Hand):
            self.query_one(kind).face = self.face
        self.say(" ".join(filter(None, (self.seated.told, self.seated.note))))
        self.show()
        self.go_on()

    # Showing

    @property
    def view(self) -> SeatView:
        """What the person sees."""
        return self.session.view

    def show(self) -> None:
        """Show the game as it is."""
        if not self.query("#head"):
            return  # the screen is being left
        session, view = self.session, self.view
        self._show_head(view)
        seats = self.query_one(Seats)
        seats.view, seats.names = view, session.names
        seats.money = session.game.rules.has_stakes
        seats.redraw()
        piles = self.query_one(Piles)
        piles.view = view
        piles.redraw()
        melds = self.query_one(Melds)
        table = melds.view.table if melds.view is not None else None
        melds.view, melds.names = view, session.names
        if melds.pointer is not None and melds.pointer > len(view.table):
            melds.pointer = None
        self.query_one(Hand).deal(view.hand, self._fresh(view))
        self._show_log()
        self.show_choice()
        if table != view.table:
            melds.redraw(layout=True)

    def show_choice(self) -> None:
        """Show what the selection can do, and the task."""
        session, hand, melds = self.session, self.query_one(Hand), self.query_one(Melds)
        view = self.view
        fits: list[int] = []
        if session.my_turn and view.phase == "play" and hand.picked:
            fits = [
                meld.number
                for meld in view.table
                if choices.on_meld(session.game, meld, hand.picked).ways
            ]
        melds.fits = fits
        melds.redraw()
        self.query_one("#task", Static).update(
            dressed(prompts.task(session, view), self.face, "gold" if session.my_turn else "dim"),
            layout=False,
        )
        bar = self.query_one(Bar)
        bar.buttons, bar.others = prompts.buttons(session), OTHERS
        bar.redraw()
        words, color = self._said
        if not words and session.my_turn and view.phase == "play":
            words, color = prompts.worth(session, hand.picked), "green"
            if not words and fits:
                which = ", ".join(map(str, fits))
                words = f"Fits meld {which}: press the number, or l to lay off, w to swap."
        self.query_one("#said", Static).update(dressed(words, self.face, color), layout=False)

    def say(self, words: str, color: str = "white") -> None:
        """Say something above the hand until the next key."""
        self._said = (words, color)
        if self.is_mounted:
            self.query_one("#said", Static).update(dressed(words, self.face, color), layout=False)

    def _show_head(self, view: SeatView) -> None:
        rules = self.session.game.rules
        parts = [f"Kalooki · {rules.name}", f"deal {view.deal}"]
        if rules.contracts:
            contract = rules.contracts[(view.deal - 1) % len(rules.contracts)]
            parts.append(contract_words(contract))
        else:
            parts.append(f"opens with {rules.opening_points}")
        if rules.initial:
            parts.append(f"pool {view.pool}")
        parts.append(f"turn {view.turn}")
        parts.append(f"speed {self.speed}")
        self.query_one("#head", Static).update(
            Text(" · ".join(parts), no_wrap=True, overflow="ellipsis"), layout=False
        )

    def _fresh(self, view: SeatView) -> str | None:
        """Return the card that came to the person in this turn."""
        if not view.is_mine or view.phase == "draw":
            return None
        mine = [e for e in self.session.events if e.seat == self.session.seat]
        came = [e.drawn or e.taken for e in mine if e.move in ("draw", "take")]
        return came[-1] if came else None

    def _show_log(self) -> None:
        session = self.session
        lines = told(session.events, session.names, session.seat)
        self.query_one("#log", Static).update(
            Text("\n").join(dressed(line, self.face) for line in lines)
        )
        side = self.query_one("#side", VerticalScroll)
        self.call_after_refresh(side.scroll_end, animate=False)
        last = Text("\n").join(dressed(line, self.face, "dim") for line in lines[-2:])
        self.query_one("#last", Static).update(last, layout=False)

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

    # Playing

    def play(self, moves: Moves) -> None:
        """Play moves of the person, or say why one can't be played."""
        hand = self.query_one(Hand)
        for move in moves:
            try:
                self.session.play(move)
            except (IllegalMove, NotationError) as error:
                self.refuse(self._reason(move, error))
                break
            self.say("")
        hand.clear()
        self.point(False)
        self.show()
        self.go_on()

    def _reason(self, move: str, error: KalookiError) -> str:
        if isinstance(error, IllegalMove):
            return self.session.game.explain(move) or str(error)
        return str(error)

    def refuse(self, reason: str) -> None:
        """Say why something can't be done."""
        self.say(
            f"✗ Not allowed: {reason}." if self.face.symbols else f"Not allowed: {reason}.", "bad"
        )

    def act(self, answer: Answer, ask: str) -> None:
        """Play what the selected cards can do; ask if it is more than one thing."""
        if answer.hint:
            self.say(answer.hint, "gold")
        elif not answer.ways:
            self.refuse(answer.reason)
        elif len(answer.ways) == 1:
            self.play(answer.ways[0])
        else:
            self.run_worker(self._ask(answer, ask), exclusive=True, group="ask")

    async def _ask(self, answer: Answer, ask: str) -> None:
        options = [dressed(", ".join(way), self.face) for way in answer.ways]
        chosen = await self.app.push_screen_wait(dialogs.Choose(ask, options))
        if chosen is not None:
            self.play(answer.ways[chosen])

    def _mine(self) -> bool:
        """Tell whether the person may play now; else say who is to move."""
        if self.session.my_turn:
            return True
        if self.session.game.deal_over:
            self.action_score()
        else:
            self.refuse(f"{self.session.names[self.session.game.to_move or 0]} is to move")
        return False

    def action_bare(self, move: str) -> None:
        """Draw or take."""
        if self._mine():
            self.act(choices.plain(self.session.game, move), "")

    def action_cards(self, what: str) -> None:
        """Do something with the selected cards."""
        if not self._mine():
            return
        game, view, cards = self.session.game, self.view, self.query_one(Hand).picked
        if game.phase == "draw":
            self.act(choices.too_early(game), "")
        elif what == "meld":
            self.act(choices.meld(game, cards), "Which meld?")
        elif what == "lay_off":
            self.act(choices.lay_off(game, view.table, cards), "Where?")
        elif what == "swap":
            self.act(choices.swap(game, view.table, cards), "Which joker?")
        else:
            self.act(choices.discard(game, cards), "")

    def on_meld(self, number: int) -> None:
        """Lay off or swap on a meld."""
        if not self._mine():
            return
        table = self.view.table
        if not 1 <= number <= len(table):
            self.refuse(f"there is no meld {number} on the table")
        elif self.session.game.phase == "draw":
            self.act(choices.too_early(self.session.game), "")
        else:
            cards = self.query_one(Hand).picked
            self.act(
                choices.on_meld(self.session.game, table[number - 1], cards), "Which of these?"
            )

    def action_decide(self, yes: bool) -> None:
        """Answer a question of the rules."""
        phase = self.session.game.phase
        if self.session.my_turn and phase == "announce":
            self.play(("announce" if yes else "silent",))
        elif self.session.my_turn and phase == "buy_in":
            self.play(("buy in" if yes else "drop out",))

    def action_undo(self) -> None:
        """Take the last move back."""
        if not self.session.can_undo:
            self.refuse("only moves of this turn, after the last card you saw, can be taken back")
            return
        event = self.session.undo()
        self.say(f"You take back: {event.move}")
        self.show()

    def on_board_picked(self, event: Board.Picked) -> None:
        """Do what a click means."""
        match event.target:
            case ("card", int(index)):
                self.say("")
                self.point(False)
                self.query_one(Hand).toggle(index)
                self.show_choice()
            case ("meld", int(number)):
                self.on_meld(number)
            case ("stock",):
                self.action_bare("draw")
            case ("pile",) if self.session.my_turn and self.view.phase == "draw":
                self.action_bare("take")
            case ("pile",) if self.session.my_turn and len(self.query_one(Hand).picked) == 1:
                self.action_cards("discard")
            case ("pile",):
                self.action_pile()
            case ("key", str(key)):
                self.app.simulate_key(key)

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
        self.speed = speeds[at]
        self.say(f"Opponents move: {self.speed}.")
        self._show_head(self.view)

    def action_leave(self) -> None:
        """Ask whether to leave."""
        self.run_worker(self._leave(), exclusive=True, group="ask")

    async def _leave(self) -> None:
        options = [
            "Stay at the table",
            "Leave; the match is kept",
            "Leave for good: give the match up",
        ]
        if not self.seated.can_resume:
            options = ["Stay at the table", "Leave"]
        chosen = await self.app.push_screen_wait(dialogs.Choose("Leave the table?", options))
        if chosen:
            self.app.leave(self.seated, for_good=chosen == 2)  # type: ignore[attr-defined]
