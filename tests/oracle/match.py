"""What the end of a deal is worth, and what it means for the match."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from .cards import full_pack, penalty_value
from .rules import Rules, dealt_cards


@dataclass(frozen=True)
class Outcome:
    """Hold how a deal ended: who won, and what was paid and counted."""

    winner: int | None
    kalooki: bool
    void: bool
    truncated: bool
    penalties: tuple[int, ...]
    chips: tuple[int, ...]


@dataclass(frozen=True)
class Books:
    """Hold the standing of a match: what is carried from deal to deal."""

    totals: tuple[int, ...]
    money: tuple[int, ...]
    buy_ins: tuple[int, ...]
    eliminated: tuple[bool, ...]
    to_decide: tuple[int, ...] = ()
    match_winner: int | tuple[int, ...] | None = None

    @property
    def pool(self) -> int:
        """Return what lies in the pool: all that the seats have paid and not got back."""
        return -sum(self.money)


def nobody_won(seats: int, cut: bool) -> Outcome:
    """Return the outcome of a void deal, or of one that was cut."""
    zero = (0,) * seats
    return Outcome(None, False, not cut, cut, zero, zero)


def won_deal(
    rules: Rules, hands: list[tuple[int, ...]], winner: int, kalooki: bool, books: Books
) -> Outcome:
    """Return the outcome of a deal in which a seat went out."""
    extra = rules.kalooki_penalty if kalooki else 0
    penalties = tuple(
        0
        if seat == winner or books.eliminated[seat]
        else sum(penalty_value(card, rules) for card in hand) + extra
        for seat, hand in enumerate(hands)
    )
    chips = deal_chips(rules, winner, kalooki, penalties, books)
    return Outcome(winner, kalooki, False, False, penalties, chips)


def deal_chips(
    rules: Rules, winner: int, kalooki: bool, penalties: tuple[int, ...], books: Books
) -> tuple[int, ...]:
    """Return the money that the deal moves: stakes, or the payout of a ring game."""
    chips = [0] * len(penalties)
    losers = [
        seat for seat in range(len(penalties)) if seat != winner and not books.eliminated[seat]
    ]
    if rules.match == "pool":
        stake = rules.kalooki if kalooki else rules.call_up
        for seat in losers:
            chips[seat] -= stake
            chips[winner] += stake
    if rules.match == "ring":
        shares = {seat: max(100 - penalties[seat], 0) for seat in losers}
        whole = sum(shares.values())
        for seat in losers:
            if rules.ring_payout == "each":
                chips[seat] = books.pool * shares[seat] // (400 * len(losers))
            elif whole:
                chips[seat] = books.pool * shares[seat] // (4 * whole)
        chips[winner] = books.pool - sum(chips)
    return tuple(chips)


def new_totals(rules: Rules, totals: tuple[int, ...], outcome: Outcome) -> tuple[int, ...]:
    """Add the deal to the totals: penalties to the losers, or their sum to the winner."""
    if outcome.winner is None:
        return totals
    if rules.scoring == "collect" or rules.match == "points":
        return tuple(
            total + (sum(outcome.penalties) if seat == outcome.winner else 0)
            for seat, total in enumerate(totals)
        )
    return tuple(total + more for total, more in zip(totals, outcome.penalties, strict=False))


def last_deal(rules: Rules) -> int | None:
    """Return the number of the deal after which the match ends at the latest, None for no end."""
    if rules.match == "ring":
        return 1
    if rules.deals is None and rules.contracts is not None:
        return len(rules.contracts)
    return rules.deals


def knocks_out(rules: Rules) -> bool:
    """Tell whether a total above the limit puts a seat out of the match."""
    return rules.match in ("pool", "elimination") and rules.out_above is not None


def score_deal(rules: Rules, books: Books, outcome: Outcome, deal: int) -> Books:
    """Enter a finished deal; ask for buy-ins, or settle what follows."""
    if outcome.winner is None:
        return books
    money = tuple(have + more for have, more in zip(books.money, outcome.chips, strict=False))
    books = replace(books, totals=new_totals(rules, books.totals, outcome), money=money)
    asked = buyers(rules, books, outcome.winner, deal)
    return settle(rules, replace(books, to_decide=asked), outcome.winner, deal)


def buyers(rules: Rules, books: Books, winner: int, deal: int) -> tuple[int, ...]:
    """List the seats that may buy in, clockwise from the winner's left."""
    end = last_deal(rules)
    if not knocks_out(rules) or (end is not None and deal >= end):
        return ()
    seats = len(books.totals)
    inside = [seat for seat in range(seats) if not books.eliminated[seat]]
    if sum(1 for seat in inside if books.totals[seat] <= rules.out_above) < 2:
        return ()
    # The winner comes last: where it collects, it can be above the limit itself.
    order = [(winner + step) % seats for step in range(1, seats + 1)]
    return tuple(
        seat
        for seat in order
        if seat in inside
        and books.totals[seat] > rules.out_above
        and books.buy_ins[seat] < rules.buy_ins
    )


def buy_in(rules: Rules, books: Books, winner: int, deal: int) -> Books:
    """Let the first seat to decide pay and take the highest total of those in."""
    seat, *rest = books.to_decide
    level = max(
        total
        for other, total in enumerate(books.totals)
        if not books.eliminated[other] and total <= rules.out_above
    )
    return settle(
        rules,
        replace(
            books,
            totals=_changed(books.totals, seat, level),
            money=_changed(books.money, seat, books.money[seat] - rules.buy_in),
            buy_ins=_changed(books.buy_ins, seat, books.buy_ins[seat] + 1),
            to_decide=tuple(rest),
        ),
        winner,
        deal,
    )


def drop_out(rules: Rules, books: Books, winner: int, deal: int) -> Books:
    """Let the first seat to decide leave the match."""
    return settle(rules, replace(books, to_decide=books.to_decide[1:]), winner, deal)


def _changed(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def out_after(rules: Rules, books: Books) -> tuple[bool, ...]:
    """Tell which seats are out now that the deal is over; who still decides is not."""
    if not knocks_out(rules):
        return books.eliminated
    return tuple(
        out or (books.totals[seat] > rules.out_above and seat not in books.to_decide)
        for seat, out in enumerate(books.eliminated)
    )


def settle(rules: Rules, books: Books, winner: int, deal: int) -> Books:
    """Name the winners of the match where it is over, and pay them the pool."""
    if books.to_decide:
        return books
    winners = match_winners(rules, books, winner, deal)
    if not winners:
        return books
    money = list(books.money)
    share, rest = divmod(books.pool, len(winners))
    for seat in winners:
        money[seat] += share
    money[min(winners)] += rest
    sole = winners[0] if len(winners) == 1 else tuple(winners)
    return replace(books, money=tuple(money), match_winner=sole)


def match_winners(rules: Rules, books: Books, winner: int, deal: int) -> list[int]:
    """List the winners of the match after a deal that somebody won; none: it goes on."""
    if rules.match == "ring":
        return [winner]
    out = out_after(rules, books)
    inside = [seat for seat in range(len(out)) if not out[seat]]
    if knocks_out(rules) and len(inside) == 1:
        return inside
    end = last_deal(rules)
    over = end is not None and deal >= end
    reached = rules.target is not None and max(books.totals) >= rules.target
    if rules.match == "points" or (rules.match in ("lowest", "highest") and end is None):
        over = over or reached
    if not over:
        return []
    high = rules.scoring == "collect" or rules.match in ("points", "highest")
    best = (max if high else min)(books.totals[seat] for seat in inside)
    return [seat for seat in inside if books.totals[seat] == best]


def next_dealer(dealer: int, eliminated: tuple[bool, ...]) -> int:
    """Return the next seat clockwise from the dealer that is still in."""
    seats = len(eliminated)
    order = [(dealer + step) % seats for step in range(1, seats + 1)]
    return next(seat for seat in order if not eliminated[seat])


def fresh_deal(rules: Rules, books: Books, deal: int, dealer: int) -> dict[str, Any]:
    """Return what a deal looks like before its first draw, in numbers of cards."""
    out = books.eliminated
    size = dealt_cards(rules, len(out) - sum(out), deal)
    hands = [0 if gone else size for gone in out]
    return {
        "deal": deal,
        "dealer": dealer,
        "to_move": next_dealer(dealer, out),
        "hands": hands,
        "discards": 1,
        "stock": len(full_pack(rules)) - 1 - sum(hands),
    }
