"""Ladders: the fit, cross-play, files that can be gone on with, Markdown and the picture."""

import json
import math

import numpy as np
import pytest

from kalooki_env import arena, cli
from kalooki_env.arena import ladder_file, ladder_text
from kalooki_env.arena.crossplay import Ladder, Ladders, PairResult, check, rates_of
from kalooki_env.arena.rating import Pair, fit
from kalooki_env.errors import KalookiError

# The fit


def chances(strengths, seats):
    """Return the pairs of some strengths with the win rates that the model gives them."""
    return {
        (a, b): strengths[a] / (strengths[a] + (seats - 1) * strengths[b])
        for a in range(len(strengths))
        for b in range(len(strengths))
        if a < b or (a != b and seats > 2)
    }


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_fit_finds_the_strengths_that_made_the_wins(seats):
    strengths = [1.0, 10.0, 0.1, 2.5]
    pairs = [Pair(a, b, np.full(10**6, rate)) for (a, b), rate in chances(strengths, seats).items()]
    found = fit(pairs, 4, seats, anchor=0, samples=2)
    assert found.ratings == pytest.approx([1000, 1400, 600, 1000 + 400 * math.log10(2.5)], abs=0.1)
    assert found.expected == pytest.approx([pair.wins[0] for pair in pairs], abs=1e-5)
    assert fit(pairs, 4, seats, anchor=3, samples=2).ratings[3] == 1000


def test_two_agents_have_the_rating_of_their_odds():
    wins = np.array([1.0] * 75 + [0.0] * 25)
    # 150 of 200 deals, and one more that nobody won.
    odds = 150.5 / 50.5
    assert fit([Pair(0, 1, wins)], 2, 2, anchor=1, samples=2).ratings[0] == pytest.approx(
        1000 + 400 * math.log10(odds)
    )


def test_who_loses_everything_has_a_rating_all_the_same():
    found = fit([Pair(0, 1, np.zeros(100)), Pair(1, 2, np.full(100, 0.5))], 3, 2, anchor=1)
    assert found.ratings[0] == pytest.approx(1000 - 400 * math.log10(401))
    assert found.ratings[1:] == pytest.approx([1000, 1000])


def test_intervals_hold_the_truth_about_19_times_in_20():
    rng = np.random.default_rng(5)
    rates, hits = chances([1.0, 1.5, 0.6], 2), 0
    truth = 1000 + 400 * math.log10(1.5)
    for _ in range(300):
        pairs = [Pair(a, b, rng.binomial(2, rate, 200) / 2) for (a, b), rate in rates.items()]
        low, high = fit(pairs, 3, 2, anchor=0, samples=200).intervals[1]
        hits += low <= truth <= high
    assert 270 <= hits <= 297


def test_deals_that_all_pairs_share_are_drawn_together():
    # Where A and C win the very same deals against B, they are exactly level in every sample.
    rng = np.random.default_rng(2)
    wins = rng.integers(0, 2, 400).astype(float)
    found = fit([Pair(0, 1, wins), Pair(2, 1, wins)], 3, 2, anchor=0)
    assert found.ratings[2] == pytest.approx(1000)
    assert found.intervals[2] == pytest.approx((1000, 1000))


def test_one_deal_has_no_interval_and_the_anchor_none_of_width():
    assert fit([Pair(0, 1, np.array([0.5]))], 2, 2, anchor=0).intervals == [(None, None)] * 2
    found = fit([Pair(0, 1, np.array([0.5, 1.0]))], 2, 2, anchor=0)
    assert found.intervals[0] == (1000, 1000)


def chance_pair(a, b, rng, rate=0.5, deals=100):
    """Return a pair of two-seat deals that A wins with some chance."""
    return Pair(a, b, rng.binomial(2, rate, deals) / 2)


def test_groups_that_never_met_are_not_comparable():
    rng = np.random.default_rng(3)
    linked, apart = chance_pair(0, 1, rng, 0.7), chance_pair(2, 3, rng, 0.8)
    found = fit([linked, apart], 5, 2, anchor=1)
    assert np.isnan(found.ratings).tolist() == [False, False, True, True, True]
    assert found.intervals[2:] == [(None, None)] * 3
    alone = fit([linked], 2, 2, anchor=1)
    assert found.ratings[:2] == pytest.approx(alone.ratings)
    assert found.intervals[:2] == [pytest.approx(interval) for interval in alone.intervals]
    # Within their own group the strangers' results are explained as well as anybody's.
    assert found.expected[1] == pytest.approx((apart.wins.sum() * 2 + 0.5) / 201)


def test_an_anchor_that_met_nobody_is_alone():
    found = fit([chance_pair(0, 1, np.random.default_rng(4))], 3, 2, anchor=2)
    assert found.ratings[2] == 1000
    assert np.isnan(found.ratings[:2]).all()
    nothing = fit([], 3, 2, anchor=1)
    assert nothing.ratings[1] == 1000
    assert np.isnan(nothing.ratings[[0, 2]]).all()


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("deals", [2, 100, 5000])
def test_who_won_or_lost_every_deal_has_a_rating_with_one_end(seats, deals):
    rng = np.random.default_rng(5)
    even = [Pair(a, b, rng.binomial(2, 0.4, deals) / 2) for a, b in ((1, 2), (2, 1))]
    best, worst = 0, 3
    lopsided = [Pair(best, other, np.ones(deals)) for other in (1, 2, worst)]
    lopsided += [Pair(worst, other, np.zeros(deals)) for other in (1, 2)]
    found = fit(even + lopsided, 4, seats, anchor=1)
    assert np.isfinite(found.ratings).all()
    (low, unbounded), (unknown, high) = found.intervals[best], found.intervals[worst]
    assert unbounded is None and unknown is None
    assert low < found.ratings[best] and high > found.ratings[worst]
    if deals > 2:
        assert high < 1000 < low
        assert None not in found.intervals[2]


def test_two_who_only_lost_to_a_third_are_not_comparable():
    found = fit([Pair(0, 1, np.ones(50)), Pair(0, 2, np.ones(50))], 3, 2, anchor=1)
    assert np.isnan(found.ratings).tolist() == [False, False, True]
    assert found.intervals[0][1] is None and found.intervals[2] == (None, None)


def test_a_rating_whose_deals_are_all_alike_has_a_width():
    found = fit([Pair(0, 1, np.full(50, 0.5))], 2, 2, anchor=1)
    low, high = found.intervals[0]
    assert low < 990 < found.ratings[0] < 1010 < high
    assert found.intervals[1] == (1000, 1000)


# Playing


@pytest.fixture(scope="module")
def played():
    return arena.ladder(["random", "greedy"], seats=(2, 3), deals=60, seed=7)


def test_a_pair_is_the_evaluation_of_the_same_name(played):
    two, three = played.ladders
    assert [(pair.a, pair.b) for pair in two.pairs] == [("random", "greedy")]
    assert [(pair.a, pair.b) for pair in three.pairs] == [
        ("random", "greedy"),
        ("greedy", "random"),
    ]
    for place in played.ladders:
        for pair in place.pairs:
            result = arena.evaluate(pair.a, pair.b, seats=place.seats, deals=60, seed=7)
            assert pair.win_rate == result.win_rate
            assert pair.win_rate_ci95 == result.win_rate_ci95
            assert pair.points_per_deal == result.points_per_deal
            assert rates_of(pair.scores, place.seats).mean() == pytest.approx(pair.win_rate)
            assert len(pair.scores) == 60 / place.seats


def test_the_strongest_stands_first_and_the_anchor_has_1000(played):
    for place in played.ladders:
        assert [one.agent for one in place.ratings] == ["greedy", "random"]
        assert place.ratings[0].rating == 1000
        low, high = place.ratings[1].ci95
        assert low < place.ratings[1].rating < high < 800


def test_processes_and_order_change_no_rating(played):
    again = arena.ladder(["greedy", "random"], seats=(2, 3), deals=60, seed=7, processes=2)
    for place, other in zip(played.ladders, again.ladders, strict=True):
        for pair in other.pairs:
            known = place.find(pair.a, pair.b)
            assert known is None or known == pair
        if place.seats == 3:  # with two the agents have changed their random streams
            assert [one.rating for one in place.ratings] == pytest.approx(
                [one.rating for one in other.ratings]
            )


@pytest.mark.parametrize(
    ("ladders", "told"),
    [
        (Ladders(["greedy"]), "expected at least two agents, got greedy"),
        (Ladders(["greedy", "random", "greedy"]), "expected every agent once, got greedy"),
        (Ladders(["random", "british2"]), "add it, or name one of these with --anchor"),
        (Ladders(["greedy", "nobody"]), "expected an agent, got 'nobody'"),
        (Ladders(["greedy", "random"], ladders=[Ladder("british", 6)]), "expected 2-5"),
        (Ladders(["greedy", "random"], ladders=[Ladder("bridge", 2)]), "got 'bridge'"),
    ],
)
def test_what_makes_no_ladder_is_told_before_anything_is_played(ladders, told):
    with pytest.raises(KalookiError, match=told):
        check(ladders)


# Files


def ladder(capsys, *words):
    """Run the command; return exit code, standard output and standard error."""
    try:
        code = cli.main(["ladder", *map(str, words)])
    except SystemExit as leave:
        code = leave.code
    out, err = capsys.readouterr()
    return code, out, err


WORDS = ("greedy", "random", "--deals", 40, "--seed", 2)


def test_a_ladder_that_is_gone_on_with_is_the_one_played_at_once(capsys, tmp_path, monkeypatch):
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    assert ladder(capsys, *WORDS, "--seats", 2, "--seats", 3, "--json", whole)[0] == 0
    assert ladder(capsys, *WORDS, "--json", parts)[0] == 0
    assert json.loads(parts.read_text())["ladders"][0]["ratings"]
    words = ("--continue", "--json", parts)
    assert ladder(capsys, *words, "--seats", 2, "--seats", 3)[0] == 0
    assert parts.read_bytes() == whole.read_bytes()
    # Nothing is left to play: not one game is.
    monkeypatch.setattr("kalooki_env.arena.workers.play", lambda *_: pytest.fail("played again"))
    code, out, _ = ladder(capsys, *words)
    assert code == 0
    assert out.startswith("# Ladder\n")
    assert parts.read_bytes() == whole.read_bytes()


def test_pairs_that_other_code_played_are_kept_and_told(capsys, tmp_path):
    path = tmp_path / "a.json"
    assert ladder(capsys, *WORDS, "--json", path)[0] == 0
    assert "changed" not in ladder(capsys, "--continue", "--json", path)[2]
    data = json.loads(path.read_text())
    data["ladders"][0]["pairs"][0]["code"] = "older"
    path.write_text(json.dumps(data))
    for _ in range(2):
        code, _, err = ladder(capsys, "--continue", "--json", path)
        assert code == 0
        assert err.startswith("kalooki ladder: engine or agents have changed since some pairs")
    assert json.loads(path.read_text())["ladders"][0]["pairs"][0]["code"] == "older"


def test_a_ladder_that_is_stopped_keeps_the_pairs_that_were_played(capsys, tmp_path, monkeypatch):
    from kalooki_env.arena import workers

    path, before, games = tmp_path / "a.json", workers.play, []

    def play(*args):
        games.append(args)
        if len(games) == 2:
            raise KeyboardInterrupt
        return before(*args)

    monkeypatch.setattr(workers, "play", play)
    words = ("--seats", 3, "--json", path)
    assert ladder(capsys, *WORDS, *words)[0] == 130
    stopped = json.loads(path.read_text())
    [place] = stopped["ladders"]
    assert [pair["a"] for pair in place["pairs"]] == ["greedy"]
    assert place["ratings"] == []
    assert "expected" not in place["pairs"][0]
    assert ladder(capsys, "--continue", "--json", path)[0] == 0
    [place] = json.loads(path.read_text())["ladders"]
    assert [pair["a"] for pair in place["pairs"]] == ["greedy", "random"]
    assert len(place["ratings"]) == 2
    assert len(games) == 3
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.json"]


def test_a_file_says_what_was_played(played, tmp_path):
    path = tmp_path / "a.json"
    ladder_file.write(path, ladder_file.to_json(played))
    again, same_code = ladder_file.read(path)
    assert same_code
    assert again.agents == ["random", "greedy"]
    assert (again.deals, again.seed, again.streams, again.anchor) == (60, 7, False, "greedy")
    assert [place.pairs for place in again.ladders] == [place.pairs for place in played.ladders]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda data: data.update(version=2), "expected a ladder of version 1, got"),
        (lambda data: data.pop("kalooki"), "which is none"),
        (lambda data: data.pop("deals"), "which was altered: 'deals'"),
        (lambda data: data.update(deals=0), "0 is no whole number of at least 1"),
        (lambda data: data["ladders"][0].update(rules="bridge"), "got 'bridge'"),
        (lambda data: data["ladders"][0]["pairs"][0].update(win_rate=0.9), "do not give their win"),
        (lambda data: data["ladders"][0]["pairs"][0].update(scores="01"), "are not those of 30"),
        (lambda data: data["ladders"][0]["pairs"][0].update(a="nobody"), "not both among"),
        (lambda data: data["ladders"][0]["pairs"][0].pop("b"), "which was altered"),
        (lambda data: data["ladders"][0]["pairs"].append(3), "which was altered"),
        (lambda data: data["agents"][0].update(checkpoint="0"), "got another file of that name"),
    ],
)
def test_a_file_that_was_altered_is_refused_in_one_sentence(played, tmp_path, capsys, change, told):
    path = tmp_path / "a.json"
    data = json.loads(ladder_file.to_json(played))
    change(data)
    path.write_text(json.dumps(data))
    before = path.read_bytes()
    code, out, err = ladder(capsys, "--continue", "--json", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nobody", "greedy"], "expected an agent, got 'nobody'"),
        (["greedy"], "expected at least two agents, got greedy"),
        (["random", "random"], "expected every agent once"),
        (["greedy", "random", "--deals", "0"], "at least 1, got '0'"),
        (["greedy", "random", "--processes", "0"], "at least 1, got '0'"),
        (["greedy", "random", "--seats", "6"], "expected 2-5"),
        (["greedy", "random", "--seats", "1"], "seats: expected 2-5"),
        (["greedy", "random", "--rules", "britsh"], "did you mean british?"),
        (["greedy", "random", "--anchor", "british2"], "rating of 1000, british2, among"),
        (["greedy", "random", "--continue"], "expected --json FILE, the ladder to go on with"),
        (["greedy", "random", "--json", "{tmp}"], "got the folder"),
        (
            ["greedy", "random", "--json", "{tmp}/no/a.json"],
            "expected a folder that can be written",
        ),
        (["greedy", "random", "--json", "{tmp}/there"], "which exists: use another name"),
        (["greedy", "random", "--markdown", "{tmp}/there"], "which exists: use another name"),
        (["greedy", "random", "--plot", "{tmp}/a.gif"], "a picture that ends in .svg, .png, .pdf"),
        (["greedy", "random", "--json", "{tmp}/a", "--markdown", "{tmp}/a"], "file of its own"),
        (["--continue", "--json", "{tmp}/none"], "No such file"),
        (["--continue", "--json", "{tmp}/there"], "which is no JSON"),
    ],
)
def test_bad_usage_is_one_line_that_says_what_to_do(capsys, tmp_path, words, told):
    (tmp_path / "there").write_text("mine")
    code, out, err = ladder(capsys, *(word.format(tmp=tmp_path) for word in words))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err
    assert [entry.name for entry in tmp_path.iterdir()] == ["there"]
    assert (tmp_path / "there").read_text() == "mine"


def test_a_ladder_is_gone_on_with_as_it_was_begun(capsys, tmp_path):
    path = tmp_path / "a.json"
    assert ladder(capsys, *WORDS, "--json", path)[0] == 0
    for words in (["--deals", "60"], ["--seed", "3"], ["--streams"], ["--anchor", "random"]):
        code, _, err = ladder(capsys, *words, "--continue", "--json", path)
        assert code == 2
        assert f"{words[0]}: expected" in err


# What is shown


def example():
    def pair(a, b, rate):
        return PairResult(
            a, b, 100, rate, (rate - 0.05, rate + 0.05), 0.0, (-1.0, 1.0), 0.0, 0.0, 30.0, "", ""
        )

    ratings = [
        arena.Rating("british2", 1012.4, (1001.0, 1023.6)),
        arena.Rating("greedy", 1000.0, (1000.0, 1000.0)),
        arena.Rating("random", 294.0, (191.0, 371.0)),
    ]
    pairs = [
        pair("random", "greedy", 0.018),
        pair("random", "british2", 0.02),
        pair("greedy", "british2", 0.482),
    ]
    place = Ladder("british", 2, pairs, ratings, [0.017, 0.016, 0.48])
    return Ladders(["random", "greedy", "british2"], 100, 3, ladders=[place])


def test_the_markdown_shows_ratings_and_both_sides_of_every_pair():
    lines = ladder_text.to_markdown(example()).splitlines()
    assert "| 1 | `british2` | 1012 | 1001 to 1024 |" in lines
    assert "| 2 | `greedy` | 1000 |  |" in lines
    assert "| `british2` |  | 0.518 ± 0.050 | 0.980 ± 0.050 |" in lines
    assert "| `random` | 0.020 ± 0.050 | 0.018 ± 0.050 |  |" in lines
    assert lines[-1].startswith(
        "The ratings explain every pair to within 0.004; least well `random`"
    )


def test_the_picture_names_every_agent(tmp_path):
    pytest.importorskip("matplotlib")
    from kalooki_env.arena import picture

    data = picture.draw(example())
    assert data == picture.draw(example())
    text = data.decode()
    assert text.startswith("<?xml")
    for name in ("british2 leads by 12", "greedy", "random", "294"):
        assert name in text
    assert picture.draw(example(), ".png").startswith(b"\x89PNG")


def test_the_command_writes_what_it_shows(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    markdown, plot = tmp_path / "a.md", tmp_path / "a.svg"
    code, out, _ = ladder(capsys, *WORDS, "--streams", "--markdown", markdown, "--plot", plot)
    assert code == 0
    assert markdown.read_text() == out
    assert "each seat drawing from its own stream of the stock" in out
    assert plot.read_text().startswith("<?xml")


def test_a_picture_without_matplotlib_is_told_before_anything_is_played(capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    code, _, err = ladder(capsys, *WORDS, "--plot", "a.svg")
    assert code == 2
    assert "run pip install 'kalooki-env[plot]'" in err


def test_a_checkpoint_that_changes_while_it_plays_is_noticed(tmp_path, monkeypatch):
    from kalooki_env.arena import crossplay

    digests = iter(["one", None, "two"])
    monkeypatch.setattr(crossplay, "checkpoint_digest", lambda name: next(digests))
    with pytest.raises(KalookiError, match="expected the checkpoint random to stay as it was"):
        arena.ladder(["random", "greedy"], deals=4)
