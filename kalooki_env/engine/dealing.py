"""Shuffling and dealing: a match or a single deal begins, and one deal follows another."""

import numpy as np

from . import layout as L
from .apply import begin_turn, end_question
from .jit import i64, inlined, jit
from .layout import JOKER, MAX_MELDS, NO_SEAT
from .match import next_seat
from .memory import forget_stocks
from .moves import receive_card
from .rng import below, seed_stream, shuffle


@jit
def start_match(g, rules, seats, seed, is_match, deal_number):
    """Start a match, or a single deal, from a uint64 seed: draw the first dealer, take the entries
    and deal.

    `deal_number` names the contract of a single deal; 0 draws one that can be dealt.
    """
    seed_stream(g, seed)
    g.seats = seats
    g.is_match = is_match
    g.match_over = 0
    g.n_to_decide = 0
    for s in range(L.MAX_SEATS):
        g.match_winners[s] = 0
        g.eliminated[s] = 0 if s < seats else 1
        g.buy_ins[s] = 0
        g.totals[s] = 0
        g.money[s] = -rules.initial if s < seats else 0
        g.to_decide[s] = 0
    g.pool = i64(rules.initial) * seats
    g.dealer = below(g, seats)
    if deal_number > 0:
        g.deal = deal_number
    elif is_match == 0 and rules.n_contracts > 0:
        _draw_contract(g, rules)
    else:
        g.deal = 1
    deal(g, rules)


@jit
def next_deal(g, rules):
    """Deal again after a deal: the next one, or after a void or cut deal the same by the same
    dealer."""
    if g.winner != NO_SEAT:
        g.dealer = next_seat(g, i64(g.dealer))
        g.deal += 1
    deal(g, rules)


@jit
def next_single_deal(g, rules, seats):
    """Start another single deal from the next number of the stream of the game."""
    seed = np.uint64((below(g, i64(1) << 31) << 31) | below(g, i64(1) << 31))
    start_match(g, rules, seats, seed, i64(0), i64(0))


@jit
def deal(g, rules):
    """Shuffle and deal: everything of the deal is new, everything of the match stays."""
    clear_table(g)
    seats = i64(g.seats)
    g.hand[:, :] = 0
    g.held[:] = 0
    g.twice[:] = 0
    g.known[:, :] = 0
    g.thrown[:, :] = 0
    g.refused[:, :] = 0
    forget_stocks(g)
    for s in range(L.MAX_SEATS):
        g.opened[s] = 0
        g.barred[s] = 0
        g.announced[s] = 0
        g.hand_size[s] = 0
        g.penalties[s] = 0
        g.chips[s] = 0
    n = i64(0)
    for suit in range(i64(rules.suits)):
        for p in range(2 if rules.low_position == 1 else i64(rules.low_position), 15):
            for _ in range(i64(rules.decks)):
                g.stock[n] = suit * 13 + (p - 1) % 13
                n += 1
    for _ in range(i64(rules.jokers)):
        g.stock[n] = JOKER
        n += 1
    shuffle(g, g.stock, n)
    playing = i64(0)
    for s in range(seats):
        playing += 1 - i64(g.eliminated[s])
    cards = cards_dealt(g, rules, playing)
    for s in range(seats):
        if g.eliminated[s] == 1:
            continue
        for _ in range(cards):
            n -= 1
            receive_card(g, s, i64(g.stock[n]))
    n -= 1
    g.discards[0] = g.stock[n]
    g.n_discards = 1
    g.on_table[:] = 0
    g.in_pile[:] = 0
    g.in_pile[i64(g.discards[0])] = 1
    g.n_stock = n
    g.n_melds = 0
    g.rebuilds = 0
    g.winner = NO_SEAT
    g.is_kalooki = 0
    g.is_void = 0
    g.is_cut = 0
    g.deal_over = 0
    g.turn = 1
    end_question(g)
    begin_turn(g, next_seat(g, i64(g.dealer)))


@inlined
def _draw_contract(g, rules):
    """Draw the contract of a single deal among those for which the pack suffices."""
    seats, pack = i64(g.seats), i64(0)
    for card in range(L.CARDS):
        pack += i64(rules.pack[card])
    dealt = pack
    while dealt + seats > pack:
        g.deal = 1 + below(g, i64(rules.n_contracts))
        dealt = seats * cards_dealt(g, rules, seats) + 1


@inlined
def cards_dealt(g, rules, playing):
    """Return the cards each of `playing` seats is dealt; a long contract raises the number."""
    cards = i64(rules.hand_size[playing])
    if rules.n_contracts > 0:
        total = i64(0)
        row = min(i64(g.deal), i64(rules.n_contracts)) - 1
        for k in range(L.CONTRACT_MELDS):
            total += i64(rules.contracts[row, k])
        cards = max(cards, total + 1)
    return cards


@inlined
def clear_table(g):
    """Wipe what a table meld of an earlier deal left behind, so that equal games are equal bytes."""
    for m in range(MAX_MELDS):
        meld = g.melds[m]
        meld.kind = 0
        meld.key = 0
        meld.low = 0
        meld.high = 0
        meld.jokers = 0
        meld.laid = 0
        meld.added_low = 0
        meld.added_high = 0
        meld.owner = 0
