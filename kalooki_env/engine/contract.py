"""The contract game: can the melds of this deal's contract be laid from a hand (RULES 4)?

Sets of a contract differ in rank and runs in suit; a set has at least three cards, a run at least
four. The least melds are enough to tell: sets of three, runs of four.
"""

from .jit import i64, jit
from .layout import CARDS, CONTRACT_MELDS, JOKER, RUN
from .moves import contract_size
from .solver import POPCOUNT, SET_JOKERS, SET_MASK, SET_OPTIONS, take_run, take_set

_PLACINGS = 15
"""Ways to place jokers in a run of four that keep a natural card: bit masks 0..14."""
_OPTIONS = 11 * _PLACINGS


@jit
def needs_contract(g, rules):
    """Tell whether the seat to move opens this deal with a contract."""
    return contract_size(g, rules) > 0


@jit
def contract_allows(g, rules, work, duty_card, stuck, keep):
    """Tell whether `work[0].hand` completes the contract and leaves `keep` cards, one of them not
    `stuck`.

    Melds laid this turn count, and the one being tried (`work[0].now_ranks`, `work[0].now_suits`),
    whose cards are no longer in `work[0].hand`.
    """
    sets, runs = i64(0), i64(0)
    row = min(i64(g.deal), i64(rules[0].n_contracts)) - 1
    for k in range(CONTRACT_MELDS):
        sets += rules[0].contracts[row, k] == 3
        runs += rules[0].contracts[row, k] == 4
    ranks, suits = i64(0), i64(0)
    for m in range(i64(g.n_melds)):
        if g.m_laid[m] == 1:
            if g.m_kind[m] == RUN:
                runs -= 1
                suits |= i64(1) << i64(g.m_key[m])
            else:
                sets -= 1
                ranks |= i64(1) << i64(g.m_key[m])
    if i64(work[0].now_suits) > 0:
        runs -= 1
        if suits & i64(work[0].now_suits):
            return False
        suits |= i64(work[0].now_suits)
    if i64(work[0].now_ranks) > 0:
        sets -= 1
        if ranks & i64(work[0].now_ranks):
            return False
        ranks |= i64(work[0].now_ranks)
    if sets < 0 or runs < 0:
        return False
    return _with_kept_card(rules, work, sets, runs, ranks, suits, duty_card, stuck, keep)


@jit
def _with_kept_card(rules, work, sets, runs, ranks, suits, duty_card, stuck, keep):
    """Keep each card in turn that may be discarded, and look for the melds in the rest."""
    hand = work[0].hand
    size = i64(0)
    for c in range(CARDS):
        size += i64(hand[c])
    if size < 3 * sets + 4 * runs + keep:
        return False
    for c in range(CARDS):
        if hand[c] <= 0 or c == stuck:
            continue
        hand[c] -= 1
        ok = _with_duty(rules, work, sets, runs, ranks, suits, duty_card)
        hand[c] += 1
        if ok:
            return True
    return False


@jit
def _with_duty(rules, work, sets, runs, ranks, suits, duty_card):
    """Look for the melds, one of them with the natural card that must be laid.

    A joker that must be laid takes the place of a natural card in any of the melds.
    """
    if duty_card < 0:
        return _find(rules, work, sets, runs, ranks, suits)
    if duty_card == JOKER:
        return sets + runs > 0 and _find(rules, work, sets, runs, ranks, suits)
    hand = work[0].hand
    rank, suit = duty_card % 13, duty_card // 13
    if sets > 0 and not (ranks >> rank) & 1:
        for option in range(SET_OPTIONS):
            mask, used = SET_MASK[option], SET_JOKERS[option]
            if (
                not (mask >> suit) & 1
                or used > hand[JOKER]
                or POPCOUNT[mask] + used > rules[0].max_set
            ):
                continue
            ok = True
            for s in range(4):
                if (mask >> s) & 1 and hand[s * 13 + rank] <= 0:
                    ok = False
            if not ok:
                continue
            take_set(hand, rank, mask, used, i64(1))
            ok = _find(rules, work, sets - 1, runs, ranks | (i64(1) << rank), suits)
            take_set(hand, rank, mask, used, i64(-1))
            if ok:
                return True
    if runs > 0 and not (suits >> suit) & 1:
        for low in range(i64(rules[0].low_position), 12):
            for high in range(low + 3, min(14, low + 12) + 1):
                if _run_with(rules, work, sets, runs, ranks, suits, duty_card, low, high):
                    return True
    return False


@jit
def _run_with(rules, work, sets, runs, ranks, suits, card, low, high):
    """The run `low`..`high` with the natural `card` in it and any places of jokers, then the rest."""
    hand = work[0].hand
    suit = card // 13
    for more in range(i64(1) << (high - low + 1)):
        places = more << low
        used = i64(0)
        inside = False
        ok = True
        for p in range(low, high + 1):
            if (places >> p) & 1:
                used += 1
            elif hand[suit * 13 + (p - 1) % 13] <= 0:
                ok = False
                break
            elif suit * 13 + (p - 1) % 13 == card:
                inside = True
        if not ok or not inside or used > hand[JOKER]:
            continue
        take_run(hand, suit, low, high, places, i64(1))
        ok = _find(rules, work, sets, runs - 1, ranks, suits | (i64(1) << suit))
        take_run(hand, suit, low, high, places, i64(-1))
        if ok:
            return True
    return False


@jit
def _find(rules, work, sets, runs, ranks, suits):
    """Depth first over the suits: no run in this one, or a run of four and which of its places are
    jokers."""
    hand = work[0].hand
    level = 0
    work[0].stack[0] = -2
    while level >= 0:
        choice = i64(work[0].stack[level])
        if choice >= 0:
            low, places = _option(choice)
            take_run(hand, level, low, low + 3, places, i64(-1))
            runs += 1
        choice = _next_option(rules, hand, level, choice, runs, suits)
        if choice == _OPTIONS:
            level -= 1
            continue
        work[0].stack[level] = choice
        if choice >= 0:
            low, places = _option(choice)
            take_run(hand, level, low, low + 3, places, i64(1))
            runs -= 1
        if level < 3:
            level += 1
            work[0].stack[level] = -2
            continue
        if runs == 0 and _find_sets(rules, hand, sets, ranks):
            for s in range(4):
                if work[0].stack[s] >= 0:
                    low, places = _option(i64(work[0].stack[s]))
                    take_run(hand, s, low, low + 3, places, i64(-1))
            return True
    return False


@jit
def _option(choice):
    """Return the first position and the joker places (bits) of one way to lay a run of four."""
    low = choice // _PLACINGS + 1
    return low, (choice % _PLACINGS) << low


@jit
def _next_option(rules, hand, suit, choice, runs, suits):
    """Return the next choice for this suit: -1 no run, then a run that the hand holds, then
    `_OPTIONS`."""
    choice += 1
    if choice == -1:
        return choice
    if runs == 0 or (suits >> suit) & 1:
        return i64(_OPTIONS)
    while choice < _OPTIONS:
        low, places = _option(choice)
        ok = low >= rules[0].low_position
        used = i64(0)
        for p in range(low, low + 4):
            if (places >> p) & 1:
                used += 1
            elif hand[suit * 13 + (p - 1) % 13] <= 0:
                ok = False
        if ok and used <= hand[JOKER]:
            return choice
        choice += 1
    return i64(_OPTIONS)


@jit
def _find_sets(rules, hand, sets, ranks):
    """Tell whether `sets` sets of three in different ranks can be laid: the ranks that need fewest
    jokers."""
    if rules[0].max_set < 3:
        return sets == 0
    with_three, with_two, with_one = i64(0), i64(0), i64(0)
    for rank in range(13):
        if (ranks >> rank) & 1:
            continue
        present = i64(0)
        for s in range(4):
            present += hand[s * 13 + rank] > 0
        with_three += present >= 3
        with_two += present == 2
        with_one += present == 1
    sets = max(sets - with_three, i64(0))
    jokers = i64(hand[JOKER]) - min(sets, with_two)
    sets -= min(sets, with_two)
    return sets <= with_one and 2 * sets <= jokers
