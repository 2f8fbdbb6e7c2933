"""One game for people, tests and search: text moves, reasons, copies, positions.

All state is one engine record (`Game.state`, a GAME array of length 1); everything here asks the
engine.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kalooki_env import actions, calls, move_ids, notation, observation
from kalooki_env.checks import as_whole
from kalooki_env.engine import layout as L
from kalooki_env.engine.single import ILLEGAL, deal_next_at, determinize_at, start_match_at
from kalooki_env.engine.tables import point_runs
from kalooki_env.errors import IllegalMove, KalookiError, RulesError
from kalooki_env.explain import reason
from kalooki_env.moves import apply_text_move
from kalooki_env.rules import Rules
from kalooki_env.seeds import stream_key

_DETERMINIZE = 1
_TRIES = 20_000
"""Hands dealt to a seat in the middle of its turn before none is taken to be possible."""
_INT8, _UINT8 = np.dtype(np.int8), np.dtype(np.uint8)


class Game:
    """One deal (`episode="deal"`) or one match (`episode="match"`) of Kalooki.

    Args:
        rules: a preset's name, a mapping as in case files, or `Rules`.
        seats: seats at the table.
        seed: decides everything that is dealt; None draws one.
        episode: "deal" or "match".
        deal: number of the contract that a single deal plays, from 1; None draws it from the seed,
            among those that can be dealt to so many seats.

    Raises:
        RulesError: a variant, number of seats, episode or deal that cannot be played.
    """

    def __init__(
        self,
        rules: "Rules | Mapping[str, Any] | str" = "british",
        seats: int = 2,
        seed: int | None = None,
        episode: str = "deal",
        deal: int | None = None,
    ) -> None:
        rules = Rules.from_value(rules)
        most = max(len(rules.contracts or ()), 1)
        number = as_whole(deal)
        if deal is not None and (number is None or not 1 <= number <= most):
            raise RulesError(f"expected deal from 1 to {most} with these rules, got {deal!r}")
        if episode == "match" and deal is not None:
            raise RulesError(
                'expected deal only with episode="deal": a match plays its deals in order'
            )
        self._prepare(rules, seats, episode, number)
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        key = stream_key(seed)
        start_match_at(self.state, 0, self.record, self.seats, key, int(episode == "match"), number or 0)

    def _prepare(self, rules: Rules, seats: int, episode: str, deal: int | None = None) -> None:
        if episode not in ("deal", "match"):
            raise RulesError(f'expected episode "deal" or "match", got {episode!r}')
        self.seats = rules.check_seats(seats, episode, deal)
        self.rules, self.episode = rules, episode
        self.record = rules.record()
        self.runs = point_runs(self.record)
        self.state = L.records(1, L.GAME)
        self._legal: np.ndarray | None = None

    # What is the case

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when nobody is."""
        seat = int(self.state["to_move"][0])
        return None if seat == L.NO_SEAT else seat

    @property
    def phase(self) -> str:
        """ "draw", "play", "announce", "buy_in" or "over" (of the deal)."""
        return L.PHASES[self.state["phase"][0]]

    @property
    def question(self) -> str | None:
        """What a half-made move asks: "place" (of a spare joker), "meld" (on the table), else None."""
        return L.QUESTIONS[self.state["question"][0]]

    @property
    def half(self) -> tuple[int, ...]:
        """Action ids of the begun move."""
        return tuple(int(a) for a in self.state["half"][0][: self.state["n_half"][0]])

    @property
    def deal_over(self) -> bool:
        """Whether the deal is over; in a match buy-ins may still be pending."""
        return bool(self.state["deal_over"][0])

    @property
    def over(self) -> bool:
        """Whether no further move or deal follows in this episode."""
        return bool(self.state["match_over"][0]) if self.episode == "match" else self.deal_over

    @property
    def truncated(self) -> bool:
        """Whether the turn cap cut this deal."""
        return bool(self.state["is_cut"][0])

    @property
    def result(self) -> dict[str, Any]:
        """The keys of `expect` in NOTATION.md without meld_points, plus `truncated`; plain Python
        values."""
        from kalooki_env.positions import result

        return result(self)

    # Moves

    def legal_actions(self) -> np.ndarray:
        """Return the legal action ids of the seat to move, int16, ascending, a fresh array."""
        return self._legal_ids().copy()

    def _legal_ids(self) -> np.ndarray:
        """Return the legal ids, listed once for each position: never written to, copies share it."""
        legal = self._legal
        if legal is None:
            work, scratch, ids = calls.space.arrays
            n = calls.list_legal.call(self.state, 0, self.record, self.runs, work, scratch)
            legal = self._legal = ids[:n].copy()
        return legal

    def is_legal(self, action: int) -> bool:
        """Tell whether an action id is legal now."""
        ids = self._legal_ids()
        at = int(ids.searchsorted(action))
        return at < len(ids) and int(ids[at]) == action

    def legal_moves(self) -> list[str]:
        """Return the texts of all legal moves; with a half-made move, of those that complete it.

        A hand with jokers can have thousands.
        """
        return [text for text, _ in self.move_sequences()]

    def move_sequences(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield each legal move's text with the action ids that carry it out from here."""
        return move_ids.sequences(self)

    def play(self, move: str | int) -> None:
        """Play a move: its text (NOTATION.md) or one action id.

        Raises:
            NotationError: the text is no move at all.
            IllegalMove: the rules forbid it here, and why. The game is unchanged in both cases.
        """
        if isinstance(move, str):
            self._copy_state(self._after_text(move))
            return
        self._play_id(move if type(move) is int else move_ids.as_id(move))

    def _play_id(self, action: int) -> int:
        """Play an action id; return the seat to move then, NO_SEAT if the deal is over."""
        seat = ILLEGAL
        if 0 <= action < actions.N:
            legal = self._legal_ids()
            work, scratch, _ = calls.space.arrays
            seat = calls.play.call(
                self.state, 0, self.record, self.runs, work, scratch, legal, action
            )
        if seat == ILLEGAL:
            raise IllegalMove(move_ids.refusal(self, action))
        self._legal = None
        return seat

    def _after_text(self, text: str) -> "Game":
        trial = self.clone()
        parsed = notation.parse_move(text)
        if not apply_text_move(trial, parsed):
            raise IllegalMove(f"{text.strip()}: {reason(self, parsed)}")
        return trial

    def _apply(self, action: int) -> None:
        """Apply an action that is known to be legal."""
        work, scratch, _ = calls.space.arrays
        calls.apply.call(self.state, 0, self.record, self.runs, work, scratch, int(action))
        self._legal = None

    def explain(self, text: str) -> str | None:
        """Return None if the move is legal, else the reason in the rules' words; raise
        NotationError."""
        parsed = notation.parse_move(text)
        if apply_text_move(self.clone(), parsed):
            return None
        return reason(self, parsed)

    def encode_move(self, move: notation.Move) -> tuple[int, ...]:
        """Return the action ids that carry out a parsed move from here; raise IllegalMove if it is
        not legal."""
        trial = self.clone()
        ids: list[int] = []
        if not apply_text_move(trial, move, ids):
            raise IllegalMove(f"{notation.move_text(move)}: {reason(self, move)}")
        return tuple(ids)

    def decode_ids(self, ids: tuple[int, ...]) -> str:
        """Return the text of the move that action ids carry out from here; raise IllegalMove if
        they don't."""
        return move_ids.text_of(self, tuple(ids))

    def meld_points(self, cards: str) -> int:
        """Return the points that a meld is worth towards the opening; it need not be in a hand."""
        return notation.meld_points(notation.parse_meld(cards), self.rules)

    def next_deal(self) -> None:
        """Deal the next deal of a match (after a void or cut deal: again). Raise KalookiError if
        none is due."""
        if self.episode != "match":
            raise KalookiError(
                'expected a game with episode="match" to deal again: this one is a single deal'
            )
        if not self.deal_over or self.over or self.to_move is not None:
            raise KalookiError(
                "expected the deal to be over, its buy-ins decided and the match not ended"
            )
        deal_next_at(self.state, 0, self.record)
        self._legal = None

    # What a seat sees

    def observation(self, seat: int) -> np.ndarray:
        """Return what `seat` may know, uint8[observation.SIZE], a fresh array."""
        self._check_seat(seat)
        seen = np.empty(observation.SIZE, _UINT8)
        work, scratch, _ = calls.space.arrays
        calls.observe.call(self.state, 0, self.record, work, scratch, seat, seen)
        return seen

    def action_mask(self, seat: int) -> np.ndarray:
        """Return int8[actions.N], 1 for each legal action; all zero for a seat that is not to move."""
        self._check_seat(seat)
        mask = np.empty(actions.N, _INT8)
        calls.mask.call(self.state, 0, seat, self._legal_ids(), mask)
        return mask

    def look(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """Return `action_mask(seat)` and `observation(seat)`; after a move one call gets both."""
        if self._legal is not None:
            return self.action_mask(seat), self.observation(seat)
        if type(seat) is not int or not 0 <= seat < self.seats:
            self._check_seat(seat)
        mask, seen = np.empty(actions.N, _INT8), np.empty(observation.SIZE, _UINT8)
        work, scratch, ids = calls.space.arrays
        n = calls.look.call(self.state, 0, self.record, self.runs, work, scratch, seat, mask, seen)
        self._legal = ids[:n].copy()
        return mask, seen

    def render(self, seat: int) -> str:
        """Return the table as `seat` sees it, as text."""
        from kalooki_env.render.text import render_text

        self._check_seat(seat)
        return render_text(self, seat)

    def picture(self, seat: int, width: int = 960) -> np.ndarray:
        """Return the table as `seat` sees it, as a picture: a new uint8[height, width, 3], RGB.

        Args:
            seat: whose view.
            width: pixels across, 480 to 1920; the height is two thirds of it.

        Raises:
            RulesError: no such seat.
            ValueError: another width.
        """
        from kalooki_env.render.picture import render_picture

        self._check_seat(seat)
        return render_picture(self, seat, width=width)

    def _check_seat(self, seat: int) -> None:
        number = seat if type(seat) is int else as_whole(seat)
        if number is None or not 0 <= number < self.seats:
            raise RulesError(f"expected a seat from 0 to {self.seats - 1}, got {seat!r}")

    def determinize(self, seat: int, seed: int) -> "Game":
        """Return a copy in which whatever `seat` can't know is dealt anew.

        The unseen cards (the stock, and the other hands but for the cards known to be there) are
        dealt to the unseen places, each assignment that agrees with what the seat knows being
        equally likely; hand sizes, stock size, legal actions and the observation of the seat stay.
        A seat knows the cards that others have taken or released in the open and still hold; after
        a rebuild it also knows which cards the stock was made of and who has drawn from it. A move
        that another seat has begun is taken back, and the hand of a seat in the middle of its turn
        lets it end the turn. Once the deal is over all hands have been shown, and only the stock is
        shuffled.

        Args:
            seat: whose knowledge counts.
            seed: decides what is dealt, and the random stream of the copy.

        Raises:
            RulesError: no such seat, or a negative seed.
            KalookiError: in the middle of another seat's turn, where almost no hand could end it
                (a contract half laid, say), none was found.
        """
        self._check_seat(seat)
        copy = self.clone()
        copy._legal = None
        work, scratch, _ = calls.space.arrays
        key = stream_key(seed, _DETERMINIZE)  # another stream than that of a game of this seed
        found = determinize_at(
            copy.state, 0, self.record, self.runs, work, scratch, seat, key, _TRIES
        )
        if not found:
            raise KalookiError(
                f"expected a hand that lets seat {self.to_move} end its turn among {_TRIES} dealt "
                "at random, found none; determinize when its turn is over"
            )
        return copy

    # Copies

    def clone(self) -> "Game":
        """Return an independent copy that continues identically."""
        copy = object.__new__(Game)
        copy.__dict__.update(self.__dict__)
        # NumPy's own copy goes through the fields one by one, which takes ten times as long.
        copy.state = L.as_records(np.frombuffer(bytearray(self.state.tobytes()), L.GAME))
        return copy

    def _copy_state(self, other: "Game") -> None:
        self.state.view(np.uint8)[:] = other.state.view(np.uint8)
        self._legal = None

    def __deepcopy__(self, memo: dict) -> "Game":
        return self.clone()

    def __copy__(self) -> "Game":
        return self.clone()

    def __reduce__(self) -> tuple:
        return Game.from_bytes, (self.to_bytes(),)

    def to_bytes(self) -> bytes:
        """Return the whole game, its random stream included, as bytes."""
        from kalooki_env.packing import pack

        return pack(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Game":
        """Return the game that `to_bytes` wrote; raise PositionError for anything else."""
        from kalooki_env.packing import unpack

        return unpack(cls, data)

    def position(self) -> dict[str, Any]:
        """Return the rules' state as a mapping of NOTATION.md; memory and random stream are only in
        `to_bytes`."""
        from kalooki_env.positions import write_position

        return write_position(self)

    @classmethod
    def from_position(
        cls, mapping: Mapping[str, Any], episode: str = "match", seed: int = 0
    ) -> "Game":
        """Return the game of a position in NOTATION.md; raise PositionError for one that cannot be."""
        from kalooki_env.positions import read_position

        return read_position(cls, mapping, episode, seed)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]
