"""The agent that plays any legal action with equal chance."""

from typing import TYPE_CHECKING

import numpy as np

from kalooki_env.agents.base import LegalLists, uniform, uniforms

if TYPE_CHECKING:
    from kalooki_env.game import Game
    from kalooki_env.rules import Rules


class RandomAgent:
    """Chooses uniformly from the legal action ids."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._legal = LegalLists()

    def act(self, game: "Game", seat: int) -> int:
        """Choose any legal action for `seat`, which must be the seat to move."""
        legal = game.legal_actions()
        return int(legal[int(uniform(self.seed, game.state[0]) * len(legal))])

    def act_batch(self, games: np.ndarray, rules: "Rules", rows: np.ndarray) -> np.ndarray:
        """Choose one legal action in each of `games[rows]`: int64[k]."""
        ids, counts = self._legal(games, rules, rows)
        picks = (uniforms(self.seed, games, rows) * counts).astype(np.int64)
        return ids[np.arange(len(picks)), picks].astype(np.int64)
