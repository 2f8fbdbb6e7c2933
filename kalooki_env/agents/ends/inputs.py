"""The inputs that are there: cards and places of a state, as a list of their numbers."""

from ...engine import layout as L
from ...engine.bits import lowest
from ...engine.jit import i64, inlined, jit
from ...engine.layout import CARDS, JOKER
from ...observation import RULE_ENTRIES
from ..heuristic.shape import ALL_CARDS, cards_at
from .layout import AT, HAND_SIZES, JOKERS, STOCK_STEP, STOCKS, TURNS

HAND, HAND_TWICE, HAND_JOKERS = AT["hand"], AT["hand_twice"], AT["hand_jokers"]
SEEN, SEEN_TWICE, UNSEEN_JOKERS = AT["seen"], AT["seen_twice"], AT["unseen_jokers"]
FITS, SWAPS, CARDS_HELD, STOCK = AT["fits"], AT["swaps"], AT["cards"], AT["stock"]
TURN, SEATS, RULES, OPEN = AT["turn"], AT["seats"], AT["rules"], AT["open"]
OTHERS_CARDS, KNOWN = AT["others_cards"], AT["known"]
THROWN, REFUSED = AT["thrown"], AT["refused"]
ROW, DISCARDED = AT["row"], AT["discard"]
N_RULES = len(RULE_ENTRIES)


@jit
def list_bits(pad, slot, bits, offset):
    """List the inputs of some cards (bits)."""
    n = i64(pad.n_listed[slot])
    while bits > 0:
        pad.listed[slot, n] = offset + lowest(bits)
        bits &= bits - 1
        n += 1
    pad.n_listed[slot] = n


@jit
def list_one(pad, slot, number):
    """List one input."""
    n = i64(pad.n_listed[slot])
    pad.listed[slot, n] = number
    pad.n_listed[slot] = n + 1


@inlined
def list_state(g, rules, mind, pad, slot, seat, held, twice, jokers, size, row):
    """List the inputs of a state into `slot`: the hand with the card that is still to be discarded.

    `size` are the cards after that; the view of the heuristic is filled.
    """
    pad.n_listed[slot] = 0
    pad.held[slot], pad.twice[slot], pad.jokers[slot] = held, twice, jokers
    pad.fits[slot], pad.joker_places[slot] = mind.fits, mind.joker_places
    pad.low_ends[slot], pad.high_ends[slot] = mind.low_ends, mind.high_ends
    list_one(pad, slot, ROW + row)
    list_bits(pad, slot, held, i64(HAND))
    list_bits(pad, slot, twice, i64(HAND_TWICE))
    for k in range(min(jokers, i64(JOKERS))):
        list_one(pad, slot, HAND_JOKERS + k)
    list_bits(pad, slot, ~i64(mind.live_twice) & ALL_CARDS, i64(SEEN))
    list_bits(pad, slot, ~i64(mind.live) & ALL_CARDS, i64(SEEN_TWICE))
    for k in range(min(i64(mind.live_jokers), i64(JOKERS))):
        list_one(pad, slot, UNSEEN_JOKERS + k)
    list_bits(pad, slot, i64(mind.fits), i64(FITS))
    list_bits(pad, slot, swap_cards(g), i64(SWAPS))
    list_one(pad, slot, CARDS_HELD + min(size, i64(HAND_SIZES - 1)))
    list_one(pad, slot, STOCK + min(i64(g.n_stock) // STOCK_STEP, i64(STOCKS - 1)))
    list_one(pad, slot, TURN + min(i64(g.turn) // i64(g.seats), i64(TURNS - 1)))
    list_one(pad, slot, SEATS + i64(g.seats))
    for k in range(N_RULES):
        if rules.shown[k] > 0:
            list_one(pad, slot, RULES + k)
    _list_others(g, pad, slot, seat)


@inlined
def _list_others(g, pad, slot, seat):
    """List what the other seats show, in turn order."""
    seats = i64(g.seats)
    for k in range(1, seats):
        other = (seat + k) % seats
        if g.eliminated[other] == 1:
            continue
        if g.opened[other] == 1:
            list_one(pad, slot, OPEN + k - 1)
        cards = min(i64(g.hand_size[other]), i64(HAND_SIZES - 1))
        list_one(pad, slot, OTHERS_CARDS + (k - 1) * HAND_SIZES + cards)
        n = i64(pad.n_listed[slot])
        at = (k - 1) * CARDS
        for card in range(CARDS):
            if g.known[other, card] > 0:
                pad.listed[slot, n] = KNOWN + at + card
                n += 1
            if g.thrown[other, card] > 0:
                pad.listed[slot, n] = THROWN + at + card
                n += 1
            if g.refused[other, card] > 0:
                pad.listed[slot, n] = REFUSED + at + card
                n += 1
        pad.n_listed[slot] = n


@jit
def swap_cards(g):
    """Return the natural cards (bits) for which jokers of the table's runs stand."""
    places = i64(0)
    if g.on_table[JOKER] == 0:
        return places
    for m in range(i64(g.n_melds)):
        if g.melds[m].kind == L.RUN:
            places |= i64(g.melds[m].jokers) << (16 * i64(g.melds[m].key))
    return cards_at(places)
