"""The situations: each begins a place, spoils it, starts, and says what is not as it should be."""

import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.cache.starts import KING, NOBODY, PROGRAM, ROOT, Place, Start, place

Situation = Callable[[], None]
SITUATIONS: dict[str, Situation] = {}
"""By what they are called."""
SHORT: set[str] = set()
"""Those of the suite."""


def situation(name: str, short: bool = False) -> Callable[[Situation], Situation]:
    """Name a situation; a short one is a test of the suite too."""

    def note(run: Situation) -> Situation:
        SITUATIONS[name] = run
        if short:
            SHORT.add(name)
        return run

    return note


class Skipped(Exception):
    """What a situation needs is not to be had here."""


def need_root() -> None:
    """Skip a situation with other users where we cannot be one."""
    if os.geteuid() != 0:
        raise Skipped("only root can be other users")


def right(start: Start) -> None:
    """Check that the engine works, and that nobody sees a traceback."""
    assert start.code == KING, start
    assert "Traceback" not in start.said, start.said
    assert len(start.said.splitlines()) <= 1, start.said


def silent_and_anew(where: Place) -> None:
    """Check that the function is compiled once more without a word, and then kept."""
    start = where.start()
    right(start)
    assert start.hits == 0 and not start.said, start
    assert where.start().hits == 1


def elsewhere(where: Place, why: str, **changed: str | None) -> Start:
    """Check that our folder is not used, that a line says why, and that nothing stays."""
    start = where.start(**changed)
    right(start)
    assert start.hits == 0 and why in start.said, start
    assert start.spare is not None and start.mode == "0o700" and not start.spare.exists(), start
    return start


# What is as it should be


@situation("a first start and a second", short=True)
def _() -> None:
    with place() as where:
        silent_and_anew(where)
        folders = [where.kept, *(path for path in where.kept.rglob("*") if path.is_dir())]
        assert all(path.stat().st_mode & 0o777 == 0o700 for path in folders)
        assert len(where.files()) == 1


@situation("folders that others could read are closed")
def _() -> None:
    with place() as where:
        where.start()
        where.kept.chmod(0o755)
        assert where.start().hits == 1 and where.kept.stat().st_mode & 0o777 == 0o700


@situation("a cache folder that is a link to another disk")
def _() -> None:
    with place() as where:
        (where.folder / "disk").mkdir()
        where.cache.symlink_to(where.folder / "disk")
        silent_and_anew(where)


@situation("NUMBA_CACHE_DIR, and KALOOKI_CACHE_DIR before it")
def _() -> None:
    with place() as where:
        other = where.folder / "numba"
        right(where.start(KALOOKI_CACHE_DIR=None, NUMBA_CACHE_DIR=str(other)))
        assert list(other.rglob("*.nbc")) and not where.files()
        where.start(NUMBA_CACHE_DIR=str(other))
        assert where.files()


@situation("the user's home, and a folder of the XDG")
def _() -> None:
    with place() as where:
        home, xdg = where.folder / "home", where.folder / "xdg"
        right(where.start(KALOOKI_CACHE_DIR=None, HOME=str(home)))
        assert list((home / ".cache" / "kalooki").rglob("*.nbc"))
        right(where.start(KALOOKI_CACHE_DIR=None, HOME=str(home), XDG_CACHE_HOME=str(xdg)))
        assert list((xdg / "kalooki").rglob("*.nbc"))


@situation("the game in a wheel that is not unpacked", short=True)
def _() -> None:
    with place() as where:
        wheel = where.folder / "kalooki_env-0.1.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for path in sorted((ROOT / "kalooki_env").rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    archive.write(path, path.relative_to(ROOT))
        first = where.start(PYTHONPATH=str(wheel))
        right(first)
        assert (first.hits, first.said) == (0, "")
        assert where.start(PYTHONPATH=str(wheel)).hits == 1


# Damage


def damages(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield what can happen to a file."""
    yield "emptied", b""
    for size in (1, 31, 32, 33, len(content) // 2, len(content) - 1):
        yield f"cut to {size} bytes", content[:size]
    step = max(len(content) // 12, 1)
    for at in [*range(0, len(content), step), len(content) - 1]:
        yield f"byte {at} changed", content[:at] + bytes([content[at] ^ 64]) + content[at + 1 :]
    yield "lengthened", content + b"\0"
    yield "zeros", bytes(len(content))


@situation("a file emptied, cut, lengthened, a byte of it changed")
def _() -> None:
    with place() as where:
        where.start()
        (file,) = where.files()
        whole = file.read_bytes()
        for name, damaged in damages(whole):
            file.write_bytes(damaged)
            start = where.start()
            right(start)
            assert start.hits == 0 and not start.said, (name, start)
            assert len(file.read_bytes()) > len(whole) // 2, name


@situation("a file cut in half", short=True)
def _() -> None:
    with place() as where:
        where.start()
        (file,) = where.files()
        os.truncate(file, file.stat().st_size // 2)
        silent_and_anew(where)


@situation("a byte of machine code changed", short=True)
def _() -> None:
    with place() as where:
        where.start()
        (file,) = where.files()
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
        silent_and_anew(where)


@situation("a file under the name of another")
def _() -> None:
    with place() as where:
        where.start()
        (file,) = where.files()
        other = file.with_name(file.name.replace("suit_code", "run_value"))
        file.rename(other)
        shutil.copy(other, file)
        assert where.start().hits == 1
        file.write_bytes(other.read_bytes()[:32] + b"\0" + other.read_bytes()[33:])
        silent_and_anew(where)


def in_place_of_a_file(put: Callable[[Path, Path], None]) -> None:
    """Put something else in the place of a file."""
    with place() as where:
        where.start()
        (file,) = where.files()
        moved = where.folder / "moved"
        file.rename(moved)
        put(file, moved)
        right(start := where.start())
        assert start.hits == 0, start


@situation("a link in the place of a file")
def _() -> None:
    in_place_of_a_file(lambda file, moved: file.symlink_to(moved))


@situation("a pipe in the place of a file")
def _() -> None:
    in_place_of_a_file(lambda file, _: os.mkfifo(file))


@situation("a folder in the place of a file")
def _() -> None:
    in_place_of_a_file(lambda file, _: file.mkdir())


# Other people's folders


@situation("our folder is a link", short=True)
def _() -> None:
    with place() as where:
        where.start()
        where.kept.rename(where.folder / "elsewhere")
        where.kept.symlink_to(where.folder / "elsewhere")
        elsewhere(where, "is a link")


@situation("a folder inside ours is a link")
def _() -> None:
    with place() as where:
        where.start()
        (inner,) = where.kept.iterdir()
        inner.rename(where.folder / "elsewhere")
        inner.symlink_to(where.folder / "elsewhere")
        elsewhere(where, "is a link")


@situation("others can write to our folder", short=True)
def _() -> None:
    with place() as where:
        where.start()
        where.kept.chmod(0o770)
        elsewhere(where, "others can write")


@situation("others can write to a folder inside ours")
def _() -> None:
    with place() as where:
        where.start()
        (inner,) = where.kept.iterdir()
        inner.chmod(0o707)
        elsewhere(where, "others can write")


@situation("a file in the place of our folder")
def _() -> None:
    with place() as where:
        where.cache.mkdir()
        where.kept.write_text("")
        elsewhere(where, "Not a directory")


@situation("another user's folder in the place of ours", short=True)
def _() -> None:
    need_root()
    with place() as where:
        where.start()
        where.kept.chmod(0o755)
        os.chown(where.kept, NOBODY, NOBODY)
        elsewhere(where, "belongs to another user")


@situation("another user's folder inside ours")
def _() -> None:
    need_root()
    with place() as where:
        where.start()
        (inner,) = where.kept.iterdir()
        os.chown(inner, NOBODY, NOBODY)
        elsewhere(where, "belongs to another user")


@situation("a folder of root in the place of ours")
def _() -> None:
    need_root()
    with place(NOBODY) as where:
        where.kept.mkdir(parents=True)
        elsewhere(where, "belongs to another user")


@situation("a folder planted under the shared temporary one")
def _() -> None:
    with place() as where:
        planted = where.folder / "temporary" / f"kalooki-{os.getuid()}"
        shutil.copytree(_kept_by(where), planted)
        where.kept.write_text("")
        start = elsewhere(where, "Not a directory")
        assert start.spare != planted


def _kept_by(where: Place) -> Path:
    """Start, and move away what was kept."""
    where.start()
    return where.kept.rename(where.folder / "kept")


# No place


@situation("no home and no entry among the users", short=True)
def _() -> None:
    need_root()
    with place(NOBODY) as where:
        elsewhere(where, "no home", KALOOKI_CACHE_DIR=None, HOME=None)


@situation("a home that cannot be written")
def _() -> None:
    need_root()
    with place(NOBODY) as where:
        (where.folder / "home").mkdir(mode=0o755)
        elsewhere(
            where, "Permission denied", KALOOKI_CACHE_DIR=None, HOME=str(where.folder / "home")
        )


@situation("our folder, full, can be read only", short=True)
def _() -> None:
    need_root()
    with place(NOBODY) as where:
        where.start()
        for path in [*where.kept.rglob("*"), where.kept]:
            path.chmod(0o500 if path.is_dir() else 0o400)
        start = where.start()
        assert start.hits == 1 and not start.said, start


@situation("our folder, empty, can be read only")
def _() -> None:
    need_root()
    with place(NOBODY) as where:
        where.kept.mkdir(parents=True)
        os.chown(where.kept, NOBODY, NOBODY)
        where.kept.chmod(0o500)
        elsewhere(where, "Permission denied")


def in_memory(start: Start) -> None:
    """Check that a start worked without any folder, and said so."""
    right(start)
    assert start.hits == 0 and "memory" in start.said, start


@situation("nothing can be written at all", short=True)
def _() -> None:
    nowhere = "import tempfile\ntempfile.tempdir = '/nowhere'\n" + PROGRAM
    with place() as where:
        where.cache.write_text("")
        in_memory(where.start(nowhere))


@situation("the disk is full", short=True)
def _() -> None:
    with place() as where:
        for limit in (0, 100, 20_000):
            in_memory(where.start(limit=limit))
            assert not [path for path in where.folder.rglob("*") if path.is_file()]
        silent_and_anew(where)


@situation("the disk fills up later: what was kept still serves")
def _() -> None:
    with place() as where:
        where.start()
        start = where.start(limit=0)
        assert start.hits == 1 and not start.said, start


@situation("any mask of permissions")
def _() -> None:
    for mask in (0o000, 0o002, 0o077):
        before = os.umask(mask)
        try:
            with place() as where:
                silent_and_anew(where)
        finally:
            os.umask(before)
