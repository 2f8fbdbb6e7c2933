"""The table as one seat sees it, as a picture: for the render mode `rgb_array` and for videos."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from kalooki_env.render.picture import words
from kalooki_env.render.picture.table import HEIGHT, WIDTH, draw
from kalooki_env.render.view import view_of

if TYPE_CHECKING:
    from kalooki_env.game import Game

__all__ = ["HEIGHT", "WIDTH", "draw", "render_picture"]


def render_picture(
    game: "Game", seat: int, played: Iterable[tuple[int, int]] = (), width: int = WIDTH
) -> np.ndarray:
    """Draw what a seat sees; nothing that is hidden from it is in the picture.

    Args:
        game: the game.
        seat: whose view.
        played: seat and action id of what was played last, for the line under the picture.
        width: pixels across; the height is two thirds of it.

    Returns:
        A new uint8[height, width, 3], red, green and blue.
    """
    view = view_of(game, seat)
    names = [words.YOU if other == seat else f"seat {other}" for other in range(game.seats)]
    told = words.of_actions(names, played)
    if view.end is not None or not told:
        told.append(words.of_view(view, names))
    return np.array(draw(view, names, told, width=width))
