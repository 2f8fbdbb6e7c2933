"""The heuristic as an agent."""

from typing import TYPE_CHECKING

import numpy as np

from ...engine.layout import GAME, JOKER, records, scratch_space
from ...engine.tables import penalty_runs, point_runs
from .choice import heuristic_many
from .layout import MIND, TRIALS
from .light import light_many
from .weights import weights_for

if TYPE_CHECKING:
    from ...game import Game
    from ...rules import Rules


class Thinking:
    """What compiled functions of the heuristic need besides a game: tables, weights and scratch space.

    One thread at a time may use it.

    Args:
        rules: the variant.
        seats: seats of the table.
        weights: float64[ROWS, N]; those of `weights_for` where none are given.
    """

    def __init__(self, rules: "Rules", seats: int, weights: np.ndarray | None = None) -> None:
        self.rules = rules.record()
        self.tables = (point_runs(self.rules), penalty_runs(self.rules))
        self.mind = records(1, MIND)
        self.mind["weights"] = weights_for(rules, seats) if weights is None else weights
        self.mind["joker_value"] = self.rules[0]["penalty"][JOKER]
        self.work, self.scratch = scratch_space()
        self.trials = records(TRIALS, GAME)


class HeuristicAgent:
    """Plays as the package says; it has no chance in it, so the seed does nothing.

    Args:
        light: whether to play its light form, see `light`: far quicker and weaker.
        seed: for the sake of `agents.load`.
    """

    def __init__(self, light: bool = False, seed: int = 0) -> None:
        self.name = "heuristic:light" if light else "heuristic"
        self._many = light_many if light else heuristic_many
        self._rules: Rules | None = None
        self._thinking: dict[int, Thinking] = {}
        """By the seats of the table."""

    def act(self, game: "Game", seat: int) -> int:
        """Choose an action for `seat`, which must be the seat to move."""
        return int(self.act_batch(game.state, game.rules, np.zeros(1, np.int64))[0])

    def act_batch(self, games: np.ndarray, rules: "Rules", rows: np.ndarray) -> np.ndarray:
        """Choose one action in each of `games[rows]`: int64[k]."""
        if rules is not self._rules:
            self._rules, self._thinking = rules, {}
        rows = np.asarray(rows, np.int64)
        out = np.empty(len(rows), np.int64)
        seats = games["seats"][rows]
        for n in np.unique(seats):
            at = np.flatnonzero(seats == n)
            out[at] = self._choose(games, rules, rows[at], int(n))
        return out

    def _choose(
        self, games: np.ndarray, rules: "Rules", rows: np.ndarray, seats: int
    ) -> np.ndarray:
        """Choose in games of one number of seats."""
        if seats not in self._thinking:
            self._thinking[seats] = Thinking(rules, seats)
        own = self._thinking[seats]
        out = np.empty(len(rows), np.int64)
        self._many(
            games, rows, own.rules, own.tables, own.mind, own.work,
            own.scratch, own.trials, out,
        )  # fmt: skip
        return out
