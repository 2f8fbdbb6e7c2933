"""Agents measured against each other on duplicate deals.

The seed of a deal fixes hands, stock and dealer. Agent A plays it once in every seat against copies
of agent B, so that the luck of the cards cancels between these rotations. All games of a batch
advance together; what comes out depends on the names, the rules and the seed, not on the batch.
"""

import contextlib
import dataclasses
import time
from array import array
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kalooki_env import actions, agents
from kalooki_env.agents.base import Agent
from kalooki_env.engine.apply import apply
from kalooki_env.engine.jit import announce_compilation, i64, jit
from kalooki_env.engine.layout import GAME, records, scratch_space
from kalooki_env.engine.legal import list_legal
from kalooki_env.engine.single import start_match_at
from kalooki_env.engine.tables import point_runs
from kalooki_env.errors import IllegalMove, RecordError
from kalooki_env.records import Record, Writer, from_choices
from kalooki_env.rules import TURN_CAP, Rules

Interval = tuple[float, float] | tuple[None, None]
Progress = Callable[[int, int], None]

_Z95 = 1.959964
_STREAM_DEALS, _STREAM_A, _STREAM_B = 0, 1, 2


@dataclass(frozen=True)
class Result:
    """What `evaluate` measured. Points are raw penalty points; every rotation counts as a deal."""

    a: str
    b: str
    rules: str
    seats: int
    deals: int
    win_rate: float
    """(Deals that A won + void and cut deals / seats) / deals: 1/seats is even."""
    win_rate_ci95: Interval
    """95 % interval; the rotations of one deal are one observation. (None, None) for one deal."""
    points_per_deal: float
    """A's points: minus its penalty where it lost, the sum of the penalties where it won."""
    points_ci95: Interval
    void_rate: float
    cut_rate: float
    turns_per_deal: float
    seconds: float

    def as_dict(self) -> dict[str, object]:
        """Return the figures by name, intervals as lists, ready for JSON."""
        figures = dataclasses.asdict(self)
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in figures.items()
        }


@dataclass(frozen=True)
class Deals:
    """How each deal ended: arrays with a row for each seed of cards and a column for A's seat."""

    winner: np.ndarray
    """int32[seeds, rotations]: the seat that won, -1 for nobody."""
    penalties: np.ndarray
    """int32[seeds, rotations, seats]."""
    turns: np.ndarray
    """int32[seeds, rotations]."""
    is_void: np.ndarray
    """bool[seeds, rotations]."""
    is_cut: np.ndarray
    """bool[seeds, rotations]."""


def evaluate(
    a: str | Agent,
    b: str | Agent,
    rules: str | Rules = "british",
    seats: int = 2,
    deals: int = 4000,
    seed: int = 0,
    *,
    batch: int = 1024,
    progress: Progress | None = None,
    record: str | Path | None = None,
) -> Result:
    """Measure agent A, alone among copies of agent B.

    Args:
        a: the agent that is measured: a name or path for `agents.load`, or an agent.
        b: the agent in all other seats.
        rules: preset or rules; deals without a `turn_cap` are cut at 400 turns.
        seats: seats at the table.
        deals: deals to play, rounded up to a multiple of `seats`.
        seed: fixes the cards, and the random streams of agents given by name.
        batch: games that advance together; it changes the speed only.
        progress: called now and then with the deals done and all deals.
        record: a new file for the records of all games, in the order of the deals of the cards and,
            within one, of A's seats. It is there once everything was played.

    Raises:
        AgentError: an agent that is not there.
        RecordError: `record` is there already or cannot be written.
        RulesError: rules that cannot be played by so many seats.
    """
    start = time.perf_counter()
    rules = Rules.from_value(rules)
    rules.check_seats(seats)
    if deals < 1:
        raise ValueError(f"expected at least 1 deal, got {deals}")
    if record is not None and Path(record).exists():
        raise RecordError(
            f"expected a new file to record to, got {record}, which exists: use another name"
        )
    agent_a, agent_b = _agent(a, seed, _STREAM_A), _agent(b, seed, _STREAM_B)
    name_a, name_b = (agent if isinstance(agent, str) else agent.name for agent in (a, b))
    table = _Table(rules, seats, (agent_a, agent_b), seed, seeds=-(-deals // seats))
    with Writer(record) if record is not None else contextlib.nullcontext() as writer:
        if writer is not None:
            table.log = _Log(table, (name_a, name_b), writer)
        ended = table.play(batch, progress)
    return summarize(
        ended,
        a=name_a,
        b=name_b,
        rules=rules.name,
        seconds=time.perf_counter() - start,
    )


def summarize(ended: Deals, *, a: str, b: str, rules: str, seconds: float) -> Result:
    """Turn the ends of deals into rates, means and intervals."""
    seeds, seats = ended.winner.shape
    own = np.arange(seats)
    nobody = ended.winner < 0
    wins = (ended.winner == own) + nobody / seats
    losses = ended.penalties[:, own, own]
    points = np.where(ended.winner == own, ended.penalties.sum(axis=2), -losses) * ~nobody
    # One observation is one deal of the cards: its rotations share them.
    win_of_seed, points_of_seed = wins.mean(axis=1), points.mean(axis=1)
    return Result(
        a=a,
        b=b,
        rules=rules,
        seats=seats,
        deals=seeds * seats,
        win_rate=float(win_of_seed.mean()),
        win_rate_ci95=rate_interval(win_of_seed),
        points_per_deal=float(points_of_seed.mean()),
        points_ci95=mean_interval(points_of_seed),
        void_rate=float(ended.is_void.mean()),
        cut_rate=float(ended.is_cut.mean()),
        turns_per_deal=float(ended.turns.mean()),
        seconds=round(seconds, 3),
    )


def mean_interval(values: np.ndarray) -> Interval:
    """Return the 95 % interval of a mean of independent values; (None, None) for fewer than two."""
    if len(values) < 2:
        return (None, None)
    half = _Z95 * float(values.std(ddof=1)) / len(values) ** 0.5
    mean = float(values.mean())
    return (mean - half, mean + half)


def rate_interval(values: np.ndarray) -> Interval:
    """Return the same for values in 0..1.

    Where all values are 0, or all 1, the spread says nothing; n such values still leave 3/n open.
    """
    low, high = mean_interval(values)
    if low is None or high is None:
        return (None, None)
    if values.min() == values.max() and values[0] in (0.0, 1.0):
        low, high = values[0] - 3 / len(values), values[0] + 3 / len(values)
    return (float(max(low, 0.0)), float(min(high, 1.0)))


def _agent(agent: str | Agent, seed: int, stream: int) -> Agent:
    """Load an agent by name with a random stream that differs between A and B."""
    return (
        agents.load(agent, seed=int(_seeds(seed, stream, 1)[0]))
        if isinstance(agent, str)
        else agent
    )


def _seeds(seed: int, stream: int, n: int) -> np.ndarray:
    """Derive uint64[n] seeds of one of the random streams; a longer list begins the same."""
    return np.random.SeedSequence([seed, stream]).generate_state(n, np.uint64)


class _Table:
    """The deals of one evaluation.

    Deal `k` of the cards is `Game(rules, seats, seed=deal_seeds[k])`; with A in seat `r` it is game
    `k * seats + r`.
    """

    def __init__(
        self, rules: Rules, seats: int, pair: tuple[Agent, Agent], seed: int, seeds: int
    ) -> None:
        if rules.turn_cap is None:
            rules = dataclasses.replace(rules, turn_cap=TURN_CAP)
        self.rules, self.seats, self.pair = rules, seats, pair
        self.deal_seeds = _seeds(seed, _STREAM_DEALS, seeds)
        self.record = rules.record()
        announce_compilation()
        self.runs = point_runs(self.record)
        self.log: _Log | None = None
        self.work, self.scratch = scratch_space()
        shape = (seeds, seats)
        self.ended = Deals(
            winner=np.zeros(shape, np.int32),
            penalties=np.zeros((*shape, seats), np.int32),
            turns=np.zeros(shape, np.int32),
            is_void=np.zeros(shape, np.bool_),
            is_cut=np.zeros(shape, np.bool_),
        )

    def play(self, batch: int, progress: Progress | None) -> Deals:
        """Play every game, at most `batch` at once; a lane that is done takes the next game."""
        total = self.ended.winner.size
        lanes = min(batch, total)
        self.games = records(lanes, GAME)
        self.game_of_lane = np.arange(lanes)
        self.ids = np.zeros((lanes, actions.N), np.int16)
        self.counts = np.zeros(lanes, np.int32)
        self._start(np.arange(lanes))
        waiting, done = lanes, 0
        rows = np.arange(lanes)
        while True:
            over = rows[self.games["deal_over"][rows] == 1]
            for lane in over:
                self._note_end(lane)
            done += len(over)
            refilled = over[: total - waiting]
            self.game_of_lane[refilled] = np.arange(waiting, waiting + len(refilled))
            waiting += len(refilled)
            self._start(refilled)
            rows = np.setdiff1d(rows, over[len(refilled) :], assume_unique=True)
            if not len(rows):
                return self.ended
            if progress is not None:
                progress(done, total)
            self._step(rows[self.games["deal_over"][rows] == 0])

    def _start(self, lanes: np.ndarray) -> None:
        """Deal the games of these lanes and play up to their first choice."""
        for lane in lanes:
            seed = int(self.deal_seeds[self.game_of_lane[lane] // self.seats])
            key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
            start_match_at(self.games, lane, self.record, self.seats, key, 0, 0)
        self._advance(lanes, np.full(len(lanes), -1))

    def _step(self, lanes: np.ndarray) -> None:
        """Let A and B decide in their games, and play up to the next choices."""
        chosen = np.full(len(lanes), -1)
        of_a = self.games["to_move"][lanes] == self.game_of_lane[lanes] % self.seats
        for agent, mine in zip(self.pair, (of_a, ~of_a), strict=True):
            if mine.any():
                chosen[mine] = agent.act_batch(self.games, self.rules, lanes[mine])
        bad = self._advance(lanes, chosen)
        if bad >= 0:
            raise IllegalMove(
                f"expected a legal action from {self.pair[0 if of_a[bad] else 1].name}, got "
                f"{chosen[bad]}: it does not play by these rules"
            )
        if self.log is not None:
            self.log.note(self.game_of_lane[lanes], chosen)

    def _advance(self, lanes: np.ndarray, chosen: np.ndarray) -> int:
        return _advance(
            self.games,
            lanes,
            chosen,
            self.record,
            self.runs,
            self.work,
            self.scratch,
            self.ids,
            self.counts,
        )

    def _note_end(self, lane: int) -> None:
        """Write down how the game of a lane ended."""
        where = divmod(int(self.game_of_lane[lane]), self.seats)
        game = self.games[lane]
        self.ended.winner[where] = game["winner"]
        self.ended.penalties[where] = game["penalties"][: self.seats]
        self.ended.turns[where] = game["turn"]
        self.ended.is_void[where] = game["is_void"] == 1
        self.ended.is_cut[where] = game["is_cut"] == 1
        if self.log is not None:
            self.log.end(int(self.game_of_lane[lane]))


class _Log:
    """Notes the choices of the games that are being played, and writes the games that are over.

    Forced moves are not noted: a record finds them again.
    """

    def __init__(self, table: _Table, names: tuple[str, str], writer: Writer) -> None:
        self._table, self._names, self._writer = table, names, writer
        self._choices: defaultdict[int, array[int]] = defaultdict(lambda: array("h"))
        self._over: dict[int, array[int]] = {}
        """Games that wait for an earlier one."""
        self._next = 0

    def note(self, games: np.ndarray, chosen: np.ndarray) -> None:
        """Note a choice in each of several games."""
        for game, action in zip(games.tolist(), chosen.tolist(), strict=True):
            self._choices[game].append(action)

    def end(self, game: int) -> None:
        """Write a game that is over, once those before it are written."""
        self._over[game] = self._choices.pop(game, array("h"))
        while self._next in self._over:
            choices = self._over.pop(self._next)
            self._writer.add(from_choices(self._what(self._next), choices))
            self._next += 1

    def _what(self, game: int) -> Record:
        """Return the record of a game without its moves."""
        table = self._table
        deal, seat = divmod(game, table.seats)
        names = tuple(self._names[other != seat] for other in range(table.seats))
        return Record(table.rules, table.seats, int(table.deal_seeds[deal]), names=names)


@jit
def _advance(games, rows, chosen, rules, runs, work, scratch, ids, counts):
    """Play `chosen[k]` in `games[rows[k]]` (-1: it was just dealt), then whatever is forced.

    `ids`, `counts` keep the legal lists of all games. Returns -1, or the first k whose action is
    not legal; that game and those after it are then unchanged.
    """
    for k in range(len(rows)):
        i = rows[k]
        if chosen[k] >= 0:
            legal = False
            for c in range(counts[i]):
                legal = legal or ids[i, c] == chosen[k]
            if not legal:
                return k
            apply(games[i], rules[0], runs, work[0], scratch, chosen[k])
        counts[i] = 0
        while games[i].deal_over == 0:
            count = list_legal(games[i], rules[0], runs, work[0], scratch)
            if count != 1:
                counts[i] = count
                for c in range(count):
                    ids[i, c] = work[0].ids[c]
                break
            apply(games[i], rules[0], runs, work[0], scratch, i64(work[0].ids[0]))
    return -1
