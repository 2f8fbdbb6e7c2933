"""Deal anew what a seat can't know, consistently with all that it does know.

Once the stock was rebuilt a card that is not seen comes from the present stock, or still lies in
it, or from an earlier one, and of each hand everybody knows how many of its hidden cards came from
which (`engine/memory.py`): cards and places are dealt stock by stock. What was played since the
rebuild came from a hidden place too; of two equal cards it may have been either.
"""

from . import layout as L
from .apply import end_question
from .bits import copy_row
from .hands import see_hand
from .jit import i64, inlined
from .layout import CARDS, EARLIER, MAX_CARDS
from .legal import list_legal
from .memory import count_hidden
from .moves import taken_alike
from .rng import below, seed_stream, shuffle

TRACES = 1000
"""Times that the seat tries to tell where the cards came from that were played."""
OWN, UNDECIDED, FROM_EARLIER, FROM_PRESENT = range(4)


@inlined
def determinize(g, rules, runs, work, scratch, seat, seed, tries):
    """Exchange in a game whatever `seat` can't know; return False if no try gave a possible deal.

    Unseen cards (in the stock, in other hands and not known there) are dealt to the unseen places;
    every assignment of the cards to the places that agrees with what the seat knows is equally
    likely. It knows the cards that others took or released in the open and still hold, and after a
    rebuild which cards the stock was made of and how many of them each seat has drawn. The hand
    of another seat that is in the middle of its turn must let it end the turn, as any legal turn
    can: hands are dealt until one does, at most `tries` times. A move that another seat has begun
    is taken back, for nobody sees it before it is complete. What the others drew since a rebuild
    is imagined anew too.

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
    count_unseen(g, seat, work.copies)
    remembers = g.rebuilt[seat, 0] != L.UNLIMITED
    for _ in range(tries if in_turn else i64(TRACES)):
        _sort_by_stock(g, work, seat, remembers)
        if remembers and not _trace_plays(g, work, seat):
            continue
        _deal_unseen(g, work, seat, remembers)
        if in_turn:
            _see_twin(g)
        if not in_turn or list_legal(g, rules, runs, work, scratch) > 0:
            return True
    return False


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
def _sort_by_stock(g, work, seat, remembers):
    """Count the unseen cards and the places of hands for them by stock, those that the others have
    played since the rebuild included.

    Without a rebuild there is one stock, the present one.
    """
    for card in range(CARDS):
        present = i64(g.rebuilt[seat, card]) if remembers else i64(work.copies[card])
        work.present[card] = present
        work.earlier[card] = i64(work.copies[card]) - present
    for k in range(i64(g.n_played)):
        if remembers and g.played[k].seat != seat:
            work.earlier[i64(g.played[k].card)] += 1
    work.room[:, :] = 0
    for s in range(i64(g.seats)):
        work.used[s] = 0
        if s == seat:
            continue
        if not remembers:
            work.room[s, EARLIER] = count_hidden(g, s)
            continue
        for k in range(EARLIER):
            work.room[s, k] = g.older[s, k]
        work.room[s, EARLIER] = g.fresh[s]
        copy_row(g.made, g.rebuilt[s], 0)


@inlined
def _trace_plays(g, work, seat):
    """Judge from which stock each card came that the others have played since the rebuild, and take
    it out of the cards and places; return False if it does not work out.

    Mostly there is one answer. Where equal cards leave two, they are as likely as the cards of both
    stocks make them.
    """
    _trace_certain(g, work, seat)
    left = i64(0)
    for card in range(CARDS):
        left += i64(work.present[card])
    for k in range(i64(g.n_played)):
        origin = i64(work.origin[k])
        s, card = i64(g.played[k].seat), i64(g.played[k].card)
        if origin == UNDECIDED:
            free = i64(g.played[k].drawn) - i64(work.used[s])
            free = max(min(free, i64(work.room[s, EARLIER])), i64(0))
            at, hidden = i64(g.stock_of[card]), i64(0)
            for other in range(i64(g.seats)):
                hidden += max(i64(work.room[other, at]), i64(0))
            earlier = i64(work.earlier[card]) * max(i64(work.room[s, at]), i64(0)) * left
            present = i64(work.present[card]) * free * max(hidden, i64(1))
            if earlier + present == 0:
                return False
            origin = FROM_PRESENT if below(g, earlier + present) < present else FROM_EARLIER
            left -= i64(origin == FROM_PRESENT)
            _take_out(g, work, s, card, origin)
        if origin == FROM_PRESENT:
            work.used[s] += 1
            if work.used[s] > g.played[k].drawn:
                return False
    return True


@inlined
def _trace_certain(g, work, seat):
    """Judge the plays that leave no doubt, so that the others are left what these do not need."""
    for k in range(i64(g.n_played)):
        s, card = i64(g.played[k].seat), i64(g.played[k].card)
        work.origin[k] = UNDECIDED
        if s == seat:
            work.origin[k] = OWN
        elif work.present[card] == 0 or g.played[k].drawn == 0:
            work.origin[k] = FROM_EARLIER
        elif work.earlier[card] == 0:
            work.origin[k] = FROM_PRESENT
        _take_out(g, work, s, card, i64(work.origin[k]))


@inlined
def _take_out(g, work, s, card, origin):
    """Take a card that seat `s` has played out of the cards and places of the stock it came from."""
    if origin == FROM_EARLIER:
        work.earlier[card] -= 1
        work.room[s, i64(g.stock_of[card])] -= 1
    elif origin == FROM_PRESENT:
        work.present[card] -= 1
        work.room[s, EARLIER] -= 1
        g.rebuilt[s, card] -= 1


@inlined
def _deal_unseen(g, work, seat, remembers):
    """Deal the cards of each stock to its places in the hands, what is left of the present one to
    the stock."""
    n_cards, n_places = i64(0), i64(0)
    for k in range(EARLIER + 1):
        first = n_places
        for s in range(i64(g.seats)):
            for _ in range(i64(work.room[s, k])):
                work.places[n_places] = s
                n_places += 1
        for card in range(CARDS):
            copies = i64(work.present[card])
            if k < EARLIER:
                copies = i64(work.earlier[card]) if g.stock_of[card] == k else i64(0)
            for _ in range(copies):
                work.cards[n_cards] = card
                n_cards += 1
        shuffle(g, work.places[first:n_places], n_places - first)
        shuffle(g, work.cards[first:n_cards], n_cards - first)
    for s in range(i64(g.seats)):
        if s != seat:
            copy_row(g.known[s], g.hand[s], 0)
    first = n_places
    for s in range(i64(g.seats)):
        first -= i64(work.room[s, EARLIER])
    for k in range(n_places):
        s, card = i64(work.places[k]), i64(work.cards[k])
        g.hand[s, card] += 1
        if remembers and k >= first:
            g.rebuilt[s, card] -= 1
    for s in range(i64(g.seats)):
        g.held[s], g.twice[s] = see_hand(g.hand[s])
    for k in range(i64(g.n_stock)):
        g.stock[k] = work.cards[n_places + k]


@inlined
def _see_twin(g):
    """Settle whether the seat to move held an equal card before it took one, from its new hand."""
    mover, card = i64(g.to_move), i64(g.taken)
    if card < 0:
        return
    g.taken_twin = 1 if i64(g.hand[mover, card]) + taken_alike(g) >= 2 else 0
