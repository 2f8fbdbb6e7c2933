"""MaskablePPO of sb3-contrib, trained on this package's single-seat environment."""

from importlib.metadata import version

import gymnasium
import numpy as np
import torch
from gymnasium.wrappers import TransformObservation
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

import kalooki_env  # noqa: F401 (registers the environment)
from benchmarks.peers.serve import Rows, Work

ENVS, STEPS = 8, 256
"""Environments, and steps in each of them between two updates."""


def make_env() -> gymnasium.Env:
    """Return an environment that shows the observation without the mask beside it."""
    env = gymnasium.make("Kalooki-v0", seats=2, opponents="random", disable_env_checker=True)
    shown = env.observation_space["observation"]
    return TransformObservation(env, lambda both: both["observation"], shown)


def training() -> Work:
    """Return the work of one iteration; only decisions with more than one legal action count."""
    torch.set_num_threads(1)
    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([make_env] * ENVS),
        n_steps=STEPS,
        n_epochs=4,
        batch_size=256,
        policy_kwargs={"net_arch": {"pi": [256, 256], "vf": [256, 256]}},
        seed=0,
        device="cpu",
    )

    def work() -> tuple[int, int]:
        model.learn(ENVS * STEPS, reset_num_timesteps=False)
        masks = model.rollout_buffer.action_masks.reshape(ENVS * STEPS, -1)
        return int(np.count_nonzero(masks.sum(axis=1) > 1)), 0

    return work


def rows() -> Rows:
    """Return what can be measured."""
    title = f"MaskablePPO (sb3-contrib {version('sb3_contrib')})"
    return {"training": (f"{title}, 4 epochs, minibatch 256, 256x256", training)}
