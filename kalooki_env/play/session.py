"""One person's match against agents, without a screen: whose turn, what happened, the score.

Every screen drives a `Session`; it holds no rules, all of them are the game's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from kalooki_env import actions
from kalooki_env.agents.base import Agent
from kalooki_env.errors import IllegalMove
from kalooki_env.game import Game
from kalooki_env.play.keeping import Book
from kalooki_env.play.opponents import numbers
from kalooki_env.play.words import Event
from kalooki_env.records import Record, Recorder
from kalooki_env.render.view import SeatView, view_of
from kalooki_env.rules import Rules

ROUNDS = 4
"""Rounds in which every seat takes the discard, after which the agents draw from the stock again."""


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


class _Snapshot(NamedTuple):
    """Where the person's last move can be taken back to."""

    game: Game
    entries: int
    moves: int
    events: int


class Session:
    """A match in which one seat is a person's.

    Args:
        rules: the variant.
        agents: who plays each of the other seats, by seat number.
        seed: deals the cards.
        seat: the person's seat.
        episode: "match", or "deal" for a single deal.
        record: a file that the game is written to, move by move; None: it is not recorded.
        start: what is played, in place of `rules`, `seed` and `episode`: a game that begins with a
            position.
        called: what the agents are called at the table; None: as in the record, by their own names.
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
        start: Record | None = None,
        called: Mapping[int, str] | None = None,
    ) -> None:
        self.agents = dict(agents)
        self.seat = seat
        own = {other: agent.name for other, agent in self.agents.items()}
        self.names = _names(own if called is None else called, seat)
        what = start or Record(rules, len(self.names), seed, episode)
        self.start = replace(what, names=tuple(_names(own, seat)))
        self.recorder = Recorder(self.start)
        self.book = None if record is None else Book(record)
        self.events: list[Event] = []
        """What happened in this deal."""
        self.watch: Callable[[], None] = lambda: None
        """Called when a deal was dealt and when the match is over."""
        self.closed = False
        """Whether the record was ended: what is played after that is written nowhere."""
        self._undo: list[_Snapshot] = []
        self._complained = False

    @classmethod
    def resume(
        cls,
        record: Record,
        agents: Mapping[int, Agent],
        *,
        seat: int = 0,
        called: Mapping[int, str] | None = None,
    ) -> "Session":
        """Go on with a game whose record was read from a file, and with its record there.

        Raises:
            KalookiError: it is over, or its moves are not those of the game it tells of.
        """
        record.game()  # refuses what cannot be dealt
        session = cls(
            record.rules, agents, record.seed, seat=seat, start=replace(record, deals=(), over=None)
        )
        session.names = list(record.names) if called is None else _names(called, seat)
        session.start = record.without_deals()
        session.recorder = Recorder(session.start)
        last = len(record.deals) - 1
        for number, deal in enumerate(record.deals):
            if number:
                session.recorder.next_deal()
            for mover, move in deal.moves + deal.decisions:
                if number < last:
                    session.recorder.play(move)
                elif mover == seat:
                    session._play_mine(move)
                else:
                    session._undo.clear()
                    session._apply(mover, move)
        session.book = Book.reopen(record, session.recorder.entries)
        return session

    @property
    def game(self) -> Game:
        """The game; it changes only through this session."""
        return self.recorder.game

    @property
    def my_turn(self) -> bool:
        """Tell whether the person is to move."""
        return self.game.to_move == self.seat

    @property
    def view(self) -> SeatView:
        """Look at the game from the person's seat."""
        return view_of(self.game, self.seat)

    # The person's moves

    def play(self, move: str) -> list[Event]:
        """Play the person's move.

        Raises:
            NotationError: the text is no move.
            IllegalMove: the rules forbid it; the game is unchanged.
        """
        if self.game.to_move is not None and not self.my_turn:
            raise IllegalMove(f"{move}: expected it in your turn, got it in another seat's: wait")
        event = self._play_mine(move)
        self._write()
        return [event]

    @property
    def can_undo(self) -> bool:
        """Whether the person's last move can be taken back: in the own turn, with nothing hidden seen."""
        return bool(self._undo)

    def undo(self) -> Event:
        """Take the person's last move back; return what had been told of it.

        Raises:
            IndexError: there is none to take back.
        """
        snapshot = self._undo.pop()
        event = self.events[-1]
        self.recorder.game = snapshot.game
        self.recorder.moves = snapshot.moves
        del self.recorder.entries[snapshot.entries :]
        del self.events[snapshot.events :]
        if self.book is not None and not self.closed:
            self.book.take_back(self.recorder.entries)
        return event

    def moves(self, words: Sequence[str] = ()) -> list[str]:
        """List the person's legal moves whose text holds every one of `words`."""
        found = self.game.legal_moves()
        return [move for move in found if all(word.lower() in move.lower() for word in words)]

    def hint(self, agent: Agent) -> str:
        """Return the move that an agent would play in the person's place."""
        return _choose(agent, self.game.clone(), self.seat)

    # The agents' moves

    def think(self) -> tuple[int, str]:
        """Return the seat to move and what its agent would play there; may run in another thread.

        The game is not changed; `answer` plays the move.
        """
        game = self.game.clone()
        seat = game.to_move
        assert seat is not None, "nobody is to move"
        if game.phase == "draw" and self._goes_round() and game.explain("draw") is None:
            return seat, "draw"
        return seat, _choose(self.agents[seat], game, seat)

    def _goes_round(self) -> bool:
        """Tell whether cards of the pile only go round, which could last for ever: then agents draw."""
        came = [event.move for event in self.events if event.move in ("draw", "take")]
        last = came[-ROUNDS * len(self.names) :]
        return len(last) == ROUNDS * len(self.names) and "draw" not in last

    def answer(self, seat: int, move: str) -> Event:
        """Play an agent's move."""
        self._undo.clear()
        event = self._apply(seat, move)
        self._write()
        return event

    def opponents(self) -> list[Event]:
        """Let the agents play until the person is to move, a deal ends, or nobody is to move."""
        events: list[Event] = []
        was_over = self.game.deal_over
        while self.game.to_move is not None and not self.my_turn:
            events.append(self.answer(*self.think()))
            if self.game.deal_over and not was_over:
                break
        return events

    # The match

    def score(self) -> list[ScoreRow]:
        """Return the score of the deal that is over, a row a seat."""
        return score_rows(self.game.result)

    @property
    def results(self) -> list[Mapping[str, Any]]:
        """The results of the deals that are over, void ones too: the score sheet."""
        return [entry["result"] for entry in self.recorder.entries if "result" in entry]

    def complaint(self) -> str:
        """Say, the first time it is asked since, that the record cannot be written; else nothing."""
        problem = None if self.book is None else self.book.problem
        before, self._complained = self._complained, problem is not None
        if problem is None or before:
            return ""
        return f"The record of this game cannot be written: {problem}. You can play on without it."

    def next_deal(self) -> None:
        """Deal again; the deal must be over and no buy-in pending."""
        self.recorder.next_deal()
        self.events.clear()
        self._undo.clear()
        self._write()
        if not self.closed:
            self.watch()

    def close(self) -> None:
        """Write the end of the record, over or left, and close its file."""
        if self.closed:
            return
        self.closed = True
        if self.book is not None and self.book.begun:
            self.recorder.close()
            self.book.write(self.recorder.entries)
            self.book.close()

    # Inside

    def _snapshot(self) -> _Snapshot:
        recorder = self.recorder
        counts = (len(recorder.entries), recorder.moves, len(self.events))
        return _Snapshot(self.game.clone(), *counts)

    def _play_mine(self, move: str) -> Event:
        """Play a move of the person, and note where it can be taken back to."""
        before = self._snapshot()
        event = self._apply(self.seat, move)
        self._undo.append(before)
        if event.drawn or self.game.deal_over or not self.my_turn or self.game.phase == "draw":
            self._undo.clear()  # something hidden was seen, or the turn is over
        return event

    def _apply(self, seat: int, move: str) -> Event:
        """Play a whole move and note what happened."""
        before = self.game.clone()
        self.recorder.play(move)
        written = next(e["move"] for e in reversed(self.recorder.entries) if "move" in e)
        self.events.append(self._event(before, written, seat))
        return self.events[-1]

    def _write(self) -> None:
        if self.closed:
            return
        if self.book is not None:
            self.book.write(self.recorder.entries)
        if self.game.over:
            self.watch()

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


def _choose(agent: Agent, game: Game, seat: int) -> str:
    """Play one whole move of an agent in `game`, which is thrown away; return its text."""
    before = game.clone()
    ids: list[int] = []
    while True:
        ids.append(int(agent.act(game, seat)))
        game.play(ids[-1])
        if game.question is None:
            return actions.decode(before, ids)


def _drawn(old: SeatView, new: SeatView) -> str | None:
    """Find the card that came into a hand."""
    rest = list(new.hand)
    for card in old.hand:
        rest.remove(card)
    return rest[0] if rest else None


def _names(called: Mapping[int, str], seat: int) -> list[str]:
    """Name the seats: "you", and the agents, numbered where several are called the same."""
    return numbers([called[other] if other != seat else "you" for other in range(len(called) + 1)])
