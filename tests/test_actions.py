"""The action catalogue: every id has one meaning and the builders find it."""

import ast
from pathlib import Path

import numpy as np
import pytest

from kalooki_env import actions
from kalooki_env.cards import JOKER, card_text, parse_card

A = actions


def test_the_catalogue_has_1170_actions_in_blocks_without_gaps():
    assert A.N == 1170
    offset = 0
    for block in A.BLOCKS:
        assert block.offset == offset
        offset += block.count
    assert offset == A.N


def test_block_offsets_never_move():
    # Append-only: a change here needs a new VERSION.
    assert A.VERSION == 1
    offsets = {block.name: (block.offset, block.count) for block in A.BLOCKS}
    assert offsets == {
        "draw": (0, 2),
        "run": (2, 308),
        "set": (310, 377),
        "layoff_run": (687, 176),
        "layoff_set": (863, 65),
        "swap_run": (928, 56),
        "swap_set": (984, 78),
        "discard": (1062, 53),
        "spare": (1115, 15),
        "table": (1130, 36),
        "announce": (1166, 2),
        "buy_in": (1168, 2),
    }
    assert (A.TAKE, A.NO_SPARE, A.SILENT, A.DROP_OUT) == (1, 1129, 1167, 1169)


def test_kind_is_the_block_of_an_id():
    for index, block in enumerate(A.BLOCKS):
        assert (A.KIND[block.offset : block.offset + block.count] == index).all()
    assert [block.name for block in A.BLOCKS].index("discard") == A.KIND_DISCARD
    assert len(A.BLOCKS) - 1 == A.KIND_BUY_IN


def rebuild(action):
    """Return the id that the builders make of the parts of an id."""
    kind = A.KIND[action]
    part = {name[2:]: int(getattr(A, name)[action]) for name in dir(A) if name.startswith("A_")}
    if kind == A.KIND_RUN:
        return A.run_id(part["SUIT"], part["LOW"], part["HIGH"])
    if kind == A.KIND_SET:
        return A.set_id(part["RANK"], part["MASK"], part["JOKERS"])
    if kind == A.KIND_LAYOFF_RUN:
        return A.layoff_run_id(part["SUIT"], part["END"], part["POSITION"], part["JOKERS"])
    if kind == A.KIND_LAYOFF_SET:
        if part["JOKERS"]:
            return A.layoff_set_joker_id(part["RANK"])
        return A.layoff_set_id(part["CARD"])
    if kind == A.KIND_SWAP_RUN:
        return A.swap_run_id(part["SUIT"], part["POSITION"])
    if kind == A.KIND_SWAP_SET:
        return A.swap_set_id(part["RANK"], part["PAIR_LOW"], part["PAIR_HIGH"])
    if kind == A.KIND_DISCARD:
        return A.discard_id(part["CARD"])
    if kind == A.KIND_SPARE and action != A.NO_SPARE:
        return A.spare_id(part["POSITION"])
    if kind == A.KIND_TABLE:
        return A.table_id(part["TABLE"])
    return action  # draws, decisions, no further joker: the id is all there is


def test_every_id_comes_back_from_its_parts():
    assert [rebuild(action) for action in range(A.N)] == list(range(A.N))


def test_every_id_has_a_phrase_of_its_own():
    phrases = [A.describe(action) for action in range(A.N)]
    assert len(set(phrases)) == A.N
    assert all(phrase and phrase == phrase.strip() for phrase in phrases)


@pytest.mark.parametrize(
    ("action", "phrase"),
    [
        (A.DRAW, "draw from the stock"),
        (A.run_id(0, 4, 7), "lay the run 4C-7C"),
        (A.run_id(3, 12, 14), "lay the run QS-AS"),
        (A.run_id(3, 1, 13), "lay the run AS-KS"),
        (A.set_id(6, 0b0011, 1), "lay the set 7C 7D *"),
        (A.layoff_run_id(0, 1, 8, 0), "lay off 8C at the high end of a run"),
        (A.layoff_run_id(0, 0, 8, 1), "lay off *8C at the low end of a run"),
        (A.layoff_set_id(parse_card("TH")), "lay off TH on a set"),
        (A.layoff_set_joker_id(9), "lay off a joker on a set of T"),
        (A.swap_run_id(0, 6), "swap 6C for the joker in a run"),
        (A.swap_run_id(0, 14), "swap AC for the joker in a run as high ace"),
        (A.swap_set_id(9, 2, 3), "swap TH TS for a joker in a set"),
        (A.discard_id(parse_card("KD")), "discard KD"),
        (A.discard_id(JOKER), "discard a joker"),
        (A.spare_id(6), "put a spare joker on the 6"),
        (A.spare_id(1), "put a spare joker on the low ace"),
        (A.NO_SPARE, "use no further joker"),
        (A.table_id(1), "on table meld @2"),
        (A.SILENT, "stay silent"),
        (A.BUY_IN, "buy in"),
    ],
)
def test_phrases_say_what_is_done(action, phrase):
    assert A.describe(action) == phrase


@pytest.mark.parametrize("action", [-1, 1170])
def test_a_number_that_is_no_action_has_no_phrase(action):
    with pytest.raises(IndexError, match=f"expected an action id 0-1169, got {action}"):
        A.describe(action)


def test_runs_have_three_to_thirteen_cards():
    assert len(A.INTERVALS) == 77
    assert A.INTERVALS[0] == (1, 3) and A.INTERVALS[-1] == (12, 14)
    assert list(A.INTERVALS) == sorted(A.INTERVALS)
    for low in range(15):
        for high in range(15):
            possible = low >= 1 and 3 <= high - low + 1 <= 13
            assert (A.RUN_INTERVAL[low, high] >= 0) == possible


def test_sets_have_three_or_four_cards_and_a_natural():
    assert len(A.OPTIONS) == 29
    assert list(A.OPTIONS) == sorted(A.OPTIONS)
    for mask in range(16):
        for jokers in range(4):
            possible = mask > 0 and mask.bit_count() + jokers in (3, 4)
            assert (A.SET_OPTION[mask, jokers] >= 0) == possible


def test_a_layoff_leaves_room_for_the_run_that_it_extends():
    layoffs = np.flatnonzero(A.KIND == A.KIND_LAYOFF_RUN)
    low = layoffs[A.A_END[layoffs] == 0]
    high = layoffs[A.A_END[layoffs] == 1]
    assert set(A.A_POSITION[low].tolist()) == set(range(1, 12))
    assert set(A.A_POSITION[high].tolist()) == set(range(4, 15))
    jokers = layoffs[A.A_JOKERS[layoffs] == 1]
    assert (A.A_CARD[jokers] == JOKER).all() and len(jokers) == 88


def test_the_pair_of_a_swap_is_also_a_mask():
    for action in np.flatnonzero(A.KIND == A.KIND_SWAP_SET):
        assert A.A_MASK[action] == (1 << A.A_PAIR_LOW[action] | 1 << A.A_PAIR_HIGH[action])


# Features


def column(name):
    return actions.features()[:, actions.FEATURE_NAMES.index(name)]


def test_features_are_one_distinct_row_an_action():
    table = actions.features()
    assert table.dtype == np.float32 and table.shape == (A.N, len(actions.FEATURE_NAMES))
    assert len(set(actions.FEATURE_NAMES)) == len(actions.FEATURE_NAMES)
    assert table.min() == 0 and table.max() == 1
    assert len(np.unique(table, axis=0)) == A.N


def test_features_of_a_run():
    table = actions.features()
    row = dict(zip(actions.FEATURE_NAMES, table[A.run_id(1, 1, 3)].tolist(), strict=True))
    on = {name for name, value in row.items() if value and not name.startswith("amount")}
    assert on == {
        *("kind_run", "suit_D", "rank_A", "rank_2", "rank_3"),
        *("position_1", "position_2", "position_3", "card_AD", "card_2D", "card_3D"),
    }
    assert row["amount_cards"] == pytest.approx(3 / 14) and row["amount_jokers"] == 0
    assert row["amount_points"] == pytest.approx(6 / 150)


def test_features_of_a_set_with_jokers():
    table = actions.features()
    row = dict(zip(actions.FEATURE_NAMES, table[A.set_id(12, 0b1001, 1)].tolist(), strict=True))
    on = {name for name, value in row.items() if value and not name.startswith("amount")}
    assert on == {"kind_set", "suit_C", "suit_S", "rank_K", "card_KC", "card_KS", "card_*"}
    assert row["amount_cards"] == pytest.approx(3 / 14) and row["amount_jokers"] == 0.25
    assert row["amount_points"] == pytest.approx(30 / 150)


def test_features_name_the_cards_that_leave_the_hand():
    for card in range(53):
        cards = column(f"card_{card_text(card)}")
        assert cards[A.discard_id(card)] == 1
        assert cards[A.DRAW] == cards[A.TAKE] == 0
    jokers = column("card_*")
    assert jokers[A.layoff_run_id(0, 0, 5, 1)] == 1 and jokers[A.layoff_run_id(0, 0, 5, 0)] == 0
    assert jokers[A.spare_id(4)] == 1 and jokers[A.NO_SPARE] == 0
    assert column("table_36")[A.table_id(35)] == 1


# Games and imports


class RecordedGame:
    def encode_move(self, move):
        return [move.kind, move.target]

    def decode_ids(self, ids):
        return f"text of {list(ids)}"


def test_encode_and_decode_read_the_text_and_ask_the_game():
    assert actions.encode(RecordedGame(), "ADD 8c @2") == ["add", 2]
    assert actions.decode(RecordedGame(), (1, 2)) == "text of [1, 2]"


@pytest.mark.parametrize(
    "name",
    [
        "action_features",
        "action_tables",
        "actions",
        "cards",
        "errors",
        "knobs",
        "meld_notation",
        "notation",
        "rules",
    ],
)
def test_the_catalogue_rules_and_notation_need_no_compiler(name):
    tree = ast.parse(Path(actions.__file__).with_name(f"{name}.py").read_text())
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {alias.name for node in nodes for alias in node.names}
    imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert not {"numba", "torch"} & imported
