"""Count the ways out that players miss; see the package."""

import argparse
import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np

from kalooki_env import Game, Rules, agents

from .dealing import dealt, played
from .exhaustive import UNKNOWN, YES, Exhaustive

RULES = ("british", "hunt51", "north_american", "contract", "kalooki40", "ring51", "european")
PLAYERS = ("greedy", "heuristic:light", "heuristic")
YARDSTICK = "greedy"
"""Its play is fixed, so it may miss what it misses."""
SOURCES = ("dealt closed", "dealt open", "played")


def goes_out(player: agents.Agent, game: Game) -> bool:
    """Let a player play the turn on; tell whether it goes out, with no card from the stock."""
    game, seat = game.clone(), game.to_move
    turn, stock = int(game.state["turn"][0]), int(game.state["n_stock"][0])
    while not game.deal_over and game.state["turn"][0] == turn and game.phase in ("draw", "play"):
        game.play(player.act(game, seat))
    won = game.deal_over and game.result["winner"] == seat
    return won and int(game.state["n_stock"][0]) == stock


def turns(source: str, rng: np.random.Generator, rules: Rules, seats: int) -> Iterator[Game]:
    """Yield turns of a source."""
    if source == "played":
        yield from played(rng, rules, seats)
    while True:
        game = dealt(rng, rules, seats, is_open=source == "dealt open")
        if game is not None and game.phase in ("draw", "play"):
            yield game


def count(
    source: str,
    rules: str,
    seats: int,
    n: int,
    players: dict[str, agents.Agent],
    limit: int,
    seed: int,
) -> tuple[Counter, list[tuple[str, dict]]]:
    """Count ways out and those missed in `n` turns; return the positions that a player missed too."""
    variant, seen, missed = Rules.preset(rules), Counter(), []
    rng = np.random.default_rng([seed, seats, RULES.index(rules), SOURCES.index(source)])
    is_possible = Exhaustive(variant, limit)
    for game in itertools.islice(turns(source, rng, variant, seats), n):
        out = {name: goes_out(player, game) for name, player in players.items()}
        answer = YES if any(out.values()) else is_possible(game.state[0])
        seen["turns"] += 1
        seen["ways"] += answer == YES
        seen["unknown"] += answer == UNKNOWN
        for name, went in out.items():
            if answer == YES and not went:
                seen[name] += 1
                missed.append((name, game.position()))
    return seen, missed


def main(words: list[str] | None = None) -> int:
    """Run from the command line; exit 1 where a player other than the yardstick missed a way out."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=20_000, help="turns over all tables")
    parser.add_argument("--rules", nargs="+", default=["all"], help="presets, or all")
    parser.add_argument("--seats", nargs="+", type=int, default=[2, 3, 4])
    parser.add_argument("--players", nargs="+", default=list(PLAYERS))
    parser.add_argument("--limit", type=int, default=100_000, help="positions of one search")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="missed turns to print of each player")
    args = parser.parse_args(words)
    rules = RULES if args.rules == ["all"] else args.rules
    players = {name: agents.load(name) for name in args.players}
    tables = list(itertools.product(SOURCES, rules, args.seats))
    started, total, shown = time.perf_counter(), {name: Counter() for name in SOURCES}, Counter()
    for source, preset, seats in tables:
        n = -(-args.turns // len(tables))
        seen, missed = count(source, preset, seats, n, players, args.limit, args.seed)
        total[source] += seen
        for name, position in missed:
            shown[name] += 1
            if name != YARDSTICK and shown[name] <= args.show:
                print(name, position, flush=True)
    print(f"{'':14}{'turns':>8}{'ways out':>10}{'unknown':>9}  missed by " + ", ".join(players))
    for source, seen in total.items():
        print(f"{source:14}{seen['turns']:>8}{seen['ways']:>10}{seen['unknown']:>9}  "
              + ", ".join(str(seen[name]) for name in players))  # fmt: skip
    print(f"{time.perf_counter() - started:.0f} seconds")
    return int(any(seen[name] for seen in total.values() for name in players if name != YARDSTICK))


if __name__ == "__main__":
    sys.exit(main())
