"""Play a few games side by side and hold each against the same game looked at alone."""

import random

import numpy as np

from kalooki_env import Batch, actions
from kalooki_env.engine.layout import scratch_space
from kalooki_env.engine.single import list_legal_at, observe_at
from kalooki_env.errors import IllegalMove
from kalooki_env.invariants import violations

ROWS = 6
STEPS = 40


def follow_batch(preset: str = "british", seats: int = 2) -> list[str]:
    """Return how a batch differs from its games at the first step where it does."""
    rng = random.Random(preset)
    batch = Batch(preset, seats, ROWS, seed=1, auto_play=False)
    observations, masks = batch.observe(), batch.mask()
    for _ in range(STEPS):
        if problems := _rows(batch, observations, masks) or _refusals(batch):
            return problems
        chosen = [rng.choice(batch.legal_ids(i).tolist()) for i in range(ROWS)]
        try:
            batch.step(np.array(chosen), observations, masks)
        except IllegalMove as error:
            return [f"step: expected {chosen} to be legal, got {error}"]
    return violations(batch.games, batch.rules)


def _rows(batch: Batch, observations: np.ndarray, masks: np.ndarray) -> list[str]:
    """Compare the list, mask and observation of every game with its own."""
    work, scratch = scratch_space()
    problems = []
    for i in range(ROWS):
        n = list_legal_at(batch.games, i, batch.record, batch.runs, work, scratch)
        ids = work["ids"][0, :n].tolist()
        mask = np.zeros(actions.N, np.int8)
        mask[ids] = 1
        seen = np.zeros(batch.observation_size, np.uint8)
        seat = int(batch.games["to_move"][i])
        observe_at(batch.games, i, batch.record, work, scratch, seat, seen)
        if batch.legal_ids(i).tolist() != ids:
            problems.append(f"legal ids of game {i}: {batch.legal_ids(i).tolist()}, alone {ids}")
        if not np.array_equal(masks[i], mask):
            problems.append(f"mask of game {i}: not that of {ids}")
        if not np.array_equal(observations[i], seen):
            problems.append(f"observation of game {i}: not that of the game alone")
    return problems


def _refusals(batch: Batch) -> list[str]:
    """Try in every game but the last the first action of the next one, unless it has it too."""
    lists = [batch.legal_ids(i).tolist() for i in range(ROWS)]
    for i in range(ROWS - 1):
        chosen = [ids[0] for ids in lists]
        if lists[i + 1][0] in lists[i]:
            continue
        chosen[i] = lists[i + 1][0]
        before = batch.games.tobytes()
        try:
            batch.step(np.array(chosen))
        except IllegalMove:
            if batch.games.tobytes() == before:
                continue
        return [f"game {i}: expected {chosen[i]} to be refused, got it played"]
    return []
