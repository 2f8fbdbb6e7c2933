"""The end of a deal and of a match on the screen."""

import asyncio

import pytest

pytest.importorskip("textual")

from textual.widgets import Static

from kalooki_env import agents, records
from kalooki_env.play import saved
from kalooki_env.play.screen import dialogs
from kalooki_env.play.screen.score import Score
from kalooki_env.play.seating import Seated
from kalooki_env.play.session import Session
from tests.play.driving import (
    OPEN,
    OPENING,
    Waiting,
    at_table,
    play,
    press,
    seat,
    until,
)

LAST = {**OPENING, "hands": ["7C 7D 7H 4S 5S 6S 7S 2D", "9H * AD"]}


async def go_out(pilot, table):
    for move in ("meld 7C 7D 7H", "meld 4S 5S 6S 7S", "discard 2D"):
        await play(pilot, table, move)
    await until(lambda: isinstance(pilot.app.screen, Score))
    await pilot.pause()


def test_the_score_comes_after_the_deal_and_leads_to_the_next():
    async def script(pilot, table):
        await go_out(pilot, table)
        score = pilot.app.screen
        assert str(score.query_one("#title", Static).render()).startswith("Deal 1 is over")
        await press(pilot, "enter")
        await until(lambda: pilot.app.screen is table)
        assert table.view.deal == 2
        assert table.view.seats[1].total == 35

    at_table(script, lambda: seat(LAST))


def test_a_deal_is_reviewed():
    async def script(pilot, table):
        table.seated.coach = agents.load("greedy")
        await go_out(pilot, table)
        await press(pilot, "c")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Page))
        await pilot.pause()
        text = str(pilot.app.screen.text)
        assert text.startswith("Where you and Beginner differed most")
        assert "you      meld 7♣ 7♦ 7♥   0 %" in text
        assert "Beginner  meld 4♠ 5♠ 6♠   100 %" in text

    at_table(script, lambda: seat(LAST))


def test_a_buy_in_is_asked_on_the_score_sheet():
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

    async def script(pilot, table):
        await until(lambda: isinstance(pilot.app.screen, Score) and table.session.my_turn)
        await pilot.pause()
        words = str(pilot.app.screen.query_one("#task", Static).render())
        assert "Buy in for 5, or drop out of the match?" in words
        await press(pilot, "y")
        assert table.view.me.total == 120
        assert table.view.me.money == -11

    at_table(script, lambda: seat(position))


def test_a_deal_that_ends_while_the_score_sheet_is_open_is_shown_there():
    position = {**OPEN, "hands": ["8C TC * 2D", "9H"], "to_move": 1, "phase": "play"}

    waiting = Waiting()

    def make():
        table = seat(position)
        table.session.agents[1] = waiting
        return table

    async def script(pilot, table):
        await press(pilot, "h")
        await until(lambda: isinstance(pilot.app.screen, Score))
        await pilot.pause()
        title = pilot.app.screen.query_one("#title", Static)
        assert str(title.render()).startswith("The score so far")
        waiting.go_on.set()
        await until(lambda: str(title.render()).startswith("Deal 1 is over"))

    at_table(script, make)


@pytest.mark.parametrize("choice", ["2", "3"])
def test_keys_that_follow_the_leaving_do_nothing(choice, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "game.jsonl"

    def make():
        table = seat(LAST)
        session = Session(table.session.game.rules, table.session.agents, 7, record=path,
                          start=table.session.start)  # fmt: skip
        return Seated(session, ["greedy"], "", "")

    async def script(pilot, table):
        await go_out(pilot, table)
        await press(pilot, "q")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Choose))
        # All of them are on their way before the first one is taken, as in a paste.
        sheet = table.app.screen_stack[-2]
        pilot.app.simulate_key(choice)
        await until(lambda: table.session.closed)
        for key in ("enter", "u", "plus", "enter", "d"):
            pilot.app.simulate_key(key)
        sheet.dismiss("next")
        table.action_speed(1)
        table.action_undo()
        for _ in range(3):
            if table.session.my_turn and not table.session.game.deal_over:
                table.play((table.session.hint(table.session.agents[1]),))
        await until(lambda: pilot.app.return_value is not None)
        await asyncio.sleep(0.1)

    at_table(script, make)
    [record] = records.read(path)
    assert record.over is False
    assert len(record.deals) == 1
    assert len(saved.tables()) == (choice == "2")


def test_leaving_from_the_score_sheet_asks_as_at_the_table():
    async def script(pilot, table):
        await go_out(pilot, table)
        score = pilot.app.screen
        await press(pilot, "q")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Choose))
        assert pilot.app.screen.heading == "Leave the table?"
        await press(pilot, "1")
        await until(lambda: pilot.app.screen is score)
        await press(pilot, "q")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Choose))
        await press(pilot, "2")
        await until(lambda: pilot.app.return_value is not None)

    at_table(script, lambda: seat(LAST))
