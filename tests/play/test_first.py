"""The first screen, leaving, going on."""

import asyncio
import dataclasses
import json

import pytest

pytest.importorskip("textual")

from textual.widgets import Static

from kalooki_env import actions, agents, observation, records
from kalooki_env.agents import BUILT_IN
from kalooki_env.agents.header import FORMAT_VERSION, KEY
from kalooki_env.play import players, saved, seating
from kalooki_env.play.saved import Saved
from kalooki_env.play.screen import dialogs
from kalooki_env.play.screen.app import KalookiApp
from kalooki_env.play.screen.boards import Hand
from kalooki_env.play.screen.first import SPEEDS, Chooser, First
from kalooki_env.play.screen.primer import primer
from kalooki_env.play.screen.wait import Wait
from kalooki_env.play.wishes import Wishes
from kalooki_env.rules import PRESETS
from tests.play.driving import play, press, table_of, until
from tests.play.walk import shown


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


@pytest.mark.parametrize("keys", [("right",), ("left", "left"), ("right", "right", "left")])
def test_the_note_beside_a_choice_is_its_own(keys):
    async def script(pilot, first):
        await pilot.resize_terminal(120, 40)
        for name in ("seat1", "speed"):
            line = first.query_one(f"#{name}", Chooser)
            first.set_focus(line)
            await pilot.pause()
            for key in keys:
                await press(pilot, key)
            await pilot.pause()
            strips = line.render_lines(line.size.region)
            written = "".join(segment.text for strip in strips for segment in strip).rstrip()
            note = SPEEDS[line.value] if name == "speed" else players.about(line.value).strength
            title = line.value if name == "speed" else players.title(line.value)
            assert written.endswith(f" {title} ▸  {note}".rstrip())

    on_first_screen(script)


def checkpoint(path, seats, **changes):
    """Write the header of a checkpoint, which is all that the first screen reads."""
    header = {
        "format_version": FORMAT_VERSION,
        "observation_version": observation.VERSION,
        "action_version": actions.VERSION,
        "network": {"seats": seats},
        "rules": PRESETS["british"].to_dict(),
        "seats": 2,
        "decisions": 1_000_000,
        **changes,
    }
    data = json.dumps({"__metadata__": {KEY: json.dumps(header)}}).encode()
    path.write_bytes(len(data).to_bytes(8, "little") + data)


def test_every_level_is_offered_and_only_who_can_sit_at_that_many_seats(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    monkeypatch.setattr(agents, "_folders", lambda name: [folder] if name == "checkpoints" else [])
    for seats in (2, 3, 6):
        checkpoint(folder / f"for{seats}.safetensors", seats)
    checkpoint(folder / "old.safetensors", 6, observation_version=0)
    (folder / "broken.safetensors").write_text("nothing")
    levels = ["random", "greedy", "heuristic:light", "heuristic", "search"]
    assert set(BUILT_IN) <= set(levels)

    async def script(pilot, first):
        await until(lambda: "for6" in first.most_seats)
        await pilot.pause()
        many = first.query_one("#many", Chooser)
        for seats in (2, 3, 5):
            first.query_one("#seat1", Chooser).value = "for2"
            many.value = str(seats)
            first.show()
            for number in range(1, seats):
                line = first.query_one(f"#seat{number}", Chooser)
                assert line.values[: len(levels)] == levels
                fit = {name for name in ("for2", "for3", "for6") if int(name[-1]) >= seats}
                assert set(line.values[len(levels) :]) == fit
            value = first.query_one("#seat1", Chooser).value
            assert value == ("for2" if seats == 2 else players.DEFAULT)

    on_first_screen(script)


def test_the_quick_form_of_a_level_sits_down():
    async def script(pilot, first):
        first.set_focus(first.query_one("#seat1"))
        await choose(pilot, "heuristic:light")
        await press(pilot, "enter")
        table = await table_of(pilot)
        assert table.session.names == ["you", "Regular"]

    on_first_screen(script)


def test_names_and_paths_with_brackets_are_shown_as_they_are(tmp_path, monkeypatch):
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    monkeypatch.setattr(agents, "_folders", lambda name: [folder] if name == "checkpoints" else [])
    for name in ("[@click=app.quit]z", "[b]bold[", "[/x]"):
        checkpoint(folder / f"{name.replace('/', '_')}.safetensors", 6)
    left = Saved("/dev/null", ("greedy",), "[/b] rules [red", 1, (0, 0))
    monkeypatch.setattr(saved, "tables", lambda: [left])

    async def script(pilot, first):
        await pilot.resize_terminal(120, 40)
        await until(lambda: first.tables)
        await pilot.pause()
        assert 'contracts ["33", "34"]' in shown(first)
        line = first.query_one("#seat1", Chooser)
        first.set_focus(line)
        for name in ("[@click=app.quit]z", "[b]bold[", "[_x]"):
            await choose(pilot, name)
            await pilot.pause()
            assert f"◂ {name} ▸" in shown(first)
            assert f"{name} taught itself" in shown(first)
        await pilot.click("#strength", offset=(20, 0))
        assert "Go on: [/b] rules [red, 2 seats" in shown(first)
        for words in ("[/b]", "[@click=app.quit]z[/]", "\x1b[31m[red"):
            first.problem(words)
            await pilot.pause()
            assert words.replace("\x1b", "") in shown(first)
            assert "\x1b" not in shown(first)
        assert pilot.app.is_running and not pilot.app.leaving

    on_first_screen(script, Wishes(rules="contract", knobs={"contracts": ["33", "34"]}))


def test_two_enters_sit_down_once():
    sat = []

    async def run():
        app = KalookiApp(Wishes(keep=False))
        async with app.run_test(size=(80, 24)) as pilot:
            await until(lambda: isinstance(app.screen, First))
            await pilot.pause()
            in_thread = app.in_thread

            def counted(work, aside=False):
                sat.append(work)
                return in_thread(work, aside)

            app.in_thread = counted
            first = app.screen
            for _ in range(3):
                first.action_deal()
                await asyncio.sleep(0)
            await until(lambda: isinstance(app.screen, Wait))
            first.action_deal()
            await table_of(pilot)
            assert len(app.screen_stack) == 3
        assert len([work for work in sat if "sit_down" in str(work)]) == 1

    asyncio.run(run())


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
