"""The arithmetic of evaluations: intervals, the sign test, and what duplicate deals are worth.

An observation is one deal of the cards: its rotations share the cards, so they are no independent
deals. How many deals are played is fixed before the first; nothing here may be looked at to stop early,
or the intervals would not hold.
"""

import math

import numpy as np

Interval = tuple[float | None, float | None]
"""Both ends; None where there is no end, or nothing is known."""

Z95 = 1.959964
UNSEEN = 3
"""n observations that are all alike leave up to 3/n of the cases to be otherwise, with 95 %."""
_ALIKE = 1e-12
_NEGLIGIBLE = 1e-18


def student95(freedom: int) -> float:
    """Return how many standard errors a two-sided 95 % interval reaches to each side, where the
    variance is estimated from `freedom` + 1 observations (Student's t).

    Exact for 1 and 2, else Fisher's expansion about the normal, off by 0.1 % at 3 and less beyond.
    """
    if freedom < 3:
        return (12.706205, 4.302653)[freedom - 1]
    z, v = Z95, freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / v**power for power, term in enumerate(terms, 1))


def are_alike(values: np.ndarray) -> bool:
    """Tell whether observations do not differ at all, so that their spread says nothing."""
    return bool(np.ptp(values) < _ALIKE)


def mean_interval(values: np.ndarray) -> Interval:
    """Return the 95 % interval of a mean of independent values; (None, None) for fewer than two and
    where no two differ."""
    if len(values) < 2 or are_alike(values):
        return (None, None)
    half = student95(len(values) - 1) * float(values.std(ddof=1)) / len(values) ** 0.5
    mean = float(values.mean())
    return (mean - half, mean + half)


def rate_interval(values: np.ndarray) -> Interval:
    """Return the same for values in 0..1, of which n that are alike do say something: at most 3/n of
    the cases are otherwise, and at worst these are all 0, or all 1."""
    if len(values) < 2:
        return (None, None)
    if are_alike(values):
        alike, others = float(values[0]), min(1.0, UNSEEN / len(values))
        return (alike - alike * others, alike + (1 - alike) * others)
    low, high = mean_interval(values)
    return (float(max(low, 0.0)), float(min(high, 1.0)))


def variance_ratio(values: np.ndarray) -> float | None:
    """Return the variance of a mean over duplicate deals as a share of that over independent deals.

    k deals with this ratio give an interval as narrow as k / ratio independent deals would: 0.5
    halves the deals that a question costs, 1 is no gain.

    Args:
        values: float[deals of the cards, rotations], one figure of one entrant.

    Returns:
        rotations * variance of the means by deal of the cards / variance of single deals; None for
        one deal of the cards, and where single deals do not differ.
    """
    if len(values) < 2 or values.std() == 0:
        return None
    single = values.var() * len(values) / (len(values) - 1)
    return float(values.shape[1] * values.mean(axis=1).var(ddof=1) / single)


def sign_test(first: int, second: int) -> float:
    """Return the two-sided p-value of the exact sign test: how often a fair coin is so lopsided."""
    n, least = first + second, min(first, second)
    if 2 * least == n:
        return 1.0
    log_term = math.lgamma(n + 1) - math.lgamma(least + 1) - math.lgamma(n - least + 1)
    term = total = math.exp(log_term - n * math.log(2))
    for k in range(least, 0, -1):
        term *= k / (n - k + 1)
        total += term
        if term < _NEGLIGIBLE * total:
            break
    return min(1.0, 2 * total)
