"""What the engine says of hidden cards, compared with the list of all deals that agree."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np

from kalooki_env import observation
from kalooki_env.agents.heuristic.agent import Thinking
from kalooki_env.agents.search.rollout import deal_worlds
from kalooki_env.cards import card_text
from kalooki_env.engine.layout import CARDS, GAME, records
from kalooki_env.game import Game
from kalooki_env.invariants import knowledge_holds
from tests.oracle import Position

from . import Belief, World
from .walks import Moment, walk

SITUATIONS = (
    "before a rebuild", "after a rebuild", "after several", "taken or released", "a joker stays",
    "in mid-turn", "read in mid-turn",
)  # fmt: skip
DEALT = 240
"""Worlds that are dealt and compared at one moment."""
SEARCHED = 6
"""Worlds of the search that are compared where the observer is to move."""
WITHIN = 5.5
"""Standard deviations that a count may be off: some 100,000 are compared."""


def compare(moment: Moment, seed: int) -> list[str]:
    """Return in which respects the engine says otherwise than the list of worlds."""
    game, belief = moment.game, moment.belief
    shares = belief.shares(_can_end(game, belief) if moment.in_turn else lambda world: True)
    problems = []
    found: Counter[World] = Counter()
    for k in range(DEALT):
        dealt = game.determinize(belief.seat, seed + k)
        found[world_of(dealt.state[0], belief.seat, game.seats)] += 1
        if k < 8 and not knowledge_holds(dealt.state, game.rules).all():
            problems.append("a world in which a seat knows what is not so")
    if game.to_move == belief.seat:
        found += _searched(game, belief.seat, seed)
    if wrong := [world for world in found if world not in shares]:
        problems.append(f"a world that cannot be: {wrong[0]}")
    if moment.distinct and not problems:
        problems += _frequencies(found, shares)
    return [*problems, *_observation(moment, shares)]


def world_of(state: np.void, seat: int, seats: int) -> World:
    """Return the world that a game record is in, as a seat would tell it."""
    hands = tuple(
        () if s == seat else _texts(np.repeat(np.arange(CARDS), state["hand"][s]))
        for s in range(seats)
    )
    return hands, _texts(state["stock"][: state["n_stock"]])


def _texts(cards: np.ndarray) -> tuple[str, ...]:
    return tuple(sorted(card_text(int(card)) for card in cards))


def _can_end(game: Game, belief: Belief):
    """Return a test of worlds: whether the seat to move could end its turn, by the oracle."""
    position, mover = game.position(), game.to_move
    ends: dict[tuple[str, ...], bool] = {}

    def fits(world: World) -> bool:
        hand = world[0][mover]
        if hand not in ends:
            position["hands"] = [" ".join(hand) if s == mover else "" for s in range(game.seats)]
            position["taken_twin"] = bool(belief.taken) and belief.held_twin(hand)
            position["stock"] = position["discards"] = ""
            ends[hand] = bool(Position.from_mapping(position).all_legal)
        return ends[hand]

    return fits


def _searched(game: Game, seat: int, seed: int) -> Counter[World]:
    """Count the worlds in which the search would play on."""
    own, worlds, dealt = Thinking(game.rules, game.seats), records(2, GAME), records(SEARCHED, GAME)
    deal_worlds(
        game.state, 0, seat, SEARCHED, np.uint64(seed), 1, own.rules, own.tables, own.mind, own.work,
        own.scratch, worlds, dealt,
    )  # fmt: skip
    return Counter(world_of(state, seat, game.seats) for state in dealt)


def _frequencies(found: Counter[World], shares: dict[World, float]) -> Iterator[str]:
    """Compare how often each seat holds each card, and each world where there are few."""
    n = sum(found.values())
    exact: Counter = Counter()
    counted: Counter = Counter()
    few = len(shares) * 8 <= n
    for sums, weights in ((exact, shares), (counted, found)):
        for (hands, stock), weight in weights.items():
            for place, cards in enumerate((*hands, stock)):
                for held in Counter(cards).items():
                    sums[place, held] += weight
            if few:
                sums[hands, stock] += weight
    for what, share in exact.items():
        spread = (n * share * max(1 - share, 0)) ** 0.5
        if abs(counted[what] - n * share) > WITHIN * spread + 2:
            yield f"{what} in {counted[what]} of {n} worlds, expected {n * share:.1f}"


def _observation(moment: Moment, shares: dict[World, float]) -> Iterator[str]:
    """Compare the blocks `stock` and `known`."""
    game, seat = moment.game, moment.belief.seat
    seen = game.observation(seat)
    most: Counter[str] = Counter()
    for _, stock in shares:
        most |= Counter(stock)
    told = _block(seen, "stock")
    for card in told | most:
        # Of equal cards it may follow from plays that one is in no hand and not in the stock; what a
        # position leaves out of the pack a seat takes to be in the stock; who is in the middle of a
        # turn may need a card for its end.
        more = moment.distinct and not moment.in_turn and moment.is_whole(card)
        if told[card] < most[card] or (more and told[card] > most[card]):
            yield f"`stock` tells of {told[card]} {card}, expected {most[card]}"
    for k in range(1, game.seats):
        other = (seat + k) % game.seats
        known, certain = _block(seen, f"known_{k}"), moment.belief.certain[other]
        for card in known | certain:
            # A position does not tell every joker that was laid in its turn.
            less = moment.reread and card == "*" and known[card] < certain[card]
            if known[card] != certain[card] and not less:
                yield f"`known` tells of {known[card]} {card} with {other}, expected {certain[card]}"
            if any(hands[other].count(card) < known[card] for hands, _ in shares):
                yield f"`known` tells of {known[card]} {card} with {other}, which may have fewer"


def _block(seen: np.ndarray, name: str) -> Counter[str]:
    block = observation.block(name)
    counts = seen[block.offset : block.offset + CARDS]
    return Counter({card_text(int(c)): int(counts[c]) for c in np.flatnonzero(counts)})


def situations(moment: Moment) -> list[str]:
    """List the situations that a moment is an example of."""
    state, seat = moment.game.state[0], moment.belief.seat
    others = np.arange(len(state["known"])) != seat
    if moment.reread:
        return ["read in mid-turn"]
    rebuilds = int(state["rebuilds"])
    told = [SITUATIONS[min(rebuilds, 2)]]
    if state["known"][others].any():
        told.append("taken or released")
    if state["known"][others, -1].any():
        told.append("a joker stays")
    if moment.in_turn:
        told.append("in mid-turn")
    return told


def compare_walks(
    seats: int, wanted: int, seed: int
) -> tuple[Counter[tuple[int, str]], list[tuple[Moment, str]]]:
    """Walk until each situation was compared so often; return the counts and what differs."""
    rng = random.Random(seed * 6 + seats)
    counts: Counter[tuple[int, str]] = Counter()
    problems: list[tuple[Moment, str]] = []
    for _ in range(wanted * 40):
        for moment in walk(seats, rng):
            told = [s for s in situations(moment) if counts[seats, s] < wanted]
            if not told:
                continue
            counts.update((seats, situation) for situation in told)
            problems += [(moment, what) for what in compare(moment, rng.getrandbits(40))]
            if problems:
                return counts, problems
        if all(counts[seats, situation] >= wanted for situation in SITUATIONS):
            break
    return counts, problems
