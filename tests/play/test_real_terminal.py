"""The table in a real terminal: starting, being killed, going on."""

import signal
import subprocess
import sys

import pytest

pytest.importorskip("textual")

from kalooki_env.play import saved, seating
from tests.play.real import PATIENCE, Terminal


def test_a_killed_terminal_loses_nothing():
    terminal = Terminal("--opponent", "random", "--seed", "1")
    terminal.wait_for("Your turn: draw")
    terminal.press("d")
    terminal.wait_for("or just discard a card")
    terminal.end(signal.SIGKILL)
    [table] = saved.tables()
    assert saved.game_of(table).moves[-1] == (0, "draw")
    terminal = Terminal("--continue")
    terminal.wait_for("or just discard a card")
    assert terminal.end(signal.SIGHUP) != 0
    assert saved.game_of(table).moves[-1] == (0, "draw")


@pytest.mark.parametrize("thinks", [False, True])
def test_a_terminal_that_is_closed_ends_the_game_also_where_hang_ups_are_ignored(thinks):
    options = ("--opponent", "random", "--seed", "1")
    terminal = Terminal(*options, hang_up=signal.SIG_IGN)
    terminal.wait_for("Your turn: draw")
    terminal.press("d")
    terminal.wait_for("or just discard a card")
    if thinks:  # the screen is drawn anew while the terminal goes, and no write succeeds any more
        terminal.press("x" * 40 + "s" * 200)
    terminal.close()
    try:
        assert terminal.process.wait(PATIENCE) != 0
    finally:
        terminal.process.kill()
    [table] = saved.tables()
    assert saved.game_of(table).moves[-1] == (0, "draw")
    seating.resume()


def test_a_first_screen_whose_terminal_is_closed_ends():
    terminal = Terminal(hang_up=signal.SIG_IGN)
    terminal.wait_for("K A L O O K I")
    terminal.close()
    try:
        assert terminal.process.wait(PATIENCE) != 0
    finally:
        terminal.process.kill()


def test_the_first_screen_waits_for_neither_the_engine_nor_torch():
    code = (
        "import sys\nfrom kalooki_env.play.screen import app, first\n"
        "print(sorted({'torch', 'numba', 'kalooki_env.game'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_without_textual_one_sentence_says_what_to_install():
    code = (
        "import sys\nsys.modules['textual'] = sys.modules['textual.app'] = None\n"
        "from kalooki_env import cli\nfrom kalooki_env.commands import play\n"
        "play.sys = type('', (), {'stdin': open('/dev/ptmx'), 'stdout': open('/dev/ptmx')})\n"
        "print(cli.main(['play']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "2\n"
    assert done.stderr.count("\n") == 1
    assert "run pip install 'kalooki-env[play]', or kalooki play --plain" in done.stderr


def test_continue_takes_no_options_of_a_new_match(capsys):
    from kalooki_env import cli

    assert cli.main(["play", "--continue", "--seats", "3"]) == 2
    assert "--continue: expected no option of a new match with it" in capsys.readouterr().err


def test_nothing_to_go_on_with_is_said_in_one_line(capsys):
    from kalooki_env import cli

    assert cli.main(["play", "--continue", "--plain"]) == 2
    assert capsys.readouterr().err == (
        "kalooki play: expected a match to go on with, found none: kalooki play begins one\n"
    )


def test_the_server_starts_tables_with_the_same_options(monkeypatch):
    from kalooki_env import cli
    from kalooki_env.play import web

    served = []
    monkeypatch.setattr(web, "serve", lambda options, port: served.append((options, port)) or 0)
    words = ["--opponent", "greedy", "--opponent", "random", "--seats", "3", "--ascii"]
    assert cli.main(["play", "--web", "--port", "8123", *words]) == 0
    options = ["--seats=3", "--opponent=greedy", "--opponent=random", "--ascii"]
    assert served == [(options, 8123)]
