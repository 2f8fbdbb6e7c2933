"""A process that measures on request, a line of JSON each way; `benchmarks/peers/serve.py` is its
other end."""

import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from kalooki_env.errors import KalookiError

PATIENCE = 600.0
"""Wall seconds for an answer beyond what was asked for: to start, to compile, to warm up."""
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
SEARCH_PATHS = ("PYTHONPATH", "PYTHONHOME", "PYTHONSAFEPATH")
"""What would lead the Python of another environment astray."""


class PeerError(KalookiError):
    """A peer that cannot be measured; the message names it and says why."""


@dataclass(frozen=True)
class Answer:
    """One measurement."""

    decisions: int
    deals: int
    """Deals that ended; 0 where they are not counted."""
    cpu: float
    """CPU seconds of the process."""
    wall: float
    """Seconds that passed."""

    @property
    def rate(self) -> float:
        """Decisions per CPU second."""
        return self.decisions / self.cpu


class PeerProcess:
    """Runs a script that measures, from `with` to its end.

    Args:
        label: what messages call it.
        command: the program and its arguments.
        folder: where it runs.
        patience: see `PATIENCE`.

    Raises:
        PeerError: from each method, when the process fails in any way.
    """

    def __init__(
        self, label: str, command: Sequence[str], folder: Path, patience: float = PATIENCE
    ) -> None:
        self.label, self.command, self.folder = label, list(command), folder
        self.patience = patience
        self.rows: dict[str, str] | None = None

    def __enter__(self) -> Self:
        self._said = tempfile.TemporaryFile()
        kept = {name: value for name, value in os.environ.items() if name not in SEARCH_PATHS}
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                cwd=self.folder,
                env={**kept, **ONE_THREAD},
            )
        except OSError as error:
            self._said.close()
            raise PeerError(f"{self.label}: {self.command[0]} does not run: {error}") from None
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._said.close()

    def title(self, row: str) -> str:
        """Return what a row calls itself."""
        if self.rows is None:
            greeting = self._read(self.patience)
            rows = greeting.get("rows")
            if not isinstance(rows, dict):
                raise PeerError(f"{self.label}: expected its rows, got {greeting}")
            self.rows = rows
        if row not in self.rows:
            raise PeerError(f"{self.label}: expected a row of {', '.join(self.rows)}, got {row}")
        return self.rows[row]

    def ask(self, row: str, seconds: float) -> Answer:
        """Have a row measured for some CPU seconds."""
        self.title(row)
        request = json.dumps({"row": row, "seconds": seconds}) + "\n"
        try:
            self._process.stdin.write(request.encode())
            self._process.stdin.flush()
        except OSError:
            raise PeerError(f"{self.label}: {self._end()}") from None
        answer = self._read(self.patience + 10 * seconds)
        if "error" in answer:
            raise PeerError(f"{self.label}: row {row} failed: {answer['error']}")
        try:
            result = Answer(**answer)
            usable = result.rate > 0 and result.wall > 0
        except (TypeError, ZeroDivisionError):
            usable = False
        if not usable:
            raise PeerError(f"{self.label}: expected a measurement of row {row}, got {answer}")
        return result

    def _read(self, patience: float) -> dict[str, Any]:
        """Read one message."""
        late = threading.Event()

        def give_up() -> None:
            late.set()  # first, so that whoever sees the process end knows why
            self._process.kill()

        timer = threading.Timer(patience, give_up)
        timer.start()
        line = self._process.stdout.readline()
        timer.cancel()
        if not line:
            why = f"expected an answer within {patience:g} s, got none"
            why = why if late.is_set() else self._end()
            raise PeerError(f"{self.label}: {why}")
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            text = line.decode(errors="replace").strip()
            raise PeerError(f"{self.label}: expected a line of JSON, got {text!r}")
        return message

    def _end(self) -> str:
        """Say how the process ended, with the last line that it wrote on standard error."""
        code = self._process.wait()
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        return f"ended with exit code {code}: {lines[-1] if lines else 'no message'}"
