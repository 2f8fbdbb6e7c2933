"""The one loop that walks through a PettingZoo environment, ours or another."""

from typing import Any

import numpy as np

from benchmarks.peers.serve import Work

SOME = 100
"""Decisions between two looks at the clock."""


def walk(env: Any, sample: bool) -> Work:
    """Return the work of random decisions, one at a time, through `last` and `step`.

    Args:
        env: an AEC environment with an `action_mask` in its observations.
        sample: choose by `action_space(agent).sample(mask)`; or else by `flatnonzero` and one
            random integer, which is cheaper.
    """
    rng = np.random.default_rng(0)
    env.reset(seed=0)

    def work() -> tuple[int, int]:
        decisions = deals = 0
        while decisions < SOME:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                deals += 1
                continue
            mask = observation["action_mask"]
            if sample:
                action = env.action_space(env.agent_selection).sample(mask)
            else:
                ids = np.flatnonzero(mask)
                action = ids[rng.integers(len(ids))]
            env.step(int(action))
            decisions += 1
        return decisions, deals

    return work
