"""The folder of a run: settings, checkpoint, the state to resume from."""

import fcntl
import hashlib
import io
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import torch

from kalooki_env import actions, observation
from kalooki_env.agents.network import ActorCritic
from kalooki_env.engine.layout import GAME
from kalooki_env.files import write_whole
from training import config as configs
from training.config import ConfigError, Settings
from training.rollout import Collector

CHECKPOINT = "latest.safetensors"
STATE = "state.pt"
SETTINGS = "config.toml"
LOCK = "lock"


def open_folder(
    folder: Path, config: Settings, resume: bool, complete: Callable[[Path], bool]
) -> IO[str]:
    """Make the folder of a run ready.

    A new run moves an older one in the same place aside, to `<name>-1` and so on. `complete` tells
    whether a run that is to be resumed has nothing left to do.

    Returns:
        the lock of the folder, an open file: while it is open no other run can use the folder.

    Raises:
        ConfigError: there is nothing to resume, it was made with other settings, it is complete,
            or another run is using the folder.
    """
    if resume:
        _check_resumable(folder, config, complete)
    else:
        _move_aside(folder)
        folder.mkdir(parents=True)
    lock = _lock(folder)
    write_whole(folder / SETTINGS, config.to_toml().encode())
    return lock


def _lock(folder: Path) -> IO[str]:
    """Lock the folder until the returned file is closed."""
    file = open(folder / LOCK, "w")  # noqa: SIM115 (the caller closes it)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise ConfigError(
            f"expected a folder that no other run is using, got {folder}: choose another with --out"
        ) from None
    return file


def _check_resumable(folder: Path, config: Settings, complete: Callable[[Path], bool]) -> None:
    """Raise ConfigError where the run in a folder can't go on with these settings."""
    if not (folder / STATE).is_file():
        raise ConfigError(
            f"expected a run to resume, got {folder}, without {STATE}: start it without --resume"
        )
    if complete(folder):
        raise ConfigError(
            f"expected a run to go on with, got {folder}, which is complete: start a new one"
        )
    before = configs.load(folder / SETTINGS, kind=type(config)).to_dict()
    for key, value in config.to_dict().items():
        if key not in config.MAY_CHANGE and before[key] != value:
            raise ConfigError(
                f"{key}: expected {before[key]!r} as in the run to resume, got {value!r}: "
                "resume with its own settings, or start a new run in another folder"
            )


def _move_aside(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / SETTINGS).is_file()):
        raise ConfigError(
            f"expected a folder for the run, got {folder}, full of other things: choose another"
        )
    if (folder / SETTINGS).is_file():
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
        try:
            content = torch.load(folder / STATE, weights_only=True)
            made_for = content["made_for"]
        except (OSError, RuntimeError, EOFError, KeyError, pickle.UnpicklingError) as error:
            raise ConfigError(
                f"expected the state of a run in {folder / STATE}, got a damaged file ({error}): "
                "start a new run"
            ) from None
        if made_for != _versions():
            raise ConfigError(
                f"expected a run of observation, actions and records {_versions()}, got {made_for}: "
                "start a new run, or use the version of kalooki that began it"
            )
        return content


def _versions() -> list[object]:
    """Return what a saved run depends on: the meaning of inputs, actions and game records."""
    layout = hashlib.sha256(repr(GAME.descr).encode()).hexdigest()[:16]
    return [observation.VERSION, actions.VERSION, layout]
