"""The bytes of a game, `Game.to_bytes`."""

import json
import zlib
from pathlib import Path
from random import Random

from kalooki_env import Game
from kalooki_env.files import read_whole
from tests.damage import values
from tests.damage.kind import Kind

START = 12
"""Bytes before those that the checksum is of."""


def samples(folder: Path) -> list[bytes]:
    """Play a little."""
    found = []
    for preset, seats in (("british", 2), ("contract", 4)):
        game = Game(preset, seats=seats, seed=3, episode="match")
        for _ in range(9):
            game.play(int(game.legal_actions()[-1]))
        found.append(game.to_bytes())
    return found


def alter(rng: Random, data: bytes) -> bytes:
    """Alter the header or the game, and make the checksum right."""
    body = data[START:]
    size = int.from_bytes(body[:4], "little")
    head, game = body[4 : 4 + size], bytearray(body[4 + size :])
    if rng.random() < 0.5:
        head = values.to_json(values.alter(rng, json.loads(head))).encode()
    else:
        for _ in range(rng.choice((1, 5, 50))):
            game[rng.randrange(len(game))] = rng.randrange(256)
    body = len(head).to_bytes(4, "little") + head + bytes(game)
    return data[: START - 4] + zlib.crc32(body).to_bytes(4, "little") + body


def read(path: Path, _: bytes) -> None:
    """Read it and play on."""
    try:
        data = read_whole(path)
    except OSError:
        data = b""
    game = Game.from_bytes(data)
    again = game.to_bytes()
    assert Game.from_bytes(again) == game
    game.legal_actions()
    assert game.to_bytes() == again


KIND = Kind("packed game", "game.bin", samples, alter, read, lambda path: [], foreign=False)
