"""One legal action after another: what it does to the game, up to the end of the deal."""

from ..action_tables import (
    ANNOUNCE,
    BUY_IN,
    DISCARD,
    NO_SPARE,
    SPARE,
    TABLE,
    TAKE,
)
from ..action_tables import DRAW as DRAW_STOCK
from ..action_tables import LAYOFF_RUN as RUN_ADD
from ..action_tables import LAYOFF_SET as SET_ADD
from ..action_tables import SET as SET_ID
from ..action_tables import SWAP_RUN as RUN_SWAP
from ..action_tables import SWAP_SET as SET_SWAP
from . import layout as L
from .jit import i64, inlined, jit
from .layout import JOKER, NO_CARD
from .legal_melds import begun_run, list_places, missing_places
from .legal_table import list_targets
from .match import decide_buy_in, next_seat, settle
from .memory import remember_played, remember_rebuild
from .moves import (
    lay_off_run,
    lay_off_set,
    lay_run,
    lay_set,
    pair_suits,
    play_card,
    receive_card,
    swap_run,
    swap_set,
    taken_alike,
)
from .rng import shuffle
from .solver import SET_JOKERS, SET_MASK, SET_OPTIONS


@jit
def apply(g, rules, runs, work, scratch, action):
    """Apply one legal action of the seat to move to `g`; the caller has checked that it is
    legal."""
    begins_run = g.question == L.NO_QUESTION and g.phase == L.PLAY and action < SET_ID
    if begins_run or g.question == L.WHICH_PLACE:
        apply_run(g, rules, runs, work, scratch, action)
    elif g.question == L.WHICH_MELD:
        _hit(g, i64(g.half[0]), action - TABLE)
        end_question(g)
    elif g.phase == L.DRAW:
        apply_draw(g, rules, action)
    elif g.phase == L.PLAY:
        apply_play(g, rules, work, scratch, action)
    elif g.phase == L.ANNOUNCE:
        apply_announce(g, rules, action)
    elif g.phase == L.BUY_IN:
        decide_buy_in(g, rules, i64(1) if action == BUY_IN else i64(0))


@inlined
def apply_run(g, rules, runs, work, scratch, action):
    """Begin a run, or answer where its next spare joker stands; then ask on, or lay it once nothing
    is left to ask. What has one answer only is not asked."""
    more = action != NO_SPARE
    if more:
        _begin(g, action)
    if g.question == L.NO_QUESTION:
        suit, low, high = begun_run(g)
        g.begun_jokers = missing_places(g, suit, low, high)
        g.begun_last = low - 1
    elif more:
        _put_spare(g, action)
    while more:
        list_places(g, rules, runs, work, scratch)
        if work.n_ids > 1:
            g.question = L.WHICH_PLACE
            return
        more = work.ids[0] != NO_SPARE
        if more:
            _put_spare(g, i64(work.ids[0]))
    suit, low, high = begun_run(g)
    lay_run(g, rules, suit, low, high, i64(g.begun_jokers))
    end_question(g)


@jit
def _begin(g, action):
    g.half[g.n_half] = action
    g.n_half += 1


@jit
def _put_spare(g, action):
    g.begun_last = action - SPARE + 1
    g.begun_jokers |= 1 << i64(g.begun_last)


@jit
def end_question(g):
    """Leave the question of a begun move, which is complete or taken back."""
    g.n_half = 0
    g.question = L.NO_QUESTION
    g.begun_jokers = 0
    g.begun_last = 0


@inlined
def apply_draw(g, rules, action):
    """Draw the top stock card, or take the top discard."""
    seat = i64(g.to_move)
    top = i64(g.n_discards) - 1
    if action == DRAW_STOCK:
        g.n_stock -= 1
        card = i64(g.stock[i64(g.n_stock)])
        if g.rebuilt[seat, card] != L.UNLIMITED:
            g.rebuilt[seat, card] -= 1
        if g.rebuilds > 0:
            g.fresh[seat] += 1
        if top >= 0:
            _count_up(g.refused[seat], i64(g.discards[top]))
    elif action == TAKE:
        card = i64(g.discards[top])
        g.n_discards = top
        g.in_pile[card] -= 1
        g.taken = card
        g.taken_twin = 1 if g.hand[seat, card] > 0 else 0
        first_turn = rules.first_turn_take == 1 and g.turn == 1
        to_open = rules.discard_before_opening == L.DISCARD_TO_OPEN
        g.duty = 1 if g.opened[seat] == 0 and to_open and not first_turn else 0
        g.known[seat, card] += 1
    else:
        return
    receive_card(g, seat, card)
    g.phase = L.PLAY


@jit
def _count_up(counts, card):
    """Count one card more, up to what the entry of an observation holds."""
    counts[card] = min(i64(counts[card]) + 1, 255)


@inlined
def apply_play(g, rules, work, scratch, action):
    """A set, a lay-off, a swap or the discard; where it is open which meld takes a card, ask."""
    if action < RUN_ADD:
        code = action - SET_ID
        option = code % SET_OPTIONS
        lay_set(g, rules, code // SET_OPTIONS, SET_MASK[option], SET_JOKERS[option])
    elif action < DISCARD:
        list_targets(g, rules, work, scratch, action)
        if work.n_targets == 1:
            _hit(g, action, i64(work.targets[0]))
        else:
            _begin(g, action)
            g.question = L.WHICH_MELD
    else:
        _discard(g, rules, action - DISCARD)


@jit
def _hit(g, action, m):
    """Carry out a lay-off or swap on table meld `m`."""
    if action < SET_ADD:
        code = action - RUN_ADD
        lay_off_run(g, m, (code // 22) % 2, code % 2)
    elif action < RUN_SWAP:
        code = action - SET_ADD
        lay_off_set(g, m, code if code < 52 else i64(JOKER))
    elif action < SET_SWAP:
        swap_run(g, m, (action - RUN_SWAP) % 14 + 1)
    else:
        first, second = pair_suits((action - SET_SWAP) % 6)
        swap_set(g, m, first, second)


@inlined
def _discard(g, rules, card):
    """Discard, which ends the turn: the deal with the last card, or an announcement, or the next
    seat."""
    seat = i64(g.to_move)
    # A card equal to the taken one may be discarded only if the hand held another before the take:
    # everybody knows now that there were two, and that those not played since are kept.
    kept = 1 - taken_alike(g) if card == g.taken else i64(0)
    play_card(g, seat, card)
    if g.known[seat, card] < kept:
        g.known[seat, card] += 1
        remember_played(g, seat, card)
    n = i64(g.n_discards)
    g.discards[n] = card
    g.n_discards = n + 1
    g.in_pile[card] += 1
    _count_up(g.thrown[seat], card)
    g.barred[seat] = 0
    g.announced[seat] = 0
    left = i64(g.hand_size[seat])
    if left == 0:
        g.winner = seat
        g.is_kalooki = (
            1 if g.opened[seat] == 1 and g.was_open == 0 and g.swaps == 0 and g.layoffs == 0 else 0
        )
        settle(g, rules)
    elif left <= 3 and rules.announce == L.ANNOUNCE_MANUAL:
        g.phase = L.ANNOUNCE
    else:
        if left <= 3 and rules.announce == L.ANNOUNCE_AUTO:
            g.announced[seat] = left
        end_turn(g, rules)


@inlined
def apply_announce(g, rules, action):
    """Announce the last cards, or stay silent and be barred from going out in the next turn."""
    seat = i64(g.to_move)
    if action == ANNOUNCE:
        g.announced[seat] = g.hand_size[seat]
    else:
        g.barred[seat] = 1
    end_turn(g, rules)


@jit
def end_turn(g, rules):
    """Rebuild the stock if it ran out, end the deal if it cannot be, else let the next seat draw."""
    if g.n_stock == 0:
        limited = rules.max_rebuilds != L.UNLIMITED and g.rebuilds >= rules.max_rebuilds
        if limited or g.n_discards <= 1:
            g.is_void = 1
            settle(g, rules)
            return
        rebuild_stock(g)
    if 0 <= rules.turn_cap <= g.turn:
        g.is_cut = 1
        settle(g, rules)
        return
    g.turn += 1
    begin_turn(g, next_seat(g, i64(g.to_move)))


@jit
def begin_turn(g, seat):
    """Start the turn of `seat` with its draw."""
    g.to_move = seat
    g.phase = L.DRAW
    g.taken = NO_CARD
    g.taken_twin = 0
    g.taken_laid = 0
    g.duty = 0
    g.was_open = g.opened[seat]
    g.points = 0
    g.swaps = 0
    g.owed = 0
    g.layoffs = 0
    g.laid = 0
    for m in range(i64(g.n_melds)):
        g.melds[m].laid = 0
        g.melds[m].added_low = 0
        g.melds[m].added_high = 0


@inlined
def rebuild_stock(g):
    """Shuffle all discards but the last into a new stock; the last starts the new pile."""
    top = i64(g.n_discards) - 1
    for k in range(top):
        g.stock[k] = g.discards[k]
    g.n_stock = top
    shuffle(g, g.stock, top)
    g.discards[0] = g.discards[top]
    g.n_discards = 1
    g.in_pile[:] = 0
    g.in_pile[i64(g.discards[0])] = 1
    g.rebuilds += 1
    # Everybody has seen the pile, and so knows what the new stock holds.
    remember_rebuild(g)
