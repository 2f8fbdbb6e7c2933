"""What an agent is, and the random numbers that agents share."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from kalooki_env.checks import as_whole
from kalooki_env.errors import AgentMistake, KalookiError

if TYPE_CHECKING:
    from kalooki_env.game import Game
    from kalooki_env.rules import Rules

_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_MASK = 2**64 - 1
_INT64 = 2**63 - 1
_PLACE = (("drawn", "turn", "phase"), ("swaps", "n_half"))
"""Fields of a game that tell the place of a decision, before and after the seat and its hand."""


class AgentError(KalookiError):
    """An agent that cannot be had: no such name, no such file."""


Option = tuple[type, float, float]
"""An option of an agent: its type, int or float, and the least value and the most."""


def check_options(agent: str, options: Mapping[str, Option], given: Mapping[str, Any]) -> None:
    """Check the values of an agent's options.

    Raises:
        AgentError: a value of another type, or out of range.
    """
    for name, value in given.items():
        kind, least, most = options[name]
        number = kind is float or isinstance(value, int | np.integer)
        if not number or isinstance(value, bool) or not least <= value <= most:
            raise AgentError(
                f"expected {name} from {least:g} to {most:g} for {agent}, got {str(value)[:40]}"
            )


@runtime_checkable
class Agent(Protocol):
    """Chooses an action id for the seat to move, knowing no more than that seat may know.

    An agent keeps nothing between decisions, so one object can play any number of games and seats.
    Asked again about the same position it answers the same: its chance is drawn from its seed and
    the place of the decision in its game, see `uniforms`. Another seed gives another stream.
    """

    name: str

    def act(self, game: "Game", seat: int) -> int:
        """Choose an action for `seat`, which must be the seat to move in `game`."""
        ...

    def act_batch(self, games: np.ndarray, rules: "Rules", rows: np.ndarray) -> np.ndarray:
        """Choose one action in each of several games.

        Args:
            games: array of engine records, dtype `GAME`; only read.
            rules: the rules that all of these games are played by.
            rows: int[k], indices into `games`, each with a seat to move.

        Returns:
            int[k] action ids, the k-th legal in `games[rows[k]]` for its seat to move.
        """
        ...


def as_agent(player: Any, what: str = "agents") -> Agent:
    """Return an agent for an object that chooses in one game, in many, or both.

    Args:
        player: has `act`, `act_batch` or both, as in `Agent`; what it lacks is made of what it has,
            and without a name it has that of its class.
        what: the name that the error begins with.

    Raises:
        AgentError: an object that has neither.
    """
    methods = [callable(getattr(player, name, None)) for name in ("act", "act_batch")]
    if isinstance(player, type) or not any(methods):
        hint = f"; use {player.__name__}(...)" if isinstance(player, type) and any(methods) else ""
        raise AgentError(
            f"{what}: expected names or objects with act(game, seat) or "
            f"act_batch(games, rules, rows), got {player!r}{hint}"
        )
    named = isinstance(getattr(player, "name", None), str)
    return player if all(methods) and named else _Adapted(player)


class _Adapted:
    """An agent made of an object that lacks a part of one."""

    def __init__(self, player: Any) -> None:
        self.player = player
        self.name = str(getattr(player, "name", type(player).__name__))
        self._acts = callable(getattr(player, "act", None))
        self._acts_in_many = callable(getattr(player, "act_batch", None))

    def act(self, game: "Game", seat: int) -> int:
        """Choose an action for `seat`; an object that only knows many games is shown one."""
        if self._acts:
            return self.player.act(game, seat)
        return choose_many(self, game.state, game.rules, np.zeros(1, np.int64))[0]

    def act_batch(self, games: np.ndarray, rules: "Rules", rows: np.ndarray) -> np.ndarray:
        """Choose one action in each of `games[rows]`, int64[k]; an object that only knows one game
        is shown copies, one after another."""
        if self._acts_in_many:
            return self.player.act_batch(games, rules, rows)
        chosen = np.empty(len(rows), np.int64)
        for k, row in enumerate(np.asarray(rows).tolist()):
            game = game_at(games, row, rules)
            chosen[k] = choose(self, game, game.to_move)
        return chosen


def choose(agent: Agent, game: "Game", seat: int) -> int:
    """Ask an agent for an action, which may still be illegal.

    Raises:
        AgentMistake: it answers with what is not a whole number.
    """
    answer = agent.act(game, seat)
    action = as_whole(answer)
    if action is None or abs(action) > _INT64:
        raise mistake(agent, seat, answer)
    return action


def choose_many(agent: Agent, games: np.ndarray, rules: "Rules", rows: np.ndarray) -> np.ndarray:
    """Ask an agent for actions, int64[k], of which each may still be illegal.

    Raises:
        AgentMistake: it answers with anything but one whole number for each of `rows`.
    """
    answer = np.asarray(agent.act_batch(games, rules, rows))
    if answer.dtype.kind not in "iu" or answer.shape != rows.shape:
        raise AgentMistake(
            f"expected whole numbers, one for each of {len(rows)} games, from {agent.name}, got "
            f"{answer.dtype} of shape {answer.shape}"
        )
    return answer.astype(np.int64, copy=False)


def mistake(agent: Agent, seat: int, action: Any, where: str = "", then: str = "") -> AgentMistake:
    """Return the error for an agent's choice that is not legal: who, in which seat, what.

    Args:
        agent: who chose.
        seat: the seat that it played for.
        action: what it chose.
        where: which of several games, such as ` in row 3`.
        then: what to do about it, such as `; reset() to go on`.
    """
    from kalooki_env import actions

    number = as_whole(action)
    known = number is not None and 0 <= number < actions.N
    move = f"{actions.describe(number)} is not legal there" if known else "no action has this id"
    return AgentMistake(
        f"expected a legal action from {agent.name}{where}, got {action!r}: it does not play by these "
        f"rules (seat {seat}: {move}){then}"
    )


def game_at(games: np.ndarray, row: int, rules: "Rules") -> "Game":
    """Return a copy of one of several games, records of dtype `GAME`."""
    from kalooki_env.game import Game

    record = games[row]
    episode = "match" if record["is_match"] else "deal"
    game = Game(rules, int(record["seats"]), seed=0, episode=episode)
    game.state[0] = record
    return game


class LegalLists:
    """Lists the legal actions of games for an agent; keeps the tables and scratch space for it."""

    def __init__(self) -> None:
        from kalooki_env.engine.layout import scratch_space

        self._rules: Rules | None = None
        self._work, self._scratch = scratch_space()

    def __call__(
        self, games: np.ndarray, rules: "Rules", rows: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """List the legal ids of the seat to move in each of `games[rows]`.

        Returns:
            int16[k, 1170], of which the first counts[k] entries of a row are legal ids, ascending,
            and the counts, int32[k].
        """
        from kalooki_env import actions
        from kalooki_env.engine.batch import list_many
        from kalooki_env.engine.layout import as_records
        from kalooki_env.engine.tables import point_runs

        if rules is not self._rules:
            self._rules, self._record = rules, rules.record()
            self._runs = point_runs(self._record)
        ids = np.empty((len(rows), actions.N), np.int16)
        counts = np.zeros(len(rows), np.int32)
        list_many(
            as_records(games.take(rows)),
            self._record,
            self._runs,
            self._work,
            self._scratch,
            ids,
            counts,
        )
        return ids, counts


def _mix(x: Any) -> Any:
    """Scramble a number of 64 bits, an int or uint64 array (the finaliser of splitmix64)."""
    x = (x ^ (x >> 30)) * _MIX_1 & _MASK
    x = (x ^ (x >> 27)) * _MIX_2 & _MASK
    return x ^ (x >> 31)


def _uniform(seed: int, key: Any, parts: Iterable[Any]) -> Any:
    """Draw from a seed, the key of a game and its parts that change: ints, or arrays of uint64."""
    state = _mix(key + _mix((seed & _MASK) + _GOLDEN & _MASK) & _MASK)
    for part in parts:
        state = _mix((state + _GOLDEN & _MASK) + part & _MASK)
    return (state >> 11) * 2.0**-53


def uniforms(seed: int, games: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Draw one number for each decision from an agent's seed and the decision's place in its game.

    The place is what changes from one decision to the next: the game's random stream, the turn and
    phase, the seat, and how far the turn has gone. It tells nothing about cards. Because no number
    depends on the decisions in other games, results do not change with the size of a batch.

    Args:
        seed: the agent's own seed.
        games: array of engine records.
        rows: int[k], indices into `games`.

    Returns:
        float64[k] in [0, 1).
    """
    rows = np.asarray(rows)
    seat = games["to_move"][rows]
    before, after = ([games[name][rows] for name in names] for names in _PLACE)
    parts = [*before, seat, games["hand_size"][rows, seat], *after]
    return _uniform(seed, games["key"][rows], [part.astype(np.uint64) for part in parts])


def uniform(seed: int, game: np.void) -> float:
    """Draw the number that `uniforms` draws for one record, in less time."""
    seat = int(game["to_move"])
    before, after = ([int(game[name]) for name in names] for names in _PLACE)
    parts = [*before, seat, int(game["hand_size"][seat]), *after]
    return _uniform(seed, int(game["key"]), parts)
