"""Deals that were cut at the turn cap: named, warned about, and nothing claimed where all were."""

import json

import pytest

from kalooki_env import Rules, arena, cli
from kalooki_env.arena import ladder_file, ladder_text, table
from kalooki_env.arena.crossplay import Ladders, play_on

CUT = Rules.preset("british", turn_cap=3)
CLAIMS = (
    "win_rate", "points_per_deal", "duplicate_variance_ratio", "points_variance_ratio",
    "swept", "swept_by_b", "sign_test_p",
)  # fmt: skip


def test_where_every_deal_was_cut_nothing_is_claimed():
    result = arena.evaluate("greedy", "random", CUT, deals=20)
    assert result.cut_rate == 1 and result.void_rate == 0
    assert [getattr(result, name) for name in CLAIMS] == [None] * len(CLAIMS)
    assert result.win_rate_ci95 == result.points_ci95 == (None, None)
    assert result.warning.startswith("all 20 deals were cut at the turn cap")
    assert json.loads(json.dumps(result.as_dict()))["win_rate"] is None
    mixed = arena.evaluate_table(["greedy", "random", "random"], CUT, deals=9)
    assert {(one.win_rate, one.win_rate_ci95, one.points_per_deal) for one in mixed.agents} == {
        (None, (None, None), None)
    }
    assert "no win rate is claimed" in mixed.warning


def test_where_some_were_cut_their_share_is_told_and_where_none_was_nothing_is():
    some = arena.evaluate("random", "random", Rules.preset("kalooki40", turn_cap=60), deals=40)
    assert 0 < some.cut_rate < 1
    assert some.warning == (
        f"{some.cut_rate:.1%} of 40 deals were cut at the turn cap and count as 1/2 of a win each, "
        "which draws the win rate towards even"
    )
    assert 0 < some.win_rate < 1
    assert arena.evaluate("greedy", "greedy", deals=4).warning is None


@pytest.fixture
def short(monkeypatch):
    """Cut every deal of the arena at three turns."""
    monkeypatch.setattr(table, "TURN_CAP", 3)


@pytest.mark.parametrize("names", [["greedy", "random"], ["greedy", "random", "random"]])
def test_the_command_warns_in_one_line_and_shows_no_rate(short, capsys, names):
    assert cli.main(["evaluate", *names, "--deals", "12"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("kalooki evaluate: all 12 deals were cut") and err.count("\n") == 1
    assert "none: every deal was cut" in out
    assert "void, cut        0.00%, 100.00%" in out
    assert "is even" not in out and "95 %" not in out
    assert cli.main(["evaluate", *names, "--deals", "12", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    figures = json.loads(out)
    assert figures["cut_rate"] == 1
    assert [one["win_rate"] for one in figures.get("agents", [figures])] == [None] * (
        len(names) if len(names) > 2 else 1
    )


def test_a_pair_that_was_always_cut_rates_nobody(short, tmp_path):
    found = arena.ladder(["greedy", "random", "heuristic:light"], deals=8)
    [place] = found.ladders
    assert [pair.win_rate for pair in place.pairs] == [None] * 3
    assert place.expected == [None] * 3
    assert [(one.agent, one.rating) for one in place.ratings] == [
        ("greedy", 1000),
        ("random", None),
        ("heuristic:light", None),
    ]
    text = ladder_text.to_markdown(found)
    assert "| | `random` | | not comparable |" in text
    assert "Not comparable with `greedy`" in text
    assert "Warning: in 3 of 3 pairs deals were cut at the turn cap (100.0% between" in text
    assert "| `greedy` |  | all cut | all cut |" in text
    assert "explain every pair" not in text
    path = tmp_path / "ladder.json"
    ladder_file.write(path, ladder_file.to_json(found))
    again, _ = ladder_file.read(path)
    assert again.ladders[0].pairs == place.pairs
    play_on(again)
    assert ladder_file.to_json(again) == ladder_file.to_json(found)
    data = json.loads(path.read_text())
    data["ladders"][0]["pairs"][0]["cut_rate"] = 0.5
    path.write_text(json.dumps(data))
    with pytest.raises(ladder_file.LadderError, match="have no win rate"):
        ladder_file.read(path)


def one_sided():
    """Return a ladder in which one agent won every deal, one lost every one, and one was always cut."""

    def pair(a, b, digits, cut=0.0):
        wins = arena.crossplay.rates_of(digits, 2) if not cut else None
        rate = None if wins is None else float(wins.mean())
        interval = (None, None) if wins is None else arena.rate_interval(wins)
        points = None if wins is None else 0.0
        return arena.crossplay.PairResult(
            a, b, 2 * len(digits), rate, interval, points, (None, None), 0.0, cut, 30.0, digits, ""
        )

    names = ["greedy", "best", "worst", "level", "stuck"]
    found = Ladders(names, 40)
    place = found.ladder("british", 2)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            digits = {("greedy", "best"): "0", ("greedy", "level"): "24"}.get((a, b), "4")
            if a == "worst":
                digits = "0"
            if a == "best":
                digits = "4"
            stuck = "stuck" in (a, b)
            count = 20 // len(digits)
            place.pairs.append(pair(a, b, ("2" if stuck else digits) * count, float(stuck)))
    play_on(found)
    return found


def test_a_ladder_says_whose_rating_has_one_end(monkeypatch):
    monkeypatch.setattr(arena.crossplay.agents_there, "load", lambda name: arena_agent())
    found = one_sided()
    [place] = found.ladders
    ratings = {one.agent: one for one in place.ratings}
    assert ratings["best"].ci95[1] is None and ratings["worst"].ci95[0] is None
    assert ratings["stuck"].rating is None
    assert place.ratings[-1].agent == "stuck"
    text = ladder_text.to_markdown(found)
    assert f"| 1 | `best` | {ratings['best'].rating:.0f} | at least " in text
    assert f"`worst` | {ratings['worst'].rating:.0f} | at most " in text
    assert "A rating with one end is that of an agent that won every deal" in text
    assert "Not comparable with `greedy`, since no chain of won deals links them: `stuck`." in text
    assert json.loads(ladder_file.to_json(found))["ladders"][0]["ratings"][-1] == {
        "agent": "stuck",
        "rating": None,
        "ci95": [None, None],
    }


def test_the_picture_leaves_out_who_has_no_rating(monkeypatch):
    pytest.importorskip("matplotlib")
    from kalooki_env.arena import picture

    monkeypatch.setattr(arena.crossplay.agents_there, "load", lambda name: arena_agent())
    text = picture.draw(one_sided()).decode()
    assert "best leads by" in text and "worst" in text and "stuck" not in text


def arena_agent():
    """Return an agent that can sit at any table."""
    from kalooki_env.agents.random_agent import RandomAgent

    return RandomAgent()
