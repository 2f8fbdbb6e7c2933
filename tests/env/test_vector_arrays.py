"""What the vector environment returns: spaces, arrays of its own, copies, wrappers."""

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

from kalooki_env import actions, observation
from kalooki_env.single import KalookiEnv
from kalooki_env.vector import KalookiVectorEnv
from tests.env.rows import (
    DISABLED,
    MODES,
    NEXT_STEP,
    SAME_STEP,
    SHORT,
    AskedGreedy,
    choose,
    library,
    play,
    same,
    streams,
)


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("own", [False, True])
def test_observations_lie_in_their_spaces(dtype, own):
    envs = KalookiVectorEnv(3, observation_dtype=dtype, copy=not own, opponents="greedy")
    envs.reset(seed=1)
    for chosen, result in play(envs, 60):
        assert envs.action_space.contains(chosen)
        assert envs.observation_space.contains(result[0])
        for i, row in enumerate(gymnasium.vector.utils.iterate(envs.observation_space, result[0])):
            assert envs.single_observation_space.contains(row), i


def test_float_observations_are_scaled():
    whole = KalookiVectorEnv(3, opponents="greedy", autoreset_mode="SameStep")
    scaled = KalookiVectorEnv(
        3, opponents="greedy", autoreset_mode="SameStep", observation_dtype="float32"
    )
    whole.reset(seed=2)
    scaled.reset(seed=2)
    ends = 0
    for chosen, (seen, *_, infos) in play(whole, 150):
        floats, *_, float_infos = scaled.step(chosen)
        assert np.array_equal(floats["observation"], seen["observation"] * observation.scales())
        assert np.array_equal(floats["action_mask"], seen["action_mask"])
        for i in np.flatnonzero(infos.get("_final_obs", ())):
            ends += 1
            final = infos["final_obs"][i]["observation"] * observation.scales()
            assert np.array_equal(float_infos["final_obs"][i]["observation"], final)
    assert ends


def arrays_of(value):
    """Return every array in nested dicts and arrays of dicts."""
    if isinstance(value, dict):
        return [array for each in value.values() for array in arrays_of(each)]
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [array for each in value if each is not None for array in arrays_of(each)]
    return [value]


@MODES
def test_nothing_returned_changes_later_and_nothing_written_matters(mode):
    envs = KalookiVectorEnv(3, SHORT, opponents="greedy", autoreset_mode=mode)
    untouched = KalookiVectorEnv(3, SHORT, opponents="greedy", autoreset_mode=mode)
    seen, infos = envs.reset(seed=5)
    untouched.reset(seed=5)
    kept, written = [], 0
    arrays = [*arrays_of(seen), *arrays_of(infos)]
    for chosen, expected in play(untouched, 120):
        kept += [(array, array.copy()) for array in arrays]
        result = envs.step(chosen)
        same(result[0], expected[0])
        same(result[4], expected[4])
        ended = result[2] | result[3]
        if mode is DISABLED and ended.any():
            again, infos = envs.reset(options={"reset_mask": ended})
            kept += [(array, array.copy()) for array in (*arrays_of(again), *arrays_of(infos))]
        arrays = [*arrays_of(result[0]), *result[1:4], *arrays_of(result[4])]
        if written < 60:  # what a caller does with its arrays is its own affair
            written += 1
            for array in arrays:
                array[...] = 1
    for array, as_returned in kept:
        assert np.array_equal(array, as_returned), "a returned array changed later"


def test_without_copy_the_arrays_are_the_environments_own():
    envs = KalookiVectorEnv(3, opponents="greedy", copy=False)
    fresh = KalookiVectorEnv(3, opponents="greedy")
    first, _ = envs.reset(seed=5)
    fresh.reset(seed=5)
    rewards = []
    for chosen, expected in play(fresh, 100):
        result = envs.step(chosen)
        same(result[0], expected[0])
        for key, array in result[0].items():
            assert array is first[key]
        rewards.append((result[1], expected[1]))
    for ours, theirs in rewards:
        assert np.array_equal(ours, theirs)


def test_with_auto_play_every_observation_has_a_choice():
    """The same game, without the decisions that are none."""
    arguments = {"seats": 3, "opponents": "greedy", "seat": 1, "reward": "win"}
    envs = KalookiVectorEnv(1, auto_play=True, autoreset_mode=SAME_STEP, **arguments)
    single = KalookiEnv(**arguments)
    envs.reset(seed=6)
    expected, _ = single.reset(seed=6)
    ends = 0

    def go_on(mask, done, paid):
        while not done and mask.sum() == 1:
            step = single.step(int(mask.argmax()))
            mask, done, paid = step[0]["action_mask"], step[2] or step[3], paid + step[1]
        return mask, done, paid

    go_on(expected["action_mask"], False, 0)
    for chosen, (seen, rewards, *ended, _) in play(envs, 150):
        assert (seen["action_mask"].sum(axis=1) > 1).all()
        step = single.step(int(chosen[0]))
        _, done, paid = go_on(step[0]["action_mask"], step[2] or step[3], step[1])
        assert (rewards[0], ended[0][0] or ended[1][0]) == (paid, done)
        if done:
            ends += 1
            first, _ = single.reset()
            go_on(first["action_mask"], False, 0)
        assert np.array_equal(single.game.observation(1), seen["observation"][0])
        assert np.array_equal(single.action_masks(), envs.action_masks()[0])
    assert ends > 1


def test_copies_and_pickles_go_on_like_the_original():
    envs = KalookiVectorEnv(3, SHORT, 3, ["greedy", AskedGreedy()], episode="match", copy=False)
    envs.reset(seed=8)
    list(play(envs, 10))
    copies = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs)), envs]

    def trace(each):
        return [(result[0]["observation"].copy(), result[1]) for _, result in play(each, 200)]

    traces = [trace(each) for each in copies]
    assert sum(reward.any() for _, reward in traces[2]) > 3
    for each in traces[:2]:
        for (seen, rewards), (other, paid) in zip(each, traces[2], strict=True):
            assert np.array_equal(seen, other) and np.array_equal(rewards, paid)


def test_ansi_shows_what_each_learner_sees():
    envs = gymnasium.make_vec("Kalooki-v0", num_envs=2, seats=3, render_mode="ansi")
    _, infos = envs.reset(seed=0)
    expected = tuple(envs.game(i).render(int(infos["seat"][i])) for i in range(2))
    assert envs.render() == expected
    envs.close()
    envs.close()
    silent = KalookiVectorEnv()
    silent.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert silent.render() is None


def test_make_vec_gives_the_native_environment_by_default():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = gymnasium.make_vec("kalooki_env:Kalooki-v0", num_envs=4, opponents="greedy")
        same_step = gymnasium.make_vec("Kalooki-v0", num_envs=2, autoreset_mode="SameStep")
    assert type(envs) is KalookiVectorEnv and envs.num_envs == 4
    assert envs.metadata["autoreset_mode"] is NEXT_STEP
    assert same_step.metadata["autoreset_mode"] is SAME_STEP
    named = gymnasium.make_vec("Kalooki-v0", vectorization_mode="vector_entry_point")
    assert type(named) is KalookiVectorEnv
    sync = gymnasium.make_vec("Kalooki-v0", num_envs=2, vectorization_mode="sync")
    assert type(sync) is SyncVectorEnv and type(sync.envs[0].unwrapped) is KalookiEnv
    assert sync.single_observation_space == envs.single_observation_space
    assert sync.action_space == KalookiVectorEnv(2).action_space
    assert sync.observation_space == KalookiVectorEnv(2).observation_space


def test_the_spec_survives_json():
    envs = gymnasium.make_vec("Kalooki-v0", num_envs=3, seats=3, autoreset_mode="Disabled")
    spec = gymnasium.envs.registration.EnvSpec.from_json(envs.spec.to_json())
    again = gymnasium.make_vec(spec)
    assert type(again) is KalookiVectorEnv and again.num_envs == 3
    assert again.metadata["autoreset_mode"] is DISABLED
    assert again.reset(seed=0)[1]["penalties"].shape == (3, 3)


@pytest.mark.parametrize("mode", [NEXT_STEP, SAME_STEP], ids=lambda mode: mode.value)
def test_the_librarys_statistics_count_our_episodes(mode):
    arguments = {"rules": SHORT, "opponents": "greedy", "episode": "match"}
    ours = wrappers.RecordEpisodeStatistics(
        KalookiVectorEnv(3, autoreset_mode=mode, **arguments), buffer_length=1000
    )
    theirs = wrappers.RecordEpisodeStatistics(library(3, mode, **arguments), buffer_length=1000)
    ours.reset(seed=9)
    theirs.reset(seed=9)
    for chosen, _ in play(ours, 250):
        theirs.step(chosen)
    assert len(ours.return_queue) > 3
    assert list(ours.return_queue) == list(theirs.return_queue)
    assert list(ours.length_queue) == list(theirs.length_queue)


def test_the_librarys_wrappers_go_around_it():
    envs = KalookiVectorEnv(2, opponents="greedy")
    envs = wrappers.DictInfoToList(wrappers.FlattenObservation(envs))
    seen, infos = envs.reset(seed=0)
    for _ in range(60):
        chosen = choose([info["action_mask"] for info in infos], streams(2))
        seen, _, _, _, infos = envs.step(chosen)
    assert seen.shape == (2, actions.N + observation.SIZE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs: expected a whole number from 1, got 0"),
        ({"num_envs": 2.0}, "num_envs: expected a whole number from 1, got 2.0"),
        ({"opponents": ["random"], "seats": 3}, "a list of 2 for 3 seats, got a list of 1"),
        ({"opponents": 3}, "opponents: expected names or objects"),
        ({"seat": 2}, "seat: expected None or 0-1, got 2"),
        ({"illegal": "ignore"}, "illegal: expected one of lose, raise"),
        ({"observation_dtype": "int8"}, "observation_dtype: expected one of uint8, float32"),
        ({"render_mode": "human"}, "render_mode: expected one of ansi, rgb_array, got 'human'"),
        ({"autoreset_mode": "Never"}, "one of NextStep, SameStep, Disabled, got 'Never'"),
        ({"seats": 9}, "seats: expected 2-5"),
    ],
)
def test_arguments_out_of_range_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        KalookiVectorEnv(**arguments)
