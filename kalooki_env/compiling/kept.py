"""One compiled function on disk, in place of Numba's own cache.

A file holds what was compiled for arguments of one type. Its name has a hash of all that decides on
that: the types, the processor, the versions, the file that the function stands in. So there is no index
that could be damaged, or disagree with the files.
"""

import hashlib
import linecache
import pickle
import platform
from collections.abc import Callable
from functools import cached_property
from typing import Any

import llvmlite
from numba.core import compiler
from numba.core.caching import NullCache
from numba.core.serialize import dumps

from kalooki_env.compiling.pipeline import rebuild_inside
from kalooki_env.compiling.store import Store
from kalooki_env.compiling.waiting import waiting

SUFFIX = ".nbc"
PATIENCE = 120.0
"""Seconds after which another process that compiles the same is given up."""


class KeptCode(NullCache):
    """What a dispatcher of Numba asks before it compiles, and tells what it has compiled.

    Args:
        function: the function.
        store: where its files lie.
        kind: tells apart what is compiled of the same function with several options.
        is_inside: whether it is compiled for compiled callers.
    """

    def __init__(
        self, function: Callable[..., Any], store: Store, kind: str, is_inside: bool
    ) -> None:
        self.function, self.store, self.kind, self.is_inside = function, store, kind, is_inside
        self._locks: dict[str, int] = {}
        """Of what this process is compiling, by the name of the file."""

    @property
    def cache_path(self) -> str | None:
        """The folder, for Numba's statistics."""
        return None if self.store.path is None else str(self.store.path)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what was compiled for a signature, None if that has to be done.

        Where another process is at it, this one waits: two that start at once share the work.
        """
        target_context.refresh()
        name = self._name(sig, target_context.codegen())
        content = self.store.read(name)
        if content is None and name not in self._locks:
            lock = self.store.lock(name, 0.0)
            if lock is None and self.store.base is not None:
                with waiting(self.function.__module__):
                    lock = self.store.lock(name, PATIENCE)
            content = self.store.read(name)
            if lock is not None:
                self._locks[name] = lock
        if content is None:
            return None
        self._unlock(name)
        kept = pickle.loads(content)
        if self.is_inside:
            return rebuild_inside(target_context, kept)
        return compiler.CompileResult._rebuild(target_context, *kept)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, unless it holds addresses of this process."""
        name = self._name(sig, data.codegen)
        dynamic = data.library.has_dynamic_globals or any(not one.can_cache for one in data.lifted)
        if not dynamic:
            self.store.write(name, dumps(data._reduce()))
        self._unlock(name)

    def _unlock(self, name: str) -> None:
        lock = self._locks.pop(name, None)
        if lock is not None:
            self.store.unlock(name, lock)

    def is_taken(self, sig: Any, codegen: Any) -> bool:
        """Tell whether another process compiles it just now, or anybody has."""
        name = self._name(sig, codegen)
        if self.store.read(name) is not None:
            return True
        lock = self.store.lock(name, 0.0)
        if lock is not None:
            self.store.unlock(name, lock)
        return lock is None

    @cached_property
    def _source(self) -> bytes:
        """A hash of what the function is made of, besides functions of other files."""
        code = self.function.__code__
        lines = linecache.getlines(code.co_filename, self.function.__globals__)
        cells = tuple(cell.cell_contents for cell in self.function.__closure__ or ())
        found = hashlib.sha256("".join(lines).encode())
        found.update(code.co_code)
        found.update(dumps(cells) if cells else b"")
        return found.digest()

    def _name(self, sig: Any, codegen: Any) -> str:
        """Return the name of the file for a signature."""
        versions = platform.python_version(), llvmlite.__version__
        line = self.function.__code__.co_firstlineno
        told = repr((sig, codegen.magic_tuple(), versions, self.kind, self.is_inside, line))
        found = hashlib.sha256(self._source + told.encode()).hexdigest()[:16]
        module = self.function.__module__.rpartition(".")[2]
        name = self.function.__qualname__.replace("<", "").replace(">", "")
        return f"{module}.{name}-{found}{SUFFIX}"
