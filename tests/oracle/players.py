"""Players that bring deals into many kinds of position; they need not play well."""

from __future__ import annotations

import random
from collections.abc import Callable

from kalooki_env import agents
from kalooki_env.game import Game

from .cards import JOKER
from .ids import ADD_RUN, DISCARD, RUN, SPARE, SWAP_RUN, TAKE

Player = Callable[[Game], int]

STYLES = ("random", "eager", "greedy")


def player(style: str, rng: random.Random) -> Player:
    """Return a player: `random`, `eager` (plays what it can) or the agent `greedy`."""
    if style == "random":
        return lambda game: rng.choice(game.legal_actions().tolist())
    if style == "eager":
        return Eager(rng)
    agent = agents.load("greedy", seed=rng.getrandbits(32))
    return lambda game: int(agent.act(game, game.to_move))


class Eager:
    """Melds, lays off and swaps more often than not, and keeps cards that go together."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        # Each deal has its own temper, so that full and empty hands and tables all come up.
        self.swap, self.meld, self.add = (rng.choice((0.3, 0.7, 0.95)) for _ in range(3))
        self.take = rng.choice((0.2, 0.5, 1.0))

    def __call__(self, game: Game) -> int:
        """Choose a legal action id."""
        ids: list[int] = game.legal_actions().tolist()
        if len(ids) == 1:
            return ids[0]
        if game.phase == "draw":
            return TAKE if self.rng.random() < self.take else 0
        if game.phase != "play" or ids[0] >= SPARE:
            return self.rng.choice(ids)
        for low, high, chance in (
            (SWAP_RUN, DISCARD, self.swap),
            (RUN, ADD_RUN, self.meld),
            (ADD_RUN, SWAP_RUN, self.add),
        ):
            part = [number for number in ids if low <= number < high]
            if part and self.rng.random() < chance:
                return self.rng.choice(part)
        cards = [number - DISCARD for number in ids if number >= DISCARD]
        return self._discard(game, cards) + DISCARD if cards else self.rng.choice(ids)

    def _discard(self, game: Game, cards: list[int]) -> int:
        """Choose the card with the fewest neighbours in the hand."""
        if self.rng.random() < 0.05:
            return self.rng.choice(cards)
        hand = game.state["hand"][0][game.to_move]
        held = [card for card in range(JOKER) if hand[card]]

        def friends(card: int) -> float:
            if card == JOKER:
                return 99.0
            close = [
                other
                for other in held
                if other != card
                and (
                    other % 13 == card % 13
                    or (other // 13 == card // 13 and _distance(other, card) <= 2)
                )
            ]
            return len(close) + self.rng.random() * 0.9

        return min(cards, key=friends)


def _distance(one: int, two: int) -> int:
    """Return how many places lie between two cards of a suit, the ace being high."""
    low, high = sorted(((one % 13 - 1) % 13, (two % 13 - 1) % 13))
    return high - low
