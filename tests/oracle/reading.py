"""Read a position or a case, with the defaults of the notation."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from . import match as _match
from .cards import full_pack, parse_card, parse_cards, show_cards
from .melds import Meld, parse_meld
from .position import Position
from .rules import Rules, make_rules


def read_position(mapping: dict[str, Any], rules: Any = None) -> Position:
    """Build a position; raise ValueError where it can't be one."""
    rules = make_rules(mapping.get("rules") if rules is None else rules)
    hands = tuple(tuple(sorted(parse_cards(text or ""))) for text in mapping["hands"])
    seats = len(hands)
    table = _read_table(mapping, rules)
    discards, stock = _read_piles(mapping, rules, hands, table)
    opened = tuple(mapping.get("opened") or [False] * seats)
    phase = mapping.get("phase") or "draw"
    books = _read_books(mapping, rules, seats)
    to_move = mapping.get("to_move")
    position = Position(
        rules=rules,
        hands=hands,
        to_move=0 if to_move is None else to_move,
        phase=phase,
        opened=opened,
        turn=mapping.get("turn", 7),
        barred=tuple(mapping.get("barred") or [False] * seats),
        table=table,
        discards=discards,
        stock=stock,
        rebuilds=mapping.get("rebuilds", 0),
        deal=mapping.get("deal", 1),
        dealer=mapping.get("dealer", seats - 1),
        books=books,
        half=tuple(mapping.get("half") or ()),
    )
    if phase == "draw" and not stock:
        raise ValueError("expected a card in the stock for the seat to draw, got none")
    if phase == "play":
        return _read_turn(position, mapping)
    if phase in ("buy_in", "over"):
        return _read_ended(position, mapping)
    return position


def _read_table(mapping: dict[str, Any], rules: Rules) -> tuple[Meld, ...]:
    laid = set(mapping.get("laid") or ())
    added = {int(number): value for number, value in (mapping.get("added") or {}).items()}
    table = []
    for number, text in enumerate(mapping.get("table") or (), 1):
        meld = parse_meld(text, rules)
        if meld is None:
            raise ValueError(f"expected a meld on the table, got {text!r}")
        ends = added.get(number, 0)
        low, high = (ends, 0) if isinstance(ends, int) else ends
        table.append(meld._replace(laid=number in laid, added_low=low, added_high=high))
    return tuple(table)


def _read_piles(
    mapping: dict[str, Any], rules: Rules, hands: tuple, table: tuple[Meld, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the discards and the stock, completed from what is not elsewhere."""
    left = Counter(full_pack(rules))
    for cards in (*hands, *(meld.cards for meld in table)):
        left.subtract(cards)
    given: dict[str, tuple[int, ...] | None] = {}
    for name in ("discards", "stock"):
        text = mapping.get(name)
        given[name] = None if text is None else parse_cards(text)
        left.subtract(given[name] or ())
    beyond = [card for card, count in left.items() if count < 0]
    if beyond:
        raise ValueError(f"expected no more cards than the pack has, got {show_cards(beyond)}")
    rest = sorted(left.elements())
    if given["discards"] is None:
        given["discards"], rest = tuple(rest[:1]), rest[1:]
    return given["discards"], tuple(rest) if given["stock"] is None else given["stock"]


def _read_books(mapping: dict[str, Any], rules: Rules, seats: int) -> _match.Books:
    buy_ins = tuple(mapping.get("buy_ins") or [0] * seats)
    money = mapping.get("money")
    if money is None:
        money = [-rules.initial - rules.buy_in * used for used in buy_ins]
    return _match.Books(
        totals=tuple(mapping.get("totals") or [0] * seats),
        money=tuple(money),
        buy_ins=buy_ins,
        eliminated=tuple(mapping.get("eliminated") or [False] * seats),
        to_decide=tuple(mapping.get("to_decide") or ()),
    )


def _read_turn(position: Position, mapping: dict[str, Any]) -> Position:
    taken = mapping.get("taken") or ""
    was_open = mapping.get("was_open")
    return replace(
        position,
        taken=parse_card(taken) if taken else None,
        taken_twin=bool(mapping.get("taken_twin")) and bool(taken),
        was_open=position.opened[position.to_move] if was_open is None else was_open,
        swaps=mapping.get("swaps", 0),
        owed=mapping.get("owed", 0),
    )


def _read_ended(position: Position, mapping: dict[str, Any]) -> Position:
    """Work out as much of the outcome as the position of an ended deal tells."""
    books, hands = position.books, position.hands
    if position.phase == "buy_in":
        position = replace(position, to_move=books.to_decide[0])
    out = books.eliminated
    empty = [seat for seat, hand in enumerate(hands) if not hand and not out[seat]]
    if len(empty) != 1:
        cap = position.rules.turn_cap
        cut = cap is not None and position.turn >= cap
        return replace(position, outcome=_match.nobody_won(len(hands), cut))
    before = books
    if position.rules.match == "ring":
        # The pool is paid out by now; what it was follows from the entry fees.
        before = replace(books, money=(-position.rules.initial,) * len(hands))
    outcome = _match.won_deal(position.rules, list(hands), empty[0], False, before)
    winners = _match.match_winners(position.rules, books, empty[0], position.deal)
    if winners and not books.to_decide:
        sole = winners[0] if len(winners) == 1 else tuple(winners)
        books = replace(books, match_winner=sole)
    return replace(position, outcome=outcome, books=books)
