"""What a person sees who waits for compiled code, compiling it ahead, and two processes at once."""

import io
import json
import subprocess
import sys
import time

import pytest

from benchmarks import startup
from benchmarks.startup import Run
from kalooki_env.compiling import helper, waiting
from tests.cache.starts import KING, PROGRAM, place

HEURISTIC = """
import gymnasium
env = gymnasium.make("kalooki_env:Kalooki-v0", opponents="heuristic")
observation, _ = env.reset(seed=0)
env.step(int(observation["action_mask"].argmax()))
from kalooki_env import agents, arena
arena.evaluate("greedy", "heuristic", deals=1)
"""


def test_what_is_compiled_ahead_is_all_of_it():
    Run.of("-m", "kalooki_env.cli", "compile", "--agents")
    for code in [*startup.USES.values(), HEURISTIC]:
        run = Run.of("-m", "benchmarks.compiling", code)
        assert json.loads(run.output.splitlines()[-1])["functions"] == [], code
        assert "compiling" not in run.output


@pytest.fixture
def patient(monkeypatch):
    """A start without anything told, and no patience."""
    monkeypatch.setattr(waiting, "PATIENCE", 0.0)
    monkeypatch.setattr(waiting, "_told", set())
    monkeypatch.setattr(waiting, "_spent", {})


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def wait(module: str, seconds: float = 0.3) -> None:
    """Wait for a function of a module."""
    with waiting.waiting(module):
        time.sleep(seconds)


def test_a_file_has_one_line_for_each_part_that_is_compiled(patient, monkeypatch):
    told = io.StringIO()
    monkeypatch.setattr(sys, "stderr", told)
    for module in ("engine.single", "engine.batch", "agents.greedy", "agents.search", "batch"):
        wait(f"kalooki_env.{module}")
    assert told.getvalue().splitlines() == [
        "kalooki: compiling the engine, once ...",
        "kalooki: compiling the agents, once ...",
        "kalooki: compiling what runs the games, once ...",
    ]


def test_a_terminal_counts_on_from_function_to_function_and_is_wiped(patient, monkeypatch):
    told = Terminal()
    monkeypatch.setattr(sys, "stderr", told)
    monkeypatch.setitem(waiting._spent, "the engine", 4.0)
    wait("kalooki_env.engine.single", 1.2)
    wait("kalooki_env.engine.batch")
    lines = told.getvalue().split("\r\033[K")
    assert [line[-5:] for line in lines if line] == [" 4 s ", " 5 s ", " 5 s "]
    assert lines[-1] == ""


def test_what_takes_a_moment_only_needs_no_word(patient, monkeypatch):
    monkeypatch.setattr(waiting, "PATIENCE", 5.0)
    told = Terminal()
    monkeypatch.setattr(sys, "stderr", told)
    wait("kalooki_env.engine.single")
    assert told.getvalue() == ""


def test_two_that_start_at_once_compile_once():
    with place() as where:
        command = [sys.executable, "-c", PROGRAM]
        environment = where.environment()
        both = [
            subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        said = [eval(one.communicate()[0].splitlines()[-1]) for one in both]
        assert [code for code, *_ in said] == [KING, KING]
        assert sum(hits for _, hits, *_ in said) == 1
        assert not list(where.kept.rglob(".*.lock"))


@pytest.fixture
def begun(monkeypatch):
    """The processes that a helper would be."""
    found: list[object] = []
    monkeypatch.setattr(helper, "_started", False)
    monkeypatch.setattr(helper.subprocess, "Popen", lambda *words, **_: found.append(words))
    monkeypatch.setattr(helper, "_keep", lambda process: None)
    monkeypatch.setattr(helper, "_cores", lambda: 2)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    return found


def test_a_helper_is_started_once(begun):
    helper.start()
    helper.start()
    assert len(begun) == 1


@pytest.mark.parametrize("why", ["one core", "a worker", "tests side by side", "no folder"])
def test_no_helper_where_it_would_be_in_the_way(begun, monkeypatch, why):
    from kalooki_env.engine.jit import ENGINE_STORE

    if why == "one core":
        monkeypatch.setattr(helper, "_cores", lambda: 1)
    elif why == "a worker":
        monkeypatch.setattr(helper.multiprocessing, "parent_process", lambda: object())
    elif why == "tests side by side":
        monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    else:
        monkeypatch.setattr(ENGINE_STORE, "_problem", OSError("full"))
    helper.start()
    assert not begun


def test_the_helper_ends_with_its_parent():
    with place() as where:
        started = subprocess.Popen(
            [sys.executable, "-m", "kalooki_env.compiling.helper"],
            env=where.environment(),
            stdin=subprocess.PIPE,
        )
        time.sleep(1.0)
        assert started.poll() is None
        started.stdin.close()
        assert started.wait(timeout=60) == 0


def test_the_helper_knows_the_types_that_are_asked_for():
    """What it would compile has been compiled by the use of a game and of the heuristic."""
    for dispatcher, signature in helper.parts(heuristic=True):
        codegen = dispatcher.targetctx.codegen()
        assert dispatcher._cache.is_taken(signature, codegen), dispatcher
