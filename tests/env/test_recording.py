"""Environments that record: every episode is in the file, as it was played."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest

from kalooki_env import Game, Rules, actions, kalooki_v0, records, testing
from kalooki_env.errors import RecordError
from kalooki_env.single import KalookiEnv


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.jsonl"


def play(env, seed, steps=100_000):
    env.reset(seed=seed)
    for _ in testing.play(env, np.random.default_rng(0), steps):
        pass


def play_single(env, seed=None, steps=100_000):
    observation, info = env.reset(seed=seed)
    rng, done = np.random.default_rng(0), False
    while not done and steps:
        action = testing.sample(observation["action_mask"], rng)
        observation, _, terminated, truncated, info = env.step(action)
        done, steps = terminated or truncated, steps - 1
    return info


@pytest.mark.parametrize(
    "table",
    [
        {"rules": "british", "seats": 2},
        {"rules": "contract", "seats": 3},
        {"rules": {"preset": "british", "announce": "manual"}, "seats": 3},
        {"rules": {"preset": "british", "out_above": 40}, "seats": 3, "episode": "match"},
    ],
    ids=str,
)
def test_every_episode_is_recorded_and_verified(table, path):
    env = kalooki_v0.env(**table, record=path)
    ends = []
    for seed in (1, 2):
        play(env, seed)
        ends.append(env.unwrapped.game.result)
        assert len(records.read(path)) == seed
    games = records.read(path)
    assert records.verify(path).games == 2
    for seed, game, end in zip((1, 2), games, ends, strict=True):
        assert game.over
        assert (game.seed, game.rules) == (seed, env.unwrapped.rules)
        assert game.names == tuple(env.possible_agents)
        last = game.results[-1]
        assert last == {key: end[key] for key in last}


def test_an_episode_without_a_seed_is_recorded_with_the_one_that_was_drawn(path):
    env = kalooki_v0.raw_env(seats=2, record=path)
    play(env, 1)
    env.reset()
    dealt = env.game.clone()
    for _ in testing.play(env, np.random.default_rng(0)):
        pass
    assert records.read(path)[1].game() == dealt


def test_the_contract_that_was_asked_for_is_recorded(path):
    env = kalooki_v0.raw_env("contract", seats=2, record=path)
    env.reset(seed=3, options={"deal": 4})
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    env.close()
    [game] = records.read(path)
    assert (game.deal, game.deals[0].number) == (4, 4)
    assert records.verify(path).moves == 1


@pytest.mark.parametrize("leave", ["reset", "close"])
def test_an_episode_that_is_left_is_recorded_as_far_as_it_went(leave, path):
    env = kalooki_v0.env(seats=2, record=path)
    play(env, 1, steps=5)
    getattr(env, leave)()
    env.close()
    [game] = records.read(path)
    assert game.over is False
    assert records.verify(path).moves == len(game.moves) > 0


def test_an_episode_without_a_move_leaves_nothing(path):
    env = kalooki_v0.env(seats=2, record=path)
    env.reset(seed=1)
    env.reset(seed=2)
    env.close()
    assert not path.exists()


def test_an_illegal_action_ends_the_record_before_it(path):
    env = kalooki_v0.env(seats=2, record=path)
    env.reset(seed=3)
    env.step(actions.DRAW)
    env.step(actions.DRAW)
    for _ in env.agent_iter():
        env.step(None)
    env.close()
    [game] = records.read(path)
    assert [move for _, move in game.moves] == ["draw"]
    assert game.over is False


def test_a_copy_goes_on_with_the_record_of_its_own(path):
    env = kalooki_v0.raw_env(seats=2, record=path)
    play(env, 5, steps=9)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for number, table in enumerate([env, *others]):
        for _ in testing.play(table, np.random.default_rng(number)):
            pass
    games = records.read(path)
    assert records.verify(path).games == len(games) == 3
    assert all(game.over for game in games)
    assert games[0].moves[:5] == games[1].moves[:5] == games[2].moves[:5]
    assert games[0].moves != games[1].moves


def test_a_game_that_was_changed_from_outside_cannot_be_recorded(path):
    env = kalooki_v0.raw_env(seats=2, record=path)
    env.reset(seed=1)
    position = {"rules": "british", "hands": ["JS 2C", "KH 9D"], "phase": "play"}
    env._episode.game = Game.from_position(position, episode="deal")
    with pytest.raises(RecordError, match="changed otherwise"):
        env.step(actions.discard_id(1))


def test_the_learner_and_its_opponents_are_named(path):
    env = gymnasium.make(
        "Kalooki-v0", seats=3, seat=1, opponents=["greedy", "random"], record=str(path)
    )
    info = play_single(env, seed=4)
    [game] = [game for game in records.read(path) if game.seed == 4]
    assert game.names == ("random", "learner", "greedy")
    assert (-1 if game.results[0]["winner"] is None else game.results[0]["winner"]) == info[
        "winner"
    ]
    assert records.verify(path).games >= 1


def test_single_episodes_that_are_over_or_left_are_recorded(path):
    env = KalookiEnv(Rules.preset("british", turn_cap=20), seat=0, record=path)
    for seed in range(3):
        play_single(env, seed)
    with pytest.warns(UserWarning, match="illegal action"):
        env.reset(seed=3)
        env.step(0)
        env.step(0)
    env.close()
    games = records.read(path)
    assert [game.over for game in games] == [True, True, True, False]
    assert records.verify(path).games == 4


def test_environments_share_a_file(path):
    envs = gymnasium.make_vec("Kalooki-v0", num_envs=3, vectorization_mode="sync", record=str(path))
    observation, _ = envs.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(150):
        chosen = [testing.sample(m, rng) if m.any() else 0 for m in observation["action_mask"]]
        observation, *_ = envs.step(np.array(chosen))
    envs.close()
    assert records.verify(path).games >= 3


@pytest.mark.parametrize("make", [kalooki_v0.env, KalookiEnv])
def test_a_file_that_cannot_be_added_to_is_refused_at_once(make, tmp_path):
    (tmp_path / "diary").write_text("dear diary\n")
    for name in ("diary", ".", "missing/games"):
        with pytest.raises(RecordError, match="expected "):
            make(seats=2, record=tmp_path / name)
