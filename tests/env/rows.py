"""The vector environment beside the library's: tables, play, and what has to be the same."""

import warnings

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from kalooki_env import actions, testing
from kalooki_env.agents.greedy import GreedyAgent
from kalooki_env.agents.random_agent import RandomAgent
from kalooki_env.single import KalookiEnv
from kalooki_env.vector import KalookiVectorEnv

NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode

SHORT = {"preset": "british", "out_above": 40}
TINY = {"preset": "british", "opening_points": 0, "hand_size": 3, "ranks": 5, "out_above": 60}
"""Deals that often end before the learner's first decision."""
TABLES = {
    "two seats, random": {},
    "against greedy, first seat": {"opponents": "greedy", "seat": 0},
    "three seats, win": {"seats": 3, "opponents": ["greedy", "random"], "reward": "win"},
    "five seats, chips": {"seats": 5, "reward": "chips", "opponents": "greedy"},
    "european": {"rules": "european", "seats": 4, "opponents": "greedy"},
    "contract": {"rules": "contract", "seats": 3, "opponents": "greedy", "reward": "win"},
    "north american": {"rules": "north_american", "opponents": "greedy"},
    "tiny deals": {"rules": TINY, "seats": 4, "opponents": "greedy"},
    "tiny deals, one turn": {"rules": {**TINY, "turn_cap": 1}, "seats": 3, "reward": "chips"},
    "tiny match": {"rules": TINY, "seats": 4, "episode": "match", "opponents": "greedy"},
    "tiny match, chips": {
        "rules": TINY,
        "seats": 4,
        "episode": "match",
        "reward": "chips",
        "opponents": "greedy",
    },
    "tiny match, win": {
        "rules": {**TINY, "buy_ins": 1},
        "seats": 4,
        "episode": "match",
        "reward": "win",
        "opponents": "greedy",
    },
    "tiny match, all losers out before, win": {
        "rules": {**TINY, "out_above": 30, "deals": 2, "buy_ins": 0},
        "seats": 3,
        "episode": "match",
        "reward": "win",
        "opponents": "greedy",
    },
    "tiny match with ties, win": {
        "rules": {**TINY, "match": "lowest", "out_above": None, "deals": 2, "buy_ins": 0},
        "seats": 4,
        "episode": "match",
        "reward": "win",
        "opponents": "greedy",
    },
    "turn cap": {"rules": {"preset": "british", "turn_cap": 6}, "seats": 3},
    "match": {"rules": SHORT, "seats": 3, "episode": "match", "opponents": "greedy"},
    "match, win": {"rules": SHORT, "episode": "match", "reward": "win", "opponents": "greedy"},
    "match, chips": {
        "rules": {**SHORT, "announce": "manual"},
        "seats": 4,
        "episode": "match",
        "reward": "chips",
        "opponents": ["greedy", "random", "greedy"],
    },
    "ring": {"rules": "ring51", "seats": 3, "episode": "match", "reward": "chips"},
    "tournament": {
        "rules": "tournament51",
        "seats": 3,
        "episode": "match",
        "reward": "win",
        "opponents": "greedy",
    },
}
MODES = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)


class AskedRandom(RandomAgent):
    """Not the built-in class, so the environment asks it."""


class AskedGreedy(GreedyAgent):
    """The same."""


def library(n, mode=NEXT_STEP, **arguments):
    """Make Gymnasium's own vector environment over single ones."""
    return SyncVectorEnv([lambda: KalookiEnv(**arguments)] * n, autoreset_mode=mode)


def choose(masks, rngs, illegal=0.0):
    """Choose an action for each row from its own stream, sometimes any."""
    return np.array(
        [
            int(rng.integers(actions.N)) if rng.random() < illegal else testing.sample(mask, rng)
            for mask, rng in zip(masks, rngs, strict=True)
        ]
    )


def streams(n):
    return [np.random.default_rng(i) for i in range(n)]


def play(envs, steps, illegal=0.0):
    """Play steps after a reset; yield the actions and what came back.

    With autoreset disabled, rows that have ended are dealt before the next step.
    """
    rngs = streams(envs.num_envs)
    for _ in range(steps):
        chosen = choose(envs.unwrapped.action_masks(), rngs, illegal)
        result = envs.step(chosen)
        yield chosen, result
        ended = result[2] | result[3]
        if ended.any() and envs.metadata["autoreset_mode"] is DISABLED:
            envs.reset(options={"reset_mask": ended})


def same(ours, theirs, where=""):
    """Check that two nested dicts of arrays are equal, types included."""
    assert sorted(ours) == sorted(theirs), where
    for key, value in ours.items():
        other = theirs[key]
        if isinstance(value, dict):
            same(value, other, f"{where}/{key}")
        elif value.dtype == object:
            assert [v is None for v in value] == [v is None for v in other]
            for i in np.flatnonzero(value):
                same(value[i], other[i], f"{where}/{key}[{i}]")
        else:
            assert value.dtype == other.dtype, f"{where}/{key}"
            assert np.array_equal(value, other), f"{where}/{key}: {value} != {other}"


def without_end_masks(infos_or_observations, ended):
    """Check that rows that have ended may only draw; return copies with zeros as elsewhere."""
    out = dict(infos_or_observations)
    masks = out["action_mask"].copy()
    assert (masks[ended].sum(axis=1) == 1).all() and masks[ended, actions.DRAW].all()
    masks[ended] = 0
    return out | {"action_mask": masks}


def same_results(ours, theirs, mode):
    """Check that both environments returned the same from a step, but for masks after an end."""
    observations, _, terminations, truncations, infos = ours
    ended = terminations | truncations
    if mode is SAME_STEP:
        infos = dict(infos)
        if ended.any():
            infos["final_info"] = without_end_masks(infos["final_info"], ended)
            infos["final_obs"] = infos["final_obs"].copy()
            for i in np.flatnonzero(ended):
                final = infos["final_obs"][i]
                assert final["action_mask"].nonzero()[0].tolist() == [actions.DRAW]
                infos["final_obs"][i] = final | {"action_mask": np.zeros_like(final["action_mask"])}
    else:
        observations = without_end_masks(observations, ended)
        infos = without_end_masks(infos, ended)
    same(observations, theirs[0], "observations")
    same(infos, theirs[4], "infos")
    for k in (1, 2, 3):
        assert ours[k].dtype == theirs[k].dtype and np.array_equal(ours[k], theirs[k])


def check_against_library(mode, steps, illegal=0.0, n=3, **arguments):
    """Play both environments with the same actions; return the episodes that ended."""
    envs = KalookiVectorEnv(n, autoreset_mode=mode, **arguments)
    others = library(n, mode, **arguments)
    ours, theirs = envs.reset(seed=11), others.reset(seed=11)
    same(ours[0], theirs[0], "observations")
    same(ours[1], theirs[1], "infos")
    episodes = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for chosen, result in play(envs, steps, illegal=illegal):
            same_results(result, others.step(chosen), mode)
            ended = result[2] | result[3]
            episodes += ended.sum()
            if mode is DISABLED and ended.any():
                others.reset(options={"reset_mask": ended.copy()})
    return episodes
