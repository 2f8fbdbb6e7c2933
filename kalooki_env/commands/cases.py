"""Run case files: positions, moves and what must hold.

Plays every case of the YAML files (or of the folders of them) on the engine
and prints what does not hold. The last line is 'N passed, N failed'; the exit
code is 1 if any failed. A file or a case that cannot be read is told in a line,
the others run; it counts as failed, and the exit code is 2. With --rules only
the cases of that preset run, those that change one of its values included.
With --json the report goes to standard output as JSON and the last line to
standard error.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kalooki_env.cases import Outcome

UNREAD = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a case file, or a folder of them")
    parser.add_argument(
        "--rules", metavar="PRESET", help="only cases of this preset, overridden or not"
    )
    parser.add_argument(
        "--json", action="store_true", help="print the outcome of every case as JSON"
    )


def run(args: argparse.Namespace) -> int:
    """Run the cases; return 1 if any failed, 2 if any could not be read."""
    from kalooki_env import cases

    found, broken = cases.read(args.paths)
    for error in broken:
        print(f"kalooki cases: {error}", file=sys.stderr)
    if args.rules is not None:
        presets = sorted({case.preset for case in found})
        found = [case for case in found if case.preset == args.rules]
        if not found and not broken:
            raise cases.CaseError(
                f"expected cases of the preset {args.rules!r}, got none: "
                f"choose from {', '.join(presets)}"
            )
    outcomes = cases.run(found, on_done=None if args.json else _print)
    passed = sum(outcome.passed for outcome in outcomes)
    failed = len(outcomes) - passed + len(broken)
    if args.json:
        print(json.dumps(_report(outcomes, passed, list(map(str, broken))), indent=2))
    print(f"{passed} passed, {failed} failed", file=sys.stderr if args.json else sys.stdout)
    return UNREAD if broken else 1 if failed else 0


def _print(outcome: "Outcome") -> None:
    """Print a case that failed: where it stands, its story, and what does not hold."""
    if outcome.passed:
        return
    case = outcome.case
    print(f"FAIL {case.id}  {case.file}:{case.line}")
    if case.why:
        print(f"  {case.why}")
    for problem in outcome.problems:
        print(f"  - {problem}")
    print(flush=True)


def _report(outcomes: Sequence["Outcome"], passed: int, unread: list[str]) -> dict[str, object]:
    """Put all outcomes into plain data."""
    return {
        "passed": passed,
        "failed": len(outcomes) - passed + len(unread),
        "unread": unread,
        "cases": [
            {
                "id": outcome.case.id,
                "file": outcome.case.file,
                "line": outcome.case.line,
                "rules": outcome.case.rules,
                "passed": outcome.passed,
                "problems": list(outcome.problems),
            }
            for outcome in outcomes
        ],
    }
