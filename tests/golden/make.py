"""Golden games: what the engine does today, as digests that a change of behaviour cannot miss.

`python -m tests.golden.make` writes them anew; the difference is then to be judged by a person.
"""

import hashlib
import json
from pathlib import Path

import numpy as np

from kalooki_env import Batch, Game, agents

TRACES = Path(__file__).with_name("traces.json")
GREEDY = Path(__file__).with_name("greedy.json")
TABLES = (("british", 2), ("british", 5), ("european", 3), ("north_american", 6), ("kalooki40", 2),
          ("contract", 4), ("ring51", 3))  # fmt: skip


def trace(preset: str, seats: int, steps: int) -> str:
    """Return a digest of a game's states, masks and observations along `steps` fixed pseudo-random
    actions."""
    game = Game(preset, seats, seed=2026, episode="deal")
    digest = hashlib.sha256()
    number = 12345
    for _ in range(steps):
        if game.over:
            break
        number = (number * 1103515245 + 12345) % 2**31
        legal = game.legal_actions()
        digest.update(legal.tobytes())
        digest.update(game.observation(game.to_move).tobytes())
        game.play(int(legal[number // 7 % len(legal)]))
        digest.update(game.state.tobytes())
    return digest.hexdigest()[:24]


def greedy_deals(deals: int) -> str:
    """Return a digest of how `deals` British deals of two greedy players end."""
    batch = Batch("british", seats=2, n=50, seed=1)
    greedy, rows = agents.load("greedy"), np.arange(batch.n)
    ends: list[list[tuple]] = [[] for _ in rows]
    while min(map(len, ends)) < deals // batch.n:
        step = batch.step(greedy.act_batch(batch.games, batch.rules, rows))
        for i in np.flatnonzero(step.done):
            ends[i].append((int(step.winner[i]), *step.penalties[i].tolist(), int(step.turns[i])))
    text = json.dumps([row[: deals // batch.n] for row in ends])
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def main() -> None:
    """Write both files."""
    traces = {f"{preset} {seats}": trace(preset, seats, 250) for preset, seats in TABLES}
    TRACES.write_text(json.dumps(traces, indent=1) + "\n")
    GREEDY.write_text(json.dumps({"british 2": greedy_deals(1000)}, indent=1) + "\n")


if __name__ == "__main__":
    main()
