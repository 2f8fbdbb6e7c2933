"""The cache of compiled code: named after its sources, so that an edit never meets old code."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kalooki_env
from kalooki_env.engine import jit

PACKAGE = Path(kalooki_env.__file__).parent


def digest_of(package: Path) -> str:
    """Return the digest that a copy of the package would compute, in a fresh process."""
    code = (
        "import sys, types; sys.path.insert(0, sys.argv[1]); "
        "p = types.ModuleType('kalooki_env'); p.__path__ = [sys.argv[1] + '/kalooki_env']; "
        "sys.modules['kalooki_env'] = p; "
        "from kalooki_env.engine.jit import source_digest; print(source_digest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(package.parent)],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def copy(tmp_path):
    target = tmp_path / "kalooki_env"
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def test_a_copy_of_the_same_sources_shares_the_cache(copy):
    assert digest_of(copy) == jit.source_digest()


@pytest.mark.parametrize(
    "name", ["engine/finish.py", "engine/solver.py", "action_tables.py", "agents/greedy.py"]
)
def test_an_edit_of_any_compiled_source_starts_an_empty_cache(copy, name):
    path = copy / name
    path.write_text(path.read_text() + "\n# another line\n")
    assert digest_of(copy) != jit.source_digest()


def test_every_compiled_module_that_others_call_is_in_the_digest():
    covered = {path for pattern in jit.COMPILED for path in PACKAGE.glob(pattern)}
    using = {path for path in PACKAGE.rglob("*.py") if "\n@jit\n" in path.read_text()}
    for path in using - covered:
        module = path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
        callers = [
            p for p in using if p != path and f"kalooki_env.{module} import" in p.read_text()
        ]
        assert not callers, f"{module} is compiled into {callers} and not part of the digest"
