"""What else may stand where a file is expected: other formats, links, folders, pipes."""

import gzip
import io
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path

Put = Callable[[Path], None]


class Bomb:
    """Makes a folder where it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple:
        return os.mkdir, (str(self.folder / "boom"),)


def exploded(folder: Path) -> bool:
    """Tell whether anything that stood in a file was run."""
    return (folder / "boom").exists()


def _zip(**parts: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return data.getvalue()


def _content(make: Callable[[Path], bytes]) -> Put:
    return lambda path: path.write_bytes(make(path.parent)) and None


def _pickle(folder: Path) -> bytes:
    return pickle.dumps({"weights": Bomb(folder)})


FILES: dict[str, Put] = {
    "an empty file": lambda path: path.touch(),
    "NULs": _content(lambda _: bytes(4096)),
    "a Git LFS pointer": _content(
        lambda _: b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 3344412\n"
    ),
    "a web page": _content(lambda _: b"<!DOCTYPE html>\n<html><title>Not found</title></html>\n"),
    "a model of SB3": _content(
        lambda folder: _zip(data=b'{"policy_class": {}}', policy_pth=_pickle(folder))
    ),
    "a file of torch.save": _content(
        lambda folder: _zip(archive__data_pkl=_pickle(folder), archive__version=b"3\n")
    ),
    "a pickle": _content(_pickle),
    "gzip": _content(lambda _: gzip.compress(b"x" * 999)),
    "JSON of somebody": _content(lambda _: b'{"a": [1, 2, 3]}\n'),
    "YAML of somebody": _content(lambda folder: b"- !!python/object/apply:os.mkdir [boom]\n"),
    "an open bracket": _content(lambda _: b"[" * 99_999),
    "a giant number": _content(lambda _: b"9" * 99_999),
    "Latin-1": _content(lambda _: "Käse = 'é'\n".encode("latin-1")),
    "a folder": lambda path: path.mkdir(),
    "a pipe": lambda path: os.mkfifo(path),
    "a link to nothing": lambda path: path.symlink_to("nothing"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to a folder": lambda path: path.symlink_to(".."),
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
}
"""Each puts something at a path."""
