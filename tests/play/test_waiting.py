"""While the opponents move."""

import asyncio
import threading
import time

import pytest

pytest.importorskip("textual")


from textual.widgets import Static

from kalooki_env.game import Game
from kalooki_env.play.screen import dialogs, wait
from kalooki_env.play.screen.app import KalookiApp
from kalooki_env.play.screen.boards import Hand
from kalooki_env.play.screen.table import PAUSES
from kalooki_env.play.session import Session
from kalooki_env.play.wishes import Wishes
from tests.play.driving import (
    OPENING,
    PATIENCE,
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


def test_keys_that_are_pressed_while_moves_are_listed_do_not_play(monkeypatch):
    begun, go_on, coach = threading.Event(), threading.Event(), threading.Event()
    listed = Game.legal_moves

    def slowly(game):
        begun.set()
        assert go_on.wait(PATIENCE)
        return listed(game)

    monkeypatch.setattr(Game, "legal_moves", slowly)

    async def script(pilot, table):
        loading = asyncio.ensure_future(pilot.app.in_thread(lambda: coach.wait(PATIENCE)))
        await press(pilot, "slash")
        await until(begun.is_set)  # though the opponents' thread is at work
        assert not loading.done()
        await until(lambda: isinstance(pilot.app.screen, dialogs.Moves))
        await press(pilot, *"x2d", *["backspace"] * 3)
        assert not pilot.app.screen.found
        go_on.set()
        await until(lambda: pilot.app.screen.found)
        assert len(pilot.app.screen.found) == len(table.session.moves())
        assert not table.session.events
        coach.set()
        await loading

    at_table(script, lambda: seat({**OPENING, "phase": "play"}))


def test_a_wait_says_how_long_it_has_taken(monkeypatch):
    monkeypatch.setattr(wait, "_LONG", 0.0)

    async def run():
        app = KalookiApp(Wishes())
        async with app.run_test(size=(80, 24)) as pilot:
            screen = wait.Wait()
            await app.push_screen(screen)
            screen._began -= 75
            screen.explain()
            await pilot.pause()
            words = str(screen.query_one("#waiting", Static).render())
            assert "takes a minute or two" in words
            assert "75 s" in words

    asyncio.run(run())


def test_opponents_move_faster_and_slower():
    async def script(pilot, table):
        await press(pilot, "minus", "minus")
        assert table.speed == "normal"
        await press(pilot, "plus")
        assert table.speed == "fast"

    at_table(script)


def test_there_is_time_to_watch_each_move_of_an_opponent(monkeypatch):
    monkeypatch.setitem(PAUSES, "instant", 0.3)
    times, answer = [], Session.answer

    def timed(session, *move):
        times.append(time.monotonic())
        return answer(session, *move)

    monkeypatch.setattr(Session, "answer", timed)

    async def script(pilot, table):
        await until(lambda: len(times) >= 2)
        assert times[1] - times[0] >= 0.3

    at_table(script, lambda: seat({**OPENING, "to_move": 1, "phase": "draw"}))
