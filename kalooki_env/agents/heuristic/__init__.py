"""A strong player by rules of thumb that are weighed against one another.

It looks at the ends of its turn: after each meld, lay-off or swap it could make, and each discard. An
end is worth the weighted sum of some fifty features (`layout.MEANINGS`): deadwood, live outs over
two packs, the chance to open or to go out with the next card, what the discard gives the next seat,
how near the others are. It plays the first step towards the best end; so opening or holding, laying
a card off or keeping it, and taking the discard are all one question. Before that it searches for a
way to go out in this very turn.

The weights are fitted to the outcomes of its own deals: see `training/heuristic`. It knows what its
seat may know, and there is no chance in it.
"""

from kalooki_env.agents.heuristic.agent import HeuristicAgent

__all__ = ["HeuristicAgent"]
