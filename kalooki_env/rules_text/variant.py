"""What follows from the knobs of a variant and decides which sentences its rules need."""

import functools
from dataclasses import dataclass

from kalooki_env.cards import HIGH_ACE, LOW_ACE
from kalooki_env.errors import RulesError
from kalooki_env.rules import Rules

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


@dataclass(frozen=True)
class Variant:
    """Rules, and the number of seats they are explained for (None: all that can be dealt)."""

    rules: Rules
    seats: int | None = None

    # The table

    @functools.cached_property
    def tables(self) -> tuple[int, ...]:
        """Numbers of seats that can be dealt; none where the pack is too small for any."""
        if self.seats is not None:
            return (self.seats,)
        every = range(self.rules.min_seats, self.rules.max_seats + 1)
        return tuple(seats for seats in every if self._allows(seats, "deal"))

    @functools.cached_property
    def match_tables(self) -> tuple[int, ...]:
        """Those of `tables` that can also play a whole match."""
        return tuple(seats for seats in self.tables if self._allows(seats, "match"))

    def _allows(self, seats: int, episode: str, deal: int | None = None) -> bool:
        try:
            self.rules.check_seats(seats, episode, deal)
        except RulesError:
            return False
        return True

    def no_match(self, tables: tuple[int, ...] | list[int]) -> str:
        """Why so many players play no match, though they can be dealt a single deal."""
        contracts = range(1, len(self.rules.contracts or "1") + 1)
        if all(self._allows(seats, "deal", deal) for seats in tables for deal in contracts):
            return "eliminations in a match would leave a number of players that cannot be dealt"
        return "in a match not every contract could be dealt"

    @property
    def most(self) -> int:
        """Seats of the largest table; 2 where none can be dealt."""
        return max(self.tables, default=2)

    @functools.cached_property
    def hand_sizes(self) -> dict[int, int]:
        """Cards dealt by seats dealt to, with the smaller tables that eliminations leave.

        Longer contracts aside.
        """
        tables = set(self.tables)
        if self.knocks_out and self.match_tables:
            tables |= set(range(2, max(self.match_tables) + 1))
        sizes = self.rules.hand_size
        if isinstance(sizes, int):
            return dict.fromkeys(sorted(tables), sizes)
        return {seats: cards for seats, cards in sizes if seats in tables}

    # The cards

    @property
    def lowest(self) -> int:
        """Rank of the lowest natural card, 2 to 10, a low ace aside."""
        return HIGH_ACE + 1 - self.rules.ranks

    @property
    def low_ace(self) -> bool:
        """Whether the ace may stand at the low end of a run."""
        return self.rules.low_position == LOW_ACE

    @property
    def suit_names(self) -> tuple[str, ...]:
        """The suits of the pack."""
        return SUIT_NAMES[: self.rules.suits]

    @property
    def has_sets(self) -> bool:
        """Whether the suits suffice for a set."""
        return self.rules.suits >= 3

    @property
    def sets_grow(self) -> bool:
        """Whether a set of three lacks a suit."""
        return self.rules.suits > 3

    @property
    def has_equals(self) -> bool:
        """Whether two equal cards exist: from the second pack, or two jokers."""
        return self.rules.decks > 1 or self.rules.jokers > 1

    # The match

    @property
    def gathers(self) -> bool:
        """Whether the winner of a deal gains what the others are penalised."""
        return self.rules.scoring == "collect" or self.rules.match == "points"

    @property
    def knocks_out(self) -> bool:
        """Whether a total above a limit puts a seat out of the match."""
        return self.rules.match in ("pool", "elimination") and self.rules.out_above is not None

    @property
    def last_deal(self) -> int | None:
        """Number of the deal that ends the match at the latest."""
        return self.rules.last_deal

    @property
    def target(self) -> int | None:
        """The total that ends the match, where the match knows one and no number of deals replaces
        it."""
        by_total = self.rules.match == "points" or (
            self.rules.match in ("lowest", "highest") and self.last_deal is None
        )
        return self.rules.target if by_total else None

    @property
    def highest_wins(self) -> bool:
        """Whether the highest total wins, else the lowest."""
        return self.gathers or self.rules.match == "highest"

    @property
    def buys_in(self) -> bool:
        """Whether a buy-in can come about: a third seat, and a further deal."""
        third = max(self.match_tables, default=0) > 2
        return self.knocks_out and self.rules.buy_ins > 0 and third and self.last_deal != 1

    @property
    def has_stakes(self) -> bool:
        """Whether the losers of a deal pay its winner."""
        return self.rules.match == "pool" and max(self.rules.call_up, self.rules.kalooki) > 0

    @property
    def has_pool(self) -> bool:
        """Whether money lies in a pool."""
        return self.rules.initial > 0 or (self.buys_in and self.rules.buy_in > 0)
