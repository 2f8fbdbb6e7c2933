"""Ratings from the results of every pair, by one maximum-likelihood fit.

At a table of n seats agent A, alone among n - 1 copies of B, wins with chance

    strength(A) / (strength(A) + (n - 1) * strength(B)),

for two seats the model of Bradley and Terry, for more the first choice of Plackett and Luce. A rating
is 400 * log10(strength), shifted so that the anchor has a rating of its own choosing: on the scale of
Elo, 400 points are odds of ten to one at two seats.

The fit is a convex one of as many numbers as there are agents, so Newton's method ends in a few steps
and all samples of the bootstrap are solved at once: fifty lines of NumPy, where a package would bring
an optimiser, models of teams and draws, and no intervals by deals of the cards.
"""

from dataclasses import dataclass

import numpy as np

from kalooki_env.arena.figures import Z95, Interval, are_alike, student95

ANCHOR, ANCHOR_RATING = "greedy", 1000.0
SAMPLES = 1000
"""Samples of the bootstrap."""
_SCALE = 400 / np.log(10)
_STEPS, _LONGEST, _CLOSE = 100, 1.5, 1e-9
"""Steps of Newton's method at most, the longest one, and the one from which on it is exact."""


@dataclass(frozen=True)
class Rating:
    """The rating of one agent."""

    agent: str
    rating: float | None
    """None: not comparable with the anchor, no chain of results leads from one to the other."""
    ci95: Interval
    """95 % interval of the difference to the anchor, whose own has no width; (None, None) for one
    deal of the cards. An end is None where nothing bounds it: that of an agent which lost no deal
    against those who are measured by the anchor, or won none."""


@dataclass(frozen=True)
class Pair:
    """The result that a fit reads of A, alone among copies of B."""

    a: int
    b: int
    wins: np.ndarray
    """float64[deals of the cards]: A's mean over the rotations, void deals as 1/seats. The k-th
    is the same deal in every pair."""


@dataclass(frozen=True)
class Fit:
    """What was fitted."""

    ratings: np.ndarray
    """float64[agents]; NaN for those that are not comparable with the anchor."""
    intervals: list[Interval]
    expected: np.ndarray
    """float64[pairs], the win rates that the ratings make likely."""


def fit(pairs: list[Pair], agents: int, seats: int, anchor: int, samples: int = SAMPLES) -> Fit:
    """Rate agents.

    The intervals are percentiles over samples of the deals of the cards: one sample draws the same
    deals for all pairs, since these share the cards. The samples are the same every time.

    Args:
        pairs: what was measured. Agents that it does not link to the anchor are not rated.
        agents: how many agents there are.
        seats: seats at the table.
        anchor: the agent whose rating is given.
        samples: samples of the bootstrap.
    """
    ratings, expected = np.full(agents, np.nan), np.full(len(pairs), np.nan)
    intervals: list[Interval] = [(None, None)] * agents
    ratings[anchor] = ANCHOR_RATING
    for group in _groups(pairs, agents):
        # Who never met the anchor's group is fitted all the same, for what its own pairs explain.
        places = [k for k, pair in enumerate(pairs) if pair.a in group]
        if not places:
            continue
        base = anchor if anchor in group else group[0]
        own = _Group([pairs[k] for k in places], group, seats, base)
        expected[places] = own.expected
        if base == anchor:
            ratings[group] = own.ratings
            for agent, interval in zip(group, own.intervals(samples), strict=True):
                intervals[agent] = interval
    above, below = _bounded(pairs, agents, anchor)
    ratings[~above & ~below] = np.nan
    for agent, (low, high) in enumerate(intervals):
        intervals[agent] = (low if below[agent] else None, high if above[agent] else None)
    return Fit(ratings, intervals, expected)


def _groups(pairs: list[Pair], agents: int) -> list[list[int]]:
    """Return the agents in groups of those whom results link, by whatever chain."""
    met = np.eye(agents, dtype=bool)
    for pair in pairs:
        met[pair.a, pair.b] = met[pair.b, pair.a] = True
    chained = _closure(met)
    return [np.flatnonzero(row).tolist() for k, row in enumerate(chained) if not row[:k].any()]


def _bounded(pairs: list[Pair], agents: int, anchor: int) -> tuple[np.ndarray, np.ndarray]:
    """Tell for each agent, bool[agents], whether a chain of wins over it leads down from the anchor,
    which bounds its rating from above, and whether one of its own leads to the anchor."""
    beat = np.eye(agents, dtype=bool)
    for pair in pairs:
        beat[pair.a, pair.b] |= pair.wins.max() > 0
        beat[pair.b, pair.a] |= pair.wins.min() < 1
    chained = _closure(beat)
    return chained[anchor], chained[:, anchor]


def _closure(links: np.ndarray) -> np.ndarray:
    """Return which of some agents a chain of links leads to from which: bool[agents, agents]."""
    for _ in range(len(links)):
        links = links | (links @ links)
    return links


class _Group:
    """Agents that results link to each other, and their fit."""

    def __init__(self, pairs: list[Pair], agents: list[int], seats: int, base: int) -> None:
        places = {agent: place for place, agent in enumerate(agents)}
        self.a = np.array([places[pair.a] for pair in pairs])
        self.b = np.array([places[pair.b] for pair in pairs])
        self.wins = np.stack([pair.wins for pair in pairs])
        self.size, self.seats, self.base = len(agents), seats, places[base]
        self.deals = self.wins.shape[1]
        strengths = self._rate(self.wins.mean(axis=1)[None])[0]
        self.ratings = ANCHOR_RATING + _SCALE * strengths
        self.expected = _sigmoid(strengths[self.a] - strengths[self.b] - np.log(seats - 1))

    def _rate(self, rates: np.ndarray) -> np.ndarray:
        """Return the strengths, float64[samples, agents], by win rates, float64[samples, pairs]."""
        # One more deal that nobody won keeps the strength of an agent that lost them all finite.
        n, seats = self.deals * self.seats, self.seats
        shrunk = (rates * n + 1 / seats) / (n + 1)
        return _strengths(shrunk, self.a, self.b, self.size, self.base, np.log(seats - 1))

    def intervals(self, samples: int) -> list[Interval]:
        """Return the intervals of the ratings, from samples of the deals."""
        n = self.deals
        if n < 2:
            return [(None, None)] * self.size
        rng = np.random.default_rng(0)
        drawn = np.stack(
            [self.wins @ np.bincount(rng.integers(n, size=n), minlength=n) for _ in range(samples)]
        )
        spread = ANCHOR_RATING + _SCALE * self._rate(self._unseen(drawn / n))
        # Percentiles of resampled deals are too narrow for few deals, as a normal quantile is.
        wider = student95(n - 1) / Z95 * (n / (n - 1)) ** 0.5
        middle = np.median(spread, axis=0)
        ends = np.percentile(spread, [2.5, 97.5], axis=0)
        low, high = middle + wider * (ends - middle)
        return list(zip(low.tolist(), high.tolist(), strict=True))

    def _unseen(self, rates: np.ndarray) -> np.ndarray:
        """Give the pairs whose deals are all alike, and stay so in every sample, a spread of their
        own: a share of deals may have been otherwise that is as large as n deals leave likely."""
        rng = np.random.default_rng(1)
        for k in [k for k, wins in enumerate(self.wins) if are_alike(wins)]:
            alike = self.wins[k, 0]
            others = rng.beta(1, self.deals, len(rates))
            end = rng.integers(0, 2, len(rates)) if 0 < alike < 1 else 1 - alike
            rates[:, k] = alike + (end - alike) * others
        return rates


def _strengths(
    rates: np.ndarray, a: np.ndarray, b: np.ndarray, agents: int, anchor: int, handicap: float
) -> np.ndarray:
    """Return the logarithms of the strengths, float64[samples, agents], that make win rates
    float64[samples, pairs] most likely; the anchor's is 0."""
    incidence = np.zeros((len(a), agents))
    incidence[np.arange(len(a)), a] = 1
    incidence[np.arange(len(a)), b] = -1
    free = np.delete(incidence, anchor, axis=1)
    found = np.zeros((len(rates), agents - 1))
    for _ in range(_STEPS):
        chance = _sigmoid(found @ free.T - handicap)
        slope = (rates - chance) @ free
        curvature = np.einsum("sp,pi,pj->sij", chance * (1 - chance), free, free)
        step = np.linalg.solve(curvature, slope[..., None])[..., 0]
        found += np.clip(step, -_LONGEST, _LONGEST)
        if np.abs(step).max() < _CLOSE:
            break
    return np.insert(found, anchor, 0.0, axis=1)


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))
