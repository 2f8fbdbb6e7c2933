"""Files of ladders."""

import json
from pathlib import Path
from random import Random

from kalooki_env.arena import crossplay, ladder_file, ladder_text
from tests.damage import values
from tests.damage.kind import Kind


def samples(folder: Path) -> list[bytes]:
    """Play a small ladder."""
    found = crossplay.ladder(["random", "greedy"], ["british"], [2, 3], deals=6, anchor="random")
    return [ladder_file.to_json(found).encode()]


def alter(rng: Random, data: bytes) -> bytes:
    """Alter what it says."""
    return values.to_json(values.alter(rng, json.loads(data))).encode()


def read(path: Path, _: bytes) -> None:
    """Read it and show it; what agents it needs is told before anything is played."""
    found, _ = ladder_file.read(path)
    assert all(name.isprintable() for name in found.agents)
    crossplay.check(found)
    again = ladder_file.to_json(found)
    json.loads(again)
    ladder_text.to_markdown(found)
    found.missing()


KIND = Kind(
    "ladder",
    "ladder.json",
    samples,
    alter,
    read,
    lambda path: ["ladder", "--continue", "--json", str(path)],
)
