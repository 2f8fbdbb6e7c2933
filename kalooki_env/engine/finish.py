"""Can this turn still be finished? No legal move leads into a dead end (RULES 3).

A turn ends with a discard: a card that is not the taken one and not an owed joker, and a barred
seat keeps one card more. Where released jokers are owed, each must first be laid off or laid in a
new meld.
"""

from . import layout as L
from .jit import i64, inlined, jit
from .layout import JOKER, MAX_MELDS, RUN, UNLIMITED
from .moves import (
    cards_kept,
    contract_size,
    joker_room,
    lay_run,
    pair_suits,
    stuck_card,
    swap_run,
    swap_set,
)


@jit
def can_finish(g, rules, work, scratch):
    """Tell whether the seat to move in `g`, open, can end its turn from here."""
    seat = i64(g.to_move)
    size = i64(g.hand_size[seat])
    keep = cards_kept(g)
    stuck = stuck_card(g)
    stuck_left = i64(g.hand[seat, stuck]) if stuck >= 0 else i64(0)
    owed = i64(g.owed)
    if owed == 0:
        return size >= keep and size > stuck_left
    # Any way to place the jokers lays at least those that are owed.
    if stuck == JOKER:
        stuck_left -= owed
    if size - owed < keep or size - owed <= stuck_left:
        return False
    if i64(g.hand[seat, JOKER]) < owed:
        return False
    if joker_room(g, rules) >= owed:
        return True
    if contract_size(g, rules) > 0 or (rules.melds_per_turn == 0 and g.was_open == 1):
        return False
    if _new_meld(g, rules, work, scratch):
        return True
    return _after_swaps(g, rules, work, scratch)


@jit
def _new_meld(g, rules, work, scratch):
    """Tell whether new melds, with lay-offs for the rest, place the owed jokers and leave a
    discard."""
    if may_lay_new(g, rules, work):
        return _fresh_meld(g, rules)
    return _chain_run(g, rules, work, scratch)


@inlined
def _after_swaps(g, rules, work, scratch):
    """The same after further swaps: one more joker can be what a new meld lacks.

    Depth first over the swaps, each on a copy of its own; at most three can follow the one that is
    owed.
    """
    depth = 0
    work.swap[0] = 0
    while depth >= 0:
        source = g if depth == 0 else scratch[L.SWAP_SLOT + depth - 1]
        k = i64(work.swap[depth])
        if depth == L.MAX_SWAPS or k >= 20 * i64(source.n_melds):
            depth -= 1
            continue
        work.swap[depth] = k + 1
        if not _can_swap(source, k // 20, k % 20):
            continue
        slot = i64(L.SWAP_SLOT + depth)
        scratch[slot] = source
        _swap(scratch[slot], k // 20, k % 20)
        if _new_meld(scratch[slot], rules, work, scratch):
            return True
        depth += 1
        work.swap[depth] = 0
    return False


@inlined
def _can_swap(g, m, way):
    """Tell whether the seat to move holds what swap number `way` of meld `m` gives: place - 1, or
    14 + pair."""
    seat = i64(g.to_move)
    key = i64(g.melds[m].key)
    jokers = i64(g.melds[m].jokers)
    if jokers == 0:
        return False
    if g.melds[m].kind == RUN:
        return way < 14 and (jokers >> (way + 1)) & 1 == 1 and g.hand[seat, key * 13 + way % 13] > 0
    if way < 14 or g.melds[m].high != 3:
        return False
    first, second = pair_suits(way - 14)
    for suit in (first, second):
        if (i64(g.melds[m].low) >> suit) & 1 or g.hand[seat, suit * 13 + key] == 0:
            return False
    return True


@inlined
def _swap(g, m, way):
    if way < 14:
        swap_run(g, m, way + 1)
    else:
        first, second = pair_suits(way - 14)
        swap_set(g, m, first, second)


@jit
def may_lay_new(g, rules, work):
    """Tell whether an open seat may lay a meld that joins no lay-down of this turn."""
    if contract_size(g, rules) > 0:
        return False
    limit = i64(rules.melds_per_turn)
    if g.was_open == 0 or limit == UNLIMITED:
        return True
    if g.laid == 0:
        return limit > 0
    return lay_downs(g, i64(-1), i64(0), i64(0), work) < limit


@inlined
def may_lay_run(g, rules, suit, low, high, work):
    """Tell whether an open seat may lay this run under `melds_per_turn`."""
    if contract_size(g, rules) > 0:
        return False
    limit = i64(rules.melds_per_turn)
    if g.was_open == 0 or limit == UNLIMITED:
        return True
    if g.laid == 0:
        return limit >= 1
    return lay_downs(g, suit, low, high, work) <= limit


@jit
def laid_low(g, m):
    """Return the first position of run `m` as it was laid this turn."""
    return i64(g.melds[m].low) + i64(g.melds[m].added_low)


@jit
def laid_high(g, m):
    """Return the last position of run `m` as it was laid this turn."""
    return i64(g.melds[m].high) - i64(g.melds[m].added_high)


@jit
def lay_downs(g, suit, low, high, work):
    """Count the lay-downs of this turn, with one more run unless `suit` is -1.

    Runs of one suit that stand directly above or below each other, as they were laid, are one.
    """
    n = i64(g.n_melds)
    label = work.label
    for m in range(n):
        label[m] = m if g.melds[m].laid == 1 else -1
    label[n] = n if suit >= 0 else -1
    changed = True
    while changed:
        changed = False
        for a in range(n + 1):
            if label[a] < 0 or (a < n and g.melds[a].kind != RUN):
                continue
            a_suit = suit if a == n else i64(g.melds[a].key)
            a_high = high if a == n else laid_high(g, a)
            for b in range(n + 1):
                if label[b] < 0 or b == a or (b < n and g.melds[b].kind != RUN):
                    continue
                b_suit = suit if b == n else i64(g.melds[b].key)
                b_low = low if b == n else laid_low(g, b)
                if a_suit == b_suit and a_high + 1 == b_low and label[a] != label[b]:
                    least = min(i64(label[a]), i64(label[b]))
                    label[a] = least
                    label[b] = least
                    changed = True
    count = i64(0)
    for m in range(n + 1):
        if label[m] == m:
            count += 1
    return count


@jit
def _fresh_meld(g, rules):
    """Tell whether one new meld, with lay-offs for the rest, places the owed jokers and leaves a
    discard.

    Two jokers or more need one natural card beside them, any one: a run of it and the jokers. A
    single joker needs two natural cards that go together, or one and a second joker.
    """
    seat = i64(g.to_move)
    owed = i64(g.owed)
    jokers = i64(g.hand[seat, JOKER])
    size = i64(g.hand_size[seat])
    keep = cards_kept(g)
    stuck = stuck_card(g)
    for card in range(JOKER):
        held = i64(g.hand[seat, card])
        if held == 0:
            continue
        if owed >= 2 or jokers >= 2:
            used = max(owed, i64(2))
            left = size - used - 1
            if left >= keep and left > _stuck_left(g, stuck, card, i64(-1), used):
                return True
        if owed == 1:
            for other in range(card + 1, JOKER):
                if g.hand[seat, other] > 0 and _go_together(rules, card, other):
                    left = size - 3
                    if left >= keep and left > _stuck_left(g, stuck, card, other, i64(1)):
                        return True
    return False


@jit
def _stuck_left(g, stuck, first, second, jokers):
    """Return how many copies of the taken card stay once two cards and some jokers are laid."""
    if stuck < 0:
        return i64(0)
    left = i64(g.hand[i64(g.to_move), stuck])
    if stuck == JOKER:
        return left - jokers
    if stuck == first or stuck == second:
        left -= 1
    return left


@inlined
def _go_together(rules, a, b):
    """Tell whether two natural cards of different types and one joker make a meld."""
    if a % 13 == b % 13:
        return rules.max_set >= 3
    if a // 13 != b // 13:
        return False
    low = i64(rules.low_position)
    for p in range(low, 15):
        if (p - 1) % 13 != a % 13:
            continue
        for q in range(max(low, p - 2), min(14, p + 2) + 1):
            if (q - 1) % 13 == b % 13:
                return True
    return False


@inlined
def _chain_run(g, rules, work, scratch):
    """The same where no lay-down is left: the meld must be a run beside one that was laid this
    turn.

    Such a run holds at least two jokers if the hand has them, and there are four in the pack, so
    two of them are enough; the first is laid on a copy, and the second looked for from there. Where
    several lay-downs are allowed the first may link two, and so make room for any new meld.
    """
    for m in range(i64(g.n_melds)):
        for side in range(2):
            if g.melds[m].laid == 0 or g.melds[m].kind != RUN:
                continue
            for length in range(3, 14):
                for jokers in range(min(length, i64(g.hand[i64(g.to_move), JOKER]) + 1)):
                    if not _lay_beside(g, rules, m, side, length, jokers, scratch, i64(0)):
                        continue
                    if _settled(scratch[0], rules):
                        return True
                    if may_lay_new(scratch[0], rules, work) and _fresh_meld(scratch[0], rules):
                        return True
                    if _second_chain_run(rules, scratch):
                        return True
    return False


@inlined
def _second_chain_run(rules, scratch):
    """Look for a second run beside those laid this turn, from the copy `scratch[0]`."""
    g = scratch[0]
    for m in range(i64(g.n_melds)):
        for side in range(2):
            if g.melds[m].laid == 0 or g.melds[m].kind != RUN:
                continue
            for length in range(3, 14):
                for jokers in range(1, min(length, i64(g.hand[i64(g.to_move), JOKER]) + 1)):
                    if _lay_beside(scratch[0], rules, m, side, length, jokers, scratch, i64(1)):
                        if _settled(scratch[1], rules):
                            return True
    return False


@jit
def _settled(g, rules):
    """Tell whether lay-offs alone can place what is owed and leave a discard."""
    seat = i64(g.to_move)
    owed = i64(g.owed)
    stuck = stuck_card(g)
    left = i64(g.hand_size[seat]) - owed
    if left < cards_kept(g) or joker_room(g, rules) < owed:
        return False
    return left > _stuck_left(g, stuck, i64(-1), i64(-1), owed)


@jit
def _lay_beside(g, rules, m, side, length, jokers, scratch, slot):
    """Copy the game to `scratch[slot]` and lay there a run with that many jokers above (side 1) or
    below run `m`.

    Natural cards that are held give way to jokers from the low end, the taken card last: it is
    better laid. Return False, with nothing useful in the copy, if there is no such run.
    """
    seat = i64(g.to_move)
    suit = i64(g.melds[m].key)
    low = laid_high(g, m) + 1 if side == 1 else laid_low(g, m) - length
    high = low + length - 1
    if low < i64(rules.low_position) or high > 14 or i64(g.n_melds) >= MAX_MELDS:
        return False
    places = i64(0)
    used = i64(0)
    for p in range(low, high + 1):
        if g.hand[seat, suit * 13 + (p - 1) % 13] == 0:
            places |= i64(1) << p
            used += 1
    if low == 1 and high == 14:
        return False
    stuck = stuck_card(g)
    for last in range(2):
        for p in range(low, high + 1):
            card = suit * 13 + (p - 1) % 13
            if used < jokers and not (places >> p) & 1 and (card == stuck) == (last == 1):
                places |= i64(1) << p
                used += 1
    if used != jokers:
        return False
    scratch[slot] = g
    lay_run(scratch[slot], rules, suit, low, high, places)
    return True
