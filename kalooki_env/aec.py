"""
# Kalooki

Kalooki is a rummy for two to six seats: open with melds worth enough points, lay off on every meld
on the table, swap jokers out of them, and be the first to discard the last card.

| Creation           | `kalooki_v0.env(seats=3)`, `pettingzoo.make("aec", "kalooki-v0", seats=3)` |
|--------------------|---------------------------------------------------------|
| Agents             | `seat_0` ... clockwise, 2-6 as the rules allow           |
| Actions            | `Discrete(1170)`, one number for one move a player would name |
| Observation        | dict: `action_mask` int8 `(1170,)`, `observation` uint8 `(OBS,)` |
| Parallel API       | no: one seat moves at a time, often several times in a row |
| Render modes       | `ansi` (a text), `human` (the text, printed after every step), `rgb_array` (a picture) |

`env` puts PettingZoo's usual wrappers around `raw_env`; both take

* `rules`: a preset's name (`"british"`, ...), a mapping `{"preset": name, knob: value}` or `Rules`;
* `seats`: seats at the table;
* `episode`: `"deal"`, one deal to its end, or `"match"`, deals until somebody has won; the
  environment deals the next deal by itself, and an eliminated seat leaves;
* `reward`: `"points"`, `"win"` or `"chips"`, see below;
* `render_mode`: None, `"ansi"`, `"human"` or `"rgb_array"` (uint8 `(640, 960, 3)`), each as the
  seat to move sees it;
* `record`: a file that every episode is appended to, see below.

### Observations

`observation` is what the seat may know, with perfect recall, from its own point of view: named
blocks of one flat uint8 vector, of the same size for all rules and seat counts. `action_mask` has a
1 for each legal action of the seat to move. **For every other seat, and for all once the episode is
over, it is all zeros.** Both are new arrays at every call; observing changes nothing.

### Actions

`kalooki_env.actions.describe(action)` names an action. A legal action can always be continued to
the end of a legal turn. A seat usually moves several times in a turn: draw, melds, discard.

An illegal action ends the episode in `env()`, as in PettingZoo's classic environments: the seat
that played it gets the worst loss of a deal ("points": the dearest hand, -1.48 in `british`; "win":
-1; "chips": the largest stake), all others 0. `raw_env` raises `IllegalMove` with the reason and is
unchanged.

### Rewards

* `"points"`: when a deal ends, each loser gets minus its penalty / 100 and the winner the sum.
* `"win"`: when the episode ends, +1 for the winner and -1/(n-1) for each other seat; a seat that is
  eliminated before has its -1/(n-1) then.
* `"chips"`: when a deal ends, the change of each seat's ledger, in a match with entry and
  buy-ins, so that the sum is the final ledger; a `RulesError` where the rules have no stakes.

A void deal pays nothing. `last()` returns what a seat was paid since its last move, so a seat's sum
over an episode includes the end of a deal in somebody else's turn.

### End

All seats are terminated together at the end of the episode and take one step with None each. A seat
that is eliminated in a match is terminated at once: it takes its step with None before anybody moves
on, is no longer in `agents`, and has been paid all it will be. A deal
that reaches the turn cap (`turn_cap` of the rules, else 400 turns) is cut and pays nothing; where
that ends the episode, the seats are *truncated* instead.

### Infos

`infos[agent]` has the same keys at every step, those of the single and the vector environment: the
last deal that ended since the seat's last move, its own move included (no deal: -1, zeros and False):
`winner` (-1: nobody), `penalties` int64 `(seats,)` by seat number, `kalooki`, `void`, `cut`.

### State

`state()` is all seats' observations in one vector, for centralised training; `state_space` describes
it.

### Reset

`reset(seed=7)` deals what `Game(rules, seats, seed=7)` deals. Without a seed the stream goes on, so
a seed at the first reset settles all later episodes. The option `deal` names the contract of a
single deal: `reset(options={"deal": 3})`. An unknown option is a warning, not an error, because
PettingZoo's own `api_test` passes one.

The environment can be copied and pickled in the middle of a game; the copy goes on identically.

### Records

With `record="games.jsonl"` each episode is added to that file when it is over; one that `reset` or
`close` leaves is added as far as it went, marked as not over. An episode without a move leaves
nothing. `kalooki replay games.jsonl` shows the games, `kalooki_env.records` reads them. Several
environments, in other processes too, can share a file: a game is written at once. A copy of an
environment writes the game that it goes on with as a game of its own.

### Version history

* v0: first version
"""

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import logger, spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.env import AECIterable

from kalooki_env import actions, observation
from kalooki_env.checks import known_keywords
from kalooki_env.episode import (
    RENDER_FPS,
    RENDER_MODES,
    Episode,
    Observation,
    as_action,
    check_choice,
    draw_seed,
    not_dealt,
    observation_space,
    read_options,
)
from kalooki_env.game import Game
from kalooki_env.rules import KNOBS, Rules
from kalooki_env.seeds import checked_seed

__all__ = ["env", "raw_env"]

_TOLD = 8
"""Moves that are kept for the words under a picture."""


@known_keywords("kalooki_v0.env", knobs=KNOBS)
def env(
    rules: str | Mapping[str, Any] | Rules = "british",
    seats: int = 3,
    episode: str = "deal",
    reward: str = "points",
    render_mode: str | None = None,
    record: str | Path | None = None,
) -> AECEnv[str, Observation, int]:
    """Make a Kalooki environment with PettingZoo's wrappers around it; an illegal action loses.

    Raises:
        RulesError: for rules that so many seats cannot play, or "chips" where no money moves.
        RecordError: for a file that no games can be added to.
        ValueError: for an unknown `episode`, `reward` or `render_mode`, or another keyword.
    """
    table = raw_env(rules, seats, episode, reward, render_mode, record)
    wrapped = wrappers.TerminateIllegalWrapper(table, illegal_reward=table.illegal_reward)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv[str, Observation, int]):
    """Kalooki as an AEC environment without wrappers: an illegal action raises `IllegalMove`.

    The module's page describes spaces, rewards and life cycle. `game` is the `Game` being played;
    read it freely, but play only through `step`.
    """

    metadata: dict[str, Any] = {
        "name": "kalooki_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
        "is_parallelizable": False,
    }

    @known_keywords("kalooki_v0.raw_env", knobs=KNOBS)
    def __init__(
        self,
        rules: str | Mapping[str, Any] | Rules = "british",
        seats: int = 3,
        episode: str = "deal",
        reward: str = "points",
        render_mode: str | None = None,
        record: str | Path | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        self._episode = Episode(rules, seats, episode, reward, record)
        if render_mode == "rgb_array":
            self._episode.played = []
        self._rng: np.random.Generator | None = None
        self.render_mode = render_mode
        self.illegal_reward = self._episode.worst_loss()
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        # One space for each agent: a space carries the random stream of its own samples.
        self.observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions.N) for agent in self.possible_agents}
        self.state_space = spaces.Box(0, 255, (self._episode.seats * observation.SIZE,), np.uint8)

    @property
    def game(self) -> Game:
        """The game being played."""
        return self._episode.dealt("game")

    @property
    def rules(self) -> Rules:
        """The rules of the table, with the turn cap that is in force."""
        return self._episode.rules

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space of `agent`, the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of `agent`, the same object at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new episode.

        Args:
            seed: starts the random stream anew; None continues it.
            options: `{"deal": k}` names the contract of a single deal.

        Raises:
            RulesError: for a seed that is none, or a deal that the rules do not have.
        """
        seed = None if seed is None else checked_seed(seed)
        deal, unknown = read_options(options)
        if unknown:
            warnings.warn(f"{unknown}; it is ignored", stacklevel=2)
        rng = self._rng
        if seed is not None or rng is None:
            rng, _ = seeding.np_random(seed)
        names = tuple(self.possible_agents)
        self._episode.start(draw_seed(rng) if seed is None else seed, deal, names)
        self._rng = rng
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._tell(self._episode.no_outcome())
        self.agent_selection = self.agents[self.game.to_move]
        # What the library's dead steps may have left behind in the last episode.
        self._skip_agent_selection: str | None = None
        self._has_rewards = False
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Play an action for `agent_selection`; None once its episode is over.

        Raises:
            IllegalMove: the action is not legal here; the environment has not changed.
            ValueError: a finished agent was given another action than None.
        """
        try:
            agent = self.agent_selection
        except AttributeError:
            raise not_dealt("step()") from None
        if agent not in self.terminations:
            raise ValueError("expected reset(), got step(): every agent has left the episode")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        episode = self._episode
        if episode.played is not None:
            del episode.played[:-_TOLD]
        payment = episode.play(action if type(action) is int else as_action(action))
        self._cumulative_rewards[agent] = 0.0
        if agent in self._told:
            self._told.discard(agent)
            self.infos[agent] = episode.no_outcome()
        if self._has_rewards:
            self._clear_rewards()
            self._has_rewards = False
        if payment is not None:
            self.rewards = {agent: payment[self._seats[agent]] for agent in self.agents}
            self._has_rewards = True
            self._accumulate_rewards()
            if episode.outcome is not None:
                self._tell(episode.outcome)
                episode.outcome = None
        if episode.to_move is None:
            self._end(episode.game)
        else:
            self.agent_selection = self.possible_agents[episode.to_move]
            if payment is not None:
                self._let_go(episode.game)
        if self.render_mode == "human":
            self.render()

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return what the agent to move sees, was paid since its last move, and its end and info."""
        try:
            agent = self.agent_selection
        except AttributeError:
            raise not_dealt("last()") from None
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, int]:
        """Yield the agent to move, before each step, until all have left."""
        self._episode.dealt("agent_iter()")
        return super().agent_iter(max_iter)

    def observe(self, agent: str) -> Observation:
        """Return what `agent` sees now, in new arrays; the mask is all zeros off its move."""
        seat = self._seats.get(agent)
        if seat is None:
            raise ValueError(
                f"agent: expected one of {', '.join(self.possible_agents)}, got {agent!r}"
            )
        try:
            game = self._episode.game
        except AttributeError:
            raise not_dealt("observe()") from None
        # PettingZoo's wrapper ends an episode after an illegal action, the game it leaves as it is;
        # and while an eliminated seat takes its last step nobody else may move.
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            mask, seen = game.look(seat)
        else:
            mask, seen = np.zeros(actions.N, np.int8), game.observation(seat)
        return {"action_mask": mask, "observation": seen}

    def state(self) -> np.ndarray:
        """Return all seats' observations in one new uint8 vector, for centralised training only."""
        game = self._episode.dealt("state()")
        return np.concatenate([game.observation(seat) for seat in range(game.seats)])

    def render(self) -> str | np.ndarray | None:
        """Return the table as the seat to move sees it: a text or a picture; in the mode "human"
        print it.
        """
        if self.render_mode is None:
            logger.warn("render() needs a mode: make the environment with render_mode='ansi'")
            return None
        game = self._episode.dealt("render()")
        if self.render_mode == "rgb_array":
            return self._episode.picture(self._seats[self.agent_selection])
        text = game.render(self._seats[self.agent_selection])
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Write the record of an episode that is not over; there is nothing else to close."""
        self._episode.close()

    def _tell(self, outcome: dict[str, Any]) -> None:
        """Give every agent an info of its own, which tells how a deal ended until it has moved."""
        self._told = set(self.agents)
        self.infos: dict[str, dict[str, Any]] = {
            agent: outcome | {"penalties": outcome["penalties"].copy()} for agent in self.agents
        }

    def _let_go(self, game: Game) -> None:
        """Mark the agents whose seats are out of the match as finished; their steps come first."""
        out = game.state["eliminated"][0]
        for agent in self.agents:
            self.terminations[agent] = bool(out[self._seats[agent]])
        self._deads_step_first()

    def _end(self, game: Game) -> None:
        """Mark all agents as finished."""
        truncated = bool(game.truncated)
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.agent_selection = self.agents[0]
