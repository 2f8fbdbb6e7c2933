"""Trying altered files: what is refused, what is accepted, and what is a fault."""

import contextlib
import io
import os
import random
import shutil
import signal
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kalooki_env import cli
from kalooki_env.errors import KalookiError
from tests.damage import (
    case,
    checkpoint,
    config,
    foreign,
    ladder,
    packed,
    raw,
    record,
    state,
    table,
)
from tests.damage.kind import Kind

KINDS = {
    module.KIND.name: module.KIND
    for module in (checkpoint, record, config, table, case, ladder, state, packed)
}
PATIENCE = 60
"""Seconds after which a file counts as one that is waited for without end."""
LONGEST = 1600
"""Letters of the longest sentence; a record's may quote a whole result."""
RUNS = ("os.system", "subprocess.Popen", "os.exec", "os.posix_spawn")
"""Events of Python that a file must not cause."""


class Endless(BaseException):
    """A file that is waited for."""


@dataclass
class Row:
    """What came of the altered files of a kind."""

    kind: str
    altered: int = 0
    refused: int = 0
    accepted: int = 0
    faults: list[str] = field(default_factory=list)


def run(kind: Kind, rounds: int, seed: int, folder: Path, keep: Path | None = None) -> Row:
    """Try altered files of one kind, and once what else may stand in their place.

    Args:
        kind: what is altered.
        rounds: how many files.
        seed: decides the alterations.
        folder: an empty folder for all that is written.
        keep: where files with a fault are copied to.
    """
    row = Row(kind.name)
    rng = random.Random(f"{kind.name} {seed}")
    with _at_home(folder):
        (folder / "samples").mkdir()
        samples = kind.samples(folder / "samples")
        for sample in samples:
            _try(kind, row, "whole", folder, sample, sample)
        if row.refused or row.faults:
            row.faults.append("a whole file is refused")
        row.altered = row.accepted = 0
        for number in range(rounds):
            whole = rng.choice(samples)
            make = rng.choice((raw.alter, kind.alter, kind.alter))
            before = len(row.faults)
            data = make(rng, whole)
            _try(kind, row, f"round {number}", folder, data, whole)
            if len(row.faults) > before and keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{kind.name}-{seed}-{number}").write_bytes(data)
        if kind.foreign:
            for name, put in foreign.FILES.items():
                _try_foreign(kind, row, name, folder, put, samples[0])
        if foreign.exploded(folder) or Path("boom").exists():
            row.faults.append("something in a file was run")
    return row


@contextlib.contextmanager
def _at_home(folder: Path) -> Iterator[None]:
    """Let the user's data folder and the working directory be in a folder of the trial."""
    before, home = Path.cwd(), os.environ.get("XDG_DATA_HOME")
    os.environ["XDG_DATA_HOME"] = str(folder / "data")
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.pop("XDG_DATA_HOME")
        if home is not None:
            os.environ["XDG_DATA_HOME"] = home


def _try(kind: Kind, row: Row, name: str, folder: Path, data: bytes, whole: bytes) -> None:
    path = _place(kind, folder)
    path.write_bytes(data)
    row.altered += 1
    _outcome(kind, row, name, path, whole)


def _try_foreign(
    kind: Kind, row: Row, name: str, folder: Path, put: foreign.Put, whole: bytes
) -> None:
    """Try something else in the file's place, then with the command that reads it."""
    path = _place(kind, folder)
    put(path)
    row.altered += 1
    accepted = row.accepted
    _outcome(kind, row, name, path, whole)
    if row.accepted == accepted and (problem := _by_command(kind.command(path))):
        row.faults.append(f"{name}: kalooki {' '.join(kind.command(path)[:1])}: {problem}")


def _place(kind: Kind, folder: Path) -> Path:
    """Return the path of the next file, in an empty folder."""
    place = folder / "place"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return place / kind.file


def _outcome(kind: Kind, row: Row, name: str, path: Path, whole: bytes) -> None:
    """Read a file and count what came of it."""
    try:
        with _watched() as ran:
            kind.read(path, whole)
    except KalookiError as error:
        words = str(error)
        row.refused += 1
        if "\n" in words or not words.isprintable() or not 0 < len(words) <= LONGEST:
            row.faults.append(f"{name}: no sentence: {words[:300]!r}")
    except Endless:
        row.faults.append(f"{name}: no end after {PATIENCE} s")
    except Exception:
        last = traceback.format_exc().strip().splitlines()
        row.faults.append(f"{name}: {last[-1][:200]} ({last[-3].strip()[-90:]})")
    else:
        row.accepted += 1
    if ran:
        row.faults.append(f"{name}: ran {ran[0]}")


def _by_command(words: list[str]) -> str:
    """Run a command; return what is wrong with its end: not exit code 1 or 2 with a sentence."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            with _watched():
                code = cli.main(words)
        except Endless:
            return f"no end after {PATIENCE} s"
        except BaseException as error:
            return f"{type(error).__name__}: {error}"[:200]
    lines = [line for line in err.getvalue().splitlines() if line.startswith("kalooki")]
    if code not in (1, 2) or len(lines) != 1:
        return f"exit code {code}, {err.getvalue()[-200:]!r}"
    return ""


_watching: list[list[str]] = []


def _hear(event: str, args: tuple) -> None:
    if _watching and event in RUNS:
        _watching[-1].append(event)


sys.addaudithook(_hear)


@contextlib.contextmanager
def _watched() -> Iterator[list[str]]:
    """Note what is run meanwhile; raise Endless if it takes too long."""

    def ring(*_: object) -> None:
        raise Endless

    ran: list[str] = []
    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(PATIENCE)
    _watching.append(ran)
    try:
        yield ran
    finally:
        _watching.pop()
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
