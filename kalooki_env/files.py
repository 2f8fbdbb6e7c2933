"""Files that are written whole or not at all."""

import os
from pathlib import Path


def temporary_name(path: str | Path) -> Path:
    """Return the name of the file that is written before it replaces another."""
    target = Path(os.path.realpath(path))
    return target.with_name(f".{target.name}.{os.getpid()}.tmp")


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file so that a crash leaves either the old content or the new, never a part.

    Raises:
        OSError: it cannot be written.
    """
    temporary = temporary_name(path)
    try:
        with open(temporary, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, os.path.realpath(path))
    finally:
        temporary.unlink(missing_ok=True)
