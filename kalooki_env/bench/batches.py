"""Many games through one Python call: `Batch` for learners, Gymnasium's vector environment."""

from collections.abc import Callable, Iterator

import gymnasium
import numpy as np

from kalooki_env.action_tables import ANNOUNCE, SPARE
from kalooki_env.batch import Batch
from kalooki_env.bench.engine import decisions_of, tables, with_deals
from kalooki_env.bench.rows import Part, Work, one

STEPS_A_CALL = 16
FIRST_STEPS = 200
"""Steps of the vector environment before it is measured: more than the learner's part of most
deals, so that its tables are at different moments of one."""


def decisions(chosen: list[np.ndarray]) -> int:
    """Count the actions of some steps that do not answer a question of the move before."""
    ids = np.concatenate(chosen)
    return ids.size - np.count_nonzero((ids >= SPARE) & (ids < ANNOUNCE))


def batch_work(
    n: int,
    rules: str = "british",
    seats: int = 2,
    *,
    see: bool = True,
    auto_play: bool = False,
    seed: int = 0,
) -> Callable[[], tuple[int, int]]:
    """Play a batch at random; the work returns decisions and deals that ended.

    Args:
        n: games in the batch.
        rules: preset.
        seats: seats at each table.
        see: have mask and observation filled by `step`; the legal list alone without.
        auto_play: play decisions without a choice inside `step`, uncounted.
        seed: of the play.
    """
    batch = Batch(rules, seats, n, seed, auto_play=auto_play)
    batch.restore(tables(rules, seats, n)[0])
    rng = np.random.default_rng(seed)
    arrays = (batch.observe(), batch.mask()) if see else (None, None)

    def work() -> tuple[int, int]:
        steps, deals = [], 0
        for _ in range(STEPS_A_CALL):
            chosen = batch.sample(rng)
            deals += np.count_nonzero(batch.step(chosen, *arrays).done)
            steps.append(chosen)
        return decisions(steps), deals

    return work


def vector_work(n: int, opponents: str) -> Work:
    """Play the vector environment at random by its masks; count the learners' decisions."""
    envs = gymnasium.make_vec("kalooki_env:Kalooki-v0", num_envs=n, opponents=opponents)
    rng = np.random.default_rng(0)
    seen, _ = envs.reset(seed=0)
    alive = np.ones(n, np.bool_)

    def work(steps_a_call: int = STEPS_A_CALL) -> int:
        nonlocal seen, alive
        steps = []
        for _ in range(steps_a_call):
            chosen = draw(seen["action_mask"], rng)
            seen, _, ended, cut, _ = envs.step(chosen)
            steps.append(chosen[alive])
            alive = ~(ended | cut)
        return decisions(steps)

    work(FIRST_STEPS)
    return work


def draw(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Choose a legal action for each row of some masks, int64[n]."""
    rows, ids = np.nonzero(masks)
    counts = np.bincount(rows, minlength=len(masks))
    first = np.cumsum(counts) - counts
    return ids[first + (rng.random(len(masks)) * counts).astype(np.int64)]


def _batch(name: str, n: int, *, see: bool, auto_play: bool = False) -> Part:
    return one(name, lambda: decisions_of(batch_work(n, see=see, auto_play=auto_play)))


def parts() -> Iterator[Part]:
    """Yield what is measured here."""
    for n in (1, 64, 1024):
        yield _batch(f"Batch({n}), legal list", n, see=False)
        name = f"Batch({n}), mask and observation"
        if n < 1024:
            yield _batch(name, n, see=True)
        else:
            yield Part(
                (name, f"{name}: deals"),
                lambda repeats, seconds, name=name, n=n: with_deals(
                    name, batch_work(n), repeats, seconds
                ),
            )
    name = "Batch(1024), mask and observation, forced moves inside"
    yield _batch(name, 1024, see=True, auto_play=True)
    for opponents in ("random", "greedy"):
        yield one(
            f"VectorEnv(1024), opponent {opponents}, learner's decisions",
            lambda opponents=opponents: vector_work(1024, opponents),
        )
