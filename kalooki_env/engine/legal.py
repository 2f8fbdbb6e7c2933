"""Which actions are legal: exactly those from which the turn can be finished (RULES 3).

`list_legal` writes the ids of the seat to move, ascending, into `work.ids[:n_ids]`. `scratch`
holds `layout.SCRATCH` games on which moves are tried out.
"""

from ..action_tables import ANNOUNCE, BUY_IN, DISCARD, DROP_OUT, SILENT, TABLE, TAKE
from ..action_tables import DRAW as DRAW_STOCK
from . import layout as L
from .finish import may_lay_new
from .hands import add
from .jit import i64, inlined, jit
from .layout import JOKER
from .legal_melds import list_places, list_runs, list_sets
from .legal_table import list_lay_offs, list_swaps, list_targets
from .listing import push, push_bits
from .moves import cards_kept, hand_bits, stuck_card
from .opening import can_complete, may_meld


@jit
def list_legal(g, rules, runs, work, scratch):
    """Write the legal action ids of the seat to move into `work`; return how many (0: nobody is to
    move)."""
    work.n_ids = 0
    if g.question == L.WHICH_PLACE:
        list_places(g, rules, runs, work, scratch)
    elif g.question == L.WHICH_MELD:
        list_targets(g, rules, work, scratch, i64(g.half[0]))
        for k in range(i64(work.n_targets)):
            push(work, TABLE + i64(work.targets[k]))
    elif g.phase == L.DRAW:
        legal_draw(g, rules, runs, work)
    elif g.phase == L.PLAY:
        legal_play(g, rules, runs, work, scratch)
    elif g.phase == L.ANNOUNCE:
        push(work, i64(ANNOUNCE))
        push(work, i64(SILENT))
    elif g.phase == L.BUY_IN:
        push(work, i64(BUY_IN))
        push(work, i64(DROP_OUT))
    return i64(work.n_ids)


@inlined
def legal_draw(g, rules, runs, work):
    """The draw phase: the stock, and the top discard where it may be taken."""
    if g.n_stock > 0:
        push(work, i64(DRAW_STOCK))
    if g.n_discards > 0 and _may_take(g, rules, runs, work):
        push(work, i64(TAKE))


@inlined
def _may_take(g, rules, runs, work):
    seat = i64(g.to_move)
    if g.opened[seat] == 1 or rules.discard_before_opening == L.DISCARD_FREE:
        return True
    if rules.first_turn_take == 1 and g.turn == 1:
        return True
    if rules.discard_before_opening == L.DISCARD_NEVER:
        return False
    card = i64(g.discards[i64(g.n_discards) - 1])
    stuck = card if g.hand[seat, card] == 0 else i64(-1)
    held, twice = hand_bits(g, seat)
    jokers = i64(g.hand[seat, JOKER])
    if card == JOKER:
        jokers += 1
    else:
        held, twice = add(held, twice, card)
        if not may_meld(held, jokers, card, rules):
            return False
    none = i64(0)
    return can_complete(g, rules, runs, work, held, twice, jokers, none, none, none, card, stuck)


@inlined
def legal_play(g, rules, runs, work, scratch):
    """The play phase: melds, and for an open seat lay-offs and swaps; then the discards."""
    seat = i64(g.to_move)
    opened = g.opened[seat] == 1
    if opened:
        new_melds = may_lay_new(g, rules, work)
        new_runs = new_melds or g.laid > 0
        may_discard = g.owed == 0
    else:
        held, twice = hand_bits(g, seat)
        duty_card = i64(g.taken) if g.duty == 1 else i64(-1)
        jokers, none, stuck = i64(g.hand[seat, JOKER]), i64(0), stuck_card(g)
        new_melds = can_complete(
            g, rules, runs, work, held, twice, jokers, none, none, none, duty_card, stuck
        )
        new_runs = new_melds
        may_discard = g.duty == 0 and g.laid == 0
    if new_runs:
        list_runs(g, rules, runs, work, scratch)
    if new_melds:
        list_sets(g, rules, runs, work, scratch)
    if opened:
        list_lay_offs(g, rules, work, scratch)
        list_swaps(g, rules, work, scratch)
    if may_discard:
        _list_discards(g, work)


@inlined
def _list_discards(g, work):
    seat = i64(g.to_move)
    if g.hand_size[seat] < cards_kept(g):
        return
    stuck = stuck_card(g)
    cards = i64(g.held[seat])
    if 0 <= stuck < JOKER:
        cards &= ~(i64(1) << stuck)
    push_bits(work, i64(DISCARD), cards)
    if g.hand[seat, JOKER] > 0 and stuck != JOKER:
        push(work, i64(DISCARD + JOKER))
