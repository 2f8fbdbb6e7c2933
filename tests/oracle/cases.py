"""Run case files through the oracle: `python -m tests.oracle.cases PATH...`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from . import NotationError, Position, meld_points


def case_files(paths: list[str]) -> Iterator[Path]:
    """Yield the YAML files named, and those in the folders named."""
    for name in paths:
        path = Path(name)
        yield from sorted(path.glob("**/*.yaml")) if path.is_dir() else [path]


def run_case(case: dict[str, Any]) -> list[str]:
    """Return what is wrong, one line for each failure."""
    position = Position.from_mapping(case)
    for number, text in enumerate(case.get("moves") or (), 1):
        if not position.is_legal(text):
            return [f"move {number} {text!r} is not legal"]
        position = position.play(text)
    failures = []
    for wanted, key in ((True, "legal"), (False, "illegal")):
        for text in case.get(key) or ():
            if position.is_legal(text) != wanted:
                failures.append(f"{text!r} expected {key}")
    failures += check_ids(position)
    return failures + check_expect(position, case.get("expect") or {})


def check_ids(position: Position) -> list[str]:
    """Check that every legal move is reached by its ids, and no two share them."""
    if position.phase == "over":
        return []
    found = position.sequences()
    if set(found) != position.legal_moves() or len(set(found.values())) != len(found):
        return ["the ids do not name the legal moves one to one"]
    return []


def check_expect(position: Position, expect: dict[str, Any]) -> list[str]:
    """Compare the facts of the position with those expected."""
    failures = []
    result = position.result()
    for key, wanted in expect.items():
        if key == "meld_points":
            for text, points in wanted.items():
                got = meld_points(text, position.rules)
                if got != points:
                    failures.append(f"points of {text!r}: expected {points}, got {got}")
            continue
        got = result[key]
        if key in ("hands", "table"):
            wanted = [sorted(text.split()) for text in wanted]
            got = [sorted(text.split()) for text in got]
        if got != wanted:
            failures.append(f"{key}: expected {wanted}, got {got}")
    return failures


def main(paths: list[str]) -> int:
    """Run all files; print failures and a last line with the counts."""
    passed = failed = 0
    for path in case_files(paths):
        for case in yaml.safe_load(path.read_text()):
            try:
                failures = run_case(case)
            except (NotationError, ValueError) as error:
                failures = [f"{type(error).__name__}: {error}"]
            passed, failed = passed + (not failures), failed + bool(failures)
            for line in failures:
                print(f"{path.name} {case['id']}: {line}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
