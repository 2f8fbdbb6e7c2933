"""Checkpoints: the safetensors files of small networks, of both kinds."""

import json
from pathlib import Path
from random import Random

import torch

from kalooki_env import Game, Rules, agents
from kalooki_env.agents.checkpoint import Meta, save_checkpoint
from kalooki_env.agents.ends.file import EndsMeta, save_ends
from kalooki_env.agents.ends.weights import Net
from kalooki_env.agents.heuristic.weights import weights_for
from kalooki_env.agents.network import ActorCritic
from kalooki_env.play.players import about
from tests.damage import values
from tests.damage.kind import Kind

SMALL = {"seats": 2, "without": ["recent"], "actor": [16], "bottleneck": 8, "critic": [16]}


def samples(folder: Path) -> list[bytes]:
    """Write a small checkpoint of each kind."""
    torch.manual_seed(3)
    path = folder / "whole.safetensors"
    rules = Rules.preset("british").to_dict()
    save_checkpoint(path, ActorCritic(SMALL), Meta(rules, 2, 1234, {"seed": 1}, "ab", {"x": 0.5}))
    over_ends = folder / "ends.safetensors"
    net = Net.fresh(weights_for(Rules.preset("british"), 2), (8, 4))
    save_ends(over_ends, net, EndsMeta(rules, 2, 1234, "heuristic", {"seed": 1}, "ab", {"x": 0.5}))
    for written in (path, over_ends):  # what plays them is compiled before anything is watched
        read(written, b"")
    return [path.read_bytes(), over_ends.read_bytes()]


def alter(rng: Random, data: bytes) -> bytes:
    """Alter our header, or that of the format."""
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    ours = json.loads(header["__metadata__"]["kalooki"])
    if rng.random() < 0.75:
        header["__metadata__"]["kalooki"] = values.to_json(values.alter(rng, ours))
    else:
        header = values.alter(rng, header)
    text = values.to_json(header).encode()
    return len(text).to_bytes(8, "little") + text + data[8 + size :]


def read(path: Path, _: bytes) -> None:
    """Load it, let it play, and ask it who it is."""
    told = about(str(path))
    assert (told.title + told.line).isprintable() and len(told.line) < 400, told
    agent = agents.load(str(path), seed=1)
    game = Game("british", seats=2, seed=5)
    for _ in range(3):
        action = agent.act(game, game.to_move)
        assert game.is_legal(action), f"plays {action}, which is not legal"
        game.play(action)


KIND = Kind(
    "checkpoint",
    "player.safetensors",
    samples,
    alter,
    read,
    lambda path: ["evaluate", str(path), "random", "--deals", "2"],
)
