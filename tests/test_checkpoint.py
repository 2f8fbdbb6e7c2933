"""Checkpoint files: whole or not at all, data only, everything else refused in one sentence."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import safetensors  # noqa: E402
import safetensors.torch  # noqa: E402

from kalooki_env import Rules, actions, agents, observation  # noqa: E402
from kalooki_env.agents import checkpoint  # noqa: E402
from kalooki_env.agents.checkpoint import (  # noqa: E402
    CheckpointAgent,
    Meta,
    NetworkAgent,
    load_checkpoint,
    save_checkpoint,
)
from kalooki_env.agents.network import ActorCritic  # noqa: E402
from kalooki_env.batch import Batch  # noqa: E402
from kalooki_env.errors import CheckpointError  # noqa: E402
from tests.damage import foreign  # noqa: E402

SMALL = {"seats": 2, "actor": [16], "bottleneck": 8, "critic": [16]}
BRITISH = Rules.preset("british")


@pytest.fixture
def network() -> ActorCritic:
    torch.manual_seed(3)
    return ActorCritic(SMALL)


@pytest.fixture
def meta() -> Meta:
    return Meta(
        rules=BRITISH.to_dict(),
        seats=2,
        decisions=1234,
        training={"seed": 1, "actor": [16]},
        training_digest="abc",
        metrics={"losses/entropy": 0.5},
    )


@pytest.fixture
def path(tmp_path: Path, network: ActorCritic, meta: Meta) -> Path:
    path = tmp_path / "player.safetensors"
    save_checkpoint(path, network, meta)
    return path


def rewrite(path: Path, **changes: object) -> None:
    """Write the file again with another header."""
    with safetensors.safe_open(path, framework="pt") as file:
        header = json.loads(file.metadata()["kalooki"])
        weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    header.update(changes)
    safetensors.torch.save_file(weights, path, metadata={"kalooki": json.dumps(header)})


def test_a_checkpoint_reads_back_to_the_same_network_and_words(
    path: Path, network: ActorCritic, meta: Meta
) -> None:
    again, said = load_checkpoint(path)
    assert said == meta
    assert again.config == network.config
    for name, weight in network.state_dict().items():
        assert torch.equal(again.state_dict()[name], weight)
    inputs = torch.randint(0, 3, (4, network.inputs), dtype=torch.uint8)
    ids, counts = torch.arange(20, dtype=torch.int16).expand(4, 20), torch.full((4,), 20)
    (first, value), (second, value_again) = (net(inputs, ids, counts) for net in (network, again))
    assert torch.equal(first.log_probs, second.log_probs) and torch.equal(value, value_again)


def test_the_header_says_all_that_a_reader_needs(path: Path) -> None:
    with safetensors.safe_open(path, framework="np") as file:
        header = json.loads(file.metadata()["kalooki"])
    assert header["format_version"] == 1
    assert header["observation_version"] == observation.VERSION
    assert header["action_version"] == actions.VERSION
    assert header["rules"] == json.loads(json.dumps(BRITISH.to_dict()))
    assert header["rules_digest"] == BRITISH.digest()
    assert header["network"]["actor"] == [16]
    assert header["seats"] == 2 and header["decisions"] == 1234


def test_a_failed_write_leaves_the_old_file(
    path: Path, network: ActorCritic, meta: Meta, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()

    def full_disk(file: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space"):
        save_checkpoint(path, network, meta)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_metrics_that_are_not_finite_are_not_written(
    path: Path, network: ActorCritic, meta: Meta
) -> None:
    before = path.read_bytes()
    meta.metrics["losses/entropy"] = float("nan")
    with pytest.raises(ValueError):
        save_checkpoint(path, network, meta)
    assert path.read_bytes() == before


def test_saving_and_loading_leave_the_random_stream_alone(
    path: Path, network: ActorCritic, meta: Meta
) -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    save_checkpoint(path, network, meta)
    load_checkpoint(path)
    assert torch.equal(torch.rand(3), expected)


@pytest.mark.parametrize("kept", (0, 4, 200, -1))
def test_a_file_that_was_cut_short_is_refused(path: Path, kept: int) -> None:
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(CheckpointError, match=r"cut short|an empty file"):
        load_checkpoint(path)


def test_other_files_are_refused_by_name(tmp_path: Path) -> None:
    text = tmp_path / "notes.safetensors"
    text.write_text("no weights here, but a text that is longer than a header of eight bytes")
    with pytest.raises(CheckpointError, match=r"notes\.safetensors"):
        load_checkpoint(text)
    other = tmp_path / "other.safetensors"
    safetensors.torch.save_file({"w": torch.zeros(2)}, other)
    with pytest.raises(CheckpointError, match="no Kalooki header"):
        load_checkpoint(other)
    safetensors.torch.save_file({"w": torch.zeros(2)}, other, metadata={"kalooki": "[1, 2]"})
    with pytest.raises(CheckpointError, match="no JSON object"):
        load_checkpoint(other)
    with pytest.raises(CheckpointError, match="does not exist"):
        load_checkpoint(tmp_path / "missing.safetensors")
    with pytest.raises(CheckpointError, match=r"cannot be read|no safetensors"):
        load_checkpoint(tmp_path)


def test_a_pickle_is_refused_and_not_run(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple:
            return (os.mkdir, (str(tmp_path / "boom"),))

    path = tmp_path / "bomb.safetensors"
    torch.save({"w": Bomb()}, path)
    with pytest.raises(CheckpointError):
        load_checkpoint(path)
    assert not (tmp_path / "boom").exists()


@pytest.mark.parametrize("key", ("format_version", "observation_version", "action_version"))
def test_another_version_is_refused_naming_both(path: Path, key: str) -> None:
    rewrite(path, **{key: 99})
    with pytest.raises(CheckpointError, match=rf"expected {key.replace('_', ' ')} \d, got 99"):
        load_checkpoint(path)


@pytest.mark.parametrize(
    "changes",
    (
        {"network": {**SMALL, "bottleneck": 9}},
        {"network": {**SMALL, "widths": 3}},
        {"network": {**SMALL, "actor": "wide"}},
        {"network": {**SMALL, "actor": [10**12]}},
        {"network": {**SMALL, "without": ["hat"]}},
        {"network": None},
        {"rules": {"decks": 7}},
        {"rules_digest": "0"},
    ),
    ids=str,
)
def test_a_header_that_does_not_fit_its_weights_is_refused(path: Path, changes: dict) -> None:
    rewrite(path, **changes)
    with pytest.raises(CheckpointError, match="damaged header") as error:
        load_checkpoint(path)
    assert len(str(error.value).splitlines()) == 1


def test_a_checkpoint_plays_legal_moves_and_is_the_same_player_at_any_batch_size(
    path: Path,
) -> None:
    agent = agents.load(str(path), seed=4)
    assert agent.name == "player"
    batch = Batch("british", seats=2, n=16, seed=9)
    for _ in range(30):
        together = agent.act_batch(batch.games, batch.rules, np.arange(16))
        assert all(together[i] in batch.legal_ids(i) for i in range(16))
        some = np.array([11, 3])
        assert agent.act_batch(batch.games, batch.rules, some).tolist() == together[some].tolist()
        batch.step(together)
    assert len(agent.act_batch(batch.games, batch.rules, np.array([], dtype=np.int64))) == 0


def test_greedy_play_takes_the_most_probable_action(path: Path) -> None:
    first, second = (
        CheckpointAgent(path, seed=1, greedy=True),
        CheckpointAgent(path, seed=2, greedy=True),
    )
    batch = Batch("british", seats=2, n=32, seed=9)
    rows = np.arange(32)
    chosen = first.act_batch(batch.games, batch.rules, rows)
    assert np.array_equal(chosen, second.act_batch(batch.games, batch.rules, rows))


def test_a_larger_table_than_the_network_knows_is_refused(path: Path) -> None:
    agent = CheckpointAgent(path)
    batch = Batch("british", seats=3, n=2, seed=9)
    with pytest.raises(CheckpointError, match="at most 2 seats, got 3"):
        agent.act_batch(batch.games, batch.rules, np.arange(2))


def test_the_digest_tells_weights_apart(path: Path, network: ActorCritic, meta: Meta) -> None:
    before = CheckpointAgent(path).digest
    with torch.no_grad():
        network.action_bias[0] += 1
    save_checkpoint(path, network, meta)
    assert CheckpointAgent(path).digest != before


def test_an_agent_of_a_network_needs_no_file(network: ActorCritic) -> None:
    batch = Batch("british", seats=2, n=4, seed=9)
    chosen = NetworkAgent(network, "learner").act_batch(batch.games, batch.rules, np.arange(4))
    assert all(chosen[i] in batch.legal_ids(i) for i in range(4))
    assert checkpoint.FORMAT_VERSION == 1


def test_weights_that_were_loaded_are_their_own_copy(path: Path) -> None:
    """A view of the file would change with it, and end the process where it is cut short."""
    agent = CheckpointAgent(path)
    before = {name: weight.clone() for name, weight in agent.network.state_dict().items()}
    with open(path, "r+b") as file:
        file.seek(os.path.getsize(path) // 2)
        file.write(bytes(os.path.getsize(path) // 4))
        file.flush()
        file.truncate(100)
    for name, weight in agent.network.state_dict().items():
        assert torch.equal(weight, before[name])


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("an empty file", "an empty file"),
        ("a Git LFS pointer", "git lfs pull"),
        ("a web page", "a web page: download the file itself"),
        ("a model of SB3", "a model of Stable-Baselines3"),
        ("a file of torch.save", "a file of torch.save"),
        ("a pickle", "a pickle"),
        ("gzip", "a gzip archive"),
        ("a pipe", "no plain file"),
        ("a folder", "a folder"),
    ],
)
def test_a_file_of_another_kind_is_told_what_it_is(tmp_path: Path, what: str, told: str) -> None:
    path = tmp_path / "player.safetensors"
    foreign.FILES[what](path)
    with pytest.raises(CheckpointError, match=told) as error:
        load_checkpoint(path)
    assert "copy it again" not in str(error.value)
    assert not foreign.exploded(tmp_path)


@pytest.mark.parametrize("number", ("9" * 5000, "9" * 400, "1e999", "NaN", "[" * 900 + "]" * 900))
def test_a_header_of_giant_numbers_or_without_a_bottom_is_refused(path: Path, number: str) -> None:
    data = path.read_bytes().replace(
        b'\\"decisions\\": 1234', b'\\"decisions\\": ' + number.encode()
    )
    size = int.from_bytes(data[:8], "little") + len(data) - path.stat().st_size
    path.write_bytes(size.to_bytes(8, "little") + data[8:])
    with pytest.raises(CheckpointError) as error:
        load_checkpoint(path)
    assert "\n" not in str(error.value) and len(str(error.value)) < 300
