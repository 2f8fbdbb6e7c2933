"""Files: written whole or not at all, and read as what a stranger may have put there.

Nothing that is read here can make the program wait, run something or fill the memory: what is no
plain file is an `OSError`, what is no usable JSON a `ValueError`, each with a few words that say why.
"""

import contextlib
import errno
import json
import os
import re
import stat
from pathlib import Path
from typing import Any, BinaryIO

MOST_BYTES = 1 << 26
"""Size of the largest file that is read whole, but for the weights of a network."""
MOST_DIGITS = 40
"""Digits of the longest whole number in JSON that is read: a seed of 128 bits has 39."""
DEEPEST = 32
"""Levels that JSON may be nested."""

# Writing


def temporary_name(path: str | Path) -> Path:
    """Return the name of the file that is written before it replaces another."""
    target = Path(os.path.realpath(path))
    return target.with_name(f".{target.name}.{os.getpid()}.tmp")


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file so that a crash leaves either the old content or the new, never a part.

    Raises:
        OSError: it cannot be written; the error names the file.
    """
    temporary = temporary_name(path)
    try:
        with open(temporary, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, os.path.realpath(path))
    except OSError as error:
        raise type(error)(error.errno, error.strerror or str(error), str(path)) from None
    finally:
        temporary.unlink(missing_ok=True)


def append_whole(file: BinaryIO, data: bytes) -> None:
    """Write at the end of a file that was opened unbuffered for appending: all of it or nothing.

    Raises:
        OSError: it cannot be written; what had been written of it is cut off again.
    """
    written = 0
    try:
        while written < len(data):
            written += file.write(data[written:])
    except OSError:
        with contextlib.suppress(OSError):
            end = file.tell()
            if written and os.fstat(file.fileno()).st_size == end:  # nobody else wrote after it
                file.truncate(end - written)
        raise


# Reading


def open_plain(path: str | Path, pipes: bool = False) -> BinaryIO:
    """Open a file for reading, without waiting for anybody.

    Args:
        path: the file.
        pipes: let it be a pipe too; one that nobody writes to is empty.

    Raises:
        OSError: it is not there, not readable, or a folder, a device, a pipe.
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except ValueError:  # a NUL in the name
        raise OSError(errno.EINVAL, "no file has such a name") from None
    mode = os.fstat(handle).st_mode
    if stat.S_ISFIFO(mode) and pipes:
        os.set_blocking(handle, True)
    elif not stat.S_ISREG(mode):
        os.close(handle)
        what = "a folder" if stat.S_ISDIR(mode) else "no plain file"
        raise OSError(errno.EINVAL, f"it is {what}", str(path))
    return open(handle, "rb")


def read_whole(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """Read a plain file of at most `most` bytes.

    Raises:
        OSError: as `open_plain`, or it is larger.
    """
    with open_plain(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
        return file.read(most + 1)[:most]


def why(error: OSError) -> str:
    """Return the reason of an error without its number and file."""
    return error.strerror or str(error)


def read_json(text: str | bytes) -> Any:
    """Read JSON that can be worked with: numbers are finite and not endless, few levels deep.

    Raises:
        ValueError: it is none.
    """
    try:
        value = _decode(text.decode() if isinstance(text, bytes) else text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if len(text) > DEEPEST:
        _check_depth(value)
    return value


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number in it has {len(digits):,} digits")
    return int(digits)


def _no_number(word: str) -> float:
    raise ValueError(f"a number in it is {word}")


_decode = json.JSONDecoder(parse_int=_whole, parse_constant=_no_number).decode


def _check_depth(value: Any) -> None:
    """Raise ValueError for a value that is nested deeper than anything that is written here."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            part
            for item in level
            if isinstance(item, dict | list)
            for part in (item.values() if isinstance(item, dict) else item)
            if isinstance(part, dict | list)
        ]
        if not level:
            return
    raise ValueError("it is nested too deep")


# What a file of another kind is

HEAD = 512
"""Bytes of the beginning of a file that tell its kind."""

_KINDS = (
    (rb"\Z", "an empty file"),
    (
        rb"version https://git-lfs",
        "a Git LFS pointer in place of the file: fetch it with 'git lfs pull'",
    ),
    (rb"PK.{28}data\b", "a model of Stable-Baselines3"),
    (rb"PK.{28,128}data\.pkl", "a file of torch.save, a pickle"),
    (rb"PK[\x01-\x08]", "a ZIP archive"),
    (rb"\x80[\x02-\x05]", "a pickle"),
    (rb"\x1f\x8b", "a gzip archive"),
    (rb"(?i)\s*<(!doctype|html|head|\?xml)", "a web page: download the file itself"),
    (rb'\{"kalooki": "record"', "a game record"),
    (rb'\s*\{\s*"kalooki": "ladder"', "the file of a ladder"),
    (rb'\s*\{\s*"kalooki": "table"', "the file of a table that was left"),
    (rb".{8}\{\"", "a safetensors file"),
)


def kind(head: bytes) -> str:
    """Say what a file is by how it begins, as far as that is known; else nothing."""
    return next((words for begins, words in _KINDS if re.match(begins, head, re.DOTALL)), "")
