"""Going out: the chance to do so in the next turn, and the search for a way in this one."""

from ...action_tables import DISCARD
from ...engine.bits import lowest, popcount
from ...engine.hands import RANK, add, copies
from ...engine.jit import i64, inlined, jit
from ...engine.layout import JOKER
from ...engine.legal import list_legal
from ...engine.moves import hand_bits
from .layout import DEPTH
from .moves import note_moves, play_whole
from .shape import LANES, all_suits, cards_at, in_runs, lanes, ranks_with
from .view import lay_off_count, see_table

NODES = 300
"""Positions that the search for a way out looks at."""


@jit
def out_next(rules, mind, held, twice, jokers, size):
    """Return the chance that the next card drawn from the stock lets an open seat go out with it: by
    lay-offs and at most one meld, swaps and two equal cards aside."""
    low_position = i64(rules.low_position)
    melds = rules.melds_per_turn != 0
    if _goes_out(mind, held, twice, jokers, size, melds, low_position):
        return 1.0
    n = i64(0)
    cards = i64(mind.live)
    while cards > 0:
        card = lowest(cards)
        cards &= cards - 1
        more, more_twice = add(held, twice, card)
        if _goes_out(mind, more, more_twice, jokers, size, melds, low_position):
            n += copies(i64(mind.live), i64(mind.live_twice), card)
    jokers += 1
    if mind.live_jokers > 0 and _goes_out(mind, held, twice, jokers, size, melds, low_position):
        n += i64(mind.live_jokers)
    return n / i64(mind.unseen)


@jit
def _goes_out(mind, held, twice, jokers, needed, melds, low_position):
    """Tell whether `needed` cards of a hand can be laid in one turn."""
    if lay_off_count(mind, held, jokers, low_position) >= needed:
        return True
    if not melds or needed < 3:
        return False
    places = lanes(held, low_position)
    for length in range(3, min(needed, i64(5)) + 1):
        rows = _rows(places, length, jokers > 0)
        while rows > 0:
            at = lowest(rows)
            rows &= rows - 1
            naturals = (((i64(1) << length) - 1) << at) & places
            used = length - popcount(naturals)
            rest = held & ~(cards_at(naturals) & ~twice)
            laid = length + lay_off_count(mind, rest, jokers - used, low_position)
            if laid >= needed:
                return True
    ranks = ranks_with(held, i64(3) if jokers == 0 else i64(2))
    while ranks > 0:
        rank = lowest(ranks)
        ranks &= ranks - 1
        cards = held & (RANK << rank)
        used = i64(popcount(cards) == 2)
        rest = held & ~(cards & ~twice)
        laid = popcount(cards) + used + lay_off_count(mind, rest, jokers - used, low_position)
        if laid >= needed:
            return True
    return False


@jit
def _rows(places, length, joker):
    """Return the first places of runs of a length that places make, with a joker for at most one."""
    rows = i64(LANES)
    for k in range(length):
        rows &= places >> k
    if not joker:
        return rows
    for missing in range(length):
        row = i64(LANES)
        for k in range(length):
            row &= (i64(LANES) if k == missing else places) >> k
        rows |= row
    return rows


@jit
def _useless(g, rules, mind, seat):
    """Return how many cards of the hand can neither be laid off nor melded: 0 where jokers make that
    hard to tell."""
    see_table(g, rules, mind)
    low_position = i64(rules.low_position)
    held, twice = hand_bits(g, seat)
    may_meld = rules.melds_per_turn != 0 or g.opened[seat] == 0
    if g.on_table[JOKER] > 0 or (may_meld and g.hand[seat, JOKER] > 0):
        return i64(0)
    places = lanes(held, low_position)
    chain = _chain(mind, places, g.hand[seat, JOKER] > 0)
    useful = i64(mind.fits) | cards_at(chain)
    if may_meld:
        useful |= cards_at(in_runs(places)) | all_suits(ranks_with(held, i64(3)))
    return popcount(held & ~useful) + popcount(twice & ~useful)


@jit
def _chain(mind, places, joker):
    """Return the places that a hand could reach at the ends of runs, one card after another, with
    jokers for any gaps."""
    up, down = i64(mind.high_ends), i64(mind.low_ends)
    steps = i64(LANES) if joker else places
    for _ in range(12):
        up |= ((up & steps) << 1) & i64(LANES)
        down |= ((down & steps) >> 1) & i64(LANES)
    return (up | down) & places


@inlined
def way_out(g, rules, runs, mind, trials, work, scratch):
    """Return the first move of a turn that goes out, or -1: melds, lay-offs and swaps in any order.

    The search ends after `NODES` positions.
    """
    seat = i64(g.to_move)
    if g.barred[seat] == 1 or g.hand_size[seat] == 1 or _useless(g, rules, mind, seat) > 1:
        return i64(-1)
    list_legal(g, rules, runs, work, scratch)
    note_moves(mind, i64(0), work)
    depth, nodes = i64(0), i64(0)
    while depth >= 0:
        k = i64(mind.next[depth])
        if k >= mind.n_moves[depth] or nodes >= NODES:
            depth -= 1
            continue
        mind.next[depth] = k + 1
        now = trials[depth]
        if depth == 0:
            trials[0] = g
        else:
            trials[depth] = trials[depth - 1]
        play_whole(now, rules, runs, work, scratch, i64(mind.moves[depth, k]))
        nodes += 1
        n = list_legal(now, rules, runs, work, scratch)
        if now.hand_size[seat] == 1 and n > 0 and work.ids[n - 1] >= DISCARD:
            return i64(mind.moves[0, i64(mind.next[0]) - 1])
        if depth + 1 < DEPTH and n > 0 and _useless(now, rules, mind, seat) <= 1:
            depth += 1
            note_moves(mind, depth, work)
    return i64(-1)
