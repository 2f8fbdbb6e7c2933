"""Runs case files: positions in YAML with the moves to play and what must hold (`tests/cases`)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kalooki_env.case_files import CaseError, items
from kalooki_env.case_files import files as _files
from kalooki_env.errors import one_line, printable, shown
from kalooki_env.game import Game
from kalooki_env.positions import KEYS as POSITION_KEYS

STORY_KEYS = frozenset({"id", "why", "moves", "legal", "illegal", "expect"})
EXPECT_KEYS = frozenset(
    {
        "hands",
        "table",
        "discards",
        "stock_size",
        "to_move",
        "over",
        "winner",
        "kalooki",
        "void",
        "penalties",
        "chips",
        "totals",
        "eliminated",
        "pool",
        "match_winner",
        "meld_points",
    }
)


@dataclass(frozen=True)
class Case:
    """One case: a position, moves, and what must hold after them."""

    id: str
    why: str
    rules: str | Mapping[str, Any]
    position: Mapping[str, Any]
    moves: tuple[str, ...]
    legal: tuple[str, ...]
    illegal: tuple[str, ...]
    expect: Mapping[str, Any]
    file: str
    line: int

    @property
    def preset(self) -> str:
        """Name the preset that the case's rules start from."""
        return self.rules if isinstance(self.rules, str) else str(self.rules.get("preset", ""))


@dataclass(frozen=True)
class Outcome:
    """A case that was run, and what was wrong (nothing: it passed)."""

    case: Case
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Tell whether everything held."""
        return not self.problems


def load(paths: Iterable[str | Path]) -> list[Case]:
    """Read cases from YAML files; a folder stands for every `*.yaml` under it.

    Raises:
        CaseError: a path that is not there, a file that is not a list of cases, an unknown key, a
            key or an id used twice.
    """
    cases, broken = read(paths)
    if broken:
        raise broken[0]
    return cases


def read(paths: Iterable[str | Path]) -> tuple[list[Case], list[CaseError]]:
    """Read what can be read of YAML files; return the cases, and what is wrong with the rest.

    Raises:
        CaseError: a path that is not there, or a folder without such files.
    """
    cases: list[Case] = []
    broken: list[CaseError] = []
    ids: dict[str, Case] = {}
    for file in _files(paths):
        for case in _load_file(file):
            if isinstance(case, CaseError):
                broken.append(case)
            elif (other := ids.setdefault(case.id, case)) is case:
                cases.append(case)
            else:
                broken.append(
                    CaseError(
                        f"{case.file}:{case.line}: expected an id of its own, got {case.id!r}, "
                        f"also at {other.file}:{other.line}: rename one"
                    )
                )
    return cases, broken


def run(cases: Iterable[Case], on_done: Callable[[Outcome], None] | None = None) -> list[Outcome]:
    """Run cases one after the other, telling `on_done` about each."""
    outcomes = []
    for case in cases:
        outcome = Outcome(case, tuple(check(case)))
        outcomes.append(outcome)
        if on_done is not None:
            on_done(outcome)
    return outcomes


def check(case: Case) -> list[str]:
    """Play a case and list what does not hold, each as expected and got; nothing: it passed."""
    try:
        game = Game.from_position(case.position, episode="match", seed=0)
    except Exception as error:  # a broken engine must not hide the cases that follow
        return [f"position: expected a position, got {_describe(error)}"]
    for number, move in enumerate(case.moves, 1):
        try:
            game.play(move)
        except Exception as error:
            return [f"move {number} {shown(move)}: expected legal, got {_describe(error)}"]
    problems = []
    for wanted, moves in ((True, case.legal), (False, case.illegal)):
        problems += [problem for move in moves if (problem := _check_move(game, move, wanted))]
    result = game.result
    for key, expected in case.expect.items():
        if key == "meld_points":
            problems += _check_points(game, expected)
            continue
        got = result[key]
        try:
            same = _plain(key, expected) == _plain(key, got)
        except (TypeError, AttributeError, ValueError):
            same = False
        if not same:
            problems.append(f"{key}: expected {_show(expected)}, got {_show(got)}")
    return problems


def _check_move(game: Game, move: str, wanted: bool) -> str | None:
    """Return what is wrong where a move is legal and should not be, or the other way round."""
    try:
        reason = game.explain(move)
    except Exception as error:
        return f"{shown(move)}: expected {'legal' if wanted else 'illegal'}, got {_describe(error)}"
    if wanted and reason is not None:
        return f"{shown(move)}: expected legal, got illegal: {reason}"
    if not wanted and reason is None:
        return f"{shown(move)}: expected illegal, got legal"
    return None


def _check_points(game: Game, expected: Mapping[str, int]) -> list[str]:
    """Compare what melds are worth towards the opening."""
    problems = []
    for meld, points in expected.items():
        try:
            got: Any = game.meld_points(meld)
        except Exception as error:
            got = _describe(error)
        if got != points:
            problems.append(
                f"meld_points of {shown(meld)}: expected {_show(points)}, got {_show(got)}"
            )
    return problems


def _describe(error: Exception) -> str:
    """Put an error into one line; its class is named, as an unforeseen one is a defect."""
    return f"{type(error).__name__}: {one_line(error, 1000)}"


def _show(value: Any) -> str:
    """Write a value as YAML would in one line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_show(item) for item in value) + "]"
    if isinstance(value, str):
        return f'"{printable(value[:1000])}"'
    return shown(value, 1000)


def _plain(key: str, value: Any) -> Any:
    """Bring a value of `expect` into the one form that is compared."""
    if key == "hands":
        return [sorted(_cards(hand)) for hand in value]
    if key == "table":
        return [_meld(meld) for meld in value]
    if key == "discards":
        return _cards(value)
    if key == "match_winner":
        return (
            sorted(value) if isinstance(value, list | tuple) else [] if value is None else [value]
        )
    return list(value) if isinstance(value, list | tuple) else value


def _cards(text: str) -> list[str]:
    """Split a text into cards, each in its canonical form."""
    return [card.upper().replace("10", "T") for card in str(text).split()]


def _meld(text: str) -> list[str]:
    """Order the cards of a set, leave a run as it is: its order says where an ace stands."""
    cards = _cards(text)
    ranks = {card[0] for card in cards if card != "*"}
    is_set = len(ranks) == 1 and "*" not in ranks
    return sorted(cards) if is_set else cards


def _load_file(file: Path) -> Iterator[Case | CaseError]:
    """Yield the cases of a file, and in place of one that is none what is wrong with it."""
    try:
        for line, data in items(file):
            try:
                yield data if isinstance(data, CaseError) else _case(data, file, line)
            except CaseError as error:
                yield error
    except CaseError as error:
        yield error


def _case(data: Any, file: Path, line: int) -> Case:
    """Build a case from what YAML gave, refusing what no case has."""
    where = f"{file}:{line}"
    if not isinstance(data, dict):
        raise CaseError(f"{where}: expected a case with id, rules and hands, got {shown(data)}")
    missing = [key for key in ("id", "rules", "hands") if key not in data]
    if missing:
        raise CaseError(
            f"{where}: expected id, rules and hands, got no {' and no '.join(missing)}: add it"
        )
    if not isinstance(data.get("expect") or {}, Mapping):
        raise CaseError(f"{where}: expected a mapping for expect, got {shown(data['expect'])}")
    if not isinstance(data["rules"], str | Mapping):
        raise CaseError(
            f"{where}: expected a preset or a mapping for rules, got {shown(data['rules'])}"
        )
    for keys, known, owner in (
        (data, POSITION_KEYS | STORY_KEYS, "a case"),
        (data.get("expect") or {}, EXPECT_KEYS, "expect"),
    ):
        unknown = [key for key in keys if key not in known]
        if unknown:
            raise CaseError(
                f"{where}: expected keys of {owner} only, got {shown(unknown[0])}: "
                f"use {', '.join(sorted(known))}"
            )
    for key in ("moves", "legal", "illegal"):
        texts = data.get(key) or []
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise CaseError(f"{where}: expected a list of move texts for {key}, got {shown(texts)}")
    points = (data.get("expect") or {}).get("meld_points") or {}
    if not isinstance(points, Mapping):
        raise CaseError(f"{where}: expected meld_points as a mapping, got {shown(points)}")
    return Case(
        id=printable(str(data["id"])),
        why=printable(" ".join(str(data.get("why", "")).split())),
        rules=data["rules"],
        position={key: value for key, value in data.items() if key in POSITION_KEYS},
        moves=tuple(data.get("moves") or ()),
        legal=tuple(data.get("legal") or ()),
        illegal=tuple(data.get("illegal") or ()),
        expect=data.get("expect") or {},
        file=str(file),
        line=line,
    )
