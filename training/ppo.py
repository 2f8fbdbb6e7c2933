"""Masked PPO in self-play: every seat is played by the network that is being trained.

Read it from top to bottom. `train` starts one process a core; in each of them `work` is the whole
run as one visible loop: collect a rollout, estimate advantages, update the network, report, save.
What deserves a test of its own lies beside it: the distribution over legal actions
(`kalooki_env.agents.masking`), the play (`rollout`), the trajectory of each seat (`returns`).

Two things differ from PPO for one agent. The rows of a rollout belong to all seats in turn, so a
row's successor is the next decision of the same seat. And the number of legal actions differs from
row to row: rows carry their legal ids, and logits exist for these alone.
"""

import math
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.multiprocessing as multiprocessing
from torch import Tensor

from kalooki_env import arena
from kalooki_env.agents.network import ActorCritic
from kalooki_env.files import why
from kalooki_env.rules import Rules
from training import config as configs
from training.config import Config, ConfigError
from training.interrupt import IgnoreInterrupt, StopOnInterrupt
from training.recorder import Recorder
from training.returns import seat_advantages
from training.rollout import Collector, Rollout, Rows
from training.run import CHECKPOINT, STATE, State, check_state, open_folder
from training.workers import Workers, share_gradient


def train(
    config_path: str | Path,
    out: str | Path | None = None,
    resume: bool = False,
    overrides: Mapping[str, Any] | None = None,
    iterations: int | None = None,
) -> Path:
    """Train as a config file says and write one run folder.

    Args:
        config_path: a TOML file, see `training.config.Config`.
        out: the run folder; default `runs/<name of the file>`.
        resume: go on with the run in that folder.
        overrides: settings that replace those of the file.
        iterations: stop after so many iterations, as Ctrl-C would, with a state to resume from.

    Returns:
        the path of the checkpoint.

    Raises:
        ConfigError: settings that cannot be used; the message names the key.
        KeyboardInterrupt: after Ctrl-C, when the checkpoint is written.
    """
    config = configs.load(config_path, overrides)
    Rules.preset(config.rules).check_seats(config.seats)
    folder = Path(out) if out is not None else Path("runs") / Path(config_path).stem
    prepare(config)
    try:
        lock = open_folder(folder, config, resume, check_state)
    except OSError as error:
        raise ConfigError(
            f"expected a folder for the run, got {folder}: {why(error)}: start it again"
        ) from None
    with lock, tempfile.TemporaryDirectory() as meeting_place:
        job = (config, folder, resume, Path(meeting_place) / "rendezvous", iterations)
        helpers = start_helpers(config.workers - 1, job)
        try:
            with StopOnInterrupt() as stop:
                work(0, *job, stop)
            for helper in helpers:
                helper.join(timeout=10)
        except OSError as error:
            saved = (folder / STATE).is_file()
            raise ConfigError(
                f"expected to write the run in {folder}, got: {why(error)}: make room, and "
                + ("go on from its last checkpoint with --resume" if saved else "start it again")
            ) from None
        finally:
            for helper in helpers:
                helper.terminate()
    if stop.asked:
        raise KeyboardInterrupt
    return folder / CHECKPOINT


def prepare(config: Config) -> None:
    """Do once all that a run needs: what cannot work fails before the folder is touched.

    It also compiles, if need be, before several processes would do so at once.
    """
    collector = Collector(config, rank=0)
    network = ActorCritic(config.network)
    collector.collect(network, Rollout(config, network.inputs), np.random.default_rng(0))
    if config.eval_minutes > 0:
        for name in config.eval_opponents:
            arena.evaluate("random", name, config.rules, config.seats, deals=1)


def start_helpers(count: int, job: tuple[Any, ...]) -> list[multiprocessing.Process]:
    """Start workers 1 to `count`. They never see Ctrl-C: worker 0 decides when all stop."""
    context = multiprocessing.get_context("spawn")
    helpers = [
        context.Process(target=work, args=(rank, *job), daemon=True) for rank in range(1, count + 1)
    ]
    with IgnoreInterrupt():
        for helper in helpers:
            helper.start()
    return helpers


def work(
    rank: int,
    config: Config,
    folder: Path,
    resume: bool,
    rendezvous: Path,
    iterations: int | None = None,
    stop: StopOnInterrupt | None = None,
) -> None:
    """Run one worker from its first iteration to its last; worker 0 also reports and saves."""
    torch.set_num_threads(1)
    workers = Workers(rank, config.workers, rendezvous)
    torch.manual_seed(config.seed)  # the same first weights everywhere
    network = ActorCritic(config.network)
    gradient = share_gradient(network)
    optimizer = torch.optim.Adam(
        network.parameters(), lr=config.learning_rate, eps=config.adam_eps, fused=True
    )
    collector = Collector(config, rank)
    rollout = Rollout(config, network.inputs)
    state = State.load(folder, rank, network, optimizer, collector) if resume else State()
    last = (
        config.num_iterations
        if iterations is None
        else min(state.iteration + iterations, config.num_iterations)
    )
    recorder = Recorder(config, folder, state, workers, last, stop)

    for iteration in range(state.iteration, last):
        recorder.begin()
        rng = np.random.default_rng([config.seed, rank, iteration])
        done = iteration / config.num_iterations
        learning_rate = anneal(config.learning_rate, config.final_learning_rate, done)
        ent_coef = anneal(config.ent_coef, config.final_ent_coef, done)
        optimizer.param_groups[0]["lr"] = learning_rate

        deal_sums, spent = collector.collect(network, rollout, rng)
        advantages, known = seat_advantages(
            rollout.seats,
            rollout.values.numpy(),
            rollout.done,
            rollout.rewards,
            config.gamma,
            config.gae_lambda,
        )
        losses = update(
            config, network, optimizer, gradient, rollout, advantages, known, ent_coef, rng, workers
        )

        state.iteration = iteration + 1
        settings = {"charts/learning_rate": learning_rate, "charts/ent_coef": ent_coef}
        wish = recorder.gather(settings, {**losses, **spent}, deal_sums)
        if wish.measure:
            recorder.measure(network)
        recorder.write()
        if wish.save:
            recorder.save(network, optimizer, collector.batch)
        if wish.stop:
            break
    recorder.close()
    workers.close()


def anneal(start: float, end: float, done: float) -> float:
    """Return the value of a linear schedule when the share `done` of the run is behind us."""
    return start + (end - start) * done


def update(
    config: Config,
    network: ActorCritic,
    optimizer: torch.optim.Optimizer,
    gradient: Tensor,
    rollout: Rollout,
    advantages: np.ndarray,
    known: np.ndarray,
    ent_coef: float,
    rng: np.random.Generator,
    workers: Workers,
) -> dict[str, float]:
    """Fit the network to a rollout: PPO's clipped surrogate, the value loss, the entropy bonus.

    Args:
        gradient: all gradients of the network as one flat tensor, see `share_gradient`.
        advantages, known: float32[T, n] and bool[T, n], see `returns.seat_advantages`.
        rng: the order of the rows.

    Returns:
        this worker's losses by their names in the vocabulary of `metrics`.
    """
    rows = rollout.rows(torch.from_numpy(advantages))
    b_inds = np.flatnonzero(known)
    if config.norm_adv:
        normalised = normalise(rows.advantages, torch.from_numpy(b_inds), workers)
        rows = rows._replace(advantages=normalised)

    sums: dict[str, list[float]] = {}
    # As many steps in every worker, however many rows it knows: each step is a common one.
    steps = math.ceil(known.size / config.minibatch_size)
    for _ in range(config.update_epochs):
        for mb_inds in np.array_split(rng.permutation(b_inds), steps):
            loss, measured = ppo_loss(config, network, rows.take(mb_inds), ent_coef)
            gradient.zero_()
            loss.backward()
            workers.mean_(gradient)
            grad_norm = gradient.norm()
            gradient.mul_((config.max_grad_norm / (grad_norm + 1e-6)).clamp(max=1.0))
            optimizer.step()
            for name, value in (*measured.items(), ("losses/grad_norm", grad_norm)):
                sums.setdefault(name, []).append(value.item())

    losses = {name: float(np.mean(values)) for name, values in sums.items()}
    y_pred, y_true = rows.values.numpy()[b_inds], rows.returns.numpy()[b_inds]
    var_y = float(np.var(y_true))
    explained = 1 - float(np.var(y_true - y_pred)) / var_y if var_y > 0 else 0.0
    return {**losses, "losses/explained_variance": explained}


def ppo_loss(
    config: Config, network: ActorCritic, mb: Rows, ent_coef: float
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return the loss of a minibatch, and what is measured on the way."""
    distribution, values = network(mb.inputs, mb.ids, mb.counts)
    logratio = distribution.log_prob(mb.choices) - mb.log_probs
    ratio = logratio.exp()

    pg_loss1 = -mb.advantages * ratio
    pg_loss2 = -mb.advantages * ratio.clamp(1 - config.clip_coef, 1 + config.clip_coef)
    pg_loss = torch.max(pg_loss1, pg_loss2).mean()
    v_loss = 0.5 * (values - mb.returns).square().mean()
    entropy_loss = distribution.entropy().mean()
    loss = pg_loss - ent_coef * entropy_loss + config.vf_coef * v_loss

    with torch.no_grad():
        measured = {
            "losses/policy_loss": pg_loss,
            "losses/value_loss": v_loss,
            "losses/entropy": entropy_loss,
            "losses/old_approx_kl": (-logratio).mean(),
            "losses/approx_kl": ((ratio - 1) - logratio).mean(),
            "losses/clipfrac": ((ratio - 1).abs() > config.clip_coef).float().mean(),
        }
    return loss, measured


def normalise(advantages: Tensor, rows: Tensor, workers: Workers) -> Tensor:
    """Scale advantages to mean 0 and deviation 1 over `rows` of all workers."""
    chosen = advantages[rows].double()
    count = torch.tensor(float(len(rows)), dtype=torch.float64)
    count, total, squares = workers.sum_(torch.stack((count, chosen.sum(), chosen.square().sum())))
    mean = total / count
    deviation = (squares / count - mean.square()).clamp(min=0).sqrt()
    return ((advantages - mean) / (deviation + 1e-8)).float()
