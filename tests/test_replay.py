"""`kalooki replay`: a game seen again or drawn, and a file that was touched."""

import itertools
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from kalooki_env import Rules, cli, records
from kalooki_env.records import Record

ROOT = Path(__file__).parent.parent
POSITION = {
    "rules": "british",
    "hands": ["7C 7D 7H 4S 5S 6S 7S 2D", "9H * AD"],
    "discards": "KH",
    "stock": "2C 3C 8S",
}
MOVES = (
    "draw",
    "meld 7C 7D 7H",
    "meld 4S 5S 6S 7S",
    "discard 2C",
    "draw",
    "discard 3C",
    "draw",
    "add 8S @2",
    "discard 2D",
)
TITLE = "Game 1: british rules, a single deal, seed 0: ann, bob"


def played(moves=MOVES):
    recorder = records.Recorder(Record.at(POSITION, names=("ann", "bob"), episode="deal"))
    for move in moves:
        recorder.play(move)
    recorder.close()
    return recorder.record


@pytest.fixture
def game(tmp_path):
    """A file of one short game."""
    path = tmp_path / "game.jsonl"
    records.write(path, [played()])
    return path


@pytest.fixture
def cut(game):
    """The same file without its last two lines."""
    game.write_bytes(b"".join(game.read_bytes().splitlines(keepends=True)[:-2]))
    return game


def replay(capsys, *words):
    """Run the command here; return exit code, lines of standard output, standard error."""
    try:
        code = cli.main(["replay", "--ascii", *map(str, words)])
    except SystemExit as leave:
        code = leave.code
    out, err = capsys.readouterr()
    return code, out.splitlines(), err


def test_a_game_is_listed_with_all_hands(game, capsys):
    code, lines, err = replay(capsys, game)
    assert (code, err) == (0, "")
    assert lines == [
        TITLE,
        "",
        "-- Deal 1, turn 7 ------------------------------------------------------------",
        " > ann   8 cards   not open   total 0",
        "   bob   3 cards   not open   total 0",
        "Table  no melds yet",
        "Pile   KH",
        "Stock  3 cards",
        "ann  7C   2D 7D   7H   4S 5S 6S 7S",
        "bob  AD   9H   *",
        "   1  ann  draw 2C",
        "   2  ann  meld 7C 7D 7H",
        "   3  ann  meld 4S 5S 6S 7S",
        "   4  ann  discard 2C",
        "",
        "-- Deal 1, turn 8 ------------------------------------------------------------",
        "   ann   1 card    open       total 0   announced 1",
        " > bob   3 cards   not open   total 0",
        "Table",
        "   1  7C 7D 7H                 ann",
        "   2  4S 5S 6S 7S              ann",
        "Pile   2C   under it: KH",
        "Stock  2 cards",
        "ann  2D",
        "bob  AD   9H   *",
        "   5  bob  draw 3C",
        "   6  bob  discard 3C",
        "",
        "-- Deal 1, turn 9 ------------------------------------------------------------",
        " > ann   1 card    open       total 0   announced 1",
        "   bob   3 cards   not open   total 0   announced 3",
        "Table",
        "   1  7C 7D 7H                 ann",
        "   2  4S 5S 6S 7S              ann",
        "Pile   3C   under it: 2C KH",
        "Stock  1 card",
        "ann  2D",
        "bob  AD   9H   *",
        "   7  ann  draw 8S",
        "   8  ann  add 8S @2",
        "   9  ann  discard 2D",
        "",
        "-- Deal 1 is over ------------------------------------------------------------",
        "Ann won.",
        "       penalty  chips  total   cards left",
        "  ann        0     +1      0   out",
        "  bob       35     -1     35   AD  9H  *",
    ]


def test_one_seat_sees_its_own_cards_only(game, capsys):
    _, lines, _ = replay(capsys, game, "--seat", "1")
    assert "Hand   AD   9H   *" in lines
    assert "   1  ann  draw" in lines
    assert "   5  bob  draw 3C" in lines
    shown = [line for line in lines[: lines.index("   2  ann  meld 7C 7D 7H")] if "7H" in line]
    assert shown == []


def test_a_replay_can_begin_at_a_move(game, capsys):
    _, lines, _ = replay(capsys, game, "--from", "8")
    moves = [line for line in lines if line[:4].strip().isdecimal() and "  ann  " in line]
    assert moves[-2:] == ["   8  ann  add 8S @2", "   9  ann  discard 2D"]
    assert "ann  2D   8S" in lines[: lines.index("   8  ann  add 8S @2")]
    assert not any("draw" in line for line in lines)


def test_one_game_of_a_file_is_picked(tmp_path, capsys):
    path = tmp_path / "g"
    records.write(path, [played(), played(MOVES[:2]), played(MOVES[:4])])
    _, lines, _ = replay(capsys, path, "--game", "2")
    assert lines[0] == TITLE.replace("Game 1", "Game 2")
    assert lines[-2:] == ["   2  ann  meld 7C 7D 7H", "The game was left here."]
    _, lines, _ = replay(capsys, path)
    assert [line[:6] for line in lines if line.startswith("Game ")] == [
        "Game 1",
        "Game 2",
        "Game 3",
    ]


def test_a_match_tells_its_deals_and_its_end(tmp_path, capsys):
    from tests.test_records import play

    record = play(
        Record(Rules.preset("kalooki40", target=30), 3, 2, "match", names=("a", "b", "c"))
    )
    records.write(tmp_path / "g", [record.record])
    code, lines, _ = replay(capsys, tmp_path / "g")
    assert code == 0
    deals = len(record.record.deals)
    assert sum(" is over ---" in line for line in lines) == deals > 1
    assert any(line.startswith(f"-- Deal {deals}, turn 1 ---") for line in lines)
    assert lines[-1].startswith("The match is over: ")


def test_verify_counts_games_and_moves(game, capsys):
    assert replay(capsys, game, "--verify") == (0, ["1 game, 9 moves: all legal"], "")


@pytest.mark.parametrize("options", [[], ["--verify"], ["--game", "1"]])
def test_a_cut_file_ends_with_1_and_names_the_line(cut, capsys, options):
    code, lines, err = replay(capsys, cut, *options)
    assert code == 1
    assert err == (
        f"kalooki replay: {cut}, line 12: expected the game that begins in line 1 to go on, got the "
        "end of the file: it was cut short or is unfinished; the last good line is 11\n"
    )
    assert ("   9  ann  discard 2D" in lines) == ("--verify" not in options)


@pytest.mark.parametrize("options", [[], ["--verify"]])
def test_an_altered_file_ends_with_1_and_shows_nothing_of_the_game(game, capsys, options):
    data = game.read_bytes()
    game.write_bytes(data.replace(b"discard 3C", b"discard 3D"))
    code, lines, err = replay(capsys, game, *options)
    assert (code, lines) == (1, [])
    assert err.startswith(f"kalooki replay: {game}, line 8: expected the check ")
    assert err.count("\n") == 1


def test_a_forged_move_is_found_by_the_rules(game, capsys):
    from tests.test_records import forged

    game.write_bytes(forged(played(), lambda told: told[3].update(move="meld 4S 5S 6S")))
    code, lines, err = replay(capsys, game)
    assert (code, lines) == (1, [])
    assert f"{game}, line 5: expected a legal move, got " in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "required: FILE"),
        (["nowhere"], "No such file or directory"),
        (["."], "got the folder ."),
        (["FILE", "--game", "2"], "--game: expected a game from 1 to 1, got 2"),
        (["FILE", "--game", "0"], "expected a whole number of at least 1, got '0'"),
        (["FILE", "--seat", "2"], "--seat: expected a seat from 0 to 1, got 2"),
        (["FILE", "--from", "10"], "--from: expected a move from 1 to 9, got 10"),
        (["FILE", "--all", "--verify"], "not allowed with argument"),
    ],
)
def test_bad_usage_ends_with_2(game, capsys, words, told):
    code, lines, err = replay(capsys, *(str(game) if word == "FILE" else word for word in words))
    assert (code, lines) == (2, [])
    assert told in err
    assert err.count("\n") == 1


def test_it_has_help(capsys):
    code, lines, _ = replay(capsys, "--help")
    assert code == 0
    assert lines[0].startswith("usage: kalooki replay ")
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    assert "    replay " in capsys.readouterr().out


# GIFs


def frames_of(path):
    """Return the frames of a GIF as pictures, and how long each is shown."""
    frames, waits = [], []
    with Image.open(path) as image:
        for k in range(image.n_frames):
            image.seek(k)
            frames.append(image.convert("RGB"))
            waits.append(image.info["duration"])
    return frames, waits


def test_a_gif_has_a_frame_a_move_and_the_last_is_held(game, tmp_path, capsys):
    out = tmp_path / "out.gif"
    code, lines, err = replay(capsys, game, "--gif", out)
    assert (code, err) == (0, "")
    assert lines == [f"{out}: 10 frames of 960 x 640, 10 s, 0.1 MB"]
    frames, waits = frames_of(out)
    assert len(frames) == 1 + len(MOVES)
    assert {frame.size for frame in frames} == {(960, 640)}
    assert waits == [500] * 9 + [5000]
    assert all(one.tobytes() != other.tobytes() for one, other in itertools.pairwise(frames))
    assert list(tmp_path.iterdir()) == [game, out]


def test_a_gif_of_a_part_at_another_speed_and_size(game, tmp_path, capsys):
    out = tmp_path / "out.GIF"
    code, _, _ = replay(capsys, game, "--gif", out, "--from", 5, "--fps", 4, "--width", 480)
    assert code == 0
    frames, waits = frames_of(out)
    assert len(frames) == 6
    assert {frame.size for frame in frames} == {(480, 320)}
    assert waits == [250] * 5 + [5000]


def test_a_gif_for_one_seat_shows_its_cards_only(tmp_path, capsys):
    """Two games that seat 1 can't tell apart before they end, and the same with all hands open."""
    stocks, pictures = ("2C 3C 8S", "KD 3C 8S"), {}
    for stock in stocks:
        path = tmp_path / stock[:2]
        recorder = records.Recorder(Record.at({**POSITION, "stock": stock}, episode="deal"))
        for move in MOVES[:3]:
            recorder.play(move)
        recorder.close()
        records.write(path, [recorder.record])
        for options in ([], ["--seat", "1"]):
            out = tmp_path / f"{stock[:2]}{len(options)}.gif"
            assert replay(capsys, path, "--gif", out, *options)[0] == 0
            pictures[stock, len(options)] = out.read_bytes()
    assert pictures[stocks[0], 0] != pictures[stocks[1], 0]
    assert pictures[stocks[0], 2] == pictures[stocks[1], 2]


def test_a_gif_of_a_match_holds_the_end_of_each_deal(tmp_path, capsys):
    from tests.test_records import play

    record = play(Record(Rules.preset("kalooki40", deals=2), 2, 1, "match")).record
    records.write(tmp_path / "g", [record])
    code, _, _ = replay(capsys, tmp_path / "g", "--gif", tmp_path / "g.gif", "--width", 480)
    assert code == 0
    frames, waits = frames_of(tmp_path / "g.gif")
    assert len(frames) == len(record.moves) + len(record.deals)
    assert [wait for wait in waits if wait != 500] == [3000, 5000]


def test_one_game_of_a_file_is_drawn(tmp_path, capsys):
    path, out = tmp_path / "g", tmp_path / "out.gif"
    records.write(path, [played(), played(MOVES[:2])])
    code, lines, err = replay(capsys, path, "--gif", out)
    assert (code, lines) == (2, [])
    assert err == (
        f"kalooki replay: --gif: expected --game K, the game to draw, as {path} has more than one\n"
    )
    assert replay(capsys, path, "--gif", out, "--game", 2)[0] == 0
    assert len(frames_of(out)[0]) == 3


def test_what_is_whole_in_a_cut_file_is_drawn(cut, tmp_path, capsys):
    code, _, err = replay(capsys, cut, "--gif", tmp_path / "out.gif")
    assert code == 1
    assert "it was cut short or is unfinished" in err
    assert len(frames_of(tmp_path / "out.gif")[0]) == 1 + len(MOVES)


def test_an_altered_file_leaves_no_gif(game, tmp_path, capsys):
    game.write_bytes(game.read_bytes().replace(b"discard 3C", b"discard 3D"))
    code, _, err = replay(capsys, game, "--gif", tmp_path / "out.gif")
    assert code == 1 and "line 8" in err
    assert list(tmp_path.iterdir()) == [game]


def test_a_gif_that_cannot_be_finished_leaves_nothing(game, tmp_path, capsys, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    code, lines, err = replay(capsys, game, "--gif", tmp_path / "out.gif")
    assert (code, lines) == (2, [])
    assert err == (
        f"kalooki replay: --gif: expected to write {tmp_path / 'out.gif'}, got: No space left on "
        "device\n"
    )
    assert list(tmp_path.iterdir()) == [game]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--gif", "out.mp4"], "--gif: expected a name that ends in .gif, got out.mp4"),
        (["--gif", "out"], "--gif: expected a name that ends in .gif, got out"),
        (["--gif", "TMP/there.gif"], "there.gif, which exists: use another name"),
        (["--gif", "TMP/folder.gif"], "--gif: expected a file to write to, got the folder "),
        (["--gif", "TMP/no/out.gif"], "--gif: expected a folder that can be written to, got "),
        (["--gif", "TMP/out.gif", "--seat", "2"], "--seat: expected a seat from 0 to 1, got 2"),
        (["--gif", "TMP/out.gif", "--game", "2"], "--game: expected a game from 1 to 1, got 2"),
        (["--gif", "TMP/out.gif", "--from", "10"], "--from: expected a move from 1 to 9, got 10"),
        (["--gif", "TMP/out.gif", "--fps", "0"], "expected a number from 0.1 to 50, got '0'"),
        (["--gif", "TMP/out.gif", "--fps", "nan"], "expected a number from 0.1 to 50, got 'nan'"),
        (["--gif", "TMP/out.gif", "--width", "99"], "expected a whole number from 480 to 1920"),
        (["--gif", "TMP/out.gif", "--all"], "not allowed with argument"),
        (["--fps", "3"], "--fps: expected --gif FILE with it, got none"),
        (["--width", "640"], "--width: expected --gif FILE with it, got none"),
    ],
)
def test_wishes_for_a_gif_that_cannot_be_end_with_2(game, tmp_path, capsys, words, told):
    (tmp_path / "there.gif").write_bytes(b"old")
    (tmp_path / "folder.gif").mkdir()
    before = sorted(tmp_path.iterdir())
    words = [word.replace("TMP", str(tmp_path)) for word in words]
    code, lines, err = replay(capsys, game, *words)
    assert (code, lines) == (2, [])
    assert told in err and err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "there.gif").read_bytes() == b"old"


class Terminal:
    """The command in a terminal of its own."""

    def __init__(self, *words):
        self.leader, follower = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kalooki_env.cli", "replay", "--ascii", *map(str, words)],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env={**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(ROOT)},
        )
        os.close(follower)

    def until(self, text, seconds=120):
        """Return what is shown up to a text."""
        seen, end = "", time.monotonic() + seconds
        while text not in seen:
            assert time.monotonic() < end, seen
            if select.select([self.leader], [], [], 0.2)[0]:
                try:
                    seen += os.read(self.leader, 65536).decode().replace("\r\n", "\n")
                except OSError:  # the other end is closed
                    assert text in seen, seen
        return seen

    def type(self, line):
        os.write(self.leader, line.encode() + b"\n")

    def leave(self):
        self.process.wait(timeout=60)
        os.close(self.leader)
        return self.process.returncode


def test_in_a_terminal_every_move_waits(game):
    prompt = "Enter, a move's number, all or quit > "
    screen = Terminal(game)
    assert "   1  ann" not in screen.until(prompt)
    screen.type("")
    seen = screen.until(prompt)
    assert "   1  ann  draw 2C\n" in seen and "   2  ann" not in seen
    assert "ann  2C 7C   2D 7D   7H   4S 5S 6S 7S" in seen
    screen.type("6")
    seen = screen.until(prompt)
    assert "-- Deal 1, turn 8 " in seen and "   6  bob" not in seen
    assert "bob  3C   AD   9H   *" in seen
    screen.type("2")
    seen = screen.until(prompt)
    assert "ann  2C 7C   2D 7D   7H   4S 5S 6S 7S" in seen
    screen.type(" ")
    assert "   2  ann  meld 7C 7D 7H" in screen.until(prompt)
    screen.type("all")
    seen = screen.until("35   AD  9H  *")
    assert "   3  ann  meld 4S 5S 6S 7S" in seen and prompt not in seen
    assert screen.leave() == 0


@pytest.mark.parametrize("way", ["quit", "\x04"])
def test_a_person_leaves_when_it_likes(game, way):
    screen = Terminal(game)
    screen.until("quit > ")
    screen.type(way)
    assert screen.leave() == 0
