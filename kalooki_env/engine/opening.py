"""Can a hand open? The question behind every legal opening meld and every take before it (RULES 3)."""

from .contract import contract_allows, needs_contract
from .jit import i64, jit
from .layout import CARDS, JOKER
from .moves import cards_kept
from .solver import (
    LONGEST,
    POPCOUNT,
    SET_JOKERS,
    SET_MASK,
    SET_OPTIONS,
    best_melds,
    holds_set,
    run_value,
    take_run,
    take_set,
)


@jit
def best_points(hand, need, rules, runs, work):
    """Return what some disjoint melds of `hand` are worth: at least `need` if any are."""
    r = rules[0]
    return best_melds(hand, need, i64(1), runs, r.set_points, r.set_points, i64(r.max_set), work)


@jit
def _points_to_beat(hand, stuck_card, keep, rules):
    """Return a value such that melds worth less leave `keep` cards, none of them `stuck_card`.

    Melds that took all natural cards but `keep` - 1 would be worth at least as much as those cards.
    """
    r = rules[0]
    total, dearest = i64(0), i64(0)
    for rank in range(13):
        worth = i64(r.set_points[rank])
        if rank == 0 and r.low_position == 1:
            worth = min(worth, i64(r.run_points[1]))
        for suit in range(4):
            card = suit * 13 + rank
            if hand[card] > 0 and card != stuck_card:
                total += worth * i64(hand[card])
                dearest = max(dearest, worth)
    return total - (keep - 1) * dearest


@jit
def reaches(hand, need, rules, runs, work):
    """Tell whether disjoint melds of `hand` are worth `need` opening points."""
    if need <= 0:
        return True
    return best_points(hand, need, rules, runs, work) >= need


@jit
def _reaches_with_card(hand, need, card, rules, runs, work):
    """Tell whether disjoint melds, one of which holds the natural `card`, are worth `need`."""
    if not reaches(hand, need, rules, runs, work):
        return False
    r = rules[0]
    suit = card // 13
    rank = card % 13
    for option in range(SET_OPTIONS):
        mask = SET_MASK[option]
        used = SET_JOKERS[option]
        if not (mask >> suit) & 1 or used > i64(hand[JOKER]) or not holds_set(hand, rank, mask):
            continue
        if POPCOUNT[mask] + used > i64(r.max_set):
            continue
        take_set(hand, rank, mask, used, i64(1))
        worth = (POPCOUNT[mask] + used) * i64(r.set_points[rank])
        ok = reaches(hand, need - worth, rules, runs, work)
        take_set(hand, rank, mask, used, i64(-1))
        if ok:
            return True
    for place in range(1, 15):
        if (place - 1) % 13 == rank and place >= i64(r.low_position):
            if _reaches_with_run(hand, need, suit, place, rules, runs, work):
                return True
    return False


@jit
def _reaches_with_run(hand, need, suit, place, rules, runs, work):
    """The part of `_reaches_with_card` for runs with the natural card at `place` of `suit`."""
    low_position = i64(rules[0].low_position)
    held = i64(hand[JOKER])
    for length in range(3, LONGEST + 1):
        for low in range(max(low_position, place - length + 1), min(place, 15 - length) + 1):
            high = low + length - 1
            worth = run_value(low, high, rules)
            for places in range(1 << length):
                jokers = places << low
                if (jokers >> place) & 1:
                    continue
                count = i64(0)
                ok = True
                for p in range(low, high + 1):
                    if (jokers >> p) & 1:
                        count += 1
                    elif hand[suit * 13 + (p - 1) % 13] <= 0:
                        ok = False
                        break
                if not ok or count > held or (length > 5 and count < 3):
                    continue
                take_run(hand, suit, low, high, jokers, i64(1))
                ok = reaches(hand, need - worth, rules, runs, work)
                take_run(hand, suit, low, high, jokers, i64(-1))
                if ok:
                    return True
    return False


@jit
def may_meld(hand, card, rules):
    """Tell whether some meld of three cards of `hand` holds `card`: a quick no to most cards."""
    jokers = i64(hand[JOKER])
    if card == JOKER or jokers >= 2:
        return True
    suit, rank = card // 13, card % 13
    suits = i64(0)
    for s in range(4):
        suits += hand[s * 13 + rank] > 0
    if suits + jokers >= 3:
        return True
    low_position = i64(rules[0].low_position)
    for end in range(2 if rank == 0 else 1):  # an ace stands low or high
        place = rank + 1 if end == 0 else 14
        if place < low_position:
            continue
        for low in range(max(low_position, place - 2), min(place, i64(12)) + 1):
            missing = i64(0)
            for p in range(low, low + 3):
                missing += hand[suit * 13 + (p - 1) % 13] == 0
            if missing <= jokers:
                return True
    return False


@jit
def _reaches(hand, need, duty_card, rules, runs, work):
    if duty_card < 0:
        return reaches(hand, need, rules, runs, work)
    return _reaches_with_card(hand, need, duty_card, rules, runs, work)


@jit
def can_open(hand, need, duty_card, stuck_card, keep, rules, runs, work):
    """Tell whether further melds of `hand` complete an opening (RULES 3): worth `need` points,
    holding `duty_card` (-1: none), leaving `keep` cards of which one is not `stuck_card` and may be
    discarded.

    A joker that must be laid needs no search of its own: if some melds reach the points without a
    joker, it can take the place of a natural card in one of them, and that card is kept.
    """
    size = i64(0)
    for c in range(CARDS):
        size += i64(hand[c])
    stuck = i64(hand[stuck_card]) if stuck_card >= 0 else i64(0)
    if need <= 0 and duty_card < 0:
        return size >= keep and size > stuck
    if duty_card == JOKER:
        # Some meld must follow, and every meld is worth a point.
        duty_card = i64(-1)
        need = max(need, i64(1))
    if size < 3 + keep:
        return False
    if duty_card < 0:
        best = best_points(hand, need, rules, runs, work)
        if best < need:
            return False
        if best < _points_to_beat(hand, stuck_card, keep, rules):
            return True  # melds worth less than the cards leave enough of them
    elif not _reaches_with_card(hand, need, duty_card, rules, runs, work):
        return False
    for c in range(CARDS):
        if hand[c] <= 0 or c == stuck_card:
            continue
        hand[c] -= 1
        ok = False
        if keep == 1:
            ok = _reaches(hand, need, duty_card, rules, runs, work)
        else:
            for d in range(CARDS):
                if hand[d] > 0:
                    hand[d] -= 1
                    ok = _reaches(hand, need, duty_card, rules, runs, work)
                    hand[d] += 1
                    if ok:
                        break
        hand[c] += 1
        if ok:
            return True
    return False


@jit
def can_complete(g, rules, runs, work, worth, duty_card, stuck):
    """Tell whether the cards in `work[0].hand` complete an opening to which `worth` points were
    just added."""
    keep = cards_kept(g)
    if needs_contract(g, rules):
        return contract_allows(g, rules, work, duty_card, stuck, keep)
    need = i64(rules[0].opening_points) - i64(g.points) - worth
    return can_open(work[0].hand, need, duty_card, stuck, keep, rules, runs, work)
