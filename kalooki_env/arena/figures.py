"""The arithmetic of evaluations: intervals, the sign test, and what duplicate deals are worth.

An observation is one deal of the cards: its rotations share the cards, so they are no independent
deals. How many deals are played is fixed before the first; nothing here may be looked at to stop early,
or the intervals would not hold.
"""

import math

import numpy as np

Interval = tuple[float, float] | tuple[None, None]

_Z95 = 1.959964
_NEGLIGIBLE = 1e-18


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
