"""Which melds the seat to move may lay, and where the spare jokers of a run may stand (RULES 3)."""

from ..action_tables import N_INTERVALS, NO_SPARE, RUN_INTERVAL, SPARE
from ..action_tables import RUN as RUN_ID
from ..action_tables import SET as SET_ID
from .bits import lowest, popcount
from .contract import needs_contract
from .finish import can_finish, may_lay_run
from .jit import i64, jit
from .layout import JOKER
from .listing import push
from .moves import cards_kept, copy_cards, lay_run, lay_set, stuck_card
from .opening import can_complete, reaches
from .solver import (
    POPCOUNT,
    RUN_LOW_HIGH,
    SET_JOKERS,
    SET_MASK,
    SET_OPTIONS,
    SETS_FROM,
    run_value,
    take_run,
    take_set,
)


@jit
def see_suits(g, work):
    """Write the ranks that the seat to move holds of each suit into `work[0].suits`."""
    hand = g.hand[i64(g.to_move)]
    for suit in range(4):
        ranks = i64(0)
        for rank in range(13):
            ranks |= i64(hand[suit * 13 + rank] > 0) << rank
        work[0].suits[suit] = ranks


@jit
def run_places(ranks, low_position):
    """Turn ranks (bits 0..12) into positions of a run (bits 1..14)."""
    places = ((ranks & 0x1FFE) << 1) | ((ranks & 1) << 14)
    return places | ((ranks & 1) << 1) if low_position == 1 else places


@jit
def list_runs(games, i, rules, runs, work, scratch):
    """List the runs of which at least one way to place the jokers is legal; `work[0].suits` is
    what the hand holds."""
    g = games[i]
    seat = i64(g.to_move)
    jokers = i64(g.hand[seat, JOKER])
    most = min(i64(g.hand_size[seat]) - cards_kept(g), i64(13))
    low_position = i64(rules[0].low_position)
    for suit in range(4):
        held = run_places(i64(work[0].suits[suit]), low_position)
        if held == 0 or (jokers == 0 and held & (held >> 1) & (held >> 2) == 0):
            continue
        for low in range(low_position, 13):
            if popcount((held >> low) & 7) + jokers < 3:
                continue
            for high in range(low + 2, min(i64(14), low + most - 1) + 1):
                inside = (i64(2) << high) - (i64(1) << low)
                places = inside & ~held
                if popcount(places) > jokers:
                    break
                if places == inside:
                    continue
                if _some_completion(
                    games, i, rules, runs, work, scratch, suit, low, high, places, low - 1
                ):
                    push(work, RUN_ID + suit * N_INTERVALS + i64(RUN_INTERVAL[low, high]))


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
def _some_completion(games, i, rules, runs, work, scratch, suit, low, high, places, above):
    """Tell whether the run is legal with jokers at `places`, or at some further places above
    `above`."""
    if run_allowed(games, i, rules, runs, work, scratch, suit, low, high, places):
        return True
    g = games[i]
    seat = i64(g.to_move)
    used = popcount(places)
    spare = min(i64(g.hand[seat, JOKER]) - used, high - low - used)
    if spare <= 0:
        return False
    if g.opened[seat] == 0 and not _worth_a_search(g, rules, runs, work, low, high, used):
        return False
    first = above + 1
    for more in range(1, i64(1) << (high - first + 1)):
        extra = more << first
        if extra & places or popcount(extra) > spare:
            continue
        if run_allowed(games, i, rules, runs, work, scratch, suit, low, high, places | extra):
            return True
    return False


@jit
def _worth_a_search(g, rules, runs, work, low, high, jokers):
    """Rule out every completion at once: not even a hand that kept all natural cards would reach
    the points."""
    if needs_contract(g, rules):
        return True
    need = i64(rules[0].opening_points) - i64(g.points) - run_value(low, high, rules)
    work[0].hand[JOKER] -= jokers
    ok = reaches(work[0].hand, need, rules, runs, work)
    work[0].hand[JOKER] += jokers
    return ok


@jit
def run_allowed(games, i, rules, runs, work, scratch, suit, low, high, places):
    """Tell whether the seat to move may lay exactly this run; `work[0].hand` is its hand."""
    g = games[i]
    seat = i64(g.to_move)
    if g.opened[seat] == 0:
        stuck = stuck_card(g)
        duty_card = i64(g.taken) if g.duty == 1 else i64(-1)
        take_run(work[0].hand, suit, low, high, places, i64(1))
        if duty_card >= 0 and work[0].hand[duty_card] < g.hand[seat, duty_card]:
            duty_card = i64(-1)
        if needs_contract(g, rules):
            work[0].now_suits = 1 << suit
            work[0].now_ranks = 0
            ok = high - low >= 3 and can_complete(g, rules, runs, work, i64(0), duty_card, stuck)
            work[0].now_suits = 0
        else:
            worth = run_value(low, high, rules)
            ok = can_complete(g, rules, runs, work, worth, duty_card, stuck)
        take_run(work[0].hand, suit, low, high, places, i64(-1))
        return ok
    if not may_lay_run(g, rules, suit, low, high, work):
        return False
    if g.owed == 0:
        stuck = stuck_card(g)
        left = i64(g.hand_size[seat]) - (high - low + 1)
        if left < cards_kept(g):
            return False
        if stuck < 0 or (left > 1 and stuck != JOKER):
            return True  # of a taken card that is not a joker there is one at most
        take_run(work[0].hand, suit, low, high, places, i64(1))
        ok = left > i64(work[0].hand[stuck])
        take_run(work[0].hand, suit, low, high, places, i64(-1))
        return ok
    scratch[2] = games[i]
    lay_run(scratch[2], rules, suit, low, high, places)
    return can_finish(scratch, i64(2), rules, work, scratch)


@jit
def list_places(games, i, rules, runs, work, scratch):
    """List the answers to "where does a spare joker stand?" for the run that was begun."""
    g = games[i]
    seat = i64(g.to_move)
    work[0].n_ids = 0
    copy_cards(g.hand[seat], work[0].hand)
    suit, low, high = begun_run(g)
    places, last = i64(g.begun_jokers), i64(g.begun_last)
    used = popcount(places)
    if used < i64(g.hand[seat, JOKER]) and used < high - low:
        for p in range(last + 1, high + 1):
            if (places >> p) & 1:
                continue
            if _some_completion(
                games, i, rules, runs, work, scratch, suit, low, high, places | i64(1) << p, p
            ):
                push(work, SPARE + p - 1)
    if run_allowed(games, i, rules, runs, work, scratch, suit, low, high, places):
        push(work, i64(NO_SPARE))


@jit
def begun_run(g):
    """Return suit, low and high of the run whose id began the move."""
    code = i64(g.half[0]) - RUN_ID
    interval = code % N_INTERVALS
    return code // N_INTERVALS, RUN_LOW_HIGH[interval, 0], RUN_LOW_HIGH[interval, 1]


@jit
def list_sets(games, i, rules, runs, work, scratch):
    """List the sets that are legal; `work[0].suits` is what the hand holds."""
    g = games[i]
    seat = i64(g.to_move)
    jokers = i64(g.hand[seat, JOKER])
    most = min(i64(g.hand_size[seat]) - cards_kept(g), i64(rules[0].max_set))
    clubs, diamonds = i64(work[0].suits[0]), i64(work[0].suits[1])
    hearts, spades = i64(work[0].suits[2]), i64(work[0].suits[3])
    minor, major = clubs | diamonds, hearts | spades
    if jokers >= 2:
        ranks = minor | major
    elif jokers == 1:
        ranks = (clubs & diamonds) | (hearts & spades) | (minor & major)
    else:
        ranks = (clubs & diamonds & major) | (hearts & spades & minor)
    while ranks > 0:
        rank = lowest(ranks)
        ranks &= ranks - 1
        present = i64(0)
        for s in range(4):
            present |= ((i64(work[0].suits[s]) >> rank) & 1) << s
        options = SETS_FROM[present, jokers]
        while options > 0:
            option = lowest(options)
            options &= options - 1
            mask, used = SET_MASK[option], SET_JOKERS[option]
            if POPCOUNT[mask] + used > most:
                continue
            if set_allowed(games, i, rules, runs, work, scratch, rank, mask, used):
                push(work, SET_ID + rank * SET_OPTIONS + option)


@jit
def set_allowed(games, i, rules, runs, work, scratch, rank, mask, jokers):
    """Tell whether the seat to move, which holds the cards, may lay this set; `work[0].hand` is its
    hand."""
    g = games[i]
    seat = i64(g.to_move)
    stuck = stuck_card(g)
    size = POPCOUNT[mask] + jokers
    if g.opened[seat] == 0:
        duty_card = i64(g.taken) if g.duty == 1 else i64(-1)
        take_set(work[0].hand, rank, mask, jokers, i64(1))
        if duty_card >= 0 and work[0].hand[duty_card] < g.hand[seat, duty_card]:
            duty_card = i64(-1)
        worth = size * i64(rules[0].set_points[rank])
        work[0].now_ranks = 1 << rank
        ok = can_complete(g, rules, runs, work, worth, duty_card, stuck)
        work[0].now_ranks = 0
        take_set(work[0].hand, rank, mask, jokers, i64(-1))
        return ok
    if g.owed == 0:
        left = i64(g.hand_size[seat]) - size
        if left < cards_kept(g):
            return False
        if stuck < 0 or (left > 1 and stuck != JOKER):
            return True
        take_set(work[0].hand, rank, mask, jokers, i64(1))
        ok = left > i64(work[0].hand[stuck])
        take_set(work[0].hand, rank, mask, jokers, i64(-1))
        return ok
    scratch[2] = games[i]
    lay_set(scratch[2], rules, rank, mask, jokers)
    return can_finish(scratch, i64(2), rules, work, scratch)
