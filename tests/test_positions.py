"""Positions as mappings: there and back, and what is no position."""

from collections import Counter

import pytest

from kalooki_env import Game, PositionError
from kalooki_env.cards import cards_text, list_cards, parse_card
from kalooki_env.observation import TURN_ENTRIES, block_columns, offset

TWO = {"rules": "british", "hands": ["2C 5D 8S", "9H 9C"]}


def test_a_position_written_and_read_is_the_same_position():
    game = Game("british", seats=3, seed=4)
    for _ in range(60):
        again = Game.from_position(game.position(), episode="deal")
        assert again.position() == game.position()
        assert again.legal_actions().tolist() == game.legal_actions().tolist()
        game.play(int(game.legal_actions()[-1]))


def test_a_match_that_is_over_stays_over():
    game = Game.from_position(
        {
            "rules": "british",
            "hands": ["9H 4S", "AS"],
            "phase": "play",
            "opened": [True, True],
            "table": ["9C 9D 9S", "JD QD KD AD"],
            "totals": [30, 140],
        }
    )
    for move in ("add 9H @1", "discard 4S"):
        game.play(move)
    again = Game.from_position(game.position())
    assert (again.over, again.result["match_winner"]) == (True, 0)
    assert again.result["winner"] == 0


def test_the_next_deal_of_a_read_position_is_the_one_that_follows():
    game = Game.from_position(
        {"rules": "british", "hands": ["4S", "AS"], "phase": "play", "opened": [True, True],
         "table": ["9C 9D 9S"], "dealer": 1}
    )  # fmt: skip
    game.play("discard 4S")
    again = Game.from_position(game.position())
    again.next_deal()
    assert (again.position()["deal"], again.position()["dealer"]) == (2, 0)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"hands": ["2C"] * 3 + ["3C 3C 3C"]}, "3C|2C"),
        ({"hands": [" ".join(["2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D"] * 2), "9H"]}, "at most 26"),
        ({"totals": [10**12, 0]}, "totals"),
        ({"barred": [5, 0]}, "barred"),
        ({"table": ["AS 2S 3S"], "opened": [True, False]}, "ace is high"),
        ({"to_move": True}, "to_move"),
        ({"eliminated": [True, False], "hands": ["", "9H"]}, "eliminated"),
        ({"table": ["4C 5C 6C"], "phase": "play", "added": {1: [300, 0]}}, "added"),
        ({"phase": "lunch"}, "phase"),
        ({"colour": 3}, "colour"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(change, says):
    with pytest.raises(PositionError, match=says):
        Game.from_position(TWO | change)


OPEN = {
    "rules": "double_deck",
    "phase": "play",
    "opened": [True] * 3,
    "table": ["5C 6C 7C", "TD *JD QD"],
}
ELSEWHERE = ["9H 2C", "4D 8S"]


def known(game, seat):
    """Return what everybody knows of a hand, as text."""
    return cards_text(list_cards(game.state["known"][0][seat]))


@pytest.mark.parametrize(
    ("hand", "turn", "keeps"),
    [
        ("KD 9D 4H", {"taken": "KD"}, "KD"),
        ("KD KD 4H", {"taken": "KD"}, "KD"),
        ("5C 9D KH", {"taken": "5C", "taken_twin": True, "laid": [1]}, ""),
        ("9D KH", {"taken": "5C", "laid": [1]}, ""),
        ("9D KH", {"taken": "5C", "taken_twin": True, "added": {1: [1, 0]}}, ""),
        ("* 9D", {"taken": ""}, ""),
        ("* 9D", {"taken": "*"}, "*"),
        ("* * 9D", {"taken": "*", "taken_twin": True}, "*"),
        ("* 9D", {"taken": "*", "taken_twin": True, "added": {2: [0, 1]}}, ""),
        ("* 9D", {"taken": "*", "taken_twin": True, "laid": [2]}, ""),
        ("* 9D 3S", {"swaps": 1, "owed": 1}, "*"),
        ("* * 9D", {"taken": "*", "taken_twin": False, "swaps": 1, "owed": 1}, "* *"),
        ("* 9D 3S", {"swaps": 1, "owed": 0}, ""),
    ],
)
def test_what_a_turn_has_shown_is_known_in_its_position(hand, turn, keeps):
    game = Game.from_position(OPEN | {"hands": [hand, *ELSEWHERE], "discards": "2H"} | turn)
    assert known(game, 0) == keeps
    for seat in (1, 2):
        seen = game.observation(seat)
        assert seen[block_columns(["stock"])].max() <= 4, "no count has gone below zero"
        hands = [game.determinize(seat, seed).result["hands"][0].split() for seed in range(40)]
        assert all(not Counter(keeps.split()) - Counter(held) for held in hands)
    for move in game.legal_moves()[-1:]:
        game.play(move)
        assert (game.state["known"] <= game.state["hand"]).all()


def test_the_twin_of_a_laid_card_is_discarded_and_nothing_is_known_any_more():
    turn = {"taken": "5C", "taken_twin": True, "laid": [1]}
    game = Game.from_position(OPEN | {"hands": ["5C 9D KH", *ELSEWHERE], "discards": "2H"} | turn)
    game.play("discard 5C")
    assert known(game, 0) == ""
    seen = game.observation(1)
    assert seen[block_columns(["stock"])].max() <= 4
    assert all("5C" not in game.determinize(1, s).result["hands"][0].split() for s in range(50))


def test_who_threw_and_who_refused_the_last_discard_is_remembered():
    case = {"rules": "kalooki40", "hands": ["2C 3C", "4C 5C", "6C 7C"], "discards": "9S TH"}
    before_draw = Game.from_position(case).state[0]
    assert before_draw["thrown"].sum() == before_draw["thrown"][2, parse_card("TH")] == 1
    drew = Game.from_position(case | {"phase": "play"}).state[0]
    assert drew["refused"].sum() == drew["refused"][0, parse_card("TH")] == 1
    took = Game.from_position(case | {"phase": "play", "taken": "2C"}).state[0]
    assert took["thrown"].sum() == took["thrown"][2, parse_card("2C")] == 1
    assert Game.from_position(case | {"turn": 1}).state["thrown"].sum() == 0
    out = case | {"eliminated": [False, False, True], "hands": ["2C 3C", "4C 5C", ""]}
    assert Game.from_position(out).state["thrown"][0, 1].sum() == 1


def test_counts_of_a_turn_are_clipped_in_the_observation():
    turn = {"swaps": 700, "added": {m: [13, 13] for m in (1, 2)}, "hands": ["2C 3C", *ELSEWHERE]}
    entries = dict(zip(TURN_ENTRIES, Game.from_position(OPEN | turn).observation(0)[offset("turn"):],
                       strict=False))  # fmt: skip
    assert entries["jokers released"] == 255 and entries["cards laid off"] == 52
