"""From interleaved turns to one trajectory for each seat: rewards of a deal, advantages.

A rollout is T decisions in each of n games, whoever is to move. The seat's next state is not the
next row but the next decision of the *same seat*, and what a deal pays a seat belongs to that
seat's own last decision, which may lie many rows before the move that ended the deal.
"""

import numpy as np

from training.config import Config


def deal_rewards(config: Config, winner: np.ndarray, penalties: np.ndarray) -> np.ndarray:
    """Return what ended deals pay each seat.

    Args:
        config: its `win_weight`, `points_weight`, `points_scale`, `points_clip` and `void_reward`.
        winner: int[n], the winning seat, -1 for a void or cut deal.
        penalties: int[n, seats], penalty points, 0 for the winner.

    Returns:
        float32[n, seats]. Win part and points part each sum to zero over the seats.
    """
    seats = penalties.shape[1]
    won = np.arange(seats) == winner[:, None]
    paid = np.minimum(penalties / config.points_scale, config.points_clip)
    points = np.where(won, paid.sum(1, keepdims=True), -paid)
    wins = np.where(won, 1.0, -1.0 / (seats - 1))
    rewards = config.win_weight * wins + config.points_weight * points
    return np.where(winner[:, None] < 0, config.void_reward, rewards).astype(np.float32)


def seat_advantages(
    seats: np.ndarray,
    values: np.ndarray,
    done: np.ndarray,
    rewards: np.ndarray,
    gamma: float,
    gae_lambda: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Generalised advantage estimation along each seat's own decisions.

    Where the rollout ends before the deal, a seat's last decision has no known successor: its value
    is the bootstrap of the decision before, and it is not itself trained on. A seat without any
    decision since its last deal drops out by itself.

    Args:
        seats: int[T, n], the seat that decided.
        values: float32[T, n], the critic's value of that decision's observation.
        done: bool[T, n], the deal ended with that decision or the forced moves after it.
        rewards: float32[T, n, S], what every seat was paid where `done`; unread elsewhere.
        gamma, gae_lambda: per decision of the same seat.

    Returns:
        advantages float32[T, n], and known bool[T, n]: the decisions whose advantage is known. The
        return to fit the value to is `advantages + values`.
    """
    steps, games = seats.shape
    every = np.arange(games)
    shape = (games, rewards.shape[2])
    next_value, next_advantage, reward = (np.zeros(shape, np.float32) for _ in range(3))
    followed = np.zeros(shape, bool)  # the seat decides again, or its deal's end is known
    advantages = np.zeros((steps, games), np.float32)
    known = np.zeros((steps, games), bool)
    for t in range(steps - 1, -1, -1):
        over = done[t]
        reward[over] = rewards[t, over]
        next_value[over] = 0.0
        next_advantage[over] = 0.0
        followed[over] = True

        at = (every, seats[t])
        known[t] = followed[at]
        delta = reward[at] + gamma * next_value[at] - values[t]
        advantages[t] = np.where(known[t], delta + gamma * gae_lambda * next_advantage[at], 0.0)

        reward[at] = 0.0
        next_value[at] = values[t]
        next_advantage[at] = advantages[t]
        followed[at] = True
    return advantages, known
