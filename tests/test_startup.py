"""Starting: the import is quick, and what was compiled once is not compiled again."""

import json
import subprocess

import pytest

from benchmarks import startup
from benchmarks.compiling import Tally
from benchmarks.startup import Run

BATCH = startup.USES["Batch, mask and observation"]


def test_the_import_is_quick():
    least = min(Run.of("-c", "import kalooki_env").cpu for _ in range(3))
    assert least < startup.BAR_IMPORT


def test_a_later_start_compiles_nothing_and_is_quick():
    Run.of("-c", BATCH)  # compiles, in a fresh cache
    runs = [Run.of("-m", "benchmarks.compiling", BATCH) for _ in range(2)]
    assert all(json.loads(run.output.splitlines()[-1])["functions"] == [] for run in runs)
    assert min(run.cpu for run in runs) < startup.BAR_LATER


@pytest.mark.parametrize("name", list(startup.USES))
def test_each_use_runs(name):
    Run.of("-c", startup.USES[name])


def test_a_process_that_fails_is_an_error():
    with pytest.raises(subprocess.CalledProcessError):
        Run.of("-c", "raise SystemExit(3)")


def test_the_heaviest_imports_come_first_and_hold_those_inside():
    (name, most), *others = startup.heaviest_imports(3)
    assert name == "kalooki_env" and all(most >= seconds for _, seconds in others)


def test_a_tally_leaves_out_what_is_nested():
    class Letters(Tally):
        def name(self, data: dict) -> str:
            return data["name"]

    class Event:
        def __init__(self, name: str) -> None:
            self.data = {"name": name}

    tally = Letters()
    tally.clock = iter([0.0, 1.0, 3.0, 10.0]).__next__  # a from 0 to 10, b in it from 1 to 3
    tally.on_start(Event("a"))
    tally.on_start(Event("b"))
    tally.on_end(Event("b"))
    tally.on_end(Event("a"))
    assert (tally.spent["a"], tally.spent["b"]) == (8.0, 2.0)


@pytest.mark.parametrize(("cpu", "code"), [(0.1, 0), (50.0, 1)])
def test_the_command_says_whether_the_bars_are_met(monkeypatch, capsys, cpu, code):
    monkeypatch.setattr(Run, "of", lambda *_, cache=None: Run(0.1, cpu if cache else 0.1, ""))
    monkeypatch.setattr(startup, "heaviest_imports", lambda count: [("gymnasium", 0.2)])
    assert startup.main(["--only", "greedy", "--repeats", "1"]) == code
    assert "VectorEnv against greedy" in capsys.readouterr().out
