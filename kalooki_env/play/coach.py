"""The coach: what a checkpoint would do in a seat, what the hand lacks to open, a review of a deal.

The coach knows what the seat knows: its observation, its hand, the open cards.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, takewhile
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from kalooki_env import actions, agents
from kalooki_env.agents.base import Agent
from kalooki_env.agents.header import ENDS, read_header
from kalooki_env.cards import CARDS, card_text, parse_cards
from kalooki_env.errors import KalookiError
from kalooki_env.game import Game
from kalooki_env.play.players import DEFAULT, title
from kalooki_env.play.session import Session
from kalooki_env.records import replay
from kalooki_env.render.style import group_cards
from kalooki_env.render.view import SeatView, view_of
from kalooki_env.rules import Rules


class Weighing(Protocol):
    """An agent that says how likely it plays each action."""

    name: str

    def probabilities(
        self, games: np.ndarray, rules: Rules, rows: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return legal ids and their probabilities, see `NetworkAgent.probabilities`."""
        ...


SHOWN = 6
"""Moves that are weighed to the end; the likeliest first choices lead to them."""
_MELDS = (actions.KIND_RUN, actions.KIND_SET)


class Weighed(NamedTuple):
    """A move and the probability with which the checkpoint would play it."""

    move: str
    chance: float


class Missing(NamedTuple):
    """A card with which the hand could open, and how many of it have not been seen."""

    card: str
    unseen: int


@dataclasses.dataclass(frozen=True)
class Advice:
    """What the coach says of a position."""

    name: str
    """The agent that is asked."""
    moves: tuple[Weighed, ...]
    """The best moves, the likeliest first; one of chance 1 where the agent gives no others."""
    points: int | None
    """The most that melds of the hand are worth towards the opening; None: no sum is asked for."""
    needed: int | None
    can_open: bool | None
    """Whether the hand can open as it is; None: the seat is open."""
    missing: tuple[Missing, ...]
    """Cards any one of which would let it open."""
    second: tuple[str, str] | None = None
    """Who else was asked, a strong player without probabilities, and what it would play."""


@dataclasses.dataclass(frozen=True)
class Difference:
    """A move of the person that the checkpoint would hardly have played."""

    turn: int
    hand: tuple[str, ...]
    played: Weighed
    better: Weighed


def find(session: Session) -> "Agent":
    """Return who coaches: a checkpoint at the table, else one that loads, else heuristic.

    Networks over the ends of a turn come first, they are the strongest; of each kind the newest. Only
    checkpoints have probabilities.
    """
    seated = [agent for agent in session.agents.values() if hasattr(agent, "probabilities")]
    if seated:
        return seated[0]
    for path in sorted((path for _, path in agents.checkpoints()), key=_is_weaker):
        try:
            agent = agents.load(str(path))
            game = Game(session.game.rules, seats=session.game.seats, seed=0, episode="match")
            agent.act(game, game.to_move)
            return agent
        except KalookiError:
            continue
    return agents.load("heuristic")


def _is_weaker(path: Path) -> bool:
    """Tell whether a checkpoint is of the weaker kind, or cannot be read."""
    try:
        return read_header(path).get("kind") != ENDS
    except KalookiError:
        return True


def advise(agent: Agent, game: Game, seat: int) -> Advice:
    """Say what an agent would do for the seat to move, and what its hand lacks to open."""
    view = view_of(game, seat)
    can_open, missing, points, needed = None, (), None, None
    if not view.me.opened and view.points == 0:
        can_open = _opens(game, view, list(view.hand))
        missing = () if can_open else tuple(_missing(game, view))
        if not game.rules.contracts and game.rules.opening_points:
            points, needed = _best_points(game, view), game.rules.opening_points
    name, second = title(agent.name), None
    if agent.name != DEFAULT:
        strong = weigh(agents.load(DEFAULT), game, seat)[0].move
        second = (title(DEFAULT), strong)
    return Advice(name, weigh(agent, game, seat), points, needed, can_open, missing, second)


# What the checkpoint would do


def weigh(agent: Agent, game: Game, seat: int, shown: int = SHOWN) -> tuple[Weighed, ...]:
    """Return the moves that an agent would play with their probabilities, the likeliest first."""
    if not hasattr(agent, "probabilities"):
        ids, trial = [], game.clone()
        while not ids or trial.question is not None:
            ids.append(int(agent.act(trial, seat)))
            trial.play(ids[-1])
        return (Weighed(game.decode_ids(tuple(ids)), 1.0),)
    found = sorted(_expand(agent, game, seat, (), 1.0, shown), key=lambda w: -w.chance)
    return tuple(found[:shown])


def _expand(
    agent: Weighing, game: Game, seat: int, ids: tuple[int, ...], chance: float, shown: int
) -> Iterator[Weighed]:
    """Follow the likeliest actions from a position, with `ids` played, to whole moves."""
    trial = game.clone()
    for action in ids:
        trial.play(action)
    if ids and trial.question is None:
        yield Weighed(game.decode_ids(ids), chance)
        return
    legal, chances = _chances(agent, trial, seat)
    for at in np.argsort(-chances, kind="stable")[:shown]:
        choice = (*ids, int(legal[at]))
        yield from _expand(agent, game, seat, choice, chance * float(chances[at]), shown)


def _chances(agent: Weighing, game: Game, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the legal ids and the probability of each."""
    ids, chances = agent.probabilities(game.state, game.rules, np.zeros(1, np.int64))
    n = len(game.legal_actions())
    return ids[0, :n], chances[0, :n].astype(np.float64)


def chance_of(agent: Agent, game: Game, seat: int, move: str) -> float:
    """Return the probability with which an agent would play a move."""
    ids, chance, trial = actions.encode(game, move), 1.0, game.clone()
    for action in ids:
        if hasattr(agent, "probabilities"):
            legal, chances = _chances(agent, trial, seat)
            chance *= float(chances[int(np.searchsorted(legal, action))])
        elif int(agent.act(trial, seat)) != action:
            return 0.0
        trial.play(action)
    return chance


# What the hand lacks


def _missing(game: Game, view: SeatView) -> Iterator[Missing]:
    """Yield the cards any one of which lets the hand open, those with most unseen copies first,
    then in the order of a hand."""
    unseen = _unseen(game, view)
    found = []
    for text in chain.from_iterable(group_cards(map(card_text, range(CARDS)))):
        if unseen[text] > 0 and _opens(game, view, [*view.hand, text]):
            found.append(Missing(text, unseen[text]))
    yield from sorted(found, key=lambda missing: -missing.unseen)


def _unseen(game: Game, view: SeatView) -> Counter[str]:
    """Count the cards that this seat sees neither in its hand nor on the table nor in the pile."""
    pack = game.rules.deck_counts()
    left = Counter({card_text(card): int(pack[card]) for card in range(CARDS)})
    left.subtract(view.hand)
    left.subtract(view.pile)
    for meld in view.table:
        left.subtract("*" if card.startswith("*") else card for card in meld.cards)
    return left


def _opens(game: Game, view: SeatView, hand: Sequence[str], points: int | None = None) -> bool:
    """Tell whether a hand could open in a turn of its own; `points` in place of the rules' sum."""
    rules = game.rules
    if points is not None:
        rules = dataclasses.replace(rules, opening_points=points)
    left = rules.deck_counts().copy()
    for card in parse_cards(" ".join(hand)):
        left[card] -= 1
    if left.min() < 0:
        return False
    other = card_text(int(np.flatnonzero(left)[0]))
    position = {
        "rules": rules,
        "hands": [" ".join(hand), other],
        "phase": "play",
        "deal": view.deal if rules.contracts else 1,
        "discards": "",
        "stock": " ".join(card_text(int(card)) for card in np.flatnonzero(left)[1:4]),
    }
    legal = Game.from_position(position).legal_actions()
    return bool(np.isin(actions.KIND[legal], _MELDS).any())


def _best_points(game: Game, view: SeatView) -> int:
    """Return the most that disjoint melds of the hand are worth, a card kept to discard; at most
    the sum that the rules ask for."""
    low, high = 0, game.rules.opening_points
    if _opens(game, view, view.hand):
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _opens(game, view, view.hand, middle) else (low, middle)
    return low


# After the deal


def review(agent: Agent, session: Session, shown: int = 5) -> list[Difference]:
    """List the person's moves of the last deal that the checkpoint would hardly have played.

    The move that weighed most comes first: by how much likelier the checkpoint's own choice was.
    What it would have played a little earlier in the same turn is no difference.
    """
    record = session.recorder.record
    first = sum(len(deal.moves) + len(deal.decisions) for deal in record.deals[:-1])
    moves = record.deals[-1].moves
    found = []
    before: Game | None = None
    number = 0
    for step in replay(record):
        if step.move is None:
            before = step.game.clone()
            continue
        if step.seat == session.seat and before is not None and 0 <= number - first < len(moves):
            rest = takewhile(lambda played: played[0] == session.seat, moves[number - first + 1 :])
            later = [move for _, move in rest]
            found += [
                item
                for item in _difference(agent, before, session.seat, step.move)
                if item.better.move not in later
            ]
        number += 1
        if number >= first:
            before = step.game.clone()
    found.sort(key=lambda d: d.played.chance - d.better.chance)
    return found[:shown]


def _difference(agent: Agent, game: Game, seat: int, move: str) -> list[Difference]:
    """Return how a move differs from the checkpoint's, empty if it is the same or the only one."""
    if len(game.legal_actions()) < 2:
        return []
    best = weigh(agent, game, seat, 2)[0]
    chance = chance_of(agent, game, seat, move)
    if best.move == move or best.chance <= chance:
        return []
    view = view_of(game, seat)
    return [Difference(view.turn, view.hand, Weighed(move, chance), best)]
