"""Moves as action ids: which ids carry out a move, which move ids are, why an id is refused."""

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from kalooki_env import actions
from kalooki_env.errors import IllegalMove
from kalooki_env.moves import move_of_ids

if TYPE_CHECKING:
    from kalooki_env.game import Game


def sequences(game: "Game") -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each legal move's text with the action ids that carry it out from here."""
    trial = game.clone()
    for action in game.legal_actions():
        yield from _sequences(game, trial, (int(action),))


def _sequences(
    game: "Game", trial: "Game", ids: tuple[int, ...]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the moves that begin with `ids`, tried out on `trial`."""
    trial._copy_state(game)
    for action in ids:
        trial._apply(action)
    if trial.question is None:
        yield move_of_ids(game, game.half + ids, trial), ids
        return
    for answer in trial.legal_actions():
        yield from _sequences(game, trial, (*ids, int(answer)))


def text_of(game: "Game", ids: tuple[int, ...]) -> str:
    """Return the text of the move that action ids carry out from here; raise IllegalMove if they
    don't."""
    trial = game.clone()
    for action in ids:
        trial.play(int(action))
    if trial.question is not None:
        raise IllegalMove(
            f"expected the ids of a whole move, got {list(ids)}: an answer is missing"
        )
    return move_of_ids(game, game.half + ids, trial)


def as_id(move: object) -> int:
    """Return an action id as a plain int; raise IllegalMove for what is not a whole number."""
    try:
        if isinstance(move, bool | np.bool_):
            raise TypeError
        return operator.index(move)  # type: ignore[arg-type]
    except TypeError:
        raise IllegalMove(f"expected a move text or an action id, got {move!r}") from None


def refusal(game: "Game", action: int) -> str:
    """Return why an action id that is not legal is refused."""
    if not 0 <= action < actions.N:
        return f"expected an action id from 0 to {actions.N - 1}, got {action}"
    if game.to_move is None:
        return f"{actions.describe(action)}: the deal is over and nobody is to move"
    legal = game.legal_actions()
    shown = ", ".join(map(str, legal[:12])) + (" ..." if len(legal) > 12 else "")
    return (
        f"{actions.describe(action)} (id {action}) is not legal here; {len(legal)} ids are: {shown}"
    )
