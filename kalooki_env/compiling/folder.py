"""A folder for what is run: ours alone, or an error.

Whoever can write to it could have us run anything. So every folder from the first of ours on down
is a real one, belongs to this user and is closed to all others. They are opened one inside the
other at every use: nothing can be put in their place between the look and the reading.
"""

import contextlib
import fcntl
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_CHECK = hashlib.sha256
_CHECK_SIZE = _CHECK().digest_size


class PrivateFolder:
    """Files of bytes, each with a checksum: what is not as it was written is not there.

    Args:
        base: an existing folder, or one to make; it may be a link, and anybody's.
        names: the folders inside it, each inside the one before: these are ours.
    """

    def __init__(self, base: Path, *names: str) -> None:
        self.base, self.names = Path(os.path.abspath(base)), names
        self.path = self.base.joinpath(*names)

    def make(self) -> None:
        """Make the folder if it isn't there, and look at it.

        Raises:
            OSError: it cannot be made, or is not ours alone.
        """
        self.base.mkdir(parents=True, exist_ok=True)
        with self._opened(make=True):
            pass

    def read(self, name: str) -> bytes | None:
        """Return what was written, None where there is nothing that is whole and ours."""
        try:
            with self._opened() as folder:
                flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
                with open(os.open(name, flags, dir_fd=folder), "rb") as file:
                    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                        return None
                    check, content = file.read(_CHECK_SIZE), file.read()
        except OSError:
            return None
        return content if check == _checksum(name, content) else None

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all.

        Raises:
            OSError: it cannot be written, or the folder is not ours alone.
        """
        self.make()
        with self._opened() as folder:
            part = f".{name}.{os.urandom(6).hex()}"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            try:
                with open(os.open(part, flags, 0o600, dir_fd=folder), "wb") as file:
                    file.write(_checksum(name, content))
                    file.write(content)
                os.replace(part, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(part, dir_fd=folder)
                raise

    def lock(self, name: str, patience: float) -> int | None:
        """Take a lock, waiting while another process has it; return its descriptor, None if it is
        still taken after `patience` seconds. The end of this process gives it back too.

        Raises:
            OSError: the folder is not ours alone or cannot be written, or knows no locks.
        """
        self.make()
        with self._opened() as folder:
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            lock = os.open(f".{name}.lock", flags, 0o600, dir_fd=folder)
        until = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return lock
            except BlockingIOError:
                if time.monotonic() >= until:
                    os.close(lock)
                    return None
            except OSError:
                os.close(lock)
                raise
            time.sleep(0.03)

    def unlock(self, name: str, lock: int) -> None:
        """Give a lock back. Its file goes: who waits for it still looks what was made meanwhile."""
        with contextlib.suppress(OSError), self._opened() as folder:
            os.unlink(f".{name}.lock", dir_fd=folder)
        os.close(lock)

    @contextlib.contextmanager
    def _opened(self, make: bool = False) -> Iterator[int]:
        """Open the folder, all of ours looked at on the way."""
        folder, path = os.open(self.base, _DIRECTORY), self.base
        try:
            for name in self.names:
                path = path / name
                if make:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(name, 0o700, dir_fd=folder)
                _refuse_link(folder, name, path)
                inner = os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
                os.close(folder)
                folder = inner
                _refuse_others(folder, path)
            yield folder
        finally:
            os.close(folder)


def _refuse_link(folder: int, name: str, path: Path) -> None:
    """Raise for a link: opening it would fail too, but say less."""
    if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        raise PermissionError(f"{path} is a link")


def _refuse_others(folder: int, path: Path) -> None:
    """Raise if an open folder is another user's or could have been written to by one; close it to
    others where they could only read."""
    found = os.fstat(folder)
    if found.st_uid != os.geteuid():
        raise PermissionError(f"{path} belongs to another user")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(f"others can write to {path}")
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        with contextlib.suppress(OSError):  # on a disk that is read only they may go on reading
            os.fchmod(folder, 0o700)


def _checksum(name: str, content: bytes) -> bytes:
    """Return the checksum of a file: its name counts, so that none passes for another."""
    return _CHECK(name.encode() + b"\0" + content).digest()
