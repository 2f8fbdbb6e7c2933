"""Damaged files, a short form of `python -m tests.damage`."""

import pytest

pytest.importorskip("torch")

from tests.damage.trial import KINDS, run


@pytest.mark.parametrize("name", KINDS)
def test_every_altered_file_is_read_and_right_or_refused_in_one_sentence(name, tmp_path):
    row = run(KINDS[name], rounds=40, seed=1, folder=tmp_path)
    assert row.faults == []
    assert row.altered >= 40 and row.refused > 20
