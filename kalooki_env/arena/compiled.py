"""The compiled part of the arena: many games advance from choice to choice.

Everything compiled of the arena is in this file: the cache does not notice an edit in another file
outside the engine and the agents.
"""

import numpy as np

from kalooki_env.action_tables import DISCARD, DRAW, LAYOFF_RUN, SWAP_RUN, TAKE
from kalooki_env.engine import layout as L
from kalooki_env.engine.apply import apply
from kalooki_env.engine.dealing import start_match
from kalooki_env.engine.jit import entry, i64, inlined, jit
from kalooki_env.engine.layout import JOKER
from kalooki_env.engine.legal import list_legal
from kalooki_env.engine.tables import point_runs
from kalooki_env.rules import Rules

# What is counted of a seat in a deal; `behaviour` makes rates and means of it.
COUNTS = (
    "deals", "wins", "kalookis", "losses", "penalty", "lost_closed", "cards_left", "joker_penalty",
    "turns", "openings", "opening_turn", "opening_points", "could_take", "took",
    "closed_turns", "openings_kept", "open_turns", "melds_kept", "layoffs_kept",
    "melds", "layoffs", "swaps",
    "jokers_got", "jokers_laid", "jokers_laid_turn", "jokers_discarded",
)  # fmt: skip
(
    DEALS, WINS, KALOOKIS, LOSSES, PENALTY, LOST_CLOSED, CARDS_LEFT, JOKER_PENALTY,
    TURNS, OPENINGS, OPENING_TURN, OPENING_POINTS, COULD_TAKE, TOOK,
    CLOSED_TURNS, OPENINGS_KEPT, OPEN_TURNS, MELDS_KEPT, LAYOFFS_KEPT,
    MELDS, LAYOFFS, SWAPS,
    JOKERS_GOT, JOKERS_LAID, JOKERS_LAID_TURN, JOKERS_DISCARDED,
) = range(len(COUNTS))  # fmt: skip

LANE = np.dtype(
    [
        ("game", "i8"),  # which game is played here
        ("n_legal", "i4"),
        # the stock, a stream of its own for each seat
        ("rebuilds", "i4"),  # rebuilds of the stock that the streams belong to, -1: none yet
        ("cards", "i2"),  # how many this stock had at its beginning
        ("drawn", "i2", L.MAX_SEATS),  # cards that each seat has drawn from it
        ("place", "i1", L.MAX_CARDS),  # where the k-th card from the top is now, -1: drawn
        ("card", "i1", L.MAX_CARDS),  # which of these cards is at each place
        # behaviour
        ("counts", "i4", (L.MAX_SEATS, len(COUNTS))),
    ]
)
"""What the arena keeps beside a game that is being played."""

END = np.dtype(
    [
        ("winner", "i1"),
        ("is_void", "i1"),
        ("is_cut", "i1"),
        ("turns", "i4"),
        ("penalties", "i4", L.MAX_SEATS),
    ]
)
"""How a deal ended."""

EMPTY, IDLE = -1, -2
"""Lanes that wait for a game, and those for which none is left."""

CURSOR = np.dtype(
    [
        ("next", "i8"),  # the next game to start
        ("ready", "i8"),  # games that can be started now: their keys are known
        ("done", "i8"),
        ("first_deal", "i8"),  # deal of the cards of game 0
        ("streams", "i1"),
        ("behaviour", "i1"),
    ]
)
"""How far a part of the games is, and what is wanted of it."""


@entry
def advance(
    games, lanes, mover, chosen, ids, ends, keys, seating, cursor, totals, rules, runs, work, scratch
):  # fmt: skip
    """Play the choice of every lane that has one, and go on to the next choices.

    A lane whose game has ended takes the next game. Forced moves are played here.

    Args:
        games: GAME[lanes].
        lanes: LANE[lanes].
        mover: int8[lanes], the entrant whose choice is asked for, EMPTY or IDLE.
        chosen: int64[lanes], the choices.
        ids: int16[lanes, N], the legal lists.
        ends: END[games]; written when a game ends.
        keys: uint64[deals], a key for each deal of the cards.
        seating: int8[orders, rotations, seats], entrants by seat: the deals of the cards take the
            orders in turn, and each is played in all its rotations.
        cursor: CURSOR[1].
        totals: int64[entrants, counts], what is counted of their behaviour.

    Returns:
        -1, or the first lane whose choice is not legal; it is then unchanged.
    """
    for i in range(len(games)):
        if mover[i] == IDLE:
            continue
        g, lane = games[i], lanes[i]
        empty = mover[i] == EMPTY
        if not empty:
            if not _is_listed(ids[i], lane, chosen[i]):
                return i
            _play(g, lane, cursor[0], ids[i], rules[0], runs, work[0], scratch, i64(chosen[i]))
        while True:
            if empty:
                if not _start(g, lane, keys, seating, cursor[0], rules[0]):
                    mover[i] = IDLE if cursor[0].next == len(ends) else EMPTY
                    break
                empty = False
            if g.deal_over == 1:
                _end(g, lane, ends, seating, cursor[0], totals, rules[0])
                empty = True
                continue
            lane.n_legal = list_legal(g, rules[0], runs, work[0], scratch)
            if lane.n_legal != 1:
                for k in range(i64(lane.n_legal)):
                    ids[i, k] = work[0].ids[k]
                mover[i] = _entrant(lane, seating, cursor[0], i64(g.to_move))
                break
            forced = i64(work[0].ids[0])
            _play(g, lane, cursor[0], work[0].ids, rules[0], runs, work[0], scratch, forced)
    return -1


@inlined
def _is_listed(legal, lane, action):
    """Tell whether the legal list of a lane has `action`."""
    listed = False
    for k in range(i64(lane.n_legal)):
        listed |= legal[k] == action
    return listed


@jit
def _entrant(lane, seating, cursor, seat):
    """Return who sits in a seat of the game of a lane."""
    rotations = seating.shape[1]
    deal = i64(cursor.first_deal) + i64(lane.game) // rotations
    return i64(seating[deal % len(seating), i64(lane.game) % rotations, seat])


@inlined
def _start(g, lane, keys, seating, cursor, rules):
    """Deal the next game in a lane; return False if there is none or its key is not known yet."""
    if cursor.next >= cursor.ready:
        return False
    game = i64(cursor.next)
    cursor.next += 1
    lane.game = game
    seats = i64(seating.shape[2])
    start_match(g, rules, seats, keys[game // seating.shape[1]], i64(0), i64(0))
    lane.rebuilds = -1
    if cursor.behaviour == 1:
        lane.counts[:, :] = 0
        for s in range(seats):
            lane.counts[s, JOKERS_GOT] = g.hand[s, JOKER]
    return True


@inlined
def _end(g, lane, ends, seating, cursor, totals, rules):
    """Write down how the game of a lane ended."""
    end = ends[i64(lane.game)]
    cursor.done += 1
    end.winner = g.winner
    end.is_void = g.is_void
    end.is_cut = g.is_cut
    end.turns = g.turn
    for s in range(i64(g.seats)):
        end.penalties[s] = g.penalties[s]
    if cursor.behaviour == 0:
        return
    for s in range(i64(g.seats)):
        counts = lane.counts[s]
        counts[DEALS] = 1
        if g.winner == s:
            counts[WINS] = 1
            counts[KALOOKIS] = g.is_kalooki
        elif g.winner >= 0:
            counts[LOSSES] = 1
            counts[PENALTY] = g.penalties[s]
            counts[LOST_CLOSED] = 1 - g.opened[s]
            counts[CARDS_LEFT] = g.hand_size[s]
            counts[JOKER_PENALTY] = i64(g.hand[s, JOKER]) * i64(rules.penalty[JOKER])
        entrant = _entrant(lane, seating, cursor, i64(s))
        for k in range(len(counts)):
            totals[entrant, k] += counts[k]


@jit
def _play(g, lane, cursor, legal, rules, runs, work, scratch, action):
    """Apply an action, from the seat's own stream of the stock and counted where this is wanted."""
    if cursor.behaviour == 1:
        _count_before(g, lane, legal, i64(lane.n_legal), action)
    seat, phase, asked = i64(g.to_move), i64(g.phase), i64(g.question)
    if cursor.streams == 1 and phase == L.DRAW and action == DRAW:
        _bring_own_card(g, lane)
    if cursor.behaviour == 0:
        apply(g, rules, runs, work, scratch, action)
        return
    jokers, melds, layoffs = i64(g.hand[seat, JOKER]), i64(g.n_melds), i64(g.layoffs)
    swaps, opened = i64(g.swaps), i64(g.opened[seat])
    apply(g, rules, runs, work, scratch, action)
    counts = lane.counts[seat]
    left = i64(g.hand[seat, JOKER])
    if phase == L.DRAW:
        counts[JOKERS_GOT] += left - jokers
    elif phase == L.PLAY and asked == L.NO_QUESTION and action >= DISCARD:
        counts[JOKERS_DISCARDED] += jokers - left
    elif phase == L.PLAY:
        counts[MELDS] += i64(g.n_melds) - melds
        counts[LAYOFFS] += i64(g.layoffs) - layoffs
        released = i64(g.swaps) - swaps
        laid = jokers + released - left
        # A joker that was swapped out goes back to the table at once, and was counted before.
        counts[SWAPS] += released
        counts[JOKERS_LAID] += laid - released
        counts[JOKERS_LAID_TURN] += (laid - released) * counts[TURNS]
        if g.opened[seat] > opened:
            counts[OPENINGS] = 1
            counts[OPENING_TURN] = counts[TURNS]
            counts[OPENING_POINTS] = g.points


@inlined
def _count_before(g, lane, legal, n, action):
    """Count what is seen in the legal list of a decision: what could have been played instead."""
    seat = i64(g.to_move)
    counts = lane.counts[seat]
    if g.phase == L.DRAW:
        counts[TURNS] += 1
        if n > 1:
            counts[COULD_TAKE] += 1
            counts[TOOK] += 1 if action == TAKE else 0
    elif g.phase == L.PLAY and g.question == L.NO_QUESTION and action >= DISCARD:
        meld = 1 if legal[0] < LAYOFF_RUN else 0
        if g.opened[seat] == 0:
            counts[CLOSED_TURNS] += 1
            counts[OPENINGS_KEPT] += meld
            return
        counts[OPEN_TURNS] += 1
        counts[MELDS_KEPT] += meld
        for k in range(n):
            if LAYOFF_RUN <= legal[k] < SWAP_RUN:
                counts[LAYOFFS_KEPT] += 1
                return


@inlined
def _bring_own_card(g, lane):
    """Move the next card of the stream of the seat to move to the top of the stock.

    Seat `s` of `n` draws the cards `s`, `n + s`, `2n + s`, ... counted from the top of the stock as
    it was dealt or rebuilt; where its own are used up, the last card that is left. Who draws what
    does not depend on the cards that nobody has seen, so every order of the stock stays as likely
    as it was.
    """
    if lane.rebuilds != g.rebuilds:
        lane.rebuilds = g.rebuilds
        lane.cards = g.n_stock
        lane.drawn[:] = 0
        for k in range(i64(lane.cards)):
            lane.place[k] = i64(lane.cards) - 1 - k
            lane.card[k] = i64(lane.cards) - 1 - k
    seat, top = i64(g.to_move), i64(g.n_stock) - 1
    own = i64(lane.drawn[seat]) * i64(g.seats) + seat
    lane.drawn[seat] += 1
    if own >= lane.cards or lane.place[own] < 0:
        own = i64(lane.cards) - 1
        while lane.place[own] < 0:
            own -= 1
    place = i64(lane.place[own])
    moved = i64(lane.card[top])
    card = i64(g.stock[place])
    g.stock[place] = g.stock[top]
    g.stock[top] = card
    lane.place[moved] = place
    lane.card[place] = moved
    lane.place[own] = -1


def compile_now() -> None:
    """Compile `advance`, or load it, before it is needed: several processes would all do it."""
    rules = Rules.preset("british").record()
    ids, keys = np.zeros((0, 1), np.int16), np.zeros(0, np.uint64)
    advance(
        L.records(0, L.GAME), L.records(0, LANE), np.zeros(0, np.int8), np.zeros(0, np.int64), ids,
        L.records(0, END), keys, np.zeros((1, 1, 1), np.int8), L.records(1, CURSOR),
        np.zeros((1, len(COUNTS)), np.int64), rules, point_runs(rules), *L.scratch_space(),
    )  # fmt: skip
