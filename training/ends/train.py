"""Self-play of a network over the ends of its turn: play a round, learn from it, and again.

Read it from top to bottom. A round is played by the weights that were there when the update before
it began, so that with two workers one thread plays while another learns, and with one worker the
same happens in turns, to the same weights. The play is compiled and lets go of Python's lock.
"""

import dataclasses
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch

from kalooki_env import agents, arena
from kalooki_env.agents.ends.agent import EndsAgent
from kalooki_env.agents.ends.file import EndsMeta, load_ends, save_ends
from kalooki_env.agents.ends.weights import Net
from kalooki_env.agents.heuristic.layout import ROWS, N
from kalooki_env.agents.heuristic.weights import weights_for
from kalooki_env.commands.progress import clock
from kalooki_env.files import why
from kalooki_env.rules import Rules
from training import config as configs
from training.config import ConfigError
from training.ends.config import EndsConfig
from training.ends.learn import Learner
from training.ends.run import State, check_state
from training.ends.self_play import LEARNER, Deals, SelfPlay
from training.interrupt import StopOnInterrupt
from training.metrics import EVALUATION, MetricsWriter
from training.run import CHECKPOINT, open_folder

DEALS_STREAM = 101
"""Sets the deals of training apart from all others that a seed gives."""
PARENT = "heuristic"

VOCABULARY = {
    "charts/decisions": "decisions trained on so far, each between two options or more",
    "charts/deals": "deals played so far",
    "charts/DPS": "deals per second of this round",
    "charts/learning_rate": "learning rate of this round",
    "charts/ent_coef": "weight of the entropy bonus in this round",
    "losses/policy_loss": "clipped surrogate loss",
    "losses/entropy": "entropy of the policy in nats, mean over decisions",
    "losses/approx_kl": "KL estimate ratio - 1 - log ratio, mean over gradient steps",
    "losses/clipfrac": "share of decisions whose ratio was clipped",
    "losses/explained_variance": "share of the outcomes' variance that the critic explains",
    "losses/advantage": "standard deviation of the advantages, in the value of a deal",
    "deals/turns": "turns in a deal",
    "deals/decisions": "decisions in a deal, all seats",
    "deals/options": "options of a decision",
    "deals/void_rate": "share of deals that nobody won",
    "time/play": "seconds that the round's play took",
    "time/update": "seconds that its update took",
}
"""Every metric of every round, and what it is."""


def train(
    config_path: str | Path,
    out: str | Path | None = None,
    resume: bool = False,
    overrides: dict[str, object] | None = None,
    rounds: int | None = None,
) -> Path:
    """Train as a config file says and write one run folder.

    Args:
        config_path: a TOML file, see `training.ends.config.EndsConfig`.
        out: the run folder; default `runs/<name of the file>`.
        resume: go on with the run in that folder.
        overrides: settings that replace those of the file.
        rounds: stop after so many rounds, as Ctrl-C would, with a state to resume from.

    Returns:
        the path of the checkpoint.

    Raises:
        ConfigError: settings that cannot be used; the message names the key.
        KeyboardInterrupt: after Ctrl-C, when the checkpoint is written.
    """
    config = configs.load(config_path, overrides, EndsConfig)
    net = first_net(config)
    folder = Path(out) if out is not None else Path("runs") / Path(config_path).stem
    run = Run(config, net)
    try:
        with open_folder(folder, config, resume, check_state), StopOnInterrupt() as stop:
            run.go_on(folder, resume, rounds, stop)
    except OSError as error:
        raise ConfigError(
            f"expected to write the run in {folder}, got: {why(error)}: make room, and go on with "
            "--resume, or start it again"
        ) from None
    if stop.asked:
        raise KeyboardInterrupt
    return folder / CHECKPOINT


def first_net(config: EndsConfig) -> Net:
    """Return the first weights that the settings ask for."""
    widths = config.hidden[0], config.hidden[1]
    if config.start in ("nothing", PARENT):
        linear = np.zeros((ROWS, N))
        if config.start == PARENT:
            linear = weights_for(Rules.preset(config.rules), config.seats)
        net = Net.fresh(linear, widths, config.seed)
    else:
        net, _ = load_ends(agents.find_checkpoint(config.start))
        fits = net.w2.shape == widths
        configs.expect(fits, config, "hidden", f"{net.w2.shape} as {config.start} has")
    return dataclasses.replace(net, temperature=config.temperature)


class Run:
    """One run: the learner, two tables that play in turns, and what is told."""

    def __init__(self, config: EndsConfig, net: Net) -> None:
        torch.set_num_threads(1)
        self.config = config
        self.rules = Rules.preset(config.rules, turn_cap=config.turn_cap)
        self.learner = Learner(config, net)
        self.playing = net
        """the weights that play the next round"""
        self.tables = [SelfPlay(self.rules, config.seats, config.round_deals) for _ in range(2)]
        self.metrics: dict[str, float] = {}
        self.measured: dict[str, float] = {}
        self.tables[0].play(np.arange(2), self._players(2), net, None, config.temperature)  # compile

    def _players(self, deals: int) -> np.ndarray:
        return np.full((deals, self.config.seats), LEARNER)

    def play(self, number: int, net: Net) -> tuple[Deals, float]:
        """Play round `number`; return its deals and the seconds that took."""
        start = time.perf_counter()
        config = self.config
        seeds = np.random.SeedSequence([config.seed, DEALS_STREAM, number])
        keys = seeds.generate_state(config.round_deals, np.uint64)
        deals = self.tables[number % 2].play(
            keys, self._players(len(keys)), net, None, config.temperature
        )
        return deals, time.perf_counter() - start

    def go_on(
        self, folder: Path, resume: bool, rounds: int | None, stop: StopOnInterrupt
    ) -> None:
        """Play and learn from the first round, or from where the run in `folder` was left, to the
        last."""
        self.state = State()
        if resume:
            self.state, self.playing = State.load(folder, self.learner)
        first = self.state.round
        last = self.config.rounds if rounds is None else min(first + rounds, self.config.rounds)
        opponents = self.config.eval_opponents if self.config.eval_minutes > 0 else ()
        self.started = self.saved = self.evaluated = time.monotonic()
        before, played = self.state.seconds, None
        with (
            MetricsWriter(folder, opponents, first, VOCABULARY) as writer,
            ThreadPoolExecutor(1) as other,
        ):
            writer.text("config", f"```toml\n{self.config.to_toml()}```")
            for number in range(first, last):
                deals, seconds = (
                    played.result() if played is not None else self.play(number, self.playing)
                )
                self.playing = self.learner.network.net()
                played = self._begin(other, number + 1, last)
                began = time.perf_counter()
                measured = self.learner.update(deals, number)
                self.state.round = number + 1
                self.state.decisions += len(deals.decisions)
                self.state.seconds = before + time.monotonic() - self.started
                self._gather(deals, measured, seconds, time.perf_counter() - began)
                ended = number + 1 == last or stop.asked or self._late()
                if opponents and (ended or self._due(self.evaluated, self.config.eval_minutes)):
                    self._measure()
                writer.write(self.metrics)
                self._say(ended)
                if ended or self._due(self.saved, self.config.save_minutes):
                    self._save(folder)
                if ended:
                    break

    def _begin(self, other: ThreadPoolExecutor, number: int, last: int) -> Future | None:
        """Let the other thread play a round, if there is one to play and a second worker."""
        if number >= last or self.config.workers == 1:
            return None
        return other.submit(self.play, number, self.playing)

    def _late(self) -> bool:
        return 0 < self.config.max_minutes * 60 <= self.state.seconds

    def _due(self, since: float, minutes: float) -> bool:
        return time.monotonic() - since >= 60 * minutes

    def _gather(
        self, deals: Deals, measured: dict[str, float], played: float, learned: float
    ) -> None:
        """Put the metrics of a round together."""
        count, options = len(deals.winner), len(deals.options)
        slowest = max(played, learned) if self.config.workers == 2 else played + learned
        self.metrics = {
            "charts/decisions": self.state.decisions,
            "charts/deals": self.state.round * self.config.round_deals,
            "charts/DPS": count / slowest,
            "deals/turns": float(deals.turns.mean()),
            "deals/decisions": len(deals.decisions) / count,
            "deals/options": options / max(len(deals.decisions), 1),
            "deals/void_rate": float((deals.winner < 0).mean()),
            "time/play": played,
            "time/update": learned,
            **measured,
        }

    def _measure(self) -> None:
        """Play the running mean of the weights against the fixed opponents."""
        config = self.config
        agent = EndsAgent(self.learner.mean.net(), "learner")
        for name in config.eval_opponents:
            result = arena.evaluate(
                agent, name, self.rules, config.seats, config.eval_deals, config.seed
            )
            self.measured[name] = result.win_rate
            self.metrics[EVALUATION.format(name)] = result.win_rate
        self.evaluated = time.monotonic()

    def _save(self, folder: Path) -> None:
        """Write the checkpoint and the state to resume from."""
        meta = EndsMeta(
            rules=Rules.preset(self.config.rules).to_dict(),
            seats=self.config.seats,
            deals=self.state.round * self.config.round_deals,
            start=self.config.start,
            training=self.config.to_dict(),
            training_digest=self.config.digest(),
            metrics=self.metrics,
        )
        save_ends(folder / CHECKPOINT, self.learner.mean.net(), meta)
        self.state.save(folder, self.learner, self.playing)
        self.saved = time.monotonic()
        self.meta = dataclasses.asdict(meta)

    def _say(self, ended: bool) -> None:
        """Say how far the run is."""
        done, rounds = self.state.round, self.config.rounds
        gone = self.state.seconds
        parts = (
            f"{done / rounds:4.0%} of {self.config.deals:,} deals",
            f"{self.metrics['charts/DPS']:,.0f}/s",
            f"{self.metrics['deals/turns']:.1f} turns each",
            *(f"{rate:.1%} vs {name}" for name, rate in self.measured.items()),
            f"{clock(gone)} gone, {clock(gone / done * (rounds - done))} left",
        )
        print(", ".join(parts), file=sys.stderr, flush=True)
