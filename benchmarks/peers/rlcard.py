"""RLCard's gin-rummy, uniformly at random."""

import random
from importlib.metadata import version

import rlcard

from benchmarks.peers.serve import Rows, Work


def env_step() -> Work:
    """Return the work of a game through the environment, which observes and lists at each step."""
    env, rng = rlcard.make("gin-rummy", config={"seed": 0}), random.Random(0)

    def work() -> tuple[int, int]:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            ids = list(state["legal_actions"])
            state, _ = env.step(ids[int(rng.random() * len(ids))])
            decisions += 1
        return decisions, 1

    return work


def game_step() -> Work:
    """Return the work of a game in the engine underneath, without observations."""
    game = rlcard.make("gin-rummy", config={"seed": 0}).game
    rng = random.Random(0)

    def work() -> tuple[int, int]:
        game.init_game()
        decisions = 0
        while not game.is_over():
            actions = game.judge.get_legal_actions()
            game.step(actions[int(rng.random() * len(actions))])
            decisions += 1
        return decisions, 1

    return work


def rows() -> Rows:
    """Return what can be measured."""
    title = f"RLCard {version('rlcard')} gin-rummy"
    return {
        "env": (f"{title}, env.step", env_step),
        "game": (f"{title}, game.step, legal actions alone", game_step),
    }
