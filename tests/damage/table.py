"""Files of tables that were left, and what the first screen and `--continue` make of them."""

import json
from pathlib import Path
from random import Random

from kalooki_env.play import saved, seating
from kalooki_env.play.keeping import data_folder
from kalooki_env.play.wishes import Wishes
from tests.damage import values
from tests.damage.kind import Kind


def samples(folder: Path) -> list[bytes]:
    """Leave a table."""
    seated = seating.sit_down(Wishes(opponents="greedy", seed=7, seats=3))
    seated.session.opponents()
    seated.session.play("draw")
    seated.leave()
    [table] = saved.tables()
    data = table.path.read_bytes()
    table.path.unlink()
    return [data]


def alter(rng: Random, data: bytes) -> bytes:
    """Alter what it says."""
    return values.to_json(values.alter(rng, json.loads(data))).encode()


def read(path: Path, _: bytes) -> None:
    """Look at all tables, as the first screen does, then go on with this one if it is there."""
    for other in data_folder("tables").iterdir():
        other.unlink()
    link = data_folder("tables") / "table.json"
    link.symlink_to(path)
    for table in saved.tables():
        assert table.told.isprintable() and len(table.told) < 200, table.told
    saved.goes_on(path)
    seating.resume(saved.read(path))


def _command(path: Path) -> list[str]:
    return ["play", "--plain", "--continue"]


KIND = Kind("table", "table.json", samples, alter, read, _command)
