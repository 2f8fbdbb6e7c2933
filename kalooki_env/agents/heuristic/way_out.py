"""The search for a way to go out in this very turn: melds, lay-offs and swaps in any order.

Melds that hold no released joker can come first, and a seat that is open can make its swaps before
anything else. So a turn that goes out is looked for as swaps, then a plan of melds (`plans`), then lay-offs;
a seat that is not open lays an opening before its swaps. Whether a plan is legal is left to the engine,
which plays it on a copy.
"""

from ...action_tables import DISCARD, SWAP_RUN, TAKE
from ...engine import layout as L
from ...engine.apply import apply_draw
from ...engine.bits import popcount
from ...engine.hands import RANK, places_of, ranks_of, suits_of
from ...engine.jit import entry, i64, inlined, jit
from ...engine.layout import JOKER, RUN
from ...engine.legal import list_legal
from ...engine.moves import hand_bits
from .laying import MANY, lay_melds, longest_run, out_with_plan, seen
from .layout import DEPTH, LEAF, PLANS
from .moves import note_some, play_next
from .plans import begin_plans, next_plan
from .shape import cards_at

STEPS = 20000
"""Steps after which the search gives up."""
ANY = (1 << 52) - 1
"""All natural cards: before a swap any may be kept."""


@jit
def winning_move(g, rules, tables, mind, work, scratch, trials):
    """Return the first move of a turn that goes out for sure, or -1.

    Before the draw, where the discard may be taken, that is taking it; in the middle of a move its next
    answer.
    """
    seat = i64(g.to_move)
    if g.barred[seat] == 1 or g.phase > L.PLAY:
        return i64(-1)
    mind.left = STEPS
    mind.seen[:] = 0
    root = g
    if g.phase == L.DRAW:
        root = trials[DEPTH]
        trials[DEPTH] = g
        apply_draw(root, rules, i64(TAKE))
    action = _search(root, rules, tables, mind, work, scratch, trials)
    return i64(TAKE) if action >= 0 and g.phase == L.DRAW else action


@inlined
def _search(root, rules, tables, mind, work, scratch, trials):
    """Look for a plan here, and after each answer to a question, each swap, and each opening that leaves
    a card to swap: return the first move, or -1."""
    seat, depth, first = i64(root.to_move), i64(0), i64(-1)
    now, new = root, True
    while depth >= 0 and mind.left > 0:
        if new:
            asked = now.question != L.NO_QUESTION
            known = not asked and depth > 0 and seen(now, seat, mind, i64(1))
            if not asked and not known:
                action = out_with_plan(now, rules, tables, mind, work, scratch, trials)
                if action >= 0:
                    return action if depth == 0 else first
            if known or depth + 2 >= LEAF or not (asked or _givers(now, seat) > 0):
                depth -= 1
                new = False
                continue
            if depth == 0:
                trials[0] = root
            _begin_step(trials[depth], rules, tables[0], mind, work, scratch, depth)
        action = _next_step(rules, tables[0], mind, work, scratch, trials, depth)
        new = action >= 0
        if new:
            first = action if depth == 0 else first
            depth += 1
            now = trials[depth]
        else:
            depth -= 1
    return i64(-1)


@jit
def _givers(g, seat):
    """Return the cards (bits) of a hand that can be given for a joker of the table."""
    givers = i64(0)
    if g.on_table[JOKER] == 0:
        return givers
    held = i64(g.held[seat])
    for m in range(i64(g.n_melds)):
        jokers, key = i64(g.melds[m].jokers), i64(g.melds[m].key)
        if jokers == 0:
            continue
        if g.melds[m].kind == RUN:
            places = jokers & places_of(ranks_of(held, key), i64(1))
            givers |= cards_at(places << (16 * key)) & held
        elif g.melds[m].high == 3:
            suits = suits_of(held, key) & ~i64(g.melds[m].low)
            if popcount(suits) >= 2:
                givers |= held & (i64(RANK) << key)
    return givers


@inlined
def _begin_step(g, rules, runs, mind, work, scratch, depth):
    """Note what a position can go on with: answers, swaps, or openings."""
    seat = i64(g.to_move)
    if g.question != L.NO_QUESTION or g.opened[seat] == 1:
        note_some(g, rules, runs, mind, work, scratch, depth, i64(SWAP_RUN), i64(DISCARD))
        return
    held, twice = hand_bits(g, seat)
    jokers = i64(g.hand[seat, JOKER])
    longest = longest_run(g, rules, jokers)
    begin_plans(mind, i64(PLANS), held, twice, jokers, i64(ANY), i64(MANY), longest)
    mind.next[depth] = -1


@inlined
def _next_step(rules, runs, mind, work, scratch, trials, depth):
    """Play the next of these from `trials[depth]`, in the copy behind it; return its action id, or
    -1."""
    if mind.next[depth] < 0:
        return _next_opening(rules, runs, mind, work, scratch, trials, depth)
    return play_next(rules, runs, mind, work, scratch, trials, depth)


@inlined
def _next_opening(rules, runs, mind, work, scratch, trials, depth):
    """Lay the next opening that keeps a card to swap, in the same way."""
    first, seat = i64(PLANS), i64(trials[depth].to_move)
    givers = _givers(trials[depth], seat)
    steps = next_plan(mind, first, rules)
    while steps >= 0:
        if i64(mind.plans[first + steps].kept) & givers > 0:
            trials[depth + 1] = trials[depth]
            now = trials[depth + 1]
            action = lay_melds(now, rules, runs, mind, work, scratch, first, steps)
            if action >= 0 and now.opened[seat] == 1:
                return action
        steps = next_plan(mind, first, rules)
    return i64(-1)


@entry
def winning_moves(games, rows, rules, tables, mind, work, scratch, trials, out):
    """Write `winning_move` in each of `games[rows]` into `out`; -1 too where there is no choice."""
    for k in range(len(rows)):
        g = games[i64(rows[k])]
        out[k] = -1
        if list_legal(g, rules[0], tables[0], work[0], scratch) > 1:
            out[k] = winning_move(g, rules[0], tables, mind[0], work[0], scratch, trials)
