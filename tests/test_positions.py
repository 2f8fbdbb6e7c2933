"""Positions as mappings: there and back, and what is no position."""

import pytest

from kalooki_env import Game, PositionError

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
