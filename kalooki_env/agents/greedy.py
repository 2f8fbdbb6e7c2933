"""The yardstick: a simple player with an exact eye for melds.

Its choices are fixed: a change of any of them means that every table of results is made anew, and the
golden digest in the tests notices. *Deadwood* is the penalty of a hand without its best disjoint melds.
Ties go to the lowest action id unless said otherwise.

* Draw: before it is open, it takes the discard if it can open with it in this turn. Once open, it takes
  a card that can be laid off on the table. In both cases it also takes the discard if its best discard
  after that would leave less deadwood than the hand has now. Otherwise it draws.
* Opening, as soon as there is one: the meld with which the points of all melds of the hand are highest.
* Then, and in later turns: the meld with which the penalty of all melds is highest; after the melds
  lay-offs, the card with the highest penalty first. Nothing is kept back. It never swaps, and spare
  jokers stay in the hand where they may.
* Discard: the card that leaves least deadwood; ties: the highest penalty, then the lowest id.
* It announces its last cards and buys in.
"""

from typing import TYPE_CHECKING

import numpy as np

from kalooki_env.action_tables import (
    DISCARD,
    DRAW,
    LAYOFF_RUN,
    LAYOFF_SET,
    N_INTERVALS,
    N_OPTIONS,
    NO_SPARE,
    RUN,
    SET,
    SWAP_RUN,
    TAKE,
)
from kalooki_env.engine import layout as L
from kalooki_env.engine.bits import popcount
from kalooki_env.engine.hands import RANK, add, remove, run_cards, set_cards, span
from kalooki_env.engine.jit import entry, i64, inlined, jit
from kalooki_env.engine.layout import JOKER
from kalooki_env.engine.legal import list_legal
from kalooki_env.engine.legal_melds import missing_places
from kalooki_env.engine.moves import cards_kept, end_room, hand_bits
from kalooki_env.engine.opening import can_open
from kalooki_env.engine.solver import (
    RUN_LOW_HIGH,
    SET_JOKERS,
    SET_MASK,
    best_melds,
)
from kalooki_env.engine.tables import penalty_runs, point_runs

if TYPE_CHECKING:
    from kalooki_env.game import Game
    from kalooki_env.rules import Rules


@inlined
def hand_penalty(held, twice, jokers, rules):
    """Return the penalty of all cards of a hand (see `engine/hands.py`)."""
    total = jokers * i64(rules.penalty[JOKER])
    for rank in range(13):
        cards = popcount(held & (RANK << rank)) + popcount(twice & (RANK << rank))
        total += cards * i64(rules.penalty[rank])
    return total


@entry
def deadwood(held, twice, jokers, rules, penalties, joker_value, work):
    """Return the penalty of a hand without its best disjoint melds; `penalties` is the run table of
    penalties."""
    most = i64(rules.max_set)
    melded = best_melds(
        held, twice, jokers, i64(0), i64(0), penalties, rules.penalty, joker_value, most, work
    )
    return hand_penalty(held, twice, jokers, rules) - melded


@jit
def least_after_discard(held, twice, jokers, stuck, rules, penalties, joker_value, work):
    """Return the least deadwood that discarding one card of a hand, not `stuck`, leaves."""
    least = i64(1 << 30)
    cards = held
    while cards > 0:
        bit = cards & -cards
        cards &= cards - 1
        if 0 <= stuck < JOKER and bit == i64(1) << stuck:
            continue
        left, left_twice = remove(held, twice, bit)
        least = min(least, deadwood(left, left_twice, jokers, rules, penalties, joker_value, work))
    if jokers > 0 and stuck != JOKER:
        left = deadwood(held, twice, jokers - 1, rules, penalties, joker_value, work)
        least = min(least, left)
    return least


@jit
def _fits_table(g, rules, card):
    """Tell whether an open seat could lay the card off on a meld of the table now."""
    for m in range(i64(g.n_melds)):
        key = i64(g.melds[m].key)
        if g.melds[m].kind == L.RUN:
            for end in range(2):
                if end_room(g, rules, m, end) > 0:
                    place = i64(g.melds[m].low) - 1 if end == 0 else i64(g.melds[m].high) + 1
                    if card == JOKER or card == key * 13 + (place - 1) % 13:
                        return True
        elif end_room(g, rules, m, i64(0)) > 0:
            if card == JOKER:
                return True
            if card % 13 == key and not (i64(g.melds[m].low) >> (card // 13)) & 1:
                return True
    return False


@jit
def _draw(g, rules, runs, penalties, joker_value, work):
    seat = i64(g.to_move)
    card = i64(g.discards[i64(g.n_discards) - 1])
    held, twice = hand_bits(g, seat)
    jokers = i64(g.hand[seat, JOKER])
    now = deadwood(held, twice, jokers, rules, penalties, joker_value, work)
    stuck = card if g.hand[seat, card] == 0 else i64(-1)
    if card == JOKER:
        jokers += 1
    else:
        held, twice = add(held, twice, card)
    if g.opened[seat] == 0 and rules.n_contracts == 0:
        need = i64(rules.opening_points)
        keep = cards_kept(g)
        if can_open(held, twice, jokers, need, card, stuck, keep, rules, runs, work):
            return i64(TAKE)
    elif g.opened[seat] == 1 and _fits_table(g, rules, card):
        return i64(TAKE)
    if least_after_discard(held, twice, jokers, stuck, rules, penalties, joker_value, work) < now:
        return i64(TAKE)
    return i64(DRAW)


@inlined
def _meld_total(g, rules, runs, penalties, joker_value, work, action):
    """Return what all melds of the hand are worth with the meld `action` among them.

    Points count before the seat is open, penalties afterwards.
    """
    seat = i64(g.to_move)
    opening = g.opened[seat] == 0
    worth = i64(0)
    if action < SET:
        code = action - RUN
        suit = code // N_INTERVALS
        low, high = RUN_LOW_HIGH[code % N_INTERVALS, 0], RUN_LOW_HIGH[code % N_INTERVALS, 1]
        places = missing_places(g, suit, low, high)
        for p in range(low, high + 1):
            if opening:
                worth += i64(rules.run_points[p])
            elif (places >> p) & 1:
                worth += i64(rules.penalty[JOKER])
            else:
                worth += i64(rules.penalty[(p - 1) % 13])
        cards, jokers = run_cards(suit, span(low, high) & ~places), popcount(places)
    else:
        code = action - SET
        rank = code // N_OPTIONS
        mask, jokers = SET_MASK[code % N_OPTIONS], SET_JOKERS[code % N_OPTIONS]
        natural = i64(0)
        for s in range(4):
            natural += (mask >> s) & 1
        if opening:
            worth = (natural + jokers) * i64(rules.set_points[rank])
        else:
            worth = natural * i64(rules.penalty[rank]) + jokers * i64(rules.penalty[JOKER])
        cards = set_cards(rank, mask)
    held, twice = hand_bits(g, seat)
    held, twice = remove(held, twice, cards)
    left, none, most = i64(g.hand[seat, JOKER]) - jokers, i64(0), i64(rules.max_set)
    if opening:
        return worth + best_melds(
            held, twice, left, none, none, runs, rules.set_points, rules.set_points, most, work
        )
    return worth + best_melds(
        held, twice, left, none, none, penalties, rules.penalty, joker_value, most, work
    )


@inlined
def _lay_off_penalty(rules, action):
    """Return the penalty of the card that a lay-off lays."""
    if action < LAYOFF_SET:
        code = action - LAYOFF_RUN
        slot = (code // 2) % 11
        place = slot + 1 if (code // 22) % 2 == 0 else slot + 4
        return i64(rules.penalty[JOKER if code % 2 == 1 else (place - 1) % 13])
    return i64(rules.penalty[min(action - LAYOFF_SET, JOKER)])


@jit
def _discard(g, n, rules, penalties, joker_value, work):
    seat = i64(g.to_move)
    held, twice = hand_bits(g, seat)
    jokers = i64(g.hand[seat, JOKER])
    choice, least, most = i64(-1), i64(1 << 30), i64(-1)
    for k in range(n):
        action = i64(work.ids[k])
        if action < DISCARD:
            continue
        card = action - DISCARD
        if card == JOKER:
            left = deadwood(held, twice, jokers - 1, rules, penalties, joker_value, work)
        else:
            rest, rest_twice = remove(held, twice, i64(1) << card)
            left = deadwood(rest, rest_twice, jokers, rules, penalties, joker_value, work)
        cost = i64(rules.penalty[card])
        if left < least or (left == least and cost > most):
            choice, least, most = action, left, cost
    return choice


@jit
def lay_choice(g, n, rules, runs, penalties, joker_value, work):
    """Return the meld or else the lay-off that greedy plays, or -1 where there is none; the `n` legal
    ids are in `work`."""
    choice, best = i64(-1), i64(-1)
    for k in range(n):
        action = i64(work.ids[k])
        if action >= LAYOFF_RUN:
            break
        total = _meld_total(g, rules, runs, penalties, joker_value, work, action)
        if total > best:
            choice, best = action, total
    if choice >= 0:
        return choice
    for k in range(n):
        action = i64(work.ids[k])
        if LAYOFF_RUN <= action < SWAP_RUN:
            total = _lay_off_penalty(rules, action)
            if total > best:
                choice, best = action, total
    return choice


@jit
def greedy_choice(g, rules, runs, penalties, joker_value, work, scratch):
    """Return the action id that greedy plays for the seat to move in `g`."""
    n = list_legal(g, rules, runs, work, scratch)
    first = i64(work.ids[0])
    if n == 1:
        return first
    if g.question == L.WHICH_PLACE:
        last = i64(work.ids[n - 1])
        return last if last == NO_SPARE else first
    if g.question == L.WHICH_MELD or g.phase == L.ANNOUNCE or g.phase == L.BUY_IN:
        return first
    if g.phase == L.DRAW:
        return _draw(g, rules, runs, penalties, joker_value, work)
    choice = lay_choice(g, n, rules, runs, penalties, joker_value, work)
    if choice < 0:
        choice = _discard(g, n, rules, penalties, joker_value, work)
    # Without a discard only swaps are left, which a seat that owes a joker may have to go on with.
    return choice if choice >= 0 else first


@entry
def greedy_many(games, rows, rules, runs, penalties, joker_value, work, scratch, out):
    """Write greedy's choice in each of `games[rows]` into `out`."""
    for k in range(len(rows)):
        g = games[i64(rows[k])]
        out[k] = greedy_choice(g, rules[0], runs, penalties, joker_value, work[0], scratch)


class GreedyAgent:
    """Plays as the module says; it has no chance in it, so the seed does nothing."""

    name = "greedy"

    def __init__(self, seed: int = 0) -> None:
        self._rules: Rules | None = None
        self._work, self._scratch = L.scratch_space()

    def act(self, game: "Game", seat: int) -> int:
        """Choose an action for `seat`, which must be the seat to move."""
        return int(self.act_batch(game.state, game.rules, np.zeros(1, np.int64))[0])

    def act_batch(self, games: np.ndarray, rules: "Rules", rows: np.ndarray) -> np.ndarray:
        """Choose one action in each of `games[rows]`: int64[k]."""
        if rules is not self._rules:
            self._rules, self._record = rules, rules.record()
            self._runs, self._penalties = point_runs(self._record), penalty_runs(self._record)
            joker = int(self._record[0]["penalty"][JOKER])
            self._joker_value = np.full(13, joker, np.int32)
        out = np.empty(len(rows), np.int64)
        greedy_many(
            games, np.asarray(rows, np.int64), self._record, self._runs, self._penalties,
            self._joker_value, self._work, self._scratch, out,
        )  # fmt: skip
        return out
