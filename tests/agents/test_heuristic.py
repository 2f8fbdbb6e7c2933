"""The heuristic: turns that a good player would play, and the fairness of what it looks at."""

import json

import numpy as np
import pytest

from kalooki_env import Game, Rules, agents, arena
from kalooki_env.agents.heuristic import weights as weights_module
from kalooki_env.agents.heuristic.layout import FEATURES, ROWS, N
from kalooki_env.agents.heuristic.weights import weights_for
from kalooki_env.rules import PRESETS

TABLES = [
    ("british", 2), ("british", 4), ("european", 3), ("north_american", 6), ("kalooki40", 5),
    ("double_deck", 2), ("contract", 3), ("hunt51", 4), ("ring51", 2), ("tournament51", 3),
]  # fmt: skip


ALIKE = {"hunt51": "ring51", "tournament51": "ring51"}
"""Presets whose deals are played by the same rules; only what a match pays differs."""


def finish_turn(game: Game, agent) -> None:
    """Let the agent play the turn to its end."""
    seat = game.to_move
    while not game.over and game.to_move == seat and (game.phase == "play" or game.question):
        game.play(agent.act(game, seat))


def position(**fields) -> Game:
    return Game.from_position({"rules": "british", "phase": "play", **fields})


@pytest.mark.parametrize(("preset", "seats"), TABLES)
@pytest.mark.parametrize("name", ["heuristic", "heuristic:light"])
def test_it_plays_whole_deals_of_every_preset_by_the_rules(name, preset, seats):
    agent = agents.load(name)
    game = Game(Rules.preset(preset, turn_cap=400), seats, seed=3)
    while not game.over:
        action = agent.act(game, game.to_move)
        assert action in game.legal_actions()
        game.play(action)


@pytest.mark.parametrize(("preset", "seats"), TABLES)
@pytest.mark.parametrize("name", ["greedy", "heuristic", "heuristic:light"])
def test_what_a_seat_cannot_know_does_not_change_its_choice(name, preset, seats):
    agent = agents.load(name)
    game, compared = Game(Rules.preset(preset, turn_cap=400), seats, seed=8), 0
    while not game.over and compared < 40:
        seat = game.to_move
        choice = agent.act(game, seat)
        for seed in range(3):
            other = game.determinize(seat, seed)
            assert agent.act(other, seat) == choice
            compared += (other.state["hand"] != game.state["hand"]).any()
        game.play(choice)
    assert compared >= 20


def test_the_batched_form_chooses_what_the_single_form_does_at_tables_of_any_size():
    agent = agents.load("heuristic")
    games = [Game("british", 2 + seed % 4, seed=seed) for seed in range(24)]
    for game in games:
        while game.phase == "draw":
            game.play(int(game.legal_actions()[0]))
    states = np.concatenate([game.state for game in games])
    before = states.tobytes()
    rows = np.array([3, 11, 7, 20])
    chosen = agent.act_batch(states, games[0].rules, rows)
    assert chosen.tolist() == [agent.act(games[row], games[row].to_move) for row in rows]
    assert states.tobytes() == before


@pytest.mark.parametrize(
    ("hand", "table"),
    [
        ("8C 9C 2D", ["5C 6C 7C"]),
        ("9H 9D 9S 8C KD", ["5C 6C 7C"]),
        ("9H 9D 9S 7H 8H KD", ["6D 7D 8D", "6S 7S 8S"]),
        ("6C KD", ["5C *6C 7C", "9H TH JH"]),
        ("6C 9H 9D KD", ["5C *6C 7C", "QS QD QH QC"]),
    ],
    ids=[
        "a lay-off on a lay-off",
        "a set and a lay-off",
        "the run, not the set of higher penalty",
        "a joker swapped out and laid off",
        "a joker swapped out for a set",
    ],
)
def test_it_goes_out_where_it_can(hand, table):
    game = position(hands=[hand, "8H 8D 4S"], opened=[True, True], table=table)
    finish_turn(game, agents.load("heuristic"))
    assert game.deal_over and game.result["winner"] == 0


def test_it_does_not_discard_what_the_next_seat_goes_out_with():
    game = position(
        hands=["8C 2D KH", "2S"], opened=[True, True], table=["3C 4C 5C 6C 7C"], added={1: [0, 2]}
    )
    finish_turn(game, agents.load("heuristic"))
    assert not game.position()["discards"].endswith("8C")


def test_it_takes_a_discard_that_lets_it_go_out():
    game = Game.from_position(
        {"rules": "british", "phase": "draw", "hands": ["KD", "8H 8D 4S"], "opened": [True, True],
         "table": ["5C 6C 7C"], "discards": "8C"}
    )  # fmt: skip
    game.play(agents.load("heuristic").act(game, 0))
    finish_turn(game, agents.load("heuristic"))
    assert game.result["winner"] == 0


def test_it_beats_greedy_by_far():
    result = arena.evaluate("heuristic", "greedy", "british", seats=2, deals=1000, seed=9)
    assert result.win_rate_ci95[0] > 0.68


def test_the_light_form_stands_between_greedy_and_the_heuristic():
    result = arena.evaluate("heuristic:light", "greedy", "british", seats=2, deals=2000, seed=9)
    assert 0.55 < result.win_rate < 0.68


@pytest.mark.parametrize("preset", sorted(set(PRESETS) - ALIKE.keys()))
def test_every_preset_has_weights_of_its_own(preset):
    for seats in (2, 4):
        weights = weights_for(Rules.preset(preset), seats)
        assert (
            weights.shape == (ROWS, N) and np.isfinite(weights).all() and weights.any(axis=1).all()
        )
    others = [weights_for(Rules.preset(name), 2) for name in set(PRESETS) - {preset} - ALIKE.keys()]
    assert not any((weights_for(Rules.preset(preset), 2) == other).all() for other in others)


@pytest.mark.parametrize(("preset", "like"), ALIKE.items())
def test_presets_that_deal_alike_share_their_weights(preset, like):
    assert (weights_for(Rules.preset(preset), 4) == weights_for(Rules.preset(like), 4)).all()


def test_rules_of_ones_own_are_played_with_the_weights_of_the_preset_most_like_them():
    own = Rules.from_value({"preset": "contract", "deals": 3})
    own = Rules.from_dict({**own.to_dict(), "name": "mine"}) if "name" in own.to_dict() else own
    assert (weights_for(own, 2) == weights_for(Rules.preset("contract"), 2)).all()


def test_weights_of_other_features_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"features": list(FEATURES[1:]), "weights": {}}))
    monkeypatch.setattr(weights_module, "PATH", path)
    weights_module._tables.cache_clear()
    try:
        with pytest.raises(ValueError, match="expected weights of the features"):
            weights_for(Rules.preset("british"), 2)
    finally:
        weights_module._tables.cache_clear()
