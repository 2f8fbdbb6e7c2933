"""Tiny runs from end to end: what they write, resuming, stopping, the first step of an update."""

import csv
import errno
import math
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from kalooki_env.agents.checkpoint import CheckpointAgent, load_checkpoint
from kalooki_env.agents.network import ActorCritic
from tests.full_disk import full_at
from training import config as configs
from training import ppo, run
from training.config import Config, ConfigError
from training.metrics import VOCABULARY, MetricsWriter
from training.returns import seat_advantages
from training.rollout import Collector, Rollout
from training.workers import Workers, share_gradient

TINY = {
    "decisions": 4 * 8 * 40,
    "workers": 1,
    "num_envs": 8,
    "num_steps": 40,
    "minibatch_size": 160,
    "actor": [16],
    "critic": [16],
    "bottleneck": 8,
}
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(configs.from_dict(TINY).to_toml())
    return path


def rows(folder: Path) -> list[dict[str, str]]:
    with open(folder / "metrics.csv", newline="") as file:
        return list(csv.DictReader(file))


def learned(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Leave out what the clock decides."""
    return [
        {k: v for k, v in row.items() if not k.startswith("time/") and k != "charts/SPS"}
        for row in rows
    ]


def weights(folder: Path) -> dict[str, torch.Tensor]:
    network, _ = load_checkpoint(folder / "latest.safetensors")
    return network.state_dict()


def same(first: dict[str, torch.Tensor], second: dict[str, torch.Tensor]) -> bool:
    return first.keys() == second.keys() and all(
        torch.equal(first[name], second[name]) for name in first
    )


def test_a_run_writes_one_folder_with_everything(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    overrides = {"eval_minutes": 1e-6, "eval_deals": 4, "eval_opponents": ["random"]}
    assert ppo.train(tiny, out=out, overrides=overrides) == out / "latest.safetensors"
    assert configs.load(out / "config.toml") == configs.load(tiny, overrides)
    assert any("tfevents" in path.name for path in out.iterdir())

    written = rows(out)
    assert [int(row["charts/decisions"]) for row in written] == [320, 640, 960, 1280]
    assert set(written[0]) == {*VOCABULARY, "eval/win_rate_random"}
    for row in written:
        assert all(math.isfinite(float(value)) for value in row.values())

    agent = CheckpointAgent(out / "latest.safetensors")
    assert agent.name == "run"
    assert agent.meta.decisions == 1280 and agent.meta.seats == 2
    assert agent.meta.training == configs.load(out / "config.toml").to_dict()
    assert agent.meta.metrics["charts/decisions"] == 1280


def test_deals_that_were_cut_are_named_and_no_win_rate_is_claimed(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kalooki_env.arena.table.TURN_CAP", 3)
    out = tmp_path / "run"
    overrides = {
        "turn_cap": 3,
        "eval_minutes": 1e-6,
        "eval_deals": 4,
        "eval_opponents": ["random"],
    }
    ppo.train(tiny, out=out, overrides=overrides)
    for row in rows(out):
        assert (float(row["deals/cut_rate"]), float(row["deals/void_rate"])) == (1, 0)
        assert row["eval/win_rate_random"] == ""
    err = capsys.readouterr().err
    assert err.count("100.0% of the deals of an iteration were cut at turn_cap 3") == 1
    assert "0.0% void, 100.0% cut, all cut vs random" in err


def test_tensorboard_shows_the_vocabulary(tiny: Path, tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    ppo.train(tiny, out=tmp_path / "run", iterations=2)
    events = EventAccumulator(str(tmp_path / "run"))
    events.Reload()
    assert set(events.Tags()["scalars"]) == set(VOCABULARY)
    assert [event.step for event in events.Scalars("losses/entropy")] == [320, 640]


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(
    tiny: Path, tmp_path: Path
) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        ppo.train(tiny, out=tmp_path / name, overrides={"seed": seed}, iterations=2)
    assert same(weights(tmp_path / "a"), weights(tmp_path / "b"))
    assert not same(weights(tmp_path / "a"), weights(tmp_path / "c"))


def test_a_resumed_run_equals_an_uninterrupted_one(tiny: Path, tmp_path: Path) -> None:
    ppo.train(tiny, out=tmp_path / "whole")
    ppo.train(tiny, out=tmp_path / "parts", iterations=2)
    assert not same(weights(tmp_path / "whole"), weights(tmp_path / "parts"))
    ppo.train(tiny, out=tmp_path / "parts", resume=True)
    assert same(weights(tmp_path / "whole"), weights(tmp_path / "parts"))
    assert learned(rows(tmp_path / "whole")) == learned(rows(tmp_path / "parts"))


def test_rows_written_after_the_last_save_are_dropped_on_resume(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    ppo.train(tiny, out=out, iterations=2)
    with open(out / "metrics.csv", "a") as file:
        file.write((out / "metrics.csv").read_text().splitlines()[-1] + "\n")
    ppo.train(tiny, out=out, resume=True)
    assert [int(row["charts/decisions"]) for row in rows(out)] == [320, 640, 960, 1280]


def test_resuming_needs_a_run_with_the_same_settings(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"state\.pt"):
        ppo.train(tiny, out=tmp_path / "none", resume=True)
    ppo.train(tiny, out=tmp_path / "run", iterations=1)
    with pytest.raises(ConfigError, match=r"gae_lambda: expected 0\.95"):
        ppo.train(tiny, out=tmp_path / "run", resume=True, overrides={"gae_lambda": 0.5})


def test_a_new_run_moves_an_older_one_aside_and_never_touches_other_folders(
    tiny: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    ppo.train(tiny, out=out, iterations=1)
    before = weights(out)
    ppo.train(tiny, out=out, overrides={"seed": 5}, iterations=1)
    assert same(weights(tmp_path / "run-1"), before)
    assert not same(weights(out), before)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(ConfigError, match="other things"):
        ppo.train(tiny, out=tmp_path / "mine")


def test_two_workers_agree_and_repeat(tiny: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        ppo.train(tiny, out=tmp_path / name, overrides={"workers": 2, "num_envs": 4}, iterations=2)
    assert same(weights(tmp_path / "a"), weights(tmp_path / "b"))


def test_ctrl_c_leaves_a_usable_checkpoint(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"

    def interrupt() -> None:
        while not (out / "metrics.csv").exists() or len(rows(out)) < 2:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        ppo.train(tiny, out=out, overrides={"decisions": 10_000_000})
    thread.join()
    done = len(rows(out))
    assert 2 <= done < 1000
    assert CheckpointAgent(out / "latest.safetensors").meta.decisions == done * 320
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ppo.train(tiny, out=out, resume=True, overrides={"decisions": 10_000_000}, iterations=1)
    assert len(rows(out)) == done + 1


def test_a_deadline_ends_the_run_with_a_checkpoint(tiny: Path, tmp_path: Path) -> None:
    ppo.train(tiny, out=tmp_path / "run", overrides={"max_minutes": 1e-9})
    assert len(rows(tmp_path / "run")) == 1
    assert CheckpointAgent(tmp_path / "run" / "latest.safetensors").meta.decisions == 320


def prepared(config: Config) -> tuple:
    """Collect one rollout with a fresh network."""
    torch.manual_seed(1)
    network = ActorCritic(config.network)
    gradient = share_gradient(network)
    optimizer = torch.optim.Adam(network.parameters(), lr=config.learning_rate)
    rollout = Rollout(config, network.inputs)
    Collector(config, 0).collect(network, rollout, np.random.default_rng(0))
    advantages, known = seat_advantages(
        rollout.seats,
        rollout.values.numpy(),
        rollout.done,
        rollout.rewards,
        config.gamma,
        config.gae_lambda,
    )
    return network, gradient, optimizer, rollout, advantages, known


def test_the_ratio_is_one_before_the_first_step() -> None:
    config = configs.from_dict(TINY)
    network, _, _, rollout, _, _ = prepared(config)
    with torch.no_grad():
        policy, values = network(
            rollout.inputs.flatten(0, 1), rollout.ids.flatten(0, 1), rollout.counts.flatten()
        )
        ratio = (policy.log_prob(rollout.choices.flatten()) - rollout.log_probs.flatten()).exp()
    torch.testing.assert_close(ratio, torch.ones_like(ratio), rtol=0, atol=1e-4)
    torch.testing.assert_close(values, rollout.values.flatten(), rtol=0, atol=1e-5)


def test_an_update_raises_what_went_well_and_lowers_what_went_badly() -> None:
    config = configs.from_dict({**TINY, "update_epochs": 4, "ent_coef": 0.0, "learning_rate": 3e-3})
    network, gradient, optimizer, rollout, advantages, known = prepared(config)
    good = rollout.choices.numpy() == 0  # the first legal action of every row, as if it alone paid
    advantages = np.where(good, 1.0, -1.0).astype(np.float32)
    workers = Workers(0, 1, Path("unused"))
    rng = np.random.default_rng(0)
    losses = ppo.update(
        config, network, optimizer, gradient, rollout, advantages, known, 0.0, rng, workers
    )
    with torch.no_grad():
        policy, _ = network(
            rollout.inputs.flatten(0, 1), rollout.ids.flatten(0, 1), rollout.counts.flatten()
        )
        change = (
            (policy.log_prob(rollout.choices.flatten()) - rollout.log_probs.flatten())
            .numpy()
            .reshape(good.shape)
        )
    assert change[good & known].mean() > 0 > change[~good & known].mean()
    assert losses["losses/clipfrac"] > 0


def test_metrics_outside_the_vocabulary_missing_or_not_finite_are_refused(tmp_path: Path) -> None:
    good = dict.fromkeys(VOCABULARY, 1.0)
    with MetricsWriter(tmp_path) as writer:
        writer.write(good)
        with pytest.raises(ValueError, match="losses/entropi"):
            writer.write({**good, "losses/entropi": 1.0})
        with pytest.raises(ValueError, match="losses/entropy"):
            writer.write({name: value for name, value in good.items() if name != "losses/entropy"})
        with pytest.raises(ValueError, match="losses/entropy: expected a finite number, got nan"):
            writer.write({**good, "losses/entropy": math.nan})
    assert len(rows(tmp_path)) == 1


def test_the_command_line_stops_on_ctrl_c_with_two_workers(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    code = (
        "import sys; from training import ppo; "
        "ppo.train(sys.argv[1], sys.argv[2], overrides={'decisions': 10**8, 'workers': 2})"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tiny), str(out)],
        cwd=REPOSITORY,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and process.poll() is None:
            if (out / "metrics.csv").exists() and rows(out):
                break
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to every process of the group
        _, said = process.communicate(timeout=120)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert "stopping after this update" in said
    assert "Error" not in said.replace("KeyboardInterrupt", "")
    assert CheckpointAgent(out / "latest.safetensors").meta.decisions == 2 * 320 * len(rows(out))


@pytest.mark.parametrize("left", ([], ["lock"], ["lock", ".config.toml.99.tmp"]))
def test_a_start_that_a_full_disk_ended_is_begun_again(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: list[str]
) -> None:
    out = tmp_path / "run"
    if left:
        out.mkdir()
        for name in left:
            (out / name).touch()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(run, "write_whole", full)
        with pytest.raises(ConfigError, match="No space left on device: start it again"):
            ppo.train(tiny, out=out)
    assert {path.name for path in out.iterdir()} == {"lock", *left}
    with pytest.raises(ConfigError, match="start it without --resume"):
        ppo.train(tiny, out=out, resume=True)
    ppo.train(tiny, out=out, iterations=1)
    assert CheckpointAgent(out / "latest.safetensors").meta.decisions == 320


def test_a_disk_that_fills_up_later_is_told_and_the_run_goes_on(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    ppo.train(tiny, out=out, iterations=1)
    with (
        full_at((out / "state.pt").stat().st_size - 1),
        pytest.raises(ConfigError, match=r"File too large: make room, and go on .* --resume"),
    ):
        ppo.train(tiny, out=out, resume=True)
    assert ppo.train(tiny, out=out, resume=True) == out / "latest.safetensors"
