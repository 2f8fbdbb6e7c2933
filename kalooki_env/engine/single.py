"""Entry points for one game `i` of an array. From Python an array is cheaper to pass than a record."""

from .apply import apply
from .dealing import next_deal, start_match
from .determinize import determinize
from .jit import entry, i64
from .layout import NO_SEAT
from .legal import list_legal
from .observe import observe

ILLEGAL = -2
"""What `play_at` returns for an action that is not legal."""


@entry
def start_match_at(games, i, rules, seats, seed, is_match, deal_number):
    """Start game `i`: see `dealing.start_match`."""
    start_match(games[i], rules[0], seats, seed, is_match, deal_number)


@entry
def deal_next_at(games, i, rules):
    """Deal the next deal of the match in game `i`."""
    next_deal(games[i], rules[0])


@entry
def list_legal_at(games, i, rules, runs, work, scratch):
    """Write the legal ids of game `i` into `work`; return how many."""
    return list_legal(games[i], rules[0], runs, work[0], scratch)


@entry
def apply_at(games, i, rules, runs, work, scratch, action):
    """Apply one legal action to game `i`."""
    apply(games[i], rules[0], runs, work[0], scratch, action)


@entry
def play_at(games, i, rules, runs, work, scratch, legal, action):
    """Apply an action to game `i` if it is one of its `legal` ids.

    Returns the seat to move then, or NO_SEAT if the deal is over; ILLEGAL if nothing was done.
    """
    for k in range(len(legal)):
        if legal[k] == action:
            g = games[i]
            apply(g, rules[0], runs, work[0], scratch, action)
            return i64(NO_SEAT) if g.deal_over == 1 else i64(g.to_move)
    return i64(ILLEGAL)


@entry
def observe_at(games, i, rules, work, scratch, seat, out):
    """Write what `seat` may know of game `i` into `out`, uint8[SIZE]."""
    observe(games[i], rules[0], work[0], scratch, seat, out)


@entry
def mask_at(games, i, seat, legal, mask):
    """Mark what `seat` may play in game `i` in `mask`, int8[N]: the `legal` ids if it is to move."""
    mask[:] = 0
    if games[i].to_move == seat:
        for k in range(len(legal)):
            mask[i64(legal[k])] = 1


@entry
def look_at(games, i, rules, runs, work, scratch, seat, mask, out):
    """Do what `list_legal_at`, `mask_at` and `observe_at` do; return how many ids are legal."""
    n = list_legal(games[i], rules[0], runs, work[0], scratch)
    mask[:] = 0
    if games[i].to_move == seat:
        for k in range(n):
            mask[i64(work[0].ids[k])] = 1
    observe(games[i], rules[0], work[0], scratch, seat, out)
    return n


@entry
def determinize_at(games, i, rules, runs, work, scratch, seat, seed, tries):
    """Deal anew what `seat` can't know of game `i`: see `determinize.determinize`."""
    return determinize(games[i], rules[0], runs, work[0], scratch, seat, seed, tries)
