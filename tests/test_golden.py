"""The golden games, compiled and (`NUMBA_DISABLE_JIT=1`) interpreted: the same bytes either way."""

import json

import pytest

from kalooki_env.engine.layout import INTERPRETED
from tests.golden import make


@pytest.mark.parametrize(("preset", "seats"), make.TABLES)
def test_a_fixed_game_goes_as_it_always_went(preset, seats):
    golden = json.loads(make.TRACES.read_text())
    assert make.trace(preset, seats, 250) == golden[f"{preset} {seats}"]


@pytest.mark.skipif(INTERPRETED, reason="a thousand deals take hours interpreted")
def test_greedy_plays_a_thousand_deals_as_it_always_did():
    assert make.greedy_deals(1000) == json.loads(make.GREEDY.read_text())["british 2"]
