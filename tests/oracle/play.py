"""Play a legal move: the rest of a turn, the end of a deal, the next seat."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from . import match as _match
from .cards import without
from .turn import Move

if TYPE_CHECKING:
    from .position import Position


def draw_moves(position: Position) -> list[Move]:
    """List the ways to draw that the rules allow and that let the turn be ended."""
    moves: list[Move] = [("draw",)] if position.stock else []
    if position.discards and _may_take(position):
        moves.append(("take",))
    return moves


def _may_take(position: Position) -> bool:
    rules, seat = position.rules, position.to_move
    card = position.discards[-1]
    opened = position.opened[seat]
    first = position.turn == 1 and rules.first_turn_take
    if not opened and not first and rules.discard_before_opening == "never":
        return False
    hand = position.hands[seat]
    search = position.search(card, card in hand, opened)
    state = position.state._replace(hand=tuple(sorted((*hand, card))))
    return search.can_finish(state)


def apply(position: Position, move: Move) -> Position:
    """Return the position after a legal move."""
    kind = move[0]
    if kind in ("draw", "take"):
        return _draw(position, kind == "take")
    if kind == "discard":
        return _discard(position, move[1])
    if kind in ("announce", "silent"):
        return _announce(position, kind == "silent")
    if kind in ("buy in", "drop out"):
        return _decide(position, kind == "buy in")
    state = position.turn_search.after(position.state, move)
    swaps = position.swaps + (kind == "swap")
    return replace(
        _with_hand(position, state.hand),
        table=state.table,
        owed=state.owed,
        swaps=swaps,
        opened=_with(position.opened, position.to_move, state.opened),
    )


def _with(values: tuple, seat: int, value: object) -> tuple:
    return (*values[:seat], value, *values[seat + 1 :])


def _with_hand(position: Position, hand: tuple[int, ...]) -> Position:
    hands = _with(position.hands, position.to_move, tuple(sorted(hand)))
    return replace(position, hands=hands)


def _draw(position: Position, take: bool) -> Position:
    seat = position.to_move
    hand = position.hands[seat]
    fresh = replace(position, phase="play", was_open=position.opened[seat], swaps=0, owed=0)
    if take:
        card = position.discards[-1]
        fresh = replace(fresh, discards=position.discards[:-1], taken=card, taken_twin=card in hand)
    else:
        if not position.stock_known and len(set(position.stock)) > 1:
            raise ValueError("the stock was rebuilt, its order is unknown: call with_stock first")
        card = position.stock[0]
        fresh = replace(fresh, stock=position.stock[1:], taken=None, taken_twin=False)
    return _with_hand(fresh, (*hand, card))


def _discard(position: Position, card: int) -> Position:
    seat = position.to_move
    hand = without(position.hands[seat], [card])
    kalooki = (
        not position.was_open
        and not position.swaps
        and any(meld.laid for meld in position.table)
        and not any(meld.added_low or meld.added_high for meld in position.table)
    )
    clear = tuple(meld._replace(laid=False, added_low=0, added_high=0) for meld in position.table)
    after = replace(
        _with_hand(position, hand),
        table=clear,
        discards=(*position.discards, card),
        barred=_with(position.barred, seat, False),
        taken=None,
        taken_twin=False,
        was_open=False,
        swaps=0,
        owed=0,
    )
    if not hand:
        outcome = _match.won_deal(position.rules, list(after.hands), seat, kalooki, position.books)
        return _end_deal(after, outcome)
    if position.rules.announce == "manual" and len(hand) <= 3:
        return replace(after, phase="announce")
    return _end_turn(after)


def _announce(position: Position, silent: bool) -> Position:
    return _end_turn(replace(position, barred=_with(position.barred, position.to_move, silent)))


def _end_turn(position: Position) -> Position:
    """Rebuild an empty stock or end the deal void, cut a long deal, or pass the turn on."""
    rules, seats = position.rules, len(position.hands)
    if not position.stock:
        older = position.discards[:-1]
        limit = rules.max_rebuilds
        if not older or (limit is not None and position.rebuilds >= limit):
            return _end_deal(position, _match.nobody_won(seats, cut=False))
        position = replace(
            position,
            stock=tuple(sorted(older)),
            discards=position.discards[-1:],
            stock_known=False,
            rebuilds=position.rebuilds + 1,
        )
    if rules.turn_cap is not None and position.turn >= rules.turn_cap:
        return _end_deal(position, _match.nobody_won(seats, cut=True))
    seat = _match.next_dealer(position.to_move, position.books.eliminated)
    return replace(position, phase="draw", to_move=seat, turn=position.turn + 1)


def _end_deal(position: Position, outcome: _match.Outcome) -> Position:
    books = _match.score_deal(position.rules, position.books, outcome, position.deal)
    barred = (False,) * len(position.hands)
    return _after_deal(replace(position, outcome=outcome, books=books, barred=barred))


def _after_deal(position: Position) -> Position:
    """Go on to the next seat that decides about a buy-in, or end."""
    waiting = position.books.to_decide
    if waiting:
        return replace(position, phase="buy_in", to_move=waiting[0])
    return replace(position, phase="over")


def _decide(position: Position, buys: bool) -> Position:
    enter = _match.buy_in if buys else _match.drop_out
    winner = position.outcome.winner
    books = enter(position.rules, position.books, winner, position.deal)
    return _after_deal(replace(position, books=books))
