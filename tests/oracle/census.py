"""Name the states that a position is in, as observed: what the quotas count."""

from __future__ import annotations

from collections import Counter

from .cards import JOKER, card_at, lowest_place
from .ids import TABLE
from .match import knocks_out, last_deal, out_after
from .melds import Meld, hand_runs, hand_sets
from .position import Position
from .turn import Move, laydowns, lays_joker

HALF_OPEN = "opening half laid"
DUTY = "taken card owed"
OWED_1 = "one joker owed"
OWED_2 = "two jokers owed"
BARRED = "barred"
LAST_CARD = "last stock card"
TWO_JOKERS = "two jokers in an unopened hand"
LONG_RUN = "run of 12 or more"
EQUAL = "two equal melds"
LAYOFF_LIMIT = "lay-off limit used up"
MELD_LIMIT = "meld limit used up"
DELAYED = "joker owed, another move needed first"
SWAP_REFUSED = "swap refused as a dead end"
CHAIN = "run joining a lay-down of this turn"
SET_SWAP = "swap out of a set"
CONTRACT_HALF = "contract half laid"
CLOSED_SET = "closed set with a joker"
TWO_JOKER_SET = "set of three with two jokers"
ANNOUNCING = "announcement pending"
ELIMINATED = "an eliminated seat at the table"
BUYING_IN = "buy-in pending"
MATCH_ENDED = "match ended"
QUOTAS = (
    HALF_OPEN,
    CONTRACT_HALF,
    DUTY,
    OWED_1,
    OWED_2,
    BARRED,
    LAST_CARD,
    TWO_JOKERS,
    LONG_RUN,
    EQUAL,
    LAYOFF_LIMIT,
    MELD_LIMIT,
    CHAIN,
    SET_SWAP,
    CLOSED_SET,
    TWO_JOKER_SET,
    DELAYED,
    SWAP_REFUSED,
    ANNOUNCING,
    ELIMINATED,
    BUYING_IN,
    MATCH_ENDED,
)
"""The rare states that have a quota."""

TAKEN_JOKER = "taken joker, none held before"
TAKEN_TWIN = "taken card, an equal one held before"
FIRST_TAKE = "first-turn take"
RUN_13 = "run of 13 to lay"
ACE_TWICE = "ace for both ends of a run"
DEAD_END = "any move refused as a dead end"
REMARKS = (
    TAKEN_JOKER,
    TAKEN_TWIN,
    FIRST_TAKE,
    RUN_13,
    ACE_TWICE,
    DEAD_END,
)
"""States that are counted without a quota."""


def phase_name(position: Position) -> str:
    """Return the phase; in the middle of a move also what is asked."""
    if not position.half:
        return position.phase
    asks_meld = all(number >= TABLE for number in position.legal_ids())
    return "play: which meld" if asks_meld else "play: which place"


def states(position: Position) -> set[str]:
    """Name the rare states of a position with a seat to move."""
    if position.phase == "buy_in":
        return {BUYING_IN}
    names = {ELIMINATED} if any(position.books.eliminated) else set()
    if position.phase == "announce":
        return names | {ANNOUNCING}
    found = {
        LONG_RUN: any(meld.kind == "run" and len(meld.cards) > 11 for meld in position.table),
        BARRED: position.barred[position.to_move],
        TWO_JOKERS: not position.state.opened and position.state.hand.count(JOKER) >= 2,
        LAST_CARD: len(position.stock) == (1 if position.phase == "draw" else 0),
        EQUAL: _some_equal(position.table),
        CLOSED_SET: any(size == 4 and jokers for size, jokers in _sets(position.table)),
        TWO_JOKER_SET: (3, 2) in _sets(position.table),
    }
    names |= {name for name, holds in found.items() if holds}
    return names | _turn_states(position) if position.phase == "play" else names


def _sets(table: tuple[Meld, ...]) -> list[tuple[int, int]]:
    """List the sizes of the sets on the table and their numbers of jokers."""
    return [(len(meld.cards), meld.cards.count(JOKER)) for meld in table if meld.kind == "set"]


def _some_equal(table: tuple[Meld, ...]) -> bool:
    """Tell whether two melds show the same cards."""
    counts = Counter((meld.kind, meld.suit, meld.low, meld.cards) for meld in table)
    return any(count > 1 for count in counts.values())


def _turn_states(position: Position) -> set[str]:
    """Name the states of a turn under way."""
    state, taken, conditions = position.state, position.taken, position.turn_search.at
    laid = [meld for meld in position.table if meld.laid]
    plays = not position.half
    half_laid = bool(laid) and not state.opened
    found = {
        HALF_OPEN: half_laid and position.rules.contracts is None,
        CONTRACT_HALF: half_laid and position.rules.contracts is not None,
        DUTY: conditions.duty
        and not state.opened
        and not any(taken in meld.cards for meld in laid),
        OWED_1: state.owed == 1,
        OWED_2: state.owed >= 2,
        TAKEN_JOKER: taken == JOKER and not position.taken_twin,
        TAKEN_TWIN: taken is not None and position.taken_twin,
        FIRST_TAKE: taken is not None and position.turn == 1 and position.rules.first_turn_take,
        LAYOFF_LIMIT: plays and state.opened and _layoff_barred(position),
        MELD_LIMIT: plays and _meld_barred(position),
    }
    return {name for name, holds in found.items() if holds}


def _layoff_barred(position: Position) -> bool:
    """Tell whether only the limit of lay-offs keeps a card of the hand from the table."""
    limit, scope = position.rules.layoff_limit, position.rules.layoff_scope
    if limit is None:
        return False
    everywhere = sum(meld.added_low + meld.added_high for meld in position.table)
    for meld in position.table:
        both = meld.added_low + meld.added_high
        if meld.kind == "set":
            used = {"turn": everywhere, "meld": both, "end": 0}[scope]
            if used >= limit and len(meld.cards) == 3 and _fits_set(position, meld):
                return True
            continue
        ends = ((meld.low - 1, meld.added_low), (meld.high + 1, meld.added_high))
        for place, at_end in ends:
            used = {"turn": everywhere, "meld": both, "end": at_end}[scope]
            if used >= limit and _fits_run(position, meld, place):
                return True
    return False


def _fits_set(position: Position, meld: Meld) -> bool:
    hand = position.state.hand
    return JOKER in hand or any(
        card != JOKER and card % 13 == meld.low and card not in meld.cards for card in hand
    )


def _fits_run(position: Position, meld: Meld, place: int) -> bool:
    hand = position.state.hand
    if not lowest_place(position.rules) <= place <= 14:
        return False
    return JOKER in hand or card_at(meld.suit, place) in hand


def _meld_barred(position: Position) -> bool:
    """Tell whether only the limit of melds keeps a meld of the hand from the table."""
    limit = position.rules.melds_per_turn
    if not limit or position.rules.contracts is not None:
        return False
    if not position.was_open or laydowns(position.table) < limit:
        return False
    hand, rules = position.state.hand, position.rules
    for source in (hand_sets, hand_runs):
        for meld in source(hand, rules):
            if laydowns((*position.table, meld._replace(laid=True))) > limit:
                return True
    return False


def move_states(position: Position) -> set[str]:
    """Name the states that show in the legal moves of a position in play."""
    if position.phase != "play" or position.half:
        return set()
    moves = position.all_legal.values()
    limit = position.rules.melds_per_turn
    full = bool(limit) and position.was_open and laydowns(position.table) >= limit
    melds: list[Meld] = [move[1] for move in moves if move[0] == "meld"]
    found = {
        CHAIN: full and bool(melds),
        RUN_13: any(meld.kind == "run" and len(meld.cards) == 13 for meld in melds),
        ACE_TWICE: any(text.endswith((" low", " high")) for text in position.all_legal),
        SET_SWAP: any(_swaps_set(position, move) for move in moves),
        DELAYED: position.owed > 0 and not any(lays_joker(move) for move in moves),
    }
    return {name for name, holds in found.items() if holds}


def _swaps_set(position: Position, move: Move) -> bool:
    return move[0] == "swap" and position.table[move[1]].kind == "set"


def endings(before: Position, after: Position) -> set[str]:
    """Name what the end of a deal of a match, or a decision about a buy-in, has brought about."""
    books, outcome = after.books, after.outcome
    assert outcome is not None
    if before.phase == "buy_in":
        names = {"bought in" if books.buy_ins != before.books.buy_ins else "dropped out"}
        names |= {"others still decide on a buy-in"} if books.to_decide else set()
        return names
    if outcome.winner is None:
        return {"deal void" if outcome.void else "deal cut"}
    found = {
        "deal won": True,
        "deal won by a kalooki": outcome.kalooki,
        "seat put out": out_after(after.rules, books) != books.eliminated,
        "one seat asked to buy in": len(books.to_decide) == 1,
        "several seats asked to buy in": len(books.to_decide) > 1,
        "ring paid (each)": after.rules.match == "ring" and after.rules.ring_payout == "each",
        "ring paid (split25)": after.rules.match == "ring" and after.rules.ring_payout != "each",
    }
    names = {name for name, holds in found.items() if holds}
    return names | (_match_end(before, after) if books.match_winner is not None else set())


def _match_end(before: Position, after: Position) -> set[str]:
    """Name how a match has ended, and what became of its pool."""
    rules, books, pool = after.rules, after.books, before.books.pool
    inside = out_after(rules, books).count(False)
    end = last_deal(rules)
    if rules.match == "ring":
        return {MATCH_ENDED}
    if knocks_out(rules) and inside == 1:
        how = "by the last seat in"
    else:
        how = "by its deals" if end is not None and after.deal >= end else "by the target"
    shared = isinstance(books.match_winner, tuple)
    found = {
        MATCH_ENDED: True,
        f"match ended {how}": True,
        "match of points ended": rules.match == "points",
        "match shared": shared,
        "pool paid out": pool > 0,
        "pool shared with a rest": shared and pool % len(books.match_winner) > 0,
    }
    return {name for name, holds in found.items() if holds}
