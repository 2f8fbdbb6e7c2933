"""What each action can lead to: the ends of the turn, scored, and the choice among them."""

import numpy as np

from ...action_tables import DISCARD, SPARE, TAKE
from ...action_tables import DRAW as DRAW_STOCK
from ...engine import layout as L
from ...engine.apply import apply
from ...engine.bits import lowest, popcount
from ...engine.hands import remove
from ...engine.jit import entry, i64, inlined, jit
from ...engine.layout import JOKER, NO_CARD
from ...engine.legal import list_legal
from ...engine.moves import cards_kept, hand_bits, stuck_card
from ..greedy import greedy_choice
from ..heuristic.choice import AGAIN
from ..heuristic.hand import hand_features
from ..heuristic.layout import BEFORE_DRAW, DEPTH, N
from ..heuristic.moves import answer, note_moves, play_whole
from ..heuristic.opening import note_openers
from ..heuristic.value import (
    CLOSED_NEAR_LIVE,
    GIFT,
    NOTHING,
    OUT,
    discard_features,
    situation,
)
from ..heuristic.view import see
from ..heuristic.way_out import winning_move
from .inputs import list_state
from .score import first_layer, score


@inlined
def weigh_options(g, rules, tables, mind, pad, net, work, scratch, trials):
    """Return what is played for the seat to move in `g`, or -1 where it is a choice among the options
    of `pad`: `best_option`, or one drawn by their scores."""
    pad.n_options = 0
    pad.n_slots = 0
    n = list_legal(g, rules, tables[0], work, scratch)
    if n == 1:
        return i64(work.ids[0])
    if g.phase == L.PLAY and DISCARD <= work.ids[0] < SPARE:
        score_ends(g, rules, tables, mind, pad, net, work)
        _note_discards(pad)
        return _sure(pad)
    action = winning_move(g, rules, tables, mind, work, scratch, trials)
    if action >= 0:
        return action
    if g.phase == L.DRAW:
        return _weigh_draw(g, rules, tables, mind, pad, net, work, scratch, trials)
    list_legal(g, rules, tables[0], work, scratch)
    if g.question != L.NO_QUESTION:
        return answer(work)
    if g.phase == L.PLAY:
        return _weigh_play(g, rules, tables, mind, pad, net, work, scratch, trials)
    return i64(work.ids[0])  # it announces its last cards, and buys in


@jit
def best_option(pad):
    """Return the index of the option with the highest score."""
    best = i64(0)
    for k in range(1, i64(pad.n_options)):
        if pad.worth[k] > pad.worth[best]:
            best = i64(k)
    return best


@inlined
def _weigh_draw(g, rules, tables, mind, pad, net, work, scratch, trials):
    """Weigh taking the top discard against a card from the stock."""
    taken = trials[DEPTH]
    trials[DEPTH] = g
    apply(taken, rules, tables[0], work, scratch, i64(TAKE))
    if g.thrown[i64(g.to_move), i64(g.discards[i64(g.n_discards) - 1])] > AGAIN:
        return i64(DRAW_STOCK)
    _before_draw(g, rules, tables, mind, pad, net, work)
    before = i64(pad.n_options)
    _offer(pad, before, i64(TAKE), score_ends(taken, rules, tables, mind, pad, net, work))
    if _play_on(taken, rules, tables, mind, work, scratch, False) > 0:
        _offer(pad, before, i64(TAKE), score_ends(taken, rules, tables, mind, pad, net, work))
    return _sure(pad)


@inlined
def _before_draw(g, rules, tables, mind, pad, net, work):
    """Weigh drawing from the stock, by the hand as it is."""
    seat, slot = i64(g.to_move), i64(pad.n_slots)
    see(g, rules, seat, mind)
    held, twice = hand_bits(g, seat)
    jokers, size = i64(g.hand[seat, JOKER]), i64(g.hand_size[seat])
    row = BEFORE_DRAW + situation(g, seat)
    list_state(g, rules, mind, pad, slot, seat, held, twice, jokers, size, row)
    pad.n_slots = slot + 1
    first_layer(pad, slot, net)
    hand_features(g, rules, tables, mind, seat, held, twice, jokers, work)
    for k in range(GIFT, CLOSED_NEAR_LIVE + 1):
        mind.phi[k] = 0.0
    pad.worth[0] = score(mind.phi, row, i64(NO_CARD), False, jokers, net)
    pad.option[0], pad.slot[0], pad.card[0], pad.row[0] = DRAW_STOCK, slot, NO_CARD, row
    pad.twin[0] = 0
    for k in range(N):
        pad.phi[0, k] = mind.phi[k]
    pad.n_options = 1


@inlined
def _weigh_play(g, rules, tables, mind, pad, net, work, scratch, trials):
    """Weigh every move and every discard; the legal ids are in `work`."""
    runs = tables[0]
    n = note_moves(mind, i64(0), work)
    score_ends(g, rules, tables, mind, pad, net, work)
    _note_discards(pad)
    if g.opened[i64(g.to_move)] == 0:
        return _weigh_opening(g, rules, tables, mind, pad, net, work, scratch, trials)
    for k in range(n):
        trials[0] = g
        play_whole(trials[0], rules, runs, work, scratch, i64(mind.moves[0, k]))
        _weigh_move(trials, i64(mind.moves[0, k]), rules, tables, mind, pad, net, work, scratch)
    if pad.n_options == 0:
        return i64(mind.moves[0, 0])
    return _sure(pad)


@inlined
def _weigh_opening(g, rules, tables, mind, pad, net, work, scratch, trials):
    """Weigh the first meld of greedy's opening by its ends: with the opening alone, and with all that
    greedy lays."""
    action = greedy_choice(g, rules, tables[0], tables[1], mind.joker_value, work, scratch)
    before = i64(pad.n_options)
    trials[0] = g
    _play_on(trials[0], rules, tables, mind, work, scratch, True)
    _offer(pad, before, action, score_ends(trials[0], rules, tables, mind, pad, net, work))
    if _play_on(trials[0], rules, tables, mind, work, scratch, False) > 0:
        _offer(pad, before, action, score_ends(trials[0], rules, tables, mind, pad, net, work))
    return action if pad.n_options == 0 else _sure(pad)


@inlined
def _weigh_move(trials, action, rules, tables, mind, pad, net, work, scratch):
    """Weigh a move of an open seat, played in `trials[0]`: the turn ends after it, or after all that
    greedy lays then; a released joker is laid first, where it is worth most."""
    before = i64(pad.n_options)
    if trials[0].owed == 0:
        _offer(pad, before, action, score_ends(trials[0], rules, tables, mind, pad, net, work))
        if _play_on(trials[0], rules, tables, mind, work, scratch, False) > 0:
            _offer(pad, before, action, score_ends(trials[0], rules, tables, mind, pad, net, work))
        return
    list_legal(trials[0], rules, tables[0], work, scratch)
    n = note_moves(mind, i64(1), work)
    for k in range(n):
        trials[1] = trials[0]
        play_whole(trials[1], rules, tables[0], work, scratch, i64(mind.moves[1, k]))
        if trials[1].owed == 0:
            _offer(pad, before, action, score_ends(trials[1], rules, tables, mind, pad, net, work))


@jit
def _play_on(g, rules, tables, mind, work, scratch, opening):
    """Play a turn on with greedy's melds and lay-offs, with `opening` no further than the opening;
    return how many actions that was."""
    seat = i64(g.to_move)
    n = i64(0)
    for _ in range(L.MAX_CARDS):
        if opening and g.opened[seat] == 1 and g.question == L.NO_QUESTION:
            break
        action = greedy_choice(g, rules, tables[0], tables[1], mind.joker_value, work, scratch)
        if action >= DISCARD and g.question == L.NO_QUESTION:
            break
        apply(g, rules, tables[0], work, scratch, action)
        n += 1
    return n


@jit
def score_ends(g, rules, tables, mind, pad, net, work):
    """Score every discard that ends the turn in `g`, into `pad.end_...`; return the best one, -1 where
    the turn can't end yet."""
    seat = i64(g.to_move)
    size = i64(g.hand_size[seat])
    half_open = g.opened[seat] == 0 and (g.laid > 0 or g.duty == 1)
    pad.end_worth[:] = NOTHING
    if g.owed > 0 or size < cards_kept(g) or half_open:
        return i64(-1)
    stuck = stuck_card(g)
    held, twice = hand_bits(g, seat)
    jokers = i64(g.hand[seat, JOKER])
    row = situation(g, seat)
    slot = min(i64(pad.n_slots), i64(len(pad.n_listed) - 1))
    pad.n_slots, pad.end_row = slot + 1, row
    if size == 1:
        card = i64(JOKER) if jokers == 1 else lowest(held)
        if card == stuck:
            return i64(-1)
        pad.end_worth[card] = OUT
        return card
    see(g, rules, seat, mind)
    list_state(g, rules, mind, pad, slot, seat, held, twice, jokers, size - 1, row)
    first_layer(pad, slot, net)
    note_openers(g, rules, tables, mind, seat, held, twice, jokers, work)
    best, cards = i64(-1), held
    if 0 <= stuck < JOKER:
        cards &= ~(i64(1) << stuck)
    for _ in range(popcount(cards) + i64(jokers > 0 and stuck != JOKER)):
        card, left, left_twice, left_jokers = i64(JOKER), held, twice, jokers - 1
        if cards > 0:
            card, left_jokers = lowest(cards), jokers
            cards &= cards - 1
            left, left_twice = remove(held, twice, i64(1) << card)
        hand_features(g, rules, tables, mind, seat, left, left_twice, left_jokers, work)
        discard_features(g, rules, mind, seat, card)
        twin = card < JOKER and (twice >> min(card, i64(51))) & 1 == 1
        pad.end_worth[card] = score(mind.phi, row, card, twin, jokers, net)
        pad.end_twin[card] = i64(twin)
        for k in range(N):
            pad.end_phi[card, k] = np.float32(mind.phi[k])
        if best < 0 or pad.end_worth[card] > pad.end_worth[best]:
            best = card
    return best


@jit
def _note(pad, n, action, card):
    """Note an option with the end that `score_ends` scored for the discard of `card`."""
    pad.option[n], pad.worth[n], pad.card[n] = action, pad.end_worth[card], card
    pad.slot[n], pad.row[n], pad.twin[n] = pad.n_slots - 1, pad.end_row, pad.end_twin[card]
    for k in range(N):
        pad.phi[n, k] = pad.end_phi[card, k]


@jit
def _offer(pad, before, action, card):
    """Note an option by its end with the discard of `card`, or, where it is noted already, after the
    first `before` options, let it have that end if it is better."""
    n = i64(pad.n_options)
    if card < 0:
        return
    if n == before:
        _note(pad, n, action, card)
        pad.n_options = n + 1
    elif pad.end_worth[card] > pad.worth[n - 1]:
        _note(pad, n - 1, action, card)


@jit
def _note_discards(pad):
    """Note the discards that `score_ends` scored."""
    for card in range(L.CARDS):
        if pad.end_worth[card] > NOTHING:
            n = i64(pad.n_options)
            _note(pad, n, i64(DISCARD) + card, i64(card))
            pad.n_options = n + 1


@jit
def _sure(pad):
    """Return the option that goes out, or -1 for a choice."""
    best = best_option(pad)
    return i64(pad.option[best]) if pad.worth[best] >= OUT else i64(-1)


@inlined
def ends_choice(g, rules, tables, mind, pad, net, work, scratch, trials):
    """Return the action id that the network plays for the seat to move in `g`."""
    action = weigh_options(g, rules, tables, mind, pad, net, work, scratch, trials)
    return action if action >= 0 else i64(pad.option[best_option(pad)])


@entry
def ends_many(games, rows, rules, tables, mind, pad, net, work, scratch, trials, out):
    """Write the network's choice in each of `games[rows]` into `out`."""
    for k in range(len(rows)):
        g = games[i64(rows[k])]
        out[k] = ends_choice(g, rules[0], tables, mind[0], pad[0], net, work[0], scratch, trials)


@entry
def weigh_at(games, i, rules, tables, mind, pad, net, work, scratch, trials):
    """Weigh the options of one game into `pad`; return the action where there is no choice, else -1."""
    return weigh_options(
        games[i], rules[0], tables, mind[0], pad[0], net, work[0], scratch, trials
    )
