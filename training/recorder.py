"""What a run tells: metrics, the progress line, measurements of strength, checkpoints."""

import math
import sys
import time
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np
import torch

from kalooki_env import Batch, arena
from kalooki_env.agents.checkpoint import Meta, NetworkAgent, save_checkpoint
from kalooki_env.agents.network import ActorCritic
from kalooki_env.commands.progress import clock
from kalooki_env.rules import Rules
from training.config import Config
from training.interrupt import StopOnInterrupt
from training.metrics import EVALUATION, MetricsWriter, deal_means
from training.rollout import DEAL_SUMS
from training.run import CHECKPOINT, State
from training.workers import Workers

_MOST = 0.5
"""Share of cut deals from which on a run warns."""


class Wish(NamedTuple):
    """What worker 0 wants all workers to do after an iteration."""

    measure: bool
    save: bool
    stop: bool


class Recorder:
    """Follows a run. Every worker has one and calls the same methods, since figures are sums over
    all workers and measuring, saving and stopping are done together; worker 0 alone decides, writes
    and speaks.
    """

    def __init__(
        self,
        config: Config,
        folder: Path,
        state: State,
        workers: Workers,
        last: int,
        stop: StopOnInterrupt | None,
    ) -> None:
        """Open the files of the run, at worker 0; `last` is the number of iterations to reach."""
        self.config, self.folder, self.state, self.workers = config, folder, state, workers
        self.last, self.stop = last, stop
        self.first, self.seconds_before = state.iteration, state.seconds
        self.rules = Rules.preset(config.rules)
        self.metrics: dict[str, float] = {}
        self.measured: dict[str, float] = {}
        self.line = ProgressLine()
        self.warned = False
        self.started = self.began = self.saved = self.evaluated = time.monotonic()
        self.writer: MetricsWriter | None = None
        if workers.leads:
            self.writer = MetricsWriter(folder, config.eval_opponents, keep_rows=state.iteration)
            self.writer.text("config", f"```toml\n{config.to_toml()}```")

    def begin(self) -> None:
        """Note that an iteration begins."""
        self.began = time.monotonic()
        self.workers.waited = 0.0

    def gather(
        self, settings: dict[str, float], means: dict[str, float], deal_sums: np.ndarray
    ) -> Wish:
        """Put the metrics of the iteration together from all workers.

        Args:
            settings: metrics that are the same in all workers.
            means: this worker's; shares of time in seconds.
            deal_sums: this worker's sums in the order of `rollout.DEAL_SUMS`.

        Returns:
            what all workers do now.
        """
        seconds = time.monotonic() - self.began
        self.state.seconds = self.seconds_before + time.monotonic() - self.started
        means = {**means, "time/wait": self.workers.waited}
        means["time/update"] = seconds - sum(
            value for name, value in means.items() if name.startswith("time/")
        )
        sums = self.workers.sum_(
            torch.tensor([*means.values(), *deal_sums, *self._wish()], dtype=torch.float64)
        )
        total = dict(zip((*means, *DEAL_SUMS, *Wish._fields), sums.tolist(), strict=True))
        self.state.deals += total["deals"]
        self.metrics = {
            "charts/decisions": self.state.iteration * self.config.batch_size,
            "charts/deals": self.state.deals,
            "charts/SPS": self.config.batch_size / seconds,
            **settings,
            **{
                n: total[n] / self.workers.size / (seconds if n.startswith("time/") else 1.0)
                for n in means
            },
            **deal_means(total, self.config.seats, self.config.batch_size),
        }
        return Wish(*(total[name] > 0 for name in Wish._fields))

    def _wish(self) -> Wish:
        """Decide, at worker 0, what to do after this iteration."""
        if not self.workers.leads:
            return Wish(False, False, False)
        now = time.monotonic()
        config, ended = self.config, self.state.iteration == self.last
        late = config.max_minutes > 0 and self.state.seconds >= 60 * config.max_minutes
        stop = ended or late or (self.stop is not None and self.stop.asked)
        save = stop or now - self.saved >= 60 * config.save_minutes
        measure = config.eval_minutes > 0 and (
            stop or now - self.evaluated >= 60 * config.eval_minutes
        )
        return Wish(measure, save, stop)

    def measure(self, network: ActorCritic) -> None:
        """Play against the fixed opponents, every worker its share of the deals; where all that a
        worker played were cut, no win rate is claimed."""
        config = self.config
        agent = NetworkAgent(network, name="learner", seed=self.state.iteration)
        deals = max(config.eval_deals // self.workers.size, config.seats)
        seed = config.seed + self.workers.rank
        for name in config.eval_opponents:
            result = arena.evaluate(agent, name, config.rules, config.seats, deals, seed)
            own = math.nan if result.win_rate is None else result.win_rate
            rate = float(self.workers.mean_(torch.tensor(own, dtype=torch.float64)))
            self.measured[name] = rate
            if not math.isnan(rate):
                self.metrics[EVALUATION.format(name)] = rate
        self.evaluated = time.monotonic()

    def write(self) -> None:
        """Write the metrics of the iteration and redraw the progress line."""
        if self.writer is None:
            return
        self.writer.write(self.metrics)
        self._warn_of_cut_deals()
        elapsed = time.monotonic() - self.started
        done = self.state.iteration - self.first
        left = elapsed / done * (self.last - self.state.iteration)
        self.line.show(self.metrics, self.config, self.measured, elapsed, left)

    def _warn_of_cut_deals(self) -> None:
        """Say once that most deals of an iteration were cut: nobody has won such a deal."""
        rate = self.metrics["deals/cut_rate"]
        if self.warned or rate < _MOST:
            return
        self.warned = True
        self.line.close()
        print(
            f"kalooki train: {rate:.1%} of the deals of an iteration were cut at turn_cap "
            f"{self.rules.turn_cap or self.config.turn_cap} before anybody could win, and teach little: "
            "use a higher turn_cap",
            file=sys.stderr,
        )

    def save(self, network: ActorCritic, optimizer: torch.optim.Optimizer, batch: Batch) -> None:
        """Write the checkpoint and the state to resume from."""
        games = self.workers.gather(batch.games)
        self.saved = time.monotonic()
        if not self.workers.leads:
            return
        meta = Meta(
            rules=self.rules.to_dict(),
            seats=self.config.seats,
            decisions=int(self.metrics["charts/decisions"]),
            training=self.config.to_dict(),
            training_digest=self.config.digest(),
            metrics=self.metrics,
        )
        save_checkpoint(self.folder / CHECKPOINT, network, meta)
        self.state.save(self.folder, network, optimizer, games)

    def close(self) -> None:
        """Close the files and say where the checkpoint is."""
        if self.writer is not None:
            self.writer.close()
            self.line.close()
            print(
                f"{self.folder / CHECKPOINT}: {self.metrics['charts/decisions']:,} decisions",
                file=sys.stderr,
            )


class ProgressLine:
    """Says how far a run is: redrawn in a terminal, a line every ten seconds elsewhere."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream if stream is not None else sys.stderr
        self.tty = self.stream.isatty()
        self.next_at = 0.0
        self.width = 0

    def show(
        self,
        metrics: dict[str, float],
        config: Config,
        measured: dict[str, float],
        gone: float,
        left: float,
    ) -> None:
        """Show an iteration's metrics, the last measurements, the seconds gone and left, if it is
        time to."""
        now = time.monotonic()
        if now < self.next_at and left > 0:
            return
        self.next_at = now + (0.2 if self.tty else 10.0)
        total = config.num_iterations * config.batch_size
        parts = (
            f"{metrics['charts/decisions'] / total:4.0%} of {total / 1e6:.3g} M decisions",
            f"{metrics['charts/SPS']:,.0f}/s",
            f"{metrics['charts/deals']:,.0f} deals",
            f"{metrics['deals/turns']:.0f} turns each",
            f"{metrics['deals/void_rate']:.1%} void",
            f"{metrics['deals/cut_rate']:.1%} cut",
            *(
                f"all cut vs {name}" if math.isnan(rate) else f"{rate:.0%} vs {name}"
                for name, rate in measured.items()
            ),
            f"{clock(gone)} gone, {clock(left)} left",
        )
        line = ", ".join(parts)
        self.stream.write("\r" + line.ljust(self.width) if self.tty else line + "\n")
        self.stream.flush()
        self.width = len(line)

    def close(self) -> None:
        """End the line."""
        if self.tty and self.width:
            self.stream.write("\n")
