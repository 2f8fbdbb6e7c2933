"""The vector environment's interface; the package's page describes what it returns."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import error, logger, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from kalooki_env import actions, observation
from kalooki_env.checks import MANY, as_whole, fitting, known_keywords, whole
from kalooki_env.episode import (
    RENDER_FPS,
    Episode,
    check_choice,
    not_dealt,
    observation_space,
    read_options,
)
from kalooki_env.errors import IllegalMove
from kalooki_env.game import Game
from kalooki_env.rules import KNOBS, Rules
from kalooki_env.single import Opponents, checked_seat, load_opponents
from kalooki_env.vector import play
from kalooki_env.vector.tables import Tables

Observations = dict[str, np.ndarray]
Seeds = int | Sequence[int | None] | None
Results = tuple[Observations, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]

DTYPES = ("uint8", "float32")
_RENDER_MODES = ("ansi", "rgb_array")


class KalookiVectorEnv(VectorEnv[Observations, np.ndarray, np.ndarray]):
    """Tables of Kalooki with one learner each.

    Args:
        num_envs: number of tables: the rows of every array.
        rules, seats, opponents, seat, episode, reward: as for `kalooki_env.single.KalookiEnv`;
            opponents with `act_batch` are quicker.
        illegal: what an illegal action does: "lose" ends the episode of its row with the worst
            loss, "raise" raises `IllegalMove` and changes nothing in any row.
        autoreset_mode: a `gymnasium.vector.AutoresetMode` or its value.
        observation_dtype: "uint8" or "float32".
        copy: whether observations are new arrays at every step.
        auto_play: play the learner's decisions with one legal action inside, so that every
            observation has a choice. A deal that gives the learner none is no episode.
        render_mode: None, "ansi" (a text for each row) or "rgb_array" (a picture for each row,
            uint8[640, 960, 3]).

    Raises:
        RulesError: for rules that so many seats cannot play, or "chips" where no money moves.
        AgentError: for an opponent that cannot be had.
        ValueError: for another argument out of range.
    """

    metadata: dict[str, Any] = {"render_modes": list(_RENDER_MODES), "render_fps": RENDER_FPS}

    @known_keywords("Kalooki-v0 (vector)", knobs=KNOBS)
    def __init__(
        self,
        num_envs: int = 1,
        rules: str | Mapping[str, Any] | Rules = "british",
        seats: int = 2,
        opponents: Opponents = "random",
        seat: int | None = None,
        episode: str = "deal",
        reward: str = "points",
        illegal: str = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observation_dtype: str = "uint8",
        copy: bool = True,
        auto_play: bool = False,
        render_mode: str | None = None,
    ) -> None:
        number = as_whole(num_envs)
        if number is None or number < 1:
            raise ValueError(f"num_envs: expected a whole number from 1, got {num_envs!r}")
        num_envs = whole("num_envs", number, 1, MANY)
        check_choice("illegal", illegal, ("lose", "raise"))
        check_choice("observation_dtype", observation_dtype, DTYPES)
        if render_mode is not None:
            check_choice("render_mode", render_mode, _RENDER_MODES)
        self.autoreset_mode = _read_mode(autoreset_mode)
        table = Episode(rules, seats, episode, reward)
        seat, others = checked_seat(seat, table.seats), load_opponents(opponents, table.seats)
        self.illegal_reward = table.worst_loss()
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self._raises, self._copy = illegal == "raise", copy
        self._scales = observation.scales() if observation_dtype == "float32" else None
        self._own: Observations = {}
        with fitting("num_envs", num_envs):
            self._tables = Tables(num_envs, table, others, seat, auto_play)
            self._all, self._ended = np.arange(num_envs), np.zeros(num_envs, np.bool_)
            self._make_spaces()

    def _make_spaces(self) -> None:
        self.single_observation_space = observation_space()
        if self._scales is not None:
            values = spaces.Box(np.zeros_like(self._scales), 255 * self._scales, dtype=np.float32)
            self.single_observation_space["observation"] = values
        self.single_action_space = spaces.Discrete(actions.N)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def rules(self) -> Rules:
        """The rules of the tables, with the turn cap that is in force."""
        return self._tables.rules

    @property
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """The random streams of the rows; they draw the learners' seats and the seeds of games."""
        return self._tables.streams

    @property
    def np_random_seed(self) -> tuple[int, ...]:
        """The seeds that the random streams of the rows were started with."""
        return self._tables.seeds

    def game(self, i: int) -> Game:
        """Return a copy of the game in row `i`."""
        self._check_dealt("game()")
        return self._tables.game(whole("i", i, 0, self.num_envs - 1))

    def reset(
        self, *, seed: Seeds = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal new episodes and play them up to the learners' first decisions.

        Args:
            seed: starts the random streams anew, row `i` from `seed + i`; or a list, one for each
                row, where None goes on with a stream. None goes on with all of them.
            options: `{"deal": k}` names the contract of single deals; `{"reset_mask": rows}`, bool
                `(N,)`, deals in these rows alone.

        Raises:
            RulesError: for a deal that the rules do not have.
            ResetNeeded: the first reset leaves rows out.
            ValueError: for an unknown option or a wrong argument. Nothing has changed.
        """
        seeds = _read_seeds(seed, self.num_envs)
        deal, mask = self._read_options(options)
        which = self._all if mask is None else np.flatnonzero(mask)
        if len(which) < self.num_envs and not self._tables.is_ready:
            raise error.ResetNeeded("expected a reset of all rows first, got a reset_mask of some")
        for i in which.tolist():
            if seeds[i] is not None:
                self._tables.seed(i, seeds[i])
        self._tables.deal(which, deal, seeds)
        self._ended[which] = False
        observations = self._observe_all()
        return observations, self._infos(observations["action_mask"], mask)

    def step(self, actions: np.ndarray) -> Results:
        """Play the learners' actions, then the other seats up to the learners' next decisions.

        Args:
            actions: integers `(N,)`; with `NEXT_STEP`, those of rows that have ended are ignored.

        Raises:
            IllegalMove: not one whole number for each row, or, with `illegal="raise"`, an action
                that is not legal. Nothing has changed.
            ResetNeeded: before the first reset; with `DISABLED`, while a row has ended.
        """
        self._check_ready()
        renewed = self._ended
        chosen, lost = self._read_actions(actions, renewed)
        self._tables.step(chosen, lost, renewed)
        rows = self._tables.rows
        rewards = self._pay(renewed, lost)
        over = rows["over"] == 1
        truncations = over & (rows["cut"] == 1)
        self._ended = over | lost
        terminations = self._ended & ~truncations
        final = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._ended.any():
            final = self._renew(lost)
            lost = np.zeros_like(lost)
        observations = self._observe_all()
        infos = self._infos(observations["action_mask"], illegal=lost) | final
        return observations, rewards, terminations, truncations, infos

    def action_masks(self) -> np.ndarray:
        """Return which actions are legal for the learners now, as a new bool `(N, 1170)`."""
        self._check_dealt("action_masks()")
        return self._tables.masks()

    def render(self) -> tuple[str, ...] | tuple[np.ndarray, ...] | None:
        """Return every table as its learner sees it: texts or pictures."""
        if self.render_mode is None:
            logger.warn("render() needs a mode: make the environment with render_mode='ansi'")
            return None
        self._check_dealt("render()")
        seats = self._tables.rows["seat"].tolist()
        if self.render_mode == "rgb_array":
            return tuple(self.game(i).picture(seat) for i, seat in enumerate(seats))
        return tuple(self.game(i).render(seat) for i, seat in enumerate(seats))

    # What goes in

    def _check_dealt(self, what: str) -> None:
        """Raise ResetNeeded where `what` finds nothing dealt, or a step that was broken off."""
        if not self._tables.is_ready:
            raise not_dealt(what)

    def _check_ready(self) -> None:
        """Raise ResetNeeded where no step can follow."""
        self._check_dealt("step()")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            ended = ", ".join(map(str, np.flatnonzero(self._ended)[:10]))
            raise error.ResetNeeded(
                f"expected reset() of the rows that have ended ({ended}), got step(); name them in "
                "options['reset_mask']"
            )

    def _read_actions(
        self, given: np.ndarray, ignored: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the actions as int64, and bool[N]: the rows that lose by an illegal one."""
        chosen = np.asarray(given)
        if chosen.dtype.kind not in "iu" or chosen.shape != (self.num_envs,):
            raise IllegalMove(
                f"expected whole numbers, one for each of {self.num_envs} rows, got {chosen.dtype} "
                f"of shape {chosen.shape}"
            )
        chosen = chosen.astype(np.int64)
        lost = np.empty(self.num_envs, np.bool_)
        play.find_illegal(self._tables.rows, self._tables.ids, chosen, ignored, lost)
        if lost.any():
            i = int(lost.argmax())
            legal = self._tables.ids[i, : self._tables.rows["count"][i]]
            shown = ", ".join(map(str, legal[:12])) + (" ..." if len(legal) > 12 else "")
            reason = f"expected a legal action in row {i} ({shown}), got {chosen[i]}"
            if self._raises:
                raise IllegalMove(f"{reason}; the mask has the legal ones")
            logger.warn(f"illegal action, the episode ends with the worst loss: {reason}")
        return chosen, lost

    def _read_options(
        self, options: Mapping[str, Any] | None
    ) -> tuple[int | None, np.ndarray | None]:
        """Return the options `deal` and `reset_mask`, checked."""
        options = dict(options or {})
        mask = options.pop("reset_mask", None)
        unknown = ", ".join(repr(key) for key in options if key != "deal")
        if unknown:
            raise ValueError(f"options: expected 'deal', 'reset_mask' or nothing, got {unknown}")
        deal, _ = read_options(options)
        if deal is not None:  # a game that is not played says what is wrong with it
            Game(self.rules, self._tables.seats, 0, self._tables.episode, deal)
        shape = (self.num_envs,)
        if mask is not None:
            if not isinstance(mask, np.ndarray) or mask.dtype != bool or mask.shape != shape:
                raise ValueError(
                    f"options: expected 'reset_mask' to be a bool array of shape {shape}, got "
                    f"{mask!r}"
                )
            if not mask.any():
                raise ValueError("options: expected 'reset_mask' to name a row, got none")
            mask = mask.copy()
        return deal, mask

    # What comes out

    def _pay(self, renewed: np.ndarray, lost: np.ndarray) -> np.ndarray:
        """Return the rewards of this step; what a row dealt in it is owed comes with the next."""
        owed = self._tables.rows["reward"]
        rewards = np.where(renewed, 0.0, owed)
        owed[~renewed] = 0.0
        rewards[lost] = self.illegal_reward
        return rewards

    def _renew(self, illegal: np.ndarray) -> dict[str, Any]:
        """Deal anew in the rows that ended in this step; return the infos of their ends."""
        ended, self._ended = self._ended, np.zeros_like(self._ended)
        which = np.flatnonzero(ended)
        seen = self._observe(which, self._make_arrays(len(which)))
        observations = np.full(self.num_envs, None, object)
        for k, i in enumerate(which):
            observations[i] = {key: array[k] for key, array in seen.items()}
        mask = np.zeros((self.num_envs, actions.N), np.int8)
        mask[which] = seen["action_mask"]
        final = {
            "final_obs": observations,
            "_final_obs": ended,
            "final_info": self._infos(mask, ended, illegal),
            "_final_info": ended.copy(),
        }
        self._tables.deal(which)
        return final

    def _observe_all(self) -> Observations:
        """Return the observations of all rows, without `copy` in the environment's own arrays."""
        arrays = self._own or self._make_arrays(self.num_envs)
        if not self._copy:
            self._own = arrays
        return self._observe(self._all, arrays)

    def _make_arrays(self, n: int) -> Observations:
        dtype = np.uint8 if self._scales is None else np.float32
        return {
            "action_mask": np.empty((n, actions.N), np.int8),
            "observation": np.empty((n, observation.SIZE), dtype),
        }

    def _observe(self, which: np.ndarray, arrays: Observations) -> Observations:
        """Write what the learners see in the rows `which` (int64[k]) into arrays of k rows."""
        out = arrays["observation"]
        seen = out if self._scales is None else np.empty(out.shape, np.uint8)
        self._tables.see(which, seen, arrays["action_mask"])
        if self._scales is not None:
            play.scale_rows(seen, self._scales, out)
        return dict(arrays)

    def _infos(
        self, mask: np.ndarray, which: np.ndarray | None = None, illegal: np.ndarray | None = None
    ) -> dict[str, Any]:
        """Return the infos of the rows `which` (bool[N], None: all), with zeros in the others."""
        rows = self._tables.rows
        infos = {
            "action_mask": mask,
            "seat": rows["seat"].astype(np.int64),
            "turn": rows["turn"].astype(np.int64),
            "illegal": np.zeros(self.num_envs, np.bool_) if illegal is None else illegal,
            "winner": rows["winner"].astype(np.int64),
            "penalties": rows["penalties"][:, : self._tables.seats].astype(np.int64),
            "kalooki": rows["kalooki"] == 1,
            "void": rows["void"] == 1,
            "cut": rows["cut"] == 1,
        }
        if which is None:
            there = np.ones(self.num_envs, np.bool_)
        else:
            there = which.copy()
            for key, values in infos.items():
                infos[key] = values.copy()
                infos[key][~which] = 0
        return infos | {f"_{key}": there for key in infos}


def _read_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(each.value for each in AutoresetMode)
        raise ValueError(
            f"autoreset_mode: expected an AutoresetMode or one of {names}, got {mode!r}"
        ) from None


def _read_seeds(seed: Seeds, n: int) -> list[int | None]:
    """Return a seed, or None, for each of `n` rows."""
    if seed is None:
        return [None] * n
    first = as_whole(seed)
    if first is not None:
        seeds: list[Any] = [first + i for i in range(n)]
    elif isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
        seeds = list(seed)
        if len(seeds) != n:
            raise ValueError(f"seed: expected {n} seeds, one for each row, got {len(seeds)}")
    else:
        seeds = [seed]
    for each in seeds:
        number = as_whole(each)
        if each is not None and (number is None or number < 0):
            raise ValueError(f"seed: expected whole numbers from 0 or None, got {each!r}")
    return [as_whole(each) for each in seeds]
