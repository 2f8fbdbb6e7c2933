"""The plain table, played through text streams and through a real pipe."""

import contextlib
import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from kalooki_env import agents, cli, records
from kalooki_env.play.session import Session
from kalooki_env.play.terminal import Leave, Table
from kalooki_env.records import Record
from kalooki_env.render.style import Style
from kalooki_env.rules import Rules

ROOT = Path(__file__).parent.parent.parent
OPENING = {
    "rules": "british",
    "hands": ["7C 7D 7H 4S 5S 6S 7S 2D 3D", "9H 9D"],
    "phase": "play",
    "stock": "2C 3C 4C 5C 6C 8C",
    "discards": "KH",
}


def play(lines, position=OPENING, style=None):
    """Type lines at a table in the middle of a game; return what was on the screen."""
    others = {seat: agents.load("greedy") for seat in range(1, len(position["hands"]))}
    session = Session(Rules.from_value(position["rules"]), others, 0, start=Record.at(position))
    out = io.StringIO()
    table = Table(session, io.StringIO("\n".join(lines) + "\n"), out, style or Style())
    with pytest.raises(Leave):
        table.run()
    return out.getvalue(), session


def after(screen, typed):
    """Return the lines that follow a typed line."""
    lines = screen.splitlines()
    [at] = [number for number, line in enumerate(lines) if line.endswith(f"> {typed}")]
    return lines[at + 1 :]


def test_a_wrong_move_is_explained_and_the_game_goes_on_unchanged():
    screen, session = play(["meld 7C 7D 7H", "discard 2D", "discard"])
    assert after(screen, "meld 7C 7D 7H")[0] == "You lay 7C 7D 7H to open (21 points so far)."
    said = after(screen, "discard 2D")[0]
    assert said.startswith("Not allowed: ")
    assert "21 of the 40 points" in said
    assert after(screen, "discard")[0].startswith("Not understood: ")
    assert session.view.hand == ("2D", "3D", "4S", "5S", "6S", "7S")


def test_the_table_is_shown_when_the_turn_begins():
    screen, _ = play(["quit"])
    assert screen.splitlines()[1:] == [
        "-- Deal 1, turn 7 " + "-" * 60,
        " > you      9 cards   not open   total 0",
        "   greedy   2 cards   not open   total 0",
        "Table  no melds yet",
        "Pile   KH",
        "Stock  6 cards",
        "Hand   7C   2D 3D 7D   7H   4S 5S 6S 7S",
        "meld or discard > quit",
    ]


def test_the_free_take_of_the_first_turn_is_explained():
    screen, _ = play(["quit"], {**OPENING, "phase": "draw", "turn": 1})
    assert screen.endswith("draw, or take KH (first turn: free) > quit\n")


def test_a_turn_is_told_and_the_opponent_answers():
    screen, session = play(["meld 7C 7D 7H", "m 4s 5s 6s 7s", "x 2d"])
    assert after(screen, "m 4s 5s 6s 7s")[:4] == [
        "You open with 4S 5S 6S 7S (43 points).",
        "Table",
        "   1  7C 7D 7H                 you",
        "   2  4S 5S 6S 7S              you",
    ]
    told = after(screen, "x 2d")
    assert told[0] == "You discard 2D: 1 card left, announced."
    assert told[1].startswith("greedy draws and discards ")
    assert session.my_turn


def test_the_deal_is_scored_with_each_hand():
    position = {**OPENING, "hands": ["7C 7D 7H 4S 5S 6S 7S 2D", "9H * AD"]}
    screen, _ = play(["meld 7C 7D 7H", "meld 4S 5S 6S 7S", "discard 2D"], position)
    assert after(screen, "discard 2D") == [
        "You discard 2D and you are out: kalooki!",
        "",
        "-- Deal 1 is over " + "-" * 60,
        "You won, with a kalooki.",
        "          penalty  chips  total   cards left",
        "  you           0     +2      0   out",
        "  greedy       35     -2     35   AD  9H  *",
        "Enter for the next deal, quit to leave > ",
    ]


def test_enter_deals_the_next_deal_and_the_totals_stay():
    position = {**OPENING, "hands": ["7C 7D 7H 4S 5S 6S 7S 2D", "9H * AD"]}
    lines = ["meld 7C 7D 7H", "meld 4S 5S 6S 7S", "discard 2D", "perhaps", "", "quit"]
    screen, session = play(lines, position)
    assert after(screen, "perhaps")[0].startswith("The deal is over: Enter deals the next one")
    assert "-- Deal 2, turn " in screen
    assert session.view.seats[1].total == 35


def test_a_buy_in_is_asked_and_refused():
    position = {
        "rules": "british",
        "hands": ["TH 9S", "9H 4S", "3C"],
        "to_move": 1,
        "phase": "play",
        "opened": [True, True, True],
        "table": ["9C 9D 9S", "JD QD KD AD"],
        "stock": "2C 2D 2H",
        "totals": [144, 120, 95],
    }
    screen, session = play(["drop out", "quit"], position)
    assert "buy in for 5, or drop out > drop out" in screen
    assert after(screen, "drop out")[:2] == [
        "You drop out.",
        "You are out of the match; the others play on.",
    ]
    assert session.view.me.eliminated


def test_enter_plays_the_only_move_and_no_other():
    position = {**OPENING, "phase": "draw"}
    screen, session = play(["", ""], position)
    assert "draw (Enter) > " in screen
    assert "You draw 2C." in screen
    assert "Type a move, or moves to list them, or help." in screen
    assert session.view.phase == "play"


def test_a_listed_move_is_played_by_its_number():
    screen, session = play(["moves meld 7c", "2", "7"])
    listed = [line.split("  ") for line in after(screen, "moves meld 7c")[:3]]
    assert listed[0][1].strip() == "Lay a meld"
    assert "There is no number 7" in screen or "meld" in screen
    assert len(session.view.table) == 1


def test_a_number_without_a_list_is_no_move():
    screen, _ = play(["3"])
    assert after(screen, "3")[0] == (
        "There is no number 3 in a list you have seen. Type moves to get one."
    )


def test_long_lists_are_cut():
    hand = "* * 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    position = {**OPENING, "hands": [hand, "9H"], "opened": [True, False], "stock": "2D 3D"}
    screen, session = play(["moves"], position)
    assert len(session.moves()) > 500
    assert len(after(screen, "moves")) < 60
    assert "more; narrow the list, as in: moves meld" in screen


def test_the_hand_is_sorted_as_the_person_likes():
    screen, _ = play(["sort", "sort", "sort rank"])
    by_rank = "Hand   2D   3D   4S   5S   6S   7C 7D 7H 7S"
    by_suit = "Hand   7C   2D 3D 7D   7H   4S 5S 6S 7S"
    assert after(screen, "sort rank")[0] == by_rank
    assert screen.count(by_rank) == 2
    assert screen.count(by_suit) == 2


def test_help_hint_log_and_table():
    screen, _session = play(["help", "hint", "log", "meld 7C 7D 7H", "log", "table"])
    assert "lay a meld; * is a joker, *6C one that stands for 6C in a run" in screen
    assert after(screen, "hint")[0].startswith("greedy would play: meld ")
    assert "Nothing has happened in this deal yet." in screen
    assert screen.count("You lay 7C 7D 7H to open (21 points so far).") == 2
    assert screen.count("-- Deal 1, turn 7 ") == 2


def test_opening_duties_are_shown():
    position = {
        **OPENING,
        "hands": ["7C 7D 4S 5S 6S 7S 2D 3D", "9H 9D"],
        "phase": "draw",
        "discards": "7H",
    }
    screen, _ = play(["take", "discard 7H", "meld 7C 7D 7H"], position)
    assert "draw, or take 7H > take" in screen
    assert "The 7H from the pile must be in your opening" in screen
    assert "Not allowed: you took 7H to open with it" in screen
    assert "Opening: 21 of 40 points laid so far" in screen


def test_a_taken_card_that_had_a_twin_may_be_discarded_and_is_not_warned_of():
    warning = "from the pile: it can't be discarded in this turn"
    position = {**OPENING, "opened": [True, False], "phase": "draw", "discards": "2D"}
    screen, _ = play(["take"], position)
    assert warning not in screen
    screen, _ = play(["take"], {**position, "discards": "KH"})
    assert f"You took KH {warning}" in screen


def test_symbols_and_colours_are_the_style_of_the_table():
    screen, session = play(["meld 7♣ 7♦ 7♥"], style=Style(symbols=True, color=True))
    assert "\x1b[31m7♦\x1b[0m" in screen
    assert len(session.view.table) == 1


def kalooki_process(lines, *options, **env):
    return subprocess.run(
        [sys.executable, "-m", "kalooki_env.cli", "play", "--opponent", "greedy", *options],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        cwd=ROOT,
        env={**os.environ, **env},
    )


class Played(NamedTuple):
    """What the command returned and wrote."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def kalooki_play(monkeypatch):
    """Run the command here, with a text in place of the keyboard."""

    def run(lines, *options):
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = cli.main(["play", "--opponent", "greedy", *options])
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())
        return Played(code, *texts)

    return run


def open_table(*options):
    """Open a table against random in a process and wait for its first prompt."""
    process = subprocess.Popen(
        [sys.executable, "-m", "kalooki_env.cli", "play", "--opponent", "random", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    wait_for_prompt(process)
    return process


def wait_for_prompt(process):
    shown = ""
    while not shown.endswith(" > ") or shown.endswith("\n > "):  # that one marks a seat
        shown += process.stdout.read(1)


def test_a_deal_through_a_pipe_with_a_wrong_move_explained():
    """Plays the moves of the greedy agent, typed, to the end of a deal."""
    greedy = agents.load("greedy")
    session = Session(Rules.preset("british"), {1: agents.load("greedy", seed=8)}, 7)
    lines = ["discard 2C"]
    while not session.game.deal_over:
        session.opponents()
        if session.my_turn:
            lines.append(session.hint(greedy))
            session.play(lines[-1])
    done = kalooki_process([*lines, "quit"], "--seed", "7")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "Not allowed: first draw a card from the stock, or take the top discard." in done.stdout
    assert "── Deal 1 is over ──" in done.stdout
    for row in session.score():
        name = ["you", "Beginner"][row.seat]
        [line] = [
            line
            for line in done.stdout.splitlines()
            if line.startswith(f"  {name} ") and "total" not in line
        ]
        assert line.split()[1:4] == [str(row.penalty), f"{row.chips:+d}", str(row.total)]
    assert done.stdout.rstrip().endswith("You leave the table. Goodbye.")


def test_an_ascii_terminal_gets_letters_and_no_terminal_no_colour():
    options = ("--seed", "7", "--no-record")
    plain = kalooki_process(["quit"], *options, PYTHONIOENCODING="ascii")
    assert plain.returncode == 0
    assert plain.stdout.isascii()
    assert "\x1b" not in plain.stdout
    letters = kalooki_process(["quit"], *options, "--ascii", PYTHONIOENCODING="utf-8")
    assert letters.stdout == plain.stdout


def test_the_same_seed_deals_the_same_cards_and_says_how_to_get_them_again(kalooki_play):
    options = ("--seed", "12", "--no-record")
    first, second = (kalooki_play(["quit"], *options).stdout for _ in range(2))
    assert first == second
    assert "kalooki play --opponent greedy --rules british --seats 2 --seed 12" in first


def test_bytes_that_are_no_text_are_not_understood_and_do_no_harm():
    done = subprocess.run(
        [sys.executable, "-m", "kalooki_env.cli", "play", "--opponent", "random", "--seed", "1"],
        input=b"\xff\xfe\x00\nquit\n",
        capture_output=True,
        timeout=300,
        cwd=ROOT,
    )
    assert done.returncode == 0
    assert b"Not understood: " in done.stdout
    assert done.stderr == b""


def test_ctrl_c_leaves_politely():
    process = open_table("--seed", "1")  # the signal meets the table and not the start
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out.rstrip().endswith("You leave the table. Goodbye.")
    assert err == ""


# What is kept of a game


def test_every_game_is_recorded_in_a_file_of_its_own(games, kalooki_play):
    done = [kalooki_play(["draw", "moves", "quit"], "--seed", "7") for _ in range(2)]
    paths = sorted(games.iterdir())
    assert len(paths) == 2
    told = [line for play in done for line in play.stdout.splitlines() if "recorded" in line]
    assert sorted(told) == [f"This game is recorded: kalooki replay {path}" for path in paths]
    assert all("with --seat 0 it shows only what you saw" in play.stdout for play in done)
    assert all(play.stdout.endswith("You leave the table. Goodbye.\n") for play in done)
    [record] = records.read(paths[0])
    assert records.verify(paths[0]).moves == len(record.moves) > 0
    assert record.names == ("you", "greedy")
    assert (record.episode, record.seed, record.over) == ("match", 7, False)
    assert record.moves[-1] == (0, "draw")


def test_games_are_added_to_a_file_that_is_named(tmp_path, games, kalooki_play):
    path = tmp_path / "mine.jsonl"
    for seed in ("1", "2"):
        done = kalooki_play(["draw", "quit"], "--seed", seed, "--record", str(path))
        assert f"This game is recorded: kalooki replay {path}" in done.stdout
    assert [record.seed for record in records.read(path)] == [1, 2]
    assert not games.exists()


def test_a_game_need_not_be_recorded(games, kalooki_play):
    done = kalooki_play(["draw", "quit"], "--seed", "7", "--no-record")
    assert "recorded" not in done.stdout
    assert not games.exists()


def test_a_game_that_cannot_be_recorded_is_played_all_the_same(tmp_path, monkeypatch, kalooki_play):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    done = kalooki_play(["draw", "quit"], "--seed", "7")
    assert done.returncode == 0
    assert "This game is not recorded: expected a folder for recorded games, got: " in done.stdout
    assert "You draw " in done.stdout


def test_a_file_of_another_kind_is_not_touched(tmp_path, kalooki_play):
    path = tmp_path / "diary"
    path.write_text("dear diary\n")
    done = kalooki_play(["draw", "quit"], "--record", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected a game record" in done.stderr
    assert path.read_text() == "dear diary\n"


def test_a_killed_table_loses_no_move(games):
    process = open_table("--seed", "1")
    process.stdin.write("draw\n")
    process.stdin.flush()
    wait_for_prompt(process)
    process.kill()
    process.communicate(timeout=60)
    [path] = games.iterdir()
    [record] = records.read(path, unfinished=True)
    assert record.over is None
    assert record.moves[-1] == (0, "draw")
    assert records.verify(path, unfinished=True).moves == len(record.moves)


def test_a_session_records_every_deal_of_a_match(tmp_path):
    path = tmp_path / "match"
    greedy = agents.load("greedy")
    others = {seat: agents.load("greedy", seed=seat) for seat in (1, 2)}
    rules = Rules.preset("british", out_above=60)
    session = Session(rules, others, 3, record=path)
    while not session.game.over:
        session.opponents()
        if session.my_turn:
            session.play(session.hint(greedy))
        elif session.game.to_move is None and not session.game.over:
            session.next_deal()
    session.close()
    [record] = records.read(path)
    assert record.over
    assert len(record.deals) == session.view.deal > 1
    assert record.results[-1]["match_winner"] == session.game.result["match_winner"]
    assert records.verify(path).moves == len(record.moves)
