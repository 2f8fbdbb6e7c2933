"""How a package is asked: it tells its rows, then answers request after request.

Each message is one line of JSON. First comes `{"rows": {row: title}}`. A request is
`{"row": row, "seconds": least CPU time}`, its answer `{"decisions", "deals", "cpu", "wall"}` with
times in seconds, or `{"error": text}`. The end of the requests is the end of the process.
"""

import json
import os
import time
from collections.abc import Callable
from typing import TextIO

Work = Callable[[], tuple[int, int]]
"""Plays for a moment, much less than a second if it can; returns the decisions that were made and
the deals that ended, a game of gin rummy being one. Chance decides nothing."""
Rows = dict[str, tuple[str, Callable[[], Work]]]
"""By name: the title, and what gets the work ready."""


def serve(rows: Rows, requests: TextIO, answers: TextIO) -> None:
    """Answer requests until there are no more; each row is warmed up before it is first timed."""
    works: dict[str, Work] = {}

    def answer(message: object) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    answer({"rows": {name: title for name, (title, _) in rows.items()}})
    for line in requests:
        request = json.loads(line)
        name = request["row"]
        try:
            if name not in works:
                works[name] = rows[name][1]()
                works[name]()
            answer(measure(works[name], request["seconds"]))
        except Exception as error:
            answer({"error": f"{type(error).__name__}: {error}"})


def measure(work: Work, seconds: float) -> dict[str, float]:
    """Do `work` again and again for some CPU time; return what came of it."""
    decisions = deals = 0
    cpu, wall = time.process_time(), time.perf_counter()
    while True:
        more, ended = work()
        decisions, deals = decisions + more, deals + ended
        passed = time.process_time() - cpu
        if passed >= seconds:
            return {
                "decisions": int(decisions),
                "deals": int(deals),
                "cpu": passed,
                "wall": time.perf_counter() - wall,
            }


def pin() -> None:
    """Keep this process on one core, where the system can: some libraries ignore all else."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
