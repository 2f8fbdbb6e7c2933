"""What one seat may see of a game, as plain Python values: the ground of every picture of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kalooki_env.cards import card_text
from kalooki_env.engine import layout

if TYPE_CHECKING:
    from kalooki_env.game import Game


@dataclass(frozen=True)
class MeldView:
    """One meld on the table. `number` is how moves name it; a joker in a run shows its card.

    `owner` is the seat that laid it, None where a position does not say.
    """

    number: int
    cards: tuple[str, ...]
    owner: int | None
    fresh: bool = False
    """It was laid, or cards were laid off on it, in the turn that goes on."""


@dataclass(frozen=True)
class SeatInfo:
    """What everybody sees of a seat. `announced` is the number of cards it announced, 0 if none."""

    seat: int
    cards: int
    opened: bool
    announced: int
    total: int
    money: int
    eliminated: bool


@dataclass(frozen=True)
class DealEnd:
    """How a deal ended; then all hands are shown. Tuples are by seat number."""

    winner: int | None
    """None: nobody, the deal is void or was cut."""
    kalooki: bool
    void: bool
    penalties: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    match_winners: tuple[int, ...]
    """Who has won the match; empty while it goes on, and in a single deal."""


@dataclass(frozen=True)
class SeatView:
    """Everything that `seat` sees. Other hands are not in it while the deal goes on."""

    seat: int
    deal: int
    turn: int
    phase: str
    to_move: int | None
    hand: tuple[str, ...]
    table: tuple[MeldView, ...]
    pile: tuple[str, ...]
    stock: int
    rebuilds: int
    pool: int
    seats: tuple[SeatInfo, ...]
    opening_points: int
    """What the melds of an opening must be worth; 0 where the rules ask for no sum."""
    points: int
    """Points of the melds that the seat to move has laid in this opening turn."""
    taken: str | None
    """Card that the seat to move took from the discard pile in this turn."""
    may_discard_taken: bool
    """An equal card was in the hand before, so one of the two may be discarded."""
    duty: bool
    """The card taken from the pile must still be laid in the opening."""
    owed: int
    """Released jokers that the seat to move has still to lay."""
    barred: bool
    """This seat may not go out in its next (or current) turn."""
    end: DealEnd | None = None
    """None while the deal goes on."""

    @property
    def is_mine(self) -> bool:
        """Tell whether this seat is to move."""
        return self.to_move == self.seat

    @property
    def me(self) -> SeatInfo:
        """Return what everybody sees of this seat."""
        return self.seats[self.seat]


def view_of(game: "Game", seat: int) -> SeatView:
    """Look at a game from one seat."""
    state = game.state[0]
    result = game.result
    seats = int(state["seats"])
    if not 0 <= seat < seats:
        raise ValueError(f"expected a seat in 0..{seats - 1}, got {seat}")
    taken = int(state["taken"])
    melds = state["melds"]
    fresh = (melds["laid"] + melds["added_low"] + melds["added_high"]) > 0
    return SeatView(
        seat=seat,
        deal=int(state["deal"]),
        turn=int(state["turn"]),
        phase=layout.PHASES[int(state["phase"])],
        to_move=game.to_move,
        hand=tuple(result["hands"][seat].split()),
        table=tuple(
            MeldView(number, tuple(meld.split()), _seat(owner), bool(is_fresh))
            for number, (meld, owner, is_fresh) in enumerate(
                zip(result["table"], melds["owner"], fresh, strict=False), 1
            )
        ),
        pile=tuple(result["discards"].split()),
        stock=int(state["n_stock"]),
        rebuilds=int(state["rebuilds"]),
        pool=int(state["pool"]),
        seats=tuple(
            SeatInfo(
                seat=other,
                cards=int(state["hand_size"][other]),
                opened=bool(state["opened"][other]),
                announced=int(state["announced"][other]),
                total=int(state["totals"][other]),
                money=int(state["money"][other]),
                eliminated=bool(state["eliminated"][other]),
            )
            for other in range(seats)
        ),
        opening_points=0 if game.rules.contracts else int(game.rules.opening_points),
        points=int(state["points"]),
        taken=None if taken == layout.NO_CARD else card_text(taken),
        may_discard_taken=bool(state["taken_twin"]),
        duty=bool(state["duty"]),
        owed=int(state["owed"]),
        barred=bool(state["barred"][seat]),
        end=_end(result) if game.deal_over else None,
    )


def _end(result: dict[str, Any]) -> DealEnd:
    """Read the end of a deal from `Game.result`."""
    champion = result["match_winner"]
    champions = champion if isinstance(champion, list) else [champion]
    return DealEnd(
        winner=result["winner"],
        kalooki=result["kalooki"],
        void=result["void"],
        penalties=tuple(result["penalties"]),
        hands=tuple(tuple(hand.split()) for hand in result["hands"]),
        match_winners=tuple(seat for seat in champions if seat is not None),
    )


def _seat(number: int) -> int | None:
    """Return a seat number of a record, None for nobody."""
    return None if number == layout.NO_SEAT else int(number)
