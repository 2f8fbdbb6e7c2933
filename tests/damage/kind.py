"""What a kind of file is to these trials."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random


@dataclass(frozen=True)
class Kind:
    """One kind of file that the package reads."""

    name: str
    file: str
    """Name of the altered file in its folder."""
    samples: Callable[[Path], list[bytes]]
    """Makes whole files; may keep what else is needed in the folder."""
    alter: Callable[[Random, bytes], bytes]
    """Alters what the file says, and makes its lengths and checksums right again."""
    read: Callable[[Path, bytes], None]
    """Reads an altered file made from a whole one. Raises the package's error where it is refused,
    AssertionError where it was read and is not right."""
    command: Callable[[Path], list[str]]
    """The words after `kalooki` that read the file."""
    foreign: bool = True
    """Whether files of other kinds, links and pipes are tried in its place."""
