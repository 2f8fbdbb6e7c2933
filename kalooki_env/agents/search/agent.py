"""The search as an agent."""

import time
from typing import TYPE_CHECKING

import numpy as np

from ...engine.layout import GAME, records
from ..base import Option, check_options, uniforms
from ..heuristic.agent import Thinking
from ..heuristic.choice import heuristic_many
from .rollout import try_options

if TYPE_CHECKING:
    from ...game import Game
    from ...rules import Rules

BATCH = 16
"""Worlds after which options that fall behind are dropped."""
GIVE_UP = 2.5
"""Standard errors behind the best at which an option is dropped."""
MOST_WORLDS = 10_000
"""Worlds that a decision with a time limit is given room for."""
OPTIONS: dict[str, Option] = {
    "worlds": (int, 2, MOST_WORLDS),
    "seconds": (float, 0, 3600),
    "options": (int, 2, 100),
    "turns": (int, 1, 100),
    "doubt": (float, 1e-6, 1000),
    "likely": (int, 0, 1000),
    "gap": (float, 0, 1000),
}
"""Options of the agent: their type, the least value and the most."""


class SearchAgent:
    """Plays as the package says.

    Args:
        worlds: worlds an option is tried in, at most.
        seconds: time for one decision; the worlds are then what it allows. What it plays depends on
            the machine then.
        options: options that are compared, the heuristic's best ones, its choice among them.
        turns: own turns that a world is played on for, after this one.
        doubt: by how much the heuristic may misjudge the difference of two options (standard deviation,
            in the value of a deal, 0..1). The less it is, the more the worlds must say to leave its choice.
        likely: deals among which the most plausible is taken as a world; 0: as many as make hands like
            those that are really held, see `rollout.likely_deals`.
        gap: options that the heuristic thinks worse by more than this (logarithm of the odds) are not
            tried.
        seed: starts the random stream of the worlds.

    Raises:
        AgentError: a value out of range.
    """

    def __init__(
        self,
        worlds: int = 64,
        seconds: float | None = None,
        options: int = 5,
        turns: int = 2,
        doubt: float = 0.02,
        likely: int = 0,
        gap: float = 2.0,
        seed: int = 0,
    ) -> None:
        given = {
            "worlds": worlds, "options": options, "turns": turns, "likely": likely, "doubt": doubt,
            "gap": gap,
        }  # fmt: skip
        check_options("search", OPTIONS, given if seconds is None else given | {"seconds": seconds})
        self.worlds, self.seconds, self.options, self.turns = worlds, seconds, options, turns
        self.doubt, self.likely, self.gap, self.seed = doubt, likely, gap, seed
        self.name = f"search:worlds={worlds}"
        self._rules: Rules | None = None
        self._thinking: dict[int, Thinking] = {}
        self._games, self._worlds = records(1, GAME), records(3, GAME)

    def act(self, game: "Game", seat: int) -> int:
        """Choose an action for `seat`, which must be the seat to move."""
        return int(self.act_batch(game.state, game.rules, np.zeros(1, np.int64))[0])

    def act_batch(self, games: np.ndarray, rules: "Rules", rows: np.ndarray) -> np.ndarray:
        """Choose one action in each of `games[rows]`: int64[k]."""
        if rules is not self._rules:
            self._rules, self._thinking = rules, {}
        rows = np.asarray(rows, np.int64)
        seeds = (uniforms(self.seed, games, rows) * 2.0**53).astype(np.uint64)
        out = np.empty(len(rows), np.int64)
        for k, (row, seed) in enumerate(zip(rows, seeds, strict=True)):
            self._games[0] = games[row]
            out[k] = self._choose(rules, int(games["seats"][row]), seed)
        return out

    def _choose(self, rules: "Rules", seats: int, seed: np.uint64) -> int:
        """Choose in `self._games[0]`."""
        if seats not in self._thinking:
            self._thinking[seats] = Thinking(rules, seats)
        own = self._thinking[seats]
        choice = np.empty(1, np.int64)
        heuristic_many(
            self._games, np.zeros(1, np.int64), own.rules, own.tables, own.mind, own.work, own.scratch,
            own.trials, choice,
        )  # fmt: skip
        options, worth = self._worth_a_try(own, int(choice[0]))
        if len(options) < 2:
            return int(choice[0])
        return int(options[self._best(own, options, worth, seed)])

    def _worth_a_try(self, own: Thinking, choice: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the options to compare, the heuristic's choice first, and its values of them."""
        n = int(own.mind["n_options"][0])
        option, worth = own.mind["option"][0, :n], own.mind["worth"][0, :n]
        if choice not in option:  # it goes out, or there was no question
            return np.array([choice]), np.zeros(1)
        order = np.lexsort((-worth, option != choice))[: self.options]
        order = order[worth[order] > worth.max(initial=-np.inf) - self.gap]
        return option[order].astype(np.int64), worth[order].copy()

    def _best(self, own: Thinking, options: np.ndarray, worth: np.ndarray, seed: np.uint64) -> int:
        """Return the index of the option that is expected to be best.

        After every `BATCH` worlds options are dropped that would hardly catch up.
        """
        end = time.perf_counter() + (self.seconds or 0.0)
        most = self.worlds if self.seconds is None else MOST_WORLDS
        values = np.zeros((len(options), most))
        alive = np.ones(len(options), np.bool_)
        done = 0
        while True:
            n = min(BATCH, most - done)
            try_options(
                self._games, 0, int(self._games["to_move"][0]), options, alive, done, n, seed,
                self.turns, self.likely, own.rules, own.tables, own.mind, own.work, own.scratch,
                own.trials, self._worlds, values,
            )  # fmt: skip
            done += n
            left = np.flatnonzero(alive)
            gain, error = expected_gains(worth[left], values[left, :done], self.doubt)
            at = gain.argmax()
            best = int(left[at])
            # The error is that of the difference to the first: seen from there, the best one's.
            alive[left] = gain[at] - gain <= GIVE_UP * np.maximum(error, error[at])
            out_of_time = self.seconds is not None and time.perf_counter() > end
            if done == most or out_of_time or alive.sum() == 1:
                return best


def expected_gains(
    worth: np.ndarray, values: np.ndarray, doubt: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return by how much each option is expected to be better than the first, and the error of that.

    What the heuristic thinks and what the worlds show are two measurements of the same difference,
    each with its own error; their mean is weighed by these. The worlds are the same for all options,
    so it is the error of differences that counts.

    Args:
        worth: float64[options], the heuristic's values, logarithms of odds.
        values: float64[options, worlds], at least two worlds.
        doubt: standard deviation of the heuristic's error, in the value of a deal.

    Returns:
        float64[options] both; the first option has a gain of 0.
    """
    odds = 1 / (1 + np.exp(-np.clip(worth, -30, 30)))
    gain = values - values[0]
    precision = gain.shape[1] / (gain.var(axis=1, ddof=1) + 1e-9)
    trust = 1 / doubt**2
    expected = ((odds - odds[0]) * trust + gain.mean(axis=1) * precision) / (trust + precision)
    return expected, 1 / np.sqrt(trust + precision)
