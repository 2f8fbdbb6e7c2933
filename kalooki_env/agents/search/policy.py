"""The search with a checkpoint instead of the heuristic: its policy proposes, and plays the worlds."""

from typing import TYPE_CHECKING

import numpy as np

from ...engine.layout import GAME, records
from ..base import Option, check_options, uniforms
from ..heuristic.agent import Thinking
from ..heuristic.way_out import winning_moves
from .rollout import LONGEST, advance, deal_worlds, outcomes

if TYPE_CHECKING:
    from ...game import Game
    from ...rules import Rules
    from ..checkpoint import NetworkAgent

LEAST = 0.02
"""Probability below which the policy does not propose an action."""
OPTIONS: dict[str, Option] = {
    "worlds": (int, 2, 1000),
    "options": (int, 2, 30),
    "margin": (float, 0, 1000),
}
"""Options of the agent: their type, the least value and the most. All worlds of all options are played
at once, a game of three kilobytes each."""


class PolicySearchAgent:
    """Tries what a policy most likely plays, each on to the end of the deal, in the same worlds.

    A turn that goes out for sure is played before anything is tried. In every world the policy plays all
    seats. The policy's first choice is left only for an action
    whose mean outcome is better by more than `margin` standard errors of the difference.

    Args:
        policy: the network that proposes and plays.
        worlds: worlds an action is tried in.
        options: actions that are compared.
        margin: see above.
        seed: starts the random stream of the worlds.

    Raises:
        AgentError: a value out of range.
    """

    def __init__(
        self,
        policy: "NetworkAgent",
        worlds: int = 32,
        options: int = 4,
        margin: float = 1.0,
        seed: int = 0,
    ) -> None:
        given = {"worlds": worlds, "options": options, "margin": margin}
        check_options("search", OPTIONS, given)
        self.policy, self.worlds, self.options = policy, worlds, options
        self.margin, self.seed = margin, seed
        self.name = f"search:policy={policy.name},worlds={worlds}"
        self._rules: Rules | None = None
        self._worlds = records(2, GAME)

    def act(self, game: "Game", seat: int) -> int:
        """Choose an action for `seat`, which must be the seat to move."""
        return int(self.act_batch(game.state, game.rules, np.zeros(1, np.int64))[0])

    def act_batch(self, games: np.ndarray, rules: "Rules", rows: np.ndarray) -> np.ndarray:
        """Choose one action in each of `games[rows]`: int64[k]."""
        rows = np.asarray(rows, np.int64)
        if len(rows) == 0:
            return np.zeros(0, np.int64)
        ids, likely = self.policy.probabilities(games, rules, rows)
        seeds = (uniforms(self.seed, games, rows) * 2.0**53).astype(np.uint64)
        chosen = self._ways_out(games, rules, rows)
        for k, row in enumerate(rows):
            if chosen[k] >= 0:
                continue
            order = np.argsort(-likely[k], kind="stable")[: self.options]
            least = min(LEAST, likely[k, order[0]])
            options = ids[k, order[likely[k, order] >= least]].astype(np.int64)
            chosen[k] = (
                options[0]
                if len(options) == 1
                else self._compare(games[row : row + 1], rules, options, seeds[k])
            )
        return chosen

    def _ways_out(self, games: np.ndarray, rules: "Rules", rows: np.ndarray) -> np.ndarray:
        """Return the first move of a turn that goes out in each of some games, or -1."""
        if rules is not self._rules:
            self._rules, self._own = rules, Thinking(rules, int(games["seats"][rows[0]]))
        own, found = self._own, np.empty(len(rows), np.int64)
        winning_moves(
            games, rows, own.rules, own.tables, own.mind, own.work, own.scratch, own.trials, found
        )
        return found

    def _compare(
        self, game: np.ndarray, rules: "Rules", options: np.ndarray, seed: np.uint64
    ) -> int:
        """Return the best of the options in one game."""
        own, seat = self._own, int(game["to_move"][0])
        dealt = records(self.worlds, GAME)
        deal_worlds(
            game, 0, seat, self.worlds, seed, 0, own.rules, own.tables, own.mind, own.work,
            own.scratch, self._worlds, dealt,
        )  # fmt: skip
        games = np.tile(dealt, len(options))
        rows, chosen = np.arange(len(games)), options.repeat(self.worlds)
        for _ in range(LONGEST):
            if not len(rows):
                break
            advance(games, rows, chosen, own.rules, own.tables, own.work, own.scratch)
            rows = rows[games["deal_over"][rows] == 0]
            chosen = self.policy.act_batch(games, rules, rows)
        values = np.empty(len(games))
        outcomes(games, seat, values)
        gain = values.reshape(len(options), self.worlds)
        gain = gain - gain[0]
        error = gain.std(axis=1, ddof=1) / np.sqrt(self.worlds)
        better = np.where(gain.mean(axis=1) > self.margin * error, gain.mean(axis=1), 0.0)
        return int(options[better.argmax()])
