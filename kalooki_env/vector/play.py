"""The compiled part: rows of games are played up to the learner's decisions.

What an action pays and which deal follows is what `kalooki_env.episode` says, for one seat. The
agents `random` and `greedy` are played here, with the same choices as they make themselves; other
agents are asked for theirs, so a row whose next choice is theirs stops.
"""

import numpy as np

from kalooki_env.action_tables import DRAW
from kalooki_env.agents.greedy import greedy_choice
from kalooki_env.engine.apply import apply
from kalooki_env.engine.dealing import next_deal, start_match
from kalooki_env.engine.jit import entry, i64, inlined, jit
from kalooki_env.engine.layout import INTERPRETED, MAX_SEATS, NO_SEAT
from kalooki_env.engine.legal import list_legal
from kalooki_env.engine.observe import observe
from kalooki_env.engine.rng import mix

ASKED, RANDOM, GREEDY = 0, 1, 2
"""How the seats opposite are played: by an agent that is asked, or here."""
POINTS, WIN, CHIPS = 0, 1, 2
"""Rewards, in the order of `kalooki_env.episode.REWARDS`."""

ROW = np.dtype(
    [
        ("reward", "f8"),  # what the learner is owed since its last decision
        ("ledger", "i8"),  # its money when it was last paid
        ("seat", "i4"),  # the learner's
        ("lost", "i4"),  # seats (bits) whose elimination the reward "win" has paid
        ("count", "i4"),  # legal actions of the seat to move; 0 where the game was just dealt
        ("over", "i4"),  # the episode is
        ("turn", "i4"),
        # the last deal that ended since the learner's last decision
        ("winner", "i4"),
        ("penalties", "i4", MAX_SEATS),
        ("kalooki", "i4"),
        ("void", "i4"),
        ("cut", "i4"),
    ]
)
"""What the environment keeps of one row beside its game."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(11)


def _wrapping(function):
    """Let uint64 numbers wrap round without a warning where the code runs interpreted."""
    return np.errstate(over="ignore")(function) if INTERPRETED else function


@jit
def forget_outcome(row):
    """Set the fields of the last deal that ended to what they say where none has."""
    row.winner = NO_SEAT
    row.kalooki = 0
    row.void = 0
    row.cut = 0
    for s in range(MAX_SEATS):
        row.penalties[s] = 0


@entry
def deal_rows(games, rows, which, keys, rules, seats, is_match, deal_number):
    """Start `games[which[k]]` from the stream `keys[k]`; the learner's seats are in `rows`."""
    for k in range(len(which)):
        i = which[k]
        start_match(games[i], rules[0], seats, keys[k], is_match, deal_number)
        row = rows[i]
        row.reward = 0.0
        row.ledger = 0
        row.lost = 0
        row.count = 0
        row.over = 0
        forget_outcome(row)


@entry
def find_illegal(rows, ids, chosen, ignored, illegal):
    """Write into `illegal` (bool[n]) which rows, not `ignored`, have an action out of their list."""
    for i in range(len(rows)):
        illegal[i] = not ignored[i] and not _is_listed(rows, ids, i, chosen[i])


@entry
def forget_outcomes(rows):
    """Forget the deals that ended before this step."""
    for i in range(len(rows)):
        forget_outcome(rows[i])


@jit
def _is_listed(rows, ids, i, action):
    listed = False
    for c in range(rows[i].count):
        listed = listed or ids[i, c] == action
    return listed


@entry
def advance(
    games, rows, ids, which, chosen, rules, runs, work, scratch, reward, auto_play,
    kinds, seeds, penalties, joker_value,
):  # fmt: skip
    """Play `chosen[k]` in row `which[k]`, then all that follows without the learner or an agent.

    `kinds[p]` and `seeds[p]` say who sits p + 1 places to the learner's left. With `auto_play` the
    learner's decisions with one legal action are taken too. In a row that was just dealt nothing is
    chosen. `ids` and `rows.count` keep the legal lists; a row that is over has `DRAW` alone.

    Returns the number of rows in which an agent is to be asked, now the first of `which`; or
    -1 - k: `chosen[k]` is not legal.
    """
    waiting = 0
    for k in range(len(which)):
        i = which[k]
        g, row = games[i], rows[i]
        if row.count > 0:
            if not _is_listed(rows, ids, i, chosen[k]):
                return -1 - k
            _play(g, rules[0], runs, work[0], scratch, i64(chosen[k]), row, reward)
        while not _is_over(g):
            place = (i64(g.to_move) - i64(row.seat)) % i64(g.seats)
            kind = kinds[place - 1] if place > 0 else ASKED
            if kind == GREEDY:
                action = greedy_choice(g, rules[0], runs, penalties, joker_value, work[0], scratch)
            else:
                count = list_legal(g, rules[0], runs, work[0], scratch)
                if kind == RANDOM:
                    action = i64(work[0].ids[_draw(g, seeds[place - 1], count)])
                elif count == 1 and (place > 0 or auto_play):
                    action = i64(work[0].ids[0])
                else:
                    row.count = count
                    for c in range(count):
                        ids[i, c] = work[0].ids[c]
                    if place > 0:
                        which[waiting] = i
                        waiting += 1
                    break
            _play(g, rules[0], runs, work[0], scratch, action, row, reward)
        row.turn = g.turn
        if _is_over(g):
            row.over = 1
            row.count = 1
            ids[i, 0] = DRAW
    return waiting


@jit
def _is_over(g):
    return g.match_over == 1 if g.is_match == 1 else g.deal_over == 1


@_wrapping
@jit
def _draw(g, seed, count):
    """Choose one of `count` as the agent `random` of this seed does: see `agents.base.uniforms`."""
    seat = i64(g.to_move)
    state = mix(np.uint64(g.key) + mix(np.uint64(seed) + _GOLDEN))
    state = mix(state + _GOLDEN + np.uint64(g.drawn))
    state = mix(state + _GOLDEN + np.uint64(g.turn))
    state = mix(state + _GOLDEN + np.uint64(g.phase))
    state = mix(state + _GOLDEN + np.uint64(seat))
    state = mix(state + _GOLDEN + np.uint64(g.hand_size[seat]))
    state = mix(state + _GOLDEN + np.uint64(g.swaps))
    state = mix(state + _GOLDEN + np.uint64(g.n_half))
    return i64(i64(state >> _SHIFT) * 2.0**-53 * count)


@jit
def _play(g, rules, runs, work, scratch, action, row, reward):
    """Play an action, pay the learner, note a deal that ended and deal the next one of a match."""
    was_over = g.deal_over == 1
    apply(g, rules, runs, work, scratch, action)
    if g.deal_over == 0:
        return
    row.reward += _payment(g, row, was_over, reward)
    if not was_over:
        row.winner = g.winner
        row.kalooki = g.is_kalooki
        row.void = g.is_void
        row.cut = g.is_cut
        for s in range(i64(g.seats)):
            row.penalties[s] = g.penalties[s]
    if not _is_over(g) and g.to_move == NO_SEAT:
        next_deal(g, rules)


@jit
def _payment(g, row, was_over, reward):
    """Return what the end of a deal, or a buy-in decided after it, pays the learner."""
    seat = i64(row.seat)
    if reward == CHIPS:
        if g.is_match == 0:
            return float(g.chips[seat])
        before = i64(row.ledger)
        row.ledger = g.money[seat]
        return float(i64(g.money[seat]) - before)
    if reward == WIN:
        return _win(g, row)
    if was_over or g.winner == NO_SEAT:
        return 0.0
    if seat != g.winner:
        return -i64(g.penalties[seat]) / 100.0
    total = i64(0)
    for s in range(i64(g.seats)):
        total += i64(g.penalties[s])
    return total / 100.0


@inlined
def _win(g, row):
    """Return the learner's share of -1 when it is eliminated, and of +1 or -1 at the end."""
    seat, seats = i64(row.seat), i64(g.seats)
    if not _is_over(g):
        payment = 0.0
        for s in range(seats):
            if g.eliminated[s] == 1 and not _has_left(row, s):
                row.lost = i64(row.lost) | i64(1) << s
                if s == seat:
                    payment = -1.0 / (seats - 1)
        return payment
    winners, left, losers = i64(0), i64(0), i64(0)
    for s in range(seats):
        if _has_won(g, s):
            winners += 1
        elif _has_left(row, s):
            left += 1
        else:
            losers += 1
    paid = left / (seats - 1)
    if winners == 0 or winners == seats:
        return 0.0
    if _has_won(g, seat):
        return (1.0 if losers > 0 else paid) / winners
    return 0.0 if _has_left(row, seat) else -(1.0 - paid) / losers


@jit
def _has_left(row, seat):
    return (i64(row.lost) >> seat) & 1 == 1


@jit
def _has_won(g, seat):
    return g.match_winners[seat] == 1 if g.is_match == 1 else g.winner == seat


@entry
def see_rows(games, rows, ids, which, rules, work, scratch, seen, mask):
    """Write what the learner sees in row `which[k]` into `seen[k]`, its mask into `mask[k]`."""
    for k in range(len(which)):
        i = which[k]
        observe(games[i], rules[0], work[0], scratch, i64(rows[i].seat), seen[k])
        mask[k, :] = 0
        for c in range(rows[i].count):
            mask[k, i64(ids[i, c])] = 1


@entry
def scale_rows(seen, scales, out):
    """Write observations as float32, each entry times its factor."""
    for k in range(len(seen)):
        for at in range(len(scales)):
            out[k, at] = np.float32(seen[k, at]) * scales[at]
