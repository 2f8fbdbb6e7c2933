"""The benchmark: every row is a rate of something that was counted right, and the report is data."""

import importlib.util
import json

import numpy as np
import pytest

from kalooki_env import bench, cli
from kalooki_env.action_tables import ANNOUNCE, DRAW, NO_SPARE, SPARE, TABLE
from kalooki_env.batch import Batch
from kalooki_env.bench import batches, engine, games, hands, processes, rows, training
from kalooki_env.bench.peers import Comparison, Failure, Pair, PeerError, Side
from kalooki_env.bench.rows import Row
from kalooki_env.commands import bench as command

QUICK = (
    "engine, compiled loop, legal list alone",
    "Batch(1), mask and observation",
    "AEC raw_env, cheap sampling",
    "Game.clone",
    "solver, 14 random cards, 2 jokers, best melds",
)
HAS_TORCH = importlib.util.find_spec("torch") is not None


@pytest.mark.parametrize("name", QUICK)
def test_a_row_is_a_rate_with_its_spread(name):
    (row,) = [row for row in bench.run(name, repeats=2, seconds=0.01) if row.name == name]
    low, high = row.spread
    assert 0 < low <= row.per_second <= high
    assert row.repeats == 2


def test_each_row_has_a_name_of_its_own_and_says_what_is_counted():
    names = [name for part in bench.parts() for name in part.names]
    assert len(set(names)) == len(names) >= 34
    assert {"Batch(1024), mask and observation: deals", "Game.determinize"} <= set(names)


@pytest.mark.slow
def test_all_rows_can_be_measured_and_bear_the_names_they_are_chosen_by():
    names = [name for part in bench.parts() for name in part.names]
    assert [row.name for row in bench.run(repeats=1, seconds=0.01)] == names


def test_a_rate_is_per_cpu_second(monkeypatch):
    clock = iter([10.0, 10.2, 10.4, 10.6])
    monkeypatch.setattr(rows.time, "process_time", lambda: next(clock))
    assert rows.rate(lambda: 30, seconds=0.5) == pytest.approx(90 / 0.6)


def test_the_first_call_warms_up_and_is_not_timed():
    calls = []
    rows.measure("", "", lambda: calls.append(1) or 1, repeats=3, seconds=0.0)
    assert len(calls) == 4


def test_answers_to_questions_are_not_decisions():
    chosen = [np.array([DRAW, SPARE, NO_SPARE]), np.array([TABLE, ANNOUNCE - 1, ANNOUNCE])]
    assert batches.decisions(chosen) == 2


def test_decisions_told_by_their_ids_are_those_told_by_the_games():
    n, made, asked = 256, 0, 0
    counted, _ = batches.batch_work(n, "north_american", seed=3)()
    batch, rng = Batch("north_american", 2, n, auto_play=False), np.random.default_rng(3)
    batch.restore(engine.tables("north_american", 2, n)[0])
    for _ in range(batches.STEPS_A_CALL):
        questions = int((batch.games["question"] != 0).sum())
        made, asked = made + n - questions, asked + questions
        batch.step(batch.sample(rng))
    assert counted == made
    assert asked > 0


def test_games_side_by_side_are_at_different_moments_of_a_deal():
    dealt = engine.tables(n=64)[0]
    assert len({game.tobytes() for game in dealt}) == 64
    assert np.ptp(dealt["turn"]) > 60
    assert 0 < dealt["opened"].any(1).sum() < 64


def test_the_compiled_loops_count_deals_and_decisions():
    steps = engine.DECISIONS_A_CALL  # with four jokers some of them answer a question
    made, deals = engine.seen_work(16, "north_american")()
    assert 0.9 * steps < made < steps
    assert 10 < deals < 100  # about 250 actions each
    assert 0.9 * steps < engine.list_work("north_american")() < steps


def test_a_draw_is_legal_and_leaves_no_action_out():
    masks = np.zeros((2, 9), np.int8)
    masks[0, [2, 5, 8]] = masks[1, 4] = 1
    rng = np.random.default_rng(0)
    drawn = np.array([batches.draw(masks, rng) for _ in range(50)])
    assert set(drawn[:, 0]) == {2, 5, 8}
    assert set(drawn[:, 1]) == {4}


def test_hands_of_a_class_hold_what_it_says():
    for jokers in (0, 4):
        some = hands.random_hands(jokers, n=50)
        assert (some.sum(1) == 14).all() and (some[:, 52] == jokers).all() and some.max() <= 4
        assert some[:, :52].max() <= 2
    assert (hands.hands_in_play(50).sum(1) == 14).all()


def test_aec_and_single_environment_play_on_past_the_end_of_a_deal():
    assert sum(games.aec_work(sample=False)() for _ in range(5)) > 900
    assert sum(games.single_work()() for _ in range(3)) > 500


@pytest.mark.slow
def test_two_processes_play_at_once():
    assert len(processes.rates(2, seconds=0.1)) == 2


@pytest.mark.skipif(not HAS_TORCH, reason="training is not installed")
def test_training_is_measured_by_part():
    settings = {**training.QUICK, "num_envs": 16, "num_steps": 8, "minibatch_size": 64}
    running = training.iterations(settings)
    for _ in range(2):
        decisions, cpu, shares = next(running)
        assert decisions == 128 and cpu > 0
        assert sum(shares) == pytest.approx(1) and min(shares) > 0


def report(capsys, *words: str) -> tuple[int, str, str]:
    """Run the command; return its exit code, output and errors."""
    code = cli.main(["bench", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_report_is_json_with_an_object_a_row(capsys):
    code, out, _ = report(capsys, "--only", "game.CLONE", "--json", "--repeats", "1")
    assert code == 0
    (row,) = json.loads(out)
    assert list(row) == ["name", "unit", "per_second", "repeats", "spread"]
    assert (row["name"], row["unit"], row["repeats"]) == ("Game.clone", "clones/CPU s", 1)


def test_a_line_of_the_report_says_the_unit():
    line = command.text(Row("a row", "ratio", 1.987, 3, (1.5, 2.0)))
    assert line.split() == ["a", "row", "1.99", "ratio", "(1.50", "to", "2.00)"]


def test_a_text_that_no_row_has_is_refused(capsys):
    code, out, err = report(capsys, "--only", "nonsense")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "nonsense" in err


def compared(rate: float) -> Comparison:
    """Return a comparison with a peer that plays 10 decisions a second."""
    ours, theirs = (
        Side(Row(name, "decisions/CPU s", value, 3, (value, value)), value, 0.0)
        for name, value in (("ours", rate), ("theirs", 10.0))
    )
    return Comparison("peer", ours, theirs, rate / 10, (2.0, 4.0), Pair("ours", "theirs"))


def test_peers_become_rows_and_a_failure_a_line(monkeypatch, capsys):
    from kalooki_env.bench import peers

    results = [Failure("other", "other: not installed"), compared(30.0)]
    monkeypatch.setattr(peers, "load", lambda: [])
    monkeypatch.setattr(peers, "select", lambda known, names: known)
    monkeypatch.setattr(peers, "run", lambda *_, **__: iter(results))
    code, out, err = report(capsys, "--only", "no row", "--peers", "--json")
    assert (code, err) == (0, "other: not installed\n")
    assert [(row["name"], row["per_second"]) for row in json.loads(out)] == [
        ("ours", 30.0),
        ("theirs", 10.0),
        ("ours / theirs", 3.0),
    ]
    code, out, _ = report(capsys, "--only", "no row", "--peers", "peer", "other")
    assert code == 1 and "3 times (2 to 4)" in out


def test_an_unknown_peer_is_told_before_anything_is_measured(monkeypatch, capsys):
    from kalooki_env.bench import peers

    def refuse(known: object, names: object) -> None:
        raise PeerError("expected peers of a, got b")

    monkeypatch.setattr(peers, "load", lambda: [])
    monkeypatch.setattr(peers, "select", refuse)
    assert report(capsys, "--peers", "b") == (2, "", "kalooki bench: expected peers of a, got b\n")
