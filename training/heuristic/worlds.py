"""Are the hands that the search imagines as good as those that are held? Compare their deadwood.

    python -m training.heuristic.worlds --rules british --seats 2 --deals 150

The heuristic plays; now and then the hands of the other seats are compared with those of worlds that
are the most plausible of 1, 2, 3 ... deals. `LIKELY_CLOSED` and `LIKELY_OPEN` in
kalooki_env/agents/search/rollout.py are the numbers of deals that fit.
"""

import argparse
import sys
from collections import defaultdict

import numpy as np

from kalooki_env import Game, Rules, agents
from kalooki_env.agents.greedy import deadwood
from kalooki_env.agents.heuristic.agent import Thinking
from kalooki_env.agents.search.rollout import STAGE, deal_worlds, likely_deals
from kalooki_env.engine.hands import see_hand
from kalooki_env.engine.layout import GAME, JOKER, records
from kalooki_env.rules import TURN_CAP

LIKELY = (1, 2, 3, 5, 8, 14, 20, 32)
WORLDS = 24


def main() -> int:
    """Play, compare, print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m training.heuristic.worlds",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rules", default="british")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--deals", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    found = compare(args.rules, args.seats, args.deals, args.seed)
    print("Deadwood of the other hands together: held, and in the most plausible of N deals.")
    print(f"{'another closed':<15}{'own turns':<12}{'times':>6}{'held':>8}", end="")
    print("".join(f"{n:>7}" for n in LIKELY), "  chosen")
    for (closed, stage, chosen), rows in sorted(found.items()):
        turns = (
            f"{STAGE * stage} to {STAGE * stage + STAGE - 1}" if stage < 3 else f"{STAGE * 3} on"
        )
        figures = np.mean(rows, axis=0)
        print(f"{'yes' if closed else 'no':<15}{turns:<12}{len(rows):>6}{figures[0]:>8.1f}", end="")
        print("".join(f"{figure:>7.1f}" for figure in figures[1:]), f"{chosen:>8}")
    return 0


def compare(
    rules: str, seats: int, deals: int, seed: int
) -> dict[tuple[bool, int, int], list[list[float]]]:
    """Return what was found by (another seat is closed, stage, deals that the search chooses from):
    rows of the deadwood held, and the mean one in worlds of each of `LIKELY`."""
    own = Thinking(Rules.preset(rules, turn_cap=TURN_CAP), seats)
    heuristic, dice = agents.load("heuristic"), np.random.default_rng([seed, 104])
    space, worlds = records(2, GAME), records(WORLDS, GAME)
    found = defaultdict(list)
    for _ in range(deals):
        game = Game(Rules.preset(rules, turn_cap=TURN_CAP), seats, seed=int(dice.integers(1 << 40)))
        while not game.over:
            seat = game.to_move
            if game.phase == "draw" and dice.random() < 0.3:
                row = [_deadwood(game.state[0], seat, own)]
                for n in LIKELY:
                    key = np.uint64(dice.integers(1 << 60))
                    deal_worlds(
                        game.state, 0, seat, WORLDS, key, n, own.rules, own.tables, own.mind, own.work,
                        own.scratch, space, worlds,
                    )  # fmt: skip
                    row.append(float(np.mean([_deadwood(world, seat, own) for world in worlds])))
                opened = np.delete(game.state["opened"][0, :seats], seat)
                stage = min(int(game.state["turn"][0]) // (STAGE * seats), 3)
                chosen = int(likely_deals(game.state[0], seat))
                found[bool((opened == 0).any()), stage, chosen].append(row)
            game.play(heuristic.act(game, seat))
    return found


def _deadwood(game: np.void, seat: int, own: Thinking) -> int:
    """Return the deadwood of the hands of all seats but one."""
    total = 0
    for other in range(int(game["seats"])):
        if other != seat:
            held, twice = see_hand(game["hand"][other])
            jokers = int(game["hand"][other, JOKER])
            total += deadwood(
                held, twice, jokers, own.rules[0], own.tables[1], own.mind[0]["joker_value"],
                own.work[0],
            )  # fmt: skip
    return total


if __name__ == "__main__":
    sys.exit(main())
