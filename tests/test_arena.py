"""Duplicate deals: rotation, intervals, and figures that depend on names and seed alone."""

import dataclasses
import json

import numpy as np
import pytest

from kalooki_env import arena
from kalooki_env.agents.base import LegalLists, uniforms
from kalooki_env.agents.random_agent import RandomAgent
from kalooki_env.engine.layout import DRAW, GAME
from kalooki_env.errors import IllegalMove, RulesError
from kalooki_env.game import Game


class FirstLegal:
    """Takes the lowest legal id and notes in which games and seats it was asked."""

    name = "first"

    def __init__(self):
        self.asked = set()
        self._legal = LegalLists()

    def act_batch(self, games, rules, rows):
        self.asked |= {(int(games["key"][row]), int(games["to_move"][row])) for row in rows}
        ids, _ = self._legal(games, rules, rows)
        return ids[:, 0].astype(np.int64)


def figures(result):
    return {**result.as_dict(), "seconds": None}


def test_random_against_itself_is_even_within_its_interval():
    result = arena.evaluate("random", "random", deals=1000, seed=12)
    low, high = result.win_rate_ci95
    assert low < 0.5 < high
    assert 0.03 < high - low < 0.09
    low, high = result.points_ci95
    assert low < 0 < high


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_figures_do_not_depend_on_the_batch(seats):
    runs = [
        arena.evaluate("random", "random", seats=seats, deals=30, seed=4, batch=batch)
        for batch in (1, 7, 1024)
    ]
    assert figures(runs[0]) == figures(runs[1]) == figures(runs[2])
    other = arena.evaluate("random", "random", seats=seats, deals=30, seed=5)
    assert figures(other) != figures(runs[0])


@pytest.mark.parametrize(("quick", "most"), [(0.0, 16), (1e9, 50)])
def test_where_agents_are_slow_few_games_advance_together(monkeypatch, quick, most):
    class Counted(FirstLegal):
        rows = 0

        def act_batch(self, games, rules, rows):
            Counted.rows = max(Counted.rows, len(rows))
            return super().act_batch(games, rules, rows)

    monkeypatch.setattr("kalooki_env.arena.table._QUICK", quick)
    once = Counted()
    result = arena.evaluate(once, once, deals=50, seed=1)
    assert Counted.rows <= most
    assert (Counted.rows > 16) == (most > 16)
    assert figures(result) == figures(arena.evaluate(FirstLegal(), FirstLegal(), deals=50, seed=1))


def test_more_deals_begin_with_the_same_ones():
    def key(n):
        return arena._seeds(3, 0, n)[:5].tolist()

    assert key(5) == key(1000)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_sits_once_in_every_seat_with_the_same_cards(seats):
    a, b = FirstLegal(), FirstLegal()
    result = arena.evaluate(a, b, seats=seats, deals=5 * seats, seed=2)
    assert result.deals == 5 * seats
    keys = {key for key, _ in a.asked | b.asked}
    assert len(keys) == 5
    # A was asked in every seat of every deal of the cards, and so was B.
    assert a.asked == {(key, seat) for key in keys for seat in range(seats)}
    assert b.asked == a.asked


def test_a_deal_of_the_cards_can_be_dealt_again_as_a_game():
    asked = FirstLegal()
    arena.evaluate(asked, FirstLegal(), seats=3, deals=3, seed=9)
    [key] = {key for key, _ in asked.asked}
    game = Game("british", seats=3, seed=int(arena._seeds(9, 0, 1)[0]))
    assert int(game.state["key"][0]) == key


def test_deals_are_rounded_up_to_whole_rotations():
    assert arena.evaluate("random", "random", seats=3, deals=4, seed=0).deals == 6


def test_an_agent_without_chance_draws_level_with_itself_exactly():
    result = arena.evaluate(FirstLegal(), FirstLegal(), deals=40, seed=1)
    assert result.win_rate == 0.5
    # Twenty deals of the cards that are all alike still leave 3/20 to be otherwise.
    assert result.win_rate_ci95 == pytest.approx((0.425, 0.575))
    assert result.points_per_deal == 0
    assert result.points_ci95 == (None, None)


def test_stubborn_seats_are_cut_and_counted():
    class Stubborn(FirstLegal):
        """Draws from the stock and discards, and never opens."""

        def act_batch(self, games, rules, rows):
            ids, counts = self._legal(games, rules, rows)
            last = np.where(games["phase"][rows] == DRAW, 0, counts - 1)
            return ids[np.arange(len(rows)), last].astype(np.int64)

    void = arena.evaluate(Stubborn(), Stubborn(), deals=4, seed=0)
    assert void.void_rate == 1
    assert void.win_rate == 0.5
    assert void.points_per_deal == 0
    cut = arena.evaluate(Stubborn(), Stubborn(), "kalooki40", deals=4, seed=0)
    assert cut.cut_rate == 1
    assert cut.turns_per_deal == arena.TURN_CAP


def test_one_deal_has_no_interval():
    result = arena.evaluate("random", "random", deals=1, seed=0)
    assert result.deals == 2
    assert result.win_rate_ci95 == (None, None)
    assert result.as_dict()["points_ci95"] == [None, None]


def test_an_agent_that_cheats_is_stopped():
    class Cheat(FirstLegal):
        name = "cheat"

        def act_batch(self, games, rules, rows):
            return np.full(len(rows), 1169)

    with pytest.raises(IllegalMove, match="cheat"):
        arena.evaluate(Cheat(), "random", deals=2)


def test_a_table_that_cannot_be_dealt_is_refused():
    with pytest.raises(RulesError):
        arena.evaluate("random", "random", seats=6)


def test_progress_ends_at_the_number_of_deals():
    calls = []
    arena.evaluate("random", "random", deals=50, batch=8, progress=lambda *call: calls.append(call))
    assert calls == sorted(calls)
    assert {total for _, total in calls} == {50}


def games_like(n, **fields):
    games = np.zeros(n, GAME)
    for name, value in fields.items():
        games[name] = value
    return games


def test_uniforms_differ_by_seed_game_and_place_and_do_not_look_at_cards():
    games = games_like(1000, key=np.arange(1000, dtype=np.uint64), to_move=1, turn=5)
    rows = np.arange(1000)
    first = uniforms(1, games, rows)
    assert ((first >= 0) & (first < 1)).all()
    assert len(set(first)) == 1000
    assert abs(first.mean() - 0.5) < 0.03
    assert np.array_equal(first[[7, 3]], uniforms(1, games, np.array([7, 3])))
    assert not np.isclose(first, uniforms(2, games, rows)).any()
    for name, value in {
        "turn": 6,
        "phase": 1,
        "to_move": 0,
        "drawn": 9,
        "swaps": 1,
        "n_half": 1,
    }.items():
        moved = games.copy()
        moved[name] = value
        assert not np.isclose(first, uniforms(1, moved, rows)).any(), name
    seen = games.copy()
    seen["hand"] = 1
    seen["stock"] = 7
    assert np.array_equal(first, uniforms(1, seen, rows))


def test_random_plays_every_legal_action_equally_often():
    from kalooki_env.batch import Batch

    batch = Batch("british", seats=2, n=1, seed=5)
    many = np.repeat(batch.games, 20_000)
    many["key"] = np.arange(20_000, dtype=np.uint64)
    chosen = RandomAgent(seed=1).act_batch(many, batch.rules, np.arange(20_000))
    legal = batch.legal_ids(0)
    counts = np.array([(chosen == action).sum() for action in legal])
    assert counts.sum() == 20_000
    expected = 20_000 / len(legal)
    assert (abs(counts - expected) < 5 * expected**0.5).all()


def test_results_are_plain_data():
    result = arena.evaluate("random", "random", deals=2, seed=0)
    assert dataclasses.is_dataclass(result)
    figures = result.as_dict()
    assert all(isinstance(value, str | int | float | list | None) for value in figures.values())
    assert json.loads(json.dumps(figures)) == figures
