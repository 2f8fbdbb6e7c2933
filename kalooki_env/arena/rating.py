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

from kalooki_env.arena.figures import Interval

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
    rating: float
    ci95: Interval
    """95 % interval of the difference to the anchor, whose own has no width; (None, None) for one
    deal of the cards."""


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
    """float64[agents]."""
    intervals: list[Interval]
    expected: np.ndarray
    """float64[pairs], the win rates that the ratings make likely."""


def fit(pairs: list[Pair], agents: int, seats: int, anchor: int, samples: int = SAMPLES) -> Fit:
    """Rate agents.

    The intervals are percentiles over samples of the deals of the cards: one sample draws the same
    deals for all pairs, since these share the cards. The samples are the same every time.

    Args:
        pairs: what was measured; together they link every agent to every other.
        agents: how many agents there are.
        seats: seats at the table.
        anchor: the agent whose rating is given.
        samples: samples of the bootstrap.
    """
    a, b = np.array([pair.a for pair in pairs]), np.array([pair.b for pair in pairs])
    wins = np.stack([pair.wins for pair in pairs])
    deals = wins.shape[1]
    handicap = np.log(seats - 1)

    def rate(rates: np.ndarray) -> np.ndarray:
        # One more deal that nobody won keeps the strength of an agent that lost them all finite.
        shrunk = (rates * deals * seats + 1 / seats) / (deals * seats + 1)
        return _strengths(shrunk, a, b, agents, anchor, handicap)

    strengths = rate(wins.mean(axis=1)[None])[0]
    expected = _sigmoid(strengths[a] - strengths[b] - handicap)
    ratings = ANCHOR_RATING + _SCALE * strengths
    if deals < 2:
        return Fit(ratings, [(None, None)] * agents, expected)
    rng = np.random.default_rng(0)
    drawn = [
        wins @ np.bincount(rng.integers(deals, size=deals), minlength=deals) for _ in range(samples)
    ]
    spread = ANCHOR_RATING + _SCALE * rate(np.stack(drawn) / deals)
    low, high = np.percentile(spread, [2.5, 97.5], axis=0)
    return Fit(ratings, list(zip(low.tolist(), high.tolist(), strict=True)), expected)


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
