"""Options played on in many worlds: compiled loops over the heuristic."""

import numpy as np

from ...action_tables import DISCARD
from ...engine import layout as L
from ...engine.apply import apply
from ...engine.hands import see_hand
from ...engine.jit import entry, i64, inlined, jit
from ...engine.layout import JOKER
from ...engine.legal import list_legal
from ...engine.rng import mix
from ...engine.single import determinize_at
from ..greedy import deadwood
from ..heuristic.choice import heuristic_choice
from ..heuristic.layout import POINTS_SCALE, POINTS_SHARE
from ..heuristic.moves import play_whole
from ..heuristic.value import value_of_end

TRIES = 10
"""Deals that `determinize` tries where another seat is in the middle of its turn."""
LONGEST = 4000
"""Actions after which a world that does not end counts as one that nobody wins."""


LIKELY_CLOSED = np.array([2, 5, 14, 32])
LIKELY_OPEN = np.array([1, 1, 2, 5])
"""Deals of which the most plausible is like the hands that the heuristic really holds then, by four turns
that a seat has had: `python -m training.heuristic.worlds` compares their deadwood."""
STAGE = 4


@entry
def likely_deals(g, seat):
    """Return how many deals a world is chosen from: the longer a seat has not opened, the better is
    what it holds."""
    stage = min(i64(g.turn) // (STAGE * i64(g.seats)), i64(3))
    for s in range(i64(g.seats)):
        if s != seat and g.opened[s] == 0 and g.eliminated[s] == 0:
            return LIKELY_CLOSED[stage]
    return LIKELY_OPEN[stage]


@jit
def outcome(g, seat):
    """Return how good the end of the deal is for a seat, 0..1: mostly whether it won."""
    seats = i64(g.seats)
    if g.winner < 0:
        return 1.0 / seats
    others = 0.0
    for s in range(seats):
        if s != seat:
            others += i64(g.penalties[s])
    ahead = (others / (seats - 1) - i64(g.penalties[seat])) / POINTS_SCALE
    points = min(max(1.0 / seats + ahead, 0.0), 1.0)
    return (1.0 - POINTS_SHARE) * i64(g.winner == seat) + POINTS_SHARE * points


@jit
def deal_world(worlds, g, seat, seed, likely, variant, tables, mind, work_space, scratch):
    """Deal what `seat` can't know into `worlds[0]`: of `likely` deals (0: of `likely_deals`) the one
    whose other hands have the least deadwood, for players keep what belongs together."""
    rules, work = variant[0], work_space[0]
    least = i64(1 << 30)
    if likely == 0:
        likely = likely_deals(g, seat)
    for _ in range(likely):
        seed = mix(seed)
        worlds[1] = g
        determinize_at(worlds, 1, variant, tables[0], work_space, scratch, seat, seed, TRIES)
        total = i64(0)
        for s in range(i64(g.seats)):
            if s != seat and likely > 1:
                held, twice = see_hand(worlds[1].hand[s])
                jokers = i64(worlds[1].hand[s, JOKER])
                total += deadwood(held, twice, jokers, rules, tables[1], mind.joker_value, work)
        if total < least:
            least = total
            worlds[0] = worlds[1]
    # What the others drew since a rebuild is nothing that `seat` knows.
    for s in range(i64(g.seats)):
        if s != seat:
            worlds[0].rebuilt[s, :] = L.UNLIMITED


@inlined
def play_on(g, seat, turns, rules, tables, mind, work, scratch, trials):
    """Play a world on with the heuristic until `seat` has ended its turn `turns` times; return the
    value of that end for it, or of the end of the deal: 0..1."""
    ended = i64(0)
    for _ in range(LONGEST):
        if g.deal_over == 1:
            break
        action = heuristic_choice(g, rules, tables, mind, work, scratch, trials)
        ends = g.to_move == seat and g.phase == L.PLAY and action >= DISCARD
        ends = ends and g.question == L.NO_QUESTION
        apply(g, rules, tables[0], work, scratch, action)
        if ends and g.deal_over == 0:
            ended += 1
            if ended == turns:
                value = value_of_end(g, rules, tables, mind, seat, action - DISCARD, work)
                return 1.0 / (1.0 + np.exp(-value))
    return outcome(g, seat)


@entry
def try_options(
    games, i, seat, options, alive, first, n, seed, turns, likely, variant, tables, mind_space,
    work_space, scratch, trials, worlds, values,
):  # fmt: skip
    """Play each option of game `i` that is alive on in worlds `first` to `first + n - 1`, the same
    worlds for all; write their values into `values[option, world]`."""
    rules, mind, work = variant[0], mind_space[0], work_space[0]
    for w in range(first, first + n):
        own = mix(np.uint64(seed) + np.uint64(w))
        deal_world(worlds, games[i], seat, own, likely, variant, tables, mind, work_space, scratch)
        for k in range(len(options)):
            if not alive[k]:
                continue
            g = worlds[2]
            worlds[2] = worlds[0]
            ends = g.phase == L.PLAY and options[k] >= DISCARD
            left = turns + i64(not ends)
            play_whole(g, rules, tables[0], work, scratch, i64(options[k]))
            values[k, w] = play_on(g, seat, left, rules, tables, mind, work, scratch, trials)


@entry
def deal_worlds(
    games, i, seat, n, seed, likely, variant, tables, mind_space, work_space, scratch, worlds, out
):
    """Deal `n` worlds of game `i` into `out[:n]`, those of `try_options`."""
    for w in range(n):
        own = mix(np.uint64(seed) + np.uint64(w))
        deal_world(
            worlds, games[i], seat, own, likely, variant, tables, mind_space[0], work_space, scratch
        )
        out[w] = worlds[0]


@entry
def advance(games, rows, chosen, variant, tables, work_space, scratch):
    """Play `chosen[k]` in `games[rows[k]]`, then what is forced, up to a choice or the end of the
    deal."""
    rules, work = variant[0], work_space[0]
    for k in range(len(rows)):
        g = games[i64(rows[k])]
        apply(g, rules, tables[0], work, scratch, i64(chosen[k]))
        while g.deal_over == 0 and list_legal(g, rules, tables[0], work, scratch) == 1:
            apply(g, rules, tables[0], work, scratch, i64(work.ids[0]))


@entry
def outcomes(games, seat, out):
    """Write the outcome of each game, whose deal is over, for a seat."""
    for k in range(len(games)):
        out[k] = outcome(games[k], seat)
