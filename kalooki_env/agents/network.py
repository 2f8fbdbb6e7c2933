"""The actor-critic network: built from a plain dict, so that a checkpoint can carry its own
definition.

The actor reads the observation through a small trunk into a bottleneck `z`; the logit of an action
is `z . w[action] + b[action]`, computed for the legal actions alone. The rows `w` are a free vector
for each action plus a learned map of the action's features, so that what is learned about
discarding the seven of clubs starts off what is known about discarding the eight.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
import torch
from torch import Tensor, nn

from kalooki_env import actions, observation
from kalooki_env.agents import hand_features
from kalooki_env.agents.masking import NEVER, MaskedCategorical, check_counts
from kalooki_env.engine.jit import entry
from kalooki_env.engine.layout import MAX_SEATS
from kalooki_env.errors import shown

DEFAULTS: dict[str, Any] = {
    "seats": 6,
    "without": [],
    "hand": "",
    "shared": [],
    "actor": [256, 256],
    "bottleneck": 64,
    "critic": [256, 128],
}
"""Keys of a network config.

`seats`: the largest table that the network reads; the blocks of seats beyond it are left out of its
input. `without`: further blocks of the observation that are left out. `hand`: the preset by whose
card values `hand_features` are computed from the observation and read too; "" for none. `shared`,
`actor`, `critic`: widths of the hidden layers that actor and critic share, and of their own.
`bottleneck`: width of `z`.
"""

MOST_LAYERS, MOST_WIDTH = 64, 1 << 16
"""Bounds on a config: networks beyond them come from damaged files."""


class Decision(NamedTuple):
    """What `ActorCritic.act` chose in each row, and what it thought."""

    action: Tensor
    """int64[B], the action ids."""
    choice: Tensor
    """int64[B], their columns in the legal lists."""
    log_prob: Tensor
    """float32[B]."""
    value: Tensor
    """float32[B], of the observation."""


class ActorCritic(nn.Module):
    """Policy and value of one seat's observation."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Build the network with fresh weights from torch's random stream.

        Args:
            config: any of the keys of `DEFAULTS`.

        Raises:
            ValueError: an unknown key, or a value that no network can have.
        """
        super().__init__()
        self.config = config = checked_config(config)
        self.columns = input_columns(config)
        self._slices = _slices(self.columns)
        scales = observation.scales()[self.columns]
        self._hand_features = None
        if config["hand"]:
            self._hand_features = hand_features.HandFeatures(config["hand"])
            scales = np.concatenate([scales, hand_features.scales()])
        self.register_buffer("scales", torch.from_numpy(scales).float(), persistent=False)
        features = torch.from_numpy(np.asarray(actions.features(), dtype=np.float32))
        self.register_buffer("features", features, persistent=False)

        shared = [self.inputs, *config["shared"]]
        bottleneck = config["bottleneck"]
        self.shared = _mlp(shared)
        self.actor = _mlp([shared[-1], *config["actor"], bottleneck])
        self.critic = _mlp([shared[-1], *config["critic"]])
        self.value_head = _linear(config["critic"][-1], 1, gain=1.0)
        self.action_free = nn.Parameter(torch.zeros(actions.N, bottleneck))
        self.action_map = nn.Parameter(torch.empty(features.shape[1], bottleneck))
        nn.init.normal_(self.action_map, std=0.01)
        self.action_bias = nn.Parameter(torch.zeros(actions.N))

    @property
    def inputs(self) -> int:
        """Number of values that the network reads."""
        return len(self.columns) + (hand_features.SIZE if self._hand_features else 0)

    def select(self, observations: np.ndarray) -> Tensor:
        """Copy the columns that the network reads, and add what it computes from them.

        Args:
            observations: uint8[B, observation.SIZE].

        Returns:
            uint8[B, inputs] on the CPU.
        """
        parts = [observations[:, part] for part in self._slices]
        if self._hand_features is not None:
            parts.append(self._hand_features(observations))
        return torch.from_numpy(np.concatenate(parts, axis=1))

    def forward(
        self, inputs: Tensor, ids: Tensor, counts: Tensor
    ) -> tuple[MaskedCategorical, Tensor]:
        """Return the distribution over the legal actions and the value to the seat.

        Args:
            inputs: uint8[B, inputs], see `select`.
            ids: int16[B, K], legal action ids, the first `counts[i]` of row `i`; K may be larger
                than needed.
            counts: int32[B].

        Returns:
            the distribution, and float32[B].

        Raises:
            ValueError: a row has no legal action, or more than K.
        """
        hidden = self.shared(inputs.float() * self.scales)
        value = self.value_head(self.critic(hidden)).float().squeeze(1)
        width = min(max(int(counts.max()), 1), ids.shape[1])
        check_counts(counts, width)
        ids = ids[:, :width]
        logits = self.logits(self.actor(hidden).float(), ids, counts, hidden.device.type == "cpu")
        return MaskedCategorical(logits, counts), value

    def logits(self, z: Tensor, ids: Tensor, counts: Tensor, gathered: bool) -> Tensor:
        """Return the logits of the listed actions, float32[B, K], with anything in padding.

        `gathered` computes the legal ones alone, on the CPU; without it they are picked from the
        product with all actions.
        """
        weight = self.action_free + self.features @ self.action_map
        if gathered:
            return _LegalLogits.apply(z, weight, self.action_bias, ids, counts)
        logits = torch.addmm(self.action_bias, z, weight.T)
        return logits.gather(1, ids.long().clamp(0, actions.N - 1))

    def act(
        self, inputs: Tensor, ids: Tensor, counts: Tensor, uniforms: Tensor, greedy: bool = False
    ) -> Decision:
        """Choose an action in each row: training, evaluation and play all decide here.

        Args:
            inputs, ids, counts: as in `forward`.
            uniforms: float[B] in [0, 1), the chance of each choice.
            greedy: choose the most probable action instead.
        """
        distribution, value = self(inputs, ids, counts)
        choice = distribution.mode() if greedy else distribution.sample(uniforms)
        action = ids.gather(1, choice.unsqueeze(1)).squeeze(1).long()
        return Decision(action, choice, distribution.log_prob(choice), value)

    @classmethod
    def from_weights(cls, config: Mapping[str, Any], weights: Mapping[str, Tensor]) -> Self:
        """Build the network of `config` around the given weights; raises ValueError if their shapes
        differ."""
        with torch.device("meta"):  # shapes without memory: a config may ask for anything
            network = cls(config)
        expected = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
        got = {name: tuple(tensor.shape) for name, tensor in weights.items()}
        for name in sorted(expected.keys() | got.keys()):
            if expected.get(name) != got.get(name):
                raise ValueError(
                    f"expected {name} of shape {expected.get(name)}, got {got.get(name)}"
                )
            if weights[name].dtype != torch.float32 or not bool(weights[name].isfinite().all()):
                raise ValueError(f"expected finite float32 numbers in {name}, got others")
        network.load_state_dict(weights, assign=True)
        return network


def checked_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a network config with every key; raise ValueError for what no network can have."""
    if not isinstance(config, Mapping):
        raise ValueError(f"expected network settings by name, got {shown(config)}")
    unknown = [key for key in config if key not in DEFAULTS]
    if unknown:
        raise ValueError(
            f"expected network settings among {', '.join(DEFAULTS)}, got {shown(unknown[0])}"
        )
    config = {**DEFAULTS, **config}
    for key, words, good in (
        ("seats", f"2 to {MAX_SEATS}", _is_whole(config["seats"], 2, MAX_SEATS)),
        ("without", "a list of blocks", _is_list(config["without"], 1000, _is_text)),
        ("hand", "a preset or nothing", _is_text(config["hand"])),
        ("shared", _WIDTHS, _is_list(config["shared"], MOST_LAYERS, _is_whole)),
        ("actor", _WIDTHS, _is_list(config["actor"], MOST_LAYERS, _is_whole)),
        ("critic", f"{_WIDTHS}, one at least", _is_list(config["critic"], MOST_LAYERS, _is_whole)),
        ("bottleneck", "a width", _is_whole(config["bottleneck"])),
    ):
        if not good or (key == "critic" and not config[key]):
            raise ValueError(f"{key}: expected {words}, got {shown(config[key])}")
    return config


_WIDTHS = f"a list of at most {MOST_LAYERS} widths from 1 to {MOST_WIDTH:,}"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_whole(value: object, least: int = 1, most: int = MOST_WIDTH) -> bool:
    return type(value) is int and least <= value <= most


def _is_list(value: object, longest: int, fits: Callable[[object], bool]) -> bool:
    return isinstance(value, list | tuple) and len(value) <= longest and all(map(fits, value))


def input_columns(config: Mapping[str, Any]) -> np.ndarray:
    """Return the columns of an observation that a network of this config reads, ascending.

    Raises:
        ValueError: `without` names a block that is not there.
    """
    unknown = set(config["without"]) - {block.name for block in observation.BLOCKS}
    if unknown:
        raise ValueError(f"without: expected blocks of the observation, got {sorted(unknown)[0]!r}")
    names = [
        name for name in observation.seat_blocks(config["seats"]) if name not in config["without"]
    ]
    return np.sort(observation.block_columns(names))


def _slices(columns: np.ndarray) -> list[slice]:
    """Split ascending columns into contiguous slices."""
    breaks = np.flatnonzero(np.diff(columns) != 1) + 1
    return [slice(int(part[0]), int(part[-1]) + 1) for part in np.split(columns, breaks)]


def _linear(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _mlp(widths: list[int]) -> nn.Sequential:
    """Stack linear layers, each with a ReLU."""
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(widths):
        layers += [_linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers)


class _LegalLogits(torch.autograd.Function):
    """`z[i] . weight[a] + bias[a]` for the legal actions `a` of each row, on the CPU, and gradient.

    Both passes touch the legal entries alone. With 20 legal actions a row that is about 1 ms for
    2048 rows; a product with all 1170 rows of `weight` and its backward pass take 20 ms, half of
    the whole update.
    """

    @staticmethod
    def forward(
        ctx: Any, z: Tensor, weight: Tensor, bias: Tensor, ids: Tensor, counts: Tensor
    ) -> Tensor:
        logits = torch.full(ids.shape, NEVER, dtype=torch.float32)
        z, weight, ids = z.contiguous(), weight.contiguous(), ids.contiguous()
        _logits(*_arrays(z, weight, bias, ids, counts, logits))
        ctx.save_for_backward(z, weight, ids, counts)
        return logits

    @staticmethod
    def backward(ctx: Any, d_logits: Tensor) -> tuple[Tensor | None, ...]:
        z, weight, ids, counts = ctx.saved_tensors
        d_z, d_weight, d_bias = (
            torch.zeros_like(z),
            torch.zeros_like(weight),
            torch.zeros(len(weight)),
        )
        _logits_backward(
            *_arrays(z, weight, ids, counts, d_logits.contiguous(), d_z, d_weight, d_bias)
        )
        return d_z, d_weight, d_bias, None, None


def _arrays(*tensors: Tensor) -> list[np.ndarray]:
    return [tensor.detach().numpy() for tensor in tensors]


# With fastmath the sums are vectorised.
@entry(fastmath=True)
def _logits(z, weight, bias, ids, counts, logits):
    for i in range(z.shape[0]):
        for k in range(counts[i]):
            action = np.int64(ids[i, k])
            total = np.float32(0)
            for d in range(z.shape[1]):
                total += z[i, d] * weight[action, d]
            logits[i, k] = total + bias[action]


@entry(fastmath=True)
def _logits_backward(z, weight, ids, counts, d_logits, d_z, d_weight, d_bias):
    for i in range(z.shape[0]):
        for k in range(counts[i]):
            action = np.int64(ids[i, k])
            slope = d_logits[i, k]
            d_bias[action] += slope
            for d in range(z.shape[1]):
                d_z[i, d] += slope * weight[action, d]
                d_weight[action, d] += slope * z[i, d]
