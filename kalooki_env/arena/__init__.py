"""Agents measured against each other on duplicate deals.

The seed of a deal fixes hands, stock and dealer. Agent A plays it once in every seat against copies
of agent B, so that the luck of the cards cancels between these rotations. All games of a batch
advance together; what comes out depends on the names, the rules and the seed, not on the batch or the
number of processes.

`evaluate` measures two agents, `evaluate_table` several at one table, `ladder` rates a set of them by
playing every pair. docs/arena.md explains the figures.
"""

from kalooki_env.arena.behaviour import Behaviour
from kalooki_env.arena.crossplay import Ladder, Ladders, ladder
from kalooki_env.arena.figures import (
    Interval,
    mean_interval,
    rate_interval,
    sign_test,
    variance_ratio,
)
from kalooki_env.arena.measure import evaluate, evaluate_table
from kalooki_env.arena.rating import Rating
from kalooki_env.arena.results import (
    Deals,
    Result,
    Standing,
    TableResult,
    summarize,
    summarize_table,
)
from kalooki_env.arena.table import Progress
from kalooki_env.arena.table import seeds as _seeds  # noqa: F401 (tests of records deal the same)
from kalooki_env.rules import TURN_CAP

__all__ = [
    "TURN_CAP",
    "Behaviour",
    "Deals",
    "Interval",
    "Ladder",
    "Ladders",
    "Progress",
    "Rating",
    "Result",
    "Standing",
    "TableResult",
    "evaluate",
    "evaluate_table",
    "ladder",
    "mean_interval",
    "rate_interval",
    "sign_test",
    "summarize",
    "summarize_table",
    "variance_ratio",
]
