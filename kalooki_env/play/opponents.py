"""Who sits at the other seats."""

import shlex
from collections.abc import Sequence
from typing import NamedTuple

from kalooki_env import agents
from kalooki_env.agents.base import Agent
from kalooki_env.errors import KalookiError
from kalooki_env.game import Game
from kalooki_env.play.players import DEFAULT, title
from kalooki_env.rules import Rules


class Opponents(NamedTuple):
    """Agents of the seats 1, 2, ..., what `agents.load` finds them by, what they are called at the
    table, and who they are in words."""

    agents: dict[int, Agent]
    names: tuple[str, ...]
    called: dict[int, str]
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
        name: an agent's name or path, or one for each seat; None: `players.DEFAULT`.
        rules: the rules they must be able to play by.
        seats: seats at the table, the person's seat 0 included.
        seed: starts the agents' random streams.

    Raises:
        KalookiError: a name is no agent that can be loaded, or their number is not that of the
            seats.
    """
    name = DEFAULT if name is None else name
    names = (name,) if isinstance(name, str) else tuple(name)
    if len(names) not in (1, seats - 1):
        raise KalookiError(
            f"expected one opponent for all, or one for each of {seats - 1} seats, got {len(names)}"
        )
    names = names * (seats - 1) if len(names) == 1 else names
    seated = _seated(names, rules, seats, seed)
    called = {seat: title(name, seated[seat].name) for seat, name in enumerate(names, 1)}
    return Opponents(seated, names, called, _told(names, list(called.values())))


def _told(names: Sequence[str], called: Sequence[str]) -> str:
    """Say who the opponents are, with what the commands call them."""
    words, numbered = [], numbers(called)
    for name in dict.fromkeys(names):
        titles = [one for one, own in zip(numbered, names, strict=True) if own == name]
        words.append(
            ", ".join(titles) + ("" if called[names.index(name)] == name else f" ({name})")
        )
    return f"Your opponent{'s' * (len(names) > 1)}: {', '.join(words)}."


def numbers(names: Sequence[str]) -> list[str]:
    """Return names with numbers where several are the same: "Veteran 1", "Veteran 2"."""
    return [
        f"{name} {names[: index + 1].count(name)}" if names.count(name) > 1 else name
        for index, name in enumerate(names)
    ]


def _seated(names: Sequence[str], rules: Rules, seats: int, seed: int) -> dict[int, Agent]:
    """Load an agent for each seat but 0, each with a stream of its own; let each kind try a move."""
    seated = {seat: agents.load(name, seed=seed + seat) for seat, name in enumerate(names, 1)}
    # An agent that does not fit this table says so now, not in the middle of the deal.
    game = Game(rules, seats=seats, seed=0, episode="match")
    for name in dict.fromkeys(names):
        seated[names.index(name) + 1].act(game, game.to_move)
    # What the table is going to ask is compiled now, while somebody is told that it takes a moment.
    game.look(game.to_move)
    game.play(int(game.legal_actions()[0]))
    return seated


def lasting(name: str) -> str:
    """Return what finds an agent from any folder: a built-in name, else the full path of its file."""
    if name.partition(":")[0] in agents.BUILT_IN:
        return name
    return str(agents.find_checkpoint(name).resolve())
