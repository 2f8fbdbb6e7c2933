"""A whole game as bytes: rules, table and the engine's record, with a checksum."""

import json
import zlib
from typing import TYPE_CHECKING

import numpy as np

from kalooki_env import actions
from kalooki_env.engine import layout as L
from kalooki_env.engine.layout import GAME
from kalooki_env.errors import KalookiError, PositionError, one_line
from kalooki_env.files import read_json
from kalooki_env.rules import Rules

if TYPE_CHECKING:
    from kalooki_env.game import Game

_MAGIC = b"KALOOKI\x03"


def pack(game: "Game") -> bytes:
    """Return the bytes of a game, its random stream included."""
    header = {"rules": game.rules.to_dict(), "seats": game.seats, "episode": game.episode}
    head = json.dumps(header, sort_keys=True).encode()
    body = len(head).to_bytes(4, "little") + head + game.state.tobytes()
    return _MAGIC + zlib.crc32(body).to_bytes(4, "little") + body


def unpack(cls: type["Game"], data: bytes) -> "Game":
    """Return the game that `pack` wrote; raise PositionError for anything else."""
    data = bytes(data)
    start = len(_MAGIC) + 4
    if data[: len(_MAGIC)] != _MAGIC or len(data) < start + 4:
        raise PositionError(
            "expected the bytes of Game.to_bytes() of this version, got something else"
        )
    body = data[start:]
    size = int.from_bytes(body[:4], "little")
    if (
        zlib.crc32(body) != int.from_bytes(data[len(_MAGIC) : start], "little")
        or len(body) != 4 + size + GAME.itemsize
    ):
        raise PositionError(
            "expected the bytes of Game.to_bytes(), got some that are cut short or altered"
        )
    try:
        header = read_json(body[4 : 4 + size])
        rules = Rules.from_dict(header["rules"])
        game = object.__new__(cls)
        game._prepare(rules, header["seats"], header["episode"])
    except KalookiError:
        raise
    except (LookupError, TypeError, ValueError) as error:
        raise PositionError(
            f"expected the bytes of Game.to_bytes(), got some with a damaged header: {one_line(error)}"
        ) from None
    game.state[:] = np.frombuffer(body, GAME, 1, 4 + size)
    if not _within_arrays(game.state[0], game.seats):
        raise PositionError("expected the bytes of Game.to_bytes(), got those of no game")
    return game


def _within_arrays(g: np.void, seats: int) -> bool:
    """Tell whether all that the engine counts or looks up by lies within its arrays.

    The checksum tells what was damaged on the way; this is for bytes that somebody made.
    """
    counts = (
        ("phase", len(L.PHASES) - 1), ("n_stock", L.MAX_CARDS), ("n_discards", L.MAX_CARDS),
        ("n_melds", L.MAX_MELDS), ("n_half", L.MAX_HALF), ("n_to_decide", seats), ("dealer", seats - 1),
    )  # fmt: skip
    if g["seats"] != seats or not all(0 <= g[name] <= most for name, most in counts):
        return False
    cards = np.concatenate(
        [
            g["stock"][: g["n_stock"]],
            g["discards"][: g["n_discards"]],
            np.maximum(g["taken"], 0)[None],
        ]
    )
    melds, half = g["melds"][: g["n_melds"]], g["half"][: g["n_half"]]
    keys = np.where(melds["kind"] == L.RUN, 4, 13)
    return bool(
        min(g["to_move"], g["winner"]) >= L.NO_SEAT
        and max(g["to_move"], g["winner"]) < seats
        and g["deal"] >= 1
        and np.all((cards >= 0) & (cards < L.CARDS))
        and np.all((half >= 0) & (half < actions.N))
        and np.all((melds["key"] >= 0) & (melds["key"] < keys))
        and np.all((melds["low"] >= 0) & (melds["high"] >= 0) & (melds["high"] <= 14))
        and np.all((g["to_decide"] >= 0) & (g["to_decide"] < L.MAX_SEATS))
        and np.all((g["hand"] >= 0) & (g["hand"] <= L.MAX_CARDS))
        and np.all((g["hand_size"] >= 0) & (g["hand_size"] <= L.MAX_CARDS))
    )
