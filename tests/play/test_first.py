"""The first screen, leaving, going on."""

import asyncio
import dataclasses

import pytest

pytest.importorskip("textual")

from textual.widgets import Static

from kalooki_env import records
from kalooki_env.play import saved, seating
from kalooki_env.play.screen import dialogs
from kalooki_env.play.screen.app import KalookiApp
from kalooki_env.play.screen.boards import Hand
from kalooki_env.play.screen.first import Chooser, First
from kalooki_env.play.screen.primer import primer
from kalooki_env.play.wishes import Wishes
from kalooki_env.rules import PRESETS
from tests.play.driving import play, press, table_of, until


def on_first_screen(script, wishes=None):
    """Run a script with the pilot and the first screen, once that is there."""

    async def run():
        app = KalookiApp(wishes or Wishes())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(lambda: isinstance(app.screen, First))
            await pilot.pause()
            await script(pilot, app.screen)

    asyncio.run(run())


async def choose(pilot, value: str) -> None:
    """Change the line that is chosen until it has a value."""
    line = pilot.app.screen.focused
    assert value in line.values
    for _ in line.values:
        if line.value == value:
            break
        await press(pilot, "right")
    assert line.value == value


def test_the_first_screen_chooses_variant_seats_and_opponents():
    async def script(pilot, first):
        await choose(pilot, "kalooki40")
        assert "40 points" in str(first.query_one("#words", Static).render())
        await press(pilot, "down", "right")
        await until(lambda: first.query_one("#seat2").display)
        for seat in ("seat1", "seat2"):
            await press(pilot, "down")
            assert first.focused.id == seat
            await choose(pilot, "greedy")
        await press(pilot, "down")
        assert first.focused.word == "Speed"
        await press(pilot, "enter")
        table = await table_of(pilot)
        assert table.session.game.rules.name == "kalooki40"
        assert table.session.names == ["you", "Beginner 1", "Beginner 2"]

    on_first_screen(script)


@pytest.mark.parametrize("step", [1, -1])
def test_a_line_that_has_just_appeared_is_gone_to_in_its_place(step):
    async def script(pilot, first):
        many = first.query_one("#many", Chooser)
        first.set_focus(many)
        # Nothing is laid out before this task waits for something.
        many.value = "4"
        first.show()
        lines = ["many", "seat1", "seat2", "seat3", "speed", "deal", "variant"][::step]
        seen = []
        for _ in lines:
            seen.append(first.focused.id)
            first.action_step(step)
        at = lines.index("many")
        assert seen == lines[at:] + lines[:at]

    on_first_screen(script)


def test_tab_goes_to_the_next_line_and_back():
    async def script(pilot, first):
        steps = {key: b.action for b in First.BINDINGS for key in b.key.split(",")}
        assert steps["tab"] == steps["down"] and steps["shift+tab"] == steps["up"]
        for key, line in [("tab", "many"), ("tab", "seat1"), ("shift+tab", "many")]:
            await press(pilot, key)
            assert first.focused.id == line

    on_first_screen(script)


def test_variants_offer_only_seats_that_can_be_dealt():
    async def script(pilot, first):
        for preset in PRESETS:
            assert first.query_one("#variant", Chooser).value == preset
            rules = PRESETS[preset]
            offered = [int(n) for n in first.query_one("#many", Chooser).values]
            assert offered[0] == rules.min_seats
            assert offered[-1] == rules.max_seats
            await press(pilot, "right")

    on_first_screen(script)


def test_a_match_is_left_and_gone_on_with_from_the_first_screen():
    wishes = Wishes(opponents="greedy", seed=7)

    async def leave():
        app = KalookiApp(wishes, begin=lambda: seating.sit_down(wishes), speed="instant")
        async with app.run_test(size=(80, 24)) as pilot:
            table = await table_of(pilot)
            await until(lambda: table.session.my_turn)
            await press(pilot, "minus", "d", "q")
            await until(lambda: isinstance(app.screen, dialogs.Choose))
            await press(pilot, "2")
            await until(lambda: app.return_value is not None)
        assert "Go on with this match: kalooki play --continue" in app.return_value
        return table.session.game.clone()

    async def go_on(game):
        app = KalookiApp(Wishes())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(lambda: isinstance(app.screen, First) and app.screen.tables)
            await press(pilot, "c")
            table = await table_of(pilot)
            assert table.speed == "fast"
            assert (
                table.seated.told == "You go on with your match. Your opponent: Beginner (greedy)."
            )
            assert table.session.game == game
            await play(pilot, table, f"discard {table.query_one(Hand).cards[0]}")

    asyncio.run(go_on(asyncio.run(leave())))
    [table] = saved.tables()
    assert records.verify(table.record, unfinished=True).games == 1


def test_an_opponent_that_cannot_be_had_is_said_on_the_first_screen():
    async def run():
        app = KalookiApp(Wishes())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(lambda: isinstance(app.screen, First))
            first = app.screen
            app.sit_down(Wishes(opponents="nobody"), "instant")
            await until(lambda: "nobody" in str(first.query_one("#problem", Static).render()))
            await pilot.pause()
            assert app.screen is first

    asyncio.run(run())


@pytest.mark.parametrize(
    ("preset", "end"),
    [
        ("british", "Over 150 in all you are out; the last one left takes the pool."),
        ("north_american", "The match is one deal; the highest total wins."),
        ("kalooki40", "The match ends when somebody has 100 in all; the lowest total wins."),
        ("contract", "The match has 9 deals; the lowest total wins."),
        ("ring51", "The match is one deal, after which the pool is shared out."),
    ],
)
def test_the_primer_says_how_a_match_ends(preset, end):
    assert primer(PRESETS[preset], 2)[-1] == end


def test_the_primer_tells_of_the_first_up_card_where_it_may_be_taken():
    def told(rules):
        return "Whoever plays first may take the up-card." in " ".join(primer(rules, 2))

    assert told(PRESETS["british"])
    assert not told(dataclasses.replace(PRESETS["british"], first_turn_take=False))
    assert not told(PRESETS["kalooki40"])
