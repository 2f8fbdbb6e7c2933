"""Hashes of sources: compiled code lies in a folder that is named after what it was compiled from."""

import hashlib
import zipfile
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from importlib.resources.abc import Traversable
from pathlib import Path

import numba
import numpy as np


def _package() -> Traversable:
    """Return the folder of the package, which may lie in a wheel that was never unpacked."""
    folder = Path(__file__).resolve().parent.parent
    if folder.is_dir():
        return folder
    return zipfile.Path(__loader__.archive).joinpath(folder.name)  # type: ignore[name-defined]


PACKAGE = _package()


def digest(patterns: Iterable[str]) -> str:
    """Hash the files of the package that match and the versions of Numba and NumPy, as 16 hex digits."""
    found = hashlib.sha256(f"numba {numba.__version__} numpy {np.__version__}".encode())
    for pattern in patterns:
        for name, file in sorted(_matching(PACKAGE, pattern.split("/"), "")):
            found.update(name.encode())
            found.update(file.read_bytes())
    return found.hexdigest()[:16]


def _matching(
    folder: Traversable, parts: list[str], before: str
) -> Iterator[tuple[str, Traversable]]:
    """Yield name and file of what matches a pattern, given part by part; a zip file cannot do it."""
    for entry in folder.iterdir():
        if fnmatch(entry.name, parts[0]):
            name = before + entry.name
            if len(parts) > 1 and entry.is_dir():
                yield from _matching(entry, parts[1:], f"{name}/")
            elif len(parts) == 1 and entry.is_file():
                yield name, entry
