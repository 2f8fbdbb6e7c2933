"""The contract game: can the melds of this deal's contract be laid from a hand (RULES 4)?

Sets of a contract differ in rank and runs in suit; a set has at least three cards, a run at least
four. The least melds are enough to tell: sets of three, runs of four.
"""

from .bits import lowest, popcount
from .hands import (
    RANK,
    copies,
    count_cards,
    places_of,
    ranks_of,
    remove,
    run_cards,
    set_cards,
    span,
    suits_of,
)
from .jit import i64, inlined, jit
from .layout import CONTRACT_MELDS, JOKER, RUN
from .moves import contract_size
from .solver import POPCOUNT, SET_JOKERS, SET_MASK, SETS_FROM

_PLACINGS = 5
"""Ways to place jokers in a run of four: where a card is missing, and in no or one place more."""
_OPTIONS = 11 * _PLACINGS


@jit
def needs_contract(g, rules):
    """Tell whether the seat to move opens this deal with a contract."""
    return contract_size(g, rules) > 0


@jit
def contract_allows(
    g, rules, work, held, twice, jokers, now_ranks, now_suits, duty_card, stuck, keep
):
    """Tell whether a hand completes the contract and leaves `keep` cards, one of them not `stuck`.

    Melds laid this turn count, and the one being tried (its rank as a set in `now_ranks`, its suit
    as a run in `now_suits`, as bits), whose cards are no longer in the hand.
    """
    sets, runs = i64(0), i64(0)
    row = min(i64(g.deal), i64(rules.n_contracts)) - 1
    for k in range(CONTRACT_MELDS):
        sets += rules.contracts[row, k] == 3
        runs += rules.contracts[row, k] == 4
    ranks, suits = i64(0), i64(0)
    for m in range(i64(g.n_melds)):
        if g.melds[m].laid == 1:
            if g.melds[m].kind == RUN:
                runs -= 1
                suits |= i64(1) << i64(g.melds[m].key)
            else:
                sets -= 1
                ranks |= i64(1) << i64(g.melds[m].key)
    if (suits & now_suits) | (ranks & now_ranks):
        return False
    runs -= now_suits > 0
    sets -= now_ranks > 0
    if sets < 0 or runs < 0:
        return False
    return _with_kept_card(
        rules,
        work,
        held,
        twice,
        jokers,
        sets,
        runs,
        ranks | now_ranks,
        suits | now_suits,
        duty_card,
        stuck,
        keep,
    )


@inlined
def _with_kept_card(
    rules, work, held, twice, jokers, sets, runs, ranks, suits, duty_card, stuck, keep
):
    """Keep each card in turn that may be discarded, and look for the melds in the rest.

    Where more cards stay than may not be discarded there is one among them, whichever they are.
    """
    left = count_cards(held, twice) + jokers - 3 * sets - 4 * runs
    if left < keep:
        return False
    stuck_copies = i64(0)
    if stuck == JOKER:
        stuck_copies = jokers
    elif stuck >= 0:
        stuck_copies = copies(held, twice, stuck)
    if left > stuck_copies:
        return _with_duty(rules, work, held, twice, jokers, sets, runs, ranks, suits, duty_card)
    if jokers > 0 and stuck != JOKER:
        if _with_duty(rules, work, held, twice, jokers - 1, sets, runs, ranks, suits, duty_card):
            return True
    cards = held
    while cards > 0:
        card = lowest(cards)
        cards &= cards - 1
        if card == stuck:
            continue
        rest, rest_twice = remove(held, twice, i64(1) << card)
        if _with_duty(rules, work, rest, rest_twice, jokers, sets, runs, ranks, suits, duty_card):
            return True
    return False


@jit
def _with_duty(rules, work, held, twice, jokers, sets, runs, ranks, suits, duty_card):
    """Look for the melds, one of them with the natural card that must be laid.

    A joker that must be laid takes the place of a natural card in any of the melds. A natural card
    needs no longer meld than any other: of a longer one three or four cards with it are enough.
    """
    if duty_card < 0:
        return _find(rules, work, held, twice, jokers, sets, runs, ranks, suits)
    if duty_card == JOKER:
        return sets + runs > 0 and _find(rules, work, held, twice, jokers, sets, runs, ranks, suits)
    rank, suit = duty_card % 13, duty_card // 13
    if not (held >> duty_card) & 1:
        return False
    if sets > 0 and not (ranks >> rank) & 1 and rules.max_set >= 3:
        options = SETS_FROM[suits_of(held, rank), jokers]
        while options > 0:
            option = lowest(options)
            options &= options - 1
            mask, used = SET_MASK[option], SET_JOKERS[option]
            if not (mask >> suit) & 1 or POPCOUNT[mask] + used > 3:
                continue
            left, left_twice = remove(held, twice, set_cards(rank, mask))
            if _find(
                rules,
                work,
                left,
                left_twice,
                jokers - used,
                sets - 1,
                runs,
                ranks | (i64(1) << rank),
                suits,
            ):
                return True
    if runs > 0 and not (suits >> suit) & 1:
        for end in range(2 if rank == 0 else 1):  # an ace stands low or high
            place = rank + 1 if end == 0 else i64(14)
            if _run_with(rules, work, held, twice, jokers, sets, runs, ranks, suits, suit, place):
                return True
    return False


@inlined
def _run_with(rules, work, held, twice, jokers, sets, runs, ranks, suits, suit, place):
    """A run of four with the natural card at `place` in it and any places of jokers, then the
    rest."""
    low_position = i64(rules.low_position)
    if place < low_position:
        return False
    natural = places_of(ranks_of(held, suit), low_position)
    for low in range(max(low_position, place - 3), min(place, i64(11)) + 1):
        inside = span(low, low + 3)
        for placing in range(_PLACINGS):
            places = _joker_places(natural, low, placing, jokers, sets)
            if places < 0 or (places >> place) & 1:
                continue
            used = popcount(places)
            left, left_twice = remove(held, twice, run_cards(suit, inside & ~places))
            if _find(
                rules,
                work,
                left,
                left_twice,
                jokers - used,
                sets,
                runs - 1,
                ranks,
                suits | (i64(1) << suit),
            ):
                return True
    return False


@jit
def _find(rules, work, held, twice, jokers, sets, runs, ranks, suits):
    """Depth first over the suits: no run in this one, or a run of four and which of its places are
    jokers."""
    level = 0
    work.stack[0] = -2
    while level >= 0:
        if work.stack[level] == -2:
            saved = work.saved[level]
            saved[0], saved[1], saved[2], saved[3] = held, twice, jokers, runs
        saved = work.saved[level]
        held, twice, jokers, runs = saved[0], saved[1], saved[2], saved[3]
        choice = _next_option(rules, held, jokers, level, i64(work.stack[level]), sets, runs, suits)
        if choice == _OPTIONS:
            level -= 1
            continue
        work.stack[level] = choice
        if choice >= 0:
            low = choice // _PLACINGS + 1
            natural = places_of(ranks_of(held, i64(level)), i64(rules.low_position))
            places = _joker_places(natural, low, choice % _PLACINGS, jokers, sets)
            held, twice = remove(held, twice, run_cards(i64(level), span(low, low + 3) & ~places))
            jokers -= popcount(places)
            runs -= 1
        if level < 3:
            level += 1
            work.stack[level] = -2
        elif runs == 0 and _find_sets(rules, held, jokers, sets, ranks):
            return True
    return False


@inlined
def _joker_places(natural, low, placing, jokers, sets):
    """Return where jokers stand in a run of four from `low` on, as bits; -1 where they cannot.

    They fill what is missing. One more can only help where its natural card makes a set with two
    further jokers: in any other set the joker and that card could change places.
    """
    missing = span(low, low + 3) & ~natural
    used = popcount(missing)
    if placing == 0:
        return missing if used < min(jokers + 1, 4) else i64(-1)
    more = i64(1) << (low + placing - 1)
    if sets == 0 or not natural & more or used == 3 or used + 3 > jokers:
        return i64(-1)
    return missing | more


@inlined
def _next_option(rules, held, jokers, suit, choice, sets, runs, suits):
    """Return the next choice for this suit: -1 no run, then a run that the hand holds, then
    `_OPTIONS`."""
    choice += 1
    if choice == -1:
        # The suits that are left, this one aside, must hold all the runs.
        if runs <= 3 - suit:
            return choice
        choice = i64(0)
    if runs == 0 or (suits >> suit) & 1:
        return i64(_OPTIONS)
    low_position = i64(rules.low_position)
    natural = places_of(ranks_of(held, suit), low_position)
    choice = max(choice, _PLACINGS * (low_position - 1))
    while choice < _OPTIONS:
        low, placing = choice // _PLACINGS + 1, choice % _PLACINGS
        if _joker_places(natural, low, placing, jokers, sets) >= 0:
            return choice
        # Without its missing cards a run is none, wherever one more joker stands.
        choice += _PLACINGS if placing == 0 else 1
    return i64(_OPTIONS)


@inlined
def _find_sets(rules, held, jokers, sets, ranks):
    """Tell whether `sets` sets of three in different ranks can be laid: the ranks that need fewest
    jokers."""
    if rules.max_set < 3:
        return sets == 0
    with_three, with_two, with_one = i64(0), i64(0), i64(0)
    for rank in range(13):
        if (ranks >> rank) & 1:
            continue
        present = popcount(held & (RANK << rank))
        with_three += present >= 3
        with_two += present == 2
        with_one += present == 1
    sets = max(sets - with_three, i64(0))
    jokers -= min(sets, with_two)
    sets -= min(sets, with_two)
    return jokers >= 0 and sets <= with_one and 2 * sets <= jokers
