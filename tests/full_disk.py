"""A disk that fills up: no file of this process can become longer than a number of bytes.

The system writes the part of a piece that has room and refuses the rest, as a full disk does.
"""

import contextlib
import resource
from collections.abc import Iterator


@contextlib.contextmanager
def full_at(size: int) -> Iterator[None]:
    """Let no file grow beyond a size meanwhile."""
    before, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, hard))
