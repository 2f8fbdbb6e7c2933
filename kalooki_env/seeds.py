"""From the seeds that callers give to the numbers that start random streams."""

import numpy as np

from kalooki_env.checks import as_whole
from kalooki_env.errors import RulesError


def checked_seed(seed: object) -> int:
    """Return a seed as a plain int, however large; raise RulesError for anything that is none."""
    number = as_whole(seed)
    if number is None or number < 0:
        raise RulesError(f"expected a seed of 0 or more, got {seed!r}")
    return number


def stream_key(seed: int, *use: int) -> np.uint64:
    """Return the number that starts a random stream for this use; raise RulesError for a bad seed."""
    number = checked_seed(seed)
    return np.random.SeedSequence([number, *use] if use else number).generate_state(1, np.uint64)[0]
