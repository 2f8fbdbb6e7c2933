"""The search for the dearest legal list: what it builds can occur, and what it keeps is the worst."""

import numpy as np
import pytest

from benchmarks import worst, worst_play
from kalooki_env import Game
from kalooki_env.engine import layout as L
from kalooki_env.engine.single import list_legal_at
from kalooki_env.invariants import violations
from kalooki_env.rules import PRESETS, Rules

BUILT = 400


def build(preset: str, count: int = BUILT) -> np.ndarray:
    """Build turns, GAME[count]."""
    record, games = Rules.preset(preset).record(), L.records(count, L.GAME)
    tally = np.zeros(1, worst_play.TALLY)
    for i in range(count):
        worst_play.build(games, i, record, 2, np.uint64(i), tally)
    return games


@pytest.fixture
def small(monkeypatch):
    """Search in small pieces."""
    monkeypatch.setattr(worst, "CHUNK", 50)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_built_turns_are_such_that_every_invariant_holds(preset):
    games = build(preset)
    assert violations(games, Rules.preset(preset)) == []
    hands = games["hand"][np.arange(BUILT), games["to_move"]].astype(int)
    sizes, jokers = set(hands.sum(1)), set(hands[:, L.JOKER])
    assert sizes == {14, 15, 16, 17, 18}
    assert jokers == set(range(2, Rules.preset(preset).jokers + 1))


def test_built_turns_are_of_every_kind():
    games = build("british")
    opened = games["opened"][np.arange(BUILT), games["to_move"]] == 1
    for phase in (L.DRAW, L.PLAY):
        for is_open in (True, False):
            assert ((games["phase"] == phase) & (opened == is_open)).sum() > 30
    assert ((games["duty"] == 1) & ~opened).any()
    assert ((games["taken"] >= 0) & opened).any()
    table = build("north_american")
    assert ((table["melds"]["kind"] == L.RUN) & (table["melds"]["jokers"] > 0)).any()
    contracts = build("contract")["deal"]
    assert (contracts == 9).mean() > 0.4
    assert set(contracts) == set(range(1, 10))


def test_a_built_turn_is_its_position():
    for game, state in (
        (Game("north_american", seed=0), state) for state in build("north_american")
    ):
        game.state[0] = state
        again = Game.from_position(game.position())
        assert again.legal_actions().tolist() == game.legal_actions().tolist()


def test_the_worst_that_is_kept_is_a_state_that_was_listed(small):
    search = worst.Search("british", seed=1)
    *steps, found = search.in_play(200)
    assert (steps, found.calls) == ([50, 100, 150, 200], 200)
    assert 0 < found.seconds < 0.1
    assert violations(found.game.state, Rules.preset("british")) == []
    assert len(found.game.legal_actions()) > 0


def test_a_dearer_list_takes_the_place_of_the_worst():
    search = worst.Search("british", seed=1)
    tally = search._tally()
    tally["worst"] = 10**9  # nothing takes a second
    worst_play.play(*search._table(), 2, np.uint64(5), 100, tally)
    assert (tally["worst"][0], search.games["seats"][2]) == (10**9, 0)
    tally["worst"] = 0
    worst_play.play(*search._table(), 2, np.uint64(5), 100, tally)
    assert 0 < tally["worst"][0] < 10**9 and search.games["seats"][2] == 2


def test_a_turn_that_is_built_is_played_to_its_end(small):
    search = worst.Search("british", seed=1)
    *_, found = search.in_hands(100)
    assert found.calls > 120
    assert found.game.to_move is not None
    games, record, runs, work, scratch = search._table()
    assert list_legal_at(games, 2, record, runs, work, scratch) == len(found.game.legal_actions())


@pytest.mark.parametrize(("bar", "code"), [(0.0, 1), (10.0, 0)])
def test_the_command_says_whether_the_bar_is_met(small, monkeypatch, capsys, bar, code):
    monkeypatch.setattr(worst, "BAR", bar)
    words = ["--rules", "contract", "--steps", "100", "--hands", "20"]
    assert worst.main(words) == code
    out = capsys.readouterr().out
    assert out.count("preset: contract") == 2
    assert "--- # contract, hands: " in out
