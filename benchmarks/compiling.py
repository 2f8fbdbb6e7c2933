"""Where the compile time of a fresh cache goes: CPU seconds by function and by pass of Numba.

A process of its own for one way of using the package: `python -m benchmarks.compiling CODE`
prints JSON. What a function's callees need is counted with them.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from numba.core import event


@dataclass
class Tally(event.Listener):
    """Adds up the CPU time of nested events, each without those inside it."""

    spent: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    stack: list[list[float]] = field(default_factory=list)
    clock: Callable[[], float] = time.process_time

    def name(self, data: dict) -> str:
        """Return what an event is counted under."""
        raise NotImplementedError

    def on_start(self, event: event.Event) -> None:
        """Begin an event: its start, and the time spent inside it on others."""
        self.stack.append([self.clock(), 0.0])

    def on_end(self, event: event.Event) -> None:
        """End an event and count it as spent inside the one around it."""
        start, inside = self.stack.pop()
        whole = self.clock() - start
        name = self.name(event.data)
        self.spent[name] += whole - inside
        self.calls[name] += 1
        if self.stack:
            self.stack[-1][1] += whole


class Functions(Tally):
    """By function; `calls` are its compilations, one for each signature."""

    def name(self, data: dict) -> str:
        """Return module and name, without the package's."""
        function = data["dispatcher"].py_func
        return f"{function.__module__.removeprefix('kalooki_env.')}.{function.__name__}"


class Passes(Tally):
    """By pass of the compiler."""

    def name(self, data: dict) -> str:
        """Return the pass."""
        return str(data["name"])


def main(code: str) -> None:
    """Run some Python and print what was compiled."""
    functions, passes = Functions(), Passes()
    start = time.process_time()
    with (
        event.install_listener("numba:compile", functions),
        event.install_listener("numba:run_pass", passes),
    ):
        exec(code, {})
    total = time.process_time() - start
    rows = [
        {"name": name, "seconds": seconds, "signatures": functions.calls[name]}
        for name, seconds in functions.spent.most_common()
    ]
    print(json.dumps({"total": total, "functions": rows, "passes": passes.spent.most_common()}))


if __name__ == "__main__":
    main(sys.argv[1])
