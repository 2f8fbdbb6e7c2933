"""Which actions are legal: exactly those from which the turn can be finished (RULES 3).

`list_legal` writes the ids of the seat to move, ascending, into `work.ids[:work[0].n_ids]`. `scratch` holds
three games: slots 0 and 1 belong to `finish`, slot 2 is where a move is tried out.
"""

from ..action_tables import (
    ANNOUNCE,
    BUY_IN,
    DISCARD,

    DROP_OUT,
    RUN_INTERVAL,
    N_INTERVALS,
    SILENT,
    SPARE,
    NO_SPARE,
    TABLE,
    TAKE,
)
from ..action_tables import DRAW as DRAW_STOCK
from ..action_tables import LAYOFF_RUN as RUN_ADD
from ..action_tables import LAYOFF_SET as SET_ADD
from ..action_tables import RUN as RUN_ID
from ..action_tables import SET as SET_ID
from ..action_tables import SWAP_RUN as RUN_SWAP
from ..action_tables import SWAP_SET as SET_SWAP
from . import layout as L
from .contract import contract_allows, needs_contract
from .finish import can_finish, may_lay_new, may_lay_run
from .jit import i64, jit
from .layout import CARDS, JOKER
from .moves import (
    cards_kept,
    end_room,
    laid_this_turn,
    lay_off_run,
    lay_off_set,
    lay_run,
    lay_set,
    stuck_card,
    swap_run,
    swap_set,
)
from .solver import (
    POPCOUNT,
    RUN_LOW_HIGH,
    SET_JOKERS,
    SET_MASK,
    SET_OPTIONS,
    can_open,
    reaches,
    run_value,
    take_run,
    take_set,
)


@jit
def _push(work, action):
    work[0].ids[work[0].n_ids] = action
    work[0].n_ids += 1


@jit
def _push_sorted(work, start, action):
    """Insert an id into the ascending part of the list that begins at `start`, once."""
    k = i64(work[0].n_ids)
    while k > start and work[0].ids[k - 1] > action:
        k -= 1
    if k > start and work[0].ids[k - 1] == action:
        return
    for j in range(i64(work[0].n_ids), k, -1):
        work[0].ids[j] = work[0].ids[j - 1]
    work[0].ids[k] = action
    work[0].n_ids += 1


@jit
def list_legal(games, i, rules, runs, work, scratch):
    """Write the legal action ids of the seat to move into `work`; return how many (0: nobody is to move)."""
    g = games[i]
    work[0].n_ids = 0
    if g.question == L.WHICH_PLACE:
        list_places(games, i, rules, runs, work, scratch)
    elif g.question == L.WHICH_MELD:
        list_targets(games, i, rules, work, scratch, i64(g.half[0]))
        for k in range(i64(work[0].n_targets)):
            _push(work, TABLE + i64(work[0].targets[k]))
    elif g.phase == L.DRAW:
        legal_draw(games, i, rules, runs, work)
    elif g.phase == L.PLAY:
        legal_play(games, i, rules, runs, work, scratch)
    elif g.phase == L.ANNOUNCE:
        _push(work, i64(ANNOUNCE))
        _push(work, i64(SILENT))
    elif g.phase == L.BUY_IN:
        _push(work, i64(BUY_IN))
        _push(work, i64(DROP_OUT))
    return i64(work[0].n_ids)


@jit
def legal_draw(games, i, rules, runs, work):
    """The draw phase: the stock, and the top discard where it may be taken."""
    g = games[i]
    if g.n_stock > 0:
        _push(work, i64(DRAW_STOCK))
    if g.n_discards > 0 and _may_take(g, rules, runs, work):
        _push(work, i64(TAKE))


@jit
def _may_take(g, rules, runs, work):
    r = rules[0]
    seat = i64(g.to_move)
    if g.opened[seat] == 1 or r.discard_before_opening == L.DISCARD_FREE:
        return True
    if r.first_turn_take == 1 and g.turn == 1:
        return True
    if r.discard_before_opening == L.DISCARD_NEVER:
        return False
    card = i64(g.discards[i64(g.n_discards) - 1])
    work[0].hand[:] = g.hand[seat]
    stuck = card if work[0].hand[card] == 0 else i64(-1)
    work[0].hand[card] += 1
    return _can_complete(g, rules, runs, work, i64(0), card, stuck)


@jit
def _can_complete(g, rules, runs, work, worth, duty_card, stuck):
    """Tell whether the cards in `work[0].hand` complete an opening to which `worth` points were just added."""
    keep = cards_kept(g)
    if needs_contract(g, rules):
        return contract_allows(g, rules, work, duty_card, stuck, keep)
    need = i64(rules[0].opening_points) - i64(g.points) - worth
    return can_open(work[0].hand, need, duty_card, stuck, keep, rules, runs, work)


@jit
def legal_play(games, i, rules, runs, work, scratch):
    """The play phase: melds, and for an open seat lay-offs and swaps; then the discards."""
    g = games[i]
    seat = i64(g.to_move)
    work[0].hand[:] = g.hand[seat]
    if g.opened[seat] == 0:
        duty_card = i64(g.taken) if g.duty == 1 else i64(-1)
        if _can_complete(g, rules, runs, work, i64(0), duty_card, stuck_card(g)):
            _list_runs(games, i, rules, runs, work, scratch)
            _list_sets(games, i, rules, runs, work, scratch)
        if g.duty == 0 and laid_this_turn(g) == 0:
            _list_discards(g, work)
        return
    fresh = may_lay_new(g, rules, work)
    if fresh or laid_this_turn(g) > 0:
        _list_runs(games, i, rules, runs, work, scratch)
    if fresh:
        _list_sets(games, i, rules, runs, work, scratch)
    _list_lay_offs(games, i, rules, work, scratch)
    _list_swaps(games, i, rules, work, scratch)
    if g.owed == 0:
        _list_discards(g, work)


@jit
def _list_discards(g, work):
    seat = i64(g.to_move)
    if g.hand_size[seat] < cards_kept(g):
        return
    stuck = stuck_card(g)
    for card in range(CARDS):
        if g.hand[seat, card] > 0 and card != stuck:
            _push(work, DISCARD + card)


# Melds


@jit
def _list_runs(games, i, rules, runs, work, scratch):
    """List the runs of which at least one way to place the jokers is legal."""
    g = games[i]
    seat = i64(g.to_move)
    jokers = i64(g.hand[seat, JOKER])
    most = i64(g.hand_size[seat]) - cards_kept(g)
    low_position = i64(rules[0].low_position)
    for suit in range(4):
        for low in range(low_position, 13):
            missing = i64(0)
            natural = i64(0)
            for high in range(low, min(14, low + 12) + 1):
                if high - low + 1 > most:
                    break
                if g.hand[seat, suit * 13 + (high - 1) % 13] > 0:
                    natural += 1
                else:
                    missing += 1
                    if missing > jokers:
                        break
                if high < low + 2 or natural == 0:
                    continue
                places = missing_places(g, suit, low, high)
                if _some_completion(games, i, rules, runs, work, scratch, suit, low, high, places, low - 1):
                    _push(work, RUN_ID + suit * N_INTERVALS + i64(RUN_INTERVAL[low, high]))


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
def _bits(places):
    n = i64(0)
    while places > 0:
        places &= places - 1
        n += 1
    return n


@jit
def _some_completion(games, i, rules, runs, work, scratch, suit, low, high, places, above):
    """Tell whether the run is legal with jokers at `places`, or at some further places above `above`."""
    if run_allowed(games, i, rules, runs, work, scratch, suit, low, high, places):
        return True
    g = games[i]
    seat = i64(g.to_move)
    used = _bits(places)
    spare = min(i64(g.hand[seat, JOKER]) - used, high - low - used)
    if spare <= 0:
        return False
    if g.opened[seat] == 0 and not _worth_a_search(g, rules, runs, work, low, high, used):
        return False
    first = above + 1
    for more in range(1, i64(1) << (high - first + 1)):
        extra = more << first
        if extra & places or _bits(extra) > spare:
            continue
        if run_allowed(games, i, rules, runs, work, scratch, suit, low, high, places | extra):
            return True
    return False


@jit
def _worth_a_search(g, rules, runs, work, low, high, jokers):
    """Rule out every completion at once: not even a hand that kept all natural cards would reach the points."""
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
            ok = high - low >= 3 and _can_complete(g, rules, runs, work, i64(0), duty_card, stuck)
            work[0].now_suits = 0
        else:
            worth = run_value(low, high, rules)
            ok = _can_complete(g, rules, runs, work, worth, duty_card, stuck)
        take_run(work[0].hand, suit, low, high, places, i64(-1))
        return ok
    if not may_lay_run(g, rules, suit, low, high, work):
        return False
    if g.owed == 0:
        stuck = stuck_card(g)
        left = i64(g.hand_size[seat]) - (high - low + 1)
        if left < cards_kept(g):
            return False
        if stuck < 0:
            return True
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
    work[0].hand[:] = g.hand[seat]
    suit, low, high = begun_run(g)
    places, last = begun_places(g, suit, low, high)
    used = _bits(places)
    if used < i64(g.hand[seat, JOKER]) and used < high - low:
        for p in range(last + 1, high + 1):
            if (places >> p) & 1:
                continue
            if _some_completion(
                games, i, rules, runs, work, scratch, suit, low, high, places | i64(1) << p, p
            ):
                _push(work, SPARE + p - 1)
    if run_allowed(games, i, rules, runs, work, scratch, suit, low, high, places):
        _push(work, i64(NO_SPARE))


@jit
def begun_run(g):
    """Return suit, low and high of the run whose id began the move."""
    code = i64(g.half[0]) - RUN_ID
    interval = code % N_INTERVALS
    return code // N_INTERVALS, RUN_LOW_HIGH[interval, 0], RUN_LOW_HIGH[interval, 1]


@jit
def begun_places(g, suit, low, high):
    """Return the places (bits) of the jokers of a begun run so far, and the last spare one chosen."""
    places = missing_places(g, suit, low, high)
    last = low - 1
    for k in range(1, i64(g.n_half)):
        last = i64(g.half[k]) - SPARE + 1
        places |= i64(1) << last
    return places, last


@jit
def _list_sets(games, i, rules, runs, work, scratch):
    g = games[i]
    seat = i64(g.to_move)
    jokers = i64(g.hand[seat, JOKER])
    most = min(i64(g.hand_size[seat]) - cards_kept(g), i64(rules[0].max_set))
    for rank in range(13):
        present = 0
        for s in range(4):
            if g.hand[seat, s * 13 + rank] > 0:
                present |= 1 << s
        if present == 0 or POPCOUNT[present] + jokers < 3:
            continue
        for option in range(SET_OPTIONS):
            mask = SET_MASK[option]
            used = SET_JOKERS[option]
            if (mask & present) != mask or used > jokers or POPCOUNT[mask] + used > most:
                continue
            if set_allowed(games, i, rules, runs, work, scratch, rank, mask, used):
                _push(work, SET_ID + rank * SET_OPTIONS + option)


@jit
def set_allowed(games, i, rules, runs, work, scratch, rank, mask, jokers):
    """Tell whether the seat to move, which holds the cards, may lay this set; `work[0].hand` is its hand."""
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
        ok = _can_complete(g, rules, runs, work, worth, duty_card, stuck)
        work[0].now_ranks = 0
        take_set(work[0].hand, rank, mask, jokers, i64(-1))
        return ok
    if g.owed == 0:
        left = i64(g.hand_size[seat]) - size
        if left < cards_kept(g):
            return False
        if stuck < 0:
            return True
        take_set(work[0].hand, rank, mask, jokers, i64(1))
        ok = left > i64(work[0].hand[stuck])
        take_set(work[0].hand, rank, mask, jokers, i64(-1))
        return ok
    scratch[2] = games[i]
    lay_set(scratch[2], rules, rank, mask, jokers)
    return can_finish(scratch, i64(2), rules, work, scratch)


# Lay-offs and swaps


@jit
def _one_card_less(g, card):
    """Tell whether an open seat that owes nothing may lay off `card` and still end its turn."""
    seat = i64(g.to_move)
    left = i64(g.hand_size[seat]) - 1
    stuck = stuck_card(g)
    if left < cards_kept(g):
        return False
    if stuck < 0:
        return True
    stuck_left = i64(g.hand[seat, stuck])
    return left > (stuck_left - 1 if stuck == card else stuck_left)


@jit
def lay_off_run_allowed(games, i, rules, work, scratch, m, end, joker):
    """Tell whether an open seat may lay the next card, or a joker for it, at one end of run `m`."""
    g = games[i]
    seat = i64(g.to_move)
    if end_room(g, rules, m, end) <= 0:
        return False
    place = i64(g.m_low[m]) - 1 if end == 0 else i64(g.m_high[m]) + 1
    card = i64(JOKER) if joker == 1 else i64(g.m_key[m]) * 13 + (place - 1) % 13
    if g.hand[seat, card] == 0:
        return False
    if g.owed == 0:
        return _one_card_less(g, card)
    scratch[2] = games[i]
    lay_off_run(scratch[2], m, end, joker)
    return can_finish(scratch, i64(2), rules, work, scratch)


@jit
def lay_off_set_allowed(games, i, rules, work, scratch, m, card):
    """Tell whether an open seat may lay `card`, a natural card of its rank or a joker, on set `m`."""
    g = games[i]
    if g.hand[i64(g.to_move), card] == 0 or end_room(g, rules, m, i64(0)) <= 0:
        return False
    if card != JOKER and (i64(g.m_low[m]) >> (card // 13)) & 1:
        return False
    if g.owed == 0:
        return _one_card_less(g, card)
    scratch[2] = games[i]
    lay_off_set(scratch[2], m, card)
    return can_finish(scratch, i64(2), rules, work, scratch)


@jit
def swap_run_allowed(games, i, rules, work, scratch, m, place):
    """Tell whether an open seat may give the natural card for the joker at `place` of run `m`."""
    g = games[i]
    card = i64(g.m_key[m]) * 13 + (place - 1) % 13
    if not (i64(g.m_jokers[m]) >> place) & 1 or g.hand[i64(g.to_move), card] == 0:
        return False
    scratch[2] = games[i]
    swap_run(scratch[2], m, place)
    return can_finish(scratch, i64(2), rules, work, scratch)


@jit
def swap_set_allowed(games, i, rules, work, scratch, m, first, second):
    """Tell whether an open seat may give two missing suits for a joker of the set of three `m`."""
    g = games[i]
    seat = i64(g.to_move)
    rank = i64(g.m_key[m])
    if g.m_high[m] != 3 or g.m_jokers[m] == 0 or rules[0].max_set < 4:
        return False
    for suit in (first, second):
        if (i64(g.m_low[m]) >> suit) & 1 or g.hand[seat, suit * 13 + rank] == 0:
            return False
    scratch[2] = games[i]
    swap_set(scratch[2], m, first, second)
    return can_finish(scratch, i64(2), rules, work, scratch)


@jit
def _list_lay_offs(games, i, rules, work, scratch):
    g = games[i]
    start = i64(work[0].n_ids)
    for m in range(i64(g.n_melds)):
        key = i64(g.m_key[m])
        if g.m_kind[m] == L.RUN:
            for end in range(2):
                place = i64(g.m_low[m]) - 1 if end == 0 else i64(g.m_high[m]) + 1
                slot = place - 1 if end == 0 else place - 4
                for joker in range(2):
                    if lay_off_run_allowed(games, i, rules, work, scratch, m, end, joker):
                        _push_sorted(work, start, RUN_ADD + ((key * 2 + end) * 11 + slot) * 2 + joker)
        elif g.m_high[m] < rules[0].max_set:
            for suit in range(i64(rules[0].suits)):
                if lay_off_set_allowed(games, i, rules, work, scratch, m, suit * 13 + key):
                    _push_sorted(work, start, SET_ADD + suit * 13 + key)
            if lay_off_set_allowed(games, i, rules, work, scratch, m, i64(JOKER)):
                _push_sorted(work, start, SET_ADD + 52 + key)


@jit
def _list_swaps(games, i, rules, work, scratch):
    g = games[i]
    start = i64(work[0].n_ids)
    for m in range(i64(g.n_melds)):
        if g.m_jokers[m] == 0:
            continue
        key = i64(g.m_key[m])
        if g.m_kind[m] == L.RUN:
            for place in range(i64(g.m_low[m]), i64(g.m_high[m]) + 1):
                if swap_run_allowed(games, i, rules, work, scratch, m, place):
                    _push_sorted(work, start, RUN_SWAP + key * 14 + place - 1)
        elif g.m_high[m] == 3:
            pair = i64(0)
            for first in range(3):
                for second in range(first + 1, 4):
                    if swap_set_allowed(games, i, rules, work, scratch, m, first, second):
                        _push_sorted(work, start, SET_SWAP + key * 6 + pair)
                    pair += 1


@jit
def pair_suits(pair):
    """Return the two suits of pair 0..5: (0,1) (0,2) (0,3) (1,2) (1,3) (2,3)."""
    if pair < 3:
        return i64(0), pair + 1
    if pair < 5:
        return i64(1), pair - 1
    return i64(2), i64(3)


@jit
def list_targets(games, i, rules, work, scratch, action):
    """Write the table melds that a lay-off or swap legally fits into `work[0].targets[:work[0].n_targets]`."""
    g = games[i]
    work[0].n_targets = 0
    for m in range(i64(g.n_melds)):
        if _fits(games, i, rules, work, scratch, m, action):
            work[0].targets[work[0].n_targets] = m
            work[0].n_targets += 1


@jit
def _fits(games, i, rules, work, scratch, m, action):
    g = games[i]
    key = i64(g.m_key[m])
    is_run = g.m_kind[m] == L.RUN
    if action < SET_ADD:
        code = action - RUN_ADD
        joker = code % 2
        slot = (code // 2) % 11
        end = (code // 22) % 2
        if not is_run or key != code // 44:
            return False
        place = i64(g.m_low[m]) - 1 if end == 0 else i64(g.m_high[m]) + 1
        if place != (slot + 1 if end == 0 else slot + 4):
            return False
        return lay_off_run_allowed(games, i, rules, work, scratch, m, end, joker)
    if action < RUN_SWAP:
        code = action - SET_ADD
        if is_run or key != (code % 13 if code < 52 else code - 52):
            return False
        card = code if code < 52 else i64(JOKER)
        return lay_off_set_allowed(games, i, rules, work, scratch, m, card)
    if action < SET_SWAP:
        code = action - RUN_SWAP
        if not is_run or key != code // 14:
            return False
        return swap_run_allowed(games, i, rules, work, scratch, m, code % 14 + 1)
    code = action - SET_SWAP
    if is_run or key != code // 6:
        return False
    first, second = pair_suits(code % 6)
    return swap_set_allowed(games, i, rules, work, scratch, m, first, second)
