"""The network over the ends of a turn: it plays by the rules, knows no more than its seat, and reads back
from its file."""

import dataclasses
import json

import numpy as np
import pytest

from kalooki_env import Game, Rules, agents
from kalooki_env.agents.ends.agent import EndsAgent
from kalooki_env.agents.ends.file import EndsMeta, load_ends, save_ends
from kalooki_env.agents.ends.layout import AT, INPUTS, SIZES
from kalooki_env.agents.ends.weights import Net
from kalooki_env.agents.heuristic.layout import ROWS, N
from kalooki_env.agents.heuristic.weights import weights_for
from kalooki_env.errors import CheckpointError

safetensors = pytest.importorskip("safetensors.numpy")

TABLES = [
    ("british", 2), ("british", 4), ("european", 3), ("north_american", 6), ("kalooki40", 5),
    ("double_deck", 2), ("contract", 3), ("hunt51", 4), ("ring51", 2), ("tournament51", 3),
]  # fmt: skip
BRITISH = Rules.preset("british")


def random_net(rules: Rules = BRITISH, seats: int = 2, seed: int = 1) -> Net:
    """A network whose every part matters, beside the weights of the heuristic."""
    net = Net.fresh(weights_for(rules, seats), (32, 16), seed)
    rng = np.random.default_rng(seed)
    drawn = {
        name: rng.normal(size=getattr(net, name).shape).astype(np.float32) * 0.3
        for name in ("b1", "b2", "w3")
    }
    return dataclasses.replace(net, **drawn)


@pytest.fixture(scope="module")
def agent() -> EndsAgent:
    return EndsAgent(random_net(), "random network")


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_it_plays_whole_deals_of_every_preset_by_the_rules(agent, preset, seats):
    game = Game(Rules.preset(preset, turn_cap=60), seats, seed=3)
    while not game.over:
        action = agent.act(game, game.to_move)
        assert action in game.legal_actions()
        game.play(action)


@pytest.mark.parametrize(("preset", "seats"), TABLES[:4])
def test_it_plays_the_same_whatever_the_cards_it_cannot_see(agent, preset, seats):
    game, rng = Game(Rules.preset(preset, turn_cap=60), seats, seed=8), np.random.default_rng(0)
    while not game.over:
        seat = game.to_move
        action = agent.act(game, seat)
        for seed in rng.integers(1 << 30, size=2):
            assert agent.act(game.determinize(seat, int(seed)), seat) == action
        game.play(action)


def test_without_a_second_layer_it_discards_as_the_heuristic_does():
    # Where discards are the only moves there is one comparison, and the linear part makes it.
    agent = EndsAgent(Net.fresh(weights_for(BRITISH, 2), (32, 16)), "linear")
    heuristic, compared = agents.load("heuristic"), 0
    for seed in range(12):
        game = Game(Rules.preset("british", turn_cap=400), 2, seed=seed)
        while not game.over:
            action, moves = agent.act(game, game.to_move), game.legal_moves()
            if len(moves) > 1 and all(move.startswith("discard") for move in moves):
                assert heuristic.act(game, game.to_move) == action
                compared += 1
            game.play(action)
    assert compared > 100


def test_a_batch_plays_what_each_game_alone_plays(agent):
    games = [Game("british", 2, seed=seed) for seed in range(6)]
    for _ in range(30):
        records = np.concatenate([game.state for game in games])
        together = agent.act_batch(records, games[0].rules, np.arange(6))
        for game, action in zip(games, together, strict=True):
            assert agent.act(game, game.to_move) == action
            game.play(int(action))
        if any(game.over for game in games):
            break


def test_probabilities_are_a_policy_whose_likeliest_action_it_plays(agent):
    game, unsure = Game("british", 2, seed=4), 0
    while not game.over:
        ids, chances = agent.probabilities(game.state, game.rules, np.zeros(1, np.int64))
        legal = game.legal_actions()
        assert np.array_equal(ids[0, : len(legal)], legal) and not chances[0, len(legal) :].any()
        assert chances[0].sum() == pytest.approx(1, abs=1e-5)
        action = agent.act(game, game.to_move)
        assert chances[0, np.searchsorted(legal, action)] == chances[0].max()
        unsure += chances[0].max() < 0.99
        game.play(action)
    assert unsure > 5


def test_the_inputs_are_named_and_lie_side_by_side():
    ends = [AT[name] + size for name, size in SIZES.items()]
    assert [N, *ends] == [*AT.values()] and ends[-1] == INPUTS


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "player.safetensors"
    meta = EndsMeta(BRITISH.to_dict(), 2, 1234, "heuristic", {"seed": 1}, "abc", {"a": 0.5})
    save_ends(path, random_net(), meta)
    return path


def test_a_checkpoint_reads_back_to_the_same_network_and_words(path):
    net, meta = load_ends(path)
    for name, weights in random_net().weights().items():
        assert np.array_equal(getattr(net, name), weights), name
    assert (meta.seats, meta.deals, meta.start) == (2, 1234, "heuristic")
    assert meta.rules == BRITISH.to_dict() and meta.metrics == {"a": 0.5}


def test_it_is_loaded_by_its_path_like_any_checkpoint(path, agent):
    loaded = agents.load(str(path))
    assert loaded.name == "player" and loaded.meta.deals == 1234 and len(loaded.digest) == 16
    game = Game("british", 2, seed=5)
    while not game.over:
        action = loaded.act(game, game.to_move)
        assert action == agent.act(game, game.to_move)
        game.play(action)


def rewrite(path, header=None, **weights):
    """Write the file again with another header or other weights."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    said = json.loads(json.loads(data[8 : 8 + size])["__metadata__"]["kalooki"])
    arrays = {**safetensors.load(data), **weights}
    metadata = {"kalooki": json.dumps({**said, **(header or {})})}
    path.write_bytes(
        safetensors.save({name: array for name, array in arrays.items() if array is not None}, metadata)
    )


@pytest.mark.parametrize(
    ("header", "weights", "says"),
    [
        ({"input_version": 99}, {}, "input version"),
        ({"features": ["bias"]}, {}, "features"),
        ({"seats": 1}, {}, "seats"),
        ({"deals": 1.5}, {}, "deals"),
        ({"rules": {**BRITISH.to_dict(), "decks": 7}}, {}, "decks"),
        ({"rules_digest": "no"}, {}, "digest"),
        ({"temperature": 0}, {}, "temperature"),
        ({}, {"w1": np.zeros((5, 32), np.float32)}, "w1"),
        ({}, {"w3": np.zeros(17, np.float32)}, "w3"),
        ({}, {"w2": np.zeros(3, np.float32)}, "hidden"),
        ({}, {"skip": None}, "weights"),
        ({}, {"b1": np.full(32, np.nan, np.float32)}, "b1"),
        ({}, {"skip": np.zeros((ROWS, N + 1), np.float32)}, "skip"),
    ],
)
def test_what_does_not_fit_is_refused_before_compiled_code_sees_it(path, header, weights, says):
    rewrite(path, header, **weights)
    with pytest.raises(CheckpointError, match=says):
        load_ends(path)
    with pytest.raises(CheckpointError, match=says):
        agents.load(str(path))
