"""Checkpoints: one `.safetensors` file with the weights, and a JSON header that says what they are.

A checkpoint is data only, loading one runs no code. The network is rebuilt from the header, so a
file goes on playing when the defaults of training change; what it cannot play any more is refused
in one sentence.
"""

import contextlib
import dataclasses
import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import safetensors
import safetensors.torch
import torch

from kalooki_env import actions, observation
from kalooki_env.agents.base import LegalLists, uniforms
from kalooki_env.agents.header import FORMAT_VERSION, KEY, read_file
from kalooki_env.agents.network import ActorCritic
from kalooki_env.engine.batch import observe_many
from kalooki_env.engine.layout import MAX_SEATS, as_records, scratch_space
from kalooki_env.errors import CheckpointError, shown
from kalooki_env.files import write_whole
from kalooki_env.rules import Rules

if TYPE_CHECKING:
    from kalooki_env.game import Game


@dataclass(frozen=True)
class Meta:
    """What a checkpoint says about itself, apart from its network and its versions."""

    rules: dict[str, Any]
    """every knob of the rules that it was trained on"""
    seats: int
    """seats of the table that it was trained at"""
    decisions: int
    """decisions that it was trained on"""
    training: dict[str, Any] = field(default_factory=dict)
    """every setting of the training run"""
    training_digest: str = ""
    """hash of these settings"""
    metrics: dict[str, float] = field(default_factory=dict)
    """the last metrics of the run"""


def save_checkpoint(path: str | Path, network: ActorCritic, meta: Meta) -> None:
    """Write a checkpoint whole or not at all: an older file stays until the new one is complete."""
    header = {
        "format_version": FORMAT_VERSION,
        "observation_version": observation.VERSION,
        "action_version": actions.VERSION,
        "network": network.config,
        "rules_digest": Rules.from_dict(meta.rules).digest(),
        **dataclasses.asdict(meta),
    }
    weights = {
        name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()
    }
    data = safetensors.torch.save(weights, metadata={KEY: json.dumps(header, allow_nan=False)})
    write_whole(Path(path), data)


def load_checkpoint(path: str | Path) -> tuple[ActorCritic, Meta]:
    """Read a checkpoint.

    Returns:
        the network in evaluation mode on the CPU, and what the file says about it.

    Raises:
        CheckpointError: no such file, not a checkpoint, cut short, or made for other versions.
    """
    header, data = read_file(path)
    return _build(path, header, data)


def _build(path: str | Path, header: Mapping[str, Any], data: bytes) -> tuple[ActorCritic, Meta]:
    """Make the network of a file that was read; the weights are its own, not the file's."""
    for key, expected in (
        ("format_version", FORMAT_VERSION),
        ("observation_version", observation.VERSION),
        ("action_version", actions.VERSION),
    ):
        if header.get(key) != expected:
            name = key.replace("_", " ")
            raise CheckpointError(
                f"{path}: expected {name} {expected}, got {shown(header.get(key))}: "
                "train it again, or use the version of kalooki that made it"
            )
    try:
        weights = safetensors.torch.load(data)
    except (safetensors.SafetensorError, KeyError, TypeError, ValueError, RuntimeError):
        raise CheckpointError(
            f"expected a checkpoint, got {path}, which is damaged or cut short: copy it again"
        ) from None
    try:
        meta = Meta(**{item.name: header[item.name] for item in dataclasses.fields(Meta)})
        _check_meta(meta)
        if Rules.from_dict(meta.rules).digest() != header["rules_digest"]:
            raise ValueError("its rules do not match their digest")
        network = ActorCritic.from_weights(header["network"], weights)
    except KeyError as error:
        raise CheckpointError(
            f"{path}: expected a usable checkpoint, got one whose header has no {error}"
        ) from None
    except (TypeError, ValueError) as error:
        raise CheckpointError(
            f"{path}: expected a usable checkpoint, got one with a damaged header: {error}"
        ) from None
    return network.eval(), meta


def _check_meta(meta: Meta) -> None:
    """Raise ValueError where the header holds something else than it should."""
    for name, words, good in (
        ("rules", "an object", isinstance(meta.rules, dict)),
        ("seats", "2 to 6", type(meta.seats) is int and 2 <= meta.seats <= MAX_SEATS),
        (
            "decisions",
            "a whole number",
            type(meta.decisions) is int and 0 <= meta.decisions < 2**63,
        ),
        ("training", "an object", isinstance(meta.training, dict)),
        ("training_digest", "a text", isinstance(meta.training_digest, str)),
        ("metrics", "numbers by name", _are_numbers(meta.metrics)),
    ):
        if not good:
            raise ValueError(f"expected {name} to be {words}, got {shown(getattr(meta, name))}")


def _are_numbers(values: Any) -> bool:
    return isinstance(values, dict) and all(
        type(value) in (int, float) and math.isfinite(value) for value in values.values()
    )


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Let torch use one thread: a second costs more than it brings on such small networks."""
    before = torch.get_num_threads()
    if before == 1:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class NetworkAgent:
    """Plays a network: samples from its policy, or takes the most probable action with `greedy`."""

    def __init__(
        self, network: ActorCritic, name: str, seed: int = 0, greedy: bool = False
    ) -> None:
        self.network = network
        self.name = name
        self.seed = seed
        self.greedy = greedy
        self._legal = LegalLists()
        self._space = scratch_space()

    def act(self, game: "Game", seat: int) -> int:
        """Choose an action for `seat`, the seat to move in `game`."""
        if game.to_move != seat:
            raise ValueError(
                f"expected the seat to move, {game.to_move}, got {seat}: no other can act"
            )
        return int(self.act_batch(game.state, game.rules, np.zeros(1, dtype=np.int64))[0])

    @torch.no_grad()
    def act_batch(self, games: np.ndarray, rules: Rules, rows: np.ndarray) -> np.ndarray:
        """Choose one action in each of several games, see `Agent.act_batch`.

        Raises:
            CheckpointError: the table has more seats than the network reads.
        """
        rows = np.asarray(rows)
        if len(rows) == 0:
            return np.zeros(0, dtype=np.int64)
        ids, counts, inputs = self._look(games, rules, rows)
        with _one_thread():
            decision = self.network.act(
                inputs,
                torch.from_numpy(ids),
                torch.from_numpy(counts),
                torch.from_numpy(uniforms(self.seed, games, rows)),
                self.greedy,
            )
        return decision.action.numpy()

    @torch.no_grad()
    def probabilities(
        self, games: np.ndarray, rules: Rules, rows: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the legal actions and how likely the policy plays them.

        Returns:
            int16[k, 1170] ids and float32[k, 1170] probabilities, 0 where there is no id.
        """
        ids, counts, inputs = self._look(games, rules, np.asarray(rows))
        with _one_thread():
            distribution, _ = self.network(inputs, torch.from_numpy(ids), torch.from_numpy(counts))
            return ids, distribution.log_probs.exp().numpy()

    def _look(
        self, games: np.ndarray, rules: Rules, rows: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, torch.Tensor]:
        """Return legal ids, counts and the network's inputs in `games[rows]`."""
        seats, most = int(games["seats"][rows].max()), self.network.config["seats"]
        if seats > most:
            raise CheckpointError(
                f"{self.name}: expected a table of at most {most} seats, got {seats}"
            )
        ids, counts = self._legal(games, rules, rows)
        observations = np.empty((len(rows), observation.SIZE), np.uint8)
        observe_many(as_records(games[rows]), rules.record(), *self._space, observations)
        return ids, counts, self.network.select(observations)


class CheckpointAgent(NetworkAgent):
    """Plays the network of a checkpoint file."""

    def __init__(self, path: str | Path, seed: int = 0, greedy: bool = False) -> None:
        """Load the file; raises CheckpointError as `load_checkpoint` does."""
        path = Path(path)
        header, data = read_file(path)
        network, self.meta = _build(path, header, data)
        super().__init__(
            network, path.parent.name if path.stem == "latest" else path.stem, seed, greedy
        )
        self.digest = hashlib.sha256(data).hexdigest()[:16]
        """hash of the file: says which weights played"""
