"""Deals that the heuristic plays against itself, with the features of every end of a turn."""

import dataclasses
from dataclasses import dataclass

import numpy as np

from kalooki_env.action_tables import DISCARD, DRAW
from kalooki_env.agents.greedy import greedy_choice
from kalooki_env.agents.heuristic.agent import Thinking
from kalooki_env.agents.heuristic.choice import heuristic_choice
from kalooki_env.agents.heuristic.layout import BEFORE_DRAW, ROWS, N
from kalooki_env.agents.heuristic.value import situation, value_before_draw, value_of_end
from kalooki_env.engine import layout as L
from kalooki_env.engine.apply import apply
from kalooki_env.engine.dealing import start_match
from kalooki_env.engine.jit import entry, i64, jit
from kalooki_env.engine.layout import GAME, records
from kalooki_env.engine.legal import list_legal
from kalooki_env.engine.rng import below, mix, seed_stream
from kalooki_env.rules import TURN_CAP, Rules

GREEDY, FIRST, SECOND = 0, 1, 2
"""Who plays a seat: greedy, or the heuristic with the first or the second weights."""
ENDS_A_SEAT = 60
"""Samples that a deal leaves room for, by seat."""


@dataclass
class Samples:
    """What was seen at the ends of turns and before draws from the stock."""

    features: np.ndarray
    """float32[n, N]"""
    row: np.ndarray
    """int32[n]: the row of the weights that the sample belongs to."""
    deal: np.ndarray
    """int32[n]"""
    seat: np.ndarray
    """int32[n]"""


@dataclass
class Ends:
    """How the deals ended."""

    winner: np.ndarray
    """int32[deals], -1 for nobody."""
    penalties: np.ndarray
    """int32[deals, seats]."""


class SelfPlay:
    """Plays deals of one variant at one table."""

    def __init__(self, rules: str | Rules, seats: int) -> None:
        self.seats = seats
        self.rules = Rules.from_value(rules)
        self.rules.check_seats(seats)
        if self.rules.turn_cap is None:
            self.rules = dataclasses.replace(self.rules, turn_cap=TURN_CAP)
        self._own = [Thinking(self.rules, seats, np.zeros((ROWS, N))) for _ in range(2)]
        self._games = records(2, GAME)

    def play(
        self,
        keys: np.ndarray,
        players: np.ndarray,
        weights: tuple[np.ndarray, np.ndarray],
        explore: float = 0.0,
        keep: bool = False,
    ) -> tuple[Samples, Ends]:
        """Play deals to their ends.

        Args:
            keys: uint64[deals], the random stream of each deal.
            players: int64[deals, seats]: `GREEDY`, `FIRST` or `SECOND`.
            weights: of `FIRST` and `SECOND`, float64[ROWS, N].
            explore: the chance that a choice is drawn from the legal ones instead.
            keep: whether to keep samples of the seats that the heuristic plays.
        """
        n = len(keys) * self.seats * ENDS_A_SEAT if keep else 0
        features, about = np.empty((n, N), np.float32), np.empty((n, 3), np.int32)
        ends = np.empty((len(keys), 1 + self.seats), np.int32)
        for own, table in zip(self._own, weights, strict=True):
            own.mind["weights"] = table
        first, second = self._own
        n = _play(
            self._games, keys, players, first.rules, first.tables, first.mind, second.mind,
            first.work, first.scratch, first.trials, explore, features, about, ends,
        )  # fmt: skip
        samples = Samples(features[:n].copy(), *about[:n].T.copy())
        return samples, Ends(ends[:, 0], ends[:, 1:])


@entry
def _play(
    games, keys, players, variant, tables, first, second, work_space, scratch, trials, explore,
    features, about, ends,
):  # fmt: skip
    """Play the deals; return the number of samples written into `features` and `about` (row, deal,
    seat)."""
    rules, work, g, dice = variant[0], work_space[0], games[0], games[1]
    n = i64(0)
    for d in range(len(keys)):
        start_match(g, rules, players.shape[1], keys[d], 0, 0)
        seed_stream(dice, mix(keys[d]))
        while g.deal_over == 0:
            seat = i64(g.to_move)
            mind = second[0] if players[d, seat] == SECOND else first[0]
            action = _choose(
                g, dice, players[d, seat], rules, tables, mind, work, scratch, trials, explore
            )
            kept = players[d, seat] != GREEDY and n < len(features) and g.question == L.NO_QUESTION
            row = i64(-1)
            if kept and g.phase == L.DRAW and action == DRAW:
                value_before_draw(g, rules, tables, mind, work)
                row = BEFORE_DRAW + situation(g, seat)
            ends_turn = kept and g.phase == L.PLAY and action >= DISCARD
            apply(g, rules, tables[0], work, scratch, action)
            if ends_turn and g.deal_over == 0:
                value_of_end(g, rules, tables, mind, seat, action - DISCARD, work)
                row = situation(g, seat)
            if row >= 0:
                for k in range(N):
                    features[n, k] = mind.phi[k]
                about[n, 0], about[n, 1], about[n, 2] = row, d, seat
                n += 1
        ends[d, 0] = g.winner
        for s in range(players.shape[1]):
            ends[d, 1 + s] = g.penalties[s]
    return n


@jit
def _choose(g, dice, player, rules, tables, mind, work, scratch, trials, explore):
    """Return what a player does."""
    if player == GREEDY:
        return greedy_choice(g, rules, tables[0], tables[1], mind.joker_value, work, scratch)
    if explore > 0.0 and below(dice, i64(10000)) < explore * 10000:
        n = list_legal(g, rules, tables[0], work, scratch)
        return i64(work.ids[below(dice, n)])
    return heuristic_choice(g, rules, tables, mind, work, scratch, trials)
