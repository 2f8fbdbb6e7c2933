"""What the file of a checkpoint says about itself; read without PyTorch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from kalooki_env.errors import CheckpointError
from kalooki_env.files import HEAD, kind, open_plain, read_json, why

FORMAT_VERSION = 1
ENDS = "ends"
"""The header's `kind` of a network over the ends of a turn; policies from observation to action have none."""
INPUT_VERSION = 1
"""Version of what such a network reads: bumped when an input gets another meaning, place or number."""
KEY = "kalooki"
"""Key of our JSON text in the metadata of the file."""
MOST_HEADER = 1 << 20
MOST_BYTES = 1 << 31
"""Sizes of the largest header and file that are read; the shipped ones have 4 kB and 3 MB."""


def read_header(path: str | Path) -> dict[str, Any]:
    """Read what a checkpoint says about itself.

    Raises:
        CheckpointError: no such file, or no checkpoint; the message says what it is, where known.
    """
    return _read(path)[0]


def read_file(path: str | Path) -> tuple[dict[str, Any], bytes]:
    """Read what a checkpoint says about itself, and the whole file.

    Raises:
        CheckpointError: as `read_header`.
    """
    return _read(path, whole=True)


def _read(path: str | Path, whole: bool = False) -> tuple[dict[str, Any], bytes]:
    try:
        with open_plain(path) as file:
            head = file.read(HEAD)
            header = _header(path, head, file)
            file.seek(0)
            data = file.read(MOST_BYTES + 1) if whole else b""
    except FileNotFoundError:
        raise CheckpointError(f"expected a checkpoint, got {path}, which does not exist") from None
    except OSError as error:
        raise CheckpointError(
            f"expected a checkpoint, got {path}, which cannot be read: {why(error)}"
        ) from None
    if len(data) > MOST_BYTES:
        raise CheckpointError(
            f"expected a checkpoint of at most {MOST_BYTES >> 30} GiB, got {path}, which has more"
        )
    return header, data


def _header(path: str | Path, head: bytes, file: BinaryIO) -> dict[str, Any]:
    """Read our header from the beginning of a safetensors file."""
    size = int.from_bytes(head[:8], "little")
    if head[8:9] != b"{" or size > MOST_HEADER:
        what = kind(head)
        raise CheckpointError(
            f"expected a checkpoint, got {path}, which is {what}"
            if what
            else f"expected a checkpoint, got {path}, no safetensors file or cut short: copy it again"
        )
    file.seek(8)
    text = file.read(size)
    if len(text) < size:
        raise CheckpointError(
            f"expected a checkpoint, got {path}, which is cut short: copy it again"
        )
    try:
        metadata = read_json(text).get("__metadata__")
    except (ValueError, AttributeError):
        raise CheckpointError(
            f"expected a checkpoint, got {path}, whose safetensors header is damaged: copy it again"
        ) from None
    ours = metadata.get(KEY) if isinstance(metadata, Mapping) else None
    if not isinstance(ours, str):
        raise CheckpointError(f"expected a checkpoint, got {path}, which has no Kalooki header")
    try:
        header = read_json(ours)
    except ValueError as error:
        raise CheckpointError(
            f"expected a checkpoint, got {path}, whose Kalooki header is damaged: {error}"
        ) from None
    if not isinstance(header, dict):
        raise CheckpointError(f"expected a checkpoint, got {path}, whose header is no JSON object")
    return header
