"""What a seat can see of a game: unseen cards, where cards fit the table, how the others stand.

Only what the seat may know is read: its own hand, what lies open, and the cards that others took or
released in the open.
"""

from ...engine import layout as L
from ...engine.bits import popcount
from ...engine.hands import set_cards
from ...engine.jit import i64, jit
from ...engine.layout import JOKER
from .layout import AT
from .shape import ALL_CARDS, cards_at, lanes

OTHERS_OPEN, OTHERS_CARDS = AT["others_open"], AT["others_cards"]
OPEN_1, OPEN_7, CLOSED_CARDS = AT["others_open_1"], AT["others_open_7"], AT["others_closed_cards"]
RACE, STOCK, TURN = AT["race"], AT["stock"], AT["turn"]


@jit
def see(g, rules, seat, mind):
    """Fill what a seat sees: unseen cards, the table, and the features of the others."""
    mind.may_open = ALL_CARDS  # until `opening.note_openers` knows better
    see_unseen(g, rules, seat, mind)
    see_table(g, rules, mind)
    _see_others(g, seat, mind)


@jit
def see_unseen(g, rules, seat, mind):
    """Count the cards that lie where the seat can't see them."""
    live, twice, unseen = i64(0), i64(0), i64(0)
    for card in range(L.CARDS):
        left = i64(rules.pack[card]) - i64(g.hand[seat, card])
        left -= i64(g.on_table[card]) + i64(g.in_pile[card])
        for s in range(i64(g.seats)):
            if s != seat:
                left -= i64(g.known[s, card])
        unseen += left
        if card == JOKER:
            mind.live_jokers = left
        else:
            live |= i64(left > 0) << card
            twice |= i64(left > 1) << card
    mind.live, mind.live_twice, mind.unseen = live, twice, max(unseen, i64(1))
    low_position = i64(rules.low_position)
    mind.live_runs = lanes(live, low_position)
    mind.live_runs_twice = lanes(twice, low_position)


@jit
def see_table(g, rules, mind):
    """Find the cards that can be laid off in a coming turn."""
    low_ends, high_ends, to_sets, jokers = i64(0), i64(0), i64(0), i64(0)
    low_position = i64(rules.low_position)
    for m in range(i64(g.n_melds)):
        key, low, high = i64(g.melds[m].key), i64(g.melds[m].low), i64(g.melds[m].high)
        if g.melds[m].kind == L.RUN:
            if low > low_position:
                low_ends |= i64(1) << (16 * key + low - 1)
                jokers += 1
            if high < 14:
                high_ends |= i64(1) << (16 * key + high + 1)
                jokers += 1
        elif high < rules.max_set:
            to_sets |= set_cards(key, ~low & 15)
            jokers += 1
    mind.low_ends, mind.high_ends, mind.joker_places = low_ends, high_ends, jokers
    mind.fits = cards_at(low_ends | high_ends) | to_sets


@jit
def _see_others(g, seat, mind):
    """Fill the features of the other seats and of how far the deal has gone."""
    phi = mind.phi
    for k in range(OTHERS_OPEN, CLOSED_CARDS + 1):
        phi[k] = 0.0
    n_open, danger = 0.0, 0.0
    for s in range(i64(g.seats)):
        if s == seat or g.eliminated[s] == 1:
            continue
        size = i64(g.hand_size[s])
        phi[OTHERS_CARDS] += size / 13.0
        if g.opened[s] == 1:
            n_open += 1.0
            slot = min(size, i64(5)) if size < 7 else i64(6)
            phi[OPEN_1 + slot - 1] += 1.0
            danger = max(danger, 1.0 / (1.0 + size))
        else:
            phi[CLOSED_CARDS] += size / 13.0
    phi[OTHERS_OPEN] = n_open
    phi[RACE] = danger
    phi[STOCK] = i64(g.n_stock) / 50.0
    phi[TURN] = min(i64(g.turn) / (10.0 * i64(g.seats)), 4.0)


@jit
def lay_off_count(mind, held, jokers, low_position):
    """Return how many cards of a hand could be laid off in a coming turn, chains included, roughly:
    two copies of one card are counted once."""
    fits = held & i64(mind.fits)
    if fits == 0:
        return min(jokers, i64(mind.joker_places))
    places = lanes(held, low_position)
    chain = ((i64(mind.low_ends) & places) >> 1) & places
    chain |= ((i64(mind.high_ends) & places) << 1) & places
    fits |= cards_at(chain)
    return popcount(fits) + min(jokers, i64(mind.joker_places))
