"""Who sits at the other seats."""

from typing import NamedTuple

from kalooki_env import agents
from kalooki_env.agents.base import Agent
from kalooki_env.errors import KalookiError
from kalooki_env.game import Game
from kalooki_env.rules import Rules


class Opponents(NamedTuple):
    """The agents of the seats 1, 2, ..., their name for `--opponent`, and who they are in words."""

    agents: dict[int, Agent]
    name: str
    told: str


def choose(name: str | None, rules: Rules, seats: int, seed: int) -> Opponents:
    """Load the agents of the seats 1, 2, ...

    Args:
        name: an agent's name or path; None: the newest checkpoint here that loads, else greedy.
        rules: the rules they must be able to play by.
        seats: seats at the table, the person's seat 0 included.
        seed: starts the agents' random streams.

    Raises:
        KalookiError: `name` is given and is no agent that can be loaded.
    """
    if name is not None:
        return Opponents(_seated(name, rules, seats, seed), name, f"Your opponent: {name}.")
    skipped = ""
    for found, path in agents.checkpoints():
        try:
            seated = _seated(str(path), rules, seats, seed)
        except KalookiError as error:
            skipped = skipped or f" ({found} was passed over: {error})"
            continue
        told = f"Your opponent: {found}, the newest checkpoint here ({path}).{skipped}"
        return Opponents(seated, found, told)
    why = skipped or " (no checkpoint in runs/ or checkpoints/)"
    return Opponents(
        _seated("greedy", rules, seats, seed), "greedy", f"Your opponent: greedy{why}."
    )


def _seated(name: str, rules: Rules, seats: int, seed: int) -> dict[int, Agent]:
    """Load an agent for each seat but 0, each with a stream of its own; let one try a move."""
    seated = {seat: agents.load(name, seed=seed + seat) for seat in range(1, seats)}
    # An agent that does not fit this table says so now, not in the middle of the deal.
    game = Game(rules, seats=seats, seed=0, episode="match")
    seated[1].act(game, game.to_move)
    return seated
