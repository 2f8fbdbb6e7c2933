"""One person's match against agents, without a screen: whose turn, what happened, the score.

Every screen drives a `Session`; it holds no rules, all of them are the game's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kalooki_env import actions
from kalooki_env.agents.base import Agent
from kalooki_env.game import Game
from kalooki_env.play.words import Event
from kalooki_env.records import Journal, Record
from kalooki_env.render.view import SeatView, view_of
from kalooki_env.rules import Rules


@dataclass(frozen=True)
class ScoreRow:
    """A seat's line in the score of a deal. `chips` is the money this deal moved to the seat."""

    seat: int
    won: bool
    hand: str
    penalty: int
    chips: int
    total: int
    eliminated: bool


class Session:
    """A match in which one seat is a person's.

    Args:
        rules: the variant.
        agents: who plays each of the other seats, by seat number.
        seed: deals the cards.
        seat: the person's seat.
        episode: "match", or "deal" for a single deal.
        record: a file that the game is written to, move by move; None: it is not recorded.
    """

    def __init__(
        self,
        rules: Rules,
        agents: Mapping[int, Agent],
        seed: int,
        *,
        seat: int = 0,
        episode: str = "match",
        record: str | Path | None = None,
    ) -> None:
        self.game = Game(rules, seats=len(agents) + 1, seed=seed, episode=episode)
        self.agents = dict(agents)
        self.seat = seat
        self.names = _names(self.agents, seat)
        self.journal: Journal | None = None
        if record is not None:
            what = Record(rules, len(self.names), seed, episode, names=tuple(self.names))
            self.journal = Journal(record, what)

    @property
    def my_turn(self) -> bool:
        """Tell whether the person is to move."""
        return self.game.to_move == self.seat

    @property
    def view(self) -> SeatView:
        """Look at the game from the person's seat."""
        return view_of(self.game, self.seat)

    def play(self, move: str) -> list[Event]:
        """Play the person's move.

        Raises:
            NotationError: the text is no move.
            IllegalMove: the rules forbid it; the game is unchanged.
        """
        before = self.game.clone()
        self.game.play(move)
        self._note(move)
        return [self._event(before, canonical(before, move), self.seat)]

    def opponents(self) -> list[Event]:
        """Let the agents play until the person is to move, a deal ends, or nobody is to move."""
        events: list[Event] = []
        was_over = self.game.deal_over
        while self.game.to_move is not None and not self.my_turn:
            events.append(self._agent_move(self.game.to_move))
            if self.game.deal_over and not was_over:
                break
        return events

    def moves(self, words: Sequence[str] = ()) -> list[str]:
        """List the person's legal moves whose text holds every one of `words`."""
        found = self.game.legal_moves()
        return [move for move in found if all(word.lower() in move.lower() for word in words)]

    def hint(self, agent: Agent) -> str:
        """Return the move that an agent would play in the person's place."""
        game = self.game.clone()
        return self._choose(agent, game, self.seat)

    def score(self) -> list[ScoreRow]:
        """Return the score of the deal that is over, a row a seat."""
        return score_rows(self.game.result)

    def next_deal(self) -> None:
        """Deal again; the deal must be over and no buy-in pending."""
        self.game.next_deal()

    def _agent_move(self, seat: int) -> Event:
        """Let the agent in a seat play one whole move, its answers to questions included."""
        before = self.game.clone()
        move = self._choose(self.agents[seat], self.game, seat)
        self._note(move)
        return self._event(before, move, seat)

    def _note(self, move: str) -> None:
        """Write down a move that was played."""
        if self.journal is not None:
            self.journal.play(move)

    def _choose(self, agent: Agent, game: Game, seat: int) -> str:
        """Play one whole move of an agent in `game`; return its text."""
        before = game.clone()
        ids: list[int] = []
        while True:
            ids.append(int(agent.act(game, seat)))
            game.play(ids[-1])
            if game.question is None:
                return actions.decode(before, ids)

    def _event(self, before: Game, move: str, seat: int) -> Event:
        """Describe a move that led from `before` to the game as it is."""
        game = self.game
        old, new = view_of(before, seat), view_of(game, seat)
        result = game.result
        ended = game.deal_over and not before.deal_over
        opened = new.me.opened and not old.me.opened
        return Event(
            seat=seat,
            move=move,
            opening=not old.me.opened and move.startswith("meld"),
            opened=opened,
            points=self._opening_points(old, before, move),
            left=len(new.hand),
            announced=new.me.announced if move.startswith("discard") else 0,
            drawn=_drawn(old, new) if move == "draw" and seat == self.seat else None,
            taken=old.pile[-1] if move == "take" else None,
            goes_out=ended and result["winner"] == seat,
            kalooki=ended and result["kalooki"],
            rebuilt=new.rebuilds > old.rebuilds,
        )

    def _opening_points(self, old: SeatView, before: Game, move: str) -> int:
        """Return what the melds of an opening are worth with the one that `move` lays."""
        if self.game.rules.contracts or old.me.opened or not move.startswith("meld"):
            return 0
        return old.points + before.meld_points(move.partition(" ")[2])


def score_rows(result: Mapping[str, Any]) -> list[ScoreRow]:
    """Return the score of a deal that is over, a row a seat; `result` is `Game.result`."""
    return [
        ScoreRow(
            seat=seat,
            won=result["winner"] == seat,
            hand=hand,
            penalty=result["penalties"][seat],
            chips=result["chips"][seat],
            total=result["totals"][seat],
            eliminated=result["eliminated"][seat],
        )
        for seat, hand in enumerate(result["hands"])
    ]


def canonical(game: Game, move: str) -> str:
    """Write a legal move the way the game writes it (order of cards, capitals)."""
    return actions.decode(game, actions.encode(game, move))


def _drawn(old: SeatView, new: SeatView) -> str | None:
    """Find the card that came into a hand."""
    rest = list(new.hand)
    for card in old.hand:
        rest.remove(card)
    return rest[0] if rest else None


def _names(agents: Mapping[int, Agent], seat: int) -> list[str]:
    """Name the seats: "you", and the agents by name, numbered where several are called the same."""
    called = [agents[other].name if other != seat else "you" for other in range(len(agents) + 1)]
    return [
        f"{name} {called[: index + 1].count(name)}" if called.count(name) > 1 else name
        for index, name in enumerate(called)
    ]
