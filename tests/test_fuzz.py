"""A short run of the fuzz; `python -m tests.fuzz` is the long one."""

import pytest

from kalooki_env.rules import PRESETS
from tests.fuzz import fuzz


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_invariants_hold_in_british_deals(seats):
    seen = fuzz("british", seats, 60_000, seed=seats, n=128, every=25)
    assert seen["deals"] > 100
    assert seen["cut"] == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_invariants_hold_in_every_preset(preset):
    assert fuzz(preset, 3, 20_000, seed=9, n=64, every=25)["deals"] > 20
