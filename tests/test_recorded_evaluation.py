"""`kalooki evaluate --record`: every game of an evaluation in one file."""

import os

import pytest

from kalooki_env import arena, cli, records


@pytest.mark.parametrize(("seats", "batch"), [(2, 1024), (3, 4)])
def test_a_recorded_evaluation_has_every_game_in_order(seats, batch, tmp_path):
    paths = [tmp_path / "one", tmp_path / "two"]
    results = [
        arena.evaluate(
            "greedy", "random", seats=seats, deals=10 * seats, seed=4, batch=size, record=path
        )
        for path, size in zip(paths, (batch, 1), strict=True)
    ]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    unrecorded = arena.evaluate("greedy", "random", seats=seats, deals=10 * seats, seed=4)
    assert results[0].win_rate == unrecorded.win_rate
    games = records.read(paths[0])
    assert records.verify(paths[0]).games == len(games) == 10 * seats
    assert [game.names.index("greedy") for game in games] == list(range(seats)) * 10
    assert [game.seed for game in games[::seats]] == arena._seeds(4, 0, 10).tolist()
    own = [game.names.index("greedy") for game in games]
    [ends] = zip(*(game.results for game in games), strict=True)
    wins = [
        1 / seats if end["winner"] is None else float(end["winner"] == seat)
        for end, seat in zip(ends, own, strict=True)
    ]
    points = [
        sum(end["penalties"]) if end["winner"] == seat else -end["penalties"][seat]
        for end, seat in zip(ends, own, strict=True)
    ]
    assert sum(wins) / len(wins) == pytest.approx(results[0].win_rate)
    assert sum(points) / len(points) == pytest.approx(results[0].points_per_deal)


def test_evaluate_records_to_a_new_file_only(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    words = ["evaluate", "random", "random", "--deals", "4", "--json", "--record", str(path)]
    assert cli.main(words) == 0
    capsys.readouterr()
    assert records.verify(path).games == 4
    before = path.read_bytes()
    assert cli.main(words) == 2
    assert "expected a new file to record to, got " in capsys.readouterr().err
    assert path.read_bytes() == before


def test_an_evaluation_that_fails_leaves_no_file(tmp_path):
    class Cheat:
        name = "cheat"

        def act_batch(self, games, rules, rows):
            return [1169] * len(rows)

    with pytest.raises(ValueError, match="cheat"):
        arena.evaluate(Cheat(), "random", deals=4, record=tmp_path / "g")
    assert os.listdir(tmp_path) == []
