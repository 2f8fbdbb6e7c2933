"""The games behind the vector environment: rows of tables, each with one learner."""

from typing import NoReturn

import numpy as np
from gymnasium.utils import seeding

from kalooki_env import actions
from kalooki_env.agents import Agent
from kalooki_env.agents.base import choose_many, game_at, mistake
from kalooki_env.agents.greedy import GreedyAgent
from kalooki_env.agents.random_agent import RandomAgent
from kalooki_env.engine.batch import mask_many
from kalooki_env.engine.layout import GAME, JOKER, records, scratch_space
from kalooki_env.engine.tables import penalty_runs, point_runs
from kalooki_env.episode import REWARDS, Episode, draw_seed
from kalooki_env.game import Game
from kalooki_env.seeds import stream_key
from kalooki_env.vector import play

_KINDS = {RandomAgent: play.RANDOM, GreedyAgent: play.GREEDY}


class Tables:
    """`n` games with the other seats played, so that the learner is to move in each.

    Args:
        n: number of games.
        table: the rules, seats, episode and reward of all of them; it is not played itself.
        opponents: who sits clockwise from the learner's left.
        seat: the learner's seat; None draws one for each episode.
        auto_play: play the learner's decisions with one legal action too.

    """

    games: np.ndarray
    """GAME[n]."""
    rows: np.ndarray
    """play.ROW[n]."""
    ids: np.ndarray
    """int16[n, N]: the legal ids of row i are the first `rows["count"][i]`."""
    is_ready: bool
    """Whether the learner is to move in every row or its episode over: False before the first deal
    and where playing was broken off."""

    def __init__(
        self, n: int, table: Episode, opponents: list[Agent], seat: int | None, auto_play: bool
    ) -> None:
        self._seat_opponents(opponents)
        self.n, self.rules, self.seats = n, table.rules, table.seats
        self.episode = "match" if table.is_match else "deal"
        self._reward, self._auto_play = REWARDS.index(table.reward), auto_play
        self._record = self.rules.record()
        self._runs, self._penalties = point_runs(self._record), penalty_runs(self._record)
        self._joker_value = np.full(13, self._record[0]["penalty"][JOKER], np.int32)
        self._work, self._scratch = scratch_space()
        self.games, self.rows = records(n, GAME), records(n, play.ROW)
        self.ids = np.zeros((n, actions.N), np.int16)
        self.is_ready = False
        self._draws_seats = seat is None
        self.rows["seat"] = seat or 0
        self._streams: list[np.random.Generator | None] = [None] * n
        self._seeds: list[int | None] = [None] * n
        self._are_started = False

    def _seat_opponents(self, opponents: list[Agent]) -> None:
        """Note for each place to the learner's left the kind of its player, and whom to ask."""
        self._kinds = np.zeros(len(opponents), np.int64)
        self._agent_seeds = np.zeros(len(opponents), np.uint64)
        self._agents: list[Agent] = []
        self._agent_at = np.zeros(len(opponents), np.int64)
        for place, agent in enumerate(opponents):
            self._kinds[place] = kind = _KINDS.get(type(agent), play.ASKED)
            if kind == play.RANDOM:
                self._agent_seeds[place] = agent.seed % 2**64
            if kind != play.ASKED:
                continue
            known = [agent is other for other in self._agents]
            self._agent_at[place] = known.index(True) if any(known) else len(known)
            if not any(known):
                self._agents.append(agent)

    # Random streams

    def seed(self, i: int, seed: int) -> None:
        """Start the random stream of row `i` anew."""
        self._streams[i], self._seeds[i] = seeding.np_random(seed)

    @property
    def streams(self) -> tuple[np.random.Generator, ...]:
        """The random streams of the rows; those that no seed has started start now."""
        self._fill_streams()
        return tuple(self._streams)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of the random streams."""
        self._fill_streams()
        return tuple(self._seeds)

    def _fill_streams(self) -> None:
        if self._are_started:
            return
        for i, stream in enumerate(self._streams):
            if stream is None:
                self._streams[i], self._seeds[i] = seeding.np_random()
        self._are_started = True

    # Dealing and playing

    def deal(
        self, which: np.ndarray, deal: int | None = None, seeds: list[int | None] | None = None
    ) -> None:
        """Start new episodes in some rows.

        Args:
            which: int64[k], the rows.
            deal: number of the contract of a single deal; None draws it.
            seeds: by row, seeds of games; None draws them from the rows' random streams.
        """
        self.is_ready = False
        self._start(which, deal, seeds)
        self._advance(which)
        self._start_again(which, deal)
        self.is_ready = True

    def step(self, chosen: np.ndarray, lost: np.ndarray, renewed: np.ndarray) -> None:
        """Play an action in every row and then the other seats.

        Args:
            chosen: int64[n], legal where it is played.
            lost: bool[n], rows that are given up as they are.
            renewed: bool[n], rows in which a new episode starts instead.
        """
        self.is_ready = False
        play.forget_outcomes(self.rows)
        fresh = renewed.nonzero()[0]
        self._start(fresh)
        which = (~lost).nonzero()[0]
        self._advance(which, chosen[which])
        self._start_again(fresh)
        if lost.any():
            self.ids[lost, 0] = actions.DRAW
            self.rows["count"][lost] = 1
        self.is_ready = True

    def _start(
        self,
        which: np.ndarray,
        deal: int | None = None,
        seeds: list[int | None] | None = None,
        again: bool = False,
    ) -> None:
        """Deal in some rows; `again` keeps the learners' seats."""
        if not len(which):
            return
        self._fill_streams()
        keys, seat = np.empty(len(which), np.uint64), self.rows["seat"]
        draws_seats = self._draws_seats and not again
        for k, i in enumerate(which.tolist()):
            stream = self._streams[i]
            if draws_seats:
                seat[i] = stream.integers(self.seats)
            seed = None if seeds is None else seeds[i]
            keys[k] = stream_key(draw_seed(stream) if seed is None else seed)
        is_match = int(self.episode == "match")
        play.deal_rows(
            self.games, self.rows, which, keys, self._record, self.seats, is_match, deal or 0
        )

    def _start_again(self, which: np.ndarray, deal: int | None = None) -> None:
        """Deal again where an episode was over before the learner's first decision."""
        while len(which := which[self.rows["over"][which] == 1]):
            self._start(which, deal, again=True)
            self._advance(which)

    def _advance(self, which: np.ndarray, chosen: np.ndarray | None = None) -> None:
        """Play what is chosen in some rows (None: they were just dealt) and the other seats."""
        which = which.copy()
        chosen = np.zeros_like(which) if chosen is None else chosen
        while True:
            waiting = play.advance(
                self.games, self.rows, self.ids, which, chosen, self._record, self._runs,
                self._work, self._scratch, self._reward, self._auto_play, self._kinds,
                self._agent_seeds, self._penalties, self._joker_value,
            )  # fmt: skip
            if waiting < 0:
                self._refuse(which[-1 - waiting], chosen[-1 - waiting])
            if waiting == 0:
                break
            which = which[:waiting]
            chosen = self._ask(which)

    def _to_move(self, which: np.ndarray) -> np.ndarray:
        """Return the index of the agent to move in each of some rows."""
        places = self.games["to_move"][which] - self.rows["seat"][which] - 1
        return self._agent_at[places % self.seats]

    def _ask(self, which: np.ndarray) -> np.ndarray:
        """Return what the agents to move in some rows choose, int64[k]."""
        chosen = np.empty(len(which), np.int64)
        to_move = self._to_move(which)
        for a, agent in enumerate(self._agents):
            mine = to_move == a
            if mine.any():
                chosen[mine] = choose_many(agent, self.games, self.rules, which[mine])
        return chosen

    def _refuse(self, i: int, action: int) -> NoReturn:
        agent = self._agents[self._to_move(np.array([i]))[0]]
        raise mistake(
            agent, int(self.games["to_move"][i]), int(action), f" in row {i}", "; reset() to go on"
        )

    # What is seen

    def game(self, i: int) -> Game:
        """Return a copy of the game in row `i`."""
        return game_at(self.games, i, self.rules)

    def see(self, which: np.ndarray, seen: np.ndarray, mask: np.ndarray) -> None:
        """Write what the learners see in some rows into `seen`, uint8[k, SIZE], and their masks
        into `mask`, int8[k, N]."""
        play.see_rows(
            self.games,
            self.rows,
            self.ids,
            which,
            self._record,
            self._work,
            self._scratch,
            seen,
            mask,
        )

    def masks(self) -> np.ndarray:
        """Return the masks of all rows, bool[n, N], a fresh array."""
        mask = np.empty((self.n, actions.N), np.int8)
        mask_many(self.ids, self.rows["count"].copy(), mask)
        return mask.view(np.bool_)
