"""What opens over the table: the list of moves, pages, the coach."""

import asyncio

import pytest

pytest.importorskip("textual")

from textual.widgets import Input, OptionList, Static

from kalooki_env import agents
from kalooki_env.play.screen import dialogs
from kalooki_env.play.screen.palette import dressed
from tests.play.driving import (
    OPEN,
    OPENING,
    at_table,
    press,
    seat,
    until,
)


def test_every_legal_move_is_listed_searched_and_typed():
    async def script(pilot, table):
        await press(pilot, "slash")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Moves))
        await pilot.pause()
        screen = pilot.app.screen
        count = len(table.session.moves())
        assert str(screen.query_one("#count", Static).render()) == f"{count} legal moves"
        screen.query_one(Input).value = "m 7♥ 7d"
        await pilot.pause()
        wanted = [m for m in table.session.moves(["meld"]) if "7D" in m and "7H" in m]
        assert screen.found == wanted
        screen.query_one(Input).value = "meld 5c 6d 7c"
        await pilot.pause()
        answer = str(screen.query_one("#answer", Static).render())
        assert answer == "Not allowed: all cards of a run are of one suit."
        screen.query_one(Input).value = "meld 4s 5s 6s"
        await pilot.pause()
        await pilot.press("enter")
        await until(lambda: len(table.view.table) == 1)
        assert table.view.table[0].cards == ("4S", "5S", "6S")

    at_table(script)


def test_every_legal_move_of_a_long_list_is_reached_by_going_down(monkeypatch):
    monkeypatch.setattr(dialogs, "SHOWN", 4)

    async def script(pilot, table):
        moves = table.session.moves()
        await press(pilot, "slash")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Moves))
        await pilot.pause()
        screen = pilot.app.screen
        options = screen.query_one(OptionList)
        assert options.option_count == 5
        assert f"{len(moves) - 4} more" in str(options.get_option_at_index(4).prompt)
        assert len(moves) > 13
        for number in range(len(moves)):
            await press(pilot, "down")
            assert options.highlighted == number
        assert options.option_count == len(moves)
        prompt = str(options.get_option_at_index(number).prompt)
        assert prompt == str(dressed(moves[-1], table.face))
        await press(pilot, "enter")
        await until(lambda: len(table.view.hand) < 9)
        assert table.session.events[0].move == moves[-1]

    at_table(script, lambda: seat({**OPENING, "opened": [True, True]}))


@pytest.mark.parametrize("typed", ["", "  "])
def test_enter_with_nothing_typed_and_nothing_chosen_plays_nothing(typed):
    async def script(pilot, table):
        await press(pilot, "slash")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Moves))
        await pilot.pause()
        screen = pilot.app.screen
        screen.query_one(Input).value = "7h"
        await pilot.pause()
        screen.query_one(Input).value = typed
        await pilot.pause()
        await press(pilot, "enter", "enter")
        assert pilot.app.screen is screen
        assert "Choose a move" in str(screen.query_one("#answer", Static).render())
        await press(pilot, "escape")
        await until(lambda: pilot.app.screen is table)
        assert not table.session.events

    at_table(script)


def test_a_click_on_the_last_line_of_a_long_list_shows_more(monkeypatch):
    monkeypatch.setattr(dialogs, "SHOWN", 4)

    async def script(pilot, table):
        await press(pilot, "slash")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Moves))
        await pilot.pause()
        await pilot.click(OptionList, offset=(3, 4))
        await pilot.pause()
        assert pilot.app.screen.query_one(OptionList).option_count == 9

    at_table(script, lambda: seat({**OPENING, "opened": [True, True]}))


def test_every_legal_move_is_found_by_its_own_words():
    async def script(pilot, table):
        await press(pilot, "slash")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Moves))
        await pilot.pause()
        screen = pilot.app.screen
        for move in table.session.moves():
            for typed in (move, str(dressed(move, table.face))):
                screen._search(typed)
                assert move in screen.found

    at_table(script, lambda: seat(OPEN))


@pytest.mark.parametrize(
    ("key", "shown"),
    [("p", "9♣"), ("g", ""), ("question_mark", "draw from the stock"), ("r", "40 points")],
)
def test_pages_open_and_close(key, shown):
    async def script(pilot, table):
        await press(pilot, key)
        await until(lambda: isinstance(pilot.app.screen, dialogs.Page))
        await pilot.pause()
        assert shown in str(pilot.app.screen.text)
        await press(pilot, "escape")
        await until(lambda: pilot.app.screen is table)

    at_table(script)


@pytest.mark.parametrize("steps", range(8))
def test_a_page_that_opens_while_the_game_is_left_does_no_harm(steps):
    async def script(pilot, table):
        pilot.app.simulate_key("question_mark")
        for _ in range(steps):
            await asyncio.sleep(0)
        pilot.app.end(15)
        await until(lambda: not pilot.app.is_running)
        assert pilot.app.return_code == 128 + 15

    at_table(script)


def test_the_coach_says_what_the_hand_lacks():
    position = {**OPENING, "hands": ["7C 7D JS QS KS 2D 3D 5H 9C", "9H 9D"]}

    async def script(pilot, table):
        table.seated.coach = agents.load("greedy")
        await press(pilot, "c")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Page))
        await pilot.pause()
        text = str(pilot.app.screen.text)
        assert "worth 30 of the 40 points" in text
        assert "A♠ (2)" in text

    at_table(script, lambda: seat(position))


def test_the_log_tells_the_persons_moves_as_its_own():
    async def script(pilot, table):
        await press(pilot, "d")
        assert str(table.query_one("#log", Static).render()) == "You draw 2♣."
        await press(pilot, "g")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Page))
        assert str(pilot.app.screen.text) == "You draw 2♣."

    at_table(script, lambda: seat({**OPEN, "phase": "draw"}))


def test_the_page_of_the_pile_begins_with_its_top():
    async def script(pilot, table):
        await press(pilot, "p")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Page))
        assert str(pilot.app.screen.text) == "K♥  9♣"

    at_table(script)
