"""The mutations: reading their list, and making one in a copy of the sources."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

LIST = Path(__file__).parent
PACKAGE = "kalooki_env"


class StaleMutation(ValueError):
    """A mutation whose text the sources no longer hold exactly once."""


@dataclass(frozen=True)
class Edit:
    """Replace a text that stands once in a file, or once in one of its functions."""

    file: str
    old: str
    new: str
    function: str = ""


@dataclass(frozen=True)
class Mutation:
    """A small wrong change, and where the oracle is to look if no case notices it."""

    name: str
    says: str
    edits: tuple[Edit, ...]
    builds_tables: bool = False
    oracle: tuple[Mapping[str, Any], ...] = ()

    @property
    def where(self) -> str:
        """The file and function that is changed, the first of several."""
        edit = self.edits[0]
        return f"{edit.file} {edit.function}".strip()


def load(folder: Path = LIST) -> list[Mutation]:
    """Read every list of the folder; raise ValueError for a name that is used twice."""
    mutations = [
        _mutation(entry)
        for path in sorted(folder.glob("*.yaml"))
        for entry in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]
    names = [mutation.name for mutation in mutations]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"expected a name of its own for each mutation, got {twice[0]!r} twice")
    return mutations


def _mutation(entry: Mapping[str, Any]) -> Mutation:
    fields = dict(entry)
    shared = {key: fields.pop(key) for key in ("file", "function", "old", "new") if key in fields}
    edits = tuple(Edit(**{**shared, **edit}) for edit in fields.pop("edits", [{}]))
    return Mutation(edits=edits, oracle=tuple(fields.pop("oracle", ())), **fields)


def apply(mutation: Mutation, tree: Path) -> None:
    """Make the mutation in the sources of a tree; raise StaleMutation if they have changed."""
    for edit in mutation.edits:
        path = tree / PACKAGE / edit.file
        path.write_text(changed(mutation.name, edit, path.read_text("utf-8")), encoding="utf-8")


def changed(name: str, edit: Edit, source: str) -> str:
    """Return the source with the edit made in it."""
    start, end = _bounds(name, edit, source)
    count = source[start:end].count(edit.old)
    if count != 1:
        raise StaleMutation(
            f"{name}: expected {edit.old!r} once in {edit.file} {edit.function}, "
            f"got it {count} times: this mutation is stale, write it anew"
        )
    return source[:start] + source[start:end].replace(edit.old, edit.new) + source[end:]


def _bounds(name: str, edit: Edit, source: str) -> tuple[int, int]:
    """Return where the function begins and ends in the source, or the whole of it."""
    if not edit.function:
        return 0, len(source)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name == edit.function:
            lines = source.splitlines(keepends=True)
            start = sum(map(len, lines[: node.lineno - 1]))
            return start, start + sum(map(len, lines[node.lineno - 1 : node.end_lineno]))
    raise StaleMutation(
        f"{name}: expected a function {edit.function} in {edit.file}, got none: "
        "this mutation is stale, write it anew"
    )
