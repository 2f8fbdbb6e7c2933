"""Whole matches of every preset keep the books that the rules ask for.

`python -m tests.matches` plays many more.
"""

import pytest

from tests.matches import table as playing
from tests.matches.__main__ import knobs_parts, parts_of, play_matches, report
from tests.matches.table import Table, Violation, run_part
from tests.matches.variants import VARIANTS, Part, seats_of

FEWER = {"contract": 2, "contract, 3 deals": 8}
"""Matches of the variants that take long: a contract of four melds is seldom laid."""


def part_of(variant: str, count: int, **knobs: object) -> Part:
    return Part(variant, {**VARIANTS[variant], **knobs}, seats_of(variant), 1, 0, count)


def played(part: Part) -> dict[str, int]:
    _, seen, wrong = run_part(part)
    assert not wrong, wrong
    return seen


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_deal_agrees_with_independent_books(variant):
    count = FEWER.get(variant, 20)
    seen = played(part_of(variant, count))
    assert seen["matches"] == count
    assert seen["checks"] >= 2 * seen["deals"]


def test_pool_matches_have_buy_ins_and_leave_one_seat():
    seen = played(part_of("british, 3 buy-ins", 20))
    assert seen["buy_ins"] > 10
    assert seen["eliminated"] == 5 * (1 + 2 + 3 + 4), "five matches of 2, 3, 4 and 5 seats each"


def test_matches_of_deals_end_in_ties_now_and_then():
    seen = played(part_of("kalooki40, 4 deals", 100))
    assert seen["ties"] > 0
    assert seen["deals"] - seen["void"] - seen["cut"] == 400


def test_matches_under_rules_drawn_at_random():
    parts = knobs_parts(4, None, seed=1)
    assert len({str(part.rules) for part in parts}) == 4
    assert sum(played(part)["deals"] for part in parts) > 50


def a_point_more(games, lane):
    games["totals"][lane, 0] += 1


def the_wrong_dealer(games, lane):
    games["dealer"][lane] = (games["dealer"][lane] + 1) % games["seats"][lane]


def a_coin_from_nowhere(games, lane):
    games["pool"][lane] += 1


def a_hand_for_an_eliminated_seat(games, lane):
    out = games["eliminated"][lane, : games["seats"][lane]]
    games["hand_size"][lane, : games["seats"][lane]][out == 1] = 1


@pytest.mark.parametrize(
    ("mischief", "words"),
    [
        (a_point_more, "the next deal: expected totals"),
        (the_wrong_dealer, "the next deal: expected dealer"),
        (a_coin_from_nowhere, "sum of the ledgers and the pool 0, got 1"),
        (a_hand_for_an_eliminated_seat, "the next deal: expected hands"),
    ],
)
def test_a_fault_between_two_deals_is_found(mischief, words, monkeypatch):
    honest = playing.deal_next_at

    def dealt_wrongly(games, lane, record):
        honest(games, lane, record)
        mischief(games, lane)

    monkeypatch.setattr(playing, "deal_next_at", dealt_wrongly)
    with pytest.raises(Violation, match=words):
        Table(part_of("british", 20)).play()


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("call_up", "the end of the deal: expected money .* chips"),
        ("out_above", "the end of the deal: expected (eliminated|to_decide)"),
        ("buy_in", r"a decision \(buy in\): expected money"),
        ("buy_ins", "to_decide"),
    ],
)
def test_a_match_by_other_rules_is_found(field, words):
    table = Table(part_of("british", 40))
    table.record[field] += 1 if field != "out_above" else -1
    with pytest.raises(Violation, match=words):
        table.play()


def test_the_report_tells_what_is_wrong_and_how_to_repeat_it(monkeypatch):
    parts = parts_of("kalooki40", 10, [3], seed=5, first=3)
    seen, wrong = play_matches(parts, processes=1)
    assert not wrong
    assert "10 matches to the end, 0 left" in report(seen)
    table = Table(parts[0])
    table.record["target"] = 20
    with pytest.raises(Violation) as error:
        table.play()
    assert '--variants "kalooki40" --first' in str(error.value)
    assert "--seats 3 --seed 5" in str(error.value)
