"""The network over the ends of a turn as an agent."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...engine.layout import records
from ..base import LegalLists
from ..header import read_file
from ..heuristic.agent import Thinking
from .file import read_net
from .layout import PAD
from .options import ends_many, weigh_at
from .weights import Net

if TYPE_CHECKING:
    from ...game import Game
    from ...rules import Rules


class EndsAgent:
    """Plays the option whose end the network scores highest; there is no chance in it.

    Args:
        net: the network.
        name: its name.
        seed: for the sake of `agents.load`.
    """

    def __init__(self, net: Net, name: str, seed: int = 0) -> None:
        self.name = name
        self.temperature = net.temperature
        self._net = net.arrays()
        self._pad = records(1, PAD)
        self._legal = LegalLists()
        self._rules: Rules | None = None
        self._thinking: dict[int, Thinking] = {}

    def act(self, game: "Game", seat: int) -> int:
        """Choose an action for `seat`, which must be the seat to move."""
        return int(self.act_batch(game.state, game.rules, np.zeros(1, np.int64))[0])

    def act_batch(self, games: np.ndarray, rules: "Rules", rows: np.ndarray) -> np.ndarray:
        """Choose one action in each of `games[rows]`: int64[k]."""
        rows = np.asarray(rows, np.int64)
        out = np.empty(len(rows), np.int64)
        seats = games["seats"][rows]
        for n in np.unique(seats):
            at = np.flatnonzero(seats == n)
            own, chosen = self._at_table(rules, int(n)), np.empty(len(at), np.int64)
            ends_many(
                games, rows[at], own.rules, own.tables, own.mind, self._pad, self._net, own.work,
                own.scratch, own.trials, chosen,
            )  # fmt: skip
            out[at] = chosen
        return out

    def probabilities(
        self, games: np.ndarray, rules: "Rules", rows: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the legal actions and how likely the policy that was trained plays them: the softmax
        of the scores. The agent itself plays the likeliest.

        Returns:
            int16[k, 1170] ids and float32[k, 1170] probabilities, 0 where there is no id.
        """
        rows = np.asarray(rows, np.int64)
        ids, counts = self._legal(games, rules, rows)
        chances = np.zeros(ids.shape, np.float32)
        for k, row in enumerate(rows):
            own, pad = self._at_table(rules, int(games["seats"][row])), self._pad
            action = weigh_at(
                games, row, own.rules, own.tables, own.mind, pad, self._net, own.work, own.scratch,
                own.trials,
            )  # fmt: skip
            n = int(pad["n_options"][0]) if action < 0 else 0
            options, worth = (pad["option"][0, :n], pad["worth"][0, :n]) if n else ([action], [0.0])
            share = np.exp((worth - np.max(worth)) / self.temperature)
            at = np.searchsorted(ids[k, : counts[k]], options)
            np.add.at(chances[k], at, share / share.sum())
        return ids, chances

    def _at_table(self, rules: "Rules", seats: int) -> Thinking:
        """Return what compiled code needs at a table of so many seats."""
        if rules is not self._rules:
            self._rules, self._thinking = rules, {}
        if seats not in self._thinking:
            self._thinking[seats] = Thinking(rules, seats)
        return self._thinking[seats]


class EndsCheckpoint(EndsAgent):
    """Plays the network of a checkpoint file."""

    def __init__(self, path: str | Path, seed: int = 0) -> None:
        """Load the file; raises AgentError and CheckpointError as `file.load_ends` does."""
        path = Path(path)
        header, data = read_file(path)
        net, self.meta = read_net(path, header, data)
        super().__init__(net, path.parent.name if path.stem == "latest" else path.stem, seed)
        self.digest = hashlib.sha256(data).hexdigest()[:16]
        """hash of the file: says which weights played"""
