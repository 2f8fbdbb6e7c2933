"""Trying out the moves of a turn."""

from ...action_tables import DISCARD, LAYOFF_RUN, LAYOFF_SET, NO_SPARE, SWAP_RUN
from ...engine import layout as L
from ...engine.apply import apply
from ...engine.jit import i64, inlined, jit
from ...engine.layout import CARDS, JOKER
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
def note_some(g, rules, runs, mind, work, scratch, depth, first, end):
    """Keep the legal ids from `first` on before `end`, lay-offs of jokers last; all answers to a
    question."""
    n, asked = i64(0), g.question != L.NO_QUESTION
    list_legal(g, rules, runs, work, scratch)
    for joker in range(2):
        for k in range(i64(work.n_ids)):
            action = i64(work.ids[k])
            if (asked or first <= action < end) and _lays_joker(action) == joker:
                mind.moves[depth, n] = action
                n += 1
    mind.n_moves[depth] = n
    mind.next[depth] = 0


@jit
def _lays_joker(action):
    """Return 1 for the lay-off of a joker, else 0."""
    if action < LAYOFF_SET:
        return (action - LAYOFF_RUN) % 2
    return i64(LAYOFF_SET + JOKER <= action < SWAP_RUN)


@inlined
def play_next(rules, runs, mind, work, scratch, trials, depth):
    """Play the next of the moves kept for `trials[depth]`, in the copy behind it; return it, or -1."""
    k = i64(mind.next[depth])
    if k >= mind.n_moves[depth]:
        return i64(-1)
    mind.next[depth] = k + 1
    mind.left -= 1
    trials[depth + 1] = trials[depth]
    action = i64(mind.moves[depth, k])
    apply(trials[depth + 1], rules, runs, work, scratch, action)
    return action


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
