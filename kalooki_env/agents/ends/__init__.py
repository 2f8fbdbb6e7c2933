"""A network that scores the ends of its turn: the strongest learned player.

At each decision it looks at what every legal action can lead to: the ends of the turn, a hand after a
discard with what lies on the table then. Each end gets a number from a small network that reads the
features of the heuristic and the cards themselves: the hand, what fits the table, what each other
seat holds openly, took, refused and threw, what is unseen. It plays the action with the best end; the
policy that is trained is the softmax over the actions (`training/ends`). A way to go out in this very
turn is searched for and played before that, as the heuristic does.
"""

from kalooki_env.agents.ends.agent import EndsAgent, EndsCheckpoint

__all__ = ["EndsAgent", "EndsCheckpoint"]
