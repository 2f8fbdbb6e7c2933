"""The cache of compiled code in bad company, in short; `python -m tests.cache` runs all of it."""

import pytest

from tests.cache.situations import SHORT, SITUATIONS, Skipped


@pytest.mark.parametrize("name", sorted(SHORT))
def test_the_engine_starts_and_runs_nothing_but_its_own(name):
    try:
        SITUATIONS[name]()
    except Skipped as error:
        pytest.skip(str(error))
