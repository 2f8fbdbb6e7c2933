"""`kalooki train`: the run that a config file asks for."""

from pathlib import Path

from training import config as configs
from training.config import Config
from training.ends.config import EndsConfig


def settings(config_path: str | Path) -> Config | EndsConfig:
    """Read the settings of whichever kind of run a config file asks for; raises ConfigError."""
    values = configs.read(config_path)
    kind = EndsConfig if values.get("learner") == "ends" else Config
    return configs.from_dict(values, kind)


def train(config_path: str | Path, out: str | Path | None = None, resume: bool = False) -> Path:
    """Train what the config's `learner` names, see `training.ppo.train` and `training.ends.train`.

    Raises:
        ConfigError: settings that cannot be used; the message names the key.
        KeyboardInterrupt: after Ctrl-C, when the checkpoint is written.
    """
    if isinstance(settings(config_path), EndsConfig):
        from training.ends.train import train as train_ends

        return train_ends(config_path, out=out, resume=resume)
    from training import ppo

    return ppo.train(config_path, out=out, resume=resume)
