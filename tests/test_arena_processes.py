"""Several processes: the same figures, errors in one sentence, and an end without leftovers."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from kalooki_env import arena, cli, records
from kalooki_env.agents.random_agent import RandomAgent
from kalooki_env.arena import workers
from kalooki_env.errors import IllegalMove, KalookiError


class Cheat:
    """Plays what is not legal."""

    name = "cheat"

    def act_batch(self, games, rules, rows):
        return np.full(len(rows), 1169)


class Fatal(RandomAgent):
    """Ends its process."""

    def act_batch(self, games, rules, rows):
        os._exit(9)


class Broken(RandomAgent):
    """Has a mistake of its own."""

    def act_batch(self, games, rules, rows):
        raise ZeroDivisionError("a mistake")


def figures(result):
    return {**result.as_dict(), "seconds": None}


def test_figures_and_records_do_not_depend_on_the_number_of_processes(tmp_path, monkeypatch):
    for name in ("_FEW_GAMES", "_MANY_GAMES"):  # small parts, so that some overtake others
        monkeypatch.setattr(f"kalooki_env.arena.workers.{name}", 30)
    names, paths, calls = ["greedy", "random", "random"], [], []
    for processes in (1, 2):
        paths.append(tmp_path / str(processes))
        result = arena.evaluate_table(
            names,
            deals=120,
            seed=5,
            behaviour=True,
            record=paths[-1],
            processes=processes,
            progress=lambda *call: calls.append(call),
        )
        assert calls == sorted(calls)
        assert calls[-1] == (120, 120)
        calls.clear()
        if processes == 1:
            alone = figures(result)
    assert figures(result) == alone
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert records.verify(paths[1]).games == 120


def test_agents_themselves_can_be_sent():
    runs = [
        arena.evaluate(RandomAgent(3), "greedy", deals=40, seed=5, processes=processes)
        for processes in (1, 2)
    ]
    assert figures(runs[0]) == figures(runs[1])


def test_an_agent_that_cheats_in_a_worker_is_named():
    with pytest.raises(IllegalMove, match="from cheat, got 1169: it does not play by these rules"):
        arena.evaluate(Cheat(), "random", deals=8, processes=2)


def test_a_mistake_of_an_agent_is_shown_with_its_place():
    with pytest.raises(RuntimeError, match=r"(?s)worker process failed.*act_batch.*a mistake"):
        arena.evaluate(Broken(), "random", deals=8, processes=2)


def test_a_worker_that_ends_is_told_in_one_sentence():
    with pytest.raises(KalookiError, match="got one that left with code 9: it may have run out"):
        arena.evaluate(Fatal(), "random", deals=8, processes=2)


def test_an_agent_that_cannot_be_sent_is_refused():
    agent = RandomAgent()
    agent.rule = lambda: None
    with pytest.raises(KalookiError, match="expected agents that can be sent to another process"):
        arena.evaluate(agent, "random", deals=8, processes=2)


def test_no_process_at_all_is_refused():
    with pytest.raises(KalookiError, match="at least 1 process, got 0"):
        arena.evaluate("random", "random", deals=8, processes=0)


def test_a_name_is_checked_before_any_process_starts(capsys, monkeypatch):
    def start(method):
        pytest.fail("a process starts")

    monkeypatch.setattr(workers, "get_context", start)
    assert cli.main(["evaluate", "random", "nobody", "--processes", "2"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "expected an agent, got 'nobody'" in err


def children(pid):
    """Return the processes that a process has started."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                if file.read().rsplit(")", 1)[1].split()[1] == str(pid):
                    found.append(int(entry))
        except OSError:
            continue
    return found


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="reads /proc")
def test_ctrl_c_ends_the_workers_without_a_traceback():
    # Its own group, as in a terminal: Ctrl-C reaches the workers too.
    words = ["evaluate", "random", "random", "--deals", "20000000", "--processes", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "kalooki_env.cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )
    deadline = time.monotonic() + 60
    while len(started := children(process.pid)) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)  # two workers and the tracker of their resources
    while "of 20,000,000" not in process.stderr.readline():
        assert process.poll() is None  # the signal meets the games and not the start
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    deadline = time.monotonic() + 60
    while any(os.path.exists(f"/proc/{pid}") for pid in started) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(os.path.exists(f"/proc/{pid}") for pid in started)
