"""The settings of a training run, and how a TOML file becomes them."""

import dataclasses
import difflib
import hashlib
import json
import math
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from kalooki_env import observation
from kalooki_env.errors import KalookiError, one_line, printable, shown
from kalooki_env.files import kind as kind_of
from kalooki_env.files import read_whole, why
from kalooki_env.rules import TURN_CAP

_LARGEST = 1 << 20
"""Bytes of the longest file of settings that is read."""
_MOST = 1 << 63
"""Bound on whole numbers; each setting has one of its own below it."""


class ConfigError(KalookiError):
    """A run's settings that cannot be used; the message names the key, what was expected and what
    came."""


class Settings:
    """What the settings of every kind of run share: a frozen dataclass with a text below each field."""

    MAY_CHANGE: ClassVar[tuple[str, ...]] = (
        "max_minutes",
        "save_minutes",
        "eval_minutes",
        "eval_deals",
    )
    """Settings that may differ when a run is resumed: they do not touch what is learned."""

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain JSON types."""
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in vars(self).items()
        }

    def digest(self) -> str:
        """Return a hash of all settings, 16 hex digits."""
        text = json.dumps(self.to_dict(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_toml(self) -> str:
        """Write the settings as TOML that `load` reads back to the same settings."""
        return "".join(f"{key} = {json.dumps(value)}\n" for key, value in self.to_dict().items())


@dataclass(frozen=True)
class Config(Settings):
    """Every setting of a run. One TOML file holds one run, flat: `key = value`, keys as below."""

    learner: str = "ppo"
    """what learns: "ppo", this network from observation to action; "ends" has keys of its own, see
    training/ends/config.py"""

    # the game
    rules: str = "british"
    """preset of the rules that are played"""
    seats: int = 2
    """seats at the table, all played by the network that is trained"""
    turn_cap: int = TURN_CAP
    """turns after which a deal is cut, scored like a void"""

    # the run
    seed: int = 1
    """decides everything, together with `workers`: same settings, same weights"""
    decisions: int = 10_000_000
    """decisions to train on, all workers together; forced moves are played unseen and not counted
    """
    workers: int = 2
    """processes, one a core; each plays its own games, gradients are averaged over all of them"""
    num_envs: int = 512
    """games that each worker plays side by side"""
    num_steps: int = 64
    """decisions in each game between two updates"""
    max_minutes: float = 0.0
    """stop after this many minutes with a usable checkpoint; 0 = no limit"""
    save_minutes: float = 1.0
    """minutes between two saves of the checkpoint and the state to resume from"""

    # the reward of a deal, paid at a seat's last decision: win and points mixed
    win_weight: float = 0.5
    """weight of winning: +1 to the winner, -1/(seats - 1) to each other seat"""
    points_weight: float = 0.5
    """weight of the points: a loser pays its penalty, the winner receives them all"""
    points_scale: float = 100.0
    """penalty points that count as 1"""
    points_clip: float = 1.0
    """bound on the points part, before its weight"""
    void_reward: float = 0.0
    """reward of every seat for a void or cut deal"""

    # PPO
    learning_rate: float = 1e-3
    """learning rate of Adam at the start"""
    final_learning_rate: float = 1e-4
    """learning rate at the end, reached linearly"""
    adam_eps: float = 1e-5
    """epsilon of Adam"""
    gamma: float = 1.0
    """discount per decision; a turn is several decisions, so below 1 laying melds one by one costs
    """
    gae_lambda: float = 0.95
    """lambda of generalised advantage estimation, per decision of the same seat"""
    update_epochs: int = 1
    """passes over each rollout"""
    minibatch_size: int = 2048
    """decisions in a gradient step, per worker"""
    clip_coef: float = 0.2
    """PPO's bound on the change of an action's probability"""
    norm_adv: bool = True
    """normalise the advantages of each rollout"""
    ent_coef: float = 0.02
    """weight of the entropy bonus at the start"""
    final_ent_coef: float = 0.005
    """weight of the entropy bonus at the end, reached linearly"""
    vf_coef: float = 0.5
    """weight of the value loss"""
    max_grad_norm: float = 0.5
    """bound on the norm of the gradient"""

    # the network
    without: tuple[str, ...] = ()
    """blocks of the observation that the network does not read"""
    hand_features: bool = True
    """whether the network also reads what the solver says about the own hand"""
    shared: tuple[int, ...] = ()
    """widths of the hidden layers that actor and critic share"""
    actor: tuple[int, ...] = (256, 256)
    """widths of the actor's own hidden layers"""
    bottleneck: int = 64
    """width of the vector that the logits are read from"""
    critic: tuple[int, ...] = (256, 128)
    """widths of the critic's own hidden layers"""

    # measuring strength on the way (never trained on)
    eval_minutes: float = 0.0
    """minutes between two measurements; 0 = none"""
    eval_deals: int = 200
    """deals against each opponent in a measurement"""
    eval_opponents: tuple[str, ...] = ("random", "greedy")
    """agents to measure against"""

    def __post_init__(self) -> None:
        """Refuse values that no run can use."""
        expect(self.learner == "ppo", self, "learner", '"ppo" or "ends"')
        for key in (
            "decisions",
            "workers",
            "num_envs",
            "num_steps",
            "minibatch_size",
            "update_epochs",
            "bottleneck",
        ):
            expect(getattr(self, key) >= 1, self, key, "at least 1")
        for key in ("learning_rate", "points_scale", "max_grad_norm", "adam_eps"):
            expect(getattr(self, key) > 0, self, key, "a number above 0")
        for key in ("gamma", "gae_lambda"):
            expect(0 <= getattr(self, key) <= 1, self, key, "a number from 0 to 1")
        for key in ("shared", "actor", "critic"):
            expect(min(getattr(self, key), default=1) >= 1, self, key, "widths of 1 or more")
            expect(max(getattr(self, key), default=1) <= 8192, self, key, "widths up to 8192")
        for key, value in vars(self).items():
            if isinstance(value, float):
                expect(math.isfinite(value), self, key, "a finite number")
        for key in ("clip_coef", "points_clip"):
            expect(getattr(self, key) > 0, self, key, "a number above 0")
        for key in ("final_learning_rate", "ent_coef", "final_ent_coef", "vf_coef", "max_minutes",
                    "save_minutes", "eval_minutes"):  # fmt: skip
            expect(getattr(self, key) >= 0, self, key, "a number of 0 or more")
        expect(0 <= self.seed < 2**63, self, "seed", "0 or more, below 2**63")
        expect(1 <= self.turn_cap <= 1_000_000, self, "turn_cap", "1 to 1000000")
        expect(self.eval_deals >= 1, self, "eval_deals", "at least 1")
        expect(self.bottleneck <= 8192, self, "bottleneck", "up to 8192")
        expect(self.decisions <= 10**14, self, "decisions", "up to 10**14")
        expect(self.workers <= 256, self, "workers", "up to 256")
        rows = self.num_envs * self.num_steps
        expect(rows <= 2**22, self, "num_envs", f"up to {2**22} decisions a rollout and worker")
        blocks = {block.name for block in observation.BLOCKS}
        for name in self.without:
            expect(name in blocks, self, "without", "blocks of the observation")
        expect(bool(self.critic), self, "critic", "at least one width")
        expect(2 <= self.seats <= 6, self, "seats", "2 to 6")
        # The last decision of each seat is bootstrap only; a rollout needs more than these.
        expect(
            self.num_steps > self.seats, self, "num_steps", f"more than {self.seats}, the seats"
        )

    @property
    def batch_size(self) -> int:
        """Decisions of one rollout, all workers together."""
        return self.workers * self.num_envs * self.num_steps

    @property
    def num_iterations(self) -> int:
        """Rollouts of the run, each followed by its update."""
        return max(1, round(self.decisions / self.batch_size))

    @property
    def network(self) -> dict[str, Any]:
        """The network's own settings, see `kalooki_env.agents.network.DEFAULTS`."""
        return {
            "seats": self.seats,
            "without": list(self.without),
            "hand": self.rules if self.hand_features else "",
            "shared": list(self.shared),
            "actor": list(self.actor),
            "bottleneck": self.bottleneck,
            "critic": list(self.critic),
        }


S = TypeVar("S", bound=Settings)


def load(
    path: str | Path, overrides: Mapping[str, Any] | None = None, kind: type[S] = Config
) -> S:
    """Read the settings of a kind of run from a TOML file; `overrides` replaces single keys.

    Raises:
        ConfigError: no such file, no TOML, an unknown key, a value of another type or out of range.
    """
    return from_dict({**read(path), **(overrides or {})}, kind)


def read(path: str | Path) -> dict[str, Any]:
    """Read a TOML file; raises ConfigError if there is none."""
    path = Path(path)
    try:
        data = read_whole(path, _LARGEST)
        return tomllib.loads(data.decode())
    except FileNotFoundError:
        raise ConfigError(
            f"expected a config file, got {path}, which does not exist: see configs/"
        ) from None
    except OSError as error:
        raise ConfigError(f"expected a TOML file, got {path}: {why(error)}") from None
    except (ValueError, RecursionError) as error:
        what = kind_of(data)
        reason = f"it is {what}" if what else one_line(error)
        raise ConfigError(f"expected a TOML file, got {path}: {reason}") from None


def from_dict(values: Mapping[str, Any], kind: type[S] = Config) -> S:
    """Check names and types and build the settings; raises ConfigError as `load`."""
    hints = typing.get_type_hints(kind)
    checked = {}
    for key, value in values.items():
        if key not in hints:
            close = difflib.get_close_matches(key, hints, n=3)
            hint = (
                f"did you mean {' or '.join(close)}?"
                if close
                else f"see {kind.__module__.replace('.', '/')}.py for all keys"
            )
            raise ConfigError(f"{printable(key[:60])}: unknown key; {hint}")
        checked[key] = _typed(key, value, hints[key])
    return kind(**checked)


def _typed(key: str, value: Any, hint: Any) -> Any:
    """Return `value` as the field's type, or raise ConfigError."""
    if isinstance(hint, types.GenericAlias):  # tuple[item, ...], an array in TOML
        item = typing.get_args(hint)[0]
        if isinstance(value, list | tuple):
            return tuple(_typed(key, part, item) for part in value)
        raise ConfigError(f"{key}: expected an array, {_NAMES[item]} each, got {shown(value)}")
    if hint is float and type(value) is int and abs(value) < _MOST:
        return float(value)
    if type(value) is not hint or (
        hint is int and abs(value) > _MOST
    ):  # bool is an int to isinstance
        raise ConfigError(f"{key}: expected {_NAMES[hint]}, got {shown(value)}")
    return value


_NAMES = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def expect(condition: bool, config: Settings, key: str, expected: str) -> None:
    """Raise ConfigError where a setting is not what is expected."""
    if not condition:
        raise ConfigError(f"{key}: expected {expected}, got {shown(getattr(config, key))}")


def describe() -> str:
    """List every key with its default and meaning, one line each."""
    source = Path(__file__).read_text(encoding="utf-8")
    lines = []
    for field in dataclasses.fields(Config):
        start = source.index(f"    {field.name}: ")
        meaning = " ".join(source[start:].split('"""')[1].split())
        lines.append(f"{field.name} = {json.dumps(field.default)}  # {meaning}")
    return "\n".join(lines)
