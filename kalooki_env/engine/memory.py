"""What everybody has seen of where hidden cards come from, once the stock was rebuilt.

Before that any card that was not seen may be in any hand. Afterwards everybody knows the cards of
the new stock and who has drawn from it: the hand of a seat that has not drawn stays within what was
in the hands at the rebuild. So each *hidden* card of a hand (not `known` to be there) came from the
present stock or an earlier one, and each card from the one that it was last shuffled into.

Of the present stock these are kept: its cards (`made`), who has drawn from it (`fresh`) and what
was played from the hidden cards since (`played`). Which of two equal cards that was, each seat
judges by what it knows (`engine/determinize.py`). Of the earlier ones it is kept how many hidden
cards of each hand came from which (`older`), and which it was for the cards that were hidden at the
rebuild (`stock_of`). Stocks that equal cards do not let everybody tell apart count as one, and so
do the last beyond `EARLIER`.
"""

from . import layout as L
from .bits import copy_row
from .jit import i64, inlined, jit
from .layout import CARDS, EARLIER


@jit
def remember_played(g, seat, card):
    """Note that a seat played a card that nobody knew to be in its hand."""
    if g.rebuilds == 0:
        return
    n = i64(g.n_played)
    g.played[n].seat = seat
    g.played[n].card = card
    g.played[n].drawn = g.fresh[seat]
    g.n_played = n + 1


@jit
def is_remembered(g):
    """Tell whether the present stock is one whose making was seen: a position does not tell."""
    for card in range(CARDS):
        if g.made[card] > 0:
            return True
    return False


@inlined
def remember_rebuild(g):
    """Count the stock that ran out among the earlier ones, and begin with the one just made."""
    if is_remembered(g):
        _close_stock(g)
    else:
        _first_stock(g)
    g.fresh[:] = 0
    g.n_played = 0
    g.made[:] = 0
    for k in range(i64(g.n_stock)):
        g.made[i64(g.stock[k])] += 1
    for s in range(i64(g.seats)):
        copy_row(g.made, g.rebuilt[s], 0)


@inlined
def forget_stocks(g):
    """Begin a deal, in which any card that is not seen may be in any hand."""
    g.rebuilt[:, :] = L.UNLIMITED
    g.made[:] = 0
    g.fresh[:] = 0
    g.stock_of[:] = 0
    g.older[:, :] = 0
    for k in range(i64(g.n_played)):
        g.played[k].seat = 0
        g.played[k].card = 0
        g.played[k].drawn = 0
    g.n_played = 0


@jit
def count_hidden(g, seat):
    """Return how many cards of a hand are not known to be there."""
    hidden = i64(g.hand_size[seat])
    for card in range(CARDS):
        hidden -= i64(g.known[seat, card])
    return hidden


@inlined
def _first_stock(g):
    """What is hidden now came from the first stock, the cards that were dealt included."""
    g.stock_of[:] = 0
    g.older[:, :] = 0
    for s in range(i64(g.seats)):
        g.older[s, 0] = count_hidden(g, s)


@inlined
def _close_stock(g):
    """Count what was drawn from the stock that ran out, and what was played, to where it came from."""
    for k in range(i64(g.n_played)):
        card = i64(g.played[k].card)
        if g.made[card] == 0:
            g.older[i64(g.played[k].seat), i64(g.stock_of[card])] -= 1
    at = _place_for_stock(g)
    for k in range(i64(g.n_played)):
        if g.made[i64(g.played[k].card)] > 0:
            g.older[i64(g.played[k].seat), at] -= 1
    for s in range(i64(g.seats)):
        g.older[s, at] += g.fresh[s]
    for card in range(CARDS):
        if g.made[card] > 0:
            g.stock_of[card] = at


@inlined
def _place_for_stock(g):
    """Return as which of the earlier stocks the one that ran out counts: one of its own, or that of
    the hidden cards to which some of its cards are equal."""
    at = i64(-1)
    for card in range(CARDS):
        if g.made[card] == 0:
            continue
        # All its cards were drawn. What else was hidden and is now, or was played since?
        hidden = -i64(g.made[card])
        for s in range(i64(g.seats)):
            hidden += i64(g.hand[s, card]) - i64(g.known[s, card])
        for k in range(i64(g.n_played)):
            hidden += i64(g.played[k].card == card)
        if hidden > 0:
            at = _as_one(g, at, i64(g.stock_of[card]))
    if at >= 0:
        return at
    for k in range(EARLIER - 1):
        left = i64(0)
        for s in range(i64(g.seats)):
            left += i64(g.older[s, k])
        if left == 0:
            return i64(k)
    return i64(EARLIER - 1)


@jit
def _as_one(g, at, other):
    """Let two of the earlier stocks count as one (`at` -1: there is only the other); return it."""
    if at < 0 or at == other:
        return other
    for s in range(i64(g.seats)):
        g.older[s, at] += g.older[s, other]
        g.older[s, other] = 0
    for card in range(CARDS):
        if g.stock_of[card] == other:
            g.stock_of[card] = at
    return at
