"""The metrics of a run: a fixed vocabulary, written to TensorBoard and to `metrics.csv`.

Dashboards and tests rely on the names, so an unknown one is an error, and so is a missing one or a
value that is not finite. The prefixes are those that CleanRL made usual.
"""

import csv
import itertools
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from kalooki_env.errors import KalookiError
from kalooki_env.files import read_whole, write_whole

VOCABULARY: dict[str, str] = {
    "charts/decisions": "decisions trained on so far",
    "charts/deals": "deals finished so far",
    "charts/SPS": "decisions per second of this iteration, all workers together",
    "charts/learning_rate": "learning rate of this iteration",
    "charts/ent_coef": "weight of the entropy bonus in this iteration",
    "losses/policy_loss": "clipped surrogate loss",
    "losses/value_loss": "mean squared error of the critic, halved",
    "losses/entropy": "entropy of the policy in nats, mean over decisions",
    "losses/old_approx_kl": "KL estimate -log ratio, mean over gradient steps",
    "losses/approx_kl": "KL estimate ratio - 1 - log ratio, mean over gradient steps",
    "losses/clipfrac": "share of decisions whose ratio was clipped",
    "losses/explained_variance": "share of the returns' variance that the critic explains",
    "losses/grad_norm": "norm of the gradient before clipping, mean over gradient steps",
    "deals/turns": "turns in a deal",
    "deals/decisions": "decisions in a deal, all seats, forced moves left out",
    "deals/loser_penalty": "penalty of a loser in a deal that was won",
    "deals/kalooki_rate": "share of deals won by a kalooki",
    "deals/void_rate": "share of void deals",
    "deals/cut_rate": "share of deals cut at the turn cap",
    "time/engine": "share of the iteration spent in the engine: step, observe, legal actions",
    "time/act": "share spent choosing actions and values",
    "time/update": "share spent on gradients",
    "time/wait": "share spent waiting for the other workers",
}
"""Every metric of every iteration, and what it is. Those of deals are means over the deals that
ended in the iteration, 0 if none did."""

EVALUATION = "eval/win_rate_{}"
"""Win rate against a fixed opponent, written after each measurement in which a deal was played to its
end."""


def deal_means(sums: Mapping[str, float], seats: int, decisions: int) -> dict[str, float]:
    """Turn sums over the deals of an iteration into the metrics of deals.

    Args:
        sums: the names of `rollout.DEAL_SUMS`, over all workers.
        seats: seats at the table.
        decisions: decisions of the iteration, over all workers.
    """
    deals = max(sums["deals"], 1.0)
    return {
        "deals/turns": sums["turns"] / deals,
        "deals/decisions": decisions / deals,
        "deals/loser_penalty": sums["loser_penalty"] / max(sums["won"] * (seats - 1), 1.0),
        "deals/kalooki_rate": sums["kalookis"] / deals,
        "deals/void_rate": sums["voids"] / deals,
        "deals/cut_rate": sums["cuts"] / deals,
    }


class MetricsWriter:
    """Writes one row of metrics an iteration."""

    def __init__(
        self,
        folder: Path,
        opponents: tuple[str, ...] = (),
        keep_rows: int = 0,
        vocabulary: Mapping[str, str] = VOCABULARY,
    ) -> None:
        """Open the files in `folder`.

        Args:
            folder: the run folder, which exists.
            opponents: agents that the run measures itself against.
            keep_rows: rows of an interrupted run to keep; 0 starts afresh.
            vocabulary: the metrics of this kind of run, the first of which counts decisions.
        """
        from torch.utils.tensorboard import SummaryWriter

        self.evaluations = [EVALUATION.format(name) for name in opponents]
        self.vocabulary = vocabulary
        self.names = [*vocabulary, *self.evaluations]
        self.path = folder / "metrics.csv"
        kept = self._kept(keep_rows)
        lines = [",".join(self.names), *kept]
        write_whole(self.path, ("\n".join(lines) + "\n").encode())
        self._file = open(self.path, "a", newline="")  # noqa: SIM115 (closed by `close`)
        self._csv = csv.writer(self._file, lineterminator="\n")
        purge = kept and int(float(kept[-1].split(",")[0])) + 1
        self._board = SummaryWriter(str(folder), purge_step=purge or None)

    def _kept(self, rows: int) -> list[str]:
        """Return the first rows that an interrupted run wrote, as far as they are there."""
        if not rows:
            return []
        try:
            header, *lines = read_whole(self.path).decode().splitlines() or [""]
        except (OSError, UnicodeDecodeError):
            return []
        good = itertools.takewhile(self._is_row, lines[:rows])
        return list(good) if header.split(",") == self.names else []

    def _is_row(self, line: str) -> bool:
        """Tell whether a line is a whole row: numbers, or nothing where nothing was measured."""
        cells = line.split(",")
        try:
            numbers = [float(cell) for cell in cells if cell]
        except ValueError:
            return False
        return len(cells) == len(self.names) and bool(cells[0]) and all(map(math.isfinite, numbers))

    def text(self, name: str, text: str) -> None:
        """Log a text, such as the settings, at the start of the run."""
        self._board.add_text(name, text)

    def write(self, metrics: Mapping[str, float]) -> None:
        """Write one iteration.

        Args:
            metrics: every name of the vocabulary; measurements where there was one.

        Raises:
            ValueError: a name that is unknown or missing.
            KalookiError: a value that is not finite.
        """
        unknown = sorted(set(metrics) - set(self.names))
        missing = sorted(set(self.vocabulary) - set(metrics))
        if unknown or missing:
            raise ValueError(
                f"expected the metrics of the vocabulary, got unknown {unknown}, missing {missing}"
            )
        for name, value in metrics.items():
            if not math.isfinite(value):
                raise KalookiError(
                    f"{name}: expected a finite number, got {value}: the run has diverged; its last "
                    "checkpoint is kept, a lower learning_rate may help"
                )
        step = int(metrics["charts/decisions"])
        for name, value in metrics.items():
            self._board.add_scalar(name, value, step)
        self._csv.writerow(
            [f"{metrics[name]:.10g}" if name in metrics else "" for name in self.names]
        )
        self._file.flush()

    def close(self) -> None:
        """Flush and close the files."""
        self._file.close()
        self._board.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
