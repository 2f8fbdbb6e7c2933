"""What PettingZoo, Gymnasium and Stable-Baselines3 check themselves."""

import warnings

import gymnasium
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel

from kalooki_env import kalooki_v0
from kalooki_env.single import KalookiEnv

SEATS = (2, 3, 5)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("make", [kalooki_v0.env, kalooki_v0.raw_env])
def test_api(seats, make):
    with warnings.catch_warnings():
        # Dict observations, the made-up option, and zero masks at the end of an episode.
        warnings.simplefilter("ignore", UserWarning)
        api_test(make(seats=seats), num_cycles=1000)


@pytest.mark.parametrize("seats", SEATS)
def test_seed(seats):
    seed_test(lambda: kalooki_v0.env(seats=seats), num_cycles=100)


@pytest.mark.parametrize("seats", SEATS)
def test_render(seats, capsys):
    render_test(lambda render_mode: kalooki_v0.env(seats=seats, render_mode=render_mode))
    assert capsys.readouterr().out.strip()


def test_other_presets_pass_the_api_test_too():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(kalooki_v0.env("european", seats=4, reward="win"), num_cycles=300)


def test_kalooki_is_not_parallelizable():
    env = kalooki_v0.env()
    assert env.metadata["is_parallelizable"] is False
    with pytest.raises(AssertionError, match="parallel"):
        aec_to_parallel(env)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_gymnasium_check_env_without_a_warning(seats, mode, caplog):
    env = gymnasium.make("Kalooki-v0", seats=seats, render_mode=mode).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Gymnasium's checker plays actions without looking at the mask.
        warnings.filterwarnings("ignore", message=".*illegal action, the episode ends.*")
        check_env(env)


def test_gymnasium_check_env_of_every_reward_and_seat():
    for reward in ("points", "win", "chips"):
        for seat in (0, 1):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                check_env(KalookiEnv(reward=reward, seat=seat), skip_render_check=True)


@pytest.mark.slow
def test_maskable_ppo_learns_a_few_steps():
    sb3_contrib = pytest.importorskip("sb3_contrib")
    env = gymnasium.make("Kalooki-v0", seats=2)
    model = sb3_contrib.MaskablePPO(
        "MultiInputPolicy", env, n_steps=128, batch_size=64, n_epochs=1, seed=0, device="cpu"
    )
    model.learn(512)
    observation, _ = env.reset(seed=1)
    action, _ = model.predict(observation, action_masks=env.get_wrapper_attr("action_masks")())
    assert observation["action_mask"][action] == 1


@pytest.mark.slow
def test_stable_baselines_check_env():
    env_checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        env_checker.check_env(KalookiEnv())


def test_pettingzoo_make_finds_every_name():
    for name in ("kalooki-v0", "kalooki_v0", "kalooki/kalooki-v0"):
        env = pettingzoo.make("aec", name, seats=4)
        assert env.max_num_agents == 4
