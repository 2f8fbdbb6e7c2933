"""Write what a seat may know into a uint8 vector; `kalooki_env.observation` names the blocks."""

import numpy as np

from ..action_tables import LAYOFF_RUN, LAYOFF_SET, SWAP_RUN, SWAP_SET
from ..observation import offset
from . import layout as L
from .bits import copy_row, lowest, put_word, word_at
from .hands import places_of, ranks_of
from .jit import i64, inlined, jit
from .layout import CARDS, JOKER
from .legal_melds import begun_run
from .legal_table import list_targets
from .moves import cards_kept, end_room, pair_suits

_HAND, _RUN_LINKS, _SET_LINKS = offset("hand"), offset("run_links"), offset("set_links")
_PHASE, _QUESTION, _TURN, _TAKEN = (
    offset("phase"),
    offset("question"),
    offset("turn"),
    offset("taken"),
)
_UP_CARD, _RECENT, _DISCARDS, _TABLE = (
    offset("up_card"),
    offset("recent"),
    offset("discards"),
    offset("table"),
)
_RUN_LOW, _RUN_HIGH, _RUN_JOKERS = offset("run_low"), offset("run_high"), offset("run_jokers")
_SET_OPEN, _SET_SWAP = offset("set_open"), offset("set_swap")
_BEGUN_RUN, _BEGUN_JOKERS, _BEGUN_CARD = (
    offset("begun_run"),
    offset("begun_jokers"),
    offset("begun_card"),
)
_BEGUN_LOW, _BEGUN_HIGH = offset("begun_low"), offset("begun_high")
_PILES, _SEATS, _RULES = offset("piles"), offset("seats"), offset("rules")
_SEAT_0, _SEAT_SIZE = offset("seat_0"), offset("seat_1") - offset("seat_0")
_KNOWN_0, _MEMORY_SIZE = offset("known_0"), offset("known_1") - offset("known_0")
assert _RUN_LINKS + 52 == _SET_LINKS and _SET_LINKS + 52 == _PHASE  # see `_own_cards`
_TWIN, _STOCK = offset("twin"), offset("stock")

EIGHT_BYTES = np.array(
    [sum(1 << 8 * k for k in range(8) if bits >> k & 1) for bits in range(256)], dtype=np.int64
)
"""Eight bits as eight bytes, each 0 or 1."""


WORDS = (CARDS + 7) // 8
LOW_BITS = 0x0101010101010101
MANY = 63
"""What counts of cards are cut to before they are compared: no card type has so many copies."""


@jit
def _clip(x):
    return min(max(x, 0), 255)


@jit
def observe(g, rules, work, scratch, seat, out):
    """Write the observation of `seat` in `g` into `out` (uint8[SIZE])."""
    out[:] = 0
    _own_cards(g, rules, seat, out)
    _turn(g, rules, seat, out)
    _piles(g, out)
    _table(g, rules, out)
    _seats(g, seat, out)
    _stock(g, rules, seat, out)
    _rules(g, rules, out)
    if seat == g.to_move and g.question != L.NO_QUESTION:
        _begun(g, rules, work, scratch, out)


@inlined
def _own_cards(g, rules, seat, out):
    copy_row(g.hand[seat], out, _HAND)
    # Each second word of a suit writes three bytes too many, zeros, into what is written next: the
    # next suit, the other links, the phase. So this comes first.
    held = i64(g.held[seat])
    low = i64(rules.low_position)
    first, last = i64(0), i64(0)
    for suit in range(4):
        ranks = ranks_of(held, suit)
        _run_links(ranks, low, out, _RUN_LINKS + suit * 13)
        first += EIGHT_BYTES[ranks & 255]
        last += EIGHT_BYTES[ranks >> 8]
    for suit in range(4):
        ranks = ranks_of(held, suit)
        put_word(out, _SET_LINKS + suit * 13, first - EIGHT_BYTES[ranks & 255])
        put_word(out, _SET_LINKS + suit * 13 + 8, last - EIGHT_BYTES[ranks >> 8])


@inlined
def _run_links(ranks, low, out, at):
    """Count for each card of a suit the ranks held within two places of it.

    A byte counts for each position 1..14, the first eight in one word and the others in a second.
    """
    places = places_of(ranks, low) >> 1
    first, last = EIGHT_BYTES[places & 255], EIGHT_BYTES[places >> 8]
    # What stands a place or two below, and above; sums of single bits never carry.
    near_first = (first << 8) + (first << 16) + (first >> 8) + (first >> 16)
    near_first += (last << 56) + ((last & 0xFFFF) << 48)
    near_last = (last << 8) + (last << 16) + (last >> 8) + (last >> 16)
    near_last += ((first >> 56) & 1) + ((first >> 48) & 0x0101)
    ace = (near_last >> 40) & 255
    if low == 1:
        ace += near_first & 255
    put_word(out, at, (near_first & ~i64(255)) | ace)
    put_word(out, at + 8, near_last & 0xFFFFFFFFFF)
    for rank in range(1, low - 1):
        out[at + rank] = 0


@inlined
def _turn(g, rules, seat, out):
    out[_PHASE + i64(g.phase)] = 1
    if seat == g.to_move:
        out[_QUESTION + i64(g.question)] = 1
    if g.to_move < 0:
        return
    mover = i64(g.to_move)
    need = i64(rules.opening_points) - i64(g.points)
    out[_TURN] = _clip(i64(g.points))
    out[_TURN + 1] = _clip(need) if g.opened[mover] == 0 else 0
    out[_TURN + 2] = g.duty
    out[_TURN + 3] = g.was_open
    out[_TURN + 4] = g.owed
    out[_TURN + 5] = _clip(i64(g.swaps))
    out[_TURN + 6] = _clip(i64(g.layoffs))
    out[_TURN + 7] = g.laid
    out[_TURN + 8] = cards_kept(g)
    if seat == g.to_move:
        out[_TWIN] = g.taken_twin
    out[_TAKEN + max(i64(g.taken), i64(0))] = g.taken >= 0


@inlined
def _piles(g, out):
    n = i64(g.n_discards)
    copy_row(g.in_pile, out, _DISCARDS)
    if n > 0:
        out[_UP_CARD + i64(g.discards[n - 1])] = 1
    for k in range(min(n - 1, i64(3))):
        out[_RECENT + k * CARDS + i64(g.discards[n - 2 - k])] = 1
    out[_PILES] = g.n_stock
    out[_PILES + 1] = _clip(i64(g.rebuilds))
    out[_PILES + 2] = n
    out[_PILES + 3] = _clip(i64(g.turn))
    out[_PILES + 4] = _clip(i64(g.deal))


@inlined
def _table(g, rules, out):
    copy_row(g.on_table, out, _TABLE)
    for m in range(i64(g.n_melds)):
        key = i64(g.melds[m].key)
        jokers = i64(g.melds[m].jokers)
        low, high = i64(g.melds[m].low), i64(g.melds[m].high)
        if g.melds[m].kind == L.RUN:
            while jokers > 0:
                out[_RUN_JOKERS + key * 14 + lowest(jokers) - 1] += 1
                jokers &= jokers - 1
            if end_room(g, rules, m, i64(0)) > 0:
                out[_RUN_LOW + key * 14 + low - 2] += 1
            if end_room(g, rules, m, i64(1)) > 0:
                out[_RUN_HIGH + key * 14 + high] += 1
        elif high < rules.max_set:
            missing = ~low & 15
            while missing > 0:
                card = lowest(missing) * 13 + key
                out[_SET_OPEN + card] += 1
                if jokers > 0:
                    out[_SET_SWAP + card] += 1
                missing &= missing - 1


@inlined
def _seats(g, observer, out):
    seats = i64(g.seats)
    out[_SEATS + seats - 2] = 1
    for k in range(seats):
        s = observer + k
        if s >= seats:
            s -= seats
        at = _SEAT_0 + k * _SEAT_SIZE
        size = i64(g.hand_size[s])
        out[at] = 1
        out[at + 1] = size
        for few in range(1, 5):
            out[at + 1 + few] = size == few
        out[at + 6] = g.opened[s]
        out[at + 7] = g.announced[s]
        out[at + 8] = g.barred[s]
        out[at + 9] = 1 if s == g.dealer else 0
        out[at + 10] = 1 if s == g.to_move else 0
        out[at + 11] = g.eliminated[s]
        out[at + 12] = _clip(i64(g.totals[s]) // 2)
        out[at + 13] = g.buy_ins[s]
        at = _KNOWN_0 + k * _MEMORY_SIZE
        copy_row(g.known[s], out, at)
        copy_row(g.thrown[s], out, at + CARDS)
        copy_row(g.refused[s], out, at + 2 * CARDS)


@inlined
def _stock(g, rules, seat, out):
    """Count the cards that the stock may hold, eight card types at a time.

    No byte falls below 0, since no card is at two places: bytes of a word never borrow.
    """
    left = min(i64(g.n_stock), i64(MANY)) * LOW_BITS
    for k in range(WORDS):
        at = min(8 * k, CARDS - 8)
        unseen = word_at(rules.pack, at) - word_at(g.hand[seat], at)
        unseen -= word_at(g.on_table, at) + word_at(g.in_pile, at)
        for s in range(i64(g.seats)):
            if s != seat:
                unseen -= word_at(g.known[s], at)
        if g.rebuilds > 0:
            unseen = _lesser_bytes(unseen, word_at(g.rebuilt[seat], at))
        put_word(out, _STOCK + at, _lesser_bytes(unseen, left))


@inlined
def _lesser_bytes(first, second):
    """Return the lesser of two bytes each, for words of counts of cards; what is above `MANY` counts as
    that.

    Bit 6 of a byte is lent to each difference, and no bit of the sign is touched.
    """
    second &= MANY * LOW_BITS
    no_less = (((first | 64 * LOW_BITS) - second) >> 6) & LOW_BITS
    return first ^ ((first ^ second) & (no_less * MANY))


@inlined
def _rules(g, rules, out):
    at = _RULES
    copy_row(rules.shown, out, at)
    out[at + 4] = rules.hand_size[i64(g.seats)]
    if rules.n_contracts > 0:
        row = min(i64(g.deal), i64(rules.n_contracts)) - 1
        for k in range(L.CONTRACT_MELDS):
            if rules.contracts[row, k] == 3:
                out[at + 6] += 1
            elif rules.contracts[row, k] == 4:
                out[at + 7] += 1
    out[at + 35] = g.is_match


@inlined
def _begun(g, rules, work, scratch, out):
    """The move that the seat to move has begun and the answers it may choose from."""
    action = i64(g.half[0])
    if g.question == L.WHICH_PLACE:
        suit, low, high = begun_run(g)
        places = i64(g.begun_jokers)
        for p in range(low, high + 1):
            out[_BEGUN_RUN + suit * 14 + p - 1] = 1
            if (places >> p) & 1:
                out[_BEGUN_JOKERS + p - 1] = 1
        return
    if action < LAYOFF_SET:
        code = action - LAYOFF_RUN
        slot = (code // 2) % 11
        place = slot + 1 if (code // 22) % 2 == 0 else slot + 4
        card = i64(JOKER) if code % 2 == 1 else (code // 44) * 13 + (place - 1) % 13
        out[_BEGUN_CARD + card] = 1
    elif action < SWAP_RUN:
        out[_BEGUN_CARD + min(action - LAYOFF_SET, i64(JOKER))] = 1
    elif action < SWAP_SET:
        code = action - SWAP_RUN
        out[_BEGUN_CARD + (code // 14) * 13 + (code % 14) % 13] = 1
    else:
        code = action - SWAP_SET
        first, second = pair_suits(code % 6)
        out[_BEGUN_CARD + first * 13 + code // 6] = 1
        out[_BEGUN_CARD + second * 13 + code // 6] = 1
    list_targets(g, rules, work, scratch, action)
    for k in range(i64(work.n_targets)):
        m = i64(work.targets[k])
        is_run = g.melds[m].kind == L.RUN
        out[_BEGUN_LOW + m] = g.melds[m].low if is_run else 1 + i64(g.melds[m].low)
        out[_BEGUN_HIGH + m] = g.melds[m].high
