"""What a run over the ends of a turn goes on from: the state in its folder."""

import io
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from kalooki_env.agents.ends.layout import INPUTS, VERSION
from kalooki_env.agents.ends.weights import Net
from kalooki_env.files import write_whole
from training.config import ConfigError
from training.ends.learn import Learner
from training.run import STATE


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
        weights = {name: torch.from_numpy(array) for name, array in vars(playing).items()}
        content = {
            **vars(self),
            "made_for": [VERSION, INPUTS],
            "learner": learner.state(),
            "playing": weights,
        }
        data = io.BytesIO()
        torch.save(content, data)
        write_whole(folder / STATE, data.getvalue())

    @classmethod
    def load(cls, folder: Path, learner: Learner) -> tuple["State", Net]:
        """Read it back into the learner."""
        content = read_state(folder)
        learner.restore(content["learner"])
        playing = Net(**{name: part.numpy() for name, part in content["playing"].items()})
        return cls(content["round"], content["decisions"], content["seconds"]), playing


def read_state(folder: Path) -> dict[str, Any]:
    """Read the file; raise ConfigError if it is damaged or was made for other versions."""
    try:
        content = torch.load(folder / STATE, weights_only=True)
        made_for = content["made_for"]
    except (OSError, RuntimeError, EOFError, KeyError, pickle.UnpicklingError) as error:
        raise ConfigError(
            f"expected the state of a run in {folder / STATE}, got a damaged file ({error}): "
            "start a new run"
        ) from None
    if made_for != [VERSION, INPUTS]:
        raise ConfigError(
            f"expected a run of inputs {[VERSION, INPUTS]}, got {made_for}: start a new run, or use the "
            "version of kalooki that began it"
        )
    return content
