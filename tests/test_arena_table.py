"""Several agents at one table: who sits where, and what each of them gets."""

import numpy as np
import pytest

from kalooki_env import arena, records
from kalooki_env.arena.seating import seating
from kalooki_env.errors import RulesError


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (2, 4), (3, 3), (3, 5), (4, 4), (6, 6)])
def test_every_agent_plays_every_deal_from_every_seat(entrants, seats):
    table = seating(entrants, seats)
    for order in table:
        assert order[0, 0] == 0
        for seat in range(seats):
            held = np.bincount(order[:, seat], minlength=entrants).tolist()
            assert held == [1] * (entrants - 1) + [seats - entrants + 1]


def test_the_first_agent_sits_in_the_seat_of_the_rotation():
    for turn, seats in enumerate(seating(2, 4)[0]):
        assert np.flatnonzero(seats == 0).tolist() == [turn]


def test_every_agent_sits_behind_every_other_equally_often():
    table = seating(4, 4)
    assert len(table) == 6
    behind = np.zeros((4, 4), int)
    for seats in table.reshape(-1, 4):
        for seat in range(4):
            behind[seats[seat], seats[seat - 1]] += 1
    assert (behind[~np.eye(4, dtype=bool)] == 8).all()


@pytest.mark.parametrize("seats", [3, 4])
def test_wins_and_points_of_a_table_sum_up(seats):
    names = ["greedy", "random", "random"]
    result = arena.evaluate_table(names, seats=seats, deals=120, seed=3)
    assert [one.agent for one in result.agents] == names
    assert [one.seats_held for one in result.agents] == [1, 1, seats - 2]
    assert sum(one.seats_held * one.win_rate for one in result.agents) == pytest.approx(1)
    assert sum(one.seats_held * one.points_per_deal for one in result.agents) == pytest.approx(0)
    greedy, first, second = result.agents
    assert greedy.win_rate > 0.7 > 0.3 > max(first.win_rate, second.win_rate)
    assert greedy.win_rate_ci95[0] < greedy.win_rate < greedy.win_rate_ci95[1]


def test_two_at_a_table_are_the_two_of_an_evaluation():
    pair = arena.evaluate("greedy", "random", seats=3, deals=60, seed=5)
    table = arena.evaluate_table(["greedy", "random"], seats=3, deals=60, seed=5)
    assert table.agents[0].win_rate == pair.win_rate
    assert table.agents[0].win_rate_ci95 == pair.win_rate_ci95
    assert table.agents[0].points_per_deal == pair.points_per_deal
    assert table.agents[0].duplicate_variance_ratio == pair.duplicate_variance_ratio
    assert table.void_rate == pair.void_rate


def test_a_mixed_table_is_recorded_with_its_names(tmp_path):
    path = tmp_path / "games"
    names = ["random", "greedy", "random"]
    result = arena.evaluate_table(names, deals=12, seed=1, record=path)
    games = records.read(path)
    assert records.verify(path).games == len(games) == 12
    # The neighbours change places from one deal of the cards to the next.
    assert {game.names.count("greedy") for game in games} == {1}
    wins = sum(
        1 / 3 if end["winner"] is None else game.names[end["winner"]] == "greedy"
        for game in games
        for end in game.results
    )
    assert wins / 12 == pytest.approx(result.agents[1].win_rate)


@pytest.mark.parametrize(
    ("names", "seats", "told"),
    [(["random"], 2, "got 1"), (["random"] * 3, 2, "expected 2 agents for 2 seats, got 3")],
)
def test_a_table_that_does_not_fit_its_seats_is_refused(names, seats, told):
    with pytest.raises(RulesError, match=told):
        arena.evaluate_table(names, seats=seats)
