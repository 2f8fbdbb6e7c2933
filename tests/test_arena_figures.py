"""The arithmetic of evaluations: rates, intervals, the sign test, what duplicates are worth."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from kalooki_env import arena


def ended(winner, penalties):
    winner = np.array(winner)
    return arena.Deals(
        winner=winner,
        penalties=np.array(penalties),
        turns=np.full(winner.shape, 10),
        is_void=winner < 0,
        is_cut=np.zeros(winner.shape, bool),
    )


def test_rates_and_points_of_a_worked_example():
    # Three deals of the cards; A sits in seat 0 in the first column, in seat 1 in the second.
    deals = ended(
        winner=[[0, 1], [1, 1], [-1, 0]],
        penalties=[[[0, 30], [20, 0]], [[5, 0], [40, 0]], [[0, 0], [0, 12]]],
    )
    result = arena.summarize(deals, a="a", b="b", rules="british", seconds=1.0)
    assert result.win_rate == pytest.approx((1 + 1 + 0 + 1 + 0.5 + 0) / 6)
    assert result.points_per_deal == pytest.approx((30 + 20 - 5 + 40 + 0 - 12) / 6)
    assert result.void_rate == pytest.approx(1 / 6)
    assert result.turns_per_deal == 10
    # The unit is the deal of the cards, and there are three of them: 25, 17.5 and -6 points.
    spread = 4.302653 * np.std([25, 17.5, -6], ddof=1) / 3**0.5
    assert result.points_ci95 == pytest.approx((36.5 / 3 - spread, 36.5 / 3 + spread))
    # With 1, 1/2 and 1/4 of a win three deals leave every rate open; none is below 0 or above 1.
    assert 4.302653 * np.std([1, 0.5, 0.25], ddof=1) / 3**0.5 > 7 / 12
    assert result.win_rate_ci95 == (0.0, 1.0)


def test_a_clean_sweep_still_leaves_a_doubt():
    assert arena.rate_interval(np.ones(300)) == pytest.approx((0.99, 1.0))
    assert arena.rate_interval(np.zeros(300)) == pytest.approx((0.0, 0.01))


@pytest.mark.parametrize("n", [2, 3, 5, 20, 200])
def test_the_interval_covers_the_truth_about_19_times_in_20(n):
    rng = np.random.default_rng(0)
    rates = means = 0
    for _ in range(400):
        low, high = arena.rate_interval(rng.integers(0, 3, size=n) / 2)
        rates += low <= 0.5 <= high
        low, high = arena.mean_interval(rng.normal(40, 30, size=n))
        means += low <= 40 <= high
    assert rates >= 365
    assert 365 <= means <= 395
    assert n < 200 or rates <= 395


@pytest.mark.parametrize("rate", [0.0, 0.02, 0.9, 0.98, 1.0])
@pytest.mark.parametrize("n", [2, 10, 40])
@pytest.mark.parametrize("mirrored", [True, False])
def test_lopsided_rates_have_no_interval_without_width_and_cover_the_truth(rate, n, mirrored):
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(400):
        # Rotations that always end alike are one observation; those that have chance of their own two.
        won = rng.binomial(1, rate, n) if mirrored else rng.binomial(2, rate, n) / 2
        low, high = arena.rate_interval(won.astype(float))
        assert 0 <= low < high <= 1
        hits += low <= rate <= high
    assert hits >= 350


def test_deals_that_are_all_alike_leave_room_for_others_and_no_spread_of_points():
    alike = np.full(60, 0.5)  # a deal of the cards is always won once
    assert arena.rate_interval(alike) == pytest.approx((0.475, 0.525))
    assert arena.rate_interval(np.full(60, 1 / 3) + 1e-17) == pytest.approx((19 / 60, 22 / 60))
    assert arena.rate_interval(np.ones(2)) == (0.0, 1.0)
    assert arena.mean_interval(np.full(60, 12.5)) == (None, None)
    assert arena.rate_interval(np.ones(1)) == arena.mean_interval(np.ones(1)) == (None, None)


def test_an_agent_that_won_or_lost_every_deal_has_an_interval_of_some_width():
    rng = np.random.default_rng(2)
    winner = np.tile([0, 1], (30, 1))
    penalties = np.zeros((30, 2, 2), int)
    penalties[:, 0, 1], penalties[:, 1, 0] = rng.integers(5, 60, (2, 30))
    names = {"rules": "british", "seconds": 1.0}
    won = arena.summarize(ended(winner, penalties), a="a", b="b", **names)
    lost = arena.summarize(ended(1 - winner, penalties[:, ::-1]), a="a", b="b", **names)
    assert (won.win_rate, won.win_rate_ci95) == (1.0, pytest.approx((0.9, 1.0)))
    assert (lost.win_rate, lost.win_rate_ci95) == (0.0, pytest.approx((0.0, 0.1)))
    table = arena.summarize_table(ended(winner, penalties), names=["a", "b"], **names)
    assert [one.win_rate_ci95 for one in table.agents] == [won.win_rate_ci95, lost.win_rate_ci95]


def test_deals_won_from_both_seats_are_the_pairs_of_the_sign_test():
    winner = [[0, 1], [0, 1], [1, 0], [0, 0], [0, -1], [-1, -1], [0, 1]]
    result = arena.summarize(
        ended(winner, np.zeros((7, 2, 2))), a="a", b="b", rules="british", seconds=1.0
    )
    assert (result.swept, result.swept_by_b) == (3, 1)
    assert result.sign_test_p == pytest.approx(2 * 5 / 16)


def exact_p_value(first, second):
    n, least = first + second, min(first, second)
    if first == second:
        return 1.0
    tail = Fraction(sum(comb(n, k) for k in range(least + 1)), 2**n)
    return float(min(Fraction(1), 2 * tail))


@pytest.mark.parametrize("pair", [(0, 0), (1, 0), (0, 6), (7, 7), (60, 41), (3, 500), (2100, 1950)])
def test_the_sign_test_is_exact(pair):
    assert arena.sign_test(*pair) == pytest.approx(exact_p_value(*pair), rel=1e-9)
    assert arena.sign_test(*pair) == arena.sign_test(*pair[::-1])


def test_the_sign_test_manages_a_million_pairs():
    assert arena.sign_test(500_000, 500_000) == 1.0
    assert 0.04 < arena.sign_test(501_000, 499_000) < 0.05
    assert arena.sign_test(10**6, 0) == 0.0


def test_the_sign_test_of_a_fair_coin_is_rarely_small():
    rng = np.random.default_rng(3)
    wins = rng.binomial(400, 0.5, size=1000)
    small = sum(arena.sign_test(int(k), 400 - int(k)) < 0.05 for k in wins)
    assert 20 <= small <= 70


def test_the_variance_ratio_is_one_for_independent_deals_and_none_is_left_for_mirrored_ones():
    rng = np.random.default_rng(1)
    independent = rng.integers(0, 2, size=(20_000, 3)).astype(float)
    assert arena.variance_ratio(independent) == pytest.approx(1, abs=0.03)
    first = rng.integers(0, 2, size=20_000).astype(float)
    assert arena.variance_ratio(np.stack([first, 1 - first], axis=1)) == 0
    assert arena.variance_ratio(np.stack([first, first], axis=1)) == pytest.approx(2)
    half = np.where(rng.random(20_000) < 0.5, 1 - first, rng.integers(0, 2, size=20_000))
    assert arena.variance_ratio(np.stack([first, half], axis=1)) == pytest.approx(0.5, abs=0.03)


def test_there_is_no_variance_ratio_without_variance():
    assert arena.variance_ratio(np.ones((5, 2))) is None
    assert arena.variance_ratio(np.array([[0.0, 1.0]])) is None


def test_a_seat_of_several_counts_as_one_seat():
    # B holds two of three seats. It wins from seats 1 and 2, then nobody wins, then A does.
    deals = ended([[1, 2, 1], [-1, 0, 0]], [[[9, 0, 5], [0, 4, 0], [7, 0, 2]], np.zeros((3, 3))])
    a, b = (deals.scores(2, k) for k in range(2))
    assert a[0].tolist() == [[0, 0, 0], [1 / 3, 0, 0]]
    assert b[0].tolist() == [[0.5, 0.5, 0.5], [1 / 3, 0.5, 0.5]]
    # Seats of A by rotation: 0, 1, 2.
    assert a[1][0].tolist() == [-9, -4, -2]
    assert b[1][0].tolist() == [(14 - 5) / 2, 4 / 2, (9 - 7) / 2]
