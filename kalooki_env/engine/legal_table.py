"""Which lay-offs and swaps an open seat may make, and on which table melds (RULES 3)."""

from ..action_tables import LAYOFF_RUN, LAYOFF_SET, SWAP_RUN, SWAP_SET
from . import layout as L
from .bits import lowest, popcount
from .finish import can_finish
from .hands import places_of, ranks_of, set_cards, suits_of
from .jit import i64, inlined, jit
from .layout import JOKER
from .listing import push_bits, push_sorted
from .moves import (
    cards_kept,
    end_room,
    lay_off_run,
    lay_off_set,
    pair_suits,
    stuck_card,
    swap_run,
    swap_set,
)


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
def lay_off_run_allowed(g, rules, work, scratch, m, end, joker):
    """Tell whether an open seat may lay the next card, or a joker for it, at one end of run `m`."""
    seat = i64(g.to_move)
    place = i64(g.melds[m].low) - 1 if end == 0 else i64(g.melds[m].high) + 1
    if place < i64(rules.low_position) or place > 14:
        return False
    card = i64(JOKER) if joker == 1 else i64(g.melds[m].key) * 13 + (place - 1) % 13
    if g.hand[seat, card] == 0 or end_room(g, rules, m, end) <= 0:
        return False
    if g.owed == 0:
        return _one_card_less(g, card)
    scratch[2] = g
    lay_off_run(scratch[2], m, end, joker)
    return can_finish(scratch[2], rules, work, scratch)


@jit
def lay_off_set_allowed(g, rules, work, scratch, m, card):
    """Tell whether an open seat may lay `card`, a natural card of its rank or a joker, on set `m`."""
    if g.hand[i64(g.to_move), card] == 0 or end_room(g, rules, m, i64(0)) <= 0:
        return False
    if card != JOKER and (i64(g.melds[m].low) >> (card // 13)) & 1:
        return False
    if g.owed == 0:
        return _one_card_less(g, card)
    scratch[2] = g
    lay_off_set(scratch[2], m, card)
    return can_finish(scratch[2], rules, work, scratch)


@jit
def swap_run_allowed(g, rules, work, scratch, m, place):
    """Tell whether an open seat may give the natural card for the joker at `place` of run `m`."""
    card = i64(g.melds[m].key) * 13 + (place - 1) % 13
    if not (i64(g.melds[m].jokers) >> place) & 1 or g.hand[i64(g.to_move), card] == 0:
        return False
    scratch[2] = g
    swap_run(scratch[2], m, place)
    return can_finish(scratch[2], rules, work, scratch)


@jit
def swap_set_allowed(g, rules, work, scratch, m, first, second):
    """Tell whether an open seat may give two missing suits for a joker of the set of three `m`."""
    seat = i64(g.to_move)
    rank = i64(g.melds[m].key)
    if g.melds[m].high != 3 or g.melds[m].jokers == 0 or rules.max_set < 4:
        return False
    for suit in (first, second):
        if (i64(g.melds[m].low) >> suit) & 1 or g.hand[seat, suit * 13 + rank] == 0:
            return False
    scratch[2] = g
    swap_set(scratch[2], m, first, second)
    return can_finish(scratch[2], rules, work, scratch)


@inlined
def list_lay_offs(g, rules, work, scratch):
    """List the lay-offs of an open seat."""
    if g.owed == 0:
        _list_free_lay_offs(g, rules, work)
    else:
        _list_owing_lay_offs(g, rules, work, scratch)


@inlined
def _list_free_lay_offs(g, rules, work):
    """List the lay-offs of a seat that owes nothing: the ids of each suit gather as bits."""
    cards, jokers = _cards_to_spare(g, work)
    if cards == 0 and jokers == 0:
        return
    lay_offs = work.lay_offs
    for suit in range(4):
        lay_offs[suit] = 0
    to_sets, to_ranks = i64(0), i64(0)
    max_set, low_position = i64(rules.max_set), i64(rules.low_position)
    for m in range(i64(g.n_melds)):
        key, low, high = i64(g.melds[m].key), i64(g.melds[m].low), i64(g.melds[m].high)
        if g.melds[m].kind == L.RUN:
            places = places_of(ranks_of(cards, key), low_position)
            bits = i64(0)
            if end_room(g, rules, m, i64(0)) > 0:
                bits = (((places >> (low - 1)) & 1) | jokers << 1) << (2 * (low - 2))
            if end_room(g, rules, m, i64(1)) > 0:
                bits |= (((places >> (high + 1)) & 1) | jokers << 1) << (22 + 2 * (high - 3))
            lay_offs[key] |= bits
        elif high < max_set and end_room(g, rules, m, i64(0)) > 0:
            to_sets |= set_cards(key, ~low & 15)
            to_ranks |= jokers << key
    for suit in range(4):
        push_bits(work, LAYOFF_RUN + 44 * suit, i64(lay_offs[suit]))
    push_bits(work, i64(LAYOFF_SET), to_sets & cards)
    push_bits(work, i64(LAYOFF_SET + 52), to_ranks)


@inlined
def _cards_to_spare(g, work):
    """Return the natural cards (bits) that an open seat that owes nothing may lay off and still end
    its turn, and whether a joker is one of them."""
    seat = i64(g.to_move)
    cards = i64(g.held[seat])
    jokers = i64(g.hand[seat, JOKER] > 0)
    left = i64(g.hand_size[seat]) - 1
    if left < cards_kept(g):
        return i64(0), i64(0)
    stuck = stuck_card(g)
    if stuck < 0 or left > g.hand[seat, stuck]:
        return cards, jokers
    if left < g.hand[seat, stuck]:
        return i64(0), i64(0)
    if stuck == JOKER:
        return i64(0), jokers
    return cards & (i64(1) << stuck), i64(0)


@inlined
def _list_owing_lay_offs(g, rules, work, scratch):
    """List the lay-offs of a seat that owes jokers, each tried out."""
    start = i64(work.n_ids)
    for m in range(i64(g.n_melds)):
        key = i64(g.melds[m].key)
        if g.melds[m].kind == L.RUN:
            for end in range(2):
                place = i64(g.melds[m].low) - 1 if end == 0 else i64(g.melds[m].high) + 1
                slot = place - 1 if end == 0 else place - 4
                for joker in range(2):
                    if lay_off_run_allowed(g, rules, work, scratch, m, end, joker):
                        push_sorted(
                            work, start, LAYOFF_RUN + ((key * 2 + end) * 11 + slot) * 2 + joker
                        )
        elif g.melds[m].high < rules.max_set:
            for suit in range(i64(rules.suits)):
                if lay_off_set_allowed(g, rules, work, scratch, m, suit * 13 + key):
                    push_sorted(work, start, LAYOFF_SET + suit * 13 + key)
            if lay_off_set_allowed(g, rules, work, scratch, m, i64(JOKER)):
                push_sorted(work, start, LAYOFF_SET + 52 + key)


@inlined
def list_swaps(g, rules, work, scratch):
    """List the swaps of an open seat."""
    if g.on_table[JOKER] == 0:
        return
    start = i64(work.n_ids)
    held = i64(g.held[i64(g.to_move)])
    for m in range(i64(g.n_melds)):
        if g.melds[m].jokers == 0:
            continue
        key = i64(g.melds[m].key)
        if g.melds[m].kind == L.RUN:
            places = i64(g.melds[m].jokers) & places_of(ranks_of(held, key), i64(1))
            while places > 0:
                place = lowest(places)
                places &= places - 1
                if swap_run_allowed(g, rules, work, scratch, m, place):
                    push_sorted(work, start, SWAP_RUN + key * 14 + place - 1)
        elif g.melds[m].high == 3 and popcount(suits_of(held, key) & ~i64(g.melds[m].low)) >= 2:
            pair = i64(0)
            for first in range(3):
                for second in range(first + 1, 4):
                    if swap_set_allowed(g, rules, work, scratch, m, first, second):
                        push_sorted(work, start, SWAP_SET + key * 6 + pair)
                    pair += 1


@jit
def list_targets(g, rules, work, scratch, action):
    """Write the table melds that a lay-off or swap legally fits into
    `work.targets[:work.n_targets]`."""
    work.n_targets = 0
    for m in range(i64(g.n_melds)):
        if _fits(g, rules, work, scratch, m, action):
            work.targets[work.n_targets] = m
            work.n_targets += 1


@inlined
def _fits(g, rules, work, scratch, m, action):
    key = i64(g.melds[m].key)
    is_run = g.melds[m].kind == L.RUN
    if action < LAYOFF_SET:
        code = action - LAYOFF_RUN
        joker = code % 2
        slot = (code // 2) % 11
        end = (code // 22) % 2
        if not is_run or key != code // 44:
            return False
        place = i64(g.melds[m].low) - 1 if end == 0 else i64(g.melds[m].high) + 1
        if place != (slot + 1 if end == 0 else slot + 4):
            return False
        return lay_off_run_allowed(g, rules, work, scratch, m, end, joker)
    if action < SWAP_RUN:
        code = action - LAYOFF_SET
        if is_run or key != (code % 13 if code < 52 else code - 52):
            return False
        card = code if code < 52 else i64(JOKER)
        return lay_off_set_allowed(g, rules, work, scratch, m, card)
    if action < SWAP_SET:
        code = action - SWAP_RUN
        if not is_run or key != code // 14:
            return False
        return swap_run_allowed(g, rules, work, scratch, m, code % 14 + 1)
    code = action - SWAP_SET
    if is_run or key != code // 6:
        return False
    first, second = pair_suits(code % 6)
    return swap_set_allowed(g, rules, work, scratch, m, first, second)
