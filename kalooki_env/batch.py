"""Many deals at once, all seats controlled by the caller: the interface for learners.

```python
batch = Batch("british", seats=2, n=1024, seed=0)
while True:
    observations = batch.observe()          # uint8[n, SIZE], each for the seat to move
    ids, counts = batch.legal()             # the first counts[i] entries of row i are the legal ids
    step = batch.step(choose(observations, ids, counts))    # or batch.sample(rng), at random
    ...                                     # step.done, step.rewards: the deals that ended
```

A deal that ends is reported and dealt anew in the same slot, from that slot's own random stream,
so results depend on the seed and the slot and never on `n`.
"""

from typing import NamedTuple

import numpy as np

from kalooki_env import actions, observation
from kalooki_env.checks import MANY, fitting, whole
from kalooki_env.engine import batch as kernel
from kalooki_env.engine.layout import GAME, records, scratch_space
from kalooki_env.engine.single import observe_at, start_match_at
from kalooki_env.engine.tables import point_runs
from kalooki_env.errors import IllegalMove
from kalooki_env.knobs import RANGES, checked_int
from kalooki_env.rules import TURN_CAP, Rules
from kalooki_env.seeds import checked_seed


class Step(NamedTuple):
    """What a step did; the arrays belong to the batch and are overwritten by its next step.

    Rows where `done` is False describe nothing.
    """

    done: np.ndarray
    """bool[n]: the deal ended."""
    winner: np.ndarray
    """int32[n]: the seat that went out, -1 for a void or cut deal."""
    penalties: np.ndarray
    """int32[n, seats]: value of the cards left in each hand."""
    rewards: np.ndarray
    """float32[n, seats]: points / 100, loser minus the penalty and winner the sum of them."""
    turns: np.ndarray
    """int32[n]: turns of the deal."""
    is_void: np.ndarray
    """bool[n]: nobody wins, the stock ran out for good."""
    is_cut: np.ndarray
    """bool[n]: ended by the turn cap."""
    is_kalooki: np.ndarray
    """bool[n]: gone out in one turn with nothing laid before."""


def slot_seeds(seed: int, n: int, first_slot: int = 0) -> np.ndarray:
    """Return uint64[n]: the seeds of `n` slots of a batch, from `first_slot` on."""
    base = np.random.SeedSequence(checked_seed(seed)).generate_state(1, np.uint64)[0]
    with np.errstate(over="ignore"):
        slots = np.arange(first_slot, first_slot + n, dtype=np.uint64)
        return base + slots * np.uint64(0xD1342543DE82EF95)


class Batch:
    """`n` single deals of one variant, advanced together, every seat played by the caller.

    Args:
        rules: a preset's name, a mapping as in case files, or `Rules`.
        seats: seats at every table.
        n: number of games.
        seed: decides everything that is dealt.
        first_slot: number of the first game in a larger batch of which this one is a part: batches
            of 512 from slot 0 and from slot 512, in two processes or threads, deal and play what
            one of 1024 does.
        auto_play: play decisions with one legal action inside `step`, so that every row has a
            choice.
        turn_cap: turns after which a deal is cut, None for no cap; the rules' own cap wins.

    Raises:
        RulesError: a variant or number of seats that cannot be dealt, or another number out of
            range.
    """

    def __init__(
        self,
        rules: "Rules | str" = "british",
        seats: int = 2,
        n: int = 1024,
        seed: int = 0,
        *,
        first_slot: int = 0,
        auto_play: bool = True,
        turn_cap: int | None = TURN_CAP,
    ) -> None:
        self.rules = Rules.from_value(rules)
        self.seats = self.rules.check_seats(seats)
        self.n, self.auto_play = whole("n", n, 1, MANY), auto_play
        self._first_slot = whole("first slot", first_slot, 0, MANY)
        turn_cap = checked_int("turn_cap", turn_cap, *RANGES["turn_cap"])
        checked_seed(seed)
        self.observation_size = observation.SIZE
        self.record = self.rules.record()
        if self.rules.turn_cap is None and turn_cap is not None:
            self.record["turn_cap"] = turn_cap
        self.runs = point_runs(self.record)
        self.work, self.scratch = scratch_space()
        with fitting("n", self.n):
            self._allocate(self.n, self.seats)
        self.reset(seed)

    def _allocate(self, n: int, seats: int) -> None:
        """Make the arrays of `n` games."""
        self.games = records(n, GAME)
        # Packed; memory that no list has reached yet is never touched, and so costs nothing.
        self._lists = np.empty(n * actions.N + kernel.SHORT, np.int16)
        self._starts = np.zeros(n + 1, np.int64)
        self._ends = np.zeros((3, n), np.bool_)
        self._step = Step(
            np.zeros(n, np.bool_),
            np.zeros(n, np.int32),
            np.zeros((n, seats), np.int32),
            np.zeros((n, seats), np.float32),
            np.zeros(n, np.int32),
            *self._ends,
        )
        self._unseen = np.empty((0, observation.SIZE), np.uint8)
        self._unmasked = np.empty((0, actions.N), np.int8)

    def reset(self, seed: int) -> None:
        """Deal every game anew from `seed`."""
        for i, slot in enumerate(slot_seeds(seed, self.n, self._first_slot)):
            start_match_at(self.games, i, self.record, self.seats, slot, 0, 0)
        self._list()

    def restore(self, games: np.ndarray) -> None:
        """Go on from saved games: an array like `games`, of the same rules, seats and length."""
        self.games[:] = games
        self._list()

    def _list(self) -> None:
        """List the legal ids of games that were just put in place, forced moves played."""
        self._play(np.empty(0, np.int64), self._unseen, self._unmasked)

    def _play(self, chosen: np.ndarray, seen: np.ndarray, mask: np.ndarray) -> int:
        """Call `engine.batch.step_many` on the games."""
        s = self._step
        return kernel.step_many(
            self.games, self.record, self.runs, self.work, self.scratch, chosen, self._lists, self._starts,
            self.auto_play, s.done, s.winner, s.penalties, s.rewards, s.turns, self._ends, seen, mask,
        )  # fmt: skip

    @property
    def to_move(self) -> np.ndarray:
        """The seat to move in each game, int32[n], a fresh array."""
        return self.games["to_move"].astype(np.int32)

    def observe(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return the observation of each game's seat to move, uint8[n, SIZE], in `out` if given."""
        if out is None:
            out = np.empty((self.n, self.observation_size), np.uint8)
        self._own("observation", out, self._unseen)
        kernel.observe_many(self.games, self.record, self.work, self.scratch, out)
        return out

    def observe_seat(self, i: int, seat: int) -> np.ndarray:
        """Return the observation of any seat of game `i`, uint8[SIZE], a fresh array."""
        i, seat = whole("i", i, 0, self.n - 1), whole("seat", seat, 0, self.seats - 1)
        out = np.empty(self.observation_size, np.uint8)
        observe_at(self.games, i, self.record, self.work, self.scratch, seat, out)
        return out

    def legal(
        self, ids: np.ndarray | None = None, counts: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the legal ids of each game, int16[n, widest], ascending, and how many, int32[n].

        Only the first counts[i] entries of row i mean anything, zeros follow. `ids` (int16[n, >=
        widest], contiguous) and `counts` (int32[n]) are filled if given, `ids` in its first columns.

        Raises:
            ValueError: an array of another shape or dtype.
        """
        width = int(np.diff(self._starts).max())
        if counts is None:
            counts = np.empty(self.n, np.int32)
        else:
            _expect_array("counts", counts, np.int32, (self.n,))
        if ids is None:
            ids = np.zeros((self.n, width), np.int16)
        else:
            _expect_array("ids", ids, np.int16, (self.n, max(width, ids.shape[-1])))
            ids[:, :width] = 0
        kernel.unpack_lists(self._lists, self._starts, ids, counts)
        return ids, counts

    def packed(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the legal ids of all games one after the other, int16[sum], and where each game's
        begin, int64[n + 1]: those of game `i` are `ids[starts[i] : starts[i + 1]]`.

        The quickest way to see them. Views that can't be written to, good until the next step, reset
        or restore.
        """
        ids, starts = self._lists[: self._starts[-1]], self._starts.view()
        ids.flags.writeable = starts.flags.writeable = False
        return ids, starts

    def sample(self, rng: np.random.Generator) -> np.ndarray:
        """Choose a legal action in each game at random, each as likely, int64[n], a fresh array.

        Args:
            rng: gives one number a game.
        """
        chosen = np.empty(self.n, np.int64)
        uniforms = rng.random(self.n, dtype=np.float32)
        kernel.sample_many(self._lists, self._starts, uniforms, chosen)
        return chosen

    def legal_ids(self, i: int) -> np.ndarray:
        """Return the legal ids of game `i`, int16, ascending, a fresh array."""
        i = whole("i", i, 0, self.n - 1)
        return self._lists[self._starts[i] : self._starts[i + 1]].copy()

    def mask(self, out: np.ndarray | None = None) -> np.ndarray:
        """Return the action masks, int8[n, N], in `out` if given."""
        if out is None:
            out = np.empty((self.n, actions.N), np.int8)
        self._own("mask", out, self._unmasked)
        kernel.mask_many(*self.legal(), out)
        return out

    def step(
        self,
        chosen: np.ndarray,
        observation: np.ndarray | None = None,
        mask: np.ndarray | None = None,
    ) -> Step:
        """Apply one action in every game.

        Args:
            chosen: integers[n], each legal in its game.
            observation: filled with what `observe` would return next, uint8[n, SIZE]; faster than
                a call of its own.
            mask: filled with what `mask` would return next, int8[n, N].

        Raises:
            IllegalMove: an action is not legal; then no game has changed.
        """
        chosen = np.asarray(chosen)
        if chosen.dtype.kind not in "iu":
            raise IllegalMove(f"expected integers, one action a game, got {chosen.dtype}")
        chosen = np.ascontiguousarray(chosen, dtype=np.int64)
        if chosen.shape != (self.n,):
            raise IllegalMove(
                f"expected one action for each of {self.n} games, got shape {chosen.shape}"
            )
        seen = self._own("observation", observation, self._unseen)
        legal_mask = self._own("mask", mask, self._unmasked)
        row = self._play(chosen, seen, legal_mask)
        if row >= 0:
            legal = ", ".join(map(str, self.legal_ids(row)[:20]))
            raise IllegalMove(
                f"expected a legal action in game {row} ({legal} ...), got {chosen[row]}; "
                "choose from Batch.legal() or Batch.mask()"
            )
        return self._step

    def _own(self, name: str, given: np.ndarray | None, none: np.ndarray) -> np.ndarray:
        """Return the caller's array, checked, or one without rows."""
        if given is None:
            return none
        _expect_array(name, given, none.dtype, (self.n, none.shape[1]))
        return given


def _expect_array(name: str, given: np.ndarray, dtype: type, shape: tuple[int, ...]) -> None:
    if given.shape != shape or given.dtype != dtype or not given.flags.c_contiguous:
        raise ValueError(
            f"{name}: expected a contiguous {np.dtype(dtype)} array of shape {shape}, got "
            f"{given.dtype} of shape {given.shape}"
        )
