"""The heuristic: turns that a good player would play, and the fairness of what it looks at."""

import json

import numpy as np
import pytest

from kalooki_env import Game, Rules, agents, arena
from kalooki_env.agents.heuristic import weights as weights_module
from kalooki_env.agents.heuristic.agent import Thinking
from kalooki_env.agents.heuristic.layout import AT, FEATURES, ROWS, N
from kalooki_env.agents.heuristic.opening import opening_features
from kalooki_env.agents.heuristic.view import see
from kalooki_env.agents.heuristic.weights import weights_for
from kalooki_env.engine.hands import add
from kalooki_env.engine.layout import JOKER
from kalooki_env.engine.moves import hand_bits
from kalooki_env.engine.opening import reaches
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


@pytest.mark.parametrize(("seats", "seed"), [(2, 5), (2, 7), (3, 2), (3, 8)])
def test_cards_do_not_go_round_for_ever(seats, seed):
    # Where the pile is free, two seats may each want what the other throws; no turn cap ends it.
    agent, game = agents.load("heuristic"), Game("contract", seats, seed=seed, episode="match")
    while not game.deal_over:
        assert game.state["turn"][0] < 400
        game.play(agent.act(game, game.to_move))


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
    rows = np.array([3, 8, 1, 2])
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


@pytest.mark.parametrize("hand", ["8C 9C TC KD", "* 9C TC KD"])
def test_it_takes_the_card_that_completes_a_chain_of_lay_offs(hand):
    # Without melds after the contract only lay-offs are left, and these have no limit.
    game = Game.from_position(
        {"rules": "contract", "phase": "draw", "hands": [hand, "8H 8D 4S"], "opened": [True, True],
         "table": ["5C 6C 7C", "QS QD QH"], "discards": "QC"}
    )  # fmt: skip
    game.play(agents.load("heuristic").act(game, 0))
    finish_turn(game, agents.load("heuristic"))
    assert game.result["winner"] == 0


def test_a_hand_with_more_moves_than_usual_is_weighed_whole():
    game = Game.from_position(
        {"rules": "double_deck", "phase": "play", "opened": [True, True],
         "hands": ["* * * * 2C 4C 5D 7D 9H JH QS KS AD 8C", "8H 8D 4S"], "table": ["5C 6C 7C"]}
    )  # fmt: skip
    assert len(game.legal_actions()) > 110
    assert agents.load("heuristic").act(game, 0) in game.legal_actions()


@pytest.mark.parametrize("preset", ["british", "north_american", "ring51"])
def test_the_chance_to_open_counts_every_card_that_brings_the_points(preset):
    rng, thinking = np.random.default_rng(4), Thinking(Rules.preset(preset), 2)
    rules, mind, work = thinking.rules[0], thinking.mind[0], thinking.work[0]
    chances = []
    for _ in range(400):
        game = Game(preset, 2, seed=int(rng.integers(1 << 30)))
        g = game.state[0]
        see(g, rules, 0, mind)
        held, twice = hand_bits(g, 0)
        if rng.integers(2):  # a small hand, which needs the card that its jokers make a meld of
            kept = rng.permutation([card for card in range(JOKER) if held >> card & 1])[:5]
            held, twice = sum(1 << int(card) for card in kept), 0
        jokers = int(g["hand"][0, JOKER]) + int(rng.integers(3))
        opening_features(g, rules, thinking.tables, mind, 0, held, twice, jokers, work)
        need, runs = int(rules["opening_points"]), thinking.tables[0]
        opens = int(mind["live_jokers"]) * reaches(
            held, twice, jokers + 1, need, 0, rules, runs, work
        )
        for card in range(JOKER):
            copies = int(mind["live"]) >> card & 1, int(mind["live_twice"]) >> card & 1
            if sum(copies):
                more = add(held, twice, card)
                opens += sum(copies) * reaches(*more, jokers, need, 0, rules, runs, work)
        chances.append(opens / int(mind["unseen"]))
        assert mind["phi"][AT["open_next"]] == pytest.approx(chances[-1])
    assert min(chances) == 0 and max(chances) == 1 and np.mean(chances) > 0.1


def test_it_does_not_discard_what_the_next_seat_goes_out_with():
    # It may not lay the king off any more in this turn; greedy discards it, the dearest card.
    fields = {
        "hands": ["KC 2D 3H", "2S"], "opened": [True, True], "table": ["8C 9C TC JC QC"],
        "added": {1: [0, 2]},
    }  # fmt: skip
    thrown = {}
    for name in ("greedy", "heuristic"):
        game = position(**fields)
        finish_turn(game, agents.load(name))
        thrown[name] = game.position()["discards"].split()[-1]
    assert thrown["greedy"] == "KC" and thrown["heuristic"] in ("2D", "3H")


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


@pytest.mark.parametrize(
    ("own", "like"),
    [
        ({"preset": "contract", "deals": 3}, "contract"),
        ({"preset": "british", "opening_points": 45}, "british"),
        ({"preset": "british", "discard_before_opening": "never"}, "european"),
        ({"preset": "ring51", "discard_before_opening": "to_open", "jokers": 4}, "north_american"),
    ],
)
def test_rules_of_ones_own_are_played_with_the_weights_of_the_preset_most_like_them(own, like):
    own = Rules.from_value(own)
    assert own.name not in PRESETS
    assert (weights_for(own, 2) == weights_for(Rules.preset(like), 2)).all()


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
