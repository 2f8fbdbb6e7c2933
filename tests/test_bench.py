"""The benchmark: every row measures something, and the report is plain data."""

import json

from kalooki_env import bench, cli


def test_each_row_is_a_rate_with_its_spread(monkeypatch):
    monkeypatch.setattr(bench, "_training", lambda repeats: [])
    rows = list(bench.run(repeats=2, seconds=0.02))
    assert len({row.name for row in rows}) == len(rows) == 5
    for row in rows:
        low, high = row.spread
        assert 0 < low <= row.per_second <= high
        assert row.repeats == 2


def test_the_report_is_json(monkeypatch, capsys):
    monkeypatch.setattr(bench, "_training", lambda repeats: [1.0] * repeats)
    monkeypatch.setattr(bench.run, "__defaults__", (1, 0.02))
    assert cli.main(["bench", "--json", "--repeats", "1"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == 6
    assert all(list(row) == ["name", "unit", "per_second", "repeats", "spread"] for row in rows)


def test_training_is_measured_where_it_is_installed():
    assert len(bench._training(1)) == 1
