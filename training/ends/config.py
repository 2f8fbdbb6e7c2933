"""The settings of a run that trains a network over the ends of a turn."""

import math
from dataclasses import dataclass
from typing import Any

from kalooki_env.rules import TURN_CAP, Rules
from training.config import Settings, expect


@dataclass(frozen=True)
class EndsConfig(Settings):
    """Every setting of a run. One TOML file holds one run, flat: `key = value`, keys as below."""

    MAY_CHANGE = (*Settings.MAY_CHANGE, "workers")

    learner: str = "ends"
    """"ends"; "ppo" has keys of its own, see training/config.py"""

    # the game
    rules: str = "british"
    """preset of the rules that are played"""
    seats: int = 2
    """seats at the table, all played by the network that is trained"""
    turn_cap: int = TURN_CAP
    """turns after which a deal is cut, scored like a void"""

    # the run
    seed: int = 1
    """decides everything: same settings, same weights, with one worker or two"""
    deals: int = 1_000_000
    """deals to train on"""
    round_deals: int = 3000
    """deals between two updates"""
    workers: int = 2
    """2: one thread plays a round while another learns from the one before; 1: in turns"""
    max_minutes: float = 0.0
    """stop after this many minutes with a usable checkpoint; 0 = no limit"""
    save_minutes: float = 2.0
    """minutes between two saves of the checkpoint and the state to resume from"""
    start: str = "heuristic"
    """first weights: "heuristic", the weights of the hand-written player; "nothing"; or a checkpoint"""

    # what a deal is worth
    win_weight: float = 0.7
    """weight of winning the deal; the rest are the points ahead of the others"""

    # the policy gradient
    temperature: float = 0.06
    """the policy is the softmax of the scores / temperature"""
    gae_lambda: float = 0.6
    """lambda of the returns: how much the deal itself counts beside what the critic sees"""
    correction: float = 1.0
    """how much the return of the drawn option corrects what the critic thinks of it: 0 trusts the critic
    alone, 1 gives the gradient that PPO has"""
    critic_lambda: float = 0.8
    """lambda of the returns that the critic is fitted to"""
    learning_rate: float = 1e-3
    """learning rate of Adam at the start"""
    final_learning_rate: float = 1e-4
    """learning rate at the end, reached linearly"""
    linear_learning_rate: float = 2e-3
    """learning rate of the linear part, whose scale the temperature sets; falls in step"""
    update_epochs: int = 1
    """passes over each round"""
    minibatch_size: int = 1024
    """decisions in a gradient step"""
    clip_coef: float = 0.2
    """PPO's bound on the change of an option's probability"""
    ent_coef: float = 0.01
    """weight of the entropy bonus at the start"""
    final_ent_coef: float = 0.002
    """weight of the entropy bonus at the end, reached linearly"""
    max_grad_norm: float = 1.0
    """bound on the norm of the gradient"""
    averaging: float = 0.95
    """the checkpoint holds a running mean of the weights: how much of it each round keeps"""

    # the networks
    hidden: tuple[int, ...] = (128, 32)
    """widths of the two hidden layers"""
    critic: tuple[int, ...] = (128, 64)
    """widths of the hidden layers of the critic, which sees all hands and the next cards of the stock"""
    critic_learning_rate: float = 1e-3
    """learning rate of the critic"""

    # measuring strength on the way (never trained on)
    eval_minutes: float = 0.0
    """minutes between two measurements; 0 = none"""
    eval_deals: int = 2000
    """deals against each opponent in a measurement"""
    eval_opponents: tuple[str, ...] = ("heuristic", "greedy")
    """agents to measure against"""

    def __post_init__(self) -> None:
        """Refuse values that no run can use."""
        expect(self.learner == "ends", self, "learner", '"ends"')
        for key in ("deals", "round_deals", "update_epochs", "minibatch_size", "eval_deals"):
            expect(getattr(self, key) >= 1, self, key, "at least 1")
        for key, value in vars(self).items():
            if isinstance(value, float):
                expect(math.isfinite(value) and value >= 0, self, key, "a finite number, 0 or more")
        for key in ("temperature", "learning_rate", "clip_coef", "max_grad_norm"):
            expect(getattr(self, key) > 0, self, key, "a number above 0")
        for key in ("win_weight", "gae_lambda", "correction", "critic_lambda"):
            expect(getattr(self, key) <= 1, self, key, "a number from 0 to 1")
        expect(self.averaging < 1, self, "averaging", "0 or more, below 1")
        expect(0 <= self.seed < 2**63, self, "seed", "0 or more, below 2**63")
        expect(self.workers in (1, 2), self, "workers", "1 or 2")
        expect(self.round_deals <= 100_000, self, "round_deals", "up to 100000")
        expect(1 <= self.turn_cap <= 1_000_000, self, "turn_cap", "1 to 1000000")
        for key in ("hidden", "critic"):
            widths = getattr(self, key)
            fits = len(widths) == 2 and all(1 <= width <= 1024 for width in widths)
            expect(fits, self, key, "two widths of 1 to 1024")
        Rules.preset(self.rules).check_seats(self.seats)

    @property
    def rounds(self) -> int:
        """Rounds of the run, each followed by its update."""
        return max(1, round(self.deals / self.round_deals))

    @property
    def network(self) -> dict[str, Any]:
        """The network's own settings."""
        return {"hidden": list(self.hidden), "temperature": self.temperature}
