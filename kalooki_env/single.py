"""
Kalooki for one learner: a Gymnasium environment with the other seats played inside it.

    env = gymnasium.make("kalooki_env:Kalooki-v0", rules="british", seats=2, opponents="greedy")
    observation, info = env.reset(seed=7)
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)

* **Observation**: dict of `action_mask` int8 `(1170,)` and `observation` uint8 `(OBS,)`, as in
  `kalooki_env.aec`. The learner is to move at every observation, so the mask has a 1; only when the
  episode is over it is all zeros. Arrays are new at every step.
* **Actions**: `Discrete(1170)`. `action_masks()` gives the mask as bool under the name that
  sb3-contrib's MaskablePPO looks for; through wrappers, `env.get_wrapper_attr("action_masks")()`.
* **Illegal actions** end the episode with the worst loss of a deal and `info["illegal"]`; with
  `illegal="raise"` they raise `IllegalMove` and change nothing. An opponent's raises `AgentMistake`
  in both cases, with its name, seat and move: it is never the learner's.
* **Rewards** as in `kalooki_env.aec`, for the learner's seat. A step's reward covers all that
  happens until the learner's next decision.
* **Info** has the same keys at every step: `action_mask` int8 `(1170,)`; `seat`, the learner's;
  `turn`, the turns begun in this deal; `illegal`; and the last deal that ended in this step (no
  deal: -1, zeros and False): `winner` (-1: nobody), `penalties` int64 `(seats,)` by seat number,
  `kalooki`, `void`, `cut`.
* **Truncated** instead of terminated where the turn cap (400 unless the rules name one) cuts the
  deal.
* A deal that ends before the learner's first decision is not an episode: `reset` deals again.
* **Record**: with `record="games.jsonl"` each game is added to that file when it is over, or as far
  as it went when `reset` or `close` leaves it; `kalooki replay` shows it, and there the learner is
  called `learner`. Deals that ended before the learner's first decision are in it as well.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import error, logger, spaces

from kalooki_env import actions, agents
from kalooki_env.agents import Agent
from kalooki_env.agents.base import as_agent, choose, mistake
from kalooki_env.checks import as_whole, known_keywords
from kalooki_env.episode import (
    RENDER_FPS,
    RENDER_MODES,
    Episode,
    Observation,
    as_action,
    check_choice,
    draw_seed,
    observation_space,
    read_options,
)
from kalooki_env.errors import IllegalMove
from kalooki_env.game import Game
from kalooki_env.rules import KNOBS, Rules
from kalooki_env.seeds import checked_seed

__all__ = ["KalookiEnv"]

Opponents = str | Agent | Sequence[str | Agent]


class KalookiEnv(gymnasium.Env[Observation, int]):
    """One seat of a Kalooki table; the module's page describes spaces, rewards and infos.

    Args:
        rules: a preset's name, a mapping `{"preset": name, knob: value}`, or `Rules`.
        seats: seats at the table.
        opponents: an agent or a name that `agents.load` knows, for all other seats; or a list of
            them, one for each other seat, clockwise from the learner's left. An object with
            `act(game, seat)` or `act_batch(games, rules, rows)` alone is an agent too.
        seat: the learner's seat; None draws one for each episode.
        episode: "deal" or "match".
        reward: "points", "win" or "chips".
        illegal: what an illegal action does: "lose" ends the episode, "raise" raises `IllegalMove`.
        render_mode: None, "ansi" (a text), "human" (the text, printed after every step) or
            "rgb_array" (a picture, uint8[640, 960, 3]); each shows what the learner sees.
        record: a file that every game is appended to.

    Raises:
        RulesError: for rules that so many seats cannot play, or "chips" where no money moves.
        RecordError: for a file that no games can be added to.
        AgentError: for an opponent that cannot be had.
        ValueError: for another argument out of range.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}

    @known_keywords("Kalooki-v0", knobs=KNOBS)
    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules = "british",
        seats: int = 2,
        opponents: Opponents = "random",
        seat: int | None = None,
        episode: str = "deal",
        reward: str = "points",
        illegal: str = "lose",
        render_mode: str | None = None,
        record: str | Path | None = None,
    ) -> None:
        check_choice("illegal", illegal, ("lose", "raise"))
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        self._episode = Episode(rules, seats, episode, reward, record)
        seat = checked_seat(seat, self._episode.seats)
        if render_mode == "rgb_array":
            self._episode.played = []
        self._opponents = load_opponents(opponents, seats)
        self._fixed_seat = seat
        self._illegal = illegal
        self._is_done = True
        self._reward = 0.0
        self._mask = np.zeros(actions.N, np.int8)
        self.seat = 0
        self.illegal_reward = self._episode.worst_loss()
        self.render_mode = render_mode
        self.observation_space = observation_space()
        self.action_space = spaces.Discrete(actions.N)

    @property
    def game(self) -> Game:
        """The game being played; read it freely, but play only through `step`."""
        return self._episode.dealt("game")

    @property
    def rules(self) -> Rules:
        """The rules of the table, with the turn cap that is in force."""
        return self._episode.rules

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new episode and play it up to the learner's first decision.

        Args:
            seed: starts the random stream anew; None continues it.
            options: `{"deal": k}` names the contract of a single deal.

        Raises:
            RulesError: for a seed that is none, or a deal that the rules do not have.
            ValueError: for an unknown option.
            AgentMistake: an opponent chose what is not legal.
        """
        seed = None if seed is None else checked_seed(seed)
        super().reset(seed=seed)
        deal, unknown = read_options(options)
        if unknown:
            raise ValueError(unknown)
        self._is_done = True
        self.seat = self._fixed_seat
        if self.seat is None:
            self.seat = int(self.np_random.integers(self._episode.seats))
        self._start(draw_seed(self.np_random) if seed is None else seed, deal)
        while self.game.over:
            self._start(draw_seed(self.np_random), deal)
        self._is_done = False
        observation = self._look()
        if self.render_mode == "human":
            self.render()
        return observation, self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then the other seats up to the learner's next decision.

        Raises:
            IllegalMove: only with `illegal="raise"`; the environment has not changed.
            AgentMistake: an opponent chose what is not legal, whatever `illegal` is; the episode
                cannot be gone on with.
            ResetNeeded: the episode is over.
        """
        if self._is_done:
            self._episode.dealt("step()")
            raise error.ResetNeeded("expected reset(), got step(): the episode is over")
        before = len(self._episode.played or ())
        try:
            self._play(as_action(action))
        except IllegalMove as reason:
            if self._illegal == "raise":
                raise
            return self._lose(reason)
        if self._episode.played is not None:
            del self._episode.played[:before]
        self._is_done = True  # until the opponents have played by the rules
        self._play_opponents()
        game = self._episode.game
        self._is_done = game.over
        observation = self._look()
        truncated = self._is_done and bool(game.truncated)
        terminated = self._is_done and not truncated
        reward, self._reward = self._reward, 0.0
        if self.render_mode == "human":
            self.render()
        return observation, reward, terminated, truncated, self._info()

    def action_masks(self) -> np.ndarray:
        """Return which actions are legal for the learner now, as a new bool[1170]."""
        self._episode.dealt("action_masks()")
        return self._mask.astype(bool)

    def render(self) -> str | np.ndarray | None:
        """Return the table as the learner sees it: a text or a picture; in the mode "human" print it.

        The words under a picture tell what was played since the learner's last decision.
        """
        if self.render_mode is None:
            logger.warn("render() needs a mode: make the environment with render_mode='ansi'")
            return None
        game = self._episode.dealt("render()")
        if self.render_mode == "rgb_array":
            return self._episode.picture(self.seat)
        text = game.render(self.seat)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _start(self, seed: int, deal: int | None) -> None:
        """Deal a new episode and play it up to the learner's first decision."""
        self._episode.start(seed, deal, self._names())
        self._reward = 0.0
        self._play_opponents()

    def close(self) -> None:
        """Write the record of an episode that is not over; there is nothing else to close."""
        self._episode.close()

    def _names(self) -> tuple[str, ...]:
        """Return who sits in each seat."""
        names = ["learner", *(agent.name for agent in self._opponents)]
        seats = self._episode.seats
        return tuple(names[(seat - self.seat) % seats] for seat in range(seats))

    def _play(self, action: int) -> None:
        """Play an action of the seat to move and add what it pays the learner."""
        payment = self._episode.play(action)
        if payment is not None:
            self._reward += payment[self.seat]

    def _play_opponents(self) -> None:
        """Play the other seats until the learner is to move or the episode is over."""
        episode = self._episode
        while (seat := episode.to_move) is not None and seat != self.seat:
            agent = self._opponents[(seat - self.seat) % episode.seats - 1]
            action = choose(agent, episode.game, seat)
            try:
                self._play(action)
            except IllegalMove:
                raise mistake(agent, seat, action, then="; reset() to go on") from None

    def _lose(self, reason: IllegalMove) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """End the episode after an illegal action."""
        logger.warn(f"illegal action, the episode ends with the worst loss: {reason}")
        self._is_done = True
        observation = self._look()
        return observation, self.illegal_reward, True, False, self._info() | {"illegal": True}

    def _look(self) -> Observation:
        """Return what the learner sees, in new arrays, and keep its mask: zeros after the end."""
        self._mask, seen = self._episode.game.look(self.seat)
        if self._is_done:
            self._mask[:] = 0
        return {"action_mask": self._mask.copy(), "observation": seen}

    def _info(self) -> dict[str, Any]:
        outcome = self._episode.outcome or self._episode.no_outcome()
        self._episode.outcome = None
        return {
            "action_mask": self._mask.copy(),
            "seat": self.seat,
            "turn": int(self._episode.game.state["turn"][0]),
            "illegal": False,
            **outcome,
        }


def load_opponents(opponents: Opponents, seats: int) -> list[Agent]:
    """Return the agents of the other seats, clockwise from the learner's left.

    Raises:
        AgentError: a name that is none, or an object that cannot be asked for an action.
        ValueError: a list of another length.
    """
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        if len(opponents) != seats - 1:
            raise ValueError(
                f"opponents: expected one name or agent, or a list of {seats - 1} for {seats} "
                f"seats, got a list of {len(opponents)}"
            )
        named: list[str | Agent] = list(opponents)
    else:
        named = [opponents] * (seats - 1)
    loaded: dict[str | int, Agent] = {}
    for agent in named:
        if isinstance(agent, str):
            if agent not in loaded:
                loaded[agent] = agents.load(agent)
        elif id(agent) not in loaded:  # one object in several seats stays one
            loaded[id(agent)] = as_agent(agent, "opponents")
    return [loaded[agent if isinstance(agent, str) else id(agent)] for agent in named]


def checked_seat(seat: int | None, seats: int) -> int | None:
    """Return the learner's seat, None for any."""
    number = as_whole(seat)
    if seat is None or (number is not None and 0 <= number < seats):
        return number
    raise ValueError(f"seat: expected None or 0-{seats - 1}, got {seat!r}")
