"""Deal anew what a seat can't know, consistently with all that it does know."""

from . import layout as L
from .apply import end_question
from .bits import copy_row
from .hands import see_hand
from .jit import i64, inlined
from .layout import CARDS, MAX_CARDS
from .legal import list_legal
from .rng import seed_stream, shuffle


@inlined
def determinize(g, rules, runs, work, scratch, seat, seed, tries):
    """Exchange in a game whatever `seat` can't know; return False if no try gave a possible deal.

    Unseen cards (in the stock, in other hands and not known there) are dealt to the unseen places;
    every assignment of the cards to the places that agrees with what the seat knows is equally
    likely. It knows the cards that others took or released in the open and still hold, and after a
    rebuild which cards the stock was made of: a card that is not among them is in a hand. The hand
    of another seat that is in the middle of its turn must let it end the turn, as any legal turn
    can: hands are dealt until one does, at most `tries` times. A move that another seat has begun
    is taken back, for nobody sees it before it is complete. What the others drew since a rebuild
    is imagined anew too: as many cards as each drew, roughly those that it holds now first.

    The game gets the random stream of `seed` (uint64). After the end of a deal all hands have been
    shown, and only the stock is shuffled.
    """
    seed_stream(g, seed)
    g.stock[i64(g.n_stock) : MAX_CARDS] = 0
    if g.deal_over == 1:
        shuffle(g, g.stock, i64(g.n_stock))
        return True
    in_turn = g.phase == L.PLAY and g.to_move != seat
    if in_turn:
        end_question(g)
    in_hands, unseen = _gather(g, work, seat)
    was_rebuilt = g.rebuilt[seat, 0] != L.UNLIMITED
    if was_rebuilt:
        _see_rebuild(g, work)
    possible = False
    for _ in range(tries if in_turn else 1):
        _deal_unseen(g, work, seat, in_hands, unseen)
        if in_turn:
            _see_twin(g)
        possible = not in_turn or list_legal(g, rules, runs, work, scratch) > 0
        if possible:
            break
    if was_rebuilt:
        _imagine_draws(g, work, seat)
    return possible


@inlined
def count_unseen(g, seat, copies):
    """Count into `copies` (int8[53]) the cards that lie where `seat` can't see them."""
    copies[:] = 0
    for k in range(i64(g.n_stock)):
        copies[i64(g.stock[k])] += 1
    for s in range(i64(g.seats)):
        if s != seat:
            for card in range(CARDS):
                copies[card] += g.hand[s, card] - g.known[s, card]


@inlined
def _gather(g, work, seat):
    """List the unseen cards in `work.cards`, those that can't be in the stock first.

    Returns how many can't be in the stock, and how many there are.
    """
    count_unseen(g, seat, work.copies)
    n = i64(0)
    for card in range(CARDS):
        for _ in range(i64(work.copies[card]) - i64(g.rebuilt[seat, card])):
            work.cards[n] = card
            work.copies[card] -= 1
            n += 1
    in_hands = n
    for card in range(CARDS):
        for _ in range(i64(work.copies[card])):
            work.cards[n] = card
            n += 1
    return in_hands, n


@inlined
def _deal_unseen(g, work, seat, in_hands, unseen):
    """Deal the cards of `work.cards` to the unseen places, the first `in_hands` to hands only."""
    n_stock = i64(g.n_stock)
    n_places = i64(0)
    for s in range(i64(g.seats)):
        if s == seat:
            continue
        size = i64(g.hand_size[s])
        for card in range(CARDS):
            size -= i64(g.known[s, card])
            g.hand[s, card] = g.known[s, card]
        for _ in range(size):
            work.places[n_places] = s
            n_places += 1
    shuffle(g, work.places, n_places)
    shuffle(g, work.cards[in_hands:unseen], unseen - in_hands)
    for k in range(n_places):
        g.hand[i64(work.places[k]), i64(work.cards[k])] += 1
    for s in range(i64(g.seats)):
        g.held[s], g.twice[s] = see_hand(g.hand[s])
    for k in range(n_stock):
        g.stock[k] = work.cards[n_places + k]


@inlined
def _see_rebuild(g, work):
    """Write which cards the stock was made of at the last rebuild to `work.copies`, and how many
    of them each seat drew to `work.drawn`: what everybody knows.

    Each card drawn since is missing from what its seat counts and from the stock, so together the
    seats count the rebuilt stock once for each of them but one, and the stock that is left.
    """
    work.copies[:] = 0
    for k in range(i64(g.n_stock)):
        work.copies[i64(g.stock[k])] -= 1
    seats, made = i64(g.seats), i64(0)
    for card in range(CARDS):
        counted = i64(work.copies[card])
        for s in range(seats):
            counted += i64(g.rebuilt[s, card])
        work.copies[card] = counted // (seats - 1)
        made += i64(work.copies[card])
    for s in range(seats):
        work.drawn[s] = made
        for card in range(CARDS):
            work.drawn[s] -= i64(g.rebuilt[s, card])


@inlined
def _imagine_draws(g, work, seat):
    """Write for the other seats what they would count, had they drawn what is no longer in the
    stock."""
    for s in range(i64(g.seats)):
        if s != seat:
            copy_row(work.copies, g.rebuilt[s], 0)
    copy_row(g.rebuilt[seat], work.copies, 0)
    for k in range(i64(g.n_stock)):
        work.copies[i64(g.stock[k])] -= 1
    for from_hand in range(1, -1, -1):
        for s in range(i64(g.seats)):
            if s == seat:
                continue
            for card in range(CARDS):
                most = min(i64(work.copies[card]), i64(work.drawn[s]))
                if from_hand == 1:
                    most = min(most, i64(g.hand[s, card]) - i64(g.known[s, card]))
                g.rebuilt[s, card] -= most
                work.copies[card] -= most
                work.drawn[s] -= most


@inlined
def _see_twin(g):
    """Settle whether the seat to move held an equal card before it took one, from its new hand."""
    mover, card = i64(g.to_move), i64(g.taken)
    if card < 0:
        return
    g.taken_twin = 1 if i64(g.hand[mover, card]) + i64(g.taken_laid) >= 2 else 0
