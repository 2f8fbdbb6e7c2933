"""What a run over the ends of a turn goes on from: the state in its folder."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from kalooki_env.agents.ends.layout import INPUTS
from kalooki_env.agents.ends.weights import Net
from kalooki_env.agents.header import INPUT_VERSION
from kalooki_env.agents.heuristic.layout import ROWS, N
from kalooki_env.errors import one_line
from kalooki_env.files import write_whole
from training.config import ConfigError
from training.ends.config import EndsConfig
from training.ends.learn import Learner
from training.run import STATE, complete, read_state

_VERSIONS: list[object] = [INPUT_VERSION, INPUTS]
_KEYS = {"round": int, "decisions": int, "seconds": float, "learner": Mapping, "playing": Mapping}


@dataclass
class State:
    """How far a run is; with the learner all that it needs to go on as if never stopped.

    Every other source of chance is derived from the seed and the number of the round.
    """

    round: int = 0
    decisions: int = 0
    seconds: float = 0.0

    def save(self, folder: Path, learner: Learner, playing: Net) -> None:
        """Write it whole or not at all; `playing` is the network that plays the next round."""
        weights = {name: torch.from_numpy(array) for name, array in playing.weights().items()}
        content = {
            **vars(self),
            "made_for": _VERSIONS,
            "learner": learner.state(),
            "playing": weights,
        }
        data = io.BytesIO()
        torch.save(content, data)
        write_whole(folder / STATE, data.getvalue())

    @classmethod
    def load(cls, folder: Path, learner: Learner) -> tuple["State", Net]:
        """Read it back into the learner."""
        content = read_state(folder, _KEYS, _VERSIONS)
        learner.restore(content["learner"])
        weights = {name: part.numpy() for name, part in content["playing"].items()}
        playing = Net(**weights, temperature=learner.config.temperature)
        return cls(content["round"], content["decisions"], content["seconds"]), playing


def check_state(folder: Path, config: EndsConfig) -> None:
    """Raise ConfigError where the state of a run is complete, damaged, or that of another run."""
    content = read_state(folder, _KEYS, _VERSIONS)
    if content["round"] >= config.rounds:
        raise complete(folder)
    net = Net.fresh(np.zeros((ROWS, N)), (config.hidden[0], config.hidden[1]))
    try:
        Learner(config, net).restore(content["learner"])
        for name, weights in net.weights().items():
            if content["playing"][name].shape != weights.shape:
                raise ValueError(f"its weights {name} have another shape")
    except Exception as error:  # whatever PyTorch says to an optimizer's state that is none
        raise ConfigError(
            f"expected the state of this run in {folder / STATE}, got another or a damaged one "
            f"({one_line(error)}): start a new run"
        ) from None
