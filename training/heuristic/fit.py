"""Weights from the outcomes of deals: regression, round after round of self-play."""

from collections.abc import Callable

import numpy as np

from kalooki_env.agents.heuristic.layout import AT, BEFORE_DRAW, POINTS_SCALE, POINTS_SHARE, ROWS, N
from training.heuristic.self_play import FIRST, GREEDY, SECOND, Ends, Samples, SelfPlay

EXPLORE = 0.03
WITH_GREEDY = 0.2
"""Share of the deals in which greedy has a seat."""
ROUNDS_KEPT = 3
"""Rounds that a fit looks back on."""
ROUNDS_AVERAGED = 4
"""The last rounds whose weights are averaged: a fit swings about where it settles."""
RIDGE = 1.0
DEALS_STREAM, PLAYERS_STREAM, DUEL_STREAM = 101, 102, 103
"""Random streams of a seed; the arena draws its deals from others."""


def first_weights() -> np.ndarray:
    """Return weights by hand to start from: float64[ROWS, N]."""
    closed = {
        "bias": -0.5, "opening": 1.5, "can_open": 0.5, "deadwood": -0.5, "penalty": -0.3, "jokers": 0.5,
        "run_outs_low": 0.1, "run_outs_high": 0.15, "gap_outs_low": 0.1, "gap_outs_high": 0.15,
        "set_outs_low": 0.1, "set_outs_high": 0.15, "lone_cards": -0.3, "gift": -0.3,
        "gift_joker": -0.5, "near_live": -0.05, "near_known": -0.2,
    }  # fmt: skip
    opened = {
        "cards": -1.5, "deadwood": -0.7, "penalty": -0.2, "jokers": 0.3, "run_outs_low": 0.05,
        "run_outs_high": 0.05, "gap_outs_low": 0.05, "gap_outs_high": 0.05, "set_outs_low": 0.05,
        "set_outs_high": 0.05, "fits": 0.2, "stuck": -0.5, "out_next": 3.0, "fit_outs": 0.5,
        "gift": -0.7, "gift_joker": -1.0, "near_live": -0.1, "near_known": -0.3,
    }  # fmt: skip
    weights = np.zeros((ROWS, N))
    for row in range(ROWS):
        for name, weight in (closed, opened)[row % 2].items():
            weights[row, AT[name]] = weight
    weights[BEFORE_DRAW:, AT["bias"]] += 0.2
    return weights


def outcomes(samples: Samples, ends: Ends) -> np.ndarray:
    """Return how good the deal of each sample was for its seat, float64[n] in 0..1."""
    seats = ends.penalties.shape[1]
    winner, penalties = ends.winner[samples.deal], ends.penalties[samples.deal]
    own = penalties[np.arange(len(samples.seat)), samples.seat]
    others = (penalties.sum(axis=1) - own) / (seats - 1)
    win = np.where(winner < 0, 1 / seats, winner == samples.seat)
    points = np.clip(1 / seats + (others - own) / POINTS_SCALE, 0.0, 1.0)
    return (1 - POINTS_SHARE) * win + POINTS_SHARE * points


def logistic_fit(features: np.ndarray, outcome: np.ndarray) -> np.ndarray:
    """Return the weights whose logistic function of the features fits outcomes in 0..1 best.

    A feature that never changes gets no weight, but for the bias. Newton's method with a small
    ridge over features of unit spread.
    """
    spread = features.std(axis=0, dtype=np.float64)
    used = spread > 1e-9
    used[AT["bias"]] = True
    scale = np.where(spread[used] > 1e-9, spread[used], 1.0)
    x = features[:, used] / scale
    weights = np.zeros(x.shape[1])
    for _ in range(20):
        p = 1 / (1 + np.exp(-(x @ weights)))
        slope = x.T @ (outcome - p) - RIDGE * weights
        curve = (x * (p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    fitted = np.zeros(features.shape[1])
    fitted[used] = weights / scale
    return fitted


def tune(
    play: SelfPlay,
    rounds: int,
    deals: int,
    seed: int,
    report: Callable[[int, str], None],
) -> np.ndarray:
    """Play and fit in turns; return the mean weights of the last rounds, float64[ROWS, N]."""
    weights, kept, found = first_weights(), [], []
    for number in range(rounds):
        keys = np.random.SeedSequence([seed, DEALS_STREAM, number]).generate_state(deals, np.uint64)
        samples, ends = play.play(
            keys, _players(play.seats, deals, seed, number), (weights, weights), EXPLORE, keep=True
        )
        kept = [*kept, (samples, outcomes(samples, ends))][-ROUNDS_KEPT:]
        weights = _fit_rows(kept, weights)
        found.append(weights)
        last = number == rounds - 1
        if last:
            weights = np.mean(found[-ROUNDS_AVERAGED:], axis=0)
        won = duel(play, weights, None, 2000, seed)
        report(
            number + 1,
            f"{sum(len(s.row) for s, _ in kept):,} samples, wins {won:.3f} of deals against greedy",
        )
    return weights


def _players(seats: int, deals: int, seed: int, number: int) -> np.ndarray:
    """Draw who plays which seat, int64[deals, seats]."""
    dice = np.random.default_rng([seed, PLAYERS_STREAM, number])
    players = np.full((deals, seats), FIRST)
    with_greedy = np.flatnonzero(dice.random(deals) < WITH_GREEDY)
    players[with_greedy, dice.integers(seats, size=len(with_greedy))] = GREEDY
    return players


def _fit_rows(kept: list[tuple[Samples, np.ndarray]], weights: np.ndarray) -> np.ndarray:
    """Fit each situation by its samples; one that hardly came up keeps its weights."""
    weights = weights.copy()
    for row in range(ROWS):
        features = np.concatenate([s.features[s.row == row] for s, _ in kept])
        outcome = np.concatenate([o[s.row == row] for s, o in kept])
        if len(features) > 20 * N:
            weights[row] = logistic_fit(features, outcome)
    return weights


def duel(play: SelfPlay, a: np.ndarray, b: np.ndarray | None, deals: int, seed: int) -> float:
    """Return the share of deals that weights A win alone against B (greedy where None): each deal of
    the cards is played in every seat; a void deal counts as 1/seats."""
    seats = play.seats
    n = deals // seats
    keys = np.random.SeedSequence([seed, DUEL_STREAM]).generate_state(n, np.uint64).repeat(seats)
    own = np.arange(n * seats) % seats
    players = np.full((n * seats, seats), GREEDY if b is None else SECOND)
    players[np.arange(n * seats), own] = FIRST
    _, ends = play.play(keys, players, (a, a if b is None else b))
    return float(np.where(ends.winner < 0, 1 / seats, ends.winner == own).mean())
