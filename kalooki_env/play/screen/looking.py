"""What can be looked up at the table: moves, pile, log, help, rules, the coach."""

from typing import TYPE_CHECKING

from rich.text import Text

from kalooki_env.play.screen import dialogs
from kalooki_env.play.screen.keys import keys
from kalooki_env.play.screen.palette import dressed
from kalooki_env.play.words import told

if TYPE_CHECKING:
    from kalooki_env.play.screen.table import Table


class Looking:
    """A part of `Table`: keys that open pages over it."""

    def action_moves(self: "Table") -> None:
        """List all legal moves."""
        if self._mine():
            self.run_worker(self._moves(), exclusive=True, group="ask")

    async def _moves(self: "Table") -> None:
        game = self.session.game.clone()
        move = await self.app.push_screen_wait(dialogs.Moves(game, self.face))
        if move is not None:
            self.play((move,))

    def action_pile(self: "Table") -> None:
        """Show the whole discard pile."""
        pile = list(reversed(self.view.pile))
        text = Text("  ").join(dressed(card, self.face) for card in pile)
        if not pile:
            text = Text("The discard pile is empty.")
        self.app.push_screen(dialogs.Page(f"Discard pile, {len(pile)} cards, the top first", text))

    def action_log(self: "Table") -> None:
        """Show the log of the deal."""
        session = self.session
        lines = told(session.events, session.names, session.seat)
        text = Text("\n").join(dressed(line, self.face) for line in lines)
        self.app.push_screen(dialogs.Page("What happened in this deal", text, end=True))

    def action_help(self: "Table") -> None:
        """Show the keys."""
        self.app.push_screen(dialogs.Page("Help", keys(dialogs.inside(self.app.size.width))))

    def action_rules(self: "Table") -> None:
        """Show the rules of the variant."""
        self.app.show_rules(self.session.game.rules, len(self.session.names))  # type: ignore[attr-defined]

    def action_coach(self: "Table") -> None:
        """Show what the checkpoint would do."""
        if self._mine():
            self.run_worker(self._ask_coach(), exclusive=True, group="ask")

    async def _ask_coach(self: "Table") -> None:
        from kalooki_env.play import coach
        from kalooki_env.play.screen import coaching

        session, game = self.session, self.session.game.clone()
        self.say("The coach looks at your hand ...")
        said = await self.app.in_thread(  # type: ignore[attr-defined]
            lambda: coach.advise(self.seated.coach, game, session.seat)
        )
        self.say("")
        await self.app.push_screen_wait(dialogs.Page("Coach", coaching.advice(said, self.face)))
