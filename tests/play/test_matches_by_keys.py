"""Whole matches played by an agent that only presses keys."""

import pytest

pytest.importorskip("textual")


from kalooki_env.play import score
from kalooki_env.play.screen.first import First
from kalooki_env.play.screen.score import Score
from kalooki_env.rules import PRESETS, Rules
from tests.play.driving import at_table, play_match, press, seat, until

SHORT = {
    "british": {"out_above": 5},
    "hunt51": {},
    "north_american": {},
}


@pytest.mark.parametrize("preset", SHORT)
def test_a_short_match_is_played_by_keys_alone(preset):
    rules = Rules.preset(preset, **SHORT[preset])

    async def script(pilot, table):
        session = await play_match(pilot)
        assert session.game.result["match_winner"] is not None
        await until(lambda: isinstance(pilot.app.screen, Score))
        await press(pilot, "enter")
        await until(lambda: isinstance(pilot.app.screen, First))

    at_table(script, lambda: seat(rules=rules, seats=2))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_match_is_played_by_keys_alone(preset):
    # greedy leaves the longer contracts void again and again
    agent, seats = ("heuristic", 2) if preset == "contract" else ("greedy", 3)

    async def script(pilot, table):
        session = await play_match(pilot, agent)
        assert session.game.result["match_winner"] is not None
        await until(lambda: isinstance(pilot.app.screen, Score))
        await pilot.pause()
        sheet = score.sheet(session)
        assert len(sheet) == len(session.results)
        if preset == "contract":
            assert [number for number, cells in sheet if "void" not in cells] == list("123456789")
        shown = "\n".join(
            "".join(segment.text for segment in strip)
            for strip in pilot.app.screen._compositor.render_strips()
        )
        for total in session.game.result["totals"]:
            assert str(total) in shown
        assert "The match is over" in shown

    at_table(
        script, lambda: seat(rules=PRESETS[preset], seats=seats, opponent=agent), size=(120, 60)
    )
