"""The chance to go out in the next turn."""

from ...engine.bits import lowest, popcount
from ...engine.hands import RANK, add, copies
from ...engine.jit import i64, jit
from .shape import LANES, cards_at, lanes, ranks_with
from .view import lay_off_count


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
