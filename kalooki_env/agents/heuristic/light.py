"""The light form of the heuristic, for playing many deals to their ends: it looks for a way to go out,
and beyond that weighs no turn to its end.

It lays what greedy lays, and takes a joker and any discard that opens, makes a meld or fits the table.
It discards the card that the rest of the hand and the unseen cards need least, and keeps what the
next seat could lay off.
"""

from ...action_tables import DISCARD, SPARE, TAKE
from ...action_tables import DRAW as DRAW_STOCK
from ...engine import layout as L
from ...engine.bits import lowest, popcount
from ...engine.hands import add
from ...engine.jit import entry, i64, inlined, jit
from ...engine.layout import JOKER
from ...engine.legal import list_legal
from ...engine.match import next_seat
from ...engine.moves import hand_bits, stuck_card
from ..greedy import lay_choice
from .moves import answer
from .shape import all_suits, cards_at, in_runs, lanes, outs, ranks_with
from .view import see_table, see_unseen
from .way_out import winning_move

MELDED = 40.0
"""What a card of a meld is kept for, in unseen cards that would complete two others."""
GIVEN = 6.0
"""The same for a card that an open next seat could lay off."""
COST = 0.25
"""The same for a point of penalty that is got rid of."""


@jit
def light_choice(g, rules, tables, mind, work, scratch, trials):
    """Return the action id that the light form plays for the seat to move in `g`."""
    n = list_legal(g, rules, tables[0], work, scratch)
    if n == 1:
        return i64(work.ids[0])
    if g.phase == L.PLAY and DISCARD <= work.ids[0] < SPARE:
        return DISCARD + _discard(g, rules, mind)
    action = winning_move(g, rules, tables, mind, work, scratch, trials)
    if action >= 0:
        return action
    if g.phase == L.DRAW:
        return _draw(g, rules, mind)
    n = list_legal(g, rules, tables[0], work, scratch)
    if g.question != L.NO_QUESTION:
        return answer(work)
    if g.phase != L.PLAY:
        return i64(work.ids[0])
    action = lay_choice(g, n, rules, tables[0], tables[1], mind.joker_value, work)
    if action >= 0:
        return action
    if work.ids[n - 1] < DISCARD:
        return i64(work.ids[0])
    return DISCARD + _discard(g, rules, mind)


@inlined
def _draw(g, rules, mind):
    """Take a discard that opens, that fits the table, or that makes a meld."""
    seat = i64(g.to_move)
    card = i64(g.discards[i64(g.n_discards) - 1])
    to_open = rules.discard_before_opening == L.DISCARD_TO_OPEN
    if card == JOKER or (g.opened[seat] == 0 and to_open and g.turn > 1):
        return i64(TAKE)
    if g.opened[seat] == 1:
        see_table(g, rules, mind)
        if (i64(mind.fits) >> card) & 1:
            return i64(TAKE)
        if rules.melds_per_turn == 0:
            return i64(DRAW_STOCK)
    held, twice = hand_bits(g, seat)
    if (held >> card) & 1:
        return i64(DRAW_STOCK)
    low_position = i64(rules.low_position)
    before = popcount(_melded(held, low_position))
    held, twice = add(held, twice, card)
    return i64(TAKE) if popcount(_melded(held, low_position)) > before else i64(DRAW_STOCK)


@jit
def _melded(held, low_position):
    """Return the cards (bits) that are part of a meld without jokers."""
    rows = cards_at(in_runs(lanes(held, low_position))) & held
    return rows | (all_suits(ranks_with(held, i64(3))) & held)


@inlined
def _discard(g, rules, mind):
    """Return the card that is needed least."""
    seat = i64(g.to_move)
    see_unseen(g, rules, seat, mind)
    see_table(g, rules, mind)
    held, twice = hand_bits(g, seat)
    low_position = i64(rules.low_position)
    places, done = lanes(held, low_position), _melded(held, low_position)
    next_open = g.opened[next_seat(g, seat)] == 1
    cards, stuck = held, stuck_card(g)
    if 0 <= stuck < JOKER:
        cards &= ~(i64(1) << stuck)
    choice, least = i64(JOKER), 1e9
    while cards > 0:
        card = lowest(cards)
        cards &= cards - 1
        bit = i64(1) << card
        worth = -COST * i64(rules.penalty[card])
        if (twice >> card) & 1 == 0:
            if done & bit:
                worth += MELDED
            worth += _outs_with(mind, held, places, bit, card, low_position)
        if (i64(mind.fits) >> card) & 1:
            worth += GIVEN if next_open else GIVEN / 2
        if worth < least:
            choice, least = card, worth
    return choice


@inlined
def _outs_with(mind, held, places, bit, card, low_position):
    """Return how many unseen cards complete a meld of a card and one other of the hand."""
    live, live_twice = i64(mind.live_runs), i64(mind.live_runs_twice)
    place = lanes(bit, low_position)
    above, below = places & (place << 1), places & (place >> 1)
    n = outs(above << 1 | above >> 2, live, live_twice)
    n += outs(below >> 1 | below << 2, live, live_twice)
    n += outs((places & (place << 2)) >> 1, live, live_twice)
    n += outs((places & (place >> 2)) << 1, live, live_twice)
    same = all_suits(i64(1) << (card % 13))
    if popcount(held & same) >= 2:
        n += outs(same & ~held, i64(mind.live), i64(mind.live_twice))
    return n


@entry
def light_many(games, rows, rules, tables, mind, work, scratch, trials, out):
    """Write the light form's choice in each of `games[rows]` into `out`."""
    for k in range(len(rows)):
        out[k] = light_choice(
            games[i64(rows[k])], rules[0], tables, mind[0], work[0], scratch, trials
        )
