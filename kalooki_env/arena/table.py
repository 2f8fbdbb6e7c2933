"""The games of an evaluation, all at once: lanes that advance together from choice to choice."""

import dataclasses
from array import array
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from kalooki_env import actions, agents
from kalooki_env.agents.base import Agent, as_agent, choose_many, mistake
from kalooki_env.arena.compiled import COUNTS, CURSOR, EMPTY, END, LANE, advance
from kalooki_env.arena.seating import seating
from kalooki_env.checks import at_least_one
from kalooki_env.engine.layout import GAME, records, scratch_space
from kalooki_env.engine.tables import point_runs
from kalooki_env.rules import TURN_CAP, Rules
from kalooki_env.seeds import checked_seed, stream_key

Progress = Callable[[int, int], None]

_DEALS, _FIRST_AGENT = 0, 1
"""Random streams: the deals of the cards, then one for each entrant."""
_KEYS = 1024
"""Keys of deals that are computed at once."""
_FEW_LANES, _QUICK = 16, 0.05
"""Lanes at the beginning, and seconds of a step under which their number is doubled: where an agent
thinks for long, games should end one after another, not all of them at last."""


@dataclass(frozen=True)
class Plan:
    """All that decides the games: game `deal * seats + r` is a deal of the cards in rotation `r`.

    Deal `k` of the cards is `Game(rules, seats, seed=deal_seeds(...)[k])`.
    """

    agents: tuple[str | Agent, ...]
    rules: Rules
    seats: int
    deals: int
    """Deals of the cards."""
    seed: int = 0
    streams: bool = False
    """Each seat draws from a stream of the stock of its own, see `compiled._bring_own_card`."""
    behaviour: bool = False
    """Count what the entrants do."""
    note: bool = False
    """Keep the choices, for records."""
    batch: int = 1024
    """Games that advance together at most; it changes the speed only."""

    def __post_init__(self) -> None:
        self._set("deals", at_least_one("deal", self.deals))
        self._set("batch", at_least_one("game in a batch", self.batch))
        self._set("seed", checked_seed(self.seed))
        self._set("seats", self.rules.check_seats(self.seats))
        if self.rules.turn_cap is None:
            self._set("rules", dataclasses.replace(self.rules, turn_cap=TURN_CAP))
        entrants = [one if isinstance(one, str) else as_agent(one) for one in self.agents]
        self._set("agents", tuple(entrants))
        seating(len(self.agents), self.seats)

    def _set(self, field: str, value: object) -> None:
        object.__setattr__(self, field, value)

    @property
    def games(self) -> int:
        """Games to play."""
        return self.deals * self.seats

    @property
    def names(self) -> list[str]:
        """The entrants' names."""
        return [agent if isinstance(agent, str) else agent.name for agent in self.agents]

    def deal_seeds(self, first: int, count: int) -> np.ndarray:
        """Return uint64[count], the seeds of some deals of the cards."""
        return seeds(self.seed, _DEALS, first + count)[first:]

    def load(self) -> list[Agent]:
        """Return the entrants; those given by name have random streams of their own.

        Raises:
            AgentError: nothing has that name.
        """
        return [
            agents.load(agent, seed=int(seeds(self.seed, _FIRST_AGENT + k, 1)[0]))
            if isinstance(agent, str)
            else agent
            for k, agent in enumerate(self.agents)
        ]


def seeds(seed: int, stream: int, n: int) -> np.ndarray:
    """Derive uint64[n] seeds of one of the random streams; a longer list begins the same."""
    return np.random.SeedSequence([seed, stream]).generate_state(n, np.uint64)


@dataclass
class Part:
    """What was played: some deals of the cards, one after another."""

    first: int
    """The first deal of the cards."""
    ends: np.ndarray
    """END[games]."""
    totals: np.ndarray
    """int64[entrants, counts]: sums of what `COUNTS` names."""
    choices: list[array] = field(default_factory=list)
    """The choices of each game, without forced moves; empty unless the plan has `note`."""


def play(
    plan: Plan, entrants: list[Agent], first: int, count: int, progress: Progress | None = None
) -> Part:
    """Play all rotations of some deals of the cards.

    Args:
        plan: what is played.
        entrants: the agents of the plan, loaded.
        first: the first deal of the cards.
        count: how many deals of the cards.
        progress: called now and then with the games done and all games of this part.

    Raises:
        AgentMistake: an agent chose what is not legal.
    """
    return _Table(plan, entrants, first, count).play(progress)


class _Table:
    """The lanes of a part, and what the compiled loop needs."""

    def __init__(self, plan: Plan, entrants: list[Agent], first: int, count: int) -> None:
        self.plan, self.entrants = plan, entrants
        self.total = count * plan.seats
        lanes = min(plan.batch, self.total)
        self.used = min(_FEW_LANES, lanes)
        self.games, self.lanes = records(lanes, GAME), records(lanes, LANE)
        self.mover = np.full(lanes, EMPTY, np.int8)
        self.chosen = np.full(lanes, -1, np.int64)
        self.seeds = plan.deal_seeds(first, count)
        self.keys = np.zeros(count, np.uint64)
        self.cursor = records(1, CURSOR)
        self.cursor["first_deal"] = first
        self.cursor["streams"], self.cursor["behaviour"] = plan.streams, plan.behaviour
        self.part = Part(
            first, records(self.total, END), np.zeros((len(entrants), len(COUNTS)), np.int64)
        )
        record = plan.rules.record()
        self.space = (
            np.zeros((lanes, actions.N), np.int16), self.part.ends, self.keys,
            seating(len(entrants), plan.seats), self.cursor, self.part.totals,
            record, point_runs(record), *scratch_space(),
        )  # fmt: skip
        self.choices: defaultdict[int, array[int]] = defaultdict(lambda: array("h"))

    def play(self, progress: Progress | None) -> Part:
        """Play every game, so many at once as there are lanes."""
        while self.cursor["done"][0] < self.total:
            start = perf_counter()
            self._find_keys()
            lanes = (self.games, self.lanes, self.mover, self.chosen)
            bad = advance(*(array[: self.used] for array in lanes), *self.space)
            if bad >= 0:
                seat = int(self.games["to_move"][bad])
                raise mistake(self.entrants[self.mover[bad]], seat, int(self.chosen[bad]))
            if progress is not None:
                progress(int(self.cursor["done"][0]), self.total)
            self._decide()
            if perf_counter() - start < _QUICK:
                self.used = min(2 * self.used, len(self.games))
        if self.plan.note:
            self.part.choices = [self.choices.pop(game, array("h")) for game in range(self.total)]
        return self.part

    def _decide(self) -> None:
        """Let every entrant choose in the games where it is to move."""
        for k, agent in enumerate(self.entrants):
            rows = np.flatnonzero(self.mover == k)
            if not len(rows):
                continue
            self.chosen[rows] = choose_many(agent, self.games, self.plan.rules, rows)
            if self.plan.note:
                games = self.lanes["game"][rows]
                for game, action in zip(games.tolist(), self.chosen[rows].tolist(), strict=True):
                    self.choices[game].append(action)

    def _find_keys(self) -> None:
        """Make sure that every lane can start a game."""
        seats, ready = self.plan.seats, int(self.cursor["ready"][0])
        if int(self.cursor["next"][0]) + len(self.games) <= ready or ready == self.total:
            return
        first = ready // seats
        more = self.seeds[first : first + max(_KEYS, len(self.games))].tolist()
        self.keys[first : first + len(more)] = [stream_key(seed) for seed in more]
        self.cursor["ready"] = (first + len(more)) * seats
