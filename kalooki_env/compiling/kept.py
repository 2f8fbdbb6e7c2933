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

from kalooki_env.compiling.store import Store

SUFFIX = ".nbc"


class KeptCode(NullCache):
    """What a dispatcher of Numba asks before it compiles, and tells what it has compiled.

    Args:
        function: the function.
        store: where its files lie.
        kind: tells apart what is compiled of the same function in several ways.
    """

    def __init__(self, function: Callable[..., Any], store: Store, kind: str) -> None:
        self.function, self.store, self.kind = function, store, kind

    @property
    def cache_path(self) -> str | None:
        """The folder, for Numba's statistics."""
        return None if self.store.path is None else str(self.store.path)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what was compiled for a signature, None if that has to be done."""
        target_context.refresh()
        content = self.store.read(self._name(sig, target_context.codegen()))
        if content is None:
            return None
        return compiler.CompileResult._rebuild(target_context, *pickle.loads(content))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, unless it holds addresses of this process."""
        if data.library.has_dynamic_globals or any(not one.can_cache for one in data.lifted):
            return
        self.store.write(self._name(sig, data.codegen), dumps(data._reduce()))

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
        told = repr((sig, codegen.magic_tuple(), versions, self.kind, line))
        found = hashlib.sha256(self._source + told.encode()).hexdigest()[:16]
        module = self.function.__module__.rpartition(".")[2]
        name = self.function.__qualname__.replace("<", "").replace(">", "")
        return f"{module}.{name}-{found}{SUFFIX}"
