"""What a complete move changes on the table and in the hand; no rule is checked here."""

from .hands import add, remove
from .jit import i64, jit
from .layout import (
    JOKER,
    NO_CARD,
    RUN,
    SCOPE_END,
    SCOPE_MELD,
    SET,
    UNLIMITED,
)
from .memory import remember_played
from .solver import POPCOUNT, run_value


@jit
def hand_bits(g, seat):
    """Return the bits of a hand, `held` and `twice` (see `hands`)."""
    return i64(g.held[seat]), i64(g.twice[seat])


@jit
def receive_card(g, seat, card):
    """Put one card into a hand."""
    g.hand[seat, card] += 1
    g.hand_size[seat] += 1
    if card < JOKER:
        g.held[seat], g.twice[seat] = add(i64(g.held[seat]), i64(g.twice[seat]), card)


@jit
def play_card(g, seat, card):
    """Take one card out of a hand that is laid or discarded in the open."""
    g.hand[seat, card] -= 1
    g.hand_size[seat] -= 1
    if card < JOKER:
        bit = i64(1) << card
        g.held[seat], g.twice[seat] = remove(i64(g.held[seat]), i64(g.twice[seat]), bit)
    if g.known[seat, card] > 0:
        g.known[seat, card] -= 1
    else:
        remember_played(g, seat, card)
    if card == g.taken:
        g.taken_laid += 1
        g.duty = 0


@jit
def lay_card(g, card):
    """Move one card of the seat to move from its hand to the table."""
    play_card(g, i64(g.to_move), card)
    g.on_table[card] += 1


@jit
def _pay_owed(g, jokers):
    """Count jokers laid against those that are owed."""
    g.owed = max(i64(g.owed) - jokers, i64(0))


@jit
def new_meld(g, kind, key, low, high, jokers):
    """Put a meld on the table, laid by the seat to move in this turn."""
    m = i64(g.n_melds)
    g.melds[m].kind = kind
    g.melds[m].key = key
    g.melds[m].low = low
    g.melds[m].high = high
    g.melds[m].jokers = jokers
    g.melds[m].laid = 1
    g.melds[m].added_low = 0
    g.melds[m].added_high = 0
    g.melds[m].owner = g.to_move
    g.laid += 1
    g.n_melds = m + 1


@jit
def lay_run(g, rules, suit, low, high, jokers):
    """Lay the run of `suit` from position `low` to `high` with jokers at the bits of `jokers`."""
    used = i64(0)
    for p in range(low, high + 1):
        if (jokers >> p) & 1:
            lay_card(g, i64(JOKER))
            used += 1
        else:
            lay_card(g, suit * 13 + (p - 1) % 13)
    new_meld(g, i64(RUN), suit, low, high, jokers)
    _pay_owed(g, used)
    _open(g, rules, run_value(low, high, rules))


@jit
def lay_set(g, rules, rank, mask, jokers):
    """Lay the set of `rank` with the natural suits of `mask` and `jokers` jokers."""
    for s in range(4):
        if (mask >> s) & 1:
            lay_card(g, s * 13 + rank)
    for _ in range(jokers):
        lay_card(g, i64(JOKER))
    size = POPCOUNT[mask] + jokers
    new_meld(g, i64(SET), rank, mask, size, jokers)
    _pay_owed(g, jokers)
    _open(g, rules, size * i64(rules.set_points[rank]))


@jit
def _open(g, rules, worth):
    """Count a new meld towards the opening; the seat is open once it is complete."""
    seat = i64(g.to_move)
    if g.opened[seat]:
        return
    g.points += worth
    if contract_size(g, rules) > 0:
        if g.laid == contract_size(g, rules):
            g.opened[seat] = 1
    elif g.points >= i64(rules.opening_points) and g.duty == 0:
        g.opened[seat] = 1


@jit
def contract_size(g, rules):
    """Return how many melds the contract of this deal asks for; 0 where points open."""
    if rules.n_contracts == 0:
        return i64(0)
    n = i64(0)
    row = min(i64(g.deal), i64(rules.n_contracts)) - 1
    for k in range(rules.contracts.shape[1]):
        if rules.contracts[row, k] > 0:
            n += 1
    return n


@jit
def lay_off_run(g, m, end, joker):
    """Lay the next card (or a joker for it) at the low (0) or high (1) end of run `m`."""
    if end == 0:
        place = i64(g.melds[m].low) - 1
        g.melds[m].low = place
        g.melds[m].added_low += 1
    else:
        place = i64(g.melds[m].high) + 1
        g.melds[m].high = place
        g.melds[m].added_high += 1
    if joker == 1:
        g.melds[m].jokers |= 1 << place
        _pay_owed(g, i64(1))
        lay_card(g, i64(JOKER))
    else:
        lay_card(g, i64(g.melds[m].key) * 13 + (place - 1) % 13)
    g.layoffs += 1


@jit
def lay_off_set(g, m, card):
    """Lay `card`, a natural card or a joker, on set `m`."""
    if card == JOKER:
        g.melds[m].jokers += 1
        _pay_owed(g, i64(1))
    else:
        g.melds[m].low |= 1 << (card // 13)
    g.melds[m].high += 1
    g.melds[m].added_low += 1
    lay_card(g, card)
    g.layoffs += 1


@jit
def _release(g):
    """Give the seat to move the joker that a swap released."""
    seat = i64(g.to_move)
    g.on_table[JOKER] -= 1
    receive_card(g, seat, i64(JOKER))
    g.known[seat, JOKER] += 1
    g.swaps += 1
    g.owed += 1


@jit
def swap_run(g, m, place):
    """Give the natural card for the joker at `place` of run `m`."""
    g.melds[m].jokers &= ~(1 << place)
    lay_card(g, i64(g.melds[m].key) * 13 + (place - 1) % 13)
    _release(g)


@jit
def swap_set(g, m, first, second):
    """Give the cards of two missing suits for a joker of set `m`, which is then closed."""
    for suit in (first, second):
        g.melds[m].low |= 1 << suit
        lay_card(g, suit * 13 + i64(g.melds[m].key))
    g.melds[m].jokers -= 1
    g.melds[m].high += 1
    _release(g)


@jit
def pair_suits(pair):
    """Return the two suits of pair 0..5: (0,1) (0,2) (0,3) (1,2) (1,3) (2,3)."""
    if pair < 3:
        return i64(0), pair + 1
    if pair < 5:
        return i64(1), pair - 1
    return i64(2), i64(3)


@jit
def end_room(g, rules, m, end):
    """Return how many more cards this turn may lay at one end of run `m`, or on set `m` (end 0)."""
    if g.melds[m].kind == SET:
        room = i64(rules.max_set) - i64(g.melds[m].high)
    elif end == 0:
        room = i64(g.melds[m].low) - i64(rules.low_position)
    else:
        room = 14 - i64(g.melds[m].high)
    limit = i64(rules.layoff_limit)
    if limit == UNLIMITED:
        return room
    if rules.layoff_scope == SCOPE_END:
        used = i64(g.melds[m].added_low) if end == 0 else i64(g.melds[m].added_high)
    elif rules.layoff_scope == SCOPE_MELD:
        used = i64(g.melds[m].added_low) + i64(g.melds[m].added_high)
    else:
        used = i64(g.layoffs)
    return max(min(room, limit - used), i64(0))


@jit
def joker_room(g, rules):
    """Return how many jokers this turn may still lay off on the melds of the table."""
    total = i64(0)
    limit = i64(rules.layoff_limit)
    for m in range(i64(g.n_melds)):
        room = end_room(g, rules, m, i64(0))
        if g.melds[m].kind == RUN:
            room += end_room(g, rules, m, i64(1))
            if limit != UNLIMITED and rules.layoff_scope == SCOPE_MELD:
                left = limit - i64(g.melds[m].added_low) - i64(g.melds[m].added_high)
                room = min(room, max(left, i64(0)))
        total += room
    if limit != UNLIMITED and rules.layoff_scope != SCOPE_END and rules.layoff_scope != SCOPE_MELD:
        total = min(total, max(limit - i64(g.layoffs), i64(0)))
    return total


@jit
def stuck_card(g):
    """Return the card type that may not be discarded this turn because it was taken, else -1."""
    if g.taken != NO_CARD and g.taken_twin == 0:
        return i64(g.taken)
    return i64(NO_CARD)


@jit
def taken_alike(g):
    """Return how many cards equal to the taken one the hand of the seat to move held right after the
    take, less those it holds now."""
    released = i64(g.swaps) if g.taken == JOKER else i64(0)
    return i64(g.taken_laid) - released


@jit
def cards_kept(g):
    """Return how many cards the seat to move needs at its discard: one, barred two."""
    return 1 + i64(g.barred[i64(g.to_move)])
