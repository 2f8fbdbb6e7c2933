"""The best total of disjoint melds in a hand, exactly.

Runs of one suit never meet cards of another, so a table holds, for every multiset of one suit (two
packs: 13 counts of 0..2, a number in base 3) and every number of jokers, the best value of disjoint
runs. What is
left is a search over sets: lay some sets, look the four suits up, split the jokers that are left
over them.
The value of a card is a parameter: opening points and penalties (for the deadwood) have a table
each.

Why the table is exact: a run of six or more cards is worth the same as two runs, unless one of the
two would be jokers alone; so runs of three to five cards, and up to seven with three or four
jokers, are enough.
"""

import numpy as np

from ..action_tables import INTERVALS, OPTIONS
from .bits import lowest
from .hands import SUIT, ranks_for_sets, remove, set_cards, suits_of
from .jit import i64, inlined, jit

MAX_JOKERS = 4
LONGEST = 7

# The ace is the highest digit, so that the highest card of a multiset is the highest digit of its code.
CODE_WEIGHT = np.array([3**12] + [3**r for r in range(12)], dtype=np.int64)
CODES = 3**13
CODE_OF = np.array(
    [sum(int(CODE_WEIGHT[r]) for r in range(13) if ranks >> r & 1) for ranks in range(1 << 13)],
    dtype=np.int32,
)
"""The code of one copy of each of some ranks (bits) of a suit."""

SET_MASK = np.array([mask for mask, _ in OPTIONS], dtype=np.int64)
SET_JOKERS = np.array([jokers for _, jokers in OPTIONS], dtype=np.int64)
SET_OPTIONS = len(OPTIONS)
SETS_FROM = np.array(
    [
        [
            sum(
                1 << option
                for option, (mask, used) in enumerate(OPTIONS)
                if mask & present == mask and used <= jokers
            )
            for jokers in range(MAX_JOKERS + 1)
        ]
        for present in range(16)
    ],
    dtype=np.int64,
)
"""Options of a set (bits) by the suits held of its rank and the jokers held."""
OPTION_OF = np.full((16, MAX_JOKERS + 1), -1, dtype=np.int64)
"""The option of a set by its natural suits (bits) and jokers."""
for _option, (_mask, _used) in enumerate(OPTIONS):
    OPTION_OF[_mask, _used] = _option
POPCOUNT = np.array([m.bit_count() for m in range(16)], dtype=np.int64)
RUN_LOW_HIGH = np.array(INTERVALS, dtype=np.int64)
RANKS_BY_POINTS = np.array([0, *range(12, 0, -1)], dtype=np.int64)


def _patterns() -> np.ndarray:
    """Shapes of a run around its highest natural card: cards above (jokers), cards below, which of
    those below are natural (bit k = k + 1 places down), jokers."""
    rows = []
    for length in range(3, LONGEST + 1):
        for above in range(length):
            below = length - 1 - above
            for natural in range(1 << below):
                jokers = above + below - natural.bit_count()
                if jokers <= MAX_JOKERS and (length <= 5 or jokers >= 3):
                    rows.append((above, below, natural, jokers))
    return np.array(rows, dtype=np.int64)


PATTERNS = _patterns()


@inlined
def _pattern_tables(natural_value, joker_value, patterns, delta, value):
    """Fill what each pattern takes from a code and what it is worth, for every place of its highest
    natural.

    Index 1 is the low ace: seen from it the run goes upwards, and the cards "below" lie above it.
    """
    for k in range(patterns.shape[0]):
        for top in range(1, 15):
            taken = CODE_WEIGHT[(top - 1) % 13]
            worth = natural_value[top]
            step = 1 if top == 1 else -1
            for d in range(patterns[k, 1]):
                place = top + step * (d + 1)
                if place < 1 or place > 14:
                    continue
                if (patterns[k, 2] >> d) & 1:
                    taken += CODE_WEIGHT[(place - 1) % 13]
                    worth += natural_value[place]
                else:
                    worth += joker_value[place]
            for u in range(patterns[k, 0]):
                if top + u + 1 <= 14:
                    worth += joker_value[top + u + 1]
            delta[k, top] = taken
            value[k, top] = worth


@jit
def fill_run_table(natural_value, joker_value, low_position, patterns, delta, value, digits, table):
    """Fill `table[code, jokers]` (uint16): the best value of disjoint runs of one suit.

    `natural_value`, `joker_value`: int64[15] by position; `digits`: int64[13], scratch. The highest
    card of a multiset is either in no run (then the table of the rest holds) or the highest natural
    card of one.
    """
    _pattern_tables(natural_value, joker_value, patterns, delta, value)
    jokers = table.shape[1] - 1
    digits[:] = 0
    for code in range(1, table.shape[0]):
        k = 0
        while digits[k] == 2:
            digits[k] = 0
            k += 1
        digits[k] += 1
        top = 12
        while digits[top] == 0:
            top -= 1
        rest = code - (CODE_WEIGHT[0] if top == 12 else CODE_WEIGHT[top + 1])
        for j in range(jokers + 1):
            table[code, j] = table[rest, j]
        place = top + 2
        present = 0
        for d in range(6):
            digit = place - 3 - d
            if digit >= 0 and digits[digit] > 0:
                present |= 1 << d
        _best_run(table, code, jokers, place, low_position, present, patterns, delta, value)
        if top == 12 and low_position == 1:
            present = 0
            for d in range(6):
                if digits[d] > 0:
                    present |= 1 << d
            _best_run(table, code, jokers, 1, low_position, present, patterns, delta, value)


@jit
def _best_run(table, code, jokers, place, low_position, present, patterns, delta, value):
    """Raise `table[code]` by every run whose highest natural card stands at `place`."""
    for k in range(patterns.shape[0]):
        used = patterns[k, 3]
        if used > jokers or (patterns[k, 2] & present) != patterns[k, 2]:
            continue
        if place == 1:
            if patterns[k, 0] > 0:
                continue
        elif place + patterns[k, 0] > 14 or place - patterns[k, 1] < low_position:
            continue
        rest = code - delta[k, place]
        for j in range(used, jokers + 1):
            worth = value[k, place] + i64(table[rest, j - used])
            if worth > i64(table[code, j]):
                table[code, j] = worth


def run_table(
    natural_value: np.ndarray, joker_value: np.ndarray, low_position: int, jokers: int
) -> np.ndarray:
    """Build the table of one value: uint16[3**13, jokers + 1], a fraction of a second."""
    table = np.zeros((CODES, jokers + 1), dtype=np.uint16)
    delta = np.zeros((len(PATTERNS), 15), dtype=np.int64)
    value = np.zeros((len(PATTERNS), 15), dtype=np.int64)
    fill_run_table(
        natural_value.astype(np.int64),
        joker_value.astype(np.int64),
        low_position,
        PATTERNS,
        delta,
        value,
        np.zeros(13, np.int64),
        table,
    )
    return table


@jit
def _runs_value(runs, c0, c1, c2, c3, jokers):
    """Return the best value of runs in four suits with `jokers` shared between them."""
    if jokers == 0:
        return i64(runs[c0, 0]) + i64(runs[c1, 0]) + i64(runs[c2, 0]) + i64(runs[c3, 0])
    best = i64(0)
    for a in range(jokers + 1):
        first = i64(0)
        for k in range(a + 1):
            pair = i64(runs[c0, k]) + i64(runs[c1, a - k])
            if pair > first:
                first = pair
        second = i64(0)
        for k in range(jokers - a + 1):
            pair = i64(runs[c2, k]) + i64(runs[c3, jokers - a - k])
            if pair > second:
                second = pair
        if first + second > best:
            best = first + second
    return best


@jit
def suit_code(held, twice, suit):
    """Return the code of the cards of one suit."""
    shift = 13 * suit
    return i64(CODE_OF[(held >> shift) & SUIT]) + i64(CODE_OF[(twice >> shift) & SUIT])


@inlined
def _list_sets(held, twice, jokers, runs, set_natural, set_joker, max_set, work):
    """List the sets that a hand can lay (work.options, best ranks first); return how many.

    work.bound[k] bounds what the natural cards of sets from option k on can add, work.dearest[k] what
    a joker in one of them can. A set of one natural card is listed
    only where it is worth more than the best run of the same cards.
    """
    n = i64(0)
    ranks = ranks_for_sets(held, jokers)
    for q in range(13):
        rank = RANKS_BY_POINTS[q]
        if not (ranks >> rank) & 1:
            continue
        present = suits_of(held, rank)
        first = n
        options = SETS_FROM[present, jokers]
        while options > 0:
            option = lowest(options)
            options &= options - 1
            mask, used = SET_MASK[option], SET_JOKERS[option]
            if POPCOUNT[mask] + used > max_set:
                continue
            if POPCOUNT[mask] == 1:
                worth = i64(set_natural[rank]) + used * i64(set_joker[rank])
                if worth <= i64(runs[CODE_WEIGHT[rank], used]):
                    continue
            work.options[n] = rank * SET_OPTIONS + option
            n += 1
        naturals = POPCOUNT[present] + POPCOUNT[suits_of(twice, rank)]
        most = min(naturals, i64(8) if naturals + jokers >= 6 else i64(4))
        for k in range(first, n):
            work.bound[k] = most * i64(set_natural[rank])
    total, dearest, last = i64(0), i64(0), i64(-1)
    for back in range(n):
        k = n - 1 - back
        rank = i64(work.options[k]) // SET_OPTIONS
        if rank != last:
            total += i64(work.bound[k])
            dearest = max(dearest, i64(set_joker[rank]))
            last = rank
        work.bound[k] = total
        work.dearest[k] = dearest
    return n


@inlined
def _has_twin(mask, c0, c1, c2, c3):
    """Tell whether another set of the rank, with an earlier suit for one that holds the same cards,
    leaves an equal hand. The first set of a rank need not be tried then: its twin comes before it.
    """
    return (
        (c0 == c1 and mask & 3 == 2)
        or (c0 == c2 and mask & 5 == 4)
        or (c0 == c3 and mask & 9 == 8)
        or (c1 == c2 and mask & 6 == 4)
        or (c1 == c3 and mask & 10 == 8)
        or (c2 == c3 and mask & 12 == 8)
    )


@jit
def best_melds(
    held, twice, jokers, need, at_most_need, runs, set_natural, set_joker, max_set, work
):
    """Return the best total value of disjoint melds in a hand (see `engine/hands.py`).

    With `at_most_need` 1 the answer only says whether `need` is reached: what some melds are worth,
    at least `need` if any are.
    """
    jokers = min(jokers, i64(runs.shape[1] - 1))
    c0, c1 = suit_code(held, twice, i64(0)), suit_code(held, twice, i64(1))
    c2, c3 = suit_code(held, twice, i64(2)), suit_code(held, twice, i64(3))
    rest = _runs_value(runs, c0, c1, c2, c3, jokers)  # the runs of what no set has taken
    best = rest
    if at_most_need == 1 and best >= need:
        return best
    n = _list_sets(held, twice, jokers, runs, set_natural, set_joker, max_set, work)
    points, depth, k, last = i64(0), i64(0), i64(0), i64(-1)
    while True:
        go = False
        if k < n:
            reach = points + rest + i64(work.bound[k]) + jokers * i64(work.dearest[k])
            go = reach > best and (at_most_need == 0 or reach >= need)
        if not go:
            if depth == 0:
                return best
            depth -= 1
            saved = work.saved[depth]
            held, twice, jokers, points, k = saved[0], saved[1], saved[2], saved[3], saved[4] + 1
            c0, c1, c2, c3, rest = saved[5], saved[6], saved[7], saved[8], saved[9]
            last = saved[10]
            continue
        rank = i64(work.options[k]) // SET_OPTIONS
        option = i64(work.options[k]) % SET_OPTIONS
        mask, used = SET_MASK[option], SET_JOKERS[option]
        cards = set_cards(rank, mask)
        if used > jokers or held & cards != cards:
            k += 1
            continue
        if rank != last and _has_twin(mask, c0, c1, c2, c3):
            k += 1
            continue
        saved = work.saved[depth]
        saved[0], saved[1], saved[2], saved[3], saved[4] = held, twice, jokers, points, k
        saved[5], saved[6], saved[7], saved[8], saved[9] = c0, c1, c2, c3, rest
        saved[10] = last
        last = rank
        depth += 1
        held, twice = remove(held, twice, cards)
        code = CODE_WEIGHT[rank]
        c0 -= code * (mask & 1)
        c1 -= code * ((mask >> 1) & 1)
        c2 -= code * ((mask >> 2) & 1)
        c3 -= code * ((mask >> 3) & 1)
        jokers -= used
        points += POPCOUNT[mask] * i64(set_natural[rank]) + used * i64(set_joker[rank])
        rest = _runs_value(runs, c0, c1, c2, c3, jokers)
        if points + rest > best:
            best = points + rest
            if at_most_need == 1 and best >= need:
                return best


@jit
def run_value(low, high, rules):
    """Return the opening points of a run."""
    total = i64(0)
    for p in range(low, high + 1):
        total += i64(rules.run_points[p])
    return total
