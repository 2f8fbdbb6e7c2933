"""What somebody wants to play, before anything is loaded for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

SPEEDS = ("slow", "normal", "fast", "instant")
"""How fast the opponents move at the table on the screen."""


@dataclass(frozen=True)
class Wishes:
    """What somebody wants to play.

    Attributes:
        rules: a preset.
        knobs: house rules, the knobs that are changed in it.
        seats: seats at the table, the person's included.
        opponents: an agent's name or path, or one for each other seat; None: `players.DEFAULT`.
        seed: deals the cards; None: a new one.
        record: the file that the game is added to; None: a new one in the user's data folder.
        keep: record the game at all.
    """

    rules: str = "british"
    knobs: Mapping[str, object] = field(default_factory=dict)
    seats: int = 2
    opponents: str | Sequence[str] | None = None
    seed: int | None = None
    record: str | None = None
    keep: bool = True
