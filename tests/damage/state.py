"""The state of a training run, from which it is resumed."""

import io
from pathlib import Path
from random import Random

import torch

from kalooki_env.agents.network import ActorCritic
from tests.damage import values
from tests.damage.kind import Kind
from training import config as configs
from training.rollout import Collector
from training.run import SETTINGS, STATE, State, check_state, open_folder

TINY = configs.from_dict(
    {
        "decisions": 320,
        "workers": 1,
        "num_envs": 8,
        "num_steps": 40,
        "minibatch_size": 160,
        "actor": [16],
        "critic": [16],
        "bottleneck": 8,
    }
)


def samples(folder: Path) -> list[bytes]:
    """Save the state of a run that begins."""
    torch.manual_seed(1)
    network = ActorCritic(TINY.network)
    optimizer = torch.optim.Adam(network.parameters())
    ids, counts = torch.zeros(2, 1, dtype=torch.int16), torch.ones(2, dtype=torch.int32)
    network(torch.zeros(2, network.inputs), ids, counts)[1].sum().backward()
    optimizer.step()
    (folder / SETTINGS).write_text(TINY.to_toml())
    State().save(folder, network, optimizer, [Collector(TINY, 0).batch.games])
    data = (folder / STATE).read_bytes()
    (folder / STATE).unlink()
    return [data]


def alter(rng: Random, data: bytes) -> bytes:
    """Alter what it says, and its games."""
    content = torch.load(io.BytesIO(data), weights_only=True)
    if rng.random() < 0.3:
        games = content["games"][0]
        for _ in range(rng.choice((1, 10, 200))):
            games[rng.randrange(len(games))] = rng.randrange(256)
    else:
        content = values.alter(rng, content)
    out = io.BytesIO()
    torch.save(content, out)
    return out.getvalue()


def read(path: Path, _: bytes) -> None:
    """Open the folder to resume, then read the state and play on."""
    (path.parent / SETTINGS).write_text(TINY.to_toml())
    open_folder(path.parent, TINY, True, check_state).close()
    network = ActorCritic(TINY.network)
    optimizer = torch.optim.Adam(network.parameters())
    collector = Collector(TINY, 0)
    State.load(path.parent, 0, network, optimizer, collector)
    assert all(len(collector.batch.legal_ids(k)) > 1 for k in range(TINY.num_envs))


def _command(path: Path) -> list[str]:
    return ["train", str(path.parent / SETTINGS), "--resume", "--out", str(path.parent)]


KIND = Kind("state", STATE, samples, alter, read, _command)
