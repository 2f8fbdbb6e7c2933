"""This package, uniformly at random: British deals of two seats, cut at the usual turn cap.

In the batch and the compiled loop the answer to a question, such as which of two melds a card goes
to, belongs to the decision before it: it is played but not counted. Elsewhere it is counted; it is
one action in some thousands.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.serve import Rows, Work
from benchmarks.peers.walking import walk
from kalooki_env import Game, kalooki_v0
from kalooki_env.bench.batches import batch_work
from kalooki_env.bench.engine import list_work
from kalooki_env.rules import TURN_CAP, Rules

N = 1024
"""Games of a batch."""
MIXING = 60
"""Calls before a batch is timed: its deals begin together and soon are far apart."""
QUICK = Path(__file__).parents[2] / "configs" / "quick.toml"
EQUAL = {
    "num_envs": 64,
    "num_steps": 32,
    "update_epochs": 4,
    "minibatch_size": 256,
    "without": (),
    "hand_features": False,
    "actor": (256, 256),
    "critic": (256, 256),
}
"""What `benchmarks/peers/sb3.py` does: rollouts of 2,048 decisions, the whole observation."""


def batch() -> Work:
    """Return the work of some steps of a batch, forced moves not played inside."""
    work = batch_work(N)
    for _ in range(MIXING):
        work()
    return work


def engine() -> Work:
    """Return the work of some moves inside the compiled engine; it does not count deals."""
    work = list_work()
    return lambda: (work(), 0)


def game(observe: bool) -> Work:
    """Return the work of a deal through `Game`, its legal ids listed at each step."""
    rng, rules = np.random.default_rng(0), Rules.preset("british", turn_cap=TURN_CAP)

    def work() -> tuple[int, int]:
        deal, decisions = Game(rules, seats=2, seed=int(rng.integers(2**32))), 0
        while not deal.over:
            ids = deal.legal_actions()
            if observe:
                deal.observation(deal.to_move)
            deal.play(int(ids[int(rng.random() * len(ids))]))
            decisions += 1
        return decisions, 1

    return work


def aec(sample: bool) -> Callable[[], Work]:
    """Return what prepares the walk through the AEC environment, see `walking`."""
    return lambda: walk(kalooki_v0.raw_env(seats=2), sample)


def training(**settings: Any) -> Work:
    """Return the work of an iteration as `configs/quick.toml` has it, but for some settings.

    Forced moves are played unseen: every decision of a rollout has a choice.
    """
    from kalooki_env.bench.training import iterations  # all else works without PyTorch
    from training import config

    running = iterations(vars(config.load(QUICK, {"workers": 1, **settings})))
    return lambda: (next(running)[0], 0)


def rows() -> Rows:
    """Return what can be measured."""
    return {
        "batch": (f"Batch({N}), mask and observation", batch),
        "engine": ("compiled loop, legal list", engine),
        "game": ("Game, legal_actions and play", lambda: game(False)),
        "observed": ("Game, legal_actions, observation and play", lambda: game(True)),
        "cheap": ("AEC raw_env, flatnonzero and integers", aec(False)),
        "sample": ("AEC raw_env, action_space.sample(mask)", aec(True)),
        "equal": ("training, 4 epochs, minibatch 256, 256x256", lambda: training(**EQUAL)),
        "shipped": ("training, configs/quick.toml, one process", training),
    }
