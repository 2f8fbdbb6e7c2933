"""The score sheet: how the deal ended, all deals so far, money, buy-ins, the end of the match."""

import asyncio
import time

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import Screen

from kalooki_env.errors import KalookiError
from kalooki_env.play import prompts, score
from kalooki_env.play.players import title
from kalooki_env.play.prompts import Button
from kalooki_env.play.score import sheet
from kalooki_env.play.screen import dialogs
from kalooki_env.play.screen.board import Board
from kalooki_env.play.screen.boards import Bar
from kalooki_env.play.screen.lines import Words
from kalooki_env.play.screen.palette import COLORS, dressed
from kalooki_env.play.screen.sizes import SLIM, TooSmall
from kalooki_env.play.seating import Seated
from kalooki_env.play.session import ScoreRow
from kalooki_env.play.words import told
from kalooki_env.render.boxes import Face
from kalooki_env.render.places import short
from kalooki_env.render.style import group_cards

_BUY_IN_PAUSE = 0.4


class Score(Screen[str | None]):
    """Shows the score; returns "next", "leave", or None to go back to the table."""

    BINDINGS = [
        Binding("enter,space", "enter", show=False),
        Binding("escape,h", "back", show=False),
        Binding("y", "decide('buy in')", show=False),
        Binding("n", "decide('drop out')", show=False),
        Binding("q", "leave", show=False),
        Binding("c", "review", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
    ]

    def __init__(self, seated: Seated, face: Face, speed: str) -> None:
        super().__init__()
        self.seated, self.session, self.face, self.speed = seated, seated.session, face, speed

    def compose(self) -> ComposeResult:
        """Lay out the sheet."""
        yield Words(id="title", classes="title")
        with VerticalScroll(id="sheet", can_focus=False):
            yield Words(id="deal")
            yield Words(id="match")
        yield Words(id="task")
        yield Bar(id="bar")
        yield TooSmall()

    def on_mount(self) -> None:
        """Show the score; agents decide their buy-ins meanwhile."""
        if self.session.game.deal_over:
            self.deal_over()
        else:
            self.show()

    def deal_over(self) -> None:
        """Show the end of the deal, and let the agents decide on their buy-ins."""
        self.show()
        self.run_worker(self._decide(), exclusive=True)

    async def _decide(self) -> None:
        """Let the agents decide on buy-ins until the person is asked or all have decided."""
        session = self.session
        while session.game.to_move is not None and not session.my_turn:
            began = time.monotonic()
            try:
                seat, move = await self.app.in_thread(session.think)  # type: ignore[attr-defined]
            except KalookiError as error:
                self.query_one("#task", Words).update(f"An opponent cannot go on: {error}")
                return
            pause = 0 if self.speed == "instant" else _BUY_IN_PAUSE
            await asyncio.sleep(max(pause - (time.monotonic() - began), 0))
            session.answer(seat, move)
            self.show()

    def show(self) -> None:
        """Show everything as it is."""
        session, game = self.session, self.session.game
        over = game.deal_over
        title = f"Deal {session.view.deal} is over" if over else "The score so far"
        self.query_one("#title", Words).update(f"{title}  ·  {game.rules.name} rules")
        self.query_one("#deal", Words).update(self._deal() if over else Text())
        self.query_one("#match", Words).update(self._match())
        self.query_one("#task", Words).update(dressed(self._what_now(), self.face, "gold"))
        bar = self.query_one(Bar)
        bar.buttons = self._buttons()
        bar.redraw()

    def _deal(self) -> Group:
        """Show how the deal ended, each hand and penalty."""
        session = self.session
        result, names = session.game.result, session.names
        table = Table(box=box.SIMPLE, header_style=COLORS["gold"], pad_edge=False)
        table.add_column("")
        stakes = session.game.rules.has_stakes or session.game.rules.match == "ring"
        for heading in ["penalty", *(["chips"] if stakes else []), "total"]:
            table.add_column(heading, justify="right")
        slim = self.app.size.width < SLIM
        if not slim:
            table.add_column("cards left")
        below = Text()  # where the table has no room for the cards
        for row in session.score():
            left = self._left(row)
            if row.eliminated and not (row.won or row.hand):
                cells = [""] * (len(table.columns) - 1 - (not slim))
            else:
                chips = [f"{row.chips:+d}"] if stakes else []
                cells = [str(row.penalty), *chips, str(row.total)]
            table.add_row(Text(names[row.seat]), *cells, *([] if slim else [left]))
            if slim:
                below.append(f"{names[row.seat]}: ").append_text(left).append("\n")
        ended = Text(score.deal_end(result, names), style=f"bold {COLORS['green']}")
        return Group(ended, table, below) if slim else Group(ended, table)

    def _left(self, row: ScoreRow) -> Text:
        """Write the cards that a seat had left, or how else the deal ended for it."""
        if row.eliminated and not (row.won or row.hand):
            return Text("out of the match")
        cards = "  ".join(" ".join(group) for group in group_cards(row.hand.split()))
        left = dressed("went out" if row.won else cards, self.face)
        if row.eliminated:
            left.append("  eliminated", style=COLORS["bad"])
        return left

    def _match(self) -> Group:
        """Show the sheet of the match: a line a deal, then money."""
        session = self.session
        names, rules, view = session.names, session.game.rules, session.view
        table = Table(
            box=box.SIMPLE, header_style=COLORS["gold"], pad_edge=False, title_style="bold"
        )
        table.add_column("deal", justify="right")
        width = self.app.size.width
        for name in names:
            room = max((width - 12) // len(names) - 2, 3)
            table.add_column(Text(short(name, room)), justify="right")
        for number, cells in sheet(session):
            if width < SLIM:
                cells = [cell.replace(", buys in", " in").replace(", ", " ") for cell in cells]
            table.add_row(number, *cells)
        style = f"bold {COLORS['gold']}"
        table.add_row("total", *(Text(str(seat.total), style=style) for seat in view.seats))
        if rules.initial or rules.has_stakes:
            table.add_row("money", *(f"{seat.money:+d}" for seat in view.seats))
        parts: list[Text | Table] = [Text("The match", style=f"bold {COLORS['gold']}"), table]
        if rules.initial:
            used = [int(n) for n in session.game.state["buy_ins"][0][: len(names)]]
            text = f"Pool {view.pool}."
            if rules.buy_ins:
                told = ", ".join(f"{n} {u}" for n, u in zip(names, used, strict=True))
                text += f"  Buy-ins used, of {rules.buy_ins}: {told}."
            parts.append(Text(text))
        return Group(*parts)

    def _what_now(self) -> str:
        session, game = self.session, self.session.game
        if game.over:
            return score.match_end(game.result, session.names, session.seat)
        decided = [e for e in session.events if e.move in ("buy in", "drop out")]
        words = " ".join(told(decided, session.names, session.seat))
        if not game.deal_over:
            return ""
        if game.to_move is not None:
            return f"{words} {prompts.task(session, session.view)}".strip()
        out = "You are out of the match; the others play on. " if session.view.me.eliminated else ""
        return f"{words} {out}Enter deals the next deal.".strip()

    def _buttons(self) -> list[Button]:
        game = self.session.game
        coach = Button("c", "Coach: review of the deal", True)
        if game.over:
            return [
                Button("enter", "To the first screen", True),
                coach,
                Button("q", "Leave", True),
            ]
        if not game.deal_over:
            return [Button("escape", "Back to the table", True)]
        if self.session.my_turn:
            return prompts.buttons(self.session)
        ready = game.to_move is None
        return [Button("enter", "Next deal", ready), coach, Button("q", "Leave", True)]

    def on_board_picked(self, event: Board.Picked) -> None:
        """Do what a click on a button means."""
        self.app.simulate_key(event.target[1])

    def action_enter(self) -> None:
        """Deal again, or leave a match that is over."""
        game = self.session.game
        if game.over:
            self.dismiss("leave")
        elif not game.deal_over:
            self.dismiss(None)
        elif game.to_move is None:
            self.dismiss("next")

    def action_decide(self, move: str) -> None:
        """Decide on a buy-in."""
        if self.session.my_turn and self.session.game.phase == "buy_in":
            if move in self.session.moves():
                self.session.play(move)
            self.deal_over()

    def action_review(self) -> None:
        """Show where the person and the checkpoint differed."""
        if self.session.game.deal_over:
            self.run_worker(self._review(), exclusive=True, group="review")

    async def _review(self) -> None:
        from kalooki_env.play import coach
        from kalooki_env.play.screen import coaching

        task = self.query_one("#task", Words)
        task.update("The coach looks at your moves ...")
        found, name = await self.app.in_thread(  # type: ignore[attr-defined]
            lambda: (coach.review(self.seated.coach, self.session), title(self.seated.coach.name))
        )
        self.show()
        await self.app.push_screen_wait(
            dialogs.Page("Coach", coaching.review(found, name, self.face))
        )

    def action_back(self) -> None:
        """Go back to the table, where the last cards still lie."""
        self.dismiss(None)

    def action_leave(self) -> None:
        """Leave the table, after a question while the match goes on."""
        if self.session.game.over:
            self.app.leave(self.seated)  # type: ignore[attr-defined]
        else:
            self.run_worker(dialogs.leave(self.app, self.seated), exclusive=True, group="ask")

    def action_scroll(self, rows: int) -> None:
        """Scroll the sheet."""
        self.query_one("#sheet").scroll_relative(y=rows, animate=False)
