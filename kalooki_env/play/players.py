"""The opponents as a card player meets them: a name in plain words, and how strong each of them is.

Nothing here needs the engine, so that the first screen can show it at once.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from kalooki_env import agents
from kalooki_env.errors import KalookiError
from kalooki_env.rules import Rules


class Player(NamedTuple):
    """An agent: its name at the table, a word on its strength, and a line on how it plays.

    The figures are win rates of duplicate deals by the rules `british` at two seats, as in the README.
    """

    title: str
    strength: str
    line: str


DEFAULT = "heuristic"
"""Who plays when nobody is asked for: strong, and quick."""

_PLAYERS = {
    "random": Player("Dice", "any move", "plays anything; wins 2 deals of 100 against Beginner."),
    "greedy": Player("Beginner", "fair", "lays what it can; wins 20 deals of 100 against Veteran."),
    "heuristic:light": Player(
        "Regular", "good", "is Veteran in a hurry; wins 66 deals of 100 against Beginner."
    ),
    "heuristic": Player(
        "Veteran", "strong", "weighs its moves; wins 80 deals of 100 against Beginner."
    ),
    "search": Player(
        "Thinker",
        "strongest, slower",
        "tries its moves in imagined deals; wins 54 deals of 100 against Veteran.",
    ),
}


def title(name: str, otherwise: str | None = None) -> str:
    """Return what an agent is called at the table.

    Args:
        name: what `agents.load` finds it by.
        otherwise: what a checkpoint calls itself; None: as it is named.
    """
    player = _PLAYERS.get(name) or _PLAYERS.get(name.partition(":")[0])
    return player.title if player is not None else otherwise or name


def about(name: str) -> Player:
    """Say who an agent is; a checkpoint is asked by its header, without PyTorch."""
    if name in _PLAYERS:
        return _PLAYERS[name]
    try:
        header = _header(agents.find_checkpoint(name))
        preset = Rules.from_dict(header["rules"]).name
        table = f"{preset}, {int(header['seats'])} seats"
        millions = int(header["decisions"]) / 1e6
    except (KalookiError, OSError, ValueError, LookupError, TypeError, RecursionError):
        return Player(name, "can't be read", "is a checkpoint that can't be read.")
    line = f"taught itself in {millions:.1f} million moves; it knows {table} best."
    return Player(name, f"taught itself {table}", line)


def _header(path: Path) -> dict[str, Any]:
    """Read what a checkpoint says about itself."""
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > 1 << 24:
            raise ValueError("expected a header of at most 16 MB")
        return json.loads(json.loads(file.read(size))["__metadata__"]["kalooki"])
