"""Playing environments at random, and what a check needs to look into them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from kalooki_env import actions, observation
from kalooki_env.engine.layout import CARDS, NO_SEAT
from kalooki_env.episode import Observation
from kalooki_env.game import Game

_LAYING = slice(actions.RUN, actions.DISCARD)
"""Ids of melds, lay-offs and swaps."""


def sample(mask: np.ndarray, rng: np.random.Generator, lay: float = 0.9) -> int:
    """Choose a legal action; where cards can be laid, lay some with probability `lay`.

    Uniform play hardly ever opens, and so never sees most of a deal.

    Raises:
        ValueError: no action is legal. `Discrete.sample` would answer 0 without a word.
    """
    legal = np.flatnonzero(mask)
    if not legal.size:
        raise ValueError("expected a mask with a legal action, got all zeros: is it to move?")
    laying = np.flatnonzero(mask[_LAYING]) + _LAYING.start
    if laying.size and rng.random() < lay:
        legal = laying
    return int(rng.choice(legal))


class Step(NamedTuple):
    """What `last()` returned to an agent, and the action that follows."""

    agent: str
    observation: Observation
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]
    action: int | None


def play(env: AECEnv, rng: np.random.Generator, max_steps: int = 100_000) -> Iterator[Step]:
    """Play an environment that was reset to the end of its episode; yield before each step."""
    for _ in range(max_steps):
        if not env.agents:
            return
        agent = env.agent_selection  # `agent_iter` of a copy made inside a loop would complain
        seen, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        action = None if over else sample(seen["action_mask"], rng)
        yield Step(agent, seen, reward, terminated, truncated, info, action)
        env.step(action)


def trace(env: AECEnv, seed: int, max_steps: int = 100_000) -> list[tuple]:
    """Play with a random stream of its own and return everything that was seen, in plain values."""
    return [plain(step) for step in play(env, np.random.default_rng(seed), max_steps)]


def plain(step: Step) -> tuple:
    """Return what a step showed in values that can be compared."""
    seen = step.observation
    arrays = (seen["action_mask"].tobytes(), seen["observation"].tobytes())
    return step.agent, arrays, step.reward, step.terminated, step.truncated, step.action


def game_of(env: AECEnv | gymnasium.Env) -> Game:
    """Return the game inside an environment, through its wrappers."""
    return env.unwrapped.game


def trace_after_reset(env: AECEnv, seed: int, max_steps: int = 100_000) -> list[tuple]:
    """Reset with a seed and return the trace of one episode."""
    env.reset(seed=seed)
    return trace(env, seed, max_steps)


def check_observation(seen: Observation, space: gymnasium.spaces.Dict) -> None:
    """Check one observation: keys, types, shapes, memory of its own, values."""
    assert list(seen) == list(space.keys()), (
        f"expected the keys {list(space.keys())} in this order, got {list(seen)}"
    )
    for key, array in seen.items():
        expected = space[key]
        assert array.dtype == expected.dtype and array.shape == expected.shape, (
            f"{key}: expected {expected.dtype} {expected.shape}, got {array.dtype} {array.shape}"
        )
        assert array.flags.c_contiguous and array.flags.writeable, (
            f"{key}: expected a contiguous array that may be written, got {array.flags}"
        )
    assert space.contains(seen), "expected an observation inside its space"


def block_at(entry: int) -> str:
    """Return the block and entry of the observation that an index of the vector stands for."""
    block = next(b for b in observation.BLOCKS if entry < b.offset + b.size)
    return f"{block.name}[{entry - block.offset}]"


def shuffle_hidden(game: Game, seat: int, rng: np.random.Generator) -> Game:
    """Return a copy in which all that `seat` cannot know is exchanged at random.

    The cards of the stock and of the other hands trade places, but for those that everybody saw
    being taken; the random stream is another, too.
    """
    other = type(game).from_bytes(game.to_bytes())  # a clone keeps the list of legal actions
    record = other.state[0]
    shown = np.minimum(record["known"], record["hand"])
    shown[seat] = record["hand"][seat]
    hidden = record["hand"] - shown
    stock = record["stock"][: record["n_stock"]]
    pool = np.concatenate([np.repeat(np.arange(CARDS), hidden.sum(0)), stock])
    rng.shuffle(pool)
    for holder in range(game.seats):
        count = int(hidden[holder].sum())
        cards, pool = pool[:count], pool[count:]
        record["hand"][holder] = shown[holder] + np.bincount(cards, minlength=CARDS)
    stock[:] = pool
    if record["to_move"] not in (seat, NO_SEAT):
        record["taken_twin"] = rng.integers(2)
    record["key"] = rng.integers(2**63)
    return other
