"""`kalooki train`: the run that a config file asks for."""

from pathlib import Path

from training import config as configs


def train(config_path: str | Path, out: str | Path | None = None, resume: bool = False) -> Path:
    """Train what the config's `learner` names, see `training.ppo.train` and `training.ends.train`.

    Raises:
        ConfigError: settings that cannot be used; the message names the key.
        KeyboardInterrupt: after Ctrl-C, when the checkpoint is written.
    """
    if configs.read(config_path).get("learner") == "ends":
        from training.ends.train import train as train_ends

        return train_ends(config_path, out=out, resume=resume)
    from training import ppo

    return ppo.train(config_path, out=out, resume=resume)
