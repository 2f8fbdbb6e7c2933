"""What the table shows of a game: everything anew after each move, and what the selection can do."""

from typing import TYPE_CHECKING

from rich.text import Text
from textual.containers import VerticalScroll

from kalooki_env.play import choices, prompts
from kalooki_env.play.prompts import Button
from kalooki_env.play.screen.boards import Bar, Hand, Melds, Piles, Seats
from kalooki_env.play.screen.lines import Lines, Words
from kalooki_env.play.screen.palette import dressed
from kalooki_env.play.words import contract_words, told
from kalooki_env.render.view import SeatView

if TYPE_CHECKING:
    from kalooki_env.play.screen.table import Table

OTHERS = [
    Button("slash", "Moves", True),
    Button("s", "Sort", True),
    Button("c", "Coach", True),
    Button("p", "Pile", True),
    Button("g", "Log", True),
    Button("question_mark", "Help", True),
]


class Showing:
    """A part of `Table`: brings the widgets up to date."""

    @property
    def view(self: "Table") -> SeatView:
        """What the person sees."""
        return self.session.view

    def show(self: "Table") -> None:
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
        if complaint := session.complaint():
            self.say(complaint, "bad")
        if table != view.table:
            melds.redraw(layout=True)

    def show_choice(self: "Table") -> None:
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
        self.query_one("#task", Lines).tell(
            dressed(prompts.task(session, view), self.face, "gold" if session.my_turn else "dim")
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
        self.query_one("#said", Lines).tell(dressed(words, self.face, color))

    def say(self: "Table", words: str, color: str = "white") -> None:
        """Say something above the hand until the next key."""
        self._said = (words, color)
        if self.is_mounted:
            self.query_one("#said", Lines).tell(dressed(words, self.face, color))

    def _show_head(self: "Table", view: SeatView) -> None:
        rules = self.session.game.rules
        parts = [f"Kalooki · {rules.name}", f"deal {view.deal}"]
        if rules.contracts:
            contract = rules.contracts[(view.deal - 1) % len(rules.contracts)]
            parts.append(contract_words(contract))
        else:
            parts.append(f"opens with {rules.opening_points or 'any meld'}")
        if rules.initial:
            parts.append(f"pool {view.pool}")
        parts.append(f"turn {view.turn}")
        parts.append(f"speed {self.speed}")
        self.query_one("#head", Words).update(
            Text(" · ".join(parts), no_wrap=True, overflow="ellipsis"), layout=False
        )

    def _fresh(self: "Table", view: SeatView) -> str | None:
        """Return the card that came to the person in this turn."""
        if not view.is_mine or view.phase == "draw":
            return None
        mine = [e for e in self.session.events if e.seat == self.session.seat]
        came = [e.drawn or e.taken for e in mine if e.move in ("draw", "take")]
        return came[-1] if came else None

    def _show_log(self: "Table") -> None:
        session = self.session
        lines = told(session.events, session.names, session.seat)
        self.query_one("#log", Words).update(
            Text("\n").join(dressed(line, self.face) for line in lines)
        )
        side = self.query_one("#side", VerticalScroll)
        self.call_after_refresh(side.scroll_end, animate=False)
        self.query_one("#last", Lines).tell(
            *(dressed(line, self.face, "dim") for line in lines[-2:])
        )
