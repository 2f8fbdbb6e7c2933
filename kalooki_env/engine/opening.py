"""Can a hand open? The question behind every legal opening meld and every take before it (RULES 3)."""

from .bits import lowest, popcount
from .contract import contract_allows, needs_contract
from .hands import (
    RANK,
    copies,
    count_cards,
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
from .moves import cards_kept, hand_bits
from .solver import (
    LONGEST,
    POPCOUNT,
    SET_JOKERS,
    SET_MASK,
    SETS_FROM,
    best_melds,
    run_value,
)

ANY_MELD = -2
"""In the place of the card that must be laid: any meld will do."""

NO, YES, TIGHT = 0, 1, 2
"""Whether an opening is reached; `TIGHT`: yes, but perhaps with too few cards left."""
ANY_CARD = (1 << 53) - 1
UNKNOWN = -1


@jit
def best_points(held, twice, jokers, need, rules, runs, work):
    """Return what some disjoint melds of a hand are worth: at least `need` if any are."""
    return best_melds(
        held,
        twice,
        jokers,
        need,
        i64(1),
        runs,
        rules.set_points,
        rules.set_points,
        i64(rules.max_set),
        work,
    )


@jit
def reaches(held, twice, jokers, need, rules, runs, work):
    """Tell whether disjoint melds of a hand are worth `need` opening points."""
    return need <= 0 or best_points(held, twice, jokers, need, rules, runs, work) >= need


@inlined
def _points_to_beat(held, twice, stuck_card, keep, rules):
    """Return a value such that melds worth less leave `keep` cards, none of them `stuck_card`.

    Melds that took all natural cards but `keep` - 1 would be worth at least as much as those cards.
    """
    if 0 <= stuck_card < JOKER:
        held &= ~(i64(1) << stuck_card)
        twice &= ~(i64(1) << stuck_card)
    total, dearest = i64(0), i64(0)
    for rank in range(13):
        cards = popcount(held & (RANK << rank)) + popcount(twice & (RANK << rank))
        if cards > 0:
            worth = i64(rules.set_points[rank])
            if rank == 0 and rules.low_position == 1:
                worth = min(worth, i64(rules.run_points[1]))
            total += worth * cards
            dearest = max(dearest, worth)
    return total - (keep - 1) * dearest


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
def _reaches_with_card(held, twice, jokers, need, card, rules, runs, work):
    """Tell whether disjoint melds, one of which holds the natural `card`, are worth `need`."""
    if not may_meld(held, jokers, card, rules):
        return False
    if not reaches(held, twice, jokers, need, rules, runs, work):
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
        if reaches(left, left_twice, jokers - used, need - worth, rules, runs, work):
            return True
    for end in range(2 if rank == 0 else 1):
        place = rank + 1 if end == 0 else i64(14)
        if place >= i64(rules.low_position):
            if _reaches_with_run(held, twice, jokers, need, suit, place, rules, runs, work):
                return True
    return False


@inlined
def _reaches_with_run(held, twice, jokers, need, suit, place, rules, runs, work):
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
                if reaches(left, left_twice, jokers - used, need - worth, rules, runs, work):
                    return True
    return False


@inlined
def _holds_meld(held, jokers, rules):
    """Tell whether a hand has any meld."""
    cards = held
    while cards > 0:
        if may_meld(held, jokers, lowest(cards), rules):
            return True
        cards &= cards - 1
    return False


@jit
def _reaches(held, twice, jokers, need, duty_card, rules, runs, work):
    if duty_card == -1:
        return reaches(held, twice, jokers, need, rules, runs, work)
    if duty_card == ANY_MELD:
        return _holds_meld(held, jokers, rules)
    return _reaches_with_card(held, twice, jokers, need, duty_card, rules, runs, work)


@jit
def can_open(held, twice, jokers, need, duty_card, stuck_card, keep, rules, runs, work):
    """Tell whether further melds of a hand complete an opening (RULES 3): worth `need` points,
    holding `duty_card` (-1: none), leaving `keep` cards of which one is not `stuck_card` and may be
    discarded.
    """
    duty_card = _duty_left(duty_card, need)
    answer = _opens_loosely(
        held, twice, jokers, need, duty_card, stuck_card, keep, rules, runs, work
    )
    if answer != TIGHT:
        return answer == YES
    keepers = i64(ANY_CARD)
    return _opens_without(
        held, twice, jokers, need, duty_card, stuck_card, keep, keepers, rules, runs, work
    )


@jit
def _duty_left(duty_card, need):
    """Return what a joker that must be laid asks for.

    It needs no search of its own: if some melds reach the points without a joker, it can take the
    place of a natural card in one of them, and that card is kept. Where no points are needed some
    meld must follow all the same; it may be worth nothing, where aces are.
    """
    if duty_card == JOKER:
        return i64(ANY_MELD) if need <= 0 else i64(-1)
    return duty_card


@jit
def _opens_loosely(held, twice, jokers, need, duty_card, stuck_card, keep, rules, runs, work):
    """Tell whether the points are reached, and whether that settles what must be left."""
    size = count_cards(held, twice) + jokers
    if need <= 0 and duty_card == -1:
        stuck = i64(0)
        if stuck_card == JOKER:
            stuck = jokers
        elif stuck_card >= 0:
            stuck = copies(held, twice, stuck_card)
        return i64(YES) if size >= keep and size > stuck else i64(NO)
    if size < 3 + keep:
        return i64(NO)
    if duty_card == -1:
        best = best_points(held, twice, jokers, need, rules, runs, work)
        if best < need:
            return i64(NO)
        # Melds worth less than the cards leave enough of them.
        enough = best < _points_to_beat(held, twice, stuck_card, keep, rules)
        return i64(YES) if enough else i64(TIGHT)
    reached = _reaches(held, twice, jokers, need, duty_card, rules, runs, work)
    return i64(TIGHT) if reached else i64(NO)


@jit
def _opens_without(
    held, twice, jokers, need, duty_card, stuck_card, keep, keepers, rules, runs, work
):
    """Keep each of the `keepers` (bits) in turn that may be discarded (and a second one), and look
    at the rest."""
    cards = held & keepers
    while cards > 0:
        bit = cards & -cards
        cards &= cards - 1
        if 0 <= stuck_card < JOKER and bit == i64(1) << stuck_card:
            continue
        left, left_twice = remove(held, twice, bit)
        if keep == 1:
            ok = _reaches(left, left_twice, jokers, need, duty_card, rules, runs, work)
        else:
            ok = _keeps_another(
                left, left_twice, jokers, need, duty_card, keepers, rules, runs, work
            )
        if ok:
            return True
    if jokers == 0 or stuck_card == JOKER or (keepers >> JOKER) & 1 == 0:
        return False
    if keep == 1:
        return _reaches(held, twice, jokers - 1, need, duty_card, rules, runs, work)
    return _keeps_another(held, twice, jokers - 1, need, duty_card, keepers, rules, runs, work)


@jit
def _keeps_another(held, twice, jokers, need, duty_card, keepers, rules, runs, work):
    """Keep each of the `keepers` in turn, and look at the rest."""
    cards = held & keepers
    while cards > 0:
        bit = cards & -cards
        cards &= cards - 1
        left, left_twice = remove(held, twice, bit)
        if _reaches(left, left_twice, jokers, need, duty_card, rules, runs, work):
            return True
    if jokers == 0 or (keepers >> JOKER) & 1 == 0:
        return False
    return _reaches(held, twice, jokers - 1, need, duty_card, rules, runs, work)


@inlined
def _find_keepers(g, rules, runs, work):
    """Return the cards (bits, the joker too) without which the hand still reaches the points.

    No other card can be kept, whichever melds are tried: where hands of many low cards need nearly
    all of them, these are few. `work` keeps them for one list.
    """
    if work.keepers != UNKNOWN:
        return i64(work.keepers)
    seat = i64(g.to_move)
    held, twice = hand_bits(g, seat)
    jokers = i64(g.hand[seat, JOKER])
    need = i64(rules.opening_points) - i64(g.points)
    keepers = i64(0)
    cards = held
    while cards > 0:
        bit = cards & -cards
        cards &= cards - 1
        left, left_twice = remove(held, twice, bit)
        if reaches(left, left_twice, jokers, need, rules, runs, work):
            keepers |= bit
    if jokers > 0 and reaches(held, twice, jokers - 1, need, rules, runs, work):
        keepers |= i64(1) << JOKER
    work.keepers = keepers
    return keepers


@jit
def can_complete(
    g, rules, runs, work, held, twice, jokers, worth, ranks, suits, duty_card, stuck, in_hand
):
    """Tell whether the cards of a hand complete the opening of the seat to move.

    A meld worth `worth` points, already taken out of the hand, is tried; `ranks` and `suits` are
    its rank as a set or its suit as a run (a bit), as a contract asks. `in_hand` says that the meld
    and the rest are the seat's hand as it is.
    """
    keep = cards_kept(g)
    if needs_contract(g, rules):
        return contract_allows(
            g, rules, work, held, twice, jokers, ranks, suits, duty_card, stuck, keep
        )
    need = i64(rules.opening_points) - i64(g.points) - worth
    duty_card = _duty_left(duty_card, need)
    answer = _opens_loosely(held, twice, jokers, need, duty_card, stuck, keep, rules, runs, work)
    if answer != TIGHT:
        return answer == YES
    keepers = _find_keepers(g, rules, runs, work) if in_hand else i64(ANY_CARD)
    return _opens_without(
        held, twice, jokers, need, duty_card, stuck, keep, keepers, rules, runs, work
    )
