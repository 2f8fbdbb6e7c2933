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
    # The unit is the deal of the cards: 1, 1/2 and 1/4.
    spread = 1.959964 * np.std([1, 0.5, 0.25], ddof=1) / 3**0.5
    low, high = result.win_rate_ci95
    assert low == pytest.approx(7 / 12 - spread)
    assert high == 1.0  # no rate is above 1


def test_a_clean_sweep_still_leaves_a_doubt():
    assert arena.rate_interval(np.ones(300)) == pytest.approx((0.99, 1.0))
    assert arena.rate_interval(np.zeros(300)) == pytest.approx((0.0, 0.01))


def test_the_interval_covers_the_truth_about_19_times_in_20():
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(400):
        low, high = arena.rate_interval(rng.integers(0, 3, size=200) / 2)
        hits += low <= 0.5 <= high
    assert 365 <= hits <= 395


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
