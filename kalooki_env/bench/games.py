"""One game at a time: `Game` and the copies that search makes of it, AEC and single environment."""

from collections.abc import Iterator

import gymnasium
import numpy as np

from kalooki_env import kalooki_v0
from kalooki_env.bench.rows import Part, Work, one
from kalooki_env.game import Game
from kalooki_env.rules import TURN_CAP, Rules

DECISIONS_A_CALL = 200
POSITIONS = 200


def game_work() -> Work:
    """Play games one after the other: `legal_actions` and `play`."""
    play = _Play()

    def work() -> int:
        for _ in range(DECISIONS_A_CALL):
            play.next()
        return play.take_count()

    return work


class _Play:
    """Random games, one after the other, `game` being the one that is played."""

    def __init__(self) -> None:
        self.rules = Rules.preset("british", turn_cap=TURN_CAP)
        self.rng = np.random.default_rng(0)
        self.game = Game(self.rules, seats=2, seed=0)
        self.made = 0

    def next(self) -> None:
        """Play one action, in a new game after the end of one."""
        game = self.game
        if game.over:
            game = self.game = Game(self.rules, seats=2, seed=int(self.rng.integers(2**32)))
        self.made += game.question is None
        ids = game.legal_actions()
        game.play(int(ids[int(self.rng.random() * len(ids))]))

    def take_count(self) -> int:
        """Return the decisions since the last call."""
        made, self.made = self.made, 0
        return made


def _positions() -> list[Game]:
    """Return games at different moments of random play."""
    play, games = _Play(), []
    while len(games) < POSITIONS:
        for _ in range(int(play.rng.integers(1, 40))):
            play.next()
        if not play.game.over:
            games.append(play.game.clone())
    return games


def clone_work() -> Work:
    """Copy games."""
    games = _positions()

    def work() -> int:
        for game in games:
            game.clone()
        return len(games)

    return work


def determinize_work() -> Work:
    """Deal anew what the seat to move can't know."""
    games = [(game, game.to_move) for game in _positions()]
    seed = 0

    def work() -> int:
        nonlocal seed
        for game, seat in games:
            seed += 1
            game.determinize(seat, seed)
        return len(games)

    return work


def aec_work(*, sample: bool) -> Work:
    """Play the AEC environment by `last` and `step`; `sample`: draw with `action_space.sample`."""
    env, rng = kalooki_v0.raw_env(seats=2), np.random.default_rng(0)
    env.reset(seed=0)
    space = env.action_space("seat_0")

    def work() -> int:
        made = 0
        for _ in range(DECISIONS_A_CALL):
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.reset()
                continue
            mask = observation["action_mask"]
            if sample:
                action = int(space.sample(mask))
            else:
                ids = np.flatnonzero(mask)
                action = int(ids[rng.integers(len(ids))])
            made += env.game.question is None
            env.step(action)
        return made

    return work


def single_work() -> Work:
    """Play Gymnasium's environment against a random opponent; count the learner's decisions."""
    env = gymnasium.make("kalooki_env:Kalooki-v0", opponents="random")
    game, rng = env.unwrapped, np.random.default_rng(0)
    seen, _ = env.reset(seed=0)

    def work() -> int:
        nonlocal seen
        made = 0
        for _ in range(DECISIONS_A_CALL):
            ids = np.flatnonzero(seen["action_mask"])
            made += game.game.question is None
            seen, _, ended, cut, _ = env.step(int(ids[rng.integers(len(ids))]))
            if ended or cut:
                seen, _ = env.reset()
        return made

    return work


def parts() -> Iterator[Part]:
    """Yield what is measured here."""
    yield one("AEC raw_env, cheap sampling", lambda: aec_work(sample=False))
    yield one("AEC raw_env, space.sample(mask)", lambda: aec_work(sample=True))
    yield one("Gymnasium single environment, opponent random, learner's decisions", single_work)
    yield one("Game, legal_actions and play", game_work)
    yield one("Game.clone", clone_work, "clones/CPU s")
    yield one("Game.determinize", determinize_work, "determinizations/CPU s")
