"""The folder of a run: settings, checkpoint, the state to resume from."""

import fcntl
import hashlib
import io
import os
import sys
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import torch

from kalooki_env import actions, observation
from kalooki_env.agents.header import MOST_BYTES
from kalooki_env.agents.network import ActorCritic
from kalooki_env.engine.layout import GAME
from kalooki_env.errors import one_line, shown
from kalooki_env.files import HEAD, kind, read_whole, why, write_whole
from kalooki_env.invariants import violations
from kalooki_env.rules import Rules
from training import config as configs
from training.config import Config, ConfigError, S, Settings
from training.rollout import Collector

CHECKPOINT = "latest.safetensors"
STATE = "state.pt"
SETTINGS = "config.toml"
LOCK = "lock"


def open_folder(
    folder: Path, config: S, resume: bool, check: Callable[[Path, S], None]
) -> IO[str]:
    """Make the folder of a run ready.

    A new run moves an older one in the same place aside, to `<name>-1` and so on. What a start left
    that a full disk ended, the lock alone, is no run: it is begun there again. `check` raises
    ConfigError where the state of a run that is to be resumed has nothing left to do, or is damaged.

    Returns:
        the lock of the folder, an open file: while it is open no other run can use the folder.

    Raises:
        ConfigError: there is nothing to resume, it was made with other settings, it is complete,
            or another run is using the folder.
    """
    if resume:
        _check_resumable(folder, config)
        check(folder, config)
    else:
        _move_aside(folder)
        folder.mkdir(parents=True, exist_ok=True)
    lock = _lock(folder)
    write_whole(folder / SETTINGS, config.to_toml().encode())
    return lock


def _lock(folder: Path) -> IO[str]:
    """Lock the folder until the returned file is closed."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW  # no other file is touched
    file = open(os.open(folder / LOCK, flags, 0o666), "w")  # noqa: SIM115 (the caller closes it)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise ConfigError(
            f"expected a folder that no other run is using, got {folder}: choose another with --out"
        ) from None
    return file


def _check_resumable(folder: Path, config: Settings) -> None:
    """Raise ConfigError where the run in a folder can't go on with these settings."""
    if not (folder / STATE).is_file():
        raise ConfigError(
            f"expected a run to resume, got {folder}, without {STATE}: start it without --resume"
        )
    before = configs.load(folder / SETTINGS, kind=type(config)).to_dict()
    for key, value in config.to_dict().items():
        if key not in config.MAY_CHANGE and before[key] != value:
            raise ConfigError(
                f"{key}: expected {before[key]!r} as in the run to resume, got {value!r}: "
                "resume with its own settings, or start a new run in another folder"
            )


def check_state(folder: Path, config: Config) -> None:
    """Raise ConfigError where the state of a run is complete, damaged, or that of another run."""
    content = State.read(folder)
    if content["iteration"] >= config.num_iterations:
        raise complete(folder)
    try:
        _check_fits(content, config)
    except Exception as error:  # whatever PyTorch says to an optimizer's state that is none
        raise ConfigError(
            f"expected the state of this run in {folder / STATE}, got another or a damaged one "
            f"({one_line(error)}): start a new run"
        ) from None


def complete(folder: Path) -> ConfigError:
    """Return what is said where a run has nothing left to do."""
    return ConfigError(
        f"expected a run to go on with, got {folder}, which is complete: start a new one"
    )


def _check_fits(content: Mapping[str, Any], config: Config) -> None:
    """Raise ValueError, or what PyTorch raises, where a state is none of a run of these settings."""
    network = ActorCritic.from_weights(config.network, content["network"])
    torch.optim.Adam(network.parameters()).load_state_dict(dict(content["optimizer"]))
    if len(content["games"]) != config.workers:
        raise ValueError(f"it has games of {len(content['games'])} workers")
    for part in content["games"]:
        if part.dtype != torch.uint8 or part.shape != (config.num_envs * GAME.itemsize,):
            raise ValueError("its games are of another number or size")
        rules = Rules.preset(config.rules, turn_cap=config.turn_cap)
        if broken := violations(part.numpy().view(GAME), rules):
            raise ValueError(broken[0])


def _move_aside(folder: Path) -> None:
    if not folder.exists() and not folder.is_symlink():
        return
    found = {path.name for path in folder.iterdir()} if folder.is_dir() else {""}
    if all(name == LOCK or name.startswith(f".{SETTINGS}.") for name in found):
        return
    if not (folder / SETTINGS).is_file():
        raise ConfigError(
            f"expected a folder for the run, got {folder}, full of other things: choose another"
        )
    _lock(folder).close()
    number = 1
    while (aside := folder.with_name(f"{folder.name}-{number}")).exists():
        number += 1
    folder.rename(aside)
    print(f"the older run in {folder} is now in {aside}", file=sys.stderr)


@dataclass
class State:
    """How far a run is; with network, optimizer and games all that it needs to go on as if never
    stopped.

    Every other source of chance is derived from the seed, the worker and the number of the
    iteration.
    """

    iteration: int = 0
    deals: float = 0.0
    seconds: float = 0.0

    def save(
        self,
        folder: Path,
        network: ActorCritic,
        optimizer: torch.optim.Optimizer,
        games: list[np.ndarray],
    ) -> None:
        """Write it whole or not at all; `games` are the records of each worker."""
        content = {
            **vars(self),
            "made_for": _versions(),
            "network": network.state_dict(),
            "optimizer": optimizer.state_dict(),
            "games": [torch.from_numpy(records.view(np.uint8).copy()) for records in games],
        }
        data = io.BytesIO()
        torch.save(content, data)
        write_whole(folder / STATE, data.getvalue())

    @classmethod
    def load(
        cls,
        folder: Path,
        rank: int,
        network: ActorCritic,
        optimizer: torch.optim.Optimizer,
        collector: Collector,
    ) -> "State":
        """Read it back into the network, the optimizer and the games of worker `rank`."""
        content = cls.read(folder)
        network.load_state_dict(content["network"])
        optimizer.load_state_dict(content["optimizer"])
        collector.restore(content["games"][rank].numpy())
        return cls(content["iteration"], content["deals"], content["seconds"])

    @staticmethod
    def read(folder: Path) -> dict[str, Any]:
        """Read the file; raise ConfigError if it is damaged or was made for other versions."""
        content = read_state(folder, _KEYS, _versions())
        if not all(isinstance(part, torch.Tensor) for part in content["games"]):
            raise _damaged(folder, "its games cannot be used")
        return content


_KEYS = {
    "iteration": int,
    "deals": float,
    "seconds": float,
    "network": Mapping,
    "optimizer": Mapping,
    "games": list,
}


def read_state(folder: Path, keys: Mapping[str, type], versions: list[object]) -> dict[str, Any]:
    """Read the state of a run.

    Args:
        folder: its folder.
        keys: what it holds and of which type.
        versions: what it must have been made for.

    Raises:
        ConfigError: it is damaged or was made for other versions.
    """
    path = folder / STATE
    try:
        content = _unpack(read_whole(path, MOST_BYTES), {**keys, "made_for": list})
    except OSError as error:
        raise ConfigError(f"expected to read {path}, got: {why(error)}") from None
    except ValueError as error:
        raise _damaged(folder, str(error)) from None
    if content["made_for"] != versions:
        raise ConfigError(
            f"expected a run of versions {versions}, got {shown(content['made_for'])}: start a new "
            "run, or use the version of kalooki that began it"
        )
    return content


def _damaged(folder: Path, reason: str) -> ConfigError:
    return ConfigError(
        f"expected the state of a run in {folder / STATE}, got a damaged file ({reason}): "
        "start a new run"
    )


def _unpack(data: bytes, keys: Mapping[str, type]) -> dict[str, Any]:
    """Read the content of a state; raise ValueError where it is damaged. Nothing of it is run."""
    try:
        # PyTorch does not look at the checksums that it writes.
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if archive.testzip() is not None:
                raise ValueError("its checksum does not fit")
        content = torch.load(io.BytesIO(data), weights_only=True)
    except Exception as error:  # whatever zipfile and PyTorch say to bytes that are no state
        what = kind(data[:HEAD])
        raise ValueError(f"it is {what}" if what else one_line(error)) from None
    if not isinstance(content, dict):
        raise ValueError("it holds something else")
    for key, expected in keys.items():
        if not isinstance(content.get(key), expected):
            raise ValueError(f"its {key} cannot be used")
    return content


def _versions() -> list[object]:
    """Return what a saved run depends on: the meaning of inputs, actions and game records."""
    layout = hashlib.sha256(repr(GAME.descr).encode()).hexdigest()[:16]
    return [observation.VERSION, actions.VERSION, layout]
