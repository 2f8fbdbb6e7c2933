"""The contract of the AEC environment, one check for each promise."""

import copy
import pickle
import random
from collections.abc import Callable

import numpy as np
from pettingzoo import AECEnv

from kalooki_env.errors import IllegalMove
from kalooki_env.testing.driving import (
    block_at,
    check_observation,
    game_of,
    plain,
    play,
    shuffle_hidden,
    trace,
    trace_after_reset,
)

Make = Callable[[], AECEnv]


def check_aec(make: Make, seed: int = 0) -> None:
    """Run every check of an AEC environment."""
    check_observations(make, seed)
    check_fresh_arrays(make, seed)
    check_observe_changes_nothing(make, seed)
    check_rewards(make, seed)
    check_life_cycle(make, seed)
    check_seeding(make, seed)
    check_reset(make, seed)
    check_independence(make, seed)
    check_hidden_cards(make, seed)
    check_copies(make, seed)
    check_illegal_actions(make, seed)


def check_observations(make: Make, seed: int = 0) -> None:
    """Check keys, types and masks of every seat at every step; off its move a mask is zero."""
    env = make()
    env.reset(seed=seed)
    for step in play(env, np.random.default_rng(seed)):
        over = step.terminated or step.truncated
        for agent in env.agents:
            observation = env.observe(agent)
            check_observation(observation, env.observation_space(agent))
            may_move = agent == step.agent and not over
            assert observation["action_mask"].any() == may_move, (
                f"expected {'a' if may_move else 'no'} legal action for {agent}, with "
                f"{step.agent} to move; got {np.flatnonzero(observation['action_mask'])}"
            )


def check_fresh_arrays(make: Make, seed: int = 0) -> None:
    """Check that nothing returned changes later or shares memory with anything else."""
    env = make()
    env.reset(seed=seed)
    kept: list[tuple[np.ndarray, np.ndarray]] = []
    for step in play(env, np.random.default_rng(seed)):
        again = env.observe(step.agent)
        for key, array in step.observation.items():
            assert not np.shares_memory(array, again[key]), f"{key}: two calls share memory"
            assert not np.shares_memory(array, game_of(env).state), (
                f"{key} shares the game's memory"
            )
            kept.append((array, array.copy()))
    for array, as_returned in kept:
        assert np.array_equal(array, as_returned), "a returned array changed later"
    for array, _ in kept:
        array.fill(77)
    assert trace_after_reset(env, seed) == trace_after_reset(make(), seed), (
        "writing into returned arrays changed the environment"
    )


def check_observe_changes_nothing(make: Make, seed: int = 0) -> None:
    """Check that observing, rendering and masks leave the game's bytes as they are."""
    env = make()
    env.reset(seed=seed)
    for step in play(env, np.random.default_rng(seed)):
        game = game_of(env)
        before = game.to_bytes()
        for agent in env.agents:
            env.observe(agent)
        env.state()
        for seat in range(game.seats):
            game.render(seat)
            game.action_mask(seat)
        assert game.to_bytes() == before, f"observing changed the game, {step.agent} to move"
        after = env.observe(step.agent)
        for key, array in step.observation.items():
            assert np.array_equal(array, after[key]), f"{key} differs when asked for again"


def check_rewards(make: Make, seed: int = 0, episodes: int = 3) -> None:
    """Check that `last()` hands every seat all that the steps paid it, once, when a deal ended."""
    env = make()
    for episode in range(episodes):
        env.reset(seed=seed + episode)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        seen = dict.fromkeys(env.possible_agents, 0.0)
        for step in play(env, np.random.default_rng([seed, episode])):
            seen[step.agent] += step.reward
            for agent, reward in env.rewards.items():
                paid[agent] += reward
            game = game_of(env)
            if any(env.rewards.values()):
                assert game.deal_over or game.state["turn"][0] == 1, "paid within a deal"
        for agent in env.possible_agents:
            assert np.isclose(paid[agent], seen[agent]), (
                f"{agent}: the steps paid {paid[agent]}, last() returned {seen[agent]}"
            )


def check_life_cycle(make: Make, seed: int = 0) -> None:
    """Check that every agent gets exactly one None step, and that a reset restores all."""
    env = make()
    for episode in range(2):
        env.reset(seed=seed + episode)
        assert env.agents == env.possible_agents
        last_steps = [
            step.agent for step in play(env, np.random.default_rng(seed)) if step.action is None
        ]
        assert sorted(last_steps) == sorted(env.possible_agents), (
            f"expected one None step for each agent, got {last_steps}"
        )
        assert env.agents == [], f"expected no agents after the end, got {env.agents}"
        for name in ("rewards", "terminations", "truncations", "infos"):
            assert getattr(env, name) == {}, f"{name} kept an agent after the end"


def check_seeding(make: Make, seed: int = 0) -> None:
    """Check that a seed settles its episode and the unseeded ones after it, and others differ."""
    first, second = make(), make()
    second.reset(seed=seed + 1)
    second.reset()
    traces = [trace_after_reset(first, seed), trace_after_reset(second, seed)]
    assert traces[0] == traces[1], "the same seed gave two different episodes"
    for env in (first, second):
        env.reset()
        traces.append(trace(env, seed))
    assert traces[2] == traces[3], "the episode after a seeded one was not settled by its seed"
    assert traces[2] != traces[0], "a reset without a seed repeated the last episode"
    assert trace_after_reset(first, seed + 1) != traces[0], "two seeds gave the same episode"


def check_reset(make: Make, seed: int = 0) -> None:
    """Check that a reset in the middle of an episode gives what a new environment gives."""
    used, fresh = make(), make()
    used.reset(seed=seed + 1)
    trace(used, seed, max_steps=50)
    used.reset(seed=seed)
    fresh.reset(seed=seed)
    assert game_of(used).to_bytes() == game_of(fresh).to_bytes(), "reset left something behind"
    assert trace(used, seed) == trace(fresh, seed), "reset left something behind"


def check_independence(make: Make, seed: int = 0) -> None:
    """Check that interleaved environments do not disturb each other, nor global random streams."""
    expected = trace_after_reset(make(), seed)
    state = random.getstate(), np.random.get_state()
    envs = make(), make()
    envs[0].reset(seed=seed)
    envs[1].reset(seed=seed + 1)
    other = play(envs[1], np.random.default_rng(seed))
    seen = []
    for step in play(envs[0], np.random.default_rng(seed)):
        seen.append(plain(step))
        next(other, None)
    assert seen == expected, "another environment, or the global seed, changed an episode"
    assert random.getstate() == state[0], "the global stream of `random` was used"
    for now, before in zip(np.random.get_state(), state[1], strict=True):
        assert np.array_equal(now, before), "the global stream of NumPy was used"


def check_hidden_cards(make: Make, seed: int = 0, every: int = 7) -> None:
    """Check that cards a seat cannot see leave no trace in its observation, mask or picture."""
    env = make()
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for number, step in enumerate(play(env, np.random.default_rng(seed))):
        if step.action is None or number % every:
            continue
        game = game_of(env)
        for seat in range(game.seats):
            other = shuffle_hidden(game, seat, rng)
            differs = np.flatnonzero(game.observation(seat) != other.observation(seat))
            blocks = sorted({block_at(entry) for entry in differs})
            assert not blocks, f"seat {seat} sees hidden cards in {', '.join(blocks)}"
            same_mask = np.array_equal(game.action_mask(seat), other.action_mask(seat))
            assert same_mask, f"seat {seat} sees hidden cards in its mask"
            assert game.render(seat) == other.render(seat), f"seat {seat} is shown hidden cards"


def check_copies(make: Make, seed: int = 0) -> None:
    """Check that deep copies and pickles go on like the original, and without touching it."""
    env = make()
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for number, _ in enumerate(play(env, rng, max_steps=60)):
        if number % 20 != 10:
            continue
        copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        before = game_of(env).to_bytes()
        traces = [trace(other, seed) for other in copies]
        assert game_of(env).to_bytes() == before, "playing a copy changed the original"
        assert traces[0] == traces[1], "a deep copy and a pickle went on differently"
        for other in copies:
            other.reset()
        assert trace(copies[0], seed) == trace(copies[1], seed), "copies lost the random stream"
        assert trace(copy.deepcopy(env), seed) == traces[0], "a copy was not the original's state"


def check_illegal_actions(make: Make, seed: int = 0) -> None:
    """Check that an illegal action loses or raises, changes no card, and that a reset mends all."""
    env = make()
    expected = trace_after_reset(make(), seed)
    rng = np.random.default_rng(seed)
    for number in (0, 7, 23):
        env.reset(seed=seed)
        trace(env, seed, max_steps=number)
        agent, before = env.agent_selection, game_of(env).to_bytes()
        mask = env.observe(agent)["action_mask"]
        try:
            env.step(int(rng.choice(np.flatnonzero(mask == 0))))
        except IllegalMove:
            assert env.agent_selection == agent and not any(env.terminations.values())
        else:
            assert all(env.terminations.values()), "an illegal action was played or ignored"
            assert all(not env.observe(agent)["action_mask"].any() for agent in env.agents)
            assert min(env.rewards, key=env.rewards.get) == agent and env.rewards[agent] < 0
            assert len(list(play(env, np.random.default_rng(seed)))) == len(env.possible_agents)
        assert game_of(env).to_bytes() == before, "an illegal action changed the game"
        assert trace_after_reset(env, seed) == expected, "an illegal action outlived a reset"
