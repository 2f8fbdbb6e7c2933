"""How near a hand has come to the opening: by points, or by the contract of the deal."""

from ...engine.bits import lowest, popcount
from ...engine.hands import add, copies, places_of, ranks_of
from ...engine.jit import i64, inlined, jit
from ...engine.layout import CONTRACT_MELDS
from ...engine.solver import best_melds
from .layout import AT
from .shape import ALL_CARDS, LANES, all_suits, cards_at, lanes, ranks_with

OPENING, CAN_OPEN = AT["opening"], AT["can_open"]
SPARE_POINTS, OPEN_NEXT = AT["spare_points"], AT["open_next"]
MOST_GAINED = 60
"""One more card brings fewer points: at most a run of five picture cards."""
WHOLE_CONTRACT = 16
"""Cards of the largest contract."""


@inlined
def opening_features(g, rules, tables, mind, seat, held, twice, jokers, work):
    """Fill the features of the opening for a hand; all zero for a seat that is open."""
    phi = mind.phi
    phi[OPENING] = 0.0
    phi[CAN_OPEN] = 0.0
    phi[SPARE_POINTS] = 0.0
    phi[OPEN_NEXT] = 0.0
    if g.opened[seat] == 1:
        return
    if rules.n_contracts > 0:
        _contract_features(g, rules, mind, held, twice, jokers)
        return
    need = max(i64(rules.opening_points), i64(1))
    points = _points(held, twice, jokers, i64(0), rules, tables, work)
    phi[OPENING] = min(points, need) / need
    if points >= need:
        phi[CAN_OPEN] = 1.0
        phi[SPARE_POINTS] = (points - need) / 50.0
        phi[OPEN_NEXT] = 1.0
    elif points + MOST_GAINED >= need:
        phi[OPEN_NEXT] = _open_next(rules, tables, mind, held, twice, jokers, need, work)


@jit
def _points(held, twice, jokers, need, rules, tables, work):
    """Return the best opening points of a hand; with a `need` above 0, at least that or less."""
    values, none = rules.set_points, i64(0)
    return best_melds(
        held, twice, jokers, need, none, tables[0], values, values, i64(rules.max_set), work
    )


@inlined
def _open_next(rules, tables, mind, held, twice, jokers, need, work):
    """Return the chance that the next card drawn from the stock brings the points of the opening."""
    n = i64(0)
    cards = i64(mind.live) & i64(mind.may_open)
    cards &= completing(held, jokers, i64(rules.low_position))
    while cards > 0:
        card = lowest(cards)
        cards &= cards - 1
        more, more_twice = add(held, twice, card)
        if _points(more, more_twice, jokers, need, rules, tables, work) >= need:
            n += copies(i64(mind.live), i64(mind.live_twice), card)
    if mind.live_jokers > 0:
        points = _points(held, twice, jokers + 1, need, rules, tables, work)
        n += i64(mind.live_jokers) if points >= need else i64(0)
    return n / i64(mind.unseen)


@jit
def note_openers(g, rules, tables, mind, seat, held, twice, jokers, work):
    """Note the unseen cards with which a hand would reach the points of the opening: none else can bring
    them when a card of it is discarded, so these alone are tried for each discard."""
    mind.may_open = ALL_CARDS
    if g.opened[seat] == 1 or rules.n_contracts > 0:
        return
    need = max(i64(rules.opening_points), i64(1))
    found = i64(0)
    cards = i64(mind.live) & completing(held, jokers, i64(rules.low_position))
    while cards > 0:
        card = lowest(cards)
        cards &= cards - 1
        more, more_twice = add(held, twice, card)
        if _points(more, more_twice, jokers, need, rules, tables, work) >= need:
            found |= i64(1) << card
    mind.may_open = found


@jit
def completing(held, jokers, low_position):
    """Return the cards (bits) that make or lengthen a meld together with cards of a hand."""
    if jokers > 1:
        return i64(ALL_CARDS)
    places = lanes(held, low_position)
    if jokers > 0:
        around = places << 1 | places << 2 | places >> 1 | places >> 2
        return cards_at(around & i64(LANES)) | all_suits(ranks_with(held, i64(1)))
    pairs = places & (places >> 1)
    gaps = places & (places >> 2)
    around = pairs >> 1 | pairs << 2 | gaps << 1
    return cards_at(around & i64(LANES)) | all_suits(ranks_with(held, i64(2)))


@inlined
def _contract_features(g, rules, mind, held, twice, jokers):
    """The same for a contract: one card that is missing counts one."""
    phi = mind.phi
    missing = contract_missing(g, rules, held, jokers)
    phi[OPENING] = 1.0 - missing / WHOLE_CONTRACT
    if missing == 0:
        phi[CAN_OPEN] = 1.0
        phi[OPEN_NEXT] = 1.0
    elif missing == 1:
        n = i64(mind.live_jokers)
        cards = i64(mind.live) & ~held
        while cards > 0:
            card = lowest(cards)
            cards &= cards - 1
            if contract_missing(g, rules, held | (i64(1) << card), jokers) == 0:
                n += copies(i64(mind.live), i64(mind.live_twice), card)
        phi[OPEN_NEXT] = n / i64(mind.unseen)


@jit
def contract_missing(g, rules, held, jokers):
    """Return how many cards a hand lacks for the contract of the deal, or a little fewer: a card may
    be counted in a set and in a run."""
    row = min(i64(g.deal), i64(rules.n_contracts)) - 1
    sets, runs = i64(0), i64(0)
    for k in range(CONTRACT_MELDS):
        sets += rules.contracts[row, k] == 3
        runs += rules.contracts[row, k] == 4
    enough = i64(0)
    for suits in range(1, 4):
        n = popcount(ranks_with(held, i64(suits)))
        enough += min(n, sets)
    missing = 3 * sets - enough
    return max(missing + _runs_missing(rules, held, runs) - jokers, i64(0))


@inlined
def _runs_missing(rules, held, runs):
    """Return how many cards the nearest runs of four lack, each in another suit."""
    low_position = i64(rules.low_position)
    with_most = i64(0)  # a byte for each number of cards: suits that reach it
    for suit in range(4):
        places = places_of(ranks_of(held, i64(suit)), low_position)
        most = i64(0)
        for low in range(low_position, 12):
            most = max(most, popcount((places >> low) & 15))
        with_most += i64(1) << (8 * most)
    missing, left = i64(0), runs
    for have in range(4, -1, -1):
        n = min(left, (with_most >> (8 * have)) & 255)
        missing += n * (4 - have)
        left -= n
    return missing
