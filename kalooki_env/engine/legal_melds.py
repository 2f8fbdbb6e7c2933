"""Which melds the seat to move may lay, and where the spare jokers of a run may stand (RULES 3)."""

from ..action_tables import N_INTERVALS, NO_SPARE, RUN_INTERVAL, SPARE
from ..action_tables import RUN as RUN_ID
from ..action_tables import SET as SET_ID
from .bits import lowest, popcount
from .contract import contract_allows, needs_contract
from .finish import can_finish, may_lay_run
from .hands import (
    places_of,
    ranks_for_sets,
    ranks_of,
    remove,
    run_cards,
    set_cards,
    span,
    suits_of,
)
from .jit import i64, inlined, jit
from .layout import JOKER
from .listing import push
from .moves import cards_kept, hand_bits, lay_run, lay_set, stuck_card
from .opening import ANY_CARD, can_complete, reaches
from .solver import (
    OPTION_OF,
    POPCOUNT,
    RUN_LOW_HIGH,
    SET_JOKERS,
    SET_MASK,
    SET_OPTIONS,
    SETS_FROM,
    run_value,
)


@inlined
def list_runs(g, rules, runs, work, scratch):
    """List the runs of which at least one way to place the jokers is legal."""
    seat = i64(g.to_move)
    jokers = i64(g.hand[seat, JOKER])
    most = min(i64(g.hand_size[seat]) - cards_kept(g), i64(13))
    low_position = i64(rules.low_position)
    twins, start = _twin_suits(g, rules), i64(work.n_ids)
    for suit in range(4):
        held = places_of(ranks_of(i64(g.held[seat]), suit), low_position)
        twin = _earlier_twin(i64(1) << suit, twins)
        if twin > 0:
            _copy_runs(work, start, lowest(twin), suit)
            continue
        if held == 0 or (jokers == 0 and held & (held >> 1) & (held >> 2) == 0):
            continue
        for low in range(low_position, 13):
            if popcount((held >> low) & 7) + jokers < 3:
                continue
            for high in range(low + 2, min(i64(14), low + most - 1) + 1):
                inside = span(low, high)
                places = inside & ~held
                if popcount(places) > jokers:
                    break
                if places == inside:
                    continue
                if _some_completion(
                    g, rules, runs, work, scratch, suit, low, high, places, low - 1
                ):
                    push(work, RUN_ID + suit * N_INTERVALS + i64(RUN_INTERVAL[low, high]))


@jit
def _twin_suits(g, rules):
    """Return the pairs of suits u < v (bits 4 * u + v) between which an opening can't tell: the hand
    holds the same cards of both.

    Only where it spares searches, which are long for many jokers alone, and where nothing else sets
    the suits apart: a contract that was begun, or a card of one of them that was taken.
    """
    seat = i64(g.to_move)
    pairs = i64(0)
    if g.opened[seat] == 1 or g.hand[seat, JOKER] < 2 or needs_contract(g, rules):
        return pairs
    taken = i64(g.taken) // 13
    held, twice = hand_bits(g, seat)
    for u in range(3):
        for v in range(u + 1, 4):
            if u == taken or v == taken:
                continue
            if ranks_of(held, u) == ranks_of(held, v) and ranks_of(twice, u) == ranks_of(twice, v):
                pairs |= i64(1) << (4 * u + v)
    return pairs


@jit
def _earlier_twin(suits, twins):
    """Return some suits (bits) with one of them exchanged for an earlier twin; 0 if there is none."""
    for u in range(3):
        for v in range(u + 1, 4):
            if (twins >> (4 * u + v)) & 1 and (suits >> v) & 1 and not (suits >> u) & 1:
                return suits ^ (i64(1) << u) ^ (i64(1) << v)
    return i64(0)


@inlined
def _copy_runs(work, start, twin, suit):
    """List the runs of a suit that were listed, from `start` on, for its twin."""
    for k in range(start, i64(work.n_ids)):
        code = i64(work.ids[k]) - RUN_ID
        if code // N_INTERVALS == twin:
            push(work, RUN_ID + suit * N_INTERVALS + code % N_INTERVALS)


@jit
def missing_places(g, suit, low, high):
    """Return the places (bits) of a run whose natural card the seat to move does not hold."""
    seat = i64(g.to_move)
    places = i64(0)
    for p in range(low, high + 1):
        if g.hand[seat, suit * 13 + (p - 1) % 13] == 0:
            places |= i64(1) << p
    return places


@jit
def _some_completion(g, rules, runs, work, scratch, suit, low, high, places, above):
    """Tell whether the run is legal with jokers at `places`, or at some further places above
    `above`."""
    if run_allowed(g, rules, runs, work, scratch, suit, low, high, places):
        return True
    seat = i64(g.to_move)
    used = popcount(places)
    spare = min(i64(g.hand[seat, JOKER]) - used, high - low - used)
    if spare <= 0:
        return False
    if g.opened[seat] == 0 and not _worth_a_search(g, rules, runs, work, suit, low, high, used):
        return False
    first = above + 1
    for more in range(1, i64(1) << (high - first + 1)):
        extra = more << first
        if extra & places or popcount(extra) > spare:
            continue
        if run_allowed(g, rules, runs, work, scratch, suit, low, high, places | extra):
            return True
    return False


@inlined
def _worth_a_search(g, rules, runs, work, suit, low, high, jokers):
    """Rule out every completion at once: not even a hand that kept all natural cards would open."""
    seat = i64(g.to_move)
    held, twice = hand_bits(g, seat)
    left = i64(g.hand[seat, JOKER]) - jokers
    if needs_contract(g, rules):
        keep = cards_kept(g) + high - low + 1 - jokers
        ranks, suits, none = i64(0), i64(1) << suit, i64(-1)
        return contract_allows(g, rules, work, held, twice, left, ranks, suits, none, none, keep)
    need = i64(rules.opening_points) - i64(g.points) - run_value(low, high, rules)
    return reaches(held, twice, left, need, i64(ANY_CARD), rules, runs, work)


@jit
def run_allowed(g, rules, runs, work, scratch, suit, low, high, places):
    """Tell whether the seat to move may lay exactly this run."""
    opened = g.opened[i64(g.to_move)] == 1
    if opened and not may_lay_run(g, rules, suit, low, high, work):
        return False
    if opened and g.owed > 0:
        scratch[2] = g
        lay_run(scratch[2], rules, suit, low, high, places)
        return can_finish(scratch[2], rules, work, scratch)
    naturals = run_cards(suit, span(low, high) & ~places)
    jokers = popcount(places)
    if opened:
        return _leaves_discard(g, work, naturals, jokers)
    contract = needs_contract(g, rules)
    if contract and high - low < 3:
        return False
    worth = i64(0) if contract else run_value(low, high, rules)
    return _opens_with(g, rules, runs, work, naturals, jokers, worth, i64(0), i64(1) << suit)


@jit
def _leaves_discard(g, work, naturals, jokers):
    """Tell whether an open seat that owes nothing keeps a card to discard beside a new meld."""
    seat = i64(g.to_move)
    left = i64(g.hand_size[seat]) - popcount(naturals) - jokers
    if left < cards_kept(g):
        return False
    stuck = stuck_card(g)
    if stuck < 0:
        return True
    if stuck == JOKER:
        return left > i64(g.hand[seat, JOKER]) - jokers
    return left > i64(g.hand[seat, stuck]) - ((naturals >> stuck) & 1)


@jit
def _opens_with(g, rules, runs, work, naturals, jokers, worth, ranks, suits):
    """Tell whether the opening can be completed once a meld of these cards is laid."""
    duty_card = i64(g.taken) if g.duty == 1 else i64(-1)
    if duty_card >= 0:
        laid = jokers > 0 if duty_card == JOKER else (naturals >> duty_card) & 1 == 1
        duty_card = i64(-1) if laid else duty_card
    seat = i64(g.to_move)
    held, twice = hand_bits(g, seat)
    held, twice = remove(held, twice, naturals)
    left = i64(g.hand[seat, JOKER]) - jokers
    stuck = stuck_card(g)
    return can_complete(
        g, rules, runs, work, held, twice, left, worth, ranks, suits, duty_card, stuck
    )


@jit
def list_places(g, rules, runs, work, scratch):
    """List the answers to "where does a spare joker stand?" for the run that was begun."""
    seat = i64(g.to_move)
    work.n_ids = 0
    suit, low, high = begun_run(g)
    places, last = i64(g.begun_jokers), i64(g.begun_last)
    used = popcount(places)
    if used < i64(g.hand[seat, JOKER]) and used < high - low:
        for p in range(last + 1, high + 1):
            if (places >> p) & 1:
                continue
            if _some_completion(
                g, rules, runs, work, scratch, suit, low, high, places | i64(1) << p, p
            ):
                push(work, SPARE + p - 1)
    if run_allowed(g, rules, runs, work, scratch, suit, low, high, places):
        push(work, i64(NO_SPARE))


@jit
def begun_run(g):
    """Return suit, low and high of the run whose id began the move."""
    code = i64(g.half[0]) - RUN_ID
    interval = code % N_INTERVALS
    return code // N_INTERVALS, RUN_LOW_HIGH[interval, 0], RUN_LOW_HIGH[interval, 1]


@inlined
def list_sets(g, rules, runs, work, scratch):
    """List the sets that are legal."""
    seat = i64(g.to_move)
    jokers = i64(g.hand[seat, JOKER])
    most = min(i64(g.hand_size[seat]) - cards_kept(g), i64(rules.max_set))
    held = i64(g.held[seat])
    ranks = ranks_for_sets(held, jokers)
    twins = _twin_suits(g, rules)
    while ranks > 0:
        rank = lowest(ranks)
        ranks &= ranks - 1
        legal = i64(0)
        options = SETS_FROM[suits_of(held, rank), jokers]
        while options > 0:
            option = lowest(options)
            options &= options - 1
            mask, used = SET_MASK[option], SET_JOKERS[option]
            if POPCOUNT[mask] + used > most:
                continue
            twin = _earlier_twin(mask, twins)
            if twin > 0:
                allowed = (legal >> OPTION_OF[twin, used]) & 1 == 1
            else:
                allowed = set_allowed(g, rules, runs, work, scratch, rank, mask, used)
            if allowed:
                legal |= i64(1) << option
                push(work, SET_ID + rank * SET_OPTIONS + option)


@inlined
def set_allowed(g, rules, runs, work, scratch, rank, mask, jokers):
    """Tell whether the seat to move, which holds the cards, may lay this set."""
    naturals = set_cards(rank, mask)
    if g.opened[i64(g.to_move)] == 0:
        worth = (POPCOUNT[mask] + jokers) * i64(rules.set_points[rank])
        return _opens_with(g, rules, runs, work, naturals, jokers, worth, i64(1) << rank, i64(0))
    if g.owed == 0:
        return _leaves_discard(g, work, naturals, jokers)
    scratch[2] = g
    lay_set(scratch[2], rules, rank, mask, jokers)
    return can_finish(scratch[2], rules, work, scratch)
