"""Entry points over many games: list, observe, step. One call from Python each."""

from .apply import apply
from .bits import prefetch
from .dealing import next_single_deal
from .jit import entry, i64, inlined
from .layout import FIRST_BYTES
from .legal import list_legal
from .observe import observe

SHORT = 16
"""Entries of a packed legal list that are read and written at once."""


@entry
def list_many(games, rules, runs, work, scratch, ids, counts):
    """Write the legal ids of every game into the rows of `ids` (int16[n, >= most]) and their
    counts."""
    for i in range(len(games)):
        g = games[i]
        n = list_legal(g, rules[0], runs, work[0], scratch)
        counts[i] = n
        for k in range(n):
            ids[i, k] = work[0].ids[k]


@entry
def mask_many(ids, counts, mask):
    """Turn legal lists into rows of `mask` (int8[n, N])."""
    mask[:] = 0
    for i in range(len(counts)):
        for k in range(counts[i]):
            mask[i, i64(ids[i, k])] = 1


@entry
def observe_many(games, rules, work, scratch, out):
    """Write the observation of each game's seat to move into the rows of `out` (uint8[n, SIZE])."""
    for i in range(len(games)):
        g = games[i]
        observe(g, rules[0], work[0], scratch, max(i64(g.to_move), i64(0)), out[i])


@inlined
def _settle_row(g, i, done, winner, penalties, rewards, turns, ends):
    """Write how the deal in row `i` ended."""
    done[i] = True
    winner[i] = g.winner
    turns[i] = g.turn
    ends[0, i] = g.is_void == 1
    ends[1, i] = g.is_cut == 1
    ends[2, i] = g.is_kalooki == 1
    total = i64(0)
    for s in range(penalties.shape[1]):
        penalties[i, s] = g.penalties[s]
        rewards[i, s] = -i64(g.penalties[s]) / 100.0
        total += i64(g.penalties[s])
    if g.winner >= 0:
        rewards[i, i64(g.winner)] = total / 100.0


@entry
def unpack_lists(lists, starts, ids, counts):
    """Write packed legal lists to the beginnings of the rows of `ids`, and their lengths."""
    for i in range(len(counts)):
        start, end = i64(starts[i]), i64(starts[i + 1])
        counts[i] = end - start
        for k in range(end - start):
            ids[i, k] = lists[start + k]


@entry
def sample_many(lists, starts, uniforms, chosen):
    """Choose a legal action in every game, each as likely, by a number in [0, 1) for each."""
    for i in range(len(chosen)):
        start = i64(starts[i])
        chosen[i] = lists[start + i64(uniforms[i] * (i64(starts[i + 1]) - start))]


# Most lists are short. Taking the first entries without asking how many there are is quicker than
# a loop whose end the processor guesses wrong.


@inlined
def _pack_list(work, count, lists, starts, i):
    """Append the legal list of game `i` to those of the games before it."""
    start = i64(starts[i])
    for k in range(SHORT):
        lists[start + k] = work[0].ids[k]
    for k in range(SHORT, count):
        lists[start + k] = work[0].ids[k]
    starts[i + 1] = start + count


@inlined
def _is_listed(lists, start, end, action):
    """Tell whether a packed legal list has `action`."""
    listed = False
    for k in range(SHORT):
        listed |= (lists[start + k] == action) & (start + k < end)
    for k in range(start + SHORT, end):
        listed |= lists[k] == action
    return listed


@entry
def step_many(
    games, rules, runs, work, scratch, actions, lists, starts, auto_play,
    done, winner, penalties, rewards, turns, ends, seen, mask,
):  # fmt: skip
    """Apply one action in every game; deal anew where a deal ended; leave the legal lists of what
    follows. With no `actions` the games were just dealt, or put in place, and are listed only.

    The legal list of game `i` is `lists[starts[i]:starts[i + 1]]`: packed, since most are short and
    memory is what a step waits for, with room for `SHORT` entries more behind them. They hold the
    current lists, and the next ones on return. Returns -1, or the first row whose action is not
    legal: then nothing has changed. With `auto_play` decisions with one legal action are taken
    here, in the new deals too. `seen` (uint8[n, SIZE]) and `mask` (int8[n, N]) are filled unless
    they have no rows: at once, while the game is in the cache.
    """
    n = len(games)
    for i in range(len(actions)):
        if not _is_listed(lists, i64(starts[i]), i64(starts[i + 1]), actions[i]):
            return i
    for i in range(n):
        prefetch(games, i + 1, FIRST_BYTES)
        g = games[i]
        action, report = i64(-1), False
        if len(actions) > 0:
            action, report, done[i] = i64(actions[i]), True, False
        while True:
            if action >= 0:
                apply(g, rules[0], runs, work[0], scratch, action)
                if g.deal_over == 1:
                    # Further deals that end by forced moves alone had no decision: not reported.
                    if report:
                        _settle_row(g, i, done, winner, penalties, rewards, turns, ends)
                    report = False
                    next_single_deal(g, rules[0], i64(g.seats))
            count = list_legal(g, rules[0], runs, work[0], scratch)
            if not auto_play or count != 1:
                break
            action = i64(work[0].ids[0])
        _pack_list(work, count, lists, starts, i)
        if len(seen) > 0:
            observe(g, rules[0], work[0], scratch, i64(g.to_move), seen[i])
        if len(mask) > 0:
            mask[i, :] = 0
            for k in range(count):
                mask[i, i64(work[0].ids[k])] = 1
    return -1
