"""Small deals played at random, followed with a seat's belief: what is compared comes from here."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Any

from kalooki_env.cards import parse_card
from kalooki_env.game import Game

from . import Belief

MOST_WORLDS = 3_000
"""Worlds above which a walk is left: listing them all would take too long."""
STEPS = 60
MOST_HELD = 7
"""Cards in the hands of a position that a walk starts from."""
TABLE = ("5C *6C 7C", "TD JD *QD", "9S 9H 9D")
FITTING = "6C 8C 4C 9C 3C QD KD 2D AD 8D JC QC KC 8H 2H 2S 7S AS 3H 4S"
"""Cards of which many can be laid off on that table or swapped for its jokers."""
PLAIN = "AC 2C 3C 8C TC QC AH 2H 4H 6H 8H TH QH 3S 5S 7S JS KS 3D 5D"
"""Cards that fit less."""


@dataclass
class Moment:
    """One moment of a walk: the game, what the observer must believe, and what led here."""

    game: Game
    belief: Belief
    reread: bool
    """The game was read from a position within this turn."""
    distinct: bool
    """No two equal cards are hidden, so that the worlds' shares are exact, not only which exist."""

    def is_whole(self, text: str) -> bool:
        """Tell whether the game has every copy of a card that its pack has."""
        state, card = self.game.state[0], parse_card(text)
        copies = int(
            state["hand"][:, card].sum() + state["in_pile"][card] + state["on_table"][card]
        )
        copies += int((state["stock"][: state["n_stock"]] == card).sum())
        return copies == self.game.rules.deck_counts()[card]

    @property
    def in_turn(self) -> bool:
        """Another seat is in the middle of its turn."""
        return self.game.phase == "play" and self.game.to_move != self.belief.seat


def start(seats: int, rng: random.Random) -> tuple[Game, bool]:
    """Return a small random game and whether its hidden cards are distinct."""
    if seats < 4 and rng.random() < 0.3:
        pack = {"suits": 2, "ranks": 5} if seats == 2 else {"suits": 1, "ranks": 13}
        rules = {
            "preset": "kalooki40",
            "opening_points": 0,
            "hand_size": 3,
            "decks": 1,
            "jokers": 0,
        }
        return Game({**rules, **pack}, seats, seed=rng.getrandbits(40)), True
    distinct, table = rng.random() < 0.6, TABLE[: rng.choice((0, 2, 3))]
    rules = {"preset": "kalooki40", "opening_points": 0, "max_seats": 6, "hand_size": 3}
    rules |= {"decks": 1, "jokers": 1 + 2 * bool(table)} if distinct else {"decks": 2, "jokers": 4}
    pool = (FITTING if table and rng.random() < 0.7 else PLAIN).split()
    pool = [*pool, "*"] if distinct else [*pool, *pool[: len(pool) // 2], "*", "*"]
    rng.shuffle(pool)
    most = {2: 5, 3: 3}.get(seats, 2)
    sizes = [rng.randint(1, most) for _ in range(seats)]
    while sum(sizes) > MOST_HELD:
        sizes[sizes.index(max(sizes))] -= 1
    cards = iter(pool)
    hands = [" ".join(next(cards) for _ in range(size)) for size in sizes]
    stock = " ".join(next(cards) for _ in range(rng.randint(1, 3)))
    discards = " ".join(next(cards) for _ in range(rng.randint(2, max(3, seats + 1))))
    return Game.from_position(
        {
            "rules": rules, "hands": hands, "stock": stock, "discards": discards,
            "table": list(table), "opened": [bool(table)] * seats,
            "to_move": rng.randrange(seats), "turn": 20,
        },
        seed=rng.getrandbits(40),
    ), distinct  # fmt: skip


def believe(game: Game, seat: int) -> Belief:
    """Return what a seat believes of a position read between two turns."""
    position = game.position()
    hands = [hand.split() for hand in position["hands"]]
    unseen = [card for s, hand in enumerate(hands) if s != seat for card in hand]
    return Belief(
        seat, [len(hand) for hand in hands], unseen + position["stock"].split(),
        position["discards"].split(),
    )  # fmt: skip


def deals(game: Game, seat: int) -> int:
    """Return how many deals a seat may believe in, were all its unseen cards different."""
    sizes = [len(hand.split()) for s, hand in enumerate(game.result["hands"]) if s != seat]
    left = sum(sizes) + game.result["stock_size"]
    ways = 1
    for size in sizes:
        ways, left = ways * comb(left, size), left - size
    return ways


def choose(game: Game, rng: random.Random) -> str:
    """Choose a move: swaps, lay-offs and takes are sought, for they are what seats learn from."""
    moves = game.legal_moves()
    wanted = [m for m in moves if m.split()[0] in ("swap", "add", "meld")]
    if wanted and rng.random() < 0.7:
        swaps = [m for m in wanted if m.startswith("swap")]
        return rng.choice(swaps or wanted)
    return rng.choice(moves)


class Follower:
    """A game and the belief of one seat, kept together."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.belief = game, believe(game, seat)

    def play(self, move: str) -> None:
        """Play a move in both."""
        game, seat = self.game, self.game.to_move
        before = Counter(game.result["hands"][seat].split())
        rebuilds = game.state["rebuilds"][0]
        game.play(move)
        drawn = Counter(game.result["hands"][seat].split()) - before
        self.belief.move(seat, move, next(iter(drawn), ""))
        if game.state["rebuilds"][0] > rebuilds:
            self.belief.rebuild()


def walk(seats: int, rng: random.Random) -> Iterator[Moment]:
    """Play one small deal at random; yield what is to be compared on the way."""
    game, distinct = start(seats, rng)
    observer = rng.randrange(seats)
    if deals(game, observer) > MOST_WORLDS:
        return
    whole, fresh = Follower(game, observer), None
    for _ in range(STEPS):
        game = whole.game
        if game.deal_over or len(whole.belief.worlds) > MOST_WORLDS:
            return
        if game.state["rebuilds"][0] > 1 and not distinct:
            return  # equal cards let the engine no longer tell the earlier stocks apart
        if game.phase == "draw":
            few = deals(game, observer) <= MOST_WORLDS
            fresh = Follower(_read(game), observer) if few and rng.random() < 0.5 else None
        if game.question is None:
            yield Moment(game, whole.belief, False, distinct)
            if fresh is not None and game.phase == "play":
                yield Moment(_read(fresh.game), fresh.belief, True, distinct)
        move = choose(game, rng)
        whole.play(move)
        if fresh is not None:
            fresh.play(move)


def _read(game: Game) -> Game:
    """Write a game as a position and read it: what is left is what the position tells."""
    position: dict[str, Any] = game.position()
    return Game.from_position(position, seed=1)
