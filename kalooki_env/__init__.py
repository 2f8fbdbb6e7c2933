"""Kalooki: an exact engine for the rummy game in its variants, and environments around it.

Importing this package compiles nothing and needs neither torch nor a terminal library; each name
is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kalooki_env.registration import register_envs

if TYPE_CHECKING:
    from kalooki_env import actions, agents, arena, kalooki_v0, records
    from kalooki_env.batch import Batch
    from kalooki_env.errors import (
        AgentMistake,
        CheckpointError,
        IllegalMove,
        KalookiError,
        NotationError,
        PositionError,
        RecordError,
        RulesError,
    )
    from kalooki_env.game import Game
    from kalooki_env.rules import Rules

__version__ = "0.1.0"

_ERRORS = (
    "AgentMistake", "CheckpointError", "IllegalMove", "KalookiError", "NotationError", "PositionError",
    "RecordError", "RulesError",
)  # fmt: skip
_WHERE = {"Rules": "rules", "Game": "game", "Batch": "batch"} | dict.fromkeys(_ERRORS, "errors")
_MODULES = ("actions", "agents", "arena", "kalooki_v0", "observation", "records", "testing")

__all__ = [
    "AgentMistake", "Batch", "CheckpointError", "Game", "IllegalMove", "KalookiError", "NotationError",
    "PositionError", "RecordError", "Rules", "RulesError", "actions", "agents", "arena", "kalooki_v0",
    "observation", "records", "testing",
]  # fmt: skip

register_envs()


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
