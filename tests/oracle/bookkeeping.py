"""Keep the books of one match, deal by deal, from nothing but how each deal ended."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from . import match as _match
from .match import Books, Outcome
from .rules import Rules


class Bookkeeper:
    """Hold what a match must stand at, and say what each new deal must look like."""

    def __init__(self, rules: Rules, seats: int, dealer: int) -> None:
        self.rules, self.seats, self.dealer, self.deal = rules, seats, dealer, 1
        zero = (0,) * seats
        self.books = Books(zero, (-rules.initial,) * seats, zero, (False,) * seats)
        self.outcome: Outcome | None = None

    @property
    def over(self) -> bool:
        """Tell whether somebody has won the match."""
        return self.books.match_winner is not None

    @property
    def winners(self) -> list[int]:
        """List the winners of the match."""
        winners = self.books.match_winner
        return [] if winners is None else list(winners) if isinstance(winners, tuple) else [winners]

    def standing(self) -> dict[str, Any]:
        """Return where the match stands; the pool as it was paid in, not as the ledgers tell it."""
        books = self.books
        won = self.outcome is not None and self.outcome.winner is not None
        paid_in = self.rules.initial * self.seats + self.rules.buy_in * sum(books.buy_ins)
        return {
            "totals": list(books.totals),
            "money": list(books.money),
            "buy_ins": list(books.buy_ins),
            "eliminated": list(_match.out_after(self.rules, books) if won else books.eliminated),
            "pool": 0 if self.over else paid_in,
            "sum of the ledgers and the pool": 0,
            "deal": self.deal,
            "dealer": self.dealer,
            "to_decide": list(books.to_decide),
            "match_winners": self.winners,
        }

    def dealt(self) -> dict[str, Any]:
        """Return what the deal that now begins looks like."""
        fresh = _match.fresh_deal(self.rules, self.books, self.deal, self.dealer)
        return {**self.standing(), **fresh}

    def end_deal(
        self, hands: list[tuple[int, ...]], winner: int | None, kalooki: bool, cut: bool
    ) -> dict[str, Any]:
        """Enter the end of a deal; return what it is worth and where the match stands."""
        if winner is None:
            self.outcome = _match.nobody_won(self.seats, cut)
        else:
            self.outcome = _match.won_deal(self.rules, hands, winner, kalooki, self.books)
        self.books = _match.score_deal(self.rules, self.books, self.outcome, self.deal)
        return {
            **self.standing(),
            "penalties": list(self.outcome.penalties),
            "chips": list(self.outcome.chips),
            "to_move": self.books.to_decide[0] if self.books.to_decide else None,
        }

    def decide(self, buys: bool) -> dict[str, Any]:
        """Enter the decision of the first seat that may buy in."""
        enter = _match.buy_in if buys else _match.drop_out
        self.books = enter(self.rules, self.books, self.outcome.winner, self.deal)
        following = self.books.to_decide[0] if self.books.to_decide else None
        return {**self.standing(), "to_move": following}

    def next_deal(self) -> dict[str, Any]:
        """Go on to the next deal, after a void or cut one to the same; return what it looks like."""
        if self.outcome.winner is not None:
            out = _match.out_after(self.rules, self.books)
            self.books = replace(self.books, eliminated=out)
            self.deal += 1
            self.dealer = _match.next_dealer(self.dealer, out)
        self.outcome = None
        return self.dealt()
