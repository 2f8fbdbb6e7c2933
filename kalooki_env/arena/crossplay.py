"""Ladders: every pair of a set of agents plays, and one fit rates them."""

import dataclasses
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from kalooki_env import agents as agents_there
from kalooki_env.agents.base import AgentError
from kalooki_env.agents.header import read_file
from kalooki_env.arena.figures import Interval
from kalooki_env.arena.rating import ANCHOR, Pair, Rating, fit
from kalooki_env.arena.results import Deals, summarize
from kalooki_env.arena.table import Plan, Progress
from kalooki_env.arena.workers import Workers
from kalooki_env.checks import at_least_one
from kalooki_env.engine.jit import AGENTS, ENGINE, source_digest
from kalooki_env.errors import KalookiError
from kalooki_env.game import Game
from kalooki_env.rules import Rules
from kalooki_env.seeds import checked_seed

Watch = Callable[[str, int, int], None]

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class PairResult:
    """What A won, alone among copies of B: figures as in `Result`."""

    a: str
    b: str
    deals: int
    win_rate: float | None
    win_rate_ci95: Interval
    points_per_deal: float | None
    points_ci95: Interval
    void_rate: float
    cut_rate: float
    turns_per_deal: float
    scores: str
    """A digit for each deal of the cards (0-9, then a-z, A-Z): what A won in its rotations, a win
    counted as `seats` and a deal that nobody won as 1."""
    code: str
    """A hash of the sources of engine and agents that it was played with."""


@dataclass
class Ladder:
    """One preset and number of seats: all pairs, and the ratings once all are there."""

    rules: str
    seats: int
    pairs: list[PairResult] = field(default_factory=list)
    ratings: list[Rating] = field(default_factory=list)
    """The strongest first."""
    expected: list[float | None] = field(default_factory=list)
    """The win rate of each pair that the ratings make likely; None where every deal was cut."""

    def find(self, a: str, b: str) -> PairResult | None:
        """Return the result of A among copies of B, if it was played."""
        return next((pair for pair in self.pairs if (pair.a, pair.b) == (a, b)), None)


@dataclass
class Ladders:
    """Agents, how they were measured, and a ladder for each preset and number of seats."""

    agents: list[str]
    deals: int = 4000
    """Deals of a pair; rounded up to a multiple of the seats."""
    seed: int = 0
    streams: bool = False
    anchor: str = ANCHOR
    ladders: list[Ladder] = field(default_factory=list)
    checkpoints: dict[str, str | None] = field(default_factory=dict)
    """A hash of the file that each agent was loaded from, None for a built-in one."""

    def ladder(self, rules: str, seats: int) -> Ladder:
        """Return the ladder of a preset and number of seats, a new one if there is none."""
        for ladder in self.ladders:
            if (ladder.rules, ladder.seats) == (rules, seats):
                return ladder
        self.ladders.append(Ladder(rules, seats))
        return self.ladders[-1]

    def plan(self, ladder: Ladder, a: str, b: str) -> Plan:
        """Return what A and B play."""
        rules = Rules.preset(ladder.rules)
        seats = rules.check_seats(ladder.seats)
        deals = -(-at_least_one("deal", self.deals) // seats)
        return Plan((a, b), rules, seats, deals, seed=self.seed, streams=self.streams)

    def missing(self) -> list[tuple[Ladder, str, str]]:
        """Return the pairs that were not played yet.

        With two seats each pair sits down once; with more A is alone among copies of B, and B among
        copies of A.
        """
        return [
            (ladder, a, b)
            for ladder in self.ladders
            for i, a in enumerate(self.agents)
            for j, b in enumerate(self.agents)
            if (i < j or (i != j and ladder.seats > 2)) and ladder.find(a, b) is None
        ]


def check(ladders: Ladders) -> None:
    """Raise a KalookiError, before anything is played, for a ladder that cannot be."""
    names = ladders.agents
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise KalookiError(f"expected every agent once, got {', '.join(twice)} several times")
    if len(names) < 2:
        raise KalookiError(
            f"expected at least two agents, got {', '.join(names) or 'none'}: name another"
        )
    if ladders.anchor not in names:
        raise KalookiError(
            f"expected the agent that has a rating of 1000, {ladders.anchor}, among the others, got "
            f"{', '.join(names)}: add it, or name one of these with --anchor"
        )
    for ladder in ladders.ladders:
        ladders.plan(ladder, *names[:2])
    players = [agents_there.load(name) for name in names]
    for place in ladders.ladders:
        game = Game(place.rules, place.seats, seed=0)
        for player in players:
            player.act(game, game.to_move)  # one that cannot sit at such a table says so


def ladder(
    agents: Sequence[str],
    rules: Sequence[str] = ("british",),
    seats: Sequence[int] = (2,),
    deals: int = 4000,
    seed: int = 0,
    *,
    streams: bool = False,
    anchor: str = ANCHOR,
    processes: int = 1,
    watch: Watch | None = None,
) -> Ladders:
    """Let every pair of some agents play, and rate them.

    Args:
        agents: names for `agents.load`.
        rules: presets; each is played with each number of `seats`.
        seats: seats at the table. With more than two A sits among copies of B, and B among copies
            of A.
        deals: deals of each pair, rounded up to a multiple of the seats. All pairs play the same.
        seed: fixes the cards, and the agents' random streams.
        streams: as for `evaluate`.
        anchor: the agent whose rating is 1000.
        processes: processes that share the deals; the figures are the same with any number.
        watch: called now and then with what is played, the games done and all games.

    Raises:
        KalookiError: agents, rules or numbers of seats that make no ladder.
    """
    deals, seed = at_least_one("deal", deals), checked_seed(seed)
    found = Ladders(list(agents), deals, seed, streams, anchor)
    for name in rules:
        for number in seats:
            found.ladder(name, Rules.preset(name).check_seats(number))
    play_on(found, processes=processes, watch=watch)
    return found


def play_on(
    ladders: Ladders,
    *,
    processes: int = 1,
    watch: Watch | None = None,
    keep: Callable[[Ladders], None] | None = None,
) -> None:
    """Play the pairs that are missing and rate the agents.

    Args:
        ladders: what is wanted, with the pairs that were played before; the others are added.
        processes, watch: as for `ladder`.
        keep: called after every pair, and at the end.
    """
    check(ladders)
    for name in ladders.agents:
        ladders.checkpoints.setdefault(name, checkpoint_digest(name))
    missing = ladders.missing()
    games = [ladders.plan(*what).games for what in missing]
    _rate_complete(ladders)
    with Workers(processes) as workers:
        for k, (place, a, b) in enumerate(missing):
            progress = _progress(watch, games, k, f"{place.rules}, {place.seats} seats, {a}, {b}")
            parts = workers.play(ladders.plan(place, a, b), progress)
            ends = np.concatenate([part.ends for part in parts])
            for name in (a, b):
                _check_unchanged(name, ladders.checkpoints[name])
            place.pairs.append(_result(Deals.from_ends(ends, place.seats), a, b, place.rules))
            _rate_complete(ladders)
            if keep is not None:
                keep(ladders)
    if keep is not None and not missing:
        keep(ladders)


def _progress(watch: Watch | None, games: list[int], k: int, what: str) -> Progress:
    """Return the progress of the k-th of some pairs as one of all of them."""

    def progress(done: int, _: int) -> None:
        if watch is not None:
            watch(f"{what} ({k + 1} of {len(games)})", sum(games[:k]) + done, sum(games))

    return progress


def _check_unchanged(name: str, digest: str | None) -> None:
    """Raise a KalookiError where an agent was loaded from a file that is another one now."""
    if checkpoint_digest(name) != digest:
        raise KalookiError(
            f"expected the checkpoint {name} to stay as it was, got another file of that name while it "
            "was played: copy it, and name the copy"
        )


def checkpoint_digest(name: str) -> str | None:
    """Return a hash of the file that an agent is loaded from; None for a built-in one."""
    try:
        path = agents_there.find_checkpoint(name)
    except AgentError:
        return None
    return hashlib.sha256(read_file(path)[1]).hexdigest()[:16]


def _result(ended: Deals, a: str, b: str, rules: str) -> PairResult:
    seats = ended.winner.shape[1]
    wins = np.round(ended.scores(2, 0)[0] * seats).astype(int).sum(axis=1)
    figures = dataclasses.asdict(summarize(ended, a=a, b=b, rules=rules, seconds=0.0))
    names = {one.name for one in dataclasses.fields(PairResult)}
    return PairResult(
        **{name: value for name, value in figures.items() if name in names},
        scores="".join(DIGITS[score] for score in wins.tolist()),
        code=code_digest(),
    )


def code_digest() -> str:
    """Return a hash of the sources that decide what is played."""
    agents = ("agents/*.py", "agents/*/*.json")
    arena = ("arena/compiled.py", "arena/seating.py", "arena/table.py")
    return source_digest(ENGINE + AGENTS + agents + arena)


def rates_of(scores: str, seats: int) -> np.ndarray:
    """Return A's win rate in each deal of the cards: float64[deals]."""
    return np.array([DIGITS.index(digit) for digit in scores]) / seats**2


def _rate_complete(ladders: Ladders) -> None:
    """Rate the agents of the ladders whose pairs were all played and that have no ratings yet."""
    names = ladders.agents
    incomplete = {(place.rules, place.seats) for place, _, _ in ladders.missing()}
    for place in ladders.ladders:
        if (place.rules, place.seats) in incomplete:
            place.ratings, place.expected = [], []
        elif not place.ratings:
            _rate(place, names, ladders.anchor)


def _rate(place: Ladder, names: list[str], anchor: str) -> None:
    """Rate the agents of a ladder by those pairs of which a deal was played to its end."""
    measured = [pair for pair in place.pairs if pair.win_rate is not None]
    pairs = [
        Pair(names.index(pair.a), names.index(pair.b), rates_of(pair.scores, place.seats))
        for pair in measured
    ]
    found = fit(pairs, len(names), place.seats, names.index(anchor))
    place.ratings = [
        Rating(name, None if np.isnan(rating) else rating, interval)
        for name, rating, interval in zip(
            names, found.ratings.tolist(), found.intervals, strict=True
        )
    ]
    place.ratings.sort(key=lambda one: np.inf if one.rating is None else -one.rating)
    expected = iter(found.expected.tolist())
    place.expected = [None if pair.win_rate is None else next(expected) for pair in place.pairs]
