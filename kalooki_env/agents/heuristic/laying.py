"""A turn that goes out by melds and lay-offs: plans of melds, each played on a copy."""

import numpy as np

from ...action_tables import (
    DISCARD,
    LAYOFF_RUN,
    N_INTERVALS,
    RUN_INTERVAL,
    SWAP_RUN,
)
from ...action_tables import RUN as RUN_ID
from ...action_tables import SET as SET_ID
from ...engine import layout as L
from ...engine.bits import lowest, popcount
from ...engine.contract import needs_contract
from ...engine.finish import may_lay_new
from ...engine.hands import SUIT, ranks_of
from ...engine.jit import i64, inlined, jit
from ...engine.layout import JOKER, RUN, SET
from ...engine.legal_melds import run_allowed, set_allowed
from ...engine.moves import hand_bits, lay_run, lay_set, stuck_card
from ...engine.rng import mix
from ...engine.solver import OPTION_OF, SET_OPTIONS, best_melds
from ..greedy import hand_penalty
from .layout import DEPTH, LEAF, SEEN
from .moves import note_some, play_next
from .plans import begin_plans, hopeless, next_plan
from .shape import LANES, cards_at, lanes
from .view import see_table

MANY = 99
"""Melds without a limit."""
LONGEST = 5
"""Cards of the longest run that is needed where there may be any number of melds; two more with three
jokers or more, as two runs each need a natural card."""


@inlined
def out_with_plan(g, rules, tables, mind, work, scratch, trials):
    """Return the first move of a turn that goes out without any further swap, or -1."""
    seat, none = i64(g.to_move), i64(0)
    held, twice = hand_bits(g, seat)
    jokers = i64(g.hand[seat, JOKER])
    overlap = _overlap(g, rules, held, twice, jokers)
    fits = _fitting(g, rules, mind, held, jokers > 0) | overlap
    most = i64(MANY) if overlap > 0 else _melds_left(g, rules, seat)
    begin_plans(mind, none, held, twice, jokers, fits, most, longest_run(g, rules, jokers))
    if hopeless(mind.plans[0], fits, most > 0, i64(rules.low_position)):
        return i64(-1)
    if most > 0 and not _melds_enough(g, rules, tables, mind, work, held, twice, jokers, fits):
        return i64(-1)
    steps = next_plan(mind, none, rules)
    while steps >= 0:
        if _kept_fit(g, rules, mind, steps, overlap):
            trials[LEAF] = g
            now = trials[LEAF]
            action = lay_melds(now, rules, tables[0], mind, work, scratch, none, steps)
            if action >= 0:
                then = _lay_off_rest(rules, tables[0], mind, work, scratch, trials, seat)
                if then >= 0:
                    return then if mind.plans[steps].melds == 0 else action
        steps = next_plan(mind, none, rules)
    return i64(-1)


@jit
def _fitting(g, rules, mind, held, joker):
    """Return the cards (bits) of a hand that could be laid off: one after another at the ends of
    runs, with jokers for any gaps."""
    see_table(g, rules, mind)
    places = lanes(held, i64(rules.low_position))
    steps = i64(LANES) if joker else places
    up, down = i64(mind.high_ends), i64(mind.low_ends)
    for _ in range(min(i64(rules.layoff_limit), i64(13)) - 1):
        up |= ((up & steps) << 1) & i64(LANES)
        down |= ((down & steps) >> 1) & i64(LANES)
    return held & (i64(mind.fits) | cards_at((up | down) & places))


@jit
def _overlap(g, rules, held, twice, jokers):
    """Return cards (bits) of a hand that may fit a run that is yet to be laid.

    Runs of a suit side by side are one lay-down, and each can then grow over the other. A longer run is as
    good as a lay-off on it everywhere else.
    """
    cards = i64(0)
    if g.was_open == 0 or rules.melds_per_turn == L.UNLIMITED or rules.melds_per_turn == 0:
        return cards
    for suit in range(4):
        if popcount(ranks_of(held, suit)) + jokers >= 6:
            cards |= twice & (i64(SUIT) << (13 * suit))
    for m in range(i64(g.n_melds)):
        if g.melds[m].laid == 1 and g.melds[m].kind == RUN:
            cards |= held & (i64(SUIT) << (13 * i64(g.melds[m].key)))
    return cards


@jit
def _melds_left(g, rules, seat):
    """Return how many melds the turn may still hold, or more where that is hard to tell."""
    if g.opened[seat] == 0:
        return i64(MANY)
    if needs_contract(g, rules):
        return i64(0)
    if g.was_open == 0 or rules.melds_per_turn == L.UNLIMITED or g.laid > 0:
        return i64(MANY)
    return i64(rules.melds_per_turn)


@jit
def longest_run(g, rules, jokers):
    """Return how long runs must be tried: two runs do for one of six cards where there may be many."""
    limited = g.was_open == 1 and rules.melds_per_turn != L.UNLIMITED
    if limited or needs_contract(g, rules):
        return i64(13)
    return i64(LONGEST) + 2 * i64(jokers > 2)


@inlined
def _melds_enough(g, rules, tables, mind, work, held, twice, jokers, fits):
    """Tell whether the best melds of a hand leave no more penalty than lay-offs and the discard
    could take."""
    cost = rules.penalty
    rest = hand_penalty(fits, twice & fits, jokers * i64(g.n_melds > 0), rules)
    dearest = i64(cost[JOKER]) * i64(jokers > 0)
    cards = held
    while cards > 0:
        dearest = max(dearest, i64(cost[lowest(cards)]))
        cards &= cards - 1
    need = hand_penalty(held, twice, jokers, rules) - rest - dearest
    if need <= 0:
        return True
    none, largest = i64(0), i64(rules.max_set)
    values = mind.joker_value
    best = best_melds(held, twice, jokers, need, none, tables[1], cost, values, largest, work)
    return best >= need


@inlined
def _kept_fit(g, rules, mind, steps, overlap):
    """Tell at a glance whether what a plan keeps could be laid off up to one card, and whether its
    melds open."""
    seat = i64(g.to_move)
    plan = mind.plans[steps]
    short = not needs_contract(g, rules) and g.points + plan.points < rules.opening_points
    if g.opened[seat] == 0 and (plan.melds == 0 or short):
        return False
    kept, jokers = i64(plan.kept), i64(plan.jokers)
    if kept == 0 and jokers == 0:
        return False
    fits = _fitting(g, rules, mind, kept, jokers > 0) | overlap
    return popcount(kept & ~fits) + popcount(i64(plan.kept_twice) & ~fits) <= 1


@jit
def lay_melds(g, rules, runs, mind, work, scratch, first, steps):
    """Lay the melds of a plan; return the action id of the first, -1 where they are not legal, 0
    where there are none."""
    seat = i64(g.to_move)
    action = i64(0)
    for k in range(first + 1, first + steps + 1):
        plan = mind.plans[k]
        key, low, high, places = i64(plan.key), i64(plan.low), i64(plan.high), i64(plan.places)
        if plan.kind == RUN:
            if not run_allowed(g, rules, runs, work, scratch, key, low, high, places):
                return i64(-1)
            lay_run(g, rules, key, low, high, places)
            meld = RUN_ID + key * N_INTERVALS + i64(RUN_INTERVAL[low, high])
        elif plan.kind == SET:
            if g.opened[seat] == 1 and not may_lay_new(g, rules, work):
                return i64(-1)
            if not set_allowed(g, rules, runs, work, scratch, key, low, high):
                return i64(-1)
            lay_set(g, rules, key, low, high)
            meld = SET_ID + key * SET_OPTIONS + OPTION_OF[low, high]
        else:
            continue
        action = meld if action == 0 else action
    return action


@inlined
def _lay_off_rest(rules, runs, mind, work, scratch, trials, seat):
    """Lay off all cards but a discard, from `trials[LEAF]` on; return the first action id of that,
    or -1."""
    depth, new = i64(LEAF), True
    while depth >= LEAF and mind.left > 0:
        now = trials[depth]
        if new:
            if now.question == L.NO_QUESTION:
                last = _last_discard(now, seat)
                if last >= 0:
                    return last if depth == LEAF else i64(mind.moves[LEAF, mind.next[LEAF] - 1])
                new = _worth_laying_off(now, rules, mind, seat)
            if not new or depth + 1 >= DEPTH:
                depth -= 1
                new = False
                continue
            note_some(now, rules, runs, mind, work, scratch, depth, i64(LAYOFF_RUN), i64(SWAP_RUN))
        new = play_next(rules, runs, mind, work, scratch, trials, depth) >= 0
        depth += 1 if new else -1
    return i64(-1)


@jit
def _last_discard(g, seat):
    """Return the discard that ends the deal, as an action id, or -1."""
    if g.hand_size[seat] != 1 or g.owed > 0 or (g.opened[seat] == 0 and g.laid > 0):
        return i64(-1)
    card = i64(JOKER) if g.hand[seat, JOKER] > 0 else lowest(i64(g.held[seat]))
    return DISCARD + card if card != stuck_card(g) else i64(-1)


@jit
def _worth_laying_off(g, rules, mind, seat):
    """Tell whether all cards but one could still be laid off, in a position that was not seen yet."""
    if g.opened[seat] == 0:
        return False
    held, twice = hand_bits(g, seat)
    fits = _fitting(g, rules, mind, held, g.hand[seat, JOKER] > 0)
    return popcount(held & ~fits) + popcount(twice & ~fits) <= 1 and not seen(g, seat, mind, i64(0))


@jit
def seen(g, seat, mind, use):
    """Tell whether a position came up in this search before for the same use, and note it."""
    mark = mix(np.uint64(i64(g.held[seat])) + mix(np.uint64(i64(g.twice[seat]))))
    mark = mix(mark + np.uint64(i64(g.hand[seat, JOKER]) + 8 * i64(g.owed) + 64 * use))
    for m in range(i64(g.n_melds)):
        meld = g.melds[m]
        low = i64(meld.key) | i64(meld.low) << 8 | i64(meld.high) << 16 | i64(meld.jokers) << 24
        added = i64(meld.added_low) | i64(meld.added_high) << 4 | i64(meld.kind) << 8
        mark += mix(np.uint64(low | added << 40))
    place = i64(mark & np.uint64(SEEN - 1))
    mark = i64(mark >> np.uint64(1)) | 1
    for k in range(4):
        at = (place + k) & (SEEN - 1)
        if mind.seen[at] == mark:
            return True
        if mind.seen[at] == 0:
            mind.seen[at] = mark
            return False
    mind.seen[place] = mark
    return False
