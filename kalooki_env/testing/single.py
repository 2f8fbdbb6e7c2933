"""The contract of the single-agent environment, one check for each promise."""

import copy
import pickle
from collections.abc import Callable, Iterator

import gymnasium
import numpy as np

from kalooki_env import actions
from kalooki_env.errors import IllegalMove
from kalooki_env.testing.driving import check_observation, game_of, sample

MakeSingle = Callable[[], gymnasium.Env]


def check_single(make: MakeSingle, seed: int = 0) -> None:
    """Run every check of a single-agent environment."""
    check_single_steps(make, seed)
    check_single_seeding(make, seed)
    check_single_copies(make, seed)
    check_single_illegal_actions(make, seed)


def play_single(env: gymnasium.Env, mask: np.ndarray, rng: np.random.Generator) -> Iterator[tuple]:
    """Play a reset environment to the end of its episode; yield what each step returned."""
    done = False
    while not done:
        result = env.step(sample(mask, rng))
        mask = result[0]["action_mask"].copy()
        done = result[2] or result[3]
        yield result


def trace_single(env: gymnasium.Env, seed: int | None, play_seed: int = 0) -> list[tuple]:
    """Reset and return one episode in plain values."""
    observation, _ = env.reset(seed=seed)
    return _rest_of_episode(env, observation["action_mask"], play_seed)


def _rest_of_episode(env: gymnasium.Env, mask: np.ndarray, seed: int) -> list[tuple]:
    return [
        (result[0]["action_mask"].tobytes(), result[0]["observation"].tobytes(), *result[1:4])
        for result in play_single(env, mask, np.random.default_rng(seed))
    ]


def check_single_steps(make: MakeSingle, seed: int = 0) -> None:
    """Check spaces, masks, infos and that no returned array changes later."""
    env = make()
    observation, info = env.reset(seed=seed)
    keys = list(info)
    kept: list[tuple[np.ndarray, np.ndarray]] = []
    results = play_single(env, observation["action_mask"], np.random.default_rng(seed))
    done = False
    while True:
        check_observation(observation, env.observation_space)
        mask = observation["action_mask"]
        assert mask.any() != done, f"{mask.sum()} legal actions, and the end is {done}"
        assert np.array_equal(env.get_wrapper_attr("action_masks")(), mask.astype(bool))
        assert np.array_equal(info["action_mask"], mask)
        assert list(info) == keys, f"expected the info keys {keys}, got {list(info)}"
        arrays = [*observation.values(), *(v for v in info.values() if isinstance(v, np.ndarray))]
        for array in arrays:
            assert not np.shares_memory(array, game_of(env).state), "an array is the game's own"
            assert not any(array is other for other, _ in kept), "an array was returned twice"
        kept += [(array, array.copy()) for array in arrays]
        if done:
            break
        observation, reward, terminated, truncated, info = next(results)
        assert type(reward) is float and type(terminated) is type(truncated) is bool
        assert not (terminated and truncated)
        done = terminated or truncated
        assert done or not reward or game_of(env).state["is_match"][0], "paid within a deal"
    for array, as_returned in kept:
        assert np.array_equal(array, as_returned), "a returned array changed later"


def check_single_seeding(make: MakeSingle, seed: int = 0) -> None:
    """Check that a seed settles this episode and the unseeded ones after it."""
    first, second = make(), make()
    second.reset(seed=seed + 1)
    episodes = [[trace_single(env, s) for s in (seed, None, None)] for env in (first, second)]
    assert episodes[0] == episodes[1], "the same seed gave different episodes"
    assert episodes[0][0] != episodes[0][1] != episodes[0][2], "an episode was repeated"
    assert trace_single(first, seed + 1) != episodes[0][0], "two seeds gave the same episode"


def check_single_copies(make: MakeSingle, seed: int = 0) -> None:
    """Check that deep copies and pickles in mid-game go on like the original."""
    env = make()
    observation, _ = env.reset(seed=seed)
    mask = observation["action_mask"]
    for _ in range(5):
        mask = env.step(sample(mask, np.random.default_rng(seed)))[0]["action_mask"]
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env]
    episodes = [_rest_of_episode(other, mask, seed) for other in copies]
    assert episodes[0] == episodes[1] == episodes[2], "a copy went on differently"
    after = [trace_single(other, None) for other in copies]
    assert after[0] == after[1] == after[2], "a copy lost the random stream"


def check_single_illegal_actions(make: MakeSingle, seed: int = 0) -> None:
    """Check that an illegal action ends the episode with a loss, or raises and changes nothing."""
    env = make()
    expected = trace_single(make(), seed)
    observation, _ = env.reset(seed=seed)
    before = game_of(env).to_bytes()
    for action in (int(np.flatnonzero(observation["action_mask"] == 0)[0]), actions.N, -1):
        env.reset(seed=seed)
        try:
            observation, reward, terminated, _, info = env.step(action)
        except IllegalMove:
            pass
        else:
            assert terminated and reward < 0 and info["illegal"], f"action {action} was accepted"
            assert not observation["action_mask"].any()
        assert game_of(env).to_bytes() == before, "an illegal action changed the game"
        assert trace_single(env, seed) == expected, "an illegal action outlived a reset"
