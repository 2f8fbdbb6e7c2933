"""A config file becomes settings, and errors name the key."""

from pathlib import Path

import pytest

from kalooki_env.errors import KalookiError
from training import config as configs
from training.config import Config, ConfigError
from training.start import settings

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.toml"))


def load(tmp_path: Path, text: str) -> Config:
    path = tmp_path / "run.toml"
    path.write_text(text)
    return configs.load(path)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_shipped_configs_load(path: Path) -> None:
    assert settings(path).learner in ("ppo", "ends")


def test_defaults_fill_what_a_file_leaves_out(tmp_path: Path) -> None:
    assert load(tmp_path, "") == Config()
    config = load(tmp_path, "learning_rate = 1\nactor = [64, 32]\n")
    assert config.learning_rate == 1.0 and config.actor == (64, 32)


def test_resolved_settings_read_back_to_the_same_settings(tmp_path: Path) -> None:
    config = load(tmp_path, 'without = ["recent"]\nnorm_adv = false\nadam_eps = 1e-8\n')
    again = load(tmp_path, config.to_toml())
    assert again == config and again.digest() == config.digest()
    assert config.digest() != Config().digest()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("learning_rat = 1e-3", "learning_rat: unknown key; did you mean learning_rate"),
        ("zzz = 1", "zzz: unknown key; see training/config.py"),
        ("seed = 1.5", "seed: expected a whole number, got 1.5"),
        ("seed = true", "seed: expected a whole number, got True"),
        ('learning_rate = "fast"', "learning_rate: expected a number, got 'fast'"),
        ("norm_adv = 1", "norm_adv: expected true or false, got 1"),
        ("actor = 256", "actor: expected an array, a whole number each, got 256"),
        ('actor = ["a"]', "actor: expected a whole number, got 'a'"),
        ("critic = []", "critic: expected at least one width"),
        ("gamma = 1.5", "gamma: expected a number from 0 to 1, got 1.5"),
        ("workers = 0", "workers: expected at least 1, got 0"),
        ("num_steps = 2", "num_steps: expected more than 2, the seats, got 2"),
        ("seats = 7", "seats: expected 2 to 6, got 7"),
        ("seed = ", "expected a TOML file"),
    ],
)
def test_an_error_names_the_key_what_was_expected_and_what_came(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(ConfigError) as error:
        load(tmp_path, text)
    assert message in str(error.value)
    assert isinstance(error.value, KalookiError)  # so that the command line prints it in one line


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml"):
        configs.load(tmp_path / "none.toml")


def test_overrides_are_checked_like_the_file(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text("seed = 3\n")
    assert configs.load(path, {"seed": 4}).seed == 4
    with pytest.raises(ConfigError, match="sed"):
        configs.load(path, {"sed": 4})


def test_every_setting_is_described_and_has_its_default() -> None:
    lines = configs.describe().splitlines()
    assert len(lines) == len(vars(Config()))
    assert any(line.startswith("clip_coef = 0.2  # PPO's bound") for line in lines)


def test_the_schedule_covers_the_decisions() -> None:
    config = configs.from_dict({"decisions": 1000, "workers": 2, "num_envs": 5, "num_steps": 10})
    assert config.batch_size == 100 and config.num_iterations == 10
