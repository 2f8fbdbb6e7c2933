"""Number the moves: which first id a move has, and which questions follow."""

from __future__ import annotations

from .cards import JOKER, card_at
from .melds import Meld
from .turn import Move, State

DRAW, TAKE = 0, 1
RUN, SET, ADD_RUN, ADD_SET = 2, 310, 687, 863
SWAP_RUN, SWAP_SET, DISCARD = 928, 984, 1062
SPARE, NO_SPARE, TABLE = 1115, 1129, 1130
PLAIN = {
    "draw": 0,
    "take": 1,
    "announce": 1166,
    "silent": 1167,
    "buy in": 1168,
    "drop out": 1169,
}
INTERVALS = [(low, high) for low in range(1, 13) for high in range(low + 2, min(low + 12, 14) + 1)]
SETS = [
    (mask, jokers)
    for mask in range(1, 16)
    for jokers in range(4)
    if bin(mask).count("1") + jokers in (3, 4)
]
PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def first_id(move: Move, table: tuple[Meld, ...]) -> int:
    """Return the id with which a move begins."""
    kind = move[0]
    if kind in PLAIN:
        return PLAIN[kind]
    if kind == "discard":
        return DISCARD + move[1]
    if kind == "meld":
        return _meld_id(move[1])
    meld = table[move[1]]
    if kind == "add":
        return _add_id(meld, move[2], move[3])
    if meld.kind == "run":
        return SWAP_RUN + meld.suit * 14 + move[2] - 1
    suits = tuple(card // 13 for card in move[2])
    return SWAP_SET + meld.low * 6 + PAIRS.index(suits)


def _meld_id(meld: Meld) -> int:
    if meld.kind == "run":
        return RUN + meld.suit * 77 + INTERVALS.index((meld.low, meld.high))
    naturals = [card for card in meld.cards if card != JOKER]
    mask = sum(1 << (card // 13) for card in naturals)
    return SET + meld.low * 29 + SETS.index((mask, len(meld.cards) - len(naturals)))


def _add_id(meld: Meld, end: int | None, card: int) -> int:
    if end is None:
        return ADD_SET + (52 + meld.low if card == JOKER else card)
    slot = meld.low - 2 if end == 0 else meld.high - 3
    return ADD_RUN + ((meld.suit * 2 + end) * 11 + slot) * 2 + (card == JOKER)


def _spare_places(meld: Meld, hand: tuple[int, ...]) -> tuple[int, ...]:
    """List the places where a joker is laid although the hand has the natural card."""
    return tuple(
        place
        for place, card in enumerate(meld.cards, meld.low)
        if card == JOKER and card_at(meld.suit, place) in hand
    )


def all_sequences(moves: dict[str, Move], state: State) -> dict[str, tuple[int, ...]]:
    """Return for every legal move the ids that are really asked for."""
    groups: dict[int, list[str]] = {}
    for text, move in moves.items():
        groups.setdefault(first_id(move, state.table), []).append(text)
    found: dict[str, tuple[int, ...]] = {}
    for first, texts in groups.items():
        kind = moves[texts[0]][0]
        if kind == "meld" and moves[texts[0]][1].kind == "run":
            spares = {_spare_places(moves[text][1], state.hand): text for text in texts}
            _ask_spares((), spares, (first,), found)
        elif len(texts) == 1:
            found[texts[0]] = (first,)
        else:
            for text in texts:
                found[text] = (first, TABLE + moves[text][1])
    return found


def _ask_spares(
    chosen: tuple[int, ...],
    spares: dict[tuple[int, ...], str],
    asked: tuple[int, ...],
    found: dict[str, tuple[int, ...]],
) -> None:
    """Walk the answers that lead to legal runs; a single answer is given without asking."""
    depth = len(chosen)
    following = sorted({places[depth] for places in spares if len(places) > depth})
    one = len(following) + (chosen in spares) == 1
    if chosen in spares:
        found[spares[chosen]] = asked if one else (*asked, NO_SPARE)
    for place in following:
        branch = {
            places: text
            for places, text in spares.items()
            if len(places) > depth and places[depth] == place
        }
        told = asked if one else (*asked, SPARE + place - 1)
        _ask_spares((*chosen, place), branch, told, found)
