"""The compiled part of `benchmarks.worst`: timed lists in random play and in built turns."""

import time

import numpy as np
from numba import types

from kalooki_env.engine import layout as L
from kalooki_env.engine.apply import apply
from kalooki_env.engine.dealing import next_single_deal, start_match
from kalooki_env.engine.hands import see_hand
from kalooki_env.engine.jit import entry, i64, jit
from kalooki_env.engine.layout import CARDS, JOKER, RUN, SET
from kalooki_env.engine.legal import list_legal
from kalooki_env.engine.rng import below, mix, shuffle

TALLY = np.dtype(
    [
        ("calls", "i8"),  # lists timed
        ("worst", "i8"),  # nanoseconds of the dearest
        ("time", "i8", 2),  # what the clock writes: seconds and nanoseconds
        ("left", "i1", CARDS),  # cards that are not dealt yet, by type
    ]
)
REPEATS = 5
LEAST_CARDS, MOST_CARDS, LEAST_JOKERS = 14, 18, 2
TURN = 7
"""The turn that is built: none of the first, which have rules of their own."""
_WALL = getattr(time, "CLOCK_MONOTONIC", 1)
_CPU = getattr(time, "CLOCK_THREAD_CPUTIME_ID", 3)
_clock_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.intp))


@jit
def _now(clock, tally):
    """Return the nanoseconds of a clock."""
    moment = tally[0].time
    _clock_gettime(np.int32(clock), moment.ctypes.data)
    return moment[0] * 1_000_000_000 + moment[1]


@jit
def _timed_list(games, rules, runs, work, scratch, tally):
    """List the legal ids of the first game; keep it, if it took longest so far, as the third."""
    start = _now(_WALL, tally)
    count = list_legal(games[0], rules[0], runs, work[0], scratch)
    took = _now(_WALL, tally) - start
    tally[0].calls += 1
    if took <= tally[0].worst:
        return count
    for _ in range(REPEATS):
        list_legal(games[1], rules[0], runs, work[0], scratch)
        start = _now(_CPU, tally)
        list_legal(games[0], rules[0], runs, work[0], scratch)
        took = min(took, _now(_CPU, tally) - start)
    if took > tally[0].worst:
        tally[0].worst = took
        games[2] = games[0]
    return count


@entry
def play(games, rules, runs, work, scratch, seats, seed, steps, tally):
    """Play `steps` random actions in the first game, from a new deal, timing each list."""
    g = games[0]
    start_match(games[0], rules[0], seats, seed, i64(0), i64(0))
    number = mix(seed)
    for _ in range(steps):
        count = _timed_list(games, rules, runs, work, scratch, tally)
        number = mix(number + np.uint64(1))
        action = i64(work[0].ids[i64(number % np.uint64(count))])
        apply(games[0], rules[0], runs, work[0], scratch, action)
        if g.deal_over == 1:
            next_single_deal(games[0], rules[0], seats)


@entry
def build_and_play(games, rules, runs, work, scratch, seats, seed, hands, tally):
    """Build `hands` turns in the first game and play each to its end, timing each list."""
    g = games[0]
    number = mix(seed)
    for _ in range(hands):
        number = mix(number + np.uint64(1))
        build(games, 0, rules, seats, number, tally)
        seat, turn = i64(g.to_move), i64(g.turn)
        while g.deal_over == 0 and g.to_move == seat and g.turn == turn:
            count = _timed_list(games, rules, runs, work, scratch, tally)
            if count == 0:
                break  # put together so that the turn cannot be finished
            action = i64(work[0].ids[below(g, count)])
            apply(games[0], rules[0], runs, work[0], scratch, action)


@jit
def build(games, i, rules, seats, seed, tally):
    """Put a turn together in `games[i]`: the hand of the seat to move, the table, the phase."""
    contracts = i64(rules[0].n_contracts)
    start_match(games[i], rules[0], seats, seed, i64(0), i64(0))
    g = games[i]
    g.turn = TURN
    if contracts > 0 and below(g, i64(2)) == 0:
        g.deal = contracts
    _gather(g, tally)
    seat = i64(g.to_move)
    jokers = LEAST_JOKERS + below(g, i64(rules[0].jokers) - LEAST_JOKERS + 1)
    size = LEAST_CARDS + below(g, i64(MOST_CARDS - LEAST_CARDS + 1))
    _prefer(g)
    _hand_out(g, seat, jokers, size, tally)
    if below(g, i64(2)) == 0:
        for _ in range(1 + below(g, i64(10))):
            _lay(g, rules, tally)
        g.opened[seat] = 1 if g.n_melds > 0 else 0
        g.was_open = g.opened[seat]
    _deal_rest(g, seat, tally)
    _count_again(g, rules)
    if below(g, i64(3)) > 0:
        g.phase = L.PLAY
        if below(g, i64(2)) == 0:
            _take(g, rules, seat)


@jit
def _gather(g, tally):
    """Take all cards back: shuffled in the stock, counted in `left`."""
    n = i64(g.n_stock)
    for s in range(i64(g.seats)):
        for card in range(CARDS):
            for _ in range(i64(g.hand[s, card])):
                g.stock[n] = card
                n += 1
        g.hand[s, :] = 0
        g.hand_size[s] = 0
    g.stock[n] = g.discards[0]
    n += 1
    g.n_discards = 0
    shuffle(g, g.stock, n)
    g.n_stock = n
    tally[0].left[:] = 0
    for k in range(n):
        tally[0].left[i64(g.stock[k])] += 1


@jit
def _prefer(g):
    """Bring some cards to the top of the stock: of near ranks, of two suits, or just any."""
    style, first, width = below(g, i64(4)), below(g, i64(13)), 2 + below(g, i64(5))
    suit, other = below(g, i64(4)), below(g, i64(4))
    low = i64(0)
    for k in range(i64(g.n_stock)):
        card = i64(g.stock[k])
        if style == 1:
            wanted = (card % 13 - first) % 13 < width
        elif style == 2:
            wanted = card // 13 == suit or card // 13 == other
        elif style == 3:
            wanted = (card % 13 - first) % 13 < width and card // 13 != suit
        else:
            wanted = True
        if not wanted:
            g.stock[k] = g.stock[low]
            g.stock[low] = card
            low += 1


@jit
def _hand_out(g, seat, jokers, size, tally):
    """Give the hand its jokers and, from the top of the stock, its natural cards."""
    g.hand[seat, JOKER] = jokers
    tally[0].left[JOKER] -= jokers
    given = jokers
    k = i64(g.n_stock) - 1
    while given < size and k >= 0:
        card = i64(g.stock[k])
        if card != JOKER:
            g.hand[seat, card] += 1
            tally[0].left[card] -= 1
            given += 1
        k -= 1
    g.hand_size[seat] = given


@jit
def _lay(g, rules, tally):
    """Lay a random meld of an earlier turn from the cards that are left, if there are such cards."""
    left, m = tally[0].left, i64(g.n_melds)
    jokers, naturals, spare = i64(0), i64(0), i64(left[JOKER])
    if below(g, i64(2)) == 0:
        rank, size = below(g, i64(13)), 3 + below(g, i64(rules[0].max_set) - 2)
        mask = i64(0)
        for suit in range(4):
            if left[suit * 13 + rank] > 0 and naturals < size - min(spare, below(g, i64(2))):
                mask |= i64(1) << suit
                naturals += 1
        jokers = size - naturals
        if naturals == 0 or jokers > spare:
            return
        for suit in range(4):
            left[suit * 13 + rank] -= (mask >> suit) & 1
        _put(g, m, i64(SET), rank, mask, size, jokers)
    else:
        suit, low_position = below(g, i64(4)), i64(rules[0].low_position)
        low, length = low_position + below(g, 13 - low_position), 3 + below(g, i64(4))
        high = min(low + length - 1, i64(14))
        places = i64(0)
        for p in range(low, high + 1):
            if left[suit * 13 + (p - 1) % 13] > 0 and below(g, i64(8)) > 0:
                naturals += 1
            else:
                places |= i64(1) << p
                jokers += 1
        if naturals == 0 or jokers > spare or (low == 1 and high == 14):
            return
        for p in range(low, high + 1):
            if not (places >> p) & 1:
                left[suit * 13 + (p - 1) % 13] -= 1
        _put(g, m, i64(RUN), suit, low, high, places)
    left[JOKER] -= jokers


@jit
def _put(g, m, kind, key, low, high, jokers):
    g.melds[m].kind = kind
    g.melds[m].key = key
    g.melds[m].low = low
    g.melds[m].high = high
    g.melds[m].jokers = jokers
    g.melds[m].laid = 0
    g.melds[m].owner = (i64(g.to_move) + 1) % i64(g.seats)
    g.n_melds = m + 1


@jit
def _deal_rest(g, seat, tally):
    """Deal the cards that are left: an up-card, ten to each other seat, the rest to the stock."""
    n = i64(0)
    for card in range(CARDS):
        for _ in range(i64(tally[0].left[card])):
            g.stock[n] = card
            n += 1
    shuffle(g, g.stock, n)
    for s in range(i64(g.seats)):
        if s != seat:
            for _ in range(10):
                n -= 1
                g.hand[s, i64(g.stock[n])] += 1
            g.hand_size[s] = 10
    n -= 1
    g.discards[0] = g.stock[n]
    g.n_discards = 1
    g.n_stock = n
    g.stock[n : L.MAX_CARDS] = 0


@jit
def _count_again(g, rules):
    """Settle what the game keeps beside the cards themselves."""
    for s in range(i64(g.seats)):
        g.held[s], g.twice[s] = see_hand(g.hand[s])
    for card in range(CARDS):
        g.in_pile[card] = 0
        g.on_table[card] = rules[0].pack[card]
        for s in range(i64(g.seats)):
            g.on_table[card] -= g.hand[s, card]
    for k in range(i64(g.n_stock)):
        g.on_table[i64(g.stock[k])] -= 1
    g.on_table[i64(g.discards[0])] -= 1
    g.in_pile[i64(g.discards[0])] = 1


@jit
def _take(g, rules, seat):
    """Let a card of the hand be the one that was taken from the discard pile."""
    free = rules[0].discard_before_opening != L.DISCARD_NEVER
    if g.opened[seat] == 0 and not free:
        return
    card = below(g, i64(CARDS))
    while g.hand[seat, card] == 0:
        card = (card + 1) % CARDS
    g.taken = card
    g.known[seat, card] = 1
    g.taken_twin = 1 if g.hand[seat, card] > 1 else 0
    to_open = rules[0].discard_before_opening == L.DISCARD_TO_OPEN
    g.duty = 1 if g.opened[seat] == 0 and to_open else 0
