"""An opponent must not change the process it plays in."""

import pytest

torch = pytest.importorskip("torch")

from kalooki_env import Game, agents  # noqa: E402
from kalooki_env.agents import checkpoints  # noqa: E402


def test_a_checkpoint_leaves_the_callers_torch_threads_alone():
    name = dict(checkpoints()) and checkpoints()[0][0]
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        agent = agents.load(name)
        game = Game("british", seats=2, seed=1)
        agent.act(game, game.to_move)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
