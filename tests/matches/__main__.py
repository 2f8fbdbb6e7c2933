"""Play matches from the command line; see `--help`."""

import argparse
import json
import multiprocessing
import random
import sys
from collections import Counter

import tests.matches
from kalooki_env.commands.progress import Progress
from tests.matches.table import run_part
from tests.matches.variants import RANDOM, VARIANTS, Part, seats_of
from tests.oracle.knobs import is_refused, random_rules

PART = 250
"""Matches of one part of the work, which one process does."""
MATCHES_OF_KNOBS = 12
"""Matches under each of the rules that are drawn at random."""


def report(seen: dict[str, Counter[str]]) -> str:
    """Return a table with a line for each variant."""
    heads = ("matches", "deals", "a match", "longest", "void %", "cut %", "buy-ins", "out", "ties")
    lines = [f"{'variant':30}" + "".join(f"{head:>9}" for head in (*heads, "kalooki", "wrong"))]
    for variant, count in seen.items():
        deals, matches = count["deals"], count["matches"]
        cells = [
            matches,
            deals,
            f"{deals / max(matches, 1):.1f}",
            count["longest"],
            f"{100 * count['void'] / max(deals, 1):.2f}",
            f"{100 * count['cut'] / max(deals, 1):.2f}",
            *(count[name] for name in ("buy_ins", "eliminated", "ties", "kalookis", "violations")),
        ]
        lines.append(f"{variant:30}" + "".join(f"{cell:>9}" for cell in cells))
    every = sum(seen.values(), Counter())
    lines.append(
        f"{every['matches']} matches to the end, {every['left']} left, {every['deals']} deals, "
        f"{every['checks']} standings compared, {every['violations']} violations"
    )
    return "\n".join(lines)


def parts_of(
    variant: str, matches: int, seats: list[int] | None, seed: int, first: int = 0
) -> list[Part]:
    """Divide the matches of a variant into parts; none where it is not played by these seats."""
    if not (fitting := seats_of(variant, seats)):
        return []
    starts = range(first, first + matches, PART)
    sizes = [min(PART, first + matches - start) for start in starts]
    return [
        Part(variant, VARIANTS[variant], fitting, seed, start, size)
        for start, size in zip(starts, sizes, strict=True)
    ]


def knobs_parts(count: int, seats: list[int] | None, seed: int, first: int = 0) -> list[Part]:
    """Draw rules at random, a part for each."""
    parts = []
    for number in range(first, first + count):
        rng = random.Random(f"{seed}/{number}")
        fitting: tuple[int, ...] = ()
        while not fitting:
            rules = random_rules(rng)
            tables = [table for table in range(2, 7) if not is_refused(rules, table)]
            fitting = tuple(table for table in tables if seats is None or table in seats)
        parts.append(Part(RANDOM, rules, fitting, seed, number, MATCHES_OF_KNOBS))
    return parts


def play_matches(parts: list[Part], processes: int) -> tuple[dict[str, Counter[str]], list[str]]:
    """Play all parts; return what was counted for each variant, and what is wrong."""
    seen: dict[str, Counter[str]] = {part.variant: Counter() for part in parts}
    wrong, progress = [], Progress("matches", "parts")
    with multiprocessing.Pool(processes) as pool:
        for done, (variant, counts, sentence) in enumerate(pool.imap(run_part, parts), 1):
            longest = max(seen[variant]["longest"], counts["longest"])
            seen[variant].update(counts)
            seen[variant]["longest"] = longest
            if sentence:
                wrong.append(sentence)
                print(sentence, file=sys.stderr, flush=True)
            progress(done, len(parts))
    progress.close()
    return seen, wrong


def main() -> int:
    """Run from the command line; exit 1 on a violation."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.matches", description=tests.matches.__doc__
    )
    parser.add_argument("--matches", type=int, default=2000, help="matches of each variant")
    parser.add_argument("--variants", nargs="*", default=list(VARIANTS), help=", ".join(VARIANTS))
    parser.add_argument("--seats", nargs="+", type=int, help="default: all that a variant allows")
    parser.add_argument("--knobs", type=int, default=0, help="rules to draw at random, too")
    parser.add_argument("--first", type=int, default=0, help="number of the first match")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    args = parser.parse_args()
    if unknown := [name for name in args.variants if name not in VARIANTS]:
        parser.error(f"expected variants of {', '.join(VARIANTS)}; got {', '.join(unknown)}")
    parts = knobs_parts(args.knobs, args.seats, args.seed, args.first)
    for variant in args.variants:
        parts += parts_of(variant, args.matches, args.seats, args.seed, args.first)
    seen, wrong = play_matches(parts, args.processes)
    if args.json:
        print(json.dumps({"variants": seen, "violations": wrong}))
    else:
        print("\n".join([report(seen), *wrong]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
