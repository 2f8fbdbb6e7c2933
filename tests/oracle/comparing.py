"""Hold one position of the engine against the oracle: ids, texts, opening, what a move leads to."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from kalooki_env import actions
from kalooki_env.errors import IllegalMove as EngineIllegalMove
from kalooki_env.game import Game

from .cards import show_cards
from .census import (
    DEAD_END,
    MATCH_ENDED,
    SWAP_REFUSED,
    endings,
    move_states,
    phase_name,
    states,
)
from .ids import ADD_RUN, RUN, TAKE
from .melds import points
from .notation import move_text
from .opening import opening_feasible
from .position import Position

FEW_TEXTS, MANY_TEXTS = 60, 2000
"""All texts are compared always up to the first number of them, now and then up to the second."""
KEPT = 10
"""Disagreements of one part of a run that are kept whole; all are counted."""
OF_THE_DEAL = (
    "hands",
    "table",
    "discards",
    "stock_size",
    "over",
    "winner",
    "kalooki",
    "void",
    "truncated",
    "penalties",
    "chips",
)
"""What a single deal and a deal of a match have in common in their results."""
KEPT_AFTER = ("to_move", "over", "totals", "eliminated", "pool")
"""What a position of an ended deal still tells of its result."""


@dataclass
class Tally:
    """Hold how much was compared, by (kind, name...), and the disagreements."""

    counts: Counter = field(default_factory=Counter)
    disagreements: list[dict[str, Any]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        self.counts.update(other.counts)
        self.disagreements += other.disagreements


class Comparison:
    """Compare positions of one variant at one number of seats, and count them."""

    def __init__(self, preset: str, variant: str, origin: str, rng: random.Random) -> None:
        self.preset, self.variant, self.origin, self.rng = preset, variant, origin, rng
        self.tally = Tally()
        self.seen: set[int] = set()

    @property
    def positions(self) -> int:
        """Return how many different positions were compared."""
        return len(self.seen)

    def count(self, *key: Any) -> None:
        """Count one of a kind."""
        self.tally.counts[key] += 1

    def expect(self, what: str, where: Any, engine: Any, oracle: Any, **more: Any) -> bool:
        """Note a disagreement unless both say the same; `where` is a position or gives one."""
        self.count("checks", what)
        if engine == oracle:
            return True
        self.count("disagreements", what)
        if len(self.tally.disagreements) < KEPT:
            if isinstance(engine, set):
                engine, oracle = sorted(engine - oracle), sorted(oracle - engine)
            self.tally.disagreements.append(
                {
                    "what": what,
                    "origin": self.origin,
                    **more,
                    "engine": engine,
                    "oracle": oracle,
                    "position": where() if callable(where) else where,
                }
            )
        return False

    # -- one position --------------------------------------------------------------------------

    def position(self, game: Game, carried: Position | None = None) -> Position:
        """Compare what may be played; `carried` is the oracle's position if it has followed."""
        mapping = game.position()
        oracle = carried or Position.from_mapping(mapping)
        ids = set(game.legal_actions().tolist())
        wanted = oracle.legal_ids()
        if not self.expect("legal ids", mapping, ids, wanted):
            self._describe(ids ^ wanted)
        key = hash(repr((mapping, self.variant)))
        fresh = key not in self.seen
        if fresh:
            self.seen.add(key)
            self._count_position(oracle)
        self._texts(game, oracle, mapping, fresh)
        self._opening(game, oracle, mapping, ids)
        if self.rng.random() < 0.2:
            again = Game.from_position(mapping)
            self.expect("position read back", mapping, again.position(), mapping)
            self.expect("legal ids read back", mapping, set(again.legal_actions().tolist()), ids)
            number = self.rng.randrange(actions.N)
            if number not in wanted:
                self.expect("illegal id refused", mapping, _refuses(game, number), True, id=number)
        return oracle

    def _describe(self, ids: set[int]) -> None:
        if self.tally.disagreements:
            names = {number: actions.describe(number) for number in sorted(ids)}
            self.tally.disagreements[-1].setdefault("ids", names)

    def _count_position(self, oracle: Position) -> None:
        seats = len(oracle.hands)
        self.count("positions", self.preset, self.variant, self.origin, seats)
        self.count("phase", self.preset, phase_name(oracle))
        self._count_states(states(oracle) | move_states(oracle))

    def _count_states(self, names: set[str]) -> None:
        for name in names:
            self.count("state", self.preset, name)
            if self.variant == self.preset:
                self.count("state without override", self.preset, name)

    def _texts(self, game: Game, oracle: Position, mapping: dict[str, Any], fresh: bool) -> None:
        """Compare the texts of the moves and their ids, and that a dead end is refused."""
        moves = len(oracle.all_legal)
        if moves > MANY_TEXTS or (moves > FEW_TEXTS and self.rng.random() > 0.1):
            self.count("checks", "texts left out")
            return
        depth = len(oracle.half)
        texts = {(text, tuple(ids)) for text, ids in game.move_sequences()}
        wanted = {(text, ids[depth:]) for text, ids in oracle.sequences().items()}
        self.expect("texts and ids of moves", mapping, texts, wanted)
        if oracle.phase != "play" or oracle.half:
            return
        refused = [
            text
            for move in oracle.turn_search.moves(oracle.state)
            if (text := move_text(move, oracle.table, oracle.rules)) not in oracle.all_legal
        ]
        if refused:
            text = self.rng.choice(refused)
            if fresh:
                self._count_states({DEAD_END})
                if any(text.startswith("swap") for text in refused):
                    self._count_states({SWAP_REFUSED})
            self.expect("dead end refused", mapping, _refuses(game, text), True, move=text)

    def _opening(
        self, game: Game, oracle: Position, mapping: dict[str, Any], ids: set[int]
    ) -> None:
        """Compare whether an unopened hand can open, with what the engine offers."""
        if oracle.half or oracle.state.opened or oracle.phase not in ("draw", "play"):
            return
        if oracle.phase == "play":
            offered = any(RUN <= number < ADD_RUN for number in ids)
            if (feasible := _feasible_now(oracle)) is not None:
                self.expect("opening feasible", mapping, offered, feasible)
            return
        if _must_open_with(oracle):
            feasible = _feasible_with(oracle, oracle.discards[-1])
            self.expect("take to open feasible", mapping, TAKE in ids, feasible)
        if self.rng.random() < 0.25:
            self._opening_of_some_seat(oracle, mapping)

    def _opening_of_some_seat(self, oracle: Position, mapping: dict[str, Any]) -> None:
        """Compare the opening of a seat's hand as it stands, as if the seat were in play."""
        seats = [seat for seat, hand in enumerate(oracle.hands) if hand and not oracle.opened[seat]]
        seat = self.rng.choice(seats)
        playing = {**mapping, "phase": "play", "to_move": seat}
        offered = any(
            RUN <= number < ADD_RUN for number in Game.from_position(playing).legal_actions()
        )
        feasible = _feasible_now(Position.from_mapping(playing))
        self.expect("opening feasible, any hand", playing, offered, feasible)

    # -- one move ------------------------------------------------------------------------------

    def move(self, game: Game, oracle: Position, action: int) -> tuple[Game, Position | None]:
        """Play an action on both sides and compare; return both (None: they have parted)."""
        after = game.clone()
        after.play(action)
        if action not in oracle.legal_ids():
            return after, None
        follower = self._landing(game, after, oracle.play_id(action), action)
        if follower is not None and after.episode == "match" and after.deal_over:
            self._count_ending(oracle, follower)
        if len(oracle.all_legal) <= MANY_TEXTS and self.rng.random() < 0.3:
            text = self.rng.choice(sorted(oracle.legal_moves()))
            other = game.clone()
            other.play(text)
            self._landing(game, other, oracle.play(text), text)
        return after, follower

    def _count_ending(self, before: Position, after: Position) -> None:
        """Count what the end of a deal meant for the match, on which both sides agree."""
        names = endings(before, after)
        for name in names:
            self.count("endings", self.preset, name)
        self._count_states(names & {MATCH_ENDED})

    def _landing(
        self, before: Game, after: Game, oracle: Position, move: int | str
    ) -> Position | None:
        """Compare where a move has led; return the oracle's position, None where they differ."""
        mapping = after.position()
        if before.episode == "match" or not after.deal_over:
            different = oracle.differences(mapping)
            same = self.expect("position after a move", before.position, different, [], move=move)
        else:
            same = True
        if before.episode == "match" and after.deal_over:
            again = Game.from_position(mapping)
            kept = [(game.position(), *map(game.result.get, KEPT_AFTER)) for game in (again, after)]
            self.expect("end of a deal read back", mapping, *kept)
        mine, other = oracle.result(), after.result
        keys = mine.keys() if before.episode == "match" else OF_THE_DEAL
        wrong = {key: (other[key], mine[key]) for key in keys if other[key] != mine[key]}
        what = "result of a deal" if after.deal_over else "result so far"
        same &= self.expect(what, before.position, wrong, {}, move=move)
        if not same:
            return None
        return oracle if oracle.stock_known else oracle.with_stock(mapping["stock"])


def _refuses(game: Game, move: int | str) -> bool:
    """Tell whether the engine refuses a move and stays as it was."""
    trial = game.clone()
    try:
        trial.play(move)
    except EngineIllegalMove:
        return trial == game
    return False


def _must_open_with(oracle: Position) -> bool:
    """Tell whether a card taken now would have to be used in the opening."""
    first = oracle.turn == 1 and oracle.rules.first_turn_take
    return oracle.rules.discard_before_opening == "to_open" and not first and bool(oracle.discards)


def _contract(oracle: Position) -> str | None:
    return None if oracle.rules.contracts is None else oracle.rules.contracts[oracle.deal - 1]


def _feasible_now(oracle: Position) -> bool | None:
    """Ask the oracle whether the hand in play can open, from the hand alone."""
    laid = [meld for meld in oracle.table if meld.laid]
    if laid and oracle.rules.contracts is not None:
        return None
    held = any(oracle.taken in meld.cards for meld in laid)
    return opening_feasible(
        show_cards(oracle.state.hand),
        oracle.rules,
        laid_points=sum(points(meld, oracle.rules) for meld in laid),
        taken="" if oracle.taken is None else show_cards([oracle.taken]),
        twin=oracle.taken_twin,
        must_use=oracle.turn_search.at.duty and not held,
        barred=oracle.barred[oracle.to_move],
        contract=_contract(oracle),
    )


def _feasible_with(oracle: Position, card: int) -> bool:
    """Ask the oracle whether the hand can open with the top discard."""
    hand = oracle.state.hand
    return opening_feasible(
        show_cards((*hand, card)),
        oracle.rules,
        taken=show_cards([card]),
        twin=card in hand,
        must_use=True,
        barred=oracle.barred[oracle.to_move],
        contract=_contract(oracle),
    )
