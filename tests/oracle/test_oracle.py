"""The oracle held against hand-made corners and against a search without any thought."""

from __future__ import annotations

import random

import pytest

from . import NotationError, Position, meld_points, opening_feasible
from .cards import JOKER, full_pack, show_cards
from .turn import Search, State


def at(hand: str, table: list[str] | None = None, rules: object = "british", **more: object):
    """Return a position in the middle of seat 0's turn, both seats open unless said."""
    mapping = {
        "hands": [hand, "3S"],
        "table": table or [],
        "phase": "play",
        "discards": "",
        "opened": [True, True],
        **more,
    }
    return Position.from_mapping(mapping, rules)


LONG = "3C 4C 5C *6C 7C 8C 9C"


def test_a_joker_with_nowhere_to_go_is_not_released() -> None:
    used = {1: [2, 2]}
    assert not at("6C 9H 2S KD", [LONG], added=used).is_legal("swap 6C @1")
    assert at("6C 9H 2S KD", [LONG], added={1: [2, 1]}).is_legal("swap 6C @1")
    assert at("6C 9H 9D KD", [LONG], added=used).is_legal("swap 6C @1")
    assert not at("6C 9H 9D", [LONG], added=used).is_legal("swap 6C @1")


def test_the_one_meld_of_the_turn_decides_where_the_joker_may_go() -> None:
    table = [LONG, "4H 5H 6H", "KC KD KH KS"]
    more = {"added": {1: [2, 2], 2: [0, 2]}, "laid": [2], "was_open": True}
    table[1] = "4H 5H 6H 7H 8H"
    assert at("6C 9C 9D 2S", table, **more).is_legal("swap 6C @1")  # low end of the hearts
    more["added"] = {1: [2, 2], 2: [2, 2]}
    table[1] = "4H 5H 6H 7H 8H 9H TH"
    assert not at("6C 9C 9D 2S", table, **more).is_legal("swap 6C @1")
    # 9H TH *JH stands directly above 6H 7H 8H as it was laid and joins that lay-down.
    chain = at("6C 9H TH 2S", table, rules={"preset": "british", "jokers": 4}, **more)
    assert chain.is_legal("swap 6C @1")
    after = chain.play("swap 6C @1")
    assert after.legal_moves() == {"meld 9H TH *JH"}


def test_a_run_that_links_two_lay_downs_makes_them_one() -> None:
    rules = {"preset": "british", "melds_per_turn": 2}
    more = {"laid": [1, 2], "was_open": True}
    hand = "7H 8H 9H KC KD KH 2S"
    position = at(hand, ["4H 5H 6H", "TH JH QH"], rules, **more)
    assert not position.is_legal("meld KC KD KH")
    assert position.play("meld 7H 8H 9H").is_legal("meld KC KD KH")


def test_a_taken_joker_is_discarded_only_by_who_held_one() -> None:
    table = ["4C 5C 6C"]
    assert at("* 5D", table, taken="*").legal_moves() == {"discard 5D", "add *3C @1", "add *7C @1"}
    assert at("*", table, taken="*").legal_moves() == set()
    held = at("* *", table, taken="*", taken_twin=True)
    assert held.legal_moves() == {"discard *", "add *3C @1", "add *7C @1"}
    # A joker released and one taken: one is laid, the other is not discardable.
    both = at("* * 5D", table, taken="*", owed=1, swaps=1)
    assert both.play("add *3C @1").legal_moves() == {"discard 5D", "add *2C @1", "add *7C @1"}


def test_a_drawn_joker_may_be_discarded_once_the_released_one_is_laid() -> None:
    position = at("* * 5D", ["4C 5C 6C"], owed=1, swaps=1)
    assert "discard *" not in position.legal_moves()
    assert "discard *" in position.play("add *3C @1").legal_moves()


def test_a_barred_seat_opens_only_if_it_keeps_a_card() -> None:
    closed = {"opened": [False, False], "barred": [True, False]}
    assert not at("JS QS KS AS 2C", **closed).is_legal("meld JS QS KS AS")
    assert at("JS QS KS AS 2C 2C", **closed).is_legal("meld JS QS KS AS")


def test_an_opening_may_not_leave_only_the_taken_card() -> None:
    free = {"rules": "kalooki40", "opened": [False, False], "taken": "2C"}
    assert not at("JS QS KS AS 2C", **free).is_legal("meld JS QS KS AS")
    assert at("JS QS KS AS 2C", taken_twin=True, **free).is_legal("meld JS QS KS AS")
    # A barred seat may keep the taken card and discard the other.
    barred = {**free, "barred": [True, False]}
    assert at("JS QS KS AS 2C 3D", **barred).play("meld JS QS KS AS").legal_moves() == {
        "discard 3D"
    }


def test_a_run_of_thirteen_says_where_its_ace_stands() -> None:
    hand = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 2S"
    position = at(hand, rules="kalooki40")
    low = "meld AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    high = "meld 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    assert {low, high} <= position.legal_moves()
    assert len(position.sequences()[low]) == 1
    assert not at(hand).is_legal(low)
    with pytest.raises(NotationError):
        position.is_legal("meld 2C AC 3C 4C 5C 6C 7C 8C 9C TC JC QC KC")
    assert meld_points(low[5:], "kalooki40") == 85
    assert meld_points(high[5:], "kalooki40") == 95


def test_spare_jokers_are_asked_for_only_where_there_is_a_choice() -> None:
    position = at("5C 6C 7C * 2S 2D", ["KC KD KH KS"])
    found = position.sequences()
    run = found["meld 5C 6C 7C"][0]
    assert found["meld 5C 6C 7C"] == (run, 1129)
    assert found["meld *5C 6C 7C"] == (run, 1119)
    assert len(found["meld 5C 6C *7C"]) == 2
    half = position.play_id(run)
    assert half.half == (run,)
    assert half.legal_ids() == {1119, 1120, 1121, 1129}


def test_opening_feasible_finds_the_substitution_of_a_held_card() -> None:
    # The king of hearts is wanted by the set, a joker stands for it in the run.
    assert opening_feasible("QH KH AH KC KD * 2S", "kalooki40")
    assert not opening_feasible("QH KH AH KC KD 2S 2D", "kalooki40")


def _thoughtless(search: Search, state: State) -> bool:
    if any(True for _ in search.discards(state)):
        return True
    return any(_thoughtless(search, search.after(state, move)) for move in search.moves(state))


VARIANTS = [
    {"preset": "british", "jokers": 4, "ace": "both"},
    {"preset": "kalooki40", "jokers": 4, "discard_before_opening": "to_open"},
    {"preset": "contract", "contracts": ["3", "4", "33", "34"]},
]


@pytest.mark.parametrize("rules", VARIANTS)
@pytest.mark.parametrize("seed", range(12))
def test_the_search_agrees_with_one_without_any_thought(rules: dict, seed: int) -> None:
    rng = random.Random(seed)
    rules = {**rules, "opening_points": rng.choice([0, 20, 30])}
    probe = Position.from_mapping({"hands": ["2S", "3S"]}, rules).rules
    pack = [card for card in full_pack(probe) if card != JOKER and card % 13 < 5]
    cards = [*rng.sample(pack, rng.randint(4, 7)), *[JOKER] * rng.randint(0, 2)]
    taken = rng.choice([None, rng.choice(cards)])
    position = Position.from_mapping(
        {
            "hands": [show_cards(cards), ""],
            "discards": "",
            "phase": "play",
            "deal": rng.randint(1, 4) if probe.contracts else 1,
            "taken": "" if taken is None else show_cards([taken]),
            "taken_twin": taken is not None and cards.count(taken) > 1,
            "barred": [rng.random() < 0.3, False],
        },
        rules,
    )
    search, state = position.turn_search, position.state
    for move in search.moves(state):
        after = search.after(state, move)
        assert search.can_finish(after) == _thoughtless(search, after), move
