"""Trying out the moves of a turn."""

from ...action_tables import DISCARD, NO_SPARE
from ...engine import layout as L
from ...engine.apply import apply
from ...engine.jit import i64, inlined, jit
from ...engine.layout import CARDS
from ...engine.legal import list_legal
from .layout import MOVES


@jit
def note_moves(mind, depth, work):
    """Keep the legal moves in `work` that are no discards; return how many there are."""
    n = i64(0)
    for k in range(min(i64(work.n_ids), i64(MOVES))):
        if work.ids[k] >= DISCARD:
            break
        mind.moves[depth, n] = work.ids[k]
        n += 1
    mind.n_moves[depth] = n
    mind.next[depth] = 0
    return n


@jit
def answer(work):
    """Return the answer to the question of a begun move, whose legal ids are in `work`: no further
    joker, else the first place or meld."""
    last = i64(work.ids[i64(work.n_ids) - 1])
    return last if last == NO_SPARE else i64(work.ids[0])


@inlined
def play_whole(g, rules, runs, work, scratch, action):
    """Play a move with the answers to what it asks."""
    apply(g, rules, runs, work, scratch, action)
    while g.question != L.NO_QUESTION:
        list_legal(g, rules, runs, work, scratch)
        apply(g, rules, runs, work, scratch, answer(work))


@jit
def weigh(mind, action, worth):
    """Note an option of this decision."""
    n = i64(mind.n_options)
    mind.option[n] = action
    mind.worth[n] = worth
    mind.n_options = n + 1


@jit
def weigh_discards(mind, nothing):
    """Note the discards that `best_discard` has weighed."""
    for card in range(CARDS):
        if mind.discard_worth[card] > nothing:
            weigh(mind, DISCARD + card, mind.discard_worth[card])
