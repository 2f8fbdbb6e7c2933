"""One episode at one table: dealing, the next deals of a match, what each seat is paid, its record.

The AEC and the single-agent environment share it, so that a reward means the same in both.
"""

import dataclasses
import operator
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import error, spaces

from kalooki_env import actions, observation
from kalooki_env.cards import CARDS
from kalooki_env.checks import as_whole
from kalooki_env.engine.layout import NO_SEAT
from kalooki_env.errors import IllegalMove, RecordError, RulesError
from kalooki_env.game import Game
from kalooki_env.records import Record, Recorder, append, check_appendable
from kalooki_env.rules import TURN_CAP, Rules

Observation = dict[str, np.ndarray]

REWARDS = ("points", "win", "chips")
EPISODES = ("deal", "match")
RENDER_MODES = ("ansi", "human", "rgb_array")
RENDER_FPS = 2
"""Pictures a second of a video of a game: a person can follow the moves."""
_BUY_INS = (actions.BUY_IN, actions.DROP_OUT)
"""The actions that are played after the end of a deal."""


class Episode:
    """The deals of one episode, one after another, and their rewards.

    Args:
        rules: a preset's name, a mapping `{"preset": name, knob: value}`, or `Rules`. A `turn_cap`
            of None becomes `TURN_CAP`.
        seats: seats at the table.
        episode: "deal" or "match".
        reward: "points", "win" or "chips", see `play`.
        record: a file that every episode is appended to once it is over or left, or None.

    Raises:
        RulesError: for rules that so many seats cannot play, or "chips" where no money moves.
        RecordError: for a file that no games can be added to.
        ValueError: for an unknown `episode` or `reward`.
    """

    game: Game
    to_move: int | None
    """The seat to move, None once the episode is over."""
    played: list[tuple[int, int]] | None
    """Seats and actions played since somebody emptied it, for the words under a picture; None: they
    are not kept."""
    outcome: dict[str, Any] | None
    """The last deal that ended: winner (-1: nobody), penalties, kalooki, void, cut."""

    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules,
        seats: int,
        episode: str = "deal",
        reward: str = "points",
        record: str | Path | None = None,
    ) -> None:
        rules = Rules.from_value(rules)
        check_choice("episode", episode, EPISODES)
        check_choice("reward", reward, REWARDS)
        self.seats = rules.check_seats(seats, episode)
        if reward == "chips":
            _check_stakes(rules, episode)
        if record is not None:
            check_appendable(record)
        # Last, so that every error names the rules that were given.
        if rules.turn_cap is None:
            rules = dataclasses.replace(rules, turn_cap=TURN_CAP)
        self.rules = rules
        self.is_match = episode == "match"
        self.reward = reward
        self.played = None
        self._money = [0] * self.seats
        self._lost: set[int] = set()
        self._record = record
        self._recorder: Recorder | None = None

    def start(self, seed: int, deal: int | None = None, names: tuple[str, ...] = ()) -> None:
        """Deal the first deal of a new episode; `names`, by seat, are for its record."""
        self.close()
        episode = "match" if self.is_match else "deal"
        self.game = Game(self.rules, self.seats, seed=seed, episode=episode, deal=deal)
        self.to_move = self.game.to_move
        self.outcome = None
        if self.played is not None:
            self.played.clear()
        self._money = [0] * self.seats
        self._lost = set()
        if self._record is not None:
            what = Record(self.rules, self.seats, int(seed), episode, deal, names)
            self._recorder = Recorder(what)

    def play(self, action: int) -> list[float] | None:
        """Play one action of the seat to move; in a match, deal the next deal where one is over.

        Returns:
            What each seat is paid, or None where this action pays nothing. "points" pays when a
            deal ends: each loser minus its penalty / 100, the winner the sum. "win" pays when the
            episode ends: +1 shared by the winners, -1 shared by the others, of which a seat that
            is eliminated before has its 1/(n-1) then. "chips" pays the change
            of each seat's ledger when a deal ends and when a buy-in is decided. Void and cut deals
            pay 0.

        Raises:
            IllegalMove: the action is not legal here; nothing has changed.
        """
        mover = self.to_move
        seat = self.game._play_id(action)
        if seat != NO_SEAT:
            self.to_move = seat
        if self.played is not None:
            self.played.append((mover, action))
        if self._recorder is not None:
            self._write_down(action)
        if seat != NO_SEAT:
            return None
        return self._end_deal(action in _BUY_INS)

    def _end_deal(self, was_over: bool) -> list[float]:
        """Return what is paid for a deal that is over, or for a buy-in after it; deal the next."""
        game = self.game
        payment = self._payment(was_over)
        if not was_over:
            self.outcome = self._outcome()
        while not game.over and game.to_move is None:
            game.next_deal()
        self.to_move = game.to_move
        return payment

    def dealt(self, what: str) -> Game:
        """Return the game that `what` asks for; raise ResetNeeded before the first `start`."""
        if "game" not in self.__dict__:
            raise not_dealt(what)
        return self.game

    def picture(self, seat: int) -> np.ndarray:
        """Return what a seat sees, uint8[640, 960, 3], and under it in words what was played."""
        from kalooki_env.render.picture import render_picture

        return render_picture(self.game, seat, self.played or ())

    def close(self) -> None:
        """Add the episode to the record if it was not added yet and a move was played in it."""
        recorder, self._recorder = self._recorder, None
        if recorder is not None and recorder.moves:
            recorder.close()
            append(self._record, recorder.record)

    def _write_down(self, action: int) -> None:
        """Note an action that was played, and the whole game once it is over."""
        try:
            self._recorder.play(action)
        except IllegalMove:
            self._recorder = None
            raise RecordError(
                "expected a game that is played by the environment's steps alone, got one that was "
                "changed otherwise: it cannot be recorded"
            ) from None
        if self.game.over:
            self.close()

    def worst_loss(self) -> float:
        """Return a bound of what a seat can lose in one deal, as a negative reward."""
        if self.reward == "win":
            return -1.0
        rules = self.rules
        if self.reward == "chips":
            return -float(max(rules.initial, rules.call_up, rules.kalooki, rules.buy_in))
        pack = np.repeat(np.arange(CARDS), rules.deck_counts())
        penalties = [rules.card_penalty(card) for card in pack.tolist()]
        deals = range(1, len(rules.contracts or "1") + 1)
        size = max(rules.hand_size_for(self.seats, deal) for deal in deals)
        return -(sum(sorted(penalties)[-size:]) + rules.kalooki_penalty) / 100

    def no_outcome(self) -> dict[str, Any]:
        """Return what `outcome` looks like where no deal has ended."""
        return {
            "winner": -1,
            "penalties": np.zeros(self.seats, np.int64),
            "kalooki": False,
            "void": False,
            "cut": False,
        }

    def _outcome(self) -> dict[str, Any]:
        record = self.game.state[0]
        return {
            "winner": int(record["winner"]),
            "penalties": record["penalties"][: self.seats].astype(np.int64),
            "kalooki": bool(record["is_kalooki"]),
            "void": bool(record["is_void"]),
            "cut": bool(record["is_cut"]),
        }

    def _payment(self, was_over: bool) -> list[float]:
        """Return what a deal's end, or a buy-in decided after it, pays each seat."""
        record = self.game.state[0]
        if self.reward == "chips":
            return self._chips(record)
        if self.reward == "win":
            return self._win(record)
        winner = int(record["winner"])
        if was_over or winner < 0:
            return [0.0] * self.seats
        penalties = record["penalties"][: self.seats].tolist()
        payment = [-penalty / 100 for penalty in penalties]
        payment[winner] = sum(penalties) / 100
        return payment

    def _win(self, record: np.void) -> list[float]:
        if not self.game.over:
            return self._lost_now(record)
        if self.is_match:
            winners = np.flatnonzero(record["match_winners"][: self.seats]).tolist()
        else:
            winners = [int(record["winner"])] if record["winner"] >= 0 else []
        if not 0 < len(winners) < self.seats:
            return [0.0] * self.seats
        # Who left before has paid already. The other losers share the rest; where there are none,
        # the winners have what was paid.
        losers = set(range(self.seats)) - set(winners) - self._lost
        paid = len(self._lost) / (self.seats - 1)
        payment = [0.0] * self.seats
        for seat in losers:
            payment[seat] = -(1.0 - paid) / len(losers)
        for seat in winners:
            payment[seat] = (1.0 if losers else paid) / len(winners)
        return payment

    def _lost_now(self, record: np.void) -> list[float]:
        """Return what the seats pay that were eliminated since the last payment."""
        out = set(np.flatnonzero(record["eliminated"][: self.seats]).tolist()) - self._lost
        self._lost |= out
        return [-1.0 / (self.seats - 1) if seat in out else 0.0 for seat in range(self.seats)]

    def _chips(self, record: np.void) -> list[float]:
        if not self.is_match:
            return [float(chips) for chips in record["chips"][: self.seats]]
        money = record["money"][: self.seats].tolist()
        payment = [float(now - before) for now, before in zip(money, self._money, strict=True)]
        self._money = money
        return payment


def not_dealt(what: str) -> error.ResetNeeded:
    """Return the error for what asks for cards before the first reset."""
    return error.ResetNeeded(f"expected reset(), got {what}: nothing has been dealt")


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raise ValueError unless `value` is one of the choices."""
    if value not in choices:
        raise ValueError(f"{name}: expected one of {', '.join(choices)}, got {value!r}")


def _check_stakes(rules: Rules, episode: str) -> None:
    """Raise RulesError where the reward "chips" would always be zero."""
    if not rules.has_stakes:
        raise RulesError(
            f"reward: expected points or win, got 'chips': {rules.title} is played without stakes"
        )
    deal_pays = rules.match == "ring" or max(rules.call_up, rules.kalooki) > 0
    if episode == "deal" and not deal_pays:
        raise RulesError(
            f"reward: expected points or win, got 'chips': in {rules.title} money moves only at the "
            "end of a match; use episode='match'"
        )


def observation_space() -> spaces.Dict:
    """Make the observation space of one seat; keys in sorted order, as Gymnasium keeps them."""
    return spaces.Dict(
        {
            "action_mask": spaces.Box(0, 1, (actions.N,), np.int8),
            "observation": spaces.Box(0, 255, (observation.SIZE,), np.uint8),
        }
    )


def read_options(options: Mapping[str, Any] | None) -> tuple[int | None, str | None]:
    """Return the option `deal` and a complaint about options that do not exist."""
    if options is None:
        return None, None
    unknown = ", ".join(repr(key) for key in options if key != "deal")
    given = options.get("deal")
    deal = as_whole(given)
    if given is not None and deal is None:
        raise RulesError(f"options: expected a whole number for 'deal', got {given!r}")
    complaint = f"options: expected 'deal' or nothing, got {unknown}" if unknown else None
    return deal, complaint


def draw_seed(rng: np.random.Generator) -> int:
    """Draw a seed for a game."""
    return int(rng.integers(2**63))


def as_action(action: Any) -> int:
    """Return an action id as a plain int; raise IllegalMove for what is not a whole number."""
    try:
        return operator.index(action)
    except TypeError:
        raise IllegalMove(
            f"expected an action id 0-{actions.N - 1}, got {action!r}; the mask has the legal ones"
        ) from None
