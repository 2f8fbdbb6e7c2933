"""While the opponents move."""

import threading
import time

import pytest

pytest.importorskip("textual")


from kalooki_env.game import Game
from kalooki_env.play.screen.boards import Hand
from kalooki_env.play.screen.table import PAUSES
from tests.play.driving import (
    OPENING,
    Waiting,
    at_table,
    press,
    said,
    seat,
    until,
)


def test_a_slow_opponent_does_not_block_the_screen():
    thinker = Waiting()

    def make():
        table = seat({**OPENING, "to_move": 1, "phase": "draw"})
        table.session.agents[1] = thinker
        return table

    async def script(pilot, table):
        hand = table.query_one(Hand)
        await press(pilot, "right", "space")
        assert len(hand.picked) == 1
        await press(pilot, "d")
        assert said(table) == "✗ Not allowed: greedy is to move."
        thinker.go_on.set()
        await until(lambda: table.session.my_turn or table.session.game.deal_over)
        assert len(hand.picked) == 1

    at_table(script, make)


def test_a_list_of_moves_that_comes_too_late_is_not_shown(monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def listed(game):
        begun.set()
        assert go_on.wait(60)
        return ["discard 2H"]

    monkeypatch.setattr(Game, "legal_moves", listed)

    async def script(pilot, table):
        await press(pilot, "slash")
        await until(begun.is_set)
        table.play((f"discard {table.view.hand[0]}",))
        go_on.set()
        await until(lambda: not table.workers)
        await pilot.pause()
        assert pilot.app.screen is table

    at_table(script, lambda: seat({**OPENING, "phase": "play"}))


def test_opponents_move_faster_and_slower():
    async def script(pilot, table):
        await press(pilot, "minus", "minus")
        assert table.speed == "normal"
        await press(pilot, "plus")
        assert table.speed == "fast"

    at_table(script)


def test_there_is_time_to_watch_each_move_of_an_opponent(monkeypatch):
    monkeypatch.setitem(PAUSES, "instant", 0.3)

    async def script(pilot, table):
        session, times = table.session, []
        for number in (1, 2):
            await until(lambda number=number: len(session.events) >= number)
            times.append(time.monotonic())
        assert times[1] - times[0] >= 0.25

    at_table(script, lambda: seat({**OPENING, "to_move": 1, "phase": "draw"}))
