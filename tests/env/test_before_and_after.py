"""What the environments say before the first reset and at the end of a deal."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from pettingzoo.test import state_test

from kalooki_env import kalooki_v0, testing
from kalooki_env.single import KalookiEnv
from kalooki_env.vector import KalookiVectorEnv
from tests.env.rows import TINY

SIX = {"preset": "british", "max_seats": 6}

# Before the first reset


CALLS = {
    "observe": lambda env: env.observe("seat_0"),
    "step": lambda env: env.step(0),
    "state": lambda env: env.state(),
    "render": lambda env: env.render(),
    "game": lambda env: env.game,
    "last": lambda env: env.last(),
    "agent_iter": lambda env: env.agent_iter(),
}


@pytest.mark.parametrize("name", CALLS)
def test_before_the_first_reset_the_bare_environment_says_so(name):
    env = kalooki_v0.raw_env(seats=2, render_mode="ansi")
    told = rf"^expected reset\(\), got {name}.*: nothing has been dealt$"
    with pytest.raises(gymnasium.error.ResetNeeded, match=told):
        CALLS[name](env)


@pytest.mark.parametrize(
    "name",
    ["agents", "agent_selection", "num_agents", "rewards", "terminations", "truncations", "infos"],
)
def test_before_the_first_reset_there_are_no_agents(name):
    for env in (kalooki_v0.raw_env(), kalooki_v0.env()):
        assert not hasattr(env, name)


def test_before_the_first_reset_the_learners_environments_say_so():
    single, vector = KalookiEnv(render_mode="ansi"), KalookiVectorEnv(2, render_mode="ansi")
    for call in (
        lambda: single.game,
        lambda: single.step(0),
        single.render,
        single.action_masks,
        lambda: vector.game(0),
        lambda: vector.step([0, 0]),
        vector.render,
        vector.action_masks,
    ):
        with pytest.raises(
            gymnasium.error.ResetNeeded, match=r"^expected reset\(\), got .*: nothing"
        ):
            call()


# Attributes that libraries look for


def test_the_autoreset_mode_is_an_attribute_as_in_the_librarys_vector_environments():
    for mode in AutoresetMode:
        for given in (mode, mode.value):
            envs = KalookiVectorEnv(2, autoreset_mode=given)
            assert envs.autoreset_mode is envs.metadata["autoreset_mode"] is mode
    envs = gymnasium.make_vec("Kalooki-v0", num_envs=2, autoreset_mode="SameStep")
    assert envs.unwrapped.autoreset_mode is AutoresetMode.SAME_STEP
    assert "autoreset_mode" not in KalookiVectorEnv.metadata


class Obedient(kalooki_v0.raw_env):
    """Samples legal actions alone: the library's test knows no masks."""

    def action_space(self, agent):
        space = super().action_space(agent)
        mask = self.observe(agent)["action_mask"]

        class Legal:
            def sample(self):
                return int(space.sample(mask))

        return Legal()


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("make", [kalooki_v0.env, kalooki_v0.raw_env, Obedient])
def test_the_librarys_state_test_passes(make, seats, recwarn):
    env = make(SIX, seats)
    if make is kalooki_v0.raw_env:  # an action that is not legal is an error here
        env.reset(seed=0)
        assert env.state_space.contains(env.state())
        assert env.state_space.shape == env.state().shape
    else:
        state_test(env, make(SIX, seats), num_cycles=200)
    assert env.state_space is env.state_space
    assert not [warning for warning in recwarn if "tate" in str(warning.message)]


def test_the_state_of_a_match_keeps_its_shape_when_seats_leave():
    env = kalooki_v0.raw_env(TINY, 4, episode="match")
    env.reset(seed=0)
    for _ in testing.play(env, np.random.default_rng(0)):
        assert env.state_space.contains(env.state())


# How a deal ended

KEYS = ["winner", "penalties", "kalooki", "void", "cut"]


def outcome(game):
    """Return what infos say of a deal that has just ended in a game."""
    record = game.state[0]
    return {
        "winner": int(record["winner"]),
        "penalties": record["penalties"][: game.seats].tolist(),
        "kalooki": bool(record["is_kalooki"]),
        "void": bool(record["is_void"]),
        "cut": bool(record["is_cut"]),
    }


def plain(info):
    """Return an info in values that can be compared, its types checked."""
    assert list(info) == KEYS
    assert info["penalties"].dtype == np.int64
    assert [type(info[key]) for key in KEYS if key != "penalties"] == [int, bool, bool, bool]
    return info | {"penalties": info["penalties"].tolist()}


TABLES = {
    "won": {"rules": TINY, "seats": 3},
    "cut": {"rules": {"preset": "british", "turn_cap": 5}, "seats": 2},
    "void": {"rules": {"preset": "british", "max_rebuilds": 0}, "seats": 5},
}


@pytest.mark.parametrize("make", [kalooki_v0.env, kalooki_v0.raw_env])
@pytest.mark.parametrize("how", TABLES)
def test_at_the_end_every_agent_is_told_how_the_deal_ended(make, how):
    env = make(**TABLES[how])
    seats = TABLES[how]["seats"]
    nothing = {
        "winner": -1,
        "penalties": [0] * seats,
        "kalooki": False,
        "void": False,
        "cut": False,
    }
    seen = set()
    for seed in range(4):
        env.reset(seed=seed)
        told = []
        for step in testing.play(env, np.random.default_rng(seed)):
            if step.action is not None:
                assert all(plain(info) == nothing for info in env.infos.values())
            else:
                game = env.unwrapped.game
                told.append(plain(step.info))
                assert told[-1] == outcome(game)
                assert len({id(info["penalties"]) for info in env.infos.values()}) == len(env.infos)
        assert len(told) == seats
        ended = told[0]
        seen.add("cut" if ended["cut"] else "void" if ended["void"] else "won")
        assert (ended["winner"] >= 0) == (not ended["cut"] and not ended["void"])
    assert how in seen


def test_in_a_match_each_seat_is_told_until_it_has_moved(monkeypatch):
    env = kalooki_v0.raw_env(TINY | {"out_above": 200}, 3, episode="match")
    env.reset(seed=3)
    ends, outcome_of_deal = [], env._episode._outcome
    monkeypatch.setattr(
        env._episode, "_outcome", lambda: ends.append(outcome_of_deal()) or ends[-1]
    )
    nothing = plain(env._episode.no_outcome())
    expected = dict.fromkeys(env.agents, nothing)
    rng = np.random.default_rng(3)
    while env.agents:
        assert {agent: plain(info) for agent, info in env.infos.items()} == expected
        mover, before = env.agent_selection, len(ends)
        seen, _, *finished, _ = env.last()
        env.step(None if any(finished) else testing.sample(seen["action_mask"], rng))
        if any(finished):
            del expected[mover]
        elif len(ends) > before:
            expected = dict.fromkeys(expected, plain(ends[-1]))
        else:
            expected[mover] = nothing
    assert len(ends) > 6


def test_the_learners_environments_tell_it_in_the_same_words():
    for seed in range(3):
        single = KalookiEnv(TINY, 3, seat=0)
        seen, _ = single.reset(seed=seed)
        aec = kalooki_v0.raw_env(TINY, 3)
        done = False
        while not done:
            seen, _, terminated, truncated, info = single.step(int(seen["action_mask"].argmax()))
            done = terminated or truncated
        aec.reset(seed=seed)
        assert list(aec.infos["seat_0"]) == [key for key in info if key in KEYS]
        assert {key: type(value) for key, value in aec.infos["seat_0"].items()} == {
            key: type(info[key]) for key in KEYS
        }
