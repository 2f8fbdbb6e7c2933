"""Several processes that play the parts of an evaluation; what comes out is the same with any number."""

import pickle
import signal
import traceback
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from time import monotonic
from types import TracebackType
from typing import Any, Self

from kalooki_env.agents.base import Agent
from kalooki_env.arena.compiled import compile_now
from kalooki_env.arena.table import Part, Plan, Progress, play
from kalooki_env.checks import at_least_one
from kalooki_env.errors import KalookiError

_FEW_GAMES, _MANY_GAMES = 512, 4096
"""Games of a part: enough that the few last ones don't matter, little enough to share them out."""
_SHARES = 8
"""Parts for each process, where they are not too small or too large."""
_TELL_SECONDS = 0.1
"""A worker says how far it is so often."""
_LEAVE_SECONDS = 5.0
_PROGRESS, _DONE, _REFUSED, _FAILED = range(4)


class Workers:
    """The processes that play, for use in a `with` block; one process plays in this very process.

    Args:
        processes: how many.

    Raises:
        KalookiError: less than one.
    """

    def __init__(self, processes: int = 1) -> None:
        self.processes = at_least_one("process", processes)
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        for worker in self._workers:
            worker.leave(at_once=kind is not None)

    def play(self, plan: Plan, progress: Progress | None = None) -> Iterator[Part]:
        """Play all games of a plan; yield its parts in the order of the deals of the cards.

        Args:
            plan: what is played.
            progress: called now and then with the games done and all games.

        Raises:
            KalookiError: an agent that cannot be had or does not play by the rules, a worker that ended.
        """
        entrants = plan.load()  # what is wrong with one is said here, before any worker starts
        if self.processes == 1:
            for first, count in _parts(plan, _MANY_GAMES if plan.note else plan.games):
                yield play(plan, entrants, first, count, _moved(progress, plan, first))
            return
        self._start()
        yield from self._share_out(plan, progress)

    def _start(self) -> None:
        """Start the processes, once, when everything is compiled."""
        if self._workers:
            return
        compile_now()
        # The workers must not see Ctrl-C, from their first moment on: this process ends them. Whom it
        # starts while SIGINT is blocked has it blocked too, if the tracker, which unblocks it, runs.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            while len(self._workers) < self.processes:
                self._workers.append(_Worker.start())
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _share_out(self, plan: Plan, progress: Progress | None) -> Iterator[Part]:
        share = plan.games // (_SHARES * self.processes)
        waiting = deque(_parts(plan, min(max(share, _FEW_GAMES), _MANY_GAMES)))
        done: dict[int, int] = {}
        """Games done of each part, by its first deal."""
        ready: dict[int, Part] = {}
        idle, next_deal = list(self._workers), 0
        while next_deal < plan.deals:
            while idle and waiting:
                idle.pop().ask(plan, *waiting.popleft())
            for worker in _heard(self._workers):
                kind, first, what = worker.hear()
                if kind == _DONE:
                    ready[first] = what
                    done[first] = len(what.ends)
                    idle.append(worker)
                else:
                    done[first] = what
            if progress is not None:
                progress(sum(done.values()), plan.games)
            while next_deal in ready:
                part = ready.pop(next_deal)
                next_deal += len(part.ends) // plan.seats
                yield part


@dataclass
class _Worker:
    """A process that plays parts, as the one that started it sees it."""

    process: BaseProcess
    connection: Connection

    @classmethod
    def start(cls) -> Self:
        """Start the process."""
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return cls(process, ours)

    def ask(self, plan: Plan, first: int, count: int) -> None:
        """Let it play a part."""
        try:
            message = pickle.dumps((plan, first, count))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise KalookiError(
                f"expected agents that can be sent to another process, got {error}: give names, or "
                "use one process"
            ) from None
        try:
            self.connection.send_bytes(message)
        except OSError:
            raise self._ended() from None

    def hear(self) -> tuple[int, int, Any]:
        """Return what it says: how far it is, or the part; raise what it could not do."""
        try:
            kind, first, what = self.connection.recv()
        except (EOFError, OSError):
            raise self._ended() from None
        if kind == _REFUSED:
            raise what
        if kind == _FAILED:
            raise RuntimeError(f"a worker process failed:\n{what}")
        return kind, first, what

    def _ended(self) -> KalookiError:
        self.process.join(_LEAVE_SECONDS)
        return KalookiError(
            f"expected every process to play to its end, got one that left with code "
            f"{self.process.exitcode}: it may have run out of memory; use fewer processes (a script "
            'that plays with several needs `if __name__ == "__main__":`)'
        )

    def leave(self, at_once: bool) -> None:
        """End the process; without `at_once` it leaves by itself."""
        self.connection.close()
        if at_once:
            self.process.terminate()
        self.process.join(_LEAVE_SECONDS)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()


def _heard(workers: list[_Worker]) -> list[_Worker]:
    """Wait until some workers have something to say."""
    by_connection = {worker.connection: worker for worker in workers}
    return [by_connection[connection] for connection in wait(list(by_connection))]


def _parts(plan: Plan, games: int) -> list[tuple[int, int]]:
    """Divide the deals of the cards into parts of about so many games: (first, count)."""
    size = max(1, games // plan.seats)
    return [(first, min(size, plan.deals - first)) for first in range(0, plan.deals, size)]


def _moved(progress: Progress | None, plan: Plan, first: int) -> Progress | None:
    """Return the progress of a part as one of the plan, if anybody wants it."""
    if progress is None:
        return None
    return lambda done, total: progress(first * plan.seats + done, plan.games)


def serve(connection: Connection) -> None:
    """Play the parts that are asked for, in a process of its own, until nobody asks any more."""
    loaded: tuple[Plan, list[Agent]] | None = None
    while True:
        try:
            plan, first, count = connection.recv()
        except (EOFError, OSError):
            return
        except Exception:  # an agent whose class is not there
            connection.send((_FAILED, 0, traceback.format_exc()))
            continue
        told = monotonic()

        def tell(done: int, total: int, first: int = first) -> None:
            nonlocal told
            if monotonic() - told >= _TELL_SECONDS:
                told = monotonic()
                connection.send((_PROGRESS, first, done))

        try:
            try:
                if loaded is None or loaded[0] != plan:
                    loaded = plan, plan.load()
                answer = (_DONE, first, play(plan, loaded[1], first, count, tell))
            except KalookiError as error:
                answer = (_REFUSED, first, error)
            connection.send(answer)
        except (BrokenPipeError, ConnectionResetError):
            return  # nobody listens any more
        except Exception:
            connection.send((_FAILED, first, traceback.format_exc()))
