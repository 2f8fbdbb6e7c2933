"""The action catalogue: 1170 numbered actions, the only place where ids mean something.

One action is one move that a player would name; a move that leaves something open (which spare
joker, which table meld) takes an action for each answer. `describe` names an id, `encode` and
`decode` translate move texts of one game, `features` describes all ids to a network; the ids'
blocks, builders and tables come from `action_tables`, which compiled code imports.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kalooki_env.action_features import FEATURE_NAMES, features
from kalooki_env.action_tables import (
    A_CARD,
    A_END,
    A_HIGH,
    A_JOKERS,
    A_LOW,
    A_MASK,
    A_PAIR_HIGH,
    A_PAIR_LOW,
    A_POSITION,
    A_RANK,
    A_SUIT,
    A_TABLE,
    ANNOUNCE,
    BLOCKS,
    BUY_IN,
    DISCARD,
    DRAW,
    DROP_OUT,
    INTERVALS,
    KIND,
    KIND_ANNOUNCE,
    KIND_BUY_IN,
    KIND_DISCARD,
    KIND_DRAW,
    KIND_LAYOFF_RUN,
    KIND_LAYOFF_SET,
    KIND_RUN,
    KIND_SET,
    KIND_SPARE,
    KIND_SWAP_RUN,
    KIND_SWAP_SET,
    KIND_TABLE,
    LAYOFF_RUN,
    LAYOFF_SET,
    NO_SPARE,
    OPTIONS,
    PAIR_INDEX,
    PAIRS,
    RUN,
    RUN_INTERVAL,
    SET,
    SET_OPTION,
    SILENT,
    SPARE,
    SWAP_RUN,
    SWAP_SET,
    TABLE,
    TAKE,
    VERSION,
    Block,
    N,
    discard_id,
    layoff_run_id,
    layoff_set_id,
    layoff_set_joker_id,
    run_id,
    set_id,
    spare_id,
    swap_run_id,
    swap_set_id,
    table_id,
)
from kalooki_env.cards import (
    HIGH_ACE,
    JOKER,
    LOW_ACE,
    RANKS,
    card_text,
    cards_text,
    joker_text,
    make_card,
    position_card,
)
from kalooki_env.notation import parse_move

if TYPE_CHECKING:
    from kalooki_env.game import Game

__all__ = [
    "ANNOUNCE",
    "A_CARD",
    "A_END",
    "A_HIGH",
    "A_JOKERS",
    "A_LOW",
    "A_MASK",
    "A_PAIR_HIGH",
    "A_PAIR_LOW",
    "A_POSITION",
    "A_RANK",
    "A_SUIT",
    "A_TABLE",
    "BLOCKS",
    "BUY_IN",
    "DISCARD",
    "DRAW",
    "DROP_OUT",
    "FEATURE_NAMES",
    "INTERVALS",
    "KIND",
    "KIND_ANNOUNCE",
    "KIND_BUY_IN",
    "KIND_DISCARD",
    "KIND_DRAW",
    "KIND_LAYOFF_RUN",
    "KIND_LAYOFF_SET",
    "KIND_RUN",
    "KIND_SET",
    "KIND_SPARE",
    "KIND_SWAP_RUN",
    "KIND_SWAP_SET",
    "KIND_TABLE",
    "LAYOFF_RUN",
    "LAYOFF_SET",
    "NO_SPARE",
    "OPTIONS",
    "PAIRS",
    "PAIR_INDEX",
    "RUN",
    "RUN_INTERVAL",
    "SET",
    "SET_OPTION",
    "SILENT",
    "SPARE",
    "SWAP_RUN",
    "SWAP_SET",
    "TABLE",
    "TAKE",
    "VERSION",
    "Block",
    "N",
    "decode",
    "describe",
    "discard_id",
    "encode",
    "features",
    "layoff_run_id",
    "layoff_set_id",
    "layoff_set_joker_id",
    "run_id",
    "set_id",
    "spare_id",
    "swap_run_id",
    "swap_set_id",
    "table_id",
]


_BARE = {
    DRAW: "draw from the stock",
    TAKE: "take the top discard",
    NO_SPARE: "use no further joker",
    ANNOUNCE: "announce the last cards",
    SILENT: "stay silent",
    BUY_IN: "buy in",
    DROP_OUT: "drop out",
}
_ACE_ENDS = {LOW_ACE: "low ace", HIGH_ACE: "high ace"}


def describe(action: int) -> str:
    """Return one readable phrase for an action id, such as "lay the run 4C-7C".

    Raises IndexError for a number that is no action.
    """
    if not 0 <= action < N:
        raise IndexError(f"expected an action id 0-{N - 1}, got {action}")
    if action in _BARE:
        return _BARE[action]
    return _DESCRIBE[KIND[action]](int(action))


def _describe_run(action: int) -> str:
    suit = int(A_SUIT[action])
    low, high = (position_card(suit, int(table[action])) for table in (A_LOW, A_HIGH))
    return f"lay the run {card_text(low)}-{card_text(high)}"


def _set_text(action: int) -> str:
    mask, rank = int(A_MASK[action]), int(A_RANK[action])
    naturals = [make_card(suit, rank) for suit in range(4) if mask >> suit & 1]
    return cards_text(naturals + [JOKER] * int(A_JOKERS[action]))


def _describe_layoff_run(action: int) -> str:
    natural = position_card(int(A_SUIT[action]), int(A_POSITION[action]))
    text = joker_text(natural) if A_JOKERS[action] else card_text(natural)
    return f"lay off {text} at the {('low', 'high')[A_END[action]]} end of a run"


def _describe_layoff_set(action: int) -> str:
    if A_JOKERS[action]:
        return f"lay off a joker on a set of {RANKS[A_RANK[action]]}"
    return f"lay off {card_text(int(A_CARD[action]))} on a set"


def _describe_swap_run(action: int) -> str:
    end = _ACE_ENDS.get(int(A_POSITION[action]))
    place = f" as {end}" if end else ""
    return f"swap {card_text(int(A_CARD[action]))} for the joker in a run{place}"


def _describe_discard(action: int) -> str:
    card = int(A_CARD[action])
    return "discard a joker" if card == JOKER else f"discard {card_text(card)}"


def _describe_spare(action: int) -> str:
    place = _ACE_ENDS.get(int(A_POSITION[action]), RANKS[A_RANK[action]])
    return f"put a spare joker on the {place}"


_DESCRIBE = {
    KIND_RUN: _describe_run,
    KIND_SET: lambda action: f"lay the set {_set_text(action)}",
    KIND_LAYOFF_RUN: _describe_layoff_run,
    KIND_LAYOFF_SET: _describe_layoff_set,
    KIND_SWAP_RUN: _describe_swap_run,
    KIND_SWAP_SET: lambda action: f"swap {_set_text(action)} for a joker in a set",
    KIND_DISCARD: _describe_discard,
    KIND_SPARE: _describe_spare,
    KIND_TABLE: lambda action: f"on table meld @{int(A_TABLE[action]) + 1}",
}


def encode(game: "Game", text: str) -> list[int]:
    """Return the action ids that carry out a move text for the seat to move.

    Raises NotationError for a text that is no move, IllegalMove for a move the rules forbid here.
    """
    return game.encode_move(parse_move(text))


def decode(game: "Game", ids: Iterable[int]) -> str:
    """Return the move text of the action ids that carry out one move of the seat to move."""
    return game.decode_ids(ids)
