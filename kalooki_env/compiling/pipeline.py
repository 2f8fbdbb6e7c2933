"""How Numba compiles here: as it always does, without three things that cost and give nothing.

* It copies a function's code twice before it becomes a part of another, its names once more for every
  block. Nobody else has that code.
* It writes machine code for every function that compiled ones call. All of it is in the machine code
  of what Python calls: only that is run.
"""

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

from llvmlite import binding as llvm
from numba.core import compiler, inline_closurecall
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.untyped_passes import InlineInlinables

from kalooki_env.compiling import helper
from kalooki_env.compiling.waiting import waiting


@register_pass(mutates_CFG=True, analysis_only=False)
class _Inline(InlineInlinables):
    """Makes functions a part of the one that calls them, without copies."""

    _name = "inline_without_copies"

    def run_pass(self, state: Any) -> bool:
        """Do what Numba's own pass does; the compiler's lock is held."""
        inline_closurecall.copy = SimpleNamespace(deepcopy=lambda block: block)
        try:
            return super().run_pass(state)
        finally:
            inline_closurecall.copy = SimpleNamespace(deepcopy=deepcopy)


class EntryCompiler(compiler.CompilerBase):
    """Compiles what Python calls."""

    def define_pipelines(self) -> list[PassManager]:
        """Return Numba's passes, one of them in another form."""
        passes = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [
            (_Inline if one is InlineInlinables else one, told) for one, told in passes.passes
        ]
        passes.finalize()
        return [passes]

    def compile_extra(self, func: Any) -> Any:
        """Compile a function; what is inside it finds its environment in its machine code."""
        with waiting(func.__module__):
            helper.start()
            result = super().compile_extra(func)
        for environment in result._find_referenced_environments():
            result.codegen.set_env(environment.env_name, environment)
        return result


class InsideCompiler(EntryCompiler):
    """Compiles what compiled functions call."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function into a library without machine code."""
        name = f"{func.__module__}.{func.__qualname__}"
        self.state.library = InsideLibrary(self.state.targetctx.codegen(), name)
        with waiting(func.__module__):
            return compiler.CompilerBase.compile_extra(self, func)


class _NoEnvironments:
    @staticmethod
    def set_env(name: str, environment: Any) -> None:
        """There is no machine code that would look for it."""


class InsideLibrary(CPUCodeLibrary):
    """Optimised code that others link into theirs."""

    codegen = _NoEnvironments()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is no machine code."""
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        """Return what `from_bitcode` takes."""
        return self.name, self._get_module_for_linking().as_bitcode()

    @classmethod
    def from_bitcode(cls, codegen: Any, name: str, bitcode: bytes) -> "InsideLibrary":
        """Make the library again."""
        library = cls(codegen, name)
        library._final_module = library._shared_module = llvm.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library


def rebuild_inside(target: Any, kept: tuple[Any, ...]) -> Any:
    """Return what was compiled by an `InsideCompiler` and reduced."""
    library, described, environment, signature, _, _, told, reload_init, environments = kept
    library = InsideLibrary.from_bitcode(target.codegen(), *library)
    return compiler.compile_result(
        target_context=target,
        typing_context=target.typing_context,
        library=library,
        environment=environment,
        entry_point=target.get_executable(library, described, environment),
        fndesc=described,
        type_annotation=told,
        signature=signature,
        objectmode=False,
        lifted=(),
        reload_init=reload_init,
        referenced_envs=environments,
    )
