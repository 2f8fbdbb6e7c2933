"""A second process that compiles what the first is going to need, on a second core.

It takes what nobody is at yet, and everything goes through the cache folder: who comes to a function
that another process compiles waits for it and loads it (see `KeptCode`). The helper ends when it
has done its part, or with the process that started it.
"""

import atexit
import contextlib
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PART = "kalooki_env.engine.single"
HEURISTIC = "kalooki_env.agents.heuristic.choice"
"""Modules whose import shows what is going to be played."""

_started = False


def start() -> None:
    """Start the helper, once, where there is a second core and a folder to share.

    Not in worker processes, of which there are as many as cores.
    """
    global _started
    if _started or PART not in sys.modules or not sys.executable:
        return
    _started = True
    from kalooki_env.engine.jit import ENGINE_STORE

    base = ENGINE_STORE.base
    worker = multiprocessing.parent_process() is not None or "PYTEST_XDIST_WORKER" in os.environ
    if base is None or worker or _cores() < 2:
        return
    package = Path(__file__).parent.parent.parent
    path = os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH")]))
    with contextlib.suppress(OSError):
        _keep(
            subprocess.Popen(
                [sys.executable, "-m", __name__, *{HEURISTIC}.intersection(sys.modules)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path, "KALOOKI_CACHE_DIR": str(base)},
            )
        )


def _cores() -> int:
    """Return how many cores this process may use."""
    with contextlib.suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _keep(helper: "subprocess.Popen[bytes]") -> None:
    """Reap the helper when it ends, and end it with this process."""
    threading.Thread(target=helper.wait, name="helper", daemon=True).start()
    atexit.register(_end, helper)


def _end(helper: "subprocess.Popen[bytes]") -> None:
    helper.kill()
    helper.wait()


def parts(heuristic: bool) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield dispatchers and the types to compile them for, the largest first."""
    import numba
    from numba import types

    from kalooki_env.calls import space
    from kalooki_env.engine import layout as L
    from kalooki_env.engine import single
    from kalooki_env.engine.apply import apply
    from kalooki_env.engine.legal import list_legal
    from kalooki_env.engine.observe import observe

    many = [numba.typeof(L.records(1, dtype)) for dtype in (L.GAME, L.RULES, L.WORK)]
    games, rules, work = many
    game, rule, space_of_one = (one.dtype for one in many)
    runs, out = types.Array(types.uint16, 2, "C"), types.Array(types.uint8, 1, "C")
    ids, mask = numba.typeof(space.arrays[2]), types.Array(types.int8, 1, "C")
    number = types.int64
    yield apply._inside, (game, rule, runs, space_of_one, games, number)
    yield list_legal._inside, (game, rule, runs, space_of_one, games)
    if heuristic:
        from kalooki_env.agents.heuristic.layout import MIND
        from kalooki_env.agents.heuristic.value import best_discard

        mind = numba.typeof(L.records(1, MIND)).dtype
        yield best_discard._inside, (game, rule, types.UniTuple(runs, 2), mind, space_of_one)
    yield observe._inside, (game, rule, space_of_one, games, number, out)
    one = games, number, rules, runs, work, games
    yield single.play_at, (*one, ids, number)
    yield single.look_at, (*one, number, mask, out)


def main(names: list[str]) -> None:
    """Compile what nobody has compiled or is compiling."""
    global _started
    _started = True
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for dispatcher, signature in parts(HEURISTIC in names):
        if not dispatcher._cache.is_taken(signature, dispatcher.targetctx.codegen()):
            dispatcher.compile(signature)


def _end_with_parent() -> None:
    """End as soon as the other end of the pipe is closed."""
    os.read(0, 1)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
