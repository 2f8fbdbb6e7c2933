"""The dearest single legal list: `python -m benchmarks.worst --help`.

Every call of `list_legal` is timed where it is made, in compiled code, by the wall clock. A call
that took longer than the worst so far is made five times more on the same state, with another game
in between so that nothing can be remembered, and the least CPU time of these counts.

The states: random play at every preset and number of seats, and hands put together from 14-18
cards with 2-4 jokers, which random play seldom holds: not opened, opened with melds on the table,
with a discard to take or taken. Each turn so begun is played to its end at random, so that begun
moves, half-laid openings and jokers that are owed are met too.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import yaml

from benchmarks.worst_play import TALLY, build_and_play, play
from kalooki_env.commands.arguments import not_negative
from kalooki_env.commands.progress import Progress
from kalooki_env.engine.layout import GAME, PHASES, records, scratch_space
from kalooki_env.engine.single import start_match_at
from kalooki_env.engine.tables import point_runs
from kalooki_env.game import Game
from kalooki_env.rules import PRESETS, TURN_CAP, Rules

BAR = 2e-3
"""Seconds that no list may take."""
CHUNK = 50_000
"""Steps, or built hands, between two looks at the progress."""


@dataclass(frozen=True)
class Worst:
    """The dearest list of one preset and one kind of state."""

    preset: str
    states: str
    calls: int
    seconds: float
    game: Game


class Search:
    """The states of one preset, and the dearest of them."""

    def __init__(self, preset: str, seed: int) -> None:
        self.rules = Rules.preset(preset, turn_cap=TURN_CAP)
        self.preset, self.record = preset, self.rules.record()
        self.seats = range(self.rules.min_seats, self.rules.max_seats + 1)
        self.runs = point_runs(self.record)
        self.work, self.scratch = scratch_space()
        # The game that is played, another that is listed between two timings, and the worst.
        self.games = records(3, GAME)
        self.stream = np.random.default_rng([seed, *preset.encode()])
        self._number()

    def _number(self) -> np.uint64:
        return self.stream.integers(2**64, dtype=np.uint64)

    def _tally(self) -> np.ndarray:
        start_match_at(self.games, 1, self.record, self.seats[0], self._number(), 0, 0)
        return np.zeros(1, TALLY)

    def in_play(self, steps: int) -> Iterator[int | Worst]:
        """Time lists in random play; yield the steps done now and then, the worst at the end."""
        tally = self._tally()
        done = 0
        while done < steps:
            some = min(CHUNK, steps - done)
            seats = int(self.stream.choice(self.seats))
            play(*self._table(), seats, self._number(), some, tally)
            done += some
            yield done
        yield self._worst("play", tally)

    def in_hands(self, hands: int) -> Iterator[int | Worst]:
        """Time lists of built hands; yield the hands done now and then, the worst at the end."""
        tally = self._tally()
        done = 0
        while done < hands:
            some = min(CHUNK, hands - done)
            build_and_play(*self._table(), self.seats[0], self._number(), some, tally)
            done += some
            yield done
        yield self._worst("hands", tally)

    def _table(self) -> tuple[np.ndarray, ...]:
        return self.games, self.record, self.runs, self.work, self.scratch

    def _worst(self, states: str, tally: np.ndarray) -> Worst:
        game = Game(self.rules, seats=int(self.games["seats"][2]), seed=0)
        game.state[0] = self.games[2]
        return Worst(
            self.preset, states, int(tally["calls"][0]), float(tally["worst"][0]) * 1e-9, game
        )


def find(presets: list[str], steps: int, hands: int, seed: int) -> Iterator[Worst]:
    """Yield the dearest list of every preset, in play and in built hands."""
    total = len(presets) * (steps + hands)
    behind = 0
    progress = Progress("worst legal list", "steps and hands")
    for preset in presets:
        search = Search(preset, seed)
        for whole, found in ((steps, search.in_play(steps)), (hands, search.in_hands(hands))):
            for item in found if whole else ():
                if isinstance(item, Worst):
                    progress.close()
                    yield item
                else:
                    progress.label = f"worst legal list, {preset}"
                    progress(behind + item, total)
            behind += whole
    progress.close()


def line(worst: Worst) -> str:
    """Write a row of the report."""
    phase = PHASES[worst.game.state["phase"][0]]
    legal = len(worst.game.legal_actions())
    return (
        f"{worst.preset:<16} {worst.states:<6} {worst.calls:>12,} {1e6 * worst.seconds:>10,.0f} us   "
        f"{phase}, {worst.game.question or 'no'} question, {legal} legal actions"
    )


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.worst", description="Find the dearest single legal list."
    )
    parser.add_argument("--rules", nargs="+", choices=list(PRESETS), default=list(PRESETS))
    parser.add_argument(
        "--steps", type=not_negative, default=10_000_000, help="random steps of every preset"
    )
    parser.add_argument(
        "--hands", type=not_negative, default=1_000_000, help="built hands of every preset"
    )
    parser.add_argument("--seed", type=not_negative, default=0)
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Search and print; return 1 if a list takes longer than the bar."""
    args = read_arguments(words)
    print(f"{'preset':<16} {'states':<6} {'lists':>12} {'dearest':>13}")
    found = []
    for worst in find(args.rules, args.steps, args.hands, args.seed):
        found.append(worst)
        print(line(worst), flush=True)
    for worst in found:
        print(f"--- # {worst.preset}, {worst.states}: {1e6 * worst.seconds:.0f} us")
        print(
            yaml.safe_dump(worst.game.position(), sort_keys=False, default_flow_style=None), end=""
        )
    dearest = max((worst.seconds for worst in found), default=0.0)
    print(f"# dearest of all: {1e6 * dearest:.0f} us, bar {1e6 * BAR:.0f} us")
    return int(dearest >= BAR)


if __name__ == "__main__":
    sys.exit(main())
