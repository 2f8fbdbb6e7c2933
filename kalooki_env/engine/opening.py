"""Can a hand open? The question behind every legal opening meld and every take before it (RULES 3)."""

from .bits import lowest, popcount
from .contract import contract_allows, needs_contract
from .hands import (
    places_of,
    ranks_of,
    remove,
    run_cards,
    set_cards,
    span,
    suits_of,
)
from .jit import i64, inlined, jit
from .layout import JOKER
from .moves import cards_kept
from .run_table import LONGEST
from .solver import (
    POPCOUNT,
    SET_JOKERS,
    SET_MASK,
    SETS_FROM,
    best_melds,
    run_value,
)

ANY_MELD = -2
"""In the place of the card that must be laid: any meld will do."""
ANY_CARD = (1 << 53) - 1
"""All cards as bits, the joker too."""


@jit
def reaches(held, twice, jokers, need, keepers, rules, runs, work):
    """Tell whether disjoint melds of a hand are worth `need` opening points and leave one of the
    `keepers` (cards as bits, the joker too)."""
    if need <= 0:
        return held & keepers > 0 or (jokers > 0 and (keepers >> JOKER) & 1 == 1)
    values, most = rules.set_points, i64(rules.max_set)
    best = best_melds(held, twice, jokers, need, keepers, runs, values, values, most, work)
    return best >= need


@jit
def may_meld(held, jokers, card, rules):
    """Tell whether some meld of three cards of a hand holds `card`, which is in it: a quick no to
    most cards."""
    if card == JOKER or jokers >= 2:
        return True
    suit, rank = card // 13, card % 13
    if rules.max_set >= 3 and POPCOUNT[suits_of(held, rank)] + jokers >= 3:
        return True
    low_position = i64(rules.low_position)
    places = places_of(ranks_of(held, suit), low_position)
    for end in range(2 if rank == 0 else 1):  # an ace stands low or high
        place = rank + 1 if end == 0 else i64(14)
        if place < low_position:
            continue
        for low in range(max(low_position, place - 2), min(place, i64(12)) + 1):
            if popcount((places >> low) & 7) + jokers >= 3:
                return True
    return False


@inlined
def _reaches_with_card(held, twice, jokers, need, card, keepers, rules, runs, work):
    """Tell whether `reaches` holds for melds one of which has the natural `card`."""
    if not may_meld(held, jokers, card, rules):
        return False
    if not reaches(held, twice, jokers, need, keepers, rules, runs, work):
        return False
    suit, rank = card // 13, card % 13
    options = SETS_FROM[suits_of(held, rank), jokers]
    while options > 0:
        option = lowest(options)
        options &= options - 1
        mask, used = SET_MASK[option], SET_JOKERS[option]
        size = POPCOUNT[mask] + used
        if not (mask >> suit) & 1 or size > i64(rules.max_set):
            continue
        left, left_twice = remove(held, twice, set_cards(rank, mask))
        worth = size * i64(rules.set_points[rank])
        need_left, jokers_left = need - worth, jokers - used
        if reaches(left, left_twice, jokers_left, need_left, keepers, rules, runs, work):
            return True
    for end in range(2 if rank == 0 else 1):
        place = rank + 1 if end == 0 else i64(14)
        if place >= i64(rules.low_position):
            if _reaches_with_run(
                held, twice, jokers, need, suit, place, keepers, rules, runs, work
            ):
                return True
    return False


@inlined
def _reaches_with_run(held, twice, jokers, need, suit, place, keepers, rules, runs, work):
    """The part of `_reaches_with_card` for runs with the natural card at `place` of `suit`."""
    low_position = i64(rules.low_position)
    natural = places_of(ranks_of(held, suit), low_position)
    for length in range(3, LONGEST + 1):
        for low in range(max(low_position, place - length + 1), min(place, 15 - length) + 1):
            high = low + length - 1
            inside = span(low, high)
            missing = inside & ~natural
            if popcount(missing) > jokers:
                continue
            worth = run_value(low, high, rules)
            for code in range(i64(1) << length):
                places = code << low
                used = popcount(places)
                if places & missing != missing or (places >> place) & 1 or used > jokers:
                    continue
                if length > 5 and used < 3:
                    continue
                cards = run_cards(suit, inside & ~places)
                left, left_twice = remove(held, twice, cards)
                need_left, jokers_left = need - worth, jokers - used
                if reaches(left, left_twice, jokers_left, need_left, keepers, rules, runs, work):
                    return True
    return False


@inlined
def _lays_any(held, twice, jokers, keepers, rules):
    """Tell whether a hand has a meld that leaves one of the `keepers`."""
    kept = held & keepers
    while kept > 0:
        left, _ = remove(held, twice, kept & -kept)
        kept &= kept - 1
        if _holds_meld(left, jokers, rules):
            return True
    return jokers > 0 and (keepers >> JOKER) & 1 == 1 and _holds_meld(held, jokers - 1, rules)


@jit
def _holds_meld(held, jokers, rules):
    """Tell whether a hand has any meld."""
    cards = held
    while cards > 0:
        if may_meld(held, jokers, lowest(cards), rules):
            return True
        cards &= cards - 1
    return False


@jit
def _opens(held, twice, jokers, need, duty_card, keepers, rules, runs, work):
    """Tell whether melds complete an opening and leave one of the `keepers`."""
    if duty_card == -1:
        return reaches(held, twice, jokers, need, keepers, rules, runs, work)
    if duty_card == ANY_MELD:
        return _lays_any(held, twice, jokers, keepers, rules)
    return _reaches_with_card(held, twice, jokers, need, duty_card, keepers, rules, runs, work)


@jit
def can_open(held, twice, jokers, need, duty_card, stuck_card, keep, rules, runs, work):
    """Tell whether further melds of a hand complete an opening (RULES 3): worth `need` points,
    holding `duty_card` (-1: none), leaving `keep` cards of which one is not `stuck_card` and may be
    discarded.

    A joker that must be laid needs no search of its own: if some melds reach the points without a
    joker, it can take the place of a natural card in one of them, and that card is kept. Where no
    points are needed some meld must follow all the same; it may be worth nothing, where aces are.
    """
    if duty_card == JOKER:
        duty_card = i64(ANY_MELD) if need <= 0 else i64(-1)
    keepers = i64(ANY_CARD)
    if stuck_card >= 0:
        keepers &= ~(i64(1) << stuck_card)
    if not _opens(held, twice, jokers, need, duty_card, keepers, rules, runs, work):
        return False
    return keep == 1 or _keeps_another(
        held, twice, jokers, need, duty_card, keepers, rules, runs, work
    )


@inlined
def _keeps_another(held, twice, jokers, need, duty_card, keepers, rules, runs, work):
    """Keep each card in turn beside the one for the discard, and look at the rest."""
    cards = held
    while cards > 0:
        left, left_twice = remove(held, twice, cards & -cards)
        cards &= cards - 1
        if _opens(left, left_twice, jokers, need, duty_card, keepers, rules, runs, work):
            return True
    if jokers == 0:
        return False
    return _opens(held, twice, jokers - 1, need, duty_card, keepers, rules, runs, work)


@inlined
def can_complete(g, rules, runs, work, held, twice, jokers, worth, ranks, suits, duty_card, stuck):
    """Tell whether the cards of a hand complete the opening of the seat to move.

    A meld worth `worth` points, already taken out of the hand, is tried; `ranks` and `suits` are
    its rank as a set or its suit as a run (a bit), as a contract asks.
    """
    keep = cards_kept(g)
    if needs_contract(g, rules):
        return contract_allows(
            g, rules, work, held, twice, jokers, ranks, suits, duty_card, stuck, keep
        )
    need = i64(rules.opening_points) - i64(g.points) - worth
    return can_open(held, twice, jokers, need, duty_card, stuck, keep, rules, runs, work)
