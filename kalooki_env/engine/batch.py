"""Entry points over many games: start, list, observe, step. One call from Python each."""

from . import layout as L
from .apply import apply, clear_table, deal
from .bits import copy_row
from .jit import i64, jit
from .layout import NO_SEAT
from .legal import list_legal
from .match import next_seat
from .observe import observe
from .rng import below, seed_stream


@jit
def start_match(games, i, rules, seats, seed, is_match, deal_number):
    """Start game `i` from a uint64 seed: first dealer drawn, entry paid, the first deal dealt.

    `deal_number` names the contract of a single deal; 0 draws it.
    """
    g = games[i]
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
        g.money[s] = -rules[0].initial if s < seats else 0
        g.to_decide[s] = 0
    g.pool = i64(rules[0].initial) * seats
    g.dealer = below(g, seats)
    if deal_number > 0:
        g.deal = deal_number
    elif is_match == 0 and rules[0].n_contracts > 0:
        g.deal = 1 + below(g, i64(rules[0].n_contracts))
    else:
        g.deal = 1
    clear_table(g)
    deal(g, rules)


@jit
def next_deal(g, rules):
    """Deal again after a deal: the next one, or after a void or cut deal the same by the same
    dealer."""
    if g.winner != NO_SEAT:
        g.dealer = next_seat(g, i64(g.dealer))
        g.deal += 1
    clear_table(g)
    deal(g, rules)


@jit
def next_single_deal(games, i, rules, seats):
    """Start another single deal in slot `i` from the next number of its stream."""
    g = games[i]
    seed = (below(g, i64(1) << 31) << 31) | below(g, i64(1) << 31)
    start_match(games, i, rules, seats, seed, i64(0), i64(0))


@jit
def list_many(games, rules, runs, work, scratch, ids, counts):
    """Write the legal ids of every game into the rows of `ids` (int16[n, >= most]) and their
    counts."""
    for i in range(len(games)):
        n = list_legal(games, i, rules, runs, work, scratch)
        counts[i] = n
        for k in range(n):
            ids[i, k] = work[0].ids[k]


@jit
def mask_many(ids, counts, mask):
    """Turn legal lists into rows of `mask` (int8[n, N])."""
    mask[:] = 0
    for i in range(len(counts)):
        for k in range(counts[i]):
            mask[i, i64(ids[i, k])] = 1


@jit
def observe_many(games, rules, work, scratch, out):
    """Write the observation of each game's seat to move into the rows of `out` (uint8[n, SIZE])."""
    for i in range(len(games)):
        observe(games, i, rules, work, scratch, max(i64(games[i].to_move), i64(0)), out[i])


@jit
def deal_next(games, i, rules):
    """Deal the next deal of the match in game `i`."""
    next_deal(games[i], rules)


@jit
def _settle_row(g, i, done, winner, penalties, rewards, turns, ends):
    """Write how the deal in row `i` ended."""
    done[i] = True
    winner[i] = g.winner
    turns[i] = g.turn
    ends[i, 0] = g.is_void == 1
    ends[i, 1] = g.is_cut == 1
    ends[i, 2] = g.is_kalooki == 1
    total = i64(0)
    for s in range(penalties.shape[1]):
        penalties[i, s] = g.penalties[s]
        rewards[i, s] = -i64(g.penalties[s]) / 100.0
        total += i64(g.penalties[s])
    if g.winner >= 0:
        rewards[i, i64(g.winner)] = total / 100.0


@jit
def unpack_lists(lists, starts, ids, counts):
    """Write packed legal lists to the beginnings of the rows of `ids`, and their lengths."""
    for i in range(len(counts)):
        start, end = i64(starts[i]), i64(starts[i + 1])
        counts[i] = end - start
        for k in range(end - start):
            ids[i, k] = lists[start + k]


@jit
def _pack_list(work, count, lists, starts, i):
    """Append the legal list of game `i` to those of the games before it."""
    start = i64(starts[i])
    for k in range(count):
        lists[start + k] = work[0].ids[k]
    starts[i + 1] = start + count


@jit
def step_many(
    games, rules, runs, work, scratch, actions, lists, starts, auto_play,
    done, winner, penalties, rewards, turns, ends, seen, mask,
):  # fmt: skip
    """Apply one action in every game; deal anew where a deal ended; leave the legal lists of what
    follows.

    The legal list of game `i` is `lists[starts[i]:starts[i + 1]]`: packed, since most are short and
    memory is what a step waits for. They hold the current lists, and the next ones on return.
    Returns -1, or the first row whose action is not legal: then nothing has changed. With
    `auto_play` decisions with one legal action are taken here, in the new deals too. `seen`
    (uint8[n, SIZE]) and `mask` (int8[n, N]) are filled unless they have no rows: at once, while the
    game is in the cache.
    """
    n = len(games)
    for i in range(n):
        legal = False
        for k in range(i64(starts[i]), i64(starts[i + 1])):
            if lists[k] == actions[i]:
                legal = True
                break
        if not legal:
            return i
    for i in range(n):
        g = games[i]
        done[i] = False
        apply(games, i, rules, runs, work, scratch, i64(actions[i]))
        if g.deal_over == 1:
            _settle_row(g, i, done, winner, penalties, rewards, turns, ends)
            next_single_deal(games, i, rules, i64(g.seats))
        while True:
            count = list_legal(games, i, rules, runs, work, scratch)
            if not auto_play or count != 1:
                break
            apply(games, i, rules, runs, work, scratch, i64(work[0].ids[0]))
            if g.deal_over == 1:
                # A second deal that ends by forced moves alone had no decision and is not reported.
                if not done[i]:
                    _settle_row(g, i, done, winner, penalties, rewards, turns, ends)
                next_single_deal(games, i, rules, i64(g.seats))
        _pack_list(work, count, lists, starts, i)
        if len(mask) > 0:
            _write_mask(work, count, mask[i])
        if len(seen) > 0:
            # Put together near the processor and then copied: the copy reaches memory while the
            # next game is worked on.
            observe(games, i, rules, work, scratch, i64(g.to_move), work[0].seen)
            copy_row(work[0].seen, seen[i], i64(0))
    return -1


@jit
def _write_mask(work, count, out):
    """Write the legal list in `work` as a mask, int8[N]."""
    mask = work[0].mask
    for k in range(count):
        mask[i64(work[0].ids[k])] = 1
    copy_row(mask, out, i64(0))
    for k in range(count):
        mask[i64(work[0].ids[k])] = 0


@jit
def start_many(games, rules, runs, work, scratch, lists, starts, auto_play):
    """List the legal ids of games that were just dealt, playing forced moves first with
    `auto_play`."""
    for i in range(len(games)):
        while True:
            count = list_legal(games, i, rules, runs, work, scratch)
            if not auto_play or count != 1:
                break
            apply(games, i, rules, runs, work, scratch, i64(work[0].ids[0]))
            if games[i].deal_over == 1:
                next_single_deal(games, i, rules, i64(games[i].seats))
        _pack_list(work, count, lists, starts, i)
