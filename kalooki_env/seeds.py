"""From the seeds that callers give to the numbers that start random streams."""

import numpy as np

from kalooki_env.errors import RulesError


def stream_key(seed: int, *use: int) -> np.uint64:
    """Return the number that starts a random stream for this use; raise RulesError for a bad seed."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise RulesError(f"expected a seed of 0 or more, got {seed!r}")
    return np.random.SeedSequence([int(seed), *use] if use else int(seed)).generate_state(
        1, np.uint64
    )[0]
