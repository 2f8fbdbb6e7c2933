"""The heuristic's decisions: each is the first step of the turn whose end is worth most."""

from ...action_tables import DISCARD, SPARE, TAKE
from ...action_tables import DRAW as DRAW_STOCK
from ...engine import layout as L
from ...engine.apply import apply
from ...engine.jit import entry, i64, inlined
from ...engine.legal import list_legal
from ..greedy import greedy_choice
from .layout import DEPTH
from .moves import answer, note_moves, play_whole, weigh, weigh_discards
from .value import NOTHING, best_discard, value_before_draw
from .way_out import winning_move

AGAIN = 1
"""Times that a seat throws a card and may still take it up again: cards that two seats take and
throw in turns would go round for ever."""


@inlined
def heuristic_choice(g, rules, tables, mind, work, scratch, trials):
    """Return the action id that the heuristic plays for the seat to move in `g`.

    What it weighed against it is in `mind.option` and `mind.worth`; nothing, where there was no
    question: a forced move, a way to go out, an opening once it is begun.
    """
    mind.n_options = 0
    n = list_legal(g, rules, tables[0], work, scratch)
    if n == 1:
        return i64(work.ids[0])
    if g.phase == L.PLAY and DISCARD <= work.ids[0] < SPARE:
        card, _ = best_discard(g, rules, tables, mind, work)
        weigh_discards(mind, NOTHING)
        return DISCARD + card
    action = winning_move(g, rules, tables, mind, work, scratch, trials)
    if action >= 0:
        return action
    if g.phase == L.DRAW:
        return choose_draw(g, rules, tables, mind, work, scratch, trials)
    list_legal(g, rules, tables[0], work, scratch)
    if g.question != L.NO_QUESTION:
        return answer(work)
    if g.phase == L.PLAY:
        return choose_play(g, rules, tables, mind, work, scratch, trials)
    return i64(work.ids[0])  # it announces its last cards, and buys in


@inlined
def choose_draw(g, rules, tables, mind, work, scratch, trials):
    """Take the top discard where the turn then ends better than one with an unknown card."""
    unknown = value_before_draw(g, rules, tables, mind, work)
    taken = trials[DEPTH]
    trials[DEPTH] = g
    apply(taken, rules, tables[0], work, scratch, i64(TAKE))
    if g.thrown[i64(g.to_move), i64(g.discards[i64(g.n_discards) - 1])] > AGAIN:
        return i64(DRAW_STOCK)
    known = best_discard(taken, rules, tables, mind, work)[1]
    known = max(known, _value_of_turn(taken, rules, tables, mind, work, scratch))
    weigh(mind, i64(TAKE), known)
    weigh(mind, i64(DRAW_STOCK), unknown)
    return i64(TAKE) if known > unknown else i64(DRAW_STOCK)


@inlined
def choose_play(g, rules, tables, mind, work, scratch, trials):
    """Play the move after which the turn ends best, a discard included; an opening begins as greedy
    begins it. The legal ids are in `work`."""
    n = note_moves(mind, i64(0), work)
    card, best = best_discard(g, rules, tables, mind, work)
    choice = DISCARD + card if card >= 0 else i64(mind.moves[0, 0])
    weigh_discards(mind, NOTHING)
    if g.opened[i64(g.to_move)] == 0:
        trials[0] = g
        end = _value_of_turn(trials[0], rules, tables, mind, work, scratch)
        action = greedy_choice(g, rules, tables[0], tables[1], mind.joker_value, work, scratch)
        if card < 0:
            return action
        weigh(mind, action, end)
        return action if end > best else choice
    for k in range(n):
        action = i64(mind.moves[0, k])
        trials[0] = g
        play_whole(trials[0], rules, tables[0], work, scratch, action)
        value = _value_after(trials[0], rules, tables, mind, work, scratch, trials)
        weigh(mind, action, value)
        if value > best:
            choice, best = action, value
    return choice


@inlined
def _value_of_turn(g, rules, tables, mind, work, scratch):
    """Play a turn on with greedy's melds and lay-offs, and return the value of its end."""
    for _ in range(L.MAX_CARDS):
        action = greedy_choice(g, rules, tables[0], tables[1], mind.joker_value, work, scratch)
        if action >= DISCARD and g.question == L.NO_QUESTION:
            break
        apply(g, rules, tables[0], work, scratch, action)
    return best_discard(g, rules, tables, mind, work)[1]


@inlined
def _value_after(g, rules, tables, mind, work, scratch, trials):
    """Return the value of ending an open seat's turn in `g`: a released joker is laid first, where it
    is worth most."""
    if g.owed == 0:
        return best_discard(g, rules, tables, mind, work)[1]
    list_legal(g, rules, tables[0], work, scratch)
    n = note_moves(mind, i64(1), work)
    best = NOTHING
    for k in range(n):
        trials[1] = g
        play_whole(trials[1], rules, tables[0], work, scratch, i64(mind.moves[1, k]))
        if trials[1].owed == 0:
            value = best_discard(trials[1], rules, tables, mind, work)[1]
            best = max(best, value)
    return best


@entry
def heuristic_many(games, rows, rules, tables, mind, work, scratch, trials, out):
    """Write the heuristic's choice in each of `games[rows]` into `out`."""
    for k in range(len(rows)):
        g = games[i64(rows[k])]
        out[k] = heuristic_choice(g, rules[0], tables, mind[0], work[0], scratch, trials)
