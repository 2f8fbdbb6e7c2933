"""Deals that networks over the ends of a turn play, kept as decisions to learn from.

Everything compiled is in this file: Numba's cache does not notice an edit in another file outside the
engine and the agents.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kalooki_env.agents.ends.layout import AT, INPUTS, LISTED, PAD, SLOTS
from kalooki_env.agents.ends.options import best_option, ends_choice, weigh_options
from kalooki_env.agents.ends.weights import Net
from kalooki_env.agents.greedy import greedy_choice, hand_penalty
from kalooki_env.agents.heuristic.agent import Thinking
from kalooki_env.agents.heuristic.choice import heuristic_choice
from kalooki_env.agents.heuristic.hand import hand_features
from kalooki_env.agents.heuristic.layout import OPTIONS, N
from kalooki_env.agents.heuristic.value import CLOSED_NEAR_LIVE, GIFT
from kalooki_env.agents.heuristic.view import lay_off_count, see
from kalooki_env.engine import layout as L
from kalooki_env.engine.apply import apply
from kalooki_env.engine.dealing import start_match
from kalooki_env.engine.hands import add, remove
from kalooki_env.engine.jit import entry, i64, inlined, jit
from kalooki_env.engine.layout import GAME, JOKER, records
from kalooki_env.engine.match import next_seat
from kalooki_env.engine.moves import hand_bits
from kalooki_env.engine.rng import below, mix, seed_stream
from kalooki_env.engine.solver import best_melds

if TYPE_CHECKING:
    from kalooki_env.rules import Rules

GREEDY, HEURISTIC, LEARNER, OTHER = 0, 1, 2, 3
"""Who plays a seat: the network that learns, drawing from its policy, and a second one without chance."""
LEAST = 0.003
"""An option whose chance is less than this share of the best one's is never drawn."""

DECISIONS_EACH, OPTIONS_EACH, LISTED_EACH = 48, 8, 32
"""Room for the decisions of a deal, the options of a decision and the inputs of an option, on average."""
MOST_LISTED = SLOTS * LISTED
"""Inputs that one decision lists at most."""

LOOKS = 5
LOOK_AHEAD = (0, 1, 2, 4, 7)
"""Own draws to come after which the critic is shown what a hand is worth."""
PHI_LOOKS = 3
"""The first of them are shown with all features of the hand too."""
OPTION_VALUES = 3 * LOOKS + 2
"""Values that the critic sees of an option: of the hand that it leaves, and what its discard is worth to
the next seat, in melds and towards the opening."""
SEAT_VALUES = 3 * LOOKS + 3 + PHI_LOOKS * N
"""Values that the critic sees of every seat, in turn order from the one that decides: what its hand is worth
now and with the next cards that the stock has for it."""

KEPT = np.dtype(
    [
        ("first", "i8"),  # of its options
        ("n", "i4"),
        ("chosen", "i4"),  # both counted from the first,
        ("best", "i4"),
        ("deal", "i4"),
        ("seat", "i4"),
        ("log_prob", "f4"),
    ]
)
"""One decision between at least two options."""

OPTION = np.dtype(
    [
        ("state", "i8"),  # where its list of inputs begins,
        ("listed", "i4"),  # and how long it is
        ("jokers", "i4"),  # in the hand before the discard
        ("card", "i4"),
        ("twin", "i4"),
        ("row", "i4"),
        ("slot", "i4"),  # of the pad, while the decision is made
        ("worth", "f4"),
        ("phi", "f4", N),
        ("looks", "f4", OPTION_VALUES),  # for the critic
    ]
)
"""One option of a decision, by its best end."""


@dataclass
class Deals:
    """What a round of self-play leaves to learn from."""

    decisions: np.ndarray
    """KEPT[d], in the order of play within a deal."""
    options: np.ndarray
    """OPTION[o]"""
    listed: np.ndarray
    """int16[...]: lists of inputs."""
    winner: np.ndarray
    """int32[deals], -1 for nobody."""
    penalties: np.ndarray
    """int32[deals, seats]"""
    turns: np.ndarray
    """int32[deals]"""
    hidden: np.ndarray
    """float32[d, seats * SEAT_VALUES], for the critic."""


class SelfPlay:
    """Plays deals of one variant at one table. One thread at a time may use it."""

    def __init__(self, rules: "Rules", seats: int, deals: int = 4096) -> None:
        """Make room for the decisions of so many deals at a time; more are played, not kept."""
        room = deals * DECISIONS_EACH
        self.rules, self.seats = rules, seats
        self._own = Thinking(rules, seats)
        self._pads = records(2, PAD)
        self._games = records(2, GAME)
        self._decisions = np.zeros(room, KEPT)
        self._hidden = np.zeros((room, seats * SEAT_VALUES), np.float32)
        self._options = np.zeros(room * OPTIONS_EACH + OPTIONS, OPTION)
        self._listed = np.zeros(room * OPTIONS_EACH * LISTED_EACH + MOST_LISTED, np.int16)

    def play(
        self,
        keys: np.ndarray,
        players: np.ndarray,
        net: Net,
        other: Net | None = None,
        temperature: float = 0.0,
    ) -> Deals:
        """Play deals to their ends.

        Args:
            keys: uint64[deals], the random stream of each deal.
            players: int64[deals, seats]: `GREEDY`, `HEURISTIC`, `LEARNER` or `OTHER`.
            net: the learner.
            other: the network of `OTHER`.
            temperature: of the learner's policy, the softmax of scores / temperature; at 0 it plays its
                best option, and no decision is kept.
        """
        ends = np.empty((len(keys), 2 + self.seats), np.int32)
        own = self._own
        d, o, n = _play(
            self._games, np.asarray(keys, np.uint64), np.asarray(players, np.int64), own.rules,
            own.tables, own.mind, self._pads, net.arrays(), (other or net).arrays(), own.work,
            own.scratch, own.trials, float(temperature), self._decisions, self._options, self._listed,
            self._hidden, ends,
        )  # fmt: skip
        return Deals(
            self._decisions[:d], self._options[:o], self._listed[:n], ends[:, 0], ends[:, 2:], ends[:, 1],
            self._hidden[:d],
        )


@entry
def _play(
    games, keys, players, variant, tables, minds, pads, net, other, work_space, scratch, trials,
    temperature, decisions, options, listed, hidden, ends,
):  # fmt: skip
    """Play the deals; return how many decisions, options and listed inputs were kept."""
    rules, work, g, dice, mind, pad = (
        variant[0], work_space[0], games[0], games[1], minds[0], pads[0],
    )  # fmt: skip
    at = (i64(0), i64(0), i64(0))
    for d in range(len(keys)):
        start_match(g, rules, players.shape[1], keys[d], 0, 0)
        seed_stream(dice, mix(keys[d]))
        while g.deal_over == 0:
            player = players[d, i64(g.to_move)]
            if player == GREEDY:
                action = greedy_choice(
                    g, rules, tables[0], tables[1], mind.joker_value, work, scratch
                )
            elif player == HEURISTIC:
                action = heuristic_choice(g, rules, tables, mind, work, scratch, trials)
            elif player == OTHER:
                action = ends_choice(g, rules, tables, mind, pads[1], other, work, scratch, trials)
            else:
                action = weigh_options(g, rules, tables, mind, pad, net, work, scratch, trials)
                if action < 0 and temperature <= 0.0:
                    action = i64(pad.option[best_option(pad)])
                elif action < 0:
                    drawn, log_prob = _draw(pad, dice, temperature)
                    action = i64(pad.option[drawn])
                    full = at[0] >= len(decisions) or at[1] + OPTIONS > len(options)
                    if not full and log_prob < 0.0 and at[2] + MOST_LISTED <= len(listed):
                        at = _keep(g, d, pad, drawn, log_prob, temperature, decisions, options, listed, at)
                        keep = decisions[at[0] - 1]
                        for k in range(i64(keep.first), i64(keep.first) + i64(keep.n)):
                            _look_option(g, rules, tables, mind, pad, options[k], work)
                        _look(g, rules, tables, mind, hidden[at[0] - 1], work)
            apply(g, rules, tables[0], work, scratch, action)
        ends[d, 0], ends[d, 1] = g.winner, g.turn
        for s in range(players.shape[1]):
            ends[d, 2 + s] = g.penalties[s]
    return at


@jit
def _draw(pad, dice, temperature):
    """Draw an option from the softmax of the scores; return it and its log probability, 0 where there
    was no choice."""
    best, total = pad.worth[best_option(pad)], 0.0
    for k in range(i64(pad.n_options)):
        share = np.exp((pad.worth[k] - best) / temperature)
        total += share if share >= LEAST else 0.0
    left, drawn = below(dice, i64(1 << 30)) / (1 << 30) * total, i64(0)
    for k in range(i64(pad.n_options)):
        share = np.exp((pad.worth[k] - best) / temperature)
        if share >= LEAST:
            drawn = i64(k)
            left -= share
            if left < 0.0:
                break
    return drawn, (pad.worth[drawn] - best) / temperature - np.log(total)


@jit
def _keep(g, d, pad, drawn, log_prob, temperature, decisions, options, listed, at):
    """Keep a decision; return the new ends of the three arrays."""
    best = best_option(pad)
    n_decisions, n_options, n_listed = at
    k0 = n_options
    last, where = i64(-1), i64(0)
    keep = decisions[n_decisions]
    for k in range(i64(pad.n_options)):
        if np.exp((pad.worth[k] - pad.worth[best]) / temperature) < LEAST:
            continue
        if k == drawn:
            keep.chosen = n_options - k0
        if k == best:
            keep.best = n_options - k0
        slot = i64(pad.slot[k])
        if slot != last:
            last, where = slot, n_listed
            for j in range(i64(pad.n_listed[slot])):
                listed[n_listed + j] = pad.listed[slot, j]
            n_listed += i64(pad.n_listed[slot])
        option = options[n_options]
        option.state, option.listed = where, pad.n_listed[slot]
        option.card, option.twin, option.row = pad.card[k], pad.twin[k], pad.row[k]
        option.jokers, option.slot = pad.jokers[slot], slot
        option.worth = pad.worth[k]
        for j in range(N):
            option.phi[j] = pad.phi[k, j]
        n_options += 1
    keep.first, keep.n, keep.log_prob = k0, n_options - k0, log_prob
    keep.deal, keep.seat = d, g.to_move
    return n_decisions + 1, n_options, n_listed


@inlined
def _look_option(g, rules, tables, mind, pad, option, work):
    """Fill what the critic sees of the hand that an option leaves, with the cards it will draw."""
    slot, card = i64(option.slot), i64(option.card)
    held, twice, jokers = i64(pad.held[slot]), i64(pad.twice[slot]), i64(pad.jokers[slot])
    if card == JOKER:
        jokers -= 1
    elif card >= 0:
        held, twice = remove(held, twice, i64(1) << card)
    mind.fits, mind.joker_places = pad.fits[slot], pad.joker_places[slot]
    mind.low_ends, mind.high_ends = pad.low_ends[slot], pad.high_ends[slot]
    first = i64(0) if card < 0 else i64(g.seats) - 1
    closed = i64(option.row) & 1 == 0
    _look_ahead(g, rules, tables, mind, held, twice, jokers, first, closed, option.looks, work)
    option.looks[3 * LOOKS], option.looks[3 * LOOKS + 1] = 0.0, 0.0
    if card >= 0:
        _look_at_gift(g, rules, tables, mind, card, option.looks, work)


@jit
def _look_at_gift(g, rules, tables, mind, card, looks, work):
    """Fill what a discard adds to the melds of the next seat, and to its points towards the opening."""
    then = next_seat(g, i64(g.to_move))
    most, none, values = i64(rules.max_set), i64(0), rules.set_points
    held, twice = hand_bits(g, then)
    jokers = i64(g.hand[then, JOKER])
    more, more_twice, more_jokers = held, twice, jokers + 1
    if card != JOKER:
        more, more_twice = add(held, twice, card)
        more_jokers = jokers
    before = best_melds(
        held, twice, jokers, none, none, tables[1], rules.penalty, mind.joker_value, most, work
    )
    after = best_melds(
        more, more_twice, more_jokers, none, none, tables[1], rules.penalty, mind.joker_value, most,
        work,
    )  # fmt: skip
    looks[3 * LOOKS] = (after - before) / 30.0
    if g.opened[then] == 0 and rules.n_contracts == 0:
        need = max(i64(rules.opening_points), i64(1))
        points = best_melds(
            more, more_twice, more_jokers, none, none, tables[0], values, values, most, work
        )
        looks[3 * LOOKS + 1] = min(points, 2 * need) / need


@jit
def _look_ahead(g, rules, tables, mind, held, twice, jokers, first, closed, looks, work):
    """Fill what a hand is worth with its next draws, of which the first is card `first` of the stock:
    its melds, its lay-offs, and its share of the opening."""
    values, seats = rules.set_points, i64(g.seats)
    need = max(i64(rules.opening_points), i64(1))
    most, none, low = i64(rules.max_set), i64(0), i64(rules.low_position)
    drawn = i64(0)
    for k in range(LOOKS):
        while drawn < LOOK_AHEAD[k]:
            at = i64(g.n_stock) - 1 - first - drawn * seats
            if at >= 0:
                card = i64(g.stock[at])
                if card == JOKER:
                    jokers += 1
                else:
                    held, twice = add(held, twice, card)
            drawn += 1
        melded = best_melds(
            held, twice, jokers, none, none, tables[1], rules.penalty, mind.joker_value, most, work
        )
        looks[k] = melded / 100.0
        looks[LOOKS + k] = lay_off_count(mind, held, jokers, low) / 5.0
        share = 1.0
        if closed and rules.n_contracts == 0:
            points = best_melds(
                held, twice, jokers, none, none, tables[0], values, values, most, work
            )
            share = min(points, 2 * need) / need
        looks[2 * LOOKS + k] = share


@inlined
def _look(g, rules, tables, mind, hidden, work):
    """Fill what the critic sees of every hand before the decision."""
    seats = i64(g.seats)
    for j in range(seats):
        seat = (i64(g.to_move) + j) % seats
        out = j * SEAT_VALUES
        see(g, rules, seat, mind)
        for k in range(GIFT, CLOSED_NEAR_LIVE + 1):
            mind.phi[k] = 0.0
        held, twice = hand_bits(g, seat)
        jokers = i64(g.hand[seat, JOKER])
        hidden[out] = hand_penalty(held, twice, jokers, rules) / 100.0
        hidden[out + 1] = i64(g.hand_size[seat]) / 10.0
        hidden[out + 2] = i64(g.opened[seat])
        out += 3
        first = j if g.phase == L.DRAW else (j - 1 if j > 0 else seats - 1)
        closed = g.opened[seat] == 0
        _look_ahead(
            g, rules, tables, mind, held, twice, jokers, i64(first), closed,
            hidden[out : out + 3 * LOOKS], work,
        )  # fmt: skip
        out += 3 * LOOKS
        drawn = i64(0)
        for k in range(PHI_LOOKS):
            while drawn < LOOK_AHEAD[k]:
                at = i64(g.n_stock) - 1 - first - drawn * seats
                if at >= 0:
                    card = i64(g.stock[at])
                    if card == JOKER:
                        jokers += 1
                    else:
                        held, twice = add(held, twice, card)
                drawn += 1
            hand_features(g, rules, tables, mind, seat, held, twice, jokers, work)
            for f in range(N):
                hidden[out + k * N + f] = mind.phi[f]


HAND, HAND_TWICE, HAND_JOKERS = AT["hand"], AT["hand_twice"], AT["hand_jokers"]
DISCARDED = AT["discard"]


@entry
def expand(options, listed, column, known, out):
    """Write the inputs of some options, 0 or 1, into the rows of `out`; `column[input]` is where an
    input that is `known` is in them."""
    for r in range(len(options)):
        option = options[r]
        for c in range(out.shape[1]):
            out[r, c] = 0.0
        start = i64(option.state)
        for k in range(start, start + i64(option.listed)):
            if known[i64(listed[k])]:
                out[r, column[i64(listed[k])]] = 1.0
        card = i64(option.card)
        if card >= 0:
            gone = HAND + card
            if card == JOKER:
                gone = HAND_JOKERS + min(i64(option.jokers), i64(4)) - 1
            elif option.twin == 1:
                gone = HAND_TWICE + card
            out[r, column[gone]] = 0.0
            out[r, column[DISCARDED + card]] = 1.0


@entry
def returns(decisions, values, outcome, lam, following, out):
    """Write the lambda return of each decision: its seat's next values, and the outcome at the end.

    `following`, float64[MAX_SEATS, 2], is scratch: the return and the value of a seat's next decision.
    """
    deal = i64(-1)
    for k in range(len(decisions) - 1, -1, -1):
        if i64(decisions[k].deal) != deal:
            deal = i64(decisions[k].deal)
            for s in range(outcome.shape[1]):
                following[s, 0] = following[s, 1] = outcome[deal, s]
        s = i64(decisions[k].seat)
        out[k] = lam * following[s, 0] + (1.0 - lam) * following[s, 1]
        following[s, 0], following[s, 1] = out[k], values[k]


assert INPUTS < 1 << 15
