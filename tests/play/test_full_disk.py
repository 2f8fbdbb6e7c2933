"""The disk fills up during a game at the table: told once, and the match can be gone on with."""

import io

import pytest

from kalooki_env import agents, records
from kalooki_env.play import saved, seating
from kalooki_env.play.terminal import Leave, Table
from kalooki_env.play.wishes import Wishes
from kalooki_env.render.style import Style
from tests.full_disk import full_at


def sit_down():
    seated = seating.sit_down(Wishes(opponents="greedy", seed=7))
    seated.session.opponents()
    return seated


def play_on(session, moves):
    """Play like greedy in all seats."""
    greedy = agents.load("greedy")
    for _ in range(moves):
        if session.my_turn:
            session.play(session.hint(greedy))
        else:
            session.answer(*session.think())


@pytest.mark.parametrize("room", [0, 1, 30, 200])
def test_the_record_ends_with_a_whole_line_and_the_match_goes_on_from_there(room):
    seated = sit_down()
    session = seated.session
    play_on(session, 3)
    before = session.book.path.read_bytes()
    with full_at(len(before) + room):
        play_on(session, 6)
        assert session.book.problem == "File too large"
        lines = seated.leave()
    data = session.book.path.read_bytes()
    assert data.startswith(before) and data.endswith(b"}\n")
    assert "Its end is missing there: File too large." in lines
    assert lines[-1] == "Go on with this match: kalooki play --continue"
    [record] = records.read(session.book.path, unfinished=True)
    again = seating.resume().session
    assert len(record.moves) == again.recorder.moves >= 3
    play_on(again, 6)
    again.close()
    assert records.verify(session.book.path).games == 1


def test_what_is_missing_is_written_when_there_is_room_again():
    seated = sit_down()
    session = seated.session
    play_on(session, 3)
    with full_at(session.book.path.stat().st_size + 10):
        play_on(session, 2)
        if session.can_undo:
            session.undo()
        assert session.book.problem is not None
    play_on(session, 2)
    assert session.book.problem is None
    game = session.game.clone()
    seated.leave()
    assert seating.resume().session.game == game


def test_a_table_that_was_full_from_the_start_plays_and_says_why_nothing_is_kept():
    with full_at(0):
        seated = sit_down()
        play_on(seated.session, 4)
        assert seated.leave() == ["This game is not recorded: File too large."]
    assert saved.tables() == []


def test_a_later_deal_whose_table_cannot_be_written_leaves_the_file_of_the_earlier_one():
    seated = sit_down()
    play_on(seated.session, 2)
    with full_at(0):
        seated.keep_speed("fast")
        assert seated.can_resume
    assert [table.speed for table in saved.tables()] == ["normal"]


def test_it_is_said_once_on_the_plain_table():
    seated = sit_down()
    play_on(seated.session, 3)
    out = io.StringIO()
    table = Table(seated.session, io.StringIO("moves\n1\n" * 8), out, Style())
    with full_at(seated.session.book.path.stat().st_size), pytest.raises(Leave):
        table.run()
    told = "The record of this game cannot be written: File too large."
    assert out.getvalue().count(told) == 1


def test_it_is_said_once_on_the_screen():
    pytest.importorskip("textual")
    from tests.play.driving import at_table, press, said, until

    told = "The record of this game cannot be written: File too large."

    async def script(pilot, table):
        session = table.session
        await until(lambda: session.my_turn)
        await press(pilot, "d")
        assert told not in said(table)
        with full_at(session.book.path.stat().st_size):
            session.play(session.hint(agents.load("greedy")))
            table.show()
            assert said(table).startswith(told)
            table.say("")
            table.show()
            assert told not in said(table)

    at_table(script, lambda: seating.sit_down(Wishes(opponents="greedy", seed=7)), size=(120, 40))
