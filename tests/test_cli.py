"""The `kalooki` command: help, errors of one line, exit codes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kalooki_env import cli

CASES = Path(__file__).parent / "cases"
COMMANDS = ("play", "train", "evaluate", "ladder", "bench", "cases", "rules", "replay", "compile")
KEYS = [
    "a",
    "b",
    "rules",
    "seats",
    "deals",
    "win_rate",
    "win_rate_ci95",
    "points_per_deal",
    "points_ci95",
    "void_rate",
    "cut_rate",
    "turns_per_deal",
    "seconds",
    "streams",
    "duplicate_variance_ratio",
    "points_variance_ratio",
    "swept",
    "swept_by_b",
    "sign_test_p",
]


def kalooki(*words, stdin=None, cwd=None):
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "kalooki_env.cli", *words],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
    )


def in_process(capsys, *words):
    """Run the command here; return exit code, standard output and standard error."""
    try:
        code = cli.main(words)
    except SystemExit as leave:
        code = leave.code
    out, err = capsys.readouterr()
    return code, out, err


def test_help_lists_every_command(capsys):
    code, out, _ = in_process(capsys, "--help")
    assert code == 0
    assert all(f"    {command} " in out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(capsys, command):
    code, out, _ = in_process(capsys, command, "--help")
    assert code == 0
    assert out.startswith(f"usage: kalooki {command} ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "required: COMMAND"),
        (["deal"], "'deal'"),
        (["evaluate", "random"], "required: B"),
        (
            ["evaluate", "random", "greedy", "--deals", "0"],
            "expected a whole number of at least 1, got '0'",
        ),
        (["evaluate", "random", "greedy", "--deals", "many"], "got 'many'"),
        (["evaluate", "random", "nobody"], "expected an agent, got 'nobody': use random, greedy"),
        (["evaluate", "random", "greedy", "--rules", "britsh"], "did you mean british?"),
        (["evaluate", "random", "greedy", "--seats", "6"], "british"),
        (["play", "--opponent", "nobody"], "expected an agent, got 'nobody'"),
        (["play", "--rules", "bridge"], "got 'bridge'"),
        (["play", "--seats", "1"], "seats"),
        (["play", "--seed", "x"], "--seed"),
        (
            ["play", "--web", "--port", "99999"],
            "expected a whole number from 1 to 65535, got '99999'",
        ),
        (["cases", "nowhere"], "'nowhere'"),
        (["cases", str(CASES / "opening.yaml"), "--rules", "bridge"], "choose from british"),
    ],
)
def test_bad_usage_is_one_line_that_says_what_to_do(capsys, words, told):
    code, out, err = in_process(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("kalooki")
    assert told in err


def test_a_file_that_is_no_checkpoint_is_refused_in_one_line(capsys, tmp_path):
    path = tmp_path / "a.safetensors"
    path.write_text("no weights here")
    code, _, err = in_process(capsys, "evaluate", str(path), "random")
    assert code == 2
    assert err.count("\n") == 1


def test_cases_reports_what_failed_and_exits_with_1(capsys, tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text(
        """
- id: GOOD
  rules: british
  hands: ["TC TD TH TS 4C", "9H"]
  phase: play
  legal: ["meld TC TD TH TS"]
- id: BAD
  why: Thirty points open nothing.
  rules: british
  hands: ["TC TD TH 4C", "9H"]
  phase: play
  legal: ["meld TC TD TH"]
"""
    )
    code, out, err = in_process(capsys, "cases", str(path))
    assert code == 1
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == f"FAIL BAD  {path}:7"
    assert "Thirty points open nothing." in out
    assert "'meld TC TD TH': expected legal, got illegal: " in out
    assert lines[-1] == "1 passed, 1 failed"


def test_cases_can_be_picked_by_preset(capsys):
    code, out, _ = in_process(
        capsys, "cases", str(CASES / "opening.yaml"), "--rules", "british", "--json"
    )
    report = json.loads(out)
    assert code == 0
    assert report["failed"] == 0
    assert report["passed"] == len(report["cases"]) > 5
    presets = {
        case["rules"] if isinstance(case["rules"], str) else case["rules"]["preset"]
        for case in report["cases"]
    }
    assert presets == {"british"}


def test_evaluate_prints_figures_and_json_with_exactly_these_keys(capsys):
    words = ("evaluate", "random", "random", "--deals", "20", "--seed", "3")
    code, out, _ = in_process(capsys, *words, "--json")
    assert code == 0
    figures = json.loads(out)
    assert list(figures) == KEYS
    assert figures["deals"] == 20
    code, out, _ = in_process(capsys, *words)
    assert code == 0
    assert f"{figures['win_rate']:.3f}" in out


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom kalooki_env import cli\n"
        "try: cli.main(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted({'torch', 'numba', 'yaml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_training_errors_are_one_line(capsys):
    code, _, err = in_process(capsys, "train", "no_such.toml")
    assert code == 2
    assert err.count("\n") == 1
    assert "no_such.toml" in err


def test_a_closed_pipe_is_no_error():
    words = f"{sys.executable} -m kalooki_env.cli cases {CASES} --json | head -n 1"
    done = subprocess.run(words, shell=True, capture_output=True, text=True, timeout=300)
    assert done.stdout == "{\n"
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_ctrl_c_exits_with_130_and_no_traceback():
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "kalooki_env.cli",
            "evaluate",
            "random",
            "random",
            "--deals",
            "20000000",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while "of 20,000,000" not in process.stderr.readline():
        assert process.poll() is None  # the signal meets the games and not the start
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert out == ""
