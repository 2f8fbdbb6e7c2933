"""Plans: which melds a hand could lay in this turn, and which cards it keeps, for lay-offs and the discard.

One card after another is given its place: it is kept, or laid in one of the melds that hold it. So each
choice of disjoint melds comes up, whatever the order in which a turn would lay them, and a card that
has no place ends the plan at once.
"""

from ...engine.bits import lowest, popcount
from ...engine.hands import (
    add,
    places_of,
    ranks_of,
    remove,
    run_cards,
    set_cards,
    span,
    suits_of,
)
from ...engine.jit import i64, inlined, jit
from ...engine.layout import RUN, SET
from ...engine.solver import POPCOUNT, SET_JOKERS, SET_MASK, SETS_FROM, run_value
from .shape import LANES, all_suits, cards_at, in_runs, lanes, ranks_with

KEEP_FITTING, SETS, HIGH_RUNS, LOW_RUNS, KEEP_LOOSE, NOTHING_LEFT, FRESH = range(7)
"""Steps in which the places of a card are tried; a card that fits the table is kept first, another one
last: it can only be the discard."""
JOKER_CARDS = 4
"""Natural cards that one joker can bring into a meld: two on either side of it in a run."""


@jit
def begin_plans(mind, first, held, twice, jokers, fits, most, longest):
    """Begin with no card decided, in the steps from `mind.plans[first]` on.

    `fits` are the cards (bits) that may be kept; of all others a plan keeps one at most. It has at most
    `most` melds, and runs of at most `longest` cards.
    """
    step = mind.plans[first]
    step.held, step.twice, step.jokers = held, twice, jokers
    step.kept, step.kept_twice, step.loose = 0, 0, 0
    step.melds, step.points, step.kind, step.step = 0, 0, 0, FRESH
    step.fits, step.most, step.longest, step.depth = fits, most, longest, 0


@jit
def hopeless(step, fits, may_meld, low_position):
    """Tell whether more than one card of a plan will have no place."""
    held, twice = i64(step.held), i64(step.twice)
    loose = held & ~fits
    spare = 1 - i64(step.loose)
    if not may_meld:
        return popcount(loose) + popcount(twice & ~fits) > spare
    jokers = i64(step.jokers)
    if jokers > 0:
        spare += JOKER_CARDS * jokers
    if loose == 0 or popcount(loose) + popcount(twice & ~fits) <= spare:
        return False
    places = lanes(held, low_position)
    melded = cards_at(in_runs(places)) | all_suits(ranks_with(held, i64(3)))
    useful = fits | melded
    if popcount(held & ~useful) + popcount(twice & ~useful) > spare:
        return True
    if jokers != 1:
        return False
    near = (places & (places << 1 | places << 2)) | (places & (places >> 1 | places >> 2))
    useful |= cards_at(near & i64(LANES)) | all_suits(ranks_with(held, i64(2)))
    return popcount(held & ~useful) + popcount(twice & ~useful) > spare - JOKER_CARDS


@jit
def next_plan(mind, first, rules):
    """Find the next plan; return the number of its steps, -1 where there is no further one.

    The melds are then in `mind.plans[first + 1 : first + steps + 1]`, those steps with a `kind`; what is
    kept, and the jokers that are left, in the last of them.
    """
    root = mind.plans[first]
    fits, most, low_position = i64(root.fits), i64(root.most), i64(rules.low_position)
    depth = i64(root.depth)
    while depth >= 0 and mind.left > 0:
        step = mind.plans[first + depth]
        may_meld = step.melds < most
        if step.step == FRESH:
            mind.left -= 1
            if step.held == 0:
                step.step = NOTHING_LEFT
                root.depth = depth
                return depth
            if hopeless(step, fits, may_meld, low_position):
                depth -= 1
                continue
            loose = i64(step.held) & ~fits
            step.card = lowest(loose if loose > 0 else i64(step.held))
            step.step = KEEP_FITTING
        depth += 1 if _next_place(step, mind.plans[first + depth + 1], rules, fits, root) else -1
    root.depth = -1
    return i64(-1)


@inlined
def _next_place(step, child, rules, fits, root):
    """Give the card of a step its next place in `child`; False where it has no other."""
    card = i64(step.card)
    may_meld = step.melds < root.most
    if step.step == KEEP_FITTING:
        step.step = SETS if may_meld else KEEP_LOOSE
        step.sets = SETS_FROM[suits_of(i64(step.held), card % 13), i64(step.jokers)]
        if (fits >> card) & 1:
            _keep(step, child, card, i64(0))
            return True
    if step.step == SETS:
        while step.sets > 0:
            option = lowest(i64(step.sets))
            step.sets &= step.sets - 1
            mask, used = SET_MASK[option], SET_JOKERS[option]
            if (mask >> (card // 13)) & 1 and POPCOUNT[mask] + used <= rules.max_set:
                _lay_set(step, child, rules, card % 13, mask, used)
                return True
        step.step = HIGH_RUNS
        _first_run(step, rules, i64(14) if card % 13 == 0 else card % 13 + 1, root)
    if step.step == HIGH_RUNS:
        if _next_run(step, child, rules, i64(14) if card % 13 == 0 else card % 13 + 1, root):
            return True
        step.step = LOW_RUNS if card % 13 == 0 and rules.low_position == 1 else KEEP_LOOSE
        _first_run(step, rules, i64(1), root)
    if step.step == LOW_RUNS:
        if _next_run(step, child, rules, i64(1), root):
            return True
        step.step = KEEP_LOOSE
    if step.step == KEEP_LOOSE:
        step.step = NOTHING_LEFT
        if not (fits >> card) & 1 and step.loose == 0:
            _keep(step, child, card, i64(1))
            return True
    return False


@jit
def _follow(step, child):
    """Begin the step that follows another."""
    child.held, child.twice, child.jokers = step.held, step.twice, step.jokers
    child.kept, child.kept_twice, child.loose = step.kept, step.kept_twice, step.loose
    child.melds, child.points, child.kind, child.step = step.melds, step.points, 0, FRESH


@jit
def _keep(step, child, card, loose):
    _follow(step, child)
    child.held, child.twice = remove(i64(step.held), i64(step.twice), i64(1) << card)
    child.kept, child.kept_twice = add(i64(step.kept), i64(step.kept_twice), card)
    child.loose += loose


@jit
def _lay(step, child, cards, jokers, worth):
    _follow(step, child)
    child.held, child.twice = remove(i64(step.held), i64(step.twice), cards)
    child.jokers -= jokers
    child.melds += 1
    child.points += worth


@inlined
def _lay_set(step, child, rules, rank, mask, jokers):
    worth = (POPCOUNT[mask] + jokers) * i64(rules.set_points[rank])
    _lay(step, child, set_cards(rank, mask), jokers, worth)
    child.kind, child.key, child.low, child.high = SET, rank, mask, jokers


@jit
def _first_run(step, rules, place, root):
    """Begin the runs with the natural card at `place`: `from_low` to `to_high`, with `extra` jokers in
    the places of natural cards."""
    step.from_low = max(i64(rules.low_position), place - i64(root.longest) + 1)
    step.to_high = max(i64(step.from_low) + 2, place)
    step.extra = 0


@jit
def _next_run(step, child, rules, place, root):
    """Lay the next run in `child`; False where there is no other."""
    suit, jokers = i64(step.card) // 13, i64(step.jokers)
    natural = places_of(ranks_of(i64(step.held), suit), i64(rules.low_position))
    while step.from_low <= min(place, i64(12)):
        low, high = i64(step.from_low), i64(step.to_high)
        inside = span(low, high)
        missing = inside & ~natural
        spare = jokers - popcount(missing)
        if spare < 0 or high > min(low + i64(root.longest) - 1, i64(14)):
            step.from_low += 1
            step.to_high = max(low + 3, place)
            step.extra = 0
            continue
        extra = i64(step.extra)
        others = inside & natural & ~(i64(1) << place) if spare > 0 else i64(0)
        step.extra = (extra - others) & others  # the next subset of the other natural cards
        step.to_high += step.extra == 0
        if popcount(extra) > spare:
            continue
        places = missing | extra
        cards = run_cards(suit, inside & ~places)
        _lay(step, child, cards, popcount(places), run_value(low, high, rules))
        child.kind, child.key, child.low, child.high, child.places = RUN, suit, low, high, places
        return True
    return False
