"""A turn that can end the deal and win is never passed up, by any player above random but the yardstick."""

import numpy as np
import pytest

from kalooki_env import Game, Rules, agents
from kalooki_env.engine.layout import JOKER
from tests.ways_out import __main__ as ways_out
from tests.ways_out.exhaustive import NO, YES, Exhaustive

SEARCHES = ("search:worlds=2,turns=1", "search:policy=british2,worlds=2,options=2")
WINNING = {
    "a long hand with a joker, closed or open": {
        "rules": "hunt51", "opened": [True, True],
        "hands": ["QD * 9D 9C JC KD TD 8C TC KD JD KC 9D", "2C"],
    },
    "lay-offs before a set": {
        "rules": "hunt51", "opened": [True, True], "hands": ["JD 6S 6C 6H QD 9D TD KD", "2C"],
        "table": ["8D 8C 8H", "2D 3D 4D"],
    },
    "an opening, then a swap for what the rest lacks": {
        "rules": "north_american", "opened": [False, True],
        "hands": ["7C 9C 6D 7D JD 7H 7H 9H 7S 9S", "2C"],
        "table": ["AD 2D 3D 4D 5D", "TD *JD QD KD AD"],
    },
    "runs side by side, one growing over the other": {
        "rules": "british", "opened": [True, True], "table": ["2D 2H 2S *", "3C 4C 5C"],
        "hands": ["2C 6H 4S 5S 6S 7S 7S 8S 9S TS JS QS KS", "2C"],
    },
    "two swaps and a meld of what they release": {
        "rules": "kalooki40", "opened": [True, True], "hands": ["6C 9H KD 2S", "2C"],
        "table": ["5C *6C 7C", "8H *9H TH", "QS QD QH QC"],
    },
}  # fmt: skip


@pytest.mark.parametrize("source", ways_out.SOURCES)
@pytest.mark.parametrize(("k", "rules"), list(enumerate(ways_out.RULES)))
def test_no_way_out_is_missed(source, k, rules):
    players = {name: agents.load(name) for name in ways_out.PLAYERS if name != ways_out.YARDSTICK}
    seen, missed = ways_out.count(source, rules, 2 + k % 3, 40, players, 20_000, seed=100)
    assert not missed
    assert source == "played" or seen["ways"] >= 8


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_does_not_miss_any_either(name):
    _, missed = ways_out.count(
        "dealt open", "hunt51", 2, 20, {name: agents.load(name)}, 20_000, 100
    )
    assert not missed


@pytest.mark.parametrize("name", ["heuristic", "heuristic:light", "search", SEARCHES[1]])
@pytest.mark.parametrize("position", WINNING.values(), ids=WINNING)
def test_it_goes_out(name, position):
    game = Game.from_position({"phase": "play", "table": [], **position})
    assert ways_out.goes_out(agents.load(name), game)


def test_a_card_that_lets_a_seat_go_out_is_taken_where_a_swap_is_needed():
    fields = {"rules": "hunt51", "phase": "draw", "hands": ["9H", "QC"], "opened": [True, True]}
    game = Game.from_position(fields | {"table": ["5H 6H *7H 8H *9H"], "discards": "7H"})
    for name in ("heuristic", "heuristic:light", *SEARCHES):
        assert ways_out.goes_out(agents.load(name), game)


@pytest.mark.parametrize(
    ("hand", "answer"), [("8C 9C 2D", YES), ("8C 2H 2D", NO), ("9H 9D 9S 8C KD", YES)]
)
def test_the_exhaustive_search_knows_a_way_out(hand, answer):
    game = Game.from_position(
        {"rules": "british", "phase": "play", "hands": [hand, "8H"], "opened": [True, True],
         "table": ["5C 6C 7C"]}
    )  # fmt: skip
    assert Exhaustive(game.rules, 1000)(game.state[0]) == answer


def test_turns_are_dealt_with_jokers_in_hand_and_on_the_table():
    rng, rules = np.random.default_rng(1), Rules.preset("north_american")
    games = (ways_out.dealt(rng, rules, 3, is_open=False) for _ in range(60))
    states = [game.state for game in games if game]
    assert sum(s["hand"][0, 0, JOKER] > 0 for s in states) > 5
    assert sum(s["on_table"][0, JOKER] > 0 for s in states) > 5
    assert {int(s["phase"][0]) for s in states} == {0, 1}
