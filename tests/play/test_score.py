"""The end of a deal and of a match in words."""

import pytest

from kalooki_env.play import score
from kalooki_env.play.session import ScoreRow
from kalooki_env.render.style import Style

NAMES = ["you", "greedy 1", "greedy 2"]


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ({"winner": 0, "kalooki": False, "void": False}, "You won."),
        ({"winner": 2, "kalooki": True, "void": False}, "Greedy 2 won, with a kalooki."),
        (
            {"winner": None, "kalooki": False, "void": True},
            "Nobody wins: the deal is void, the same dealer deals again.",
        ),
    ],
)
def test_a_deal_ends(result, told):
    assert score.deal_end(result, NAMES) == told


@pytest.mark.parametrize(
    ("winner", "told"),
    [
        (0, "The match is over: you win it."),
        (1, "The match is over: greedy 1 wins it."),
        ([0, 2], "The match is over: you and greedy 2 win it."),
        (None, "The match is over."),
    ],
)
def test_a_match_ends(winner, told):
    assert score.match_end({"match_winner": winner}, NAMES, 0) == told


def test_the_score_shows_hands_and_who_is_out():
    rows = [
        ScoreRow(0, False, "5C 4C * 5D", 29, -1, 151, True),
        ScoreRow(1, True, "", 0, 1, 20, False),
        ScoreRow(2, False, "", 0, 0, 180, True),
    ]
    assert score.table(rows, NAMES, Style(), stakes=True).splitlines() == [
        "            penalty  chips  total   cards left",
        "  you            29     -1    151   4C 5C  5D  *   eliminated",
        "  greedy 1        0     +1     20   out",
        "  greedy 2  out of the match",
    ]
    assert "chips" not in score.table(rows, NAMES, Style(), stakes=False)
