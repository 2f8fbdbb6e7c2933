"""Tuning the heuristic: outcomes, regression, the file of weights."""

import json

import numpy as np
import pytest

from kalooki_env.agents.heuristic.layout import AT, FEATURES, ROWS, N
from training.heuristic import __main__ as command
from training.heuristic.fit import duel, first_weights, logistic_fit, outcomes, tune
from training.heuristic.self_play import FIRST, GREEDY, Ends, Samples, SelfPlay
from training.heuristic.worlds import compare


@pytest.fixture(scope="module")
def british():
    return SelfPlay("british", 2)


def keys(n, seed=1):
    return np.random.SeedSequence(seed).generate_state(n, np.uint64)


def test_an_outcome_is_mostly_the_win_and_partly_the_points():
    ends = Ends(np.array([0, -1]), np.array([[0, 60], [0, 0]]))
    samples = Samples(np.zeros((3, N)), np.zeros(3), np.array([0, 0, 1]), np.array([0, 1, 0]))
    assert outcomes(samples, ends) == pytest.approx([0.7 + 0.3, 0.0, 0.5])


def test_the_regression_finds_the_weights_that_made_the_outcomes():
    rng = np.random.default_rng(0)
    features = np.zeros((40_000, N), np.float32)
    features[:, AT["bias"]] = 1
    features[:, AT["deadwood"]] = rng.random(len(features))
    features[:, AT["jokers"]] = rng.integers(3, size=len(features))
    features[:, AT["turn"]] = 2.0  # never changes
    odds = -0.5 - 2.0 * features[:, AT["deadwood"]] + 0.7 * features[:, AT["jokers"]]
    won = rng.random(len(features)) < 1 / (1 + np.exp(-odds))
    weights = logistic_fit(features, won.astype(float))
    found = [weights[AT[name]] for name in ("bias", "deadwood", "jokers", "turn")]
    assert found == pytest.approx([-0.5, -2.0, 0.7, 0.0], abs=0.1)


def test_self_play_keeps_every_end_of_a_turn_that_the_heuristic_played(british):
    weights = (first_weights(), first_weights())
    players = np.array([[FIRST, GREEDY], [FIRST, FIRST], [GREEDY, GREEDY]])
    samples, ends = british.play(keys(3), players, weights, keep=True)
    assert set(samples.deal) == {0, 1} and set(samples.seat[samples.deal == 0]) == {0}
    assert np.isfinite(samples.features).all() and (samples.features[:, AT["bias"]] == 1).all()
    assert (samples.row < ROWS).all() and (samples.row >= 0).all()
    assert ends.winner.shape == (3,) and (ends.penalties >= 0).all()
    again, _ = british.play(keys(3), players, weights, keep=True)
    assert (again.features == samples.features).all()


def test_exploring_plays_other_deals(british):
    weights, players = (first_weights(), first_weights()), np.full((20, 2), FIRST)
    plain, _ = british.play(keys(20), players, weights, keep=True)
    other, _ = british.play(keys(20), players, weights, explore=0.3, keep=True)
    assert plain.features.shape != other.features.shape or (plain.features != other.features).any()


def test_equal_weights_win_half_of_duplicate_deals(british):
    weights = first_weights()
    assert duel(british, weights, weights.copy(), 200, seed=3) == 0.5
    assert duel(british, weights, None, 400, seed=3) > 0.6


def test_tuning_is_fixed_by_its_seed_and_tells_its_rounds(british):
    told = []
    first = tune(british, 1, 60, 5, lambda number, text: told.append((number, text)))
    second = tune(british, 1, 60, 5, lambda number, text: None)
    assert (first == second).all() and first.shape == (ROWS, N)
    assert told[0][0] == 1 and "samples, wins" in told[0][1]


def test_a_table_is_written_beside_the_others(tmp_path, monkeypatch):
    path = tmp_path / "weights.json"
    path.write_text(
        json.dumps({"features": list(FEATURES), "weights": {"contract": {"2": [[0.0]]}}})
    )
    monkeypatch.setattr(command, "PATH", path)
    command._write("british", 4, np.arange(ROWS * N, dtype=float).reshape(ROWS, N))
    data = json.loads(path.read_text())
    assert data["weights"]["contract"] == {"2": [[0.0]]}
    assert np.array(data["weights"]["british"]["4"]).shape == (ROWS, N)
    assert path.read_text().count("\n") > ROWS


def test_hands_are_imagined_better_the_more_deals_they_are_chosen_from():
    found = compare("british", 2, 6, seed=1)
    assert all(chosen >= 1 and rows for (_, _, chosen), rows in found.items())
    held, *imagined = np.mean([row for rows in found.values() for row in rows], axis=0)
    assert held > 0 and (np.diff(imagined) < 0).all()
