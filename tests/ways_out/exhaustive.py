"""Is there a way out? Every order of every legal move of a turn, each position once."""

import numba
import numpy as np

from kalooki_env.action_tables import DISCARD, SPARE, TAKE
from kalooki_env.engine.apply import apply
from kalooki_env.engine.jit import i64
from kalooki_env.engine.layout import DRAW, GAME, JOKER, NO_QUESTION, PLAY, records, scratch_space
from kalooki_env.engine.legal import list_legal
from kalooki_env.engine.rng import mix
from kalooki_env.engine.tables import point_runs
from kalooki_env.rules import Rules

DEPTH = 48
PLACES = 1 << 18
NO, YES, UNKNOWN = 0, 1, 2


@numba.njit
def _mark(g, seat):
    """Hash what the rest of a turn depends on, whatever the order in which melds lie."""
    mark = np.uint64(0)
    for card in range(JOKER + 1):
        mark = mix(mark + np.uint64(g.hand[seat, card]))
    turn = i64(g.points) | i64(g.layoffs) << 16 | i64(g.laid) << 24 | i64(g.owed) << 32
    turn |= (i64(g.taken_laid) | i64(g.duty) << 1 | i64(g.opened[seat]) << 2) << 40
    question = i64(g.question) | i64(g.begun_jokers) << 8 | (i64(g.begun_last) + 1) << 24
    question |= i64(g.n_half) << 32 | i64(g.half[0]) << 40
    mark = mix(mix(mark + np.uint64(turn)) + np.uint64(question))
    for m in range(g.n_melds):
        meld = g.melds[m]
        cards = i64(meld.key) | i64(meld.low) << 8 | i64(meld.high) << 16 | i64(meld.jokers) << 24
        cards |= i64(meld.kind) << 40 | i64(meld.laid) << 42
        cards |= i64(meld.added_low) << 44 | i64(meld.added_high) << 48
        mark += mix(np.uint64(cards))
    return mark | np.uint64(1)


@numba.njit
def _new(seen, mark):
    """Note a mark; tell whether it is new, and whether there was room for it."""
    at = i64(mark % np.uint64(len(seen)))
    for _ in range(64):
        if seen[at] == mark:
            return False, True
        if seen[at] == 0:
            seen[at] = mark
            return True, True
        at = (at + 1) % len(seen)
    return True, False


@numba.njit
def _search(rules, runs, work, scratch, games, ids, counts, seen, limit):
    """Search from `games[0]`: NO, YES, or UNKNOWN after `limit` positions."""
    seat, depth, nodes, whole = i64(games[0].to_move), 0, 0, True
    seen[:] = 0
    counts[0] = -1
    while depth >= 0:
        g = games[depth]
        if counts[depth] < 0:
            n = list_legal(g, rules, runs, work, scratch)
            goes_on = g.phase == PLAY or g.phase == DRAW
            last = g.phase == PLAY and g.question == NO_QUESTION and g.hand_size[seat] == 1
            if last and n > 0 and DISCARD <= work.ids[n - 1] < SPARE:
                return YES
            counts[depth] = 0
            for k in range(n):
                action = i64(work.ids[k])
                if (
                    goes_on
                    and not DISCARD <= action < SPARE
                    and (g.phase == PLAY or action == TAKE)
                ):
                    ids[depth, counts[depth]] = action
                    counts[depth] += 1
        if counts[depth] == 0:
            depth -= 1
            continue
        counts[depth] -= 1
        if depth + 1 == len(games):
            whole = False
            continue
        games[depth + 1] = g
        apply(games[depth + 1], rules, runs, work, scratch, i64(ids[depth, counts[depth]]))
        new, room = _new(seen, _mark(games[depth + 1], seat))
        whole = whole and room
        if not new:
            continue
        nodes += 1
        if nodes > limit:
            return UNKNOWN
        depth += 1
        counts[depth] = -1
    return NO if whole else UNKNOWN


class Exhaustive:
    """Answers for one variant."""

    def __init__(self, rules: Rules, limit: int) -> None:
        self.limit, self.record = limit, rules.record()
        self.runs = point_runs(self.record)
        self.work, self.scratch = scratch_space()
        self.games = records(DEPTH, GAME)
        self.ids, self.counts = np.zeros((DEPTH, 1170), np.int16), np.zeros(DEPTH, np.int64)
        self.seen = np.zeros(PLACES, np.uint64)

    def __call__(self, state: np.void) -> int:
        """Tell whether the seat to move can go out for sure in this turn; a card drawn is not sure."""
        self.games[0] = state
        return _search(
            self.record[0], self.runs, self.work[0], self.scratch, self.games, self.ids, self.counts,
            self.seen, self.limit,
        )  # fmt: skip
