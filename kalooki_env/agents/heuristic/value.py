"""How good the end of a turn is for a seat: its features, weighed.

The sum estimates the logarithm of the odds to win the deal (with some weight on the points), see
`weights`. Each situation has weights of its own: whether the seat is open, and whether another is.
"""

from ...engine import layout as L
from ...engine.bits import lowest, popcount
from ...engine.hands import remove
from ...engine.jit import i64, inlined, jit
from ...engine.layout import JOKER
from ...engine.match import next_seat
from ...engine.moves import cards_kept, hand_bits, stuck_card
from .hand import hand_features
from .layout import AT, BEFORE_DRAW, N
from .opening import note_openers
from .shape import near_cards, outs
from .view import see

GIFT, GIFT_LAST, GIFT_FEW = AT["gift"], AT["gift_last"], AT["gift_few"]
GIFT_JOKER, NEAR_KNOWN, NEAR_LIVE = AT["gift_joker"], AT["near_known"], AT["near_live"]
NEAR_REFUSED, NEAR_THROWN = AT["near_refused"], AT["near_thrown"]
CLOSED_NEAR_LIVE = AT["closed_near_live"]

OUT = 1000.0
"""The value of going out; no other comes near it."""
NOTHING = -1000000.0
"""The value of a turn that cannot end so."""


@jit
def situation(g, seat):
    """Return the row of the weights: bit 0, whether the seat is open; bit 1, whether another is."""
    others = i64(0)
    for s in range(i64(g.seats)):
        if s != seat:
            others |= i64(g.opened[s])
    return i64(g.opened[seat]) | others << 1


@jit
def score(mind, weights):
    """Return the weighted sum of the features."""
    total = 0.0
    for k in range(N):
        total += weights[k] * mind.phi[k]
    return total


@jit
def discard_features(g, rules, mind, seat, card):
    """Fill the features of discarding a card: what it may be worth to the next seat."""
    phi = mind.phi
    for k in range(GIFT, CLOSED_NEAR_LIVE + 1):
        phi[k] = 0.0
    if card == JOKER:
        phi[GIFT_JOKER] = 1.0
        return
    then = next_seat(g, seat)
    is_open = g.opened[then] == 1
    if is_open and (i64(mind.fits) >> card) & 1:
        phi[GIFT] = 1.0
        phi[GIFT_LAST] = i64(g.hand_size[then] == 1)
        phi[GIFT_FEW] = i64(2 <= g.hand_size[then] <= 4)
    near = near_cards(card, i64(rules.low_position))
    live = outs(near, i64(mind.live), i64(mind.live_twice)) / 10.0
    if not is_open and rules.discard_before_opening != L.DISCARD_FREE:
        phi[CLOSED_NEAR_LIVE] = live
        return
    phi[NEAR_LIVE] = live
    known, refused, thrown = i64(0), i64(0), i64(0)
    cards = near | (i64(1) << card)
    while cards > 0:
        other = lowest(cards)
        cards &= cards - 1
        known += i64(g.known[then, other])
        refused += i64(g.refused[then, other] > 0)
        thrown += i64(g.thrown[then, other] > 0)
    phi[NEAR_KNOWN] = known / 3.0
    phi[NEAR_REFUSED] = refused / 3.0
    phi[NEAR_THROWN] = thrown / 3.0


@jit
def best_discard(g, rules, tables, mind, work):
    """Return the card to end the turn with and the value of that end; -1 and `NOTHING` where the
    turn can't end yet."""
    seat = i64(g.to_move)
    size = i64(g.hand_size[seat])
    half_open = g.opened[seat] == 0 and (g.laid > 0 or g.duty == 1)
    mind.discard_worth[:] = NOTHING
    if g.owed > 0 or size < cards_kept(g) or half_open:
        return i64(-1), NOTHING
    stuck = stuck_card(g)
    held, twice = hand_bits(g, seat)
    jokers = i64(g.hand[seat, JOKER])
    if size == 1:
        card = i64(JOKER) if jokers == 1 else lowest(held)
        return (card, OUT) if card != stuck else (i64(-1), NOTHING)
    see(g, rules, seat, mind)
    row = mind.weights[situation(g, seat)]
    note_openers(g, rules, tables, mind, seat, held, twice, jokers, work)
    choice, best = i64(-1), NOTHING
    cards = held
    if 0 <= stuck < JOKER:
        cards &= ~(i64(1) << stuck)
    for _ in range(popcount(cards) + i64(jokers > 0 and stuck != JOKER)):
        card, left, left_twice, left_jokers = i64(JOKER), held, twice, jokers - 1
        if cards > 0:
            card, left_jokers = lowest(cards), jokers
            cards &= cards - 1
            left, left_twice = remove(held, twice, i64(1) << card)
        hand_features(g, rules, tables, mind, seat, left, left_twice, left_jokers, work)
        discard_features(g, rules, mind, seat, card)
        value = score(mind, row)
        mind.discard_worth[card] = value
        if value > best:
            choice, best = card, value
    return choice, best


@inlined
def value_before_draw(g, rules, tables, mind, work):
    """Return the value of being about to draw from the stock with the hand as it is."""
    seat = i64(g.to_move)
    see(g, rules, seat, mind)
    held, twice = hand_bits(g, seat)
    jokers = i64(g.hand[seat, JOKER])
    hand_features(g, rules, tables, mind, seat, held, twice, jokers, work)
    for k in range(GIFT, CLOSED_NEAR_LIVE + 1):
        mind.phi[k] = 0.0
    return score(mind, mind.weights[BEFORE_DRAW + situation(g, seat)])


@jit
def value_of_end(g, rules, tables, mind, seat, card, work):
    """Return the value of the turn of `seat` that has just ended with the discard of `card`."""
    see(g, rules, seat, mind)
    held, twice = hand_bits(g, seat)
    jokers = i64(g.hand[seat, JOKER])
    hand_features(g, rules, tables, mind, seat, held, twice, jokers, work)
    discard_features(g, rules, mind, seat, card)
    return score(mind, mind.weights[situation(g, seat)])
