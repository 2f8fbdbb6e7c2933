"""Training in one process: decisions a second in all, what each part would do alone, and its share.

The settings are those of `configs/quick.toml`, whose network is the default one. Decisions are
those with a choice; forced moves are played unseen. Nothing is measured where PyTorch is missing.
"""

import importlib.util
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kalooki_env.bench.rows import DECISIONS, Part, Row, summary
from kalooki_env.commands.train import NEEDED

QUICK: dict[str, Any] = {
    "workers": 1,
    "num_envs": 256,
    "num_steps": 32,
    "minibatch_size": 1024,
    "learning_rate": 2e-3,
    "without": ("recent", "begun_run", "begun_card", "begun_low", "begun_high", "rules", "seats"),
}
PARTS = ("engine", "forward (acting)", "backward (update)")
_ALL = "training, 1 process, forced moves inside"


def iterations(settings: dict[str, Any]) -> Iterator[tuple[int, float, tuple[float, ...]]]:
    """Train with one thread, on and on, and yield what each iteration took.

    Yields:
        decisions, CPU seconds, and the shares of `PARTS` in the wall time.
    """
    import torch

    from kalooki_env.agents.network import ActorCritic
    from training.config import Config
    from training.ppo import update
    from training.returns import seat_advantages
    from training.rollout import Collector, Rollout
    from training.workers import Workers, share_gradient

    config = Config(**settings)
    torch.set_num_threads(1)
    torch.manual_seed(config.seed)
    network = ActorCritic(config.network)
    gradient = share_gradient(network)
    optimizer = torch.optim.Adam(network.parameters(), lr=config.learning_rate, fused=True)
    collector, rollout = Collector(config, rank=0), Rollout(config, network.inputs)
    workers, rng = Workers(0, 1, Path()), np.random.default_rng(config.seed)
    while True:
        cpu, wall = time.process_time(), time.perf_counter()
        _, spent = collector.collect(network, rollout, rng)
        played = (rollout.seats, rollout.values.numpy(), rollout.done, rollout.rewards)
        advantages, known = seat_advantages(*played, config.gamma, config.gae_lambda)
        update(
            config, network, optimizer, gradient, rollout, advantages, known, config.ent_coef, rng,
            workers,
        )  # fmt: skip
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        engine, forward = spent["time/engine"] / wall, spent["time/act"] / wall
        yield config.batch_size, cpu, (engine, forward, 1 - engine - forward)


def _rows(repeats: int, seconds: float) -> Iterator[Row]:
    running = iterations(QUICK)
    next(running)
    rates: list[float] = []
    shares: list[tuple[float, ...]] = []
    for _ in range(repeats):
        made, cpu, parts = 0, 0.0, np.zeros(len(PARTS))
        while cpu < seconds:
            more, took, share = next(running)
            made, cpu, parts = made + more, cpu + took, parts + np.multiply(share, took)
        rates.append(made / cpu)
        shares.append(tuple((parts / cpu).tolist()))
    yield summary(_ALL, DECISIONS, rates)
    for part, own in zip(PARTS, zip(*shares, strict=True), strict=True):
        alone = [rate / share for rate, share in zip(rates, own, strict=True)]
        yield summary(f"training: {part}", DECISIONS, alone)
        yield summary(f"training: {part}, share", "% of time", [100 * share for share in own])


def parts() -> Iterator[Part]:
    """Yield what is measured here, nothing where training is not installed."""
    if all(importlib.util.find_spec(name) for name in NEEDED):
        names = [
            name for part in PARTS for name in (f"training: {part}", f"training: {part}, share")
        ]
        yield Part((_ALL, *names), _rows)
