"""Features of a hand: what it costs, what it lacks, what fits the table."""

from ...engine.bits import popcount
from ...engine.hands import SUIT, count_cards
from ...engine.jit import i64, inlined, jit
from ...engine.solver import best_melds
from ..greedy import hand_penalty
from .going_out import out_next
from .layout import AT
from .opening import opening_features
from .shape import (
    HIGH_PLACES,
    HIGH_RANKS,
    all_suits,
    cards_at,
    in_runs,
    lanes,
    outs,
    ranks_with,
)
from .view import lay_off_count

BIAS, PENALTY, DEADWOOD, HAND_SIZE = AT["bias"], AT["penalty"], AT["deadwood"], AT["cards"]
HAND_SIZE_2, JOKERS, MELDS = AT["cards_squared"], AT["jokers"], AT["melds"]
RUN_OUTS, GAP_OUTS, SET_OUTS = AT["run_outs_low"], AT["gap_outs_low"], AT["set_outs_low"]
LONE, LONE_PENALTY, DOUBLES = AT["lone_cards"], AT["lone_penalty"], AT["doubles"]
FITS, STUCK, STUCK_2, FIT_OUTS = AT["fits"], AT["stuck"], AT["stuck_squared"], AT["fit_outs"]
OUT_NEXT, OUT_SOON = AT["out_next"], AT["out_soon"]
RACE, LATE_PENALTY, LATE_DEADWOOD = AT["race"], AT["late_penalty"], AT["late_deadwood"]
SMALL_HAND = 5
"""Cards up to which the chance of going out in the next turn is counted card by card."""


@jit
def hand_features(g, rules, tables, mind, seat, held, twice, jokers, work):
    """Fill the features of the cards that `seat` would hold at the end of its turn.

    `tables` are the solver's tables of points and of penalties; the view is filled.
    """
    phi = mind.phi
    size = count_cards(held, twice) + jokers
    penalty = hand_penalty(held, twice, jokers, rules)
    none, most = i64(0), i64(rules.max_set)
    melded = best_melds(
        held, twice, jokers, none, none, tables[1], rules.penalty, mind.joker_value, most, work
    )
    phi[BIAS] = 1.0
    phi[PENALTY] = penalty / 100.0
    phi[DEADWOOD] = (penalty - melded) / 50.0
    phi[HAND_SIZE] = size / 10.0
    phi[HAND_SIZE_2] = size * size / 100.0
    phi[JOKERS] = jokers
    opening_features(g, rules, tables, mind, seat, held, twice, jokers, work)
    places = lanes(held, i64(rules.low_position))
    done = in_runs(places)
    done |= lanes(all_suits(ranks_with(held, i64(3))) & held, i64(rules.low_position))
    _shape_features(rules, mind, held, twice, places, done)
    _table_features(g, rules, mind, seat, held, twice, jokers, size, cards_at(done) & held)
    late = max(phi[RACE] - 0.1, 0.0)
    phi[LATE_PENALTY] = late * phi[PENALTY]
    phi[LATE_DEADWOOD] = late * phi[DEADWOOD]


@inlined
def _shape_features(rules, mind, held, twice, places, done):
    """Two cards that need a third, and cards that stand alone; `done` are the places of melds."""
    phi = mind.phi
    live, live_twice = i64(mind.live_runs), i64(mind.live_runs_twice)
    loose = places & ~done
    pairs = places & (places >> 1)
    pairs &= loose | (loose >> 1)
    gaps = places & (places >> 2) & ~(places >> 1)
    gaps &= loose | (loose >> 2)
    loose_cards = held & ~cards_at(done)
    loose_ranks = loose_cards | loose_cards >> 13 | loose_cards >> 26 | loose_cards >> 39
    couples = ranks_with(held, i64(2)) & ~ranks_with(held, i64(3)) & loose_ranks & SUIT
    for high in range(2):
        which = HIGH_PLACES if high == 1 else ~HIGH_PLACES
        some = pairs & which
        around = outs(some >> 1, live, live_twice) + outs(some << 2, live, live_twice)
        phi[RUN_OUTS + high] = around / 10.0
        phi[GAP_OUTS + high] = outs((gaps & which) << 1, live, live_twice) / 10.0
        ranks = couples & (HIGH_RANKS if high == 1 else SUIT & ~HIGH_RANKS)
        missing = all_suits(ranks) & ~held
        phi[SET_OUTS + high] = outs(missing, i64(mind.live), i64(mind.live_twice)) / 10.0
    linked = cards_at(pairs | pairs << 1 | gaps | gaps << 2) | all_suits(couples)
    alone = loose_cards & ~linked
    phi[LONE] = popcount(alone) / 10.0
    phi[LONE_PENALTY] = hand_penalty(alone, i64(0), i64(0), rules) / 50.0
    phi[DOUBLES] = popcount(twice) / 10.0
    phi[MELDS] = popcount(cards_at(done) & held) / 10.0


@inlined
def _table_features(g, rules, mind, seat, held, twice, jokers, size, melded):
    """What of a hand fits the table, and how near it is to going out."""
    phi = mind.phi
    is_open = g.opened[seat] == 1
    fits = lay_off_count(mind, held, jokers, i64(rules.low_position))
    if is_open and rules.melds_per_turn == 0:
        melded = i64(0)
    stuck = count_cards(held & ~melded & ~i64(mind.fits), twice)
    phi[FITS] = fits / 5.0
    phi[STUCK] = stuck / 5.0
    phi[STUCK_2] = stuck * stuck / 25.0
    fitting = outs(i64(mind.fits), i64(mind.live), i64(mind.live_twice))
    phi[FIT_OUTS] = fitting / i64(mind.unseen)
    phi[OUT_NEXT] = 0.0
    phi[OUT_SOON] = 0.0
    if is_open:
        phi[OUT_SOON] = 1.0 / (1.0 + max(size - fits, i64(0)))
        if size <= SMALL_HAND:
            phi[OUT_NEXT] = out_next(rules, mind, held, twice, jokers, size)
