"""`kalooki play --set`: a preset with changed knobs, at every table."""

import asyncio
import io
import shlex

import pytest

from kalooki_env import cli
from kalooki_env.play import saved, seating
from kalooki_env.play.screen.primer import primer
from kalooki_env.play.wishes import Wishes
from kalooki_env.rules import Rules

HOUSE = {"opening_points": 51, "hand_size": {"2": 15, "3": 13}}
WORDS = ["--set", "opening_points=51", "--set", 'hand_size={"2": 15, "3": 13}']
RULES = Rules.preset("british", **HOUSE)


def plain(monkeypatch, *options, lines=("quit",)):
    """Run the plain table with a text in place of the keyboard."""
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    return cli.main(["play", "--plain", "--opponent", "random", *options])


def test_the_plain_table_plays_house_rules_and_tells_how_to_deal_them_again(monkeypatch, capsys):
    assert plain(monkeypatch, *WORDS, "--seed", "3") == 0
    first = capsys.readouterr().out
    assert "british* rules" in first
    (command,) = [line for line in first.splitlines() if "The same cards again: " in line]
    words = shlex.split(command.partition("The same cards again: ")[2])
    assert words[:2] == ["kalooki", "play"]
    settings = [words[k + 1] for k, word in enumerate(words) if word == "--set"]
    assert sorted(settings) == sorted(WORDS[1::2])
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert cli.main([*words[1:], "--plain"]) == 0
    assert capsys.readouterr().out.count("british* rules") == 1


def test_a_match_by_house_rules_is_gone_on_with(monkeypatch, capsys):
    plain(monkeypatch, *WORDS, lines=("draw", "quit"))
    assert saved.tables()[0].rules == "british*"
    seated = seating.resume()
    assert seated.session.game.rules == RULES
    assert "--set opening_points=51" in seated.again


@pytest.mark.parametrize(
    "words, told",
    [
        (["--set", "opening_pionts=51"], "opening_points"),
        (["--set", "opening_points"], "expected KNOB=VALUE"),
        (["--set", "decks=7"], "decks"),
        (["--set", "decks=1", "--continue"], "--continue: expected no option of a new match"),
    ],
)
def test_a_wrong_setting_is_one_line(monkeypatch, capsys, words, told):
    assert plain(monkeypatch, *words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert told in err


def test_the_server_refuses_what_no_table_could_open_with(monkeypatch, capsys):
    monkeypatch.setattr("kalooki_env.play.web.serve", lambda *_: pytest.fail("it serves"))
    for words in (["--set", "opening_pionts=51"], ["--rules", "nosuch"], ["--seats", "9"]):
        assert cli.main(["play", "--web", *words]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_the_first_screen_tells_the_end_of_the_match_and_the_opening_of_house_rules():
    words = primer(Rules.preset("british", deals=1), 2)
    assert words[-1] == "The match is one deal; the lowest total wins."
    assert "takes the pool" in primer(Rules.preset("british"), 2)[-1]
    free = primer(Rules.preset("british", opening_points=0), 2)
    assert "Your first meld opens, whatever it is worth." in free


def test_the_screen_plays_house_rules_and_offers_them_afterwards():
    pytest.importorskip("textual")
    from textual.widgets import Static

    from kalooki_env.play.screen.app import KalookiApp
    from kalooki_env.play.screen.first import Chooser, First
    from tests.play.driving import press, table_of, until

    async def run():
        app = KalookiApp(Wishes(knobs=HOUSE, opponents="random", seed=7))
        async with app.run_test(size=(80, 24)) as pilot:
            await until(lambda: isinstance(app.screen, First))
            await pilot.pause()
            first = app.screen
            assert first.query_one("#variant", Chooser).value == "british*"
            about = str(first.query_one("#about", Static).render())
            assert "opening_points 51" in about
            assert "51 points" in str(first.query_one("#words", Static).render())
            await press(pilot, "enter")
            table = await table_of(pilot)
            assert table.session.game.rules == RULES

    asyncio.run(run())
