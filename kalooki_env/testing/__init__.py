"""Checks of the environments' contracts, for what the libraries' own checks do not see.

    from kalooki_env import kalooki_v0, testing
    testing.check_aec(lambda: kalooki_v0.env(seats=3))
    testing.check_single(lambda: gymnasium.make("Kalooki-v0", seats=3))

Each check takes a function that makes a new environment, plays some episodes and raises
AssertionError where a promise is broken. They also run on environments that wrap ours.
"""

from kalooki_env.testing.aec import (
    check_aec,
    check_copies,
    check_fresh_arrays,
    check_hidden_cards,
    check_illegal_actions,
    check_independence,
    check_life_cycle,
    check_observations,
    check_observe_changes_nothing,
    check_reset,
    check_rewards,
    check_seeding,
)
from kalooki_env.testing.driving import play, sample, shuffle_hidden, trace
from kalooki_env.testing.single import (
    check_single,
    check_single_copies,
    check_single_illegal_actions,
    check_single_seeding,
    check_single_steps,
)

__all__ = [
    "check_aec",
    "check_copies",
    "check_fresh_arrays",
    "check_hidden_cards",
    "check_illegal_actions",
    "check_independence",
    "check_life_cycle",
    "check_observations",
    "check_observe_changes_nothing",
    "check_reset",
    "check_rewards",
    "check_seeding",
    "check_single",
    "check_single_copies",
    "check_single_illegal_actions",
    "check_single_seeding",
    "check_single_steps",
    "play",
    "sample",
    "shuffle_hidden",
    "trace",
]
