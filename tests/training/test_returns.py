"""Rewards of a deal and advantages along each seat's own decisions, worked by hand."""

import numpy as np
import pytest

from training.config import from_dict
from training.returns import deal_rewards, seat_advantages

NO_REWARD = 99.0  # stands where nothing may be read


def advantages(seats, values, ends, gamma=1.0, gae_lambda=0.5, n_seats=2):
    """One game: `ends` maps a row to what each seat is paid there."""
    steps = len(seats)
    done = np.zeros((steps, 1), bool)
    rewards = np.full((steps, 1, n_seats), NO_REWARD, np.float32)
    for row, paid in ends.items():
        done[row] = True
        rewards[row, 0] = paid
    result, known = seat_advantages(
        np.array(seats)[:, None],
        np.array(values, np.float32)[:, None],
        done,
        rewards,
        gamma,
        gae_lambda,
    )
    return result[:, 0], known[:, 0]


def test_one_seat_is_plain_gae_up_to_the_end_of_the_deal():
    # Rows 0-2 end a deal that pays 1; rows 3-4 belong to the next deal, whose end is not seen.
    result, known = advantages([0, 0, 0, 0, 0], [0.5, 0.2, 0.4, 0.7, 0.9], {2: [1.0, -1.0]})
    last = 1.0 - 0.4
    middle = (0.4 - 0.2) + 0.5 * last
    first = (0.2 - 0.5) + 0.5 * middle
    # The last row of all is bootstrap only: row 3 is followed by its value.
    np.testing.assert_allclose(result, [first, middle, last, 0.9 - 0.7, 0.0], rtol=1e-6)
    assert known.tolist() == [True, True, True, True, False]


def test_the_end_of_a_deal_cuts_the_trajectory_where_a_rollout_end_does_not():
    values = [0.5, 0.2, 0.4]
    over, _ = advantages([0, 0, 0], values, {1: [1.0, -1.0]})
    cut, known = advantages([0, 0, 0], values, {})
    assert over[1] == pytest.approx(1.0 - 0.2)  # nothing of the next deal's 0.4
    assert cut[1] == pytest.approx(0.4 - 0.2)  # the value of the next decision instead
    assert over[2] == cut[2] == 0.0 and not known[2]


def test_gamma_and_lambda_count_decisions_of_the_same_seat():
    result, _ = advantages(
        [0, 1, 1, 0, 1], [0.1, 0.2, 0.3, 0.4, 0.5], {4: [1.0, -1.0]}, gamma=0.9, gae_lambda=0.8
    )
    last_0 = 1.0 - 0.4
    last_1 = -1.0 - 0.5
    middle_1 = (0.9 * 0.5 - 0.3) + 0.9 * 0.8 * last_1
    expected = [
        (0.9 * 0.4 - 0.1) + 0.9 * 0.8 * last_0,
        (0.9 * 0.3 - 0.2) + 0.9 * 0.8 * middle_1,
        middle_1,
        last_0,
        last_1,
    ]
    np.testing.assert_allclose(result, expected, rtol=1e-5)


def test_three_seats_are_each_paid_at_their_own_last_decision():
    # Seat 2 ends the deal; seats 0 and 1 decided last two and one rows before. With lambda 1
    # an advantage is the return minus the value.
    values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    paid = {5: [-0.4, -0.6, 1.0]}
    result, known = advantages([0, 1, 2, 0, 1, 2], values, paid, gae_lambda=1.0, n_seats=3)
    expected = [-0.4 - 0.1, -0.6 - 0.2, 1.0 - 0.3, -0.4 - 0.4, -0.6 - 0.5, 1.0 - 0.6]
    np.testing.assert_allclose(result, expected, rtol=1e-5)
    assert known.all()


def test_a_seat_without_a_decision_in_a_deal_is_not_paid_for_it():
    # Deal 1 is rows 0-1, in which seat 1 decides nothing; deal 2 is rows 2-3. Each row gets its
    # own deal's pay.
    values = [0.0, 0.0, 0.0, 0.0]
    result, _ = advantages([0, 0, 1, 0], values, {1: [1.0, -1.0], 3: [-0.25, 0.25]}, gae_lambda=1.0)
    np.testing.assert_allclose(result, [1.0, 1.0, 0.25, -0.25])


def test_a_seat_that_decides_again_only_after_two_deals_keeps_the_pay_of_its_own():
    # Seat 1 decides in row 0 of deal 1 and in row 3 of deal 3; deal 2 (row 2) passes it by.
    result, known = advantages(
        [1, 0, 0, 1], [0.0] * 4, {1: [0.5, -0.5], 2: [1.0, -1.0]}, gae_lambda=1.0
    )
    np.testing.assert_allclose(result[:3], [-0.5, 0.5, 1.0])
    assert known.tolist() == [True, True, True, False]


def test_the_last_decision_of_each_seat_in_an_open_deal_is_bootstrap_only():
    result, known = advantages([0, 1, 0, 1, 2], [0.1, 0.2, 0.3, 0.4, 0.5], {}, n_seats=3)
    assert known.tolist() == [True, True, False, False, False]
    np.testing.assert_allclose(result, [0.2, 0.2, 0.0, 0.0, 0.0], rtol=1e-6)


def test_games_do_not_touch_each_other():
    rng = np.random.default_rng(0)
    seats = rng.integers(0, 3, (40, 5))
    values = rng.normal(size=(40, 5)).astype(np.float32)
    done = rng.random((40, 5)) < 0.1
    rewards = rng.normal(size=(40, 5, 3)).astype(np.float32)
    together, known = seat_advantages(seats, values, done, rewards, 0.99, 0.9)
    for game in range(5):
        only = slice(game, game + 1)
        alone, known_alone = seat_advantages(
            seats[:, only], values[:, only], done[:, only], rewards[:, only], 0.99, 0.9
        )
        assert np.array_equal(together[:, only], alone) and np.array_equal(
            known[:, only], known_alone
        )


def reward_config(**settings):
    return from_dict(
        {
            "win_weight": 0.5,
            "points_weight": 0.5,
            "points_scale": 100.0,
            "points_clip": 1.0,
            **settings,
        }
    )


def test_rewards_mix_winning_and_points_and_sum_to_zero():
    paid = deal_rewards(reward_config(), np.array([1]), np.array([[30, 0, 50]]))
    np.testing.assert_allclose(paid, [[-0.25 - 0.15, 0.5 + 0.4, -0.25 - 0.25]])
    assert paid.sum() == pytest.approx(0.0, abs=1e-6)


def test_a_large_penalty_is_clipped_for_loser_and_winner_alike():
    paid = deal_rewards(reward_config(), np.array([0]), np.array([[0, 140]]))
    np.testing.assert_allclose(paid, [[1.0, -1.0]])


def test_a_deal_that_nobody_wins_pays_every_seat_the_void_reward():
    paid = deal_rewards(reward_config(void_reward=-0.2), np.array([-1]), np.array([[0, 0]]))
    np.testing.assert_allclose(paid, [[-0.2, -0.2]])
