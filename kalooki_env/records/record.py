"""One game as plain data."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from kalooki_env.errors import KalookiError, RecordError, printable
from kalooki_env.game import Game
from kalooki_env.records.made import NOW, made_now
from kalooki_env.rules import Rules

Moves = tuple[tuple[int, str], ...]
"""Seats and the texts of their moves."""

LONGEST_NAME = 100


@dataclass(frozen=True)
class Deal:
    """One deal: the cards, the moves, and how it ended."""

    number: int
    """Number in the match, from 1; a deal after a void or cut one has the same."""
    dealer: int
    hands: tuple[str, ...]
    discards: str
    stock: str
    """The next card first."""
    moves: Moves = ()
    result: Mapping[str, Any] | None = None
    """Of `Game.result`, what the deal decided; None while the deal is not over."""
    decisions: Moves = ()
    """Buy-ins decided after it."""


@dataclass(frozen=True)
class Record:
    """One game: what is played, by whom, and its deals.

    Raises:
        RecordError: the number of names is not that of the seats.
    """

    rules: Rules
    seats: int
    seed: int
    episode: str = "deal"
    deal: int | None = None
    """The contract that a single deal plays; None: drawn from the seed."""
    names: tuple[str, ...] = ()
    """Who played each seat; if not given, `seat 0` and so on."""
    position: Mapping[str, Any] | None = None
    """Where the game began if not with a deal: a position without its rules; see `at`."""
    deals: tuple[Deal, ...] = ()
    over: bool | None = None
    """Whether the game came to its end; None: the record has no last line."""
    made: Mapping[str, Any] | None = field(default_factory=lambda: NOW)
    """The version of the package and the values of the rules it was made with; None: the record is
    of a version that did not say so."""
    path: str = field(default="", compare=False)
    line: int = field(default=1, compare=False)
    """Number of its first line in the file `path`."""

    def __post_init__(self) -> None:
        names = self.names or [f"seat {seat}" for seat in range(min(self.seats, 100))]
        if len(names) != self.seats:
            raise RecordError(f"expected names for {self.seats} seats, got {len(names)}")
        object.__setattr__(self, "names", tuple(map(_clean, names)))
        if self.made is NOW:
            object.__setattr__(self, "made", made_now(self.rules))

    @classmethod
    def at(
        cls,
        position: Mapping[str, Any],
        *,
        seed: int = 0,
        episode: str = "match",
        names: Sequence[str] = (),
    ) -> "Record":
        """Return the record of a game that begins as `Game.from_position` does, without moves.

        Raises:
            PositionError: a position that cannot be.
        """
        game = Game.from_position(position, episode=episode, seed=seed)
        written = json.loads(json.dumps(game.position()))
        del written["rules"]
        return cls(game.rules, game.seats, seed, episode, None, tuple(names), written)

    def game(self) -> Game:
        """Return the game as it began.

        Raises:
            KalookiError: it cannot be dealt, or its position cannot be.
        """
        if self.position is None:
            return Game(self.rules, self.seats, self.seed, self.episode, self.deal)
        mapping = dict(self.position) | {"rules": self.rules}
        try:
            if "added" in mapping:  # the numbers of melds are texts in JSON
                mapping["added"] = {int(meld): cards for meld, cards in mapping["added"].items()}
            game = Game.from_position(mapping, episode=self.episode, seed=self.seed)
        except KalookiError:
            raise
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError) as error:
            raise RecordError(
                f"expected a position, got one that cannot be read: {error}"
            ) from None
        if game.seats != self.seats:
            raise RecordError(f"expected a position of {self.seats} seats, got {game.seats}")
        return game

    @property
    def moves(self) -> Moves:
        """All moves of the game in order."""
        return tuple(chain.from_iterable(deal.moves + deal.decisions for deal in self.deals))

    @property
    def results(self) -> tuple[Mapping[str, Any], ...]:
        """The results of the deals that are over."""
        return tuple(deal.result for deal in self.deals if deal.result is not None)

    def without_deals(self) -> "Record":
        """Return what is played and by whom alone."""
        return replace(self, deals=(), over=None)


def _clean(name: str) -> str:
    """Make a name printable and short."""
    shown = printable(name)
    return shown if len(shown) <= LONGEST_NAME else f"...{shown[3 - LONGEST_NAME :]}"
