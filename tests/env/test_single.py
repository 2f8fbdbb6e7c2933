"""The single-agent environment keeps its contract."""

import json

import gymnasium
import numpy as np
import pytest

from kalooki_env import Game, IllegalMove, Rules, actions, agents, testing
from kalooki_env.single import KalookiEnv

TABLES = {
    "against random": {},
    "against greedy, first seat": {"opponents": "greedy", "seat": 0},
    "three seats, win": {"seats": 3, "opponents": ["greedy", "random"], "reward": "win"},
    "five seats, chips": {"seats": 5, "reward": "chips"},
    "raising": {"illegal": "raise"},
    "a short match": {"rules": {"preset": "british", "out_above": 40}, "episode": "match"},
}
CHECKS = [getattr(testing, name) for name in testing.__all__ if name.startswith("check_single_")]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("wrapped", [False, True], ids=["bare", "wrapped"])
def test_contract(check, table, wrapped):
    def make():
        if wrapped:
            return gymnasium.make("Kalooki-v0", **TABLES[table])
        return KalookiEnv(**TABLES[table])

    check(make, seed=5)


def play(env, seed):
    """Play one episode and return the rewards of its steps and the last info."""
    observation, info = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    rewards, done = [], False
    while not done:
        action = testing.sample(observation["action_mask"], rng)
        observation, reward, terminated, truncated, info = env.step(action)
        rewards.append(reward)
        done = terminated or truncated
    return rewards, info


@pytest.mark.parametrize("seats", [2, 4])
def test_the_reward_is_the_learners_share_of_the_deal(seats):
    env = KalookiEnv(seats=seats, opponents="greedy")
    won = 0
    for seed in range(20):
        rewards, info = play(env, seed)
        assert not any(rewards[:-1])
        penalties, seat = info["penalties"], info["seat"]
        if info["winner"] == seat:
            won += 1
            assert rewards[-1] == pytest.approx(penalties.sum() / 100)
        else:
            assert rewards[-1] == pytest.approx(-penalties[seat] / 100)
    assert won < 20


def test_a_match_pays_the_learner_its_ledger():
    env = KalookiEnv(seats=3, episode="match", reward="chips", opponents="greedy")
    for seed in range(3):
        rewards, info = play(env, seed)
        assert sum(rewards) == env.game.state["money"][0, info["seat"]]
        assert env.game.over


def test_the_learner_sits_where_it_is_told_or_anywhere():
    fixed = KalookiEnv(seats=4, seat=2)
    assert {fixed.reset()[1]["seat"] for _ in range(10)} == {2}
    free = KalookiEnv(seats=4)
    free.reset(seed=0)
    assert {free.reset()[1]["seat"] for _ in range(60)} == {0, 1, 2, 3}


def test_opponents_sit_clockwise_from_the_learners_left():
    class Recorder:
        def __init__(self, name):
            self.name = name
            self.seats = set()

        def act(self, game, seat):
            self.seats.add(seat)
            return int(game.legal_actions()[0])

    recorders = [Recorder("left"), Recorder("across"), Recorder("right")]
    env = KalookiEnv(seats=4, seat=1, opponents=recorders)
    play(env, 3)
    assert [recorder.seats for recorder in recorders] == [{2}, {3}, {0}]


def test_one_agent_may_play_all_other_seats():
    env = KalookiEnv(seats=3, opponents=agents.load("greedy", seed=4))
    play(env, 0)


def test_the_learner_is_to_move_at_every_observation():
    env = KalookiEnv(seats=3, opponents="greedy")
    for seed in range(5):
        observation, info = env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        done = False
        while not done:
            assert env.game.to_move == info["seat"]
            assert np.array_equal(observation["observation"], env.game.observation(info["seat"]))
            action = testing.sample(observation["action_mask"], rng)
            observation, _, terminated, truncated, info = env.step(action)
            done = terminated or truncated


def test_an_illegal_action_loses_or_raises():
    env = KalookiEnv(seat=0)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="illegal action"):
        _, reward, terminated, truncated, info = env.step(actions.DISCARD)
    assert (reward, terminated, truncated, info["illegal"]) == (-1.48, True, False, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    strict = KalookiEnv(seat=0, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalMove):
        strict.step(actions.DISCARD)
    strict.step(actions.DRAW)


def test_a_deal_at_the_turn_cap_is_truncated():
    env = KalookiEnv(Rules.preset("british", turn_cap=4))
    observation, _ = env.reset(seed=1)
    done = False
    while not done:
        action = int(np.flatnonzero(observation["action_mask"])[-1])
        observation, reward, terminated, truncated, info = env.step(action)
        done = terminated or truncated
    assert truncated and not terminated and info["cut"] and reward == 0
    assert not observation["action_mask"].any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponents": ["random"], "seats": 3}, "a list of 2 for 3 seats, got a list of 1"),
        ({"opponents": "nobody"}, "nobody"),
        ({"opponents": 3}, "opponents: expected names or objects with act"),
        ({"seat": 2}, "seat: expected None or 0-1, got 2"),
        ({"illegal": "ignore"}, "illegal: expected one of lose, raise"),
        ({"seats": 1}, "seats: expected 2-5"),
    ],
)
def test_arguments_out_of_range_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        KalookiEnv(**arguments)


def test_an_unknown_option_is_an_error():
    with pytest.raises(ValueError, match="expected 'deal' or nothing, got 'reset_mask'"):
        KalookiEnv().reset(seed=0, options={"reset_mask": [True]})


def test_action_masks_are_found_through_wrappers():
    env = gymnasium.make("Kalooki-v0")
    env = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.wrappers.TimeLimit(env, 1000))
    observation, _ = env.reset(seed=0)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == bool
    assert np.array_equal(masks, observation["action_mask"] == 1)


def test_the_spec_survives_json():
    env = gymnasium.make("Kalooki-v0", seats=3, opponents="greedy")
    spec = gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json())
    again = gymnasium.make(spec)
    assert json.loads(env.spec.to_json()) == json.loads(again.spec.to_json())
    assert len(again.reset(seed=0)[1]["penalties"]) == 3


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_library_vector_environments(mode):
    envs = gymnasium.make_vec("Kalooki-v0", num_envs=2, vectorization_mode=mode, seats=3)
    observation, info = envs.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(100):
        # After an episode's end the library plays no action but resets, so any will do.
        chosen = [testing.sample(m, rng) if m.any() else 0 for m in observation["action_mask"]]
        observation, _, _, _, info = envs.step(np.array(chosen))
    assert info["penalties"].shape == (2, 3)
    envs.close()


def test_ansi_shows_the_learners_view():
    env = gymnasium.make("Kalooki-v0", seats=2, seat=1, render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == env.unwrapped.game.render(1)
    env.close()
    env.close()


def test_the_learner_plays_the_seeds_deal():
    env = KalookiEnv(seats=2, seat=0)
    env.reset(seed=12)
    deal = Game(env.rules, seats=2, seed=12)
    assert env.game.state["key"][0] == deal.state["key"][0]


def test_a_refused_action_leaves_the_picture_as_it_was():
    env = KalookiEnv("british", seats=3, illegal="raise", render_mode="rgb_array")
    env.reset(seed=4)
    shown = env.render()
    with pytest.raises(IllegalMove):
        env.step(int(np.flatnonzero(~env.action_masks())[0]))
    assert (env.render() == shown).all()
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert (env.render() != shown).any()
