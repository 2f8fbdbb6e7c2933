"""What the solver says about the hand in an observation, as further inputs of a network.

Whether a card belongs to a meld, and what discarding it would cost, is exact arithmetic that a small
network learns slowly. All of it follows from the observation alone: the own hand and the up-card.
"""

import numpy as np

from kalooki_env import observation
from kalooki_env.agents.greedy import deadwood, least_after_discard
from kalooki_env.engine import layout as L
from kalooki_env.engine.hands import add, remove, see_hand
from kalooki_env.engine.jit import entry, i64, inlined, jit
from kalooki_env.engine.layout import CARDS, JOKER
from kalooki_env.engine.solver import best_melds
from kalooki_env.engine.tables import penalty_runs, point_runs
from kalooki_env.rules import Rules

_HAND, _UP_CARD, _PHASE = (observation.offset(n) for n in ("hand", "up_card", "phase"))
_SAVED, _LOST, _POINTS, _TOTALS = 0, CARDS, 2 * CARDS, 3 * CARDS
SIZE = 3 * CARDS + 3
"""Entries: for each card held, in the play phase, by how much discarding it lowers the deadwood, or
raises it, and what it takes from the best opening points; then the deadwood, the best opening points,
and in the draw phase by how much taking the up-card lowers the deadwood."""


class HandFeatures:
    """Computes these inputs by the card values of one variant."""

    def __init__(self, rules: str) -> None:
        """Prepare the solver's tables; `rules` is the name of a preset."""
        self._record = Rules.preset(rules).record()
        self._points, self._penalties = point_runs(self._record), penalty_runs(self._record)
        self._joker_value = np.full(13, int(self._record[0]["penalty"][JOKER]), np.int32)
        self._work, _ = L.scratch_space()

    def __call__(self, observations: np.ndarray) -> np.ndarray:
        """Return uint8[B, SIZE] for observations uint8[B, observation.SIZE]."""
        out = np.zeros((len(observations), SIZE), np.uint8)
        _fill(
            observations,
            self._record,
            self._points,
            self._penalties,
            self._joker_value,
            self._work,
            out,
        )
        return out


def scales() -> np.ndarray:
    """Return the factor of every entry that brings it to about 0..1, float32[SIZE]."""
    return np.concatenate(
        [np.full(CARDS, 0.1), np.full(CARDS, 0.05), np.full(CARDS, 0.05), [0.01, 0.02, 0.1]]
    ).astype(np.float32)


@jit
def _clip(x):
    return min(max(x, 0), 255)


@jit
def _best_points(held, twice, jokers, rules, points, work):
    none, most = i64(0), i64(rules.max_set)
    values = rules.set_points
    return best_melds(held, twice, jokers, none, none, points, values, values, most, work)


@entry
def _fill(observations, variant, points, penalties, joker_value, scratch, out):
    rules, work = variant[0], scratch[0]
    for b in range(len(observations)):
        seen = observations[b]
        held, twice = see_hand(seen[_HAND : _HAND + CARDS])
        jokers = i64(seen[_HAND + JOKER])
        now = deadwood(held, twice, jokers, rules, penalties, joker_value, work)
        best = _best_points(held, twice, jokers, rules, points, work)
        out[b, _TOTALS] = _clip(now)
        out[b, _TOTALS + 1] = _clip(best)
        if seen[_PHASE + L.DRAW] == 1:
            least = _least_with_up_card(
                seen, held, twice, jokers, rules, penalties, joker_value, work
            )
            if least >= 0:
                out[b, _TOTALS + 2] = _clip(now - least)
        elif seen[_PHASE + L.PLAY] == 1:
            for card in range(CARDS):
                if seen[_HAND + card] == 0:
                    continue
                rest, rest_twice, left_jokers = held, twice, jokers - 1
                if card < JOKER:
                    rest, rest_twice = remove(held, twice, i64(1) << card)
                    left_jokers = jokers
                left = deadwood(rest, rest_twice, left_jokers, rules, penalties, joker_value, work)
                out[b, _SAVED + card] = _clip(now - left)
                out[b, _LOST + card] = _clip(left - now)
                if best > 0:
                    points_left = _best_points(rest, rest_twice, left_jokers, rules, points, work)
                    out[b, _POINTS + card] = _clip(best - points_left)


@inlined
def _least_with_up_card(seen, held, twice, jokers, rules, penalties, joker_value, work):
    """Return the least deadwood after taking the up-card and discarding another; -1 without one."""
    for up in range(CARDS):
        if seen[_UP_CARD + up] == 0:
            continue
        stuck = up if seen[_HAND + up] == 0 else i64(-1)
        if up == JOKER:
            jokers += 1
        else:
            held, twice = add(held, twice, up)
        return least_after_discard(held, twice, jokers, stuck, rules, penalties, joker_value, work)
    return i64(-1)
