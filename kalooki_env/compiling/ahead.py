"""Everything that would be compiled at first use, used once."""

import gymnasium
import numpy as np

from kalooki_env import agents, arena, kalooki_v0
from kalooki_env.batch import Batch
from kalooki_env.game import Game

AGENTS = ("greedy", "heuristic:light", "heuristic", "search:worlds=2")
_MOVES = 8
"""Enough for a turn of every seat."""


def compile_engine() -> None:
    """Use the engine in each way that the package has."""
    game = Game(seed=0, episode="match")
    game.look(0)
    game.observation(0)
    game.action_mask(0)
    game.determinize(0, seed=0)
    while not game.deal_over:
        game.play(int(game.legal_actions()[0]))
    if not game.over:
        game.next_deal()

    batch = Batch(n=2, seed=0)
    observation, mask = batch.observe(), batch.mask()
    for _ in range(_MOVES):
        batch.step(batch.legal()[0][:, 0], observation, mask)
    batch.step(batch.sample(np.random.default_rng(0)))

    env = kalooki_v0.env()
    env.reset(seed=0)
    for _ in range(_MOVES):
        env.step(int(env.last()[0]["action_mask"].argmax()))

    envs = gymnasium.make_vec("kalooki_env:Kalooki-v0", num_envs=2, opponents="random")
    observed, _ = envs.reset(seed=0)
    for _ in range(_MOVES):
        observed, *_ = envs.step(observed["action_mask"].argmax(axis=1))
    envs.close()
    arena.evaluate("random", "random", deals=1)


def compile_agents() -> None:
    """Let every agent of the package choose moves, alone and in the arena."""
    for name in AGENTS:
        agent, game = agents.load(name), Game(seed=0)
        for _ in range(_MOVES):
            assert game.to_move is not None
            game.play(agent.act(game, game.to_move))
    arena.evaluate("greedy", "heuristic", deals=1)
