"""Checkpoints of networks over the ends of a turn: `.safetensors`, weights and a JSON header.

Data only, as every checkpoint: loading one runs no code. It needs NumPy and safetensors, no PyTorch.
"""

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...actions import VERSION as ACTION_VERSION
from ...engine.layout import MAX_SEATS
from ...errors import CheckpointError, shown
from ...files import write_whole
from ...rules import Rules
from ..base import AgentError
from ..header import ENDS, FORMAT_VERSION, INPUT_VERSION, KEY, read_file
from ..heuristic.layout import FEATURES, ROWS, N
from .layout import INPUTS
from .weights import WEIGHTS, Net

WIDEST = 1024
"""Units that a hidden layer has at most."""


@dataclasses.dataclass(frozen=True)
class EndsMeta:
    """What a checkpoint says about itself, apart from its network and its versions."""

    rules: dict[str, Any]
    """every knob of the rules that it was trained on"""
    seats: int
    """seats of the table that it was trained at"""
    deals: int
    """deals that it was trained on"""
    start: str
    """what its first weights were: "heuristic", "nothing", or the name of a checkpoint"""
    training: dict[str, Any] = dataclasses.field(default_factory=dict)
    """every setting of the training run"""
    training_digest: str = ""
    """hash of these settings"""
    metrics: dict[str, float] = dataclasses.field(default_factory=dict)
    """the last metrics of the run"""


def save_ends(path: str | Path, net: Net, meta: EndsMeta) -> None:
    """Write a checkpoint whole or not at all: an older file stays until the new one is complete."""
    from safetensors.numpy import save

    header = {
        "kind": ENDS,
        "format_version": FORMAT_VERSION,
        "input_version": INPUT_VERSION,
        "action_version": ACTION_VERSION,
        "features": list(FEATURES),
        "temperature": net.temperature,
        "rules_digest": Rules.from_dict(meta.rules).digest(),
        **dataclasses.asdict(meta),
    }
    write_whole(path, save(net.weights(), {KEY: json.dumps(header, allow_nan=False)}))


def _check_meta(meta: EndsMeta) -> None:
    """Raise ValueError where the header holds something else than it should."""
    for name, words, good in (
        ("rules", "an object", isinstance(meta.rules, dict)),
        ("seats", "2 to 6", type(meta.seats) is int and 2 <= meta.seats <= MAX_SEATS),
        ("deals", "a whole number", type(meta.deals) is int and 0 <= meta.deals < 2**63),
        ("start", "a text", isinstance(meta.start, str)),
        ("training", "an object", isinstance(meta.training, dict)),
        ("training_digest", "a text", isinstance(meta.training_digest, str)),
        ("metrics", "an object", isinstance(meta.metrics, dict)),
    ):
        if not good:
            raise ValueError(f"expected {name} to be {words}, got {shown(getattr(meta, name))}")


def _checked_net(weights: dict[str, np.ndarray], temperature: object) -> Net:
    """Return the weights as a network, copies of what was read; raise ValueError for other shapes,
    compiled code would read past their ends."""
    if sorted(weights) != sorted(WEIGHTS):
        raise ValueError(f"expected the weights {', '.join(WEIGHTS)}")
    if type(temperature) is not float or not 0 < temperature < 1e6:
        raise ValueError(f"expected a temperature above 0, got {shown(temperature)}")
    arrays = {name: np.array(weights[name], np.float32) for name in WEIGHTS}
    net = Net(**arrays, temperature=temperature)
    h, k = net.w2.shape if net.w2.ndim == 2 else (0, 0)
    shapes = ((ROWS, N), (INPUTS, h), (h,), (h, k), (k,), (k,))
    if not (0 < h <= WIDEST and 0 < k <= WIDEST):
        raise ValueError(f"expected hidden layers of 1 to {WIDEST} units")
    for name, shape in zip(WEIGHTS, shapes, strict=True):
        if getattr(net, name).shape != shape or not np.isfinite(getattr(net, name)).all():
            raise ValueError(f"expected finite weights {name} of shape {shape}")
    return net


def read_net(path: str | Path, header: Mapping[str, Any], data: bytes) -> tuple[Net, EndsMeta]:
    """Make the network of a file that was read, see `header.read_file`; the weights are its own.

    Raises:
        AgentError: safetensors is missing.
        CheckpointError: made for other versions, or damaged.
    """
    for key, expected in (
        ("format_version", FORMAT_VERSION),
        ("input_version", INPUT_VERSION),
        ("action_version", ACTION_VERSION),
        ("features", list(FEATURES)),
    ):
        if header.get(key) != expected:
            name = key.replace("_", " ")
            raise CheckpointError(
                f"{path}: expected the {name} of this version of kalooki, got another: train it "
                "again, or use the version of kalooki that made it"
            )
    weights = _read_arrays(path, data)
    try:
        meta = EndsMeta(**{item.name: header[item.name] for item in dataclasses.fields(EndsMeta)})
        _check_meta(meta)
        if Rules.from_dict(meta.rules).digest() != header["rules_digest"]:
            raise ValueError("its rules do not match their digest")
        return _checked_net(weights, header["temperature"]), meta
    except KeyError as error:
        raise CheckpointError(
            f"{path}: expected a usable checkpoint, got one whose header has no {error}"
        ) from None
    except (TypeError, ValueError) as error:
        raise CheckpointError(
            f"{path}: expected a usable checkpoint, got a damaged one: {error}"
        ) from None


def _read_arrays(path: str | Path, data: bytes) -> dict[str, np.ndarray]:
    """Read the arrays of a safetensors file."""
    try:
        import safetensors
        import safetensors.numpy
    except ImportError:
        raise AgentError(
            f"expected safetensors to play {path}, got none: run pip install safetensors"
        ) from None
    try:
        return safetensors.numpy.load(data)
    except (safetensors.SafetensorError, KeyError, TypeError, ValueError):
        raise CheckpointError(
            f"expected a checkpoint, got {path}, which is damaged or cut short: copy it again"
        ) from None


def load_ends(path: str | Path) -> tuple[Net, EndsMeta]:
    """Read a checkpoint; raises as `read_net`, or CheckpointError where it is none of this kind."""
    header, data = read_file(path)
    if header.get("kind") != ENDS:
        raise CheckpointError(f"expected a network over the ends of a turn, got {path}, another kind")
    return read_net(path, header, data)
