"""A player that looks ahead: options tried in many worlds that agree with what it knows.

In each *world* the unseen cards are dealt anew (`Game.determinize`), with hands that somebody might
keep rather than any. Each of the heuristic's best options is played on in the same worlds by the
heuristic in every seat, for a few turns, and the value of where it leads is averaged. The heuristic's
own choice is left only for one that does better by more than chance would explain.
"""

from kalooki_env.agents.search.agent import SearchAgent

__all__ = ["SearchAgent"]
