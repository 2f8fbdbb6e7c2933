"""Self-play: T decisions in each of n games, every seat by the current network, and what came of
the deals."""

import time
from typing import NamedTuple

import numpy as np
import torch

from kalooki_env import Batch
from kalooki_env.actions import N as N_ACTIONS
from kalooki_env.agents.network import ActorCritic
from training.config import Config
from training.returns import deal_rewards

DEAL_SUMS = ("deals", "turns", "voids", "cuts", "kalookis", "won", "loser_penalty")
"""What is summed over the deals that ended in a rollout."""


class Rows(NamedTuple):
    """Decisions as the update reads them, one a row, whoever decided."""

    inputs: torch.Tensor
    """uint8[B, inputs], see `ActorCritic.select`."""
    ids: torch.Tensor
    """int16[B, K], the legal ids, `counts` of them in each row."""
    counts: torch.Tensor
    """int32[B]."""
    choices: torch.Tensor
    """int64[B], the column of the action that was chosen."""
    log_probs: torch.Tensor
    """float32[B], of that action when it was chosen."""
    values: torch.Tensor
    """float32[B], the critic's when it was chosen."""
    advantages: torch.Tensor
    """float32[B]."""
    returns: torch.Tensor
    """float32[B], what the critic is fitted to."""

    def take(self, rows: np.ndarray) -> "Rows":
        """Copy some rows, int[b]."""
        indices = torch.from_numpy(rows)
        return Rows(*(column[indices] for column in self))


class Rollout:
    """The arrays of one rollout, T x n rows; written by `collect`, read by the update."""

    def __init__(self, config: Config, inputs: int) -> None:
        """Allocate.

        Args:
            config: its `num_steps` T, `num_envs` n and `seats`.
            inputs: columns of an observation that the network reads.
        """
        shape = (config.num_steps, config.num_envs)
        self.inputs = torch.zeros(*shape, inputs, dtype=torch.uint8)
        self.ids = torch.zeros(*shape, 48, dtype=torch.int16)
        self.counts = torch.zeros(shape, dtype=torch.int32)
        self.choices = torch.zeros(shape, dtype=torch.int64)
        self.log_probs = torch.zeros(shape)
        self.values = torch.zeros(shape)
        self.seats = np.zeros(shape, np.int64)
        self.done = np.zeros(shape, bool)
        self.rewards = np.zeros((*shape, config.seats), np.float32)

    def rows(self, advantages: torch.Tensor) -> Rows:
        """Lay all decisions out as rows, given their advantages, float32[T, n]."""
        columns = (
            self.ids, self.counts, self.choices, self.log_probs, self.values, advantages,
            advantages + self.values,
        )  # fmt: skip
        return Rows(self.inputs.flatten(0, 1), *(column.flatten(0, 1) for column in columns))

    def put_ids(self, t: int, ids: torch.Tensor) -> None:
        """Store the legal ids of step `t`, making room for a longer list than any before."""
        missing = ids.shape[1] - self.ids.shape[2]
        if missing > 0:
            self.ids = torch.nn.functional.pad(self.ids, (0, missing))
        self.ids[t, :, : ids.shape[1]] = ids


class Collector:
    """Plays the games of one worker on and on; a rollout is a slice of their play."""

    def __init__(self, config: Config, rank: int) -> None:
        """Deal the games; the seed of worker `rank` follows from the run's seed."""
        seed = int(np.random.SeedSequence([config.seed, rank]).generate_state(1, np.uint64)[0] >> 1)
        self.config = config
        self.batch = Batch(
            config.rules, config.seats, config.num_envs, seed=seed, turn_cap=config.turn_cap
        )
        self._observations = np.zeros((config.num_envs, self.batch.observation_size), np.uint8)
        self._ids = np.zeros((config.num_envs, N_ACTIONS), np.int16)
        self._counts = np.zeros(config.num_envs, np.int32)

    def restore(self, games: np.ndarray) -> None:
        """Go on from saved games: uint8, the bytes of `batch.games`."""
        self.batch.restore(games.view(self.batch.games.dtype))

    @torch.no_grad()
    def collect(
        self, network: ActorCritic, rollout: Rollout, rng: np.random.Generator
    ) -> tuple[np.ndarray, dict[str, float]]:
        """Fill `rollout` with the current network in every seat.

        Args:
            network: decides for every seat.
            rollout: overwritten.
            rng: the chance of the decisions.

        Returns:
            float64 sums in the order of `DEAL_SUMS`, and the seconds spent by the names of the
            metrics.
        """
        sums, spent = np.zeros(len(DEAL_SUMS)), {"time/engine": 0.0, "time/act": 0.0}
        batch = self.batch
        batch.observe(self._observations)
        for t in range(self.config.num_steps):
            start = time.perf_counter()
            batch.legal(self._ids, self._counts)
            rollout.seats[t] = batch.to_move
            observed = time.perf_counter()

            inputs = network.select(self._observations)
            counts = torch.from_numpy(self._counts)
            ids = torch.from_numpy(self._ids[:, : self._counts.max()])
            uniforms = torch.from_numpy(rng.random(self.config.num_envs))
            decision = network.act(inputs, ids, counts, uniforms)
            rollout.inputs[t], rollout.counts[t] = inputs, counts
            rollout.choices[t], rollout.log_probs[t] = decision.choice, decision.log_prob
            rollout.values[t] = decision.value
            rollout.put_ids(t, ids)
            decided = time.perf_counter()

            step = batch.step(decision.action.numpy(), self._observations)
            rollout.done[t] = step.done
            if step.done.any():
                rollout.rewards[t, step.done] = deal_rewards(
                    self.config, step.winner[step.done], step.penalties[step.done]
                )
                sums += _deal_sums(step)
            spent["time/engine"] += observed - start + time.perf_counter() - decided
            spent["time/act"] += decided - observed
        return sums, spent


def _deal_sums(step) -> np.ndarray:
    """Sum what `DEAL_SUMS` names over the deals that ended with this step."""
    done = step.done
    won = done & (step.winner >= 0)
    return np.array(
        [
            done.sum(),
            step.turns[done].sum(),
            step.is_void[done].sum(),
            step.is_cut[done].sum(),
            step.is_kalooki[done].sum(),
            won.sum(),
            step.penalties[won].sum(),
        ],
        dtype=np.float64,
    )
