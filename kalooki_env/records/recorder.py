"""Following a game move by move: `Recorder` to write its record, `replay` to check one."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kalooki_env import actions
from kalooki_env.cards import CARDS, card_text, cards_text
from kalooki_env.errors import IllegalMove, KalookiError, RecordError
from kalooki_env.game import Game
from kalooki_env.moves import move_of_ids
from kalooki_env.notation import parse_move
from kalooki_env.records.entries import (
    Builder,
    Entry,
    deal_entry,
    end_entry,
    entries,
    header,
    move_entry,
)
from kalooki_env.records.lines import RESULT, located
from kalooki_env.records.record import Deal, Record

_WORDS = ("draw", "take", "announce", "silent", "buy in", "drop out")
_PLAIN_IDS = {f"discard {card_text(card)}": actions.discard_id(card) for card in range(CARDS)} | {
    word: getattr(actions, word.replace(" ", "_").upper()) for word in _WORDS
}
"""Moves of one action id, whatever the position; they are most of a game."""
_PLAIN_TEXTS = {action: text for text, action in _PLAIN_IDS.items()}


class Recorder:
    """Writes down a game as it is played.

    It plays every move in a game of its own, made as the record says. So what it writes can be
    played again, and where the two games should ever differ, `play` raises instead of writing what
    did not happen.

    Args:
        start: what is played and by whom; its deals are left out.

    Raises:
        KalookiError: that cannot be dealt.
    """

    def __init__(self, start: Record) -> None:
        self._start = start.without_deals()
        self.game = self._start.game()
        """The game as far as it was told; read it, but play only through `play`."""
        self.entries: list[Entry] = [header(self._start)]
        """What the lines say so far."""
        self.moves = self.deals = 0
        self._before = self.game.clone()
        """The game before the move that was begun."""
        self._ids: tuple[int, ...] = self.game.half
        self._note_deal()
        if self.game.deal_over:
            self._note_result()

    @property
    def record(self) -> Record:
        """The record so far."""
        builder = Builder(self.entries[0])
        for entry in self.entries[1:]:
            builder.add(entry)
        return builder.record

    def play(self, move: str | int) -> None:
        """Play a move, its text or one action id, after dealing the next deal where one is due.

        A move that takes several ids is written down with its last one.

        Raises:
            IllegalMove, NotationError: as `Game.play`; nothing is written.
        """
        game = self.game
        if game.to_move is None and game.deal_over and not game.over:
            self.next_deal()
        seat, was_over = game.to_move, game.deal_over
        text = self._play(move)
        if text is None:
            return
        self.entries.append(move_entry(seat, text))
        self.moves += 1
        if game.deal_over and not was_over:
            self._note_result()

    def _play(self, move: str | int) -> str | None:
        """Play a move or one id of it; return the text of the move if it is complete."""
        game = self.game
        action = _PLAIN_IDS.get(move) if isinstance(move, str) else move
        if action in _PLAIN_TEXTS and game.question is None and game.is_legal(action):
            game._apply(action)
            return _PLAIN_TEXTS[action]
        if game.question is None:
            self._before = game.clone()
        ids = game.encode_move(parse_move(move)) if isinstance(move, str) else (move,)
        for action in ids:
            game.play(action)
        self._ids += tuple(map(int, ids))
        if game.question is not None:
            return None
        ids, self._ids = self._ids, ()
        return move_of_ids(self._before, ids, game)

    def next_deal(self) -> None:
        """Deal the next deal of a match; raise KalookiError if none is due."""
        self.game.next_deal()
        self._note_deal()

    def close(self) -> None:
        """Write the end; a move that was only begun is left out."""
        self.entries.append(end_entry(self.game.over, self.deals, self.moves))

    def _note_deal(self) -> None:
        state, shown = self.game.state[0], self.game.result
        stock = cards_text(state["stock"][: state["n_stock"]][::-1].tolist())
        deal = (int(state["deal"]), int(state["dealer"]), shown["hands"], shown["discards"], stock)
        self.entries.append(deal_entry(Deal(*deal)))
        self.deals += 1

    def _note_result(self) -> None:
        result = self.game.result
        self.entries.append({"result": {key: result[key] for key in RESULT}})


def from_choices(start: Record, choices: Iterable[int]) -> Record:
    """Return the record of a game of which only the choices are known.

    Args:
        start: what is played and by whom.
        choices: the action ids played where more than one was legal; the others are found again.

    Raises:
        IllegalMove: a choice that is not legal in its place.
    """
    recorder = Recorder(start)
    for choice in choices:
        _play_forced(recorder)
        recorder.play(choice)
    _play_forced(recorder)
    recorder.close()
    return recorder.record


def _play_forced(recorder: Recorder) -> None:
    """Deal and play until a seat has a choice or the game is over."""
    game = recorder.game
    while not game.over:
        if game.to_move is None:
            recorder.next_deal()
        legal = game.legal_actions()
        if len(legal) > 1:
            return
        recorder.play(int(legal[0]))


class Step(NamedTuple):
    """One step of a replay: a deal was dealt, or a move was played."""

    seat: int | None
    """Who moved; None: the cards of a deal were dealt."""
    move: str | None
    game: Game
    """The game after it. It goes on with the next step: clone what you keep."""


def replay(record: Record) -> Iterator[Step]:
    """Play a record again, checking every line: the cards, each seat and move, the results, the end.

    Raises:
        RecordError: the first line that does not tell what happens when the moves are played.
    """
    written = enumerate(entries(record))
    next(written)
    try:
        recorder = Recorder(record)
    except KalookiError as error:
        raise _at(record, 0, str(error)) from None
    index = 0
    for index, entry in written:
        try:
            _catch_up(recorder, index, entry)
        except KalookiError as error:
            raise _at(record, index, str(error)) from None
        if "seat" in entry:
            yield Step(entry["seat"], entry["move"], recorder.game)
        elif "deal" in entry:
            yield Step(None, None, recorder.game)
    missing = recorder.entries[index + 1 :]
    if missing and record.over is not None:
        raise _at(record, index + 1, f"expected {_told(missing[0])}, got the end of the game")


def _catch_up(recorder: Recorder, index: int, entry: Entry) -> None:
    """Let the recorder write its entry number `index` and compare it with the record's."""
    game = recorder.game
    if index == len(recorder.entries):
        if "seat" in entry:
            if entry["seat"] != game.to_move:
                to_move = "nobody" if game.to_move is None else f"seat {game.to_move}"
                raise RecordError(f"expected a move of {to_move}, got one of seat {entry['seat']}")
            try:
                recorder.play(entry["move"])
            except IllegalMove as error:
                raise RecordError(f"expected a legal move, got {error}") from None
        elif "deal" in entry:
            recorder.next_deal()
        elif "end" in entry:
            recorder.close()
        else:
            raise RecordError("expected a move, got a result: the deal is not over")
    expected = recorder.entries[index]
    if expected != entry:
        raise RecordError(f"expected {_told(expected)}, got {_told(entry)}")


def _told(entry: Entry) -> str:
    """Write an entry for a message."""
    match entry:
        case {"seat": seat, "move": move}:
            return f"{str(move)[:60]!r} of seat {seat}"
        case {"result": result}:
            return f"the result {result}"
        case {"deal": number}:
            shown = ", ".join(f"{key} {entry[key]!r:.400}" for key in ("hands", "discards"))
            return (
                f"deal {number}, dealer {entry['dealer']}, {shown} and a stock of {_stock(entry)}"
            )
        case _:
            return str(entry)


def _stock(entry: Entry) -> str:
    cards = entry["stock"].split()
    return f"{len(cards)} cards ({' '.join(cards[:5])} ...)"


def _at(record: Record, index: int, problem: str) -> RecordError:
    """Make the error of the line of an entry."""
    problem += " (altered, or written by another version of the game)"
    return located(record.path or "the record", record.line + index, problem)
