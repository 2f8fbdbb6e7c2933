"""A whole game as bytes: rules, table and the engine's record, with a checksum."""

import json
import zlib
from typing import TYPE_CHECKING

import numpy as np

from kalooki_env.engine.layout import GAME
from kalooki_env.errors import PositionError
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
    header = json.loads(body[4 : 4 + size])
    game = object.__new__(cls)
    game._prepare(Rules.from_dict(header["rules"]), header["seats"], header["episode"])
    game.state[:] = np.frombuffer(body, GAME, 1, 4 + size)
    return game
