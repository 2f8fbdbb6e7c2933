"""Game records, altered lines with a right check included."""

import json
import zlib
from pathlib import Path
from random import Random

from kalooki_env import Rules, agents, records
from kalooki_env.records import Record
from kalooki_env.records.entries import entries
from kalooki_env.records.lines import to_bytes
from tests.damage import values
from tests.damage.kind import Kind

POSITION = {
    "rules": {"preset": "british", "out_above": 60},
    "hands": ["7C 7D 7H 4S 5S 6S 7S 2D", "9H 9D 9S KC KD 4C", "3H * QC"],
    "phase": "play",
    "table": ["JD QD *KD"],
    "opened": [False, True, False],
    "totals": [10, 55, 20],
    "stock": "2C 3C 4C 5C 6C 8C 9C TC JC",
    "added": {1: [0, 0]},
}


def _played(start: Record) -> Record:
    recorder, greedy = records.Recorder(start), agents.load("greedy")
    game = start.game()
    while not game.over and recorder.moves < 40:
        if game.to_move is None:
            game.next_deal()
        action = int(greedy.act(game, game.to_move))
        game.play(action)
        recorder.play(action)
    recorder.close()
    return recorder.record


def samples(folder: Path) -> list[bytes]:
    """Write two deals, and a match that begins with a position."""
    deals = [
        _played(Record(Rules.preset("british", turn_cap=4), 2, seed, names=("ann", "bob")))
        for seed in (7, 8)
    ]
    match = _played(Record.at(POSITION))
    return [b"".join(to_bytes(entries(game)) for game in deals), to_bytes(entries(match))]


def alter(rng: Random, data: bytes) -> bytes:
    """Alter the lines of the first game and write its checks anew."""
    lines = [json.loads(line) for line in data.splitlines()]
    for line in lines:
        del line["check"]
    near = rng.choice(([0], [0], [1], range(len(lines))))
    at = rng.choice(near)
    if rng.random() < 0.8:
        lines[at] = values.alter(rng, lines[at])
    else:
        lines = values.alter(rng, lines)
    if not isinstance(lines, list):
        lines = [lines]
    check, out = 0, []
    for line in lines:
        if isinstance(line, dict) and "kalooki" in line:
            check = 0
        body = values.to_json(line, ensure_ascii=rng.random() < 0.1)
        raw = body.encode("utf-8", "surrogatepass")
        check = zlib.crc32(raw, check)
        out.append(raw[:-1] + b', "check": "%08x"}\n' % check)
    return b"".join(out)


def read(path: Path, whole: bytes) -> None:
    """Read and verify it; bytes that nobody wrote checks for tell only games that were there."""
    found = records.read(path)
    for record in found:
        records.verify(record)
    assert to_bytes(line for record in found for line in entries(record)) or not found


KIND = Kind(
    "record", "games.jsonl", samples, alter, read, lambda path: ["replay", "--verify", str(path)]
)
