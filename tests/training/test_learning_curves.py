"""Curves of runs: what is read of a run's metrics."""

import pytest

from kalooki_env.errors import KalookiError
from training.curves import draw, measurements

HEADER = "charts/deals,losses/entropy,eval/win_rate_heuristic,eval/win_rate_greedy\n"


def test_measurements_are_read_where_there_was_one(tmp_path):
    (tmp_path / "metrics.csv").write_text(HEADER + "10,1,,\n20,1,0.5,0.7\n30,1,0.6,0.8\n")
    assert measurements(tmp_path) == {
        "heuristic": [(20, 0.5), (30, 0.6)],
        "greedy": [(20, 0.7), (30, 0.8)],
    }


def test_a_run_that_measured_nothing_is_told(tmp_path):
    (tmp_path / "metrics.csv").write_text("charts/deals,losses/entropy\n10,1\n")
    with pytest.raises(KalookiError, match="eval_minutes"):
        measurements(tmp_path)


def test_each_run_is_drawn_with_its_opponents_names(tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "curves.svg"
    draw({"one": {"greedy": [(0, 0.5), (2000, 0.7)]}}, path)
    assert "one against greedy" in path.read_text()
