"""OpenSpiel's gin_rummy, uniformly at random."""

import random
from importlib.metadata import version

import pyspiel

from benchmarks.peers.serve import Rows, Work

ROLLOUTS = 50
"""Games of one call into C++."""
COUNTED = 1000
"""Games whose mean length tells how many decisions a rollout makes; it is good to about 1 %."""


def play(state: pyspiel.State, rng: random.Random, observe: bool = False) -> int:
    """Play a game to its end through the Python interface; return its decisions."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            deal_card(state, rng)
            continue
        ids = state.legal_actions()
        if observe:
            state.observation_tensor()
        state.apply_action(ids[int(rng.random() * len(ids))])
        decisions += 1
    return decisions


def deal_card(state: pyspiel.State, rng: random.Random) -> None:
    """Let chance choose a card; each that is left is as likely."""
    outcomes = state.chance_outcomes()
    state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])


def python(observe: bool) -> Work:
    """Return the work of a game through Python."""
    game, rng = pyspiel.load_game("gin_rummy"), random.Random(0)
    return lambda: (play(game.new_initial_state(), rng, observe), 1)


def rollouts() -> Work:
    """Return the work of some games from one deal inside C++.

    Python reaches the evaluator that plays them through a tree search of a single visit, which
    evaluates the root and adds nothing to the tree. Nobody tells how long those games are: their
    mean length is measured here.
    """
    game, rng = pyspiel.load_game("gin_rummy"), random.Random(0)
    start = game.new_initial_state()
    while start.is_chance_node():
        deal_card(start, rng)
    mean = sum(play(start.clone(), rng) for _ in range(COUNTED)) / COUNTED
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=0),
        uct_c=1.0,
        max_simulations=1,
        max_memory_mb=100,
        solve=False,
        seed=0,
        verbose=False,
    )

    def work() -> tuple[int, int]:
        bot.mcts_search(start)
        return round(ROLLOUTS * mean), ROLLOUTS

    return work


def rows() -> Rows:
    """Return what can be measured."""
    title = f"OpenSpiel {version('open_spiel')} gin_rummy"
    return {
        "rollouts": (f"{title}, random rollouts inside C++", rollouts),
        "python": (f"{title}, Python, legal_actions", lambda: python(False)),
        "observation": (
            f"{title}, Python, legal_actions and observation_tensor",
            lambda: python(True),
        ),
    }
