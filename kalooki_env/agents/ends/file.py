"""Checkpoints of networks over the ends of a turn: `.safetensors`, weights and a JSON header.

Data only, as every checkpoint: loading one runs no code. It needs NumPy and safetensors, no PyTorch.
"""

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from ...actions import VERSION as ACTION_VERSION
from ...errors import CheckpointError
from ...files import write_whole
from ...rules import Rules
from ..base import AgentError
from ..heuristic.layout import FEATURES
from ..heuristic.layout import ROWS, N
from .layout import INPUTS, VERSION
from .weights import Net

KIND = "ends"
"""The header's `kind`; policies from observation to action have none."""
FORMAT_VERSION = 1
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
        "kind": KIND,
        "format_version": FORMAT_VERSION,
        "input_version": VERSION,
        "action_version": ACTION_VERSION,
        "features": list(FEATURES),
        "rules_digest": Rules.from_dict(meta.rules).digest(),
        **dataclasses.asdict(meta),
    }
    weights = {item.name: getattr(net, item.name) for item in dataclasses.fields(Net)}
    write_whole(path, save(weights, {"kalooki": json.dumps(header, allow_nan=False)}))


def read_net(path: Path, header: dict[str, Any], weights: dict[str, np.ndarray]) -> tuple[Net, EndsMeta]:
    """Make the network of a header and its arrays.

    Raises:
        CheckpointError: made for other versions, or damaged.
    """
    for key, expected in (
        ("format_version", FORMAT_VERSION),
        ("input_version", VERSION),
        ("action_version", ACTION_VERSION),
        ("features", list(FEATURES)),
    ):
        if header.get(key) != expected:
            name = key.replace("_", " ")
            raise CheckpointError(
                f"{path}: expected {name} as this version of kalooki has: train it again, "
                "or use the version of kalooki that made it"
            )
    try:
        meta = EndsMeta(**{item.name: header[item.name] for item in dataclasses.fields(EndsMeta)})
        _check_meta(meta)
        if Rules.from_dict(meta.rules).digest() != header["rules_digest"]:
            raise ValueError("its rules do not match their digest")
        return _checked_net(weights), meta
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise CheckpointError(
            f"{path}: expected a usable checkpoint, got a damaged one: {error}"
        ) from None


def _check_meta(meta: EndsMeta) -> None:
    """Raise ValueError where the header holds something else than it should."""
    expected = {"rules": dict, "seats": int, "deals": int, "start": str, "training": dict, "metrics": dict}
    for name, kind in expected.items():
        if type(getattr(meta, name)) is not kind:
            raise ValueError(f"expected {name} to be {kind.__name__}")


def _checked_net(weights: dict[str, np.ndarray]) -> Net:
    """Return the weights as a network, copies of what was read; raise ValueError for other shapes,
    compiled code would read past their ends."""
    names = [item.name for item in dataclasses.fields(Net)]
    if sorted(weights) != sorted(names):
        raise ValueError(f"expected the weights {', '.join(names)}")
    net = Net(**{name: np.array(weights[name], np.float32) for name in names})
    h, k = net.w2.shape if net.w2.ndim == 2 else (0, 0)
    shapes = ((ROWS, N), (INPUTS, h), (h,), (h, k), (k,), (k,))
    if not (0 < h <= WIDEST and 0 < k <= WIDEST):
        raise ValueError(f"expected hidden layers of 1 to {WIDEST} units")
    for name, shape in zip(names, shapes, strict=True):
        if getattr(net, name).shape != shape or not np.isfinite(getattr(net, name)).all():
            raise ValueError(f"expected finite weights {name} of shape {shape}")
    return net


def load_ends(path: str | Path) -> tuple[Net, EndsMeta]:
    """Read a checkpoint.

    Raises:
        AgentError: safetensors is missing.
        CheckpointError: no such file, not a checkpoint of this kind, cut short, or for other versions.
    """
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise AgentError(
            f"expected safetensors to play {path}, got none: run pip install safetensors"
        ) from None
    path = Path(path)
    try:
        with safe_open(path, framework="numpy") as file:
            header = json.loads((file.metadata() or {})["kalooki"])
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise CheckpointError(f"expected a checkpoint, got {path}: {error}") from None
    if not isinstance(header, dict) or header.get("kind") != KIND:
        raise CheckpointError(f"expected a network over the ends of a turn, got {path}")
    return read_net(path, header, weights)


def digest_of(path: Path) -> str:
    """Return a hash of a file, 16 hex digits: says which weights played."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
