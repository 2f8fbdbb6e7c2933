"""The end of a deal and the match around it: penalties, stakes, buy-ins, who is out, who has won
(RULES 5)."""

from . import layout as L
from .jit import i64, inlined, jit
from .layout import CARDS, NO_SEAT


@jit
def next_seat(g, seat):
    """Return the next seat clockwise that is still in the match."""
    seats = i64(g.seats)
    for k in range(1, seats + 1):
        s = (seat + k) % seats
        if g.eliminated[s] == 0:
            return s
    return seat


@jit
def settle(g, rules):
    """End the deal: penalties, totals and stakes, then what it means for the match.

    A void or cut deal scores nothing and moves no money.
    """
    g.deal_over = 1
    g.phase = L.OVER
    for s in range(L.MAX_SEATS):
        g.barred[s] = 0
    g.to_move = NO_SEAT
    if g.winner == NO_SEAT:
        return
    _score(g, rules)
    _pay_stakes(g, rules)
    if g.is_match == 1:
        _judge_match(g, rules)


@inlined
def _score(g, rules):
    winner = i64(g.winner)
    collected = i64(0)
    for s in range(i64(g.seats)):
        if s == winner or g.eliminated[s] == 1:
            continue
        penalty = i64(0)
        for c in range(CARDS):
            penalty += i64(g.hand[s, c]) * i64(rules.penalty[c])
        if g.is_kalooki == 1:
            penalty += i64(rules.kalooki_penalty)
        g.penalties[s] = penalty
        collected += penalty
        if rules.scoring == L.SCORE_PENALTY and rules.match != L.MATCH_POINTS:
            g.totals[s] += penalty
    if rules.scoring == L.SCORE_COLLECT or rules.match == L.MATCH_POINTS:
        g.totals[winner] += collected


@inlined
def _pay_stakes(g, rules):
    """Move the money of this deal: stakes to the winner of a pool match, the pool of a ring game to
    all."""
    winner = i64(g.winner)
    if rules.match == L.MATCH_POOL:
        stake = i64(rules.kalooki) if g.is_kalooki == 1 else i64(rules.call_up)
        for s in range(i64(g.seats)):
            if s != winner and g.eliminated[s] == 0:
                g.chips[s] = -stake
                g.chips[winner] += stake
    elif rules.match == L.MATCH_RING:
        _pay_ring(g, rules)
    for s in range(i64(g.seats)):
        g.money[s] += g.chips[s]


@inlined
def _pay_ring(g, rules):
    """Share the pool: the less a loser holds below 100, the larger its part of a quarter; the
    winner the rest."""
    winner = i64(g.winner)
    pool = i64(g.pool)
    parts = 100 * (i64(g.seats) - 1)
    if rules.ring_payout == L.RING_SPLIT25:
        parts = i64(0)
        for s in range(i64(g.seats)):
            if s != winner:
                parts += max(100 - i64(g.penalties[s]), i64(0))
    left = pool
    for s in range(i64(g.seats)):
        part = max(100 - i64(g.penalties[s]), i64(0))
        if s != winner and part > 0:
            g.chips[s] = pool * part // (4 * parts)
            left -= i64(g.chips[s])
    g.chips[winner] = left
    g.pool = 0


@inlined
def is_last_deal(g, rules):
    """Tell whether the match has a fixed number of deals and this is the last."""
    return 0 <= deals_in_match(rules) <= g.deal


@jit
def deals_in_match(rules):
    """Return how many deals a match has at most, -1 where no number ends it."""
    if rules.deals < 0 and rules.n_contracts > 0:
        return i64(rules.n_contracts)
    return i64(rules.deals)


@inlined
def _judge_match(g, rules):
    """Eliminate, ask for buy-ins, or end the match after a deal that somebody won."""
    last = is_last_deal(g, rules)
    if rules.match == L.MATCH_RING:
        g.match_winners[i64(g.winner)] = 1
        g.match_over = 1
    elif rules.match == L.MATCH_POOL or rules.match == L.MATCH_ELIMINATION:
        _judge_elimination(g, rules, last)
    elif rules.match == L.MATCH_POINTS:
        if last or _someone_reached(g, i64(rules.target)):
            _end_match(g, rules)
    elif last or (deals_in_match(rules) < 0 and _someone_reached(g, i64(rules.target))):
        _end_match(g, rules)


@jit
def _someone_reached(g, target):
    if target < 0:
        return False
    for s in range(i64(g.seats)):
        if g.totals[s] >= target:
            return True
    return False


@inlined
def _judge_elimination(g, rules, last):
    """Seats above the limit are out, unless two others stand and they may buy in."""
    seats = i64(g.seats)
    limit = i64(rules.out_above) if rules.out_above >= 0 else i64(1 << 30)
    standing = i64(0)
    for s in range(seats):
        standing += g.eliminated[s] == 0 and g.totals[s] <= limit
    g.n_to_decide = 0
    for k in range(1, seats + 1):
        s = (i64(g.winner) + k) % seats
        if g.eliminated[s] == 1 or g.totals[s] <= limit:
            continue
        if not last and standing >= 2 and g.buy_ins[s] < rules.buy_ins:
            g.to_decide[i64(g.n_to_decide)] = s
            g.n_to_decide += 1
        else:
            g.eliminated[s] = 1
    if last or standing <= 1:
        _end_match(g, rules)
    elif g.n_to_decide > 0:
        g.phase = L.BUY_IN
        g.to_move = g.to_decide[0]


@inlined
def decide_buy_in(g, rules, buys):
    """The seat to move buys in (1), at the highest total of the seats within the limit, or drops
    out (0)."""
    seat = i64(g.to_move)
    if buys == 1:
        level = i64(0)
        for s in range(i64(g.seats)):
            if g.eliminated[s] == 0 and g.totals[s] <= rules.out_above:
                level = max(level, i64(g.totals[s]))
        g.totals[seat] = level
        g.buy_ins[seat] += 1
        g.money[seat] -= rules.buy_in
        g.pool += rules.buy_in
    else:
        g.eliminated[seat] = 1
    g.n_to_decide -= 1
    for k in range(i64(g.n_to_decide)):
        g.to_decide[k] = g.to_decide[k + 1]
    if g.n_to_decide > 0:
        g.to_move = g.to_decide[0]
    else:
        g.to_move = NO_SEAT
        g.phase = L.OVER


@jit
def _end_match(g, rules):
    """End the match: the best total among the seats still in wins, ties share.

    Collected points want to be many, penalties few.
    """
    most = (
        rules.scoring == L.SCORE_COLLECT
        or rules.match == L.MATCH_POINTS
        or rules.match == L.MATCH_HIGHEST
    )
    sign = i64(1) if most else i64(-1)
    g.match_over = 1
    best = i64(-(1 << 30))
    winners = i64(0)
    for s in range(i64(g.seats)):
        if g.eliminated[s] == 0:
            best = max(best, sign * i64(g.totals[s]))
    for s in range(i64(g.seats)):
        if g.eliminated[s] == 0 and sign * i64(g.totals[s]) == best:
            g.match_winners[s] = 1
            winners += 1
    share = i64(g.pool) // winners
    rest = i64(g.pool) - share * winners
    for s in range(i64(g.seats)):
        if g.match_winners[s] == 1:
            g.money[s] += share + rest
            rest = i64(0)
    g.pool = 0
