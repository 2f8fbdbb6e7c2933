"""The cursor of the table: along the hand and the melds, and what is selected."""

from typing import TYPE_CHECKING

from kalooki_env.play.screen.boards import Hand, Melds

if TYPE_CHECKING:
    from kalooki_env.play.screen.table import Table


class Selecting:
    """A part of `Table`: keys that move the cursor, select cards and name melds."""

    def action_step(self: "Table", step: int) -> None:
        """Move the cursor, along the hand or along the melds."""
        self.say("")
        if self.pointing:
            melds = self.query_one(Melds)
            n = len(self.view.table)
            melds.pointer = ((melds.pointer or 1) - 1 + step) % n + 1
            melds.redraw()
            melds.show_pointer()
        else:
            self.query_one(Hand).move(step)
        self.show_choice()

    def action_end(self: "Table", last: bool) -> None:
        """Move the cursor to the first or to the last card or meld."""
        self.say("")
        if self.pointing:
            melds = self.query_one(Melds)
            melds.pointer = len(self.view.table) if last else 1
            melds.redraw()
            melds.show_pointer()
        else:
            self.query_one(Hand).move_to(last)
        self.show_choice()

    def action_raise(self: "Table", on: bool) -> None:
        """Select the card at the cursor, or put it back."""
        self.say("")
        self.point(False)
        self.query_one(Hand).toggle(on=on)
        self.show_choice()

    def action_toggle(self: "Table") -> None:
        """Select the card at the cursor or put it back."""
        self.say("")
        self.point(False)
        self.query_one(Hand).toggle()
        self.show_choice()

    def action_enter(self: "Table") -> None:
        """Do what lies nearest: the meld pointed at, the only draw, the score, a card."""
        game = self.session.game
        if self.pointing:
            self.on_meld(self.query_one(Melds).pointer or 1)
        elif self.digits:
            self._by_digits()
        elif game.deal_over:
            self.action_score()
        elif self.session.my_turn and game.phase == "draw":
            if len(game.legal_actions()) == 1:
                self.action_bare("draw")
            else:
                self.say(
                    "Press d to draw from the stock, or t to take the top of the pile.", "gold"
                )
        else:
            self.action_toggle()

    def point(self: "Table", on: bool) -> None:
        """Point at the melds, or at the hand."""
        melds, hand = self.query_one(Melds), self.query_one(Hand)
        self.pointing, self.digits = on, ""
        hand.shows_cursor = not on
        fits = list(melds.fits)
        melds.pointer = (fits[0] if fits else melds.pointer or 1) if on else None
        melds.redraw()
        hand.redraw()
        if on:
            melds.show_pointer()

    def action_point(self: "Table") -> None:
        """Change between hand and melds."""
        if not self.view.table:
            self.say("There are no melds on the table to point at yet.")
            return
        self.point(not self.pointing)
        self.say(
            "← → choose a meld, Enter lays off or swaps there, Tab goes back."
            if self.pointing
            else ""
        )

    def action_clear(self: "Table") -> None:
        """Select nothing."""
        self.say("")
        self.point(False)
        self.query_one(Hand).clear()
        self.show_choice()

    def action_digit(self: "Table", digit: int) -> None:
        """Name a meld by its number; a second digit is waited for where there could be one."""
        self.digits += str(digit)
        number, n = int(self.digits), len(self.view.table)
        if 0 < number * 10 <= n:
            self.say(f"Meld {number}_: another digit, or Enter.")
            return
        self._by_digits()

    def _by_digits(self: "Table") -> None:
        number, self.digits = int(self.digits), ""
        self.on_meld(number)

    def action_sort(self: "Table") -> None:
        """Sort the hand the other way."""
        hand = self.query_one(Hand)
        hand.sort = "rank" if hand.sort == "suit" else "suit"
        self.say(f"Sorted by {hand.sort}.")
        hand.deal(self.view.hand, self._fresh(self.view))
