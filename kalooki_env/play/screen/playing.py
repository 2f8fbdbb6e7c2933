"""The person's moves: keys and clicks turned into moves, questions, and reasons why not."""

from typing import TYPE_CHECKING

from kalooki_env.errors import IllegalMove, KalookiError, NotationError
from kalooki_env.play import choices
from kalooki_env.play.choices import Answer, Moves
from kalooki_env.play.screen import dialogs
from kalooki_env.play.screen.board import Board
from kalooki_env.play.screen.boards import Hand
from kalooki_env.play.screen.palette import dressed

if TYPE_CHECKING:
    from kalooki_env.play.screen.table import Table


class Playing:
    """A part of `Table`: what the person plays."""

    def play(self: "Table", moves: Moves) -> None:
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

    def _reason(self: "Table", move: str, error: KalookiError) -> str:
        if isinstance(error, IllegalMove) and self.session.my_turn:
            return self.session.game.explain(move) or str(error)
        return str(error)

    def refuse(self: "Table", reason: str) -> None:
        """Say why something can't be done."""
        self.say(
            f"✗ Not allowed: {reason}." if self.face.symbols else f"Not allowed: {reason}.", "bad"
        )

    def act(self: "Table", answer: Answer, ask: str) -> None:
        """Play what the selected cards can do; ask if it is more than one thing."""
        if answer.hint:
            self.say(answer.hint, "gold")
        elif not answer.ways:
            self.refuse(answer.reason)
        elif len(answer.ways) == 1:
            self.play(answer.ways[0])
        else:
            self.run_worker(self._ask(answer, ask), exclusive=True, group="ask")

    async def _ask(self: "Table", answer: Answer, ask: str) -> None:
        options = [dressed(", ".join(way), self.face) for way in answer.ways]
        chosen = await self.app.push_screen_wait(dialogs.Choose(ask, options))
        if chosen is not None:
            self.play(answer.ways[chosen])

    def _mine(self: "Table") -> bool:
        """Tell whether the person may play now; else say who is to move."""
        if self.session.my_turn:
            return True
        if self.session.game.deal_over:
            self.action_score()
        else:
            self.refuse(f"{self.session.names[self.session.game.to_move or 0]} is to move")
        return False

    def action_bare(self: "Table", move: str) -> None:
        """Draw or take."""
        if self._mine():
            self.act(choices.plain(self.session.game, move), "")

    def action_cards(self: "Table", what: str) -> None:
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

    def on_meld(self: "Table", number: int) -> None:
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

    def action_decide(self: "Table", yes: bool) -> None:
        """Answer a question of the rules."""
        phase = self.session.game.phase
        if self.session.my_turn and phase == "announce":
            self.play(("announce" if yes else "silent",))
        elif self.session.my_turn and phase == "buy_in":
            self.play(("buy in" if yes else "drop out",))

    def action_undo(self: "Table") -> None:
        """Take the last move back."""
        if not self.session.can_undo:
            self.refuse("only moves of this turn, after the last card you saw, can be taken back")
            return
        event = self.session.undo()
        self.say(f"You take back: {event.move}")
        self.show()

    def on_board_picked(self: "Table", event: Board.Picked) -> None:
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
