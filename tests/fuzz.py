"""Long random play with the invariants recomputed: `python -m tests.fuzz --steps 5000000`.

Each quarter of the games is played in another way: any legal move; greedily; never melding;
melding, laying off and swapping whenever it can.
"""

import argparse
import sys
import time

import numpy as np

from kalooki_env import Batch, Game, actions, agents
from kalooki_env.invariants import knowledge_holds, violations


def choose(batch: Batch, greedy: agents.Agent, rng: np.random.Generator) -> np.ndarray:
    """Choose an action in each game, by the way of playing of its quarter."""
    ids, counts = batch.legal()
    rows = np.arange(batch.n)
    chosen = ids[rows, (rng.random(batch.n) * counts).astype(int)].astype(np.int64)
    way = rows % 4
    greedy_rows = rows[way == 1]
    chosen[greedy_rows] = greedy.act_batch(batch.games, batch.rules, greedy_rows)
    melds = (
        (ids >= actions.RUN) & (ids < actions.DISCARD) & (np.arange(ids.shape[1]) < counts[:, None])
    )
    rest = (np.arange(ids.shape[1]) < counts[:, None]) & ~melds
    for wanted, rows_of in ((rest, way == 2), (melds, way == 3)):
        use = rows_of & wanted.any(1)
        pick = rng.random(wanted.shape) * wanted
        chosen[use] = ids[rows[use], pick[use].argmax(1)]
    return chosen


def check_position(batch: Batch, i: int) -> None:
    """Check a game that is written as a position and read."""
    game = Game(batch.rules, batch.seats, seed=0)
    game.state[:] = batch.games[i : i + 1]
    again = Game.from_position(game.position())
    broken = violations(again.state, again.rules)
    assert not broken, f"{broken} in {game.position()}"


def fuzz(
    preset: str, seats: int, steps: int, seed: int, n: int = 256, every: int = 40
) -> dict[str, float]:
    """Play `steps` actions; return what was counted, raise AssertionError with what was violated."""
    batch = Batch(preset, seats, n, seed, auto_play=False)
    greedy, rng = agents.load("greedy"), np.random.default_rng(seed)
    seen = dict.fromkeys(("steps", "checked", "deals", "void", "cut", "kalooki", "longest"), 0)
    for k in range(-(-steps // n)):
        if k % every == 0:
            broken = violations(batch.games, batch.rules)
            assert not broken, f"{preset}, {seats} seats, step {k}: {broken}"
            seen["checked"] += n
        told = knowledge_holds(batch.games, batch.rules)
        assert told.all(), f"{preset}, {seats} seats, step {k}: a seat knows what is not so"
        if k % every == 0:
            check_position(batch, int(rng.integers(n)))
        _, counts = batch.legal()
        assert counts.min() > 0, f"{preset}, {seats} seats, step {k}: a seat without a legal action"
        step = batch.step(choose(batch, greedy, rng))
        done = step.done
        assert np.abs(step.rewards[done].sum(1)).max(initial=0) < 1e-4, "rewards do not sum to zero"
        seen["steps"] += n
        seen["deals"] += int(done.sum())
        seen["void"] += int(step.is_void[done].sum())
        seen["cut"] += int(step.is_cut[done].sum())
        seen["kalooki"] += int(step.is_kalooki[done].sum())
        seen["longest"] = max(seen["longest"], int(step.turns[done].max(initial=0)))
    return seen


def main() -> int:
    """Run from the command line; exit 1 on a violation."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=5_000_000, help="actions over all tables")
    parser.add_argument("--rules", nargs="+", default=["british"], help="presets")
    parser.add_argument("--seats", nargs="+", type=int, default=[2, 3, 4, 5])
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    tables = [(rules, seats) for rules in args.rules for seats in args.seats]
    print(f"{'rules':16}{'seats':>6}{'steps':>10}{'checked':>10}{'deals':>8}{'void':>8}{'cut':>7}"
          f"{'kalooki':>9}{'longest':>9}{'seconds':>9}")  # fmt: skip
    for rules, seats in tables:
        started = time.perf_counter()
        try:
            seen = fuzz(rules, seats, args.steps // len(tables), args.seed)
        except AssertionError as error:
            print(error)
            return 1
        print(f"{rules:16}{seats:>6}{seen['steps']:>10}{seen['checked']:>10}{seen['deals']:>8}{seen['void']:>8}"
              f"{seen['cut']:>7}{seen['kalooki']:>9}{seen['longest']:>9}"
              f"{time.perf_counter() - started:>9.1f}", flush=True)  # fmt: skip
    print("no violation")
    return 0


if __name__ == "__main__":
    sys.exit(main())
