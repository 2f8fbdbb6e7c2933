"""The opponents as a card player meets them: a name in plain words, and how strong each of them is.

Nothing here needs the engine, so that the first screen can show it at once.
"""

import importlib.util
from typing import NamedTuple

from kalooki_env import actions, agents, observation
from kalooki_env.agents import header
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

_SHIPPED = {
    "british_2p": Player(
        "Master", "strongest, quick", "taught itself on from Veteran; wins 53 deals of 100 against it."
    ),
}
"""Checkpoints that come with the package, by the name of their file."""

_MOST_SEATS = 6
LEVELS = tuple(_PLAYERS)
"""The agents that are built in, the weakest first."""


def title(name: str, otherwise: str | None = None) -> str:
    """Return what an agent is called at the table.

    Args:
        name: what `agents.load` finds it by.
        otherwise: what a checkpoint calls itself; None: as it is named.
    """
    player = _PLAYERS.get(name) or _PLAYERS.get(name.partition(":")[0]) or _SHIPPED.get(name)
    return player.title if player is not None else otherwise or name


def most_seats(name: str) -> int:
    """Return the seats of the largest table at which an agent can sit; 0: it cannot be played here.

    A checkpoint plays by all rules, at tables as large as its network reads.
    """
    if name in _PLAYERS:
        return _MOST_SEATS
    try:
        said = header.read_header(agents.find_checkpoint(name))
        if said.get("kind") == header.ENDS:
            fits = said.get("input_version") == header.INPUT_VERSION
            needed, most = ("safetensors",), _MOST_SEATS
        else:
            fits = said.get("observation_version") == observation.VERSION
            needed, most = ("torch", "safetensors"), int(said["network"]["seats"])
    except (KalookiError, ValueError, LookupError, TypeError, OverflowError):
        return 0
    fits &= said.get("format_version") == header.FORMAT_VERSION
    fits &= said.get("action_version") == actions.VERSION
    return most if fits and all(map(importlib.util.find_spec, needed)) else 0


def about(name: str) -> Player:
    """Say who an agent is; a checkpoint is asked by its header, without PyTorch."""
    if name in _PLAYERS:
        return _PLAYERS[name]
    try:
        said = header.read_header(agents.find_checkpoint(name))
        preset = Rules.from_dict(said["rules"]).name
        unit = "deals" if said.get("kind") == header.ENDS else "moves"
        seats, count = int(said["seats"]), int(said["deals" if unit == "deals" else "decisions"])
        if not (2 <= seats <= _MOST_SEATS and 0 <= count < 2**63):
            raise ValueError("no checkpoint says that")
        table, millions = f"{preset}, {seats} seats", count / 1e6
    except (ValueError, LookupError, TypeError, OverflowError):
        return Player(name, "can't be read", "is a checkpoint that can't be read.")
    if name in _SHIPPED:
        return _SHIPPED[name]
    line = f"taught itself in {millions:.1f} million {unit}; it knows {table} best."
    return Player(name, f"taught itself {table}", line)
