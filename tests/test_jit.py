"""The cache of compiled code: named after its sources, so that an edit never meets old code."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kalooki_env
from kalooki_env.compiling import sources
from kalooki_env.engine import jit

PACKAGE = Path(kalooki_env.__file__).parent
ROOT = PACKAGE.parent

PROGRAM = """
import sys, types
package = types.ModuleType("kalooki_env")
package.__path__ = [sys.argv[1]]
sys.modules["kalooki_env"] = package
from kalooki_env.engine.solver import suit_code
print(suit_code(1 << 12, 0, 0), sum(suit_code._entrance.stats.cache_hits.values()))
"""
"""Asks a compiled function of `engine/solver.py` for the code of a king; the hand's `SUIT`, which is
compiled into it, is in another file. Prints the code, and 1 if it was compiled before."""


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A copy of the package, which `source_digest` reads."""
    target = tmp_path / "kalooki_env"
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(sources, "PACKAGE", target)
    return target


def covered(package: Path, patterns: tuple[str, ...] = jit.ENGINE) -> list[Path]:
    """Return the files that a cache folder is named after: the engine's, or another one."""
    return [path for pattern in patterns for path in sorted(package.glob(pattern))]


def king(package: Path, cache: Path, program: str = PROGRAM) -> tuple[int, int]:
    """Run a program on a copy of the package."""
    done = subprocess.run(
        [sys.executable, "-c", program, str(package)],
        env={**os.environ, "KALOOKI_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    code, hits = map(int, done.stdout.split())
    return code, hits


def test_a_copy_of_the_same_sources_shares_the_cache(copy, monkeypatch):
    theirs = jit.source_digest()
    monkeypatch.undo()
    assert theirs == jit.source_digest()


@pytest.mark.parametrize(
    "patterns, some",
    [(jit.ENGINE, {"finish.py", "solver.py", "cards.py"}), (jit.AGENTS, {"greedy.py"})],
    ids=["engine", "agents"],
)
def test_an_edit_of_any_compiled_source_starts_an_empty_cache(copy, patterns, some):
    seen = {jit.source_digest(patterns)}
    files = covered(copy, patterns)
    assert some <= {path.name for path in files}
    for path in files:
        path.write_text(path.read_text() + "\n# another line\n")
        digest = jit.source_digest(patterns)
        assert digest not in seen, path.name
        seen.add(digest)


def test_a_new_a_removed_and_a_renamed_file_of_the_engine_start_an_empty_cache(copy):
    digests = [jit.source_digest()]
    new = copy / "engine" / "novelty.py"
    new.write_text("")
    digests.append(jit.source_digest())
    new.rename(new.with_name("other.py"))
    digests.append(jit.source_digest())
    (copy / "engine" / "rng.py").unlink()
    digests.append(jit.source_digest())
    assert len(set(digests)) == 4


def test_what_is_compiled_follows_an_edit_in_another_file(copy, tmp_path):
    cache = tmp_path / "cache"
    before, compiled = king(copy, cache)
    assert before > 0 and compiled == 0
    assert king(copy, cache) == (before, 1)
    hands = copy / "engine" / "hands.py"
    text = hands.read_text()
    hands.write_text(text.replace("SUIT = (1 << 13) - 1", "SUIT = (1 << 12) - 1"))
    assert text != hands.read_text()
    assert king(copy, cache) == (0, 0)
    hands.write_text(text)
    assert king(copy, cache) == (before, 1)


CALLER = """
import sys, types
package = types.ModuleType("kalooki_env")
package.__path__ = [sys.argv[1]]
sys.modules["kalooki_env"] = package
import numba
from kalooki_env.engine import jit, solver

def code(held, twice, suit):
    return solver.suit_code(held, twice, suit)

files = jit.ENGINE_STORE.path.rglob("solver.suit_code-*.nbc")
print(numba.njit(code)(1 << 12, 0, 0), len(list(files)))
"""
"""Calls the function of `PROGRAM` from compiled code; also prints how often it has been compiled."""


def test_what_is_compiled_for_compiled_callers_is_never_called_from_python(copy, tmp_path):
    cache = tmp_path / "cache"
    code, compilations = king(copy, cache, CALLER)
    assert code > 0 and compilations == 1
    assert king(copy, cache) == (code, 0)
    assert king(copy, cache, CALLER) == (code, 2)
    assert king(copy, cache) == (code, 1)


def test_an_agent_is_compiled_beside_the_engine_and_leaves_it_alone(copy):
    before = jit.source_digest(), jit.source_digest(jit.AGENTS)
    path = copy / "agents" / "greedy.py"
    path.write_text(path.read_text() + "\n# another line\n")
    assert jit.source_digest() == before[0] and jit.source_digest(jit.AGENTS) != before[1]
    assert jit.AGENTS_STORE.path.parent == jit.ENGINE_STORE.path


def compiled_functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a module that are decorated with `entry`, `jit` or `inlined`."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(decorator, ast.Name) and decorator.id in ("entry", "jit", "inlined")
            for decorator in node.decorator_list
        ):
            yield node


def origins(tree: ast.Module, path: Path) -> dict[str, Path]:
    """Return the files of this repository that the names a module imports come from."""
    found = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        base = path.parents[node.level - 1] if node.level else ROOT
        folder = base.joinpath(*(node.module or "").split("."))
        for alias in node.names:
            for file in (folder / f"{alias.name}.py", folder.with_suffix(".py")):
                if file.is_file():
                    found[alias.asname or alias.name] = file
                    break
    return found


def test_all_that_is_compiled_into_another_file_is_in_the_digest():
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")]
    engine, agents, checked = set(covered(PACKAGE)), set(covered(PACKAGE, jit.AGENTS)), 0
    for path in files:
        tree = ast.parse(path.read_text())
        imported = origins(tree, path)
        known = engine if path.parent.name == "engine" else engine | agents
        for function in compiled_functions(tree):
            used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            outside = {name: imported[name] for name in used & imported.keys()}
            checked += len(outside)
            missing = {name: file for name, file in outside.items() if file not in known}
            assert not missing, f"{path}: {function.name} is compiled with what the digest misses"
    assert checked > 500
