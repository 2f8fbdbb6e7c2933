"""The best total of disjoint melds in a hand, exactly.

Runs of one suit never meet cards of another, so a table holds, for every multiset of one suit (two
packs: 13 counts of 0..2, a number in base 3) and every number of jokers, the best value of disjoint
runs. What is
left is a search over sets: lay some sets, look the four suits up, split the jokers that are left
over them.
The value of a card is a parameter: opening points and penalties (for the deadwood) have a table
each.
"""

import numpy as np

from ..action_tables import INTERVALS, OPTIONS
from .bits import lowest
from .hands import SUIT, ranks_for_sets, ranks_of, remove, set_cards, suits_of
from .jit import i64, inlined, jit
from .layout import JOKER
from .run_table import CODE_WEIGHT, MAX_JOKERS

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


@jit
def _runs_value(runs, codes, jokers):
    """Return the best value of runs in four suits with `jokers` shared between them."""
    c0, c1, c2, c3 = codes[0], codes[1], codes[2], codes[3]
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
def _has_twin(mask, codes, unlike):
    """Tell whether another set of the rank, with an earlier suit for one that holds the same cards,
    leaves an equal hand. The first set of a rank need not be tried then: its twin comes before it.
    Suits that are `unlike` the others (bits) have no twin.
    """
    c0, c1, c2, c3 = codes[0], codes[1], codes[2], codes[3]
    return (
        (c0 == c1 and mask & 3 == 2 and unlike & 3 == 0)
        or (c0 == c2 and mask & 5 == 4 and unlike & 5 == 0)
        or (c0 == c3 and mask & 9 == 8 and unlike & 9 == 0)
        or (c1 == c2 and mask & 6 == 4 and unlike & 6 == 0)
        or (c1 == c3 and mask & 10 == 8 and unlike & 10 == 0)
        or (c2 == c3 and mask & 12 == 8 and unlike & 12 == 0)
    )


@inlined
def _unlike_suits(keepers):
    """Return the suits (bits) in which not every card may be the one that is left."""
    unlike = i64(0)
    for suit in range(4):
        unlike |= i64(keepers > 0 and ranks_of(keepers, suit) != SUIT) << suit
    return unlike


@jit
def best_melds(held, twice, jokers, need, keepers, runs, set_natural, set_joker, max_set, work):
    """Return the best total value of disjoint melds in a hand (see `engine/hands.py`).

    With a `need` above 0 the answer only says whether it is reached: at least `need` if it is, less
    if it is not. With `keepers` (cards as bits, the joker too) the melds must leave one of them.
    """
    jokers = min(jokers, i64(runs.shape[1] - 1))
    _set_root(work.nodes[0], held, twice, jokers, runs)
    best, n, depth, unlike = max(need - 1, i64(0)), i64(-1), i64(0), i64(0)
    while depth >= 0:
        node = work.nodes[depth]
        total = node.points + node.rest
        if total > best:
            if need == 0:
                best = total
            elif keepers == 0 or _keeps_one(node, need - node.points, keepers, runs):
                return total
        if n < 0:
            n = _list_sets(held, twice, jokers, runs, set_natural, set_joker, max_set, work)
            unlike = _unlike_suits(keepers)
        depth = _next_node(work, depth, n, best, unlike, runs, set_natural, set_joker)
    return best


@inlined
def _set_root(node, held, twice, jokers, runs):
    """Begin a search: no set is laid."""
    node.held, node.twice, node.jokers = held, twice, jokers
    for suit in range(4):
        node.codes[suit] = suit_code(held, twice, i64(suit))
    node.rest = _runs_value(runs, node.codes, jokers)
    node.points, node.rank, node.next = 0, -1, 0


@inlined
def _next_node(work, depth, n, best, unlike, runs, set_natural, set_joker):
    """Lay one more set, or another in the place of the last; return how many are laid then.

    Only where the total may come to more than `best`; -1: nowhere.
    """
    while depth >= 0:
        node = work.nodes[depth]
        k = node.next
        node.next = k + 1
        if k >= n or (
            node.points + node.rest + i64(work.bound[k]) + node.jokers * i64(work.dearest[k])
            <= best
        ):
            depth -= 1
            continue
        rank, option = i64(work.options[k]) // SET_OPTIONS, i64(work.options[k]) % SET_OPTIONS
        mask, used = SET_MASK[option], SET_JOKERS[option]
        cards = set_cards(rank, mask)
        if used > node.jokers or node.held & cards != cards:
            continue
        if rank != node.rank and _has_twin(mask, node.codes, unlike):
            continue
        depth += 1
        child = work.nodes[depth]
        child.held, child.twice = remove(node.held, node.twice, cards)
        for suit in range(4):
            child.codes[suit] = node.codes[suit] - CODE_WEIGHT[rank] * ((mask >> suit) & 1)
        child.jokers = node.jokers - used
        worth = POPCOUNT[mask] * i64(set_natural[rank]) + used * i64(set_joker[rank])
        child.points = node.points + worth
        child.rest = _runs_value(runs, child.codes, child.jokers)
        child.rank, child.next = rank, k
        break
    return depth


@inlined
def _keeps_one(node, need, keepers, runs):
    """Tell whether runs worth `need` of what no set has taken leave one of the `keepers`."""
    codes = node.codes
    if node.jokers > 0 and (keepers >> JOKER) & 1:
        if _runs_value(runs, codes, node.jokers - 1) >= need:
            return True
    cards = node.held & keepers
    while cards > 0:
        card = lowest(cards)
        cards &= cards - 1
        codes[card // 13] -= CODE_WEIGHT[card % 13]
        reached = _runs_value(runs, codes, node.jokers) >= need
        codes[card // 13] += CODE_WEIGHT[card % 13]
        if reached:
            return True
    return False


@jit
def run_value(low, high, rules):
    """Return the opening points of a run."""
    total = i64(0)
    for p in range(low, high + 1):
        total += i64(rules.run_points[p])
    return total
