"""The comparison with peers: whatever a peer does becomes a ratio or one sentence.

No real peer takes part: a small clone is laid out whose scripts are a few lines each.
"""

import json
import shutil
import sys
from pathlib import Path

import pytest

from benchmarks.peers import kalooki
from kalooki_env.bench import peers
from kalooki_env.bench.peer_process import Answer, PeerError, PeerProcess
from kalooki_env.bench.peers import Comparison, Failure, Pair

SCRIPT = """
from pathlib import Path

def rows():
    def work():
        with open("turns", "a") as file:
            file.write("{name} ")
        print("a library that talks")
        return 100, 1
    return {{"row": ("{name} plays", lambda: work)}}
"""
PAIR = 'install = [["nothing"]]\npairs = [{ ours = "row", theirs = "row", must = 2.0 }]\n'


def clone(folder: Path, **scripts: str) -> Path:
    """Lay out a clone with these peers, and this package's own script."""
    real, scripts_folder = (
        Path(peers.ROOT) / "benchmarks" / "peers",
        folder / "benchmarks" / "peers",
    )
    scripts_folder.mkdir(parents=True)
    for name in ("__init__.py", "__main__.py", "serve.py"):
        shutil.copy(real / name, scripts_folder)
    scripts = {"kalooki": SCRIPT.format(name="kalooki"), **scripts}
    for name, text in scripts.items():
        (scripts_folder / f"{name}.py").write_text(text)
        python = folder / "benchmarks" / "venvs" / name / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.symlink_to(sys.executable)
    names = [name for name in scripts if name != "kalooki"]
    (folder / "benchmarks" / "peers.toml").write_text("".join(f"[{n}]\n{PAIR}" for n in names))
    return folder


def answers(*rates: float) -> list[Answer]:
    """Return measurements of these rates, in two CPU seconds and three seconds each."""
    return [Answer(decisions=int(2 * rate), deals=4, cpu=2.0, wall=3.0) for rate in rates]


def talk(code: str, patience: float = 60.0) -> PeerProcess:
    """Return a process that runs some Python after its rows are told."""
    greeting = 'print("""{"rows": {"row": "a title"}}""", flush=True)\n'
    command = [sys.executable, "-c", greeting + "import sys\n" + code]
    return PeerProcess("fake", command, Path.cwd(), patience)


def test_the_ratio_is_that_of_the_medians_and_its_spread_that_of_neighbours():
    pair = Pair("batch", "rollouts", must=4.0)
    ours, theirs = answers(100, 300, 200), answers(50, 25, 20)
    comparison = Comparison.of("other", pair, ("ours", "theirs"), ours, theirs)
    assert comparison.ratio == 200 / 25
    assert comparison.spread == (100 / 50, 300 / 25)
    assert comparison.ours.row.per_second == 200
    assert comparison.ours.row.spread == (100, 300)
    assert comparison.theirs.wall == pytest.approx(25 * 2 / 3)
    assert comparison.theirs.deals == 2

    data = json.loads(json.dumps(comparison.as_dict()))
    assert data["ratio"] == 8 and data["must"] == 4 and data["goal"] is None
    assert data["ours"]["name"] == "ours" and data["theirs"]["spread"] == [20, 50]
    assert "8 times (2 to 12), must 4" in str(comparison)


def test_two_processes_take_turns(tmp_path):
    clone(tmp_path, other=SCRIPT.format(name="other"))
    seen: list[tuple[int, int, str]] = []
    [comparison] = peers.run(2, 0, watch=lambda *now: seen.append(now), root=tmp_path)
    assert isinstance(comparison, Comparison)
    assert comparison.ours.row.name == "kalooki plays"
    assert comparison.theirs.row.repeats == 2
    # Each is warmed up by one call before its first measurement.
    turns = (tmp_path / "turns").read_text().split()
    assert turns == ["kalooki"] * 2 + ["other"] * 2 + ["kalooki", "other"]
    names = ["other, our side, row row", "other, row row"] * 2
    assert seen == [(done, 4, name) for done, name in enumerate(names)]


def test_what_goes_wrong_is_one_sentence_and_the_rest_goes_on(tmp_path):
    clone(
        tmp_path,
        absent="",
        broken="raise RuntimeError('no such thing')",
        rowless="def rows(): return {'another': ('title', None)}",
        failing="def rows(): return {'row': ('title', lambda: 1 / 0)}",
        other=SCRIPT.format(name="other"),
    )
    shutil.rmtree(tmp_path / "benchmarks" / "venvs" / "absent")
    *failures, last = peers.run(repeats=1, seconds=0, root=tmp_path)
    assert [str(failure) for failure in failures] == [
        f"absent: not installed; run python -m benchmarks.install absent in {tmp_path}",
        "broken: ended with exit code 1: RuntimeError: no such thing",
        "rowless: expected a row of another, got row",
        "failing: row row failed: ZeroDivisionError: division by zero",
    ]
    assert failures[0].as_dict() == {"peer": "absent", "reason": str(failures[0])}
    assert isinstance(last, Comparison)


def test_our_own_side_can_fail_as_well(tmp_path):
    clone(tmp_path, kalooki="import nothing_of_this_name", other=SCRIPT.format(name="other"))
    [failure] = peers.run(repeats=1, seconds=0, root=tmp_path)
    assert isinstance(failure, Failure)
    assert failure.reason.startswith("other, our side: ended with exit code 1: ModuleNotFoundError")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("print('hello')", "fake: expected a line of JSON, got 'hello'"),
        ("print([1])", "fake: expected a line of JSON, got '[1]'"),
        ("print('{}')", "fake: expected a measurement of row row, got {}"),
        (
            """print('{"decisions": 1, "deals": 0, "cpu": 0, "wall": 1}')""",
            "fake: expected a measurement of row row, got {'decisions': 1, 'deals': 0, 'cpu': 0, "
            "'wall': 1}",
        ),
        ("sys.stdin.readline(); sys.exit(3)", "fake: ended with exit code 3: no message"),
    ],
)
def test_a_process_that_does_not_answer_as_agreed(code, reason):
    with talk(code) as process, pytest.raises(PeerError) as caught:
        process.ask("row", seconds=0)
    assert str(caught.value) == reason


def test_a_process_that_does_not_answer_at_all():
    with talk("import time; time.sleep(60)", patience=0.5) as process:
        with pytest.raises(PeerError, match=r"^fake: expected an answer within 0\.5 s, got none$"):
            process.ask("row", seconds=0)
        assert process._process.wait(timeout=60) != 0


def test_a_process_is_ended_with_its_use():
    with talk("sys.stdin.read()") as process:
        assert process.title("row") == "a title"
        assert process._process.poll() is None
    assert process._process.returncode is not None


def test_a_program_that_is_not_there(tmp_path):
    with (
        pytest.raises(PeerError, match=r"^fake: .*missing does not run: "),
        PeerProcess("fake", [str(tmp_path / "missing")], tmp_path),
    ):
        pass


def test_names_choose_peers_and_unknown_ones_are_refused(tmp_path):
    clone(tmp_path, one="", two="")
    known = peers.load(tmp_path)
    assert [peer.name for peer in peers.select(known, ["two"])] == ["two"]
    assert peers.select(known, []) == peers.select(known, None) == known
    with pytest.raises(PeerError, match=r"^expected peers of one, two, got three$"):
        next(peers.run(names=["two", "three"], root=tmp_path))


def test_an_installed_package_has_no_peers(tmp_path):
    with pytest.raises(PeerError, match=r"^peers are measured from a clone of the repository"):
        next(peers.run(root=tmp_path))


def test_every_pair_names_a_row_of_ours_and_a_script():
    rows = kalooki.rows()
    for peer in peers.load():
        assert (peers.ROOT / "benchmarks" / "peers" / f"{peer.name}.py").is_file()
        assert peer.pairs and peer.install
        assert {pair.ours for pair in peer.pairs} <= set(rows)


@pytest.mark.parametrize("row", ["engine", "game", "observed", "cheap", "sample"])
def test_our_rows_play(row):
    decisions, deals = kalooki.rows()[row][1]()()
    assert decisions >= 20
    assert deals in (0, 1)
