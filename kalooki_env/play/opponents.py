"""Who sits at the other seats."""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kalooki_env import agents
from kalooki_env.agents.base import Agent
from kalooki_env.errors import KalookiError
from kalooki_env.game import Game
from kalooki_env.rules import Rules


class Opponents(NamedTuple):
    """Agents of the seats 1, 2, ..., what `agents.load` finds them by, and who they are in words."""

    agents: dict[int, Agent]
    names: tuple[str, ...]
    told: str

    @property
    def options(self) -> str:
        """The options of `kalooki play` that seat them."""
        alike = len(set(self.names)) == 1
        names = self.names[:1] if alike else self.names
        return " ".join(f"--opponent {shlex.quote(name)}" for name in names)


def choose(name: str | Sequence[str] | None, rules: Rules, seats: int, seed: int) -> Opponents:
    """Load the agents of the seats 1, 2, ...

    Args:
        name: an agent's name or path, or one for each seat; None: the newest checkpoint here that
            loads, else greedy.
        rules: the rules they must be able to play by.
        seats: seats at the table, the person's seat 0 included.
        seed: starts the agents' random streams.

    Raises:
        KalookiError: a name is no agent that can be loaded, or their number is not that of the
            seats.
    """
    if name is not None:
        names = (name,) if isinstance(name, str) else tuple(name)
        if len(names) not in (1, seats - 1):
            raise KalookiError(
                f"expected one opponent for all, or one for each of {seats - 1} seats, got {len(names)}"
            )
        names = names * (seats - 1) if len(names) == 1 else names
        return Opponents(_seated(names, rules, seats, seed), names, _told(names))
    skipped = ""
    for found, path in agents.checkpoints():
        try:
            seated = _seated((str(path),) * (seats - 1), rules, seats, seed)
        except KalookiError as error:
            skipped = skipped or f" ({found} was passed over: {error})"
            continue
        told = f"Your opponent: {found}, the newest checkpoint here ({path}).{skipped}"
        return Opponents(seated, (found,) * (seats - 1), told)
    why = skipped or " (no checkpoint in runs/ or checkpoints/)"
    names = ("greedy",) * (seats - 1)
    seated = _seated(names, rules, seats, seed)
    return Opponents(seated, names, f"Your opponent: greedy{why}.")


def _told(names: Sequence[str]) -> str:
    if len(set(names)) == 1:
        return f"Your opponent: {names[0]}."
    return f"Your opponents: {', '.join(names)}."


def _seated(names: Sequence[str], rules: Rules, seats: int, seed: int) -> dict[int, Agent]:
    """Load an agent for each seat but 0, each with a stream of its own; let each kind try a move."""
    seated = {seat: agents.load(name, seed=seed + seat) for seat, name in enumerate(names, 1)}
    # An agent that does not fit this table says so now, not in the middle of the deal.
    game = Game(rules, seats=seats, seed=0, episode="match")
    for name in dict.fromkeys(names):
        seated[names.index(name) + 1].act(game, game.to_move)
    return seated


def lasting(name: str) -> str:
    """Return what finds an agent from any folder: a built-in name, else the full path of its file."""
    if name.partition(":")[0] in agents.BUILT_IN:
        return name
    return str(agents.find_checkpoint(name).resolve())


_BUILT_IN = {
    "random": "any legal move",
    "greedy": "few points left in hand",
    "heuristic": "rules of thumb, weighed",
    "search": "thinks ahead, slower",
}


def about(name: str) -> str:
    """Say in a few words what an agent is; a checkpoint is asked by its header, without PyTorch."""
    if name in agents.BUILT_IN:
        return _BUILT_IN.get(name, "")
    try:
        header = _header(agents.find_checkpoint(name))
        preset = Rules.from_dict(header["rules"]).name
        millions = int(header["decisions"]) / 1e6
        return f"{preset}, {int(header['seats'])} seats, {millions:.1f} M moves"
    except (KalookiError, OSError, ValueError, LookupError, TypeError):
        return "a checkpoint that can't be read"


def _header(path: Path) -> dict[str, Any]:
    """Read what a checkpoint says about itself."""
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > 1 << 24:
            raise ValueError("expected a header of at most 16 MB")
        return json.loads(json.loads(file.read(size))["__metadata__"]["kalooki"])
