"""Training of the network over the ends of a turn: the same network in both worlds, the same run however it
is run."""

import csv
from pathlib import Path

import numpy as np
import pytest
import torch

from kalooki_env import Rules
from kalooki_env.agents.ends.file import load_ends
from kalooki_env.agents.ends.weights import Net
from kalooki_env.agents.heuristic.weights import weights_for
from kalooki_env.engine.layout import MAX_SEATS
from training import config as configs
from training.config import ConfigError
from training.ends.config import EndsConfig
from training.ends.learn import (
    EndsNetwork,
    columns_of,
    lambda_returns,
    log_policy,
    minibatches,
    outcomes,
)
from training.ends.self_play import GREEDY, LEARNER, Deals, SelfPlay
from training.ends.train import VOCABULARY, train
from training.start import train as start

RULES = Rules.preset("british", turn_cap=100)
TINY = {
    "learner": "ends",
    "deals": 160,
    "round_deals": 40,
    "workers": 1,
    "hidden": [16, 8],
    "critic": [16, 8],
    "minibatch_size": 256,
}


def random_net() -> Net:
    net, rng = Net.fresh(weights_for(RULES, 2), (32, 16), 2), np.random.default_rng(2)
    net.w3[:] = rng.normal(size=16) * 0.3
    net.b1[:] = rng.normal(size=32) * 0.1
    net.b2[:] = rng.normal(size=16) * 0.1
    return net


@pytest.fixture(scope="module")
def table() -> SelfPlay:
    return SelfPlay(RULES, 2, deals=100)


@pytest.fixture(scope="module")
def deals(table) -> Deals:
    keys = np.arange(1, 61, dtype=np.uint64)
    return table.play(keys, np.full((60, 2), LEARNER), random_net(), None, 0.3)


def test_compiled_scores_are_those_of_the_network_in_pytorch(deals):
    columns, net = columns_of(2), random_net()
    # Inputs that are the same at one table are left to the first bias in training.
    network, checked = EndsNetwork(net, columns), 0
    with torch.no_grad():
        always = np.setdiff1d(np.unique(deals.listed), columns)
        network.b1 += torch.from_numpy(net.w1[always].sum(axis=0))
        for batch in minibatches(deals, columns, 200, np.random.default_rng(0)):
            scores = network(batch.phi, batch.cards, batch.row)
            difference = (scores - batch.worth).abs() / batch.worth.abs().clamp(min=1)
            assert difference.max() < 1e-5
            checked += len(scores)
    assert checked == len(deals.options) > 5000


def test_the_discard_is_taken_out_of_the_hand(deals):
    columns = columns_of(2)
    for batch in minibatches(deals, columns, 500, np.random.default_rng(0)):
        at = {name: k for k, name in enumerate(columns.tolist())}
        from kalooki_env.agents.ends.layout import AT

        cards = batch.cards.numpy()
        held = cards[:, [at[AT["hand"] + c] for c in range(52)]].sum(axis=1)
        held += cards[:, [at[AT["hand_twice"] + c] for c in range(52)]].sum(axis=1)
        held += cards[:, [at[AT["hand_jokers"] + c] for c in range(4)]].sum(axis=1)
        sizes = cards[:, [at[AT["cards"] + c] for c in range(15)]].argmax(axis=1)
        drawing = batch.row.numpy() >= 4
        assert np.array_equal(held[~drawing], sizes[~drawing])


def test_probabilities_are_a_softmax_within_each_decision(deals):
    for batch in minibatches(deals, columns_of(2), 300, np.random.default_rng(1)):
        log_probs = log_policy(batch.worth, batch, 0.3).numpy()
        for k in range(len(batch.decisions)):
            own = batch.decision.numpy() == k
            logits = batch.worth.numpy()[own].astype(np.float64) / 0.3
            expected = logits - np.log(np.exp(logits - logits.max()).sum()) - logits.max()
            assert np.allclose(log_probs[own], expected, atol=1e-4)
        chosen = log_probs[batch.drawn.numpy()]
        assert np.allclose(chosen, deals.decisions["log_prob"][batch.decisions], atol=1e-4)
        break


def test_returns_mix_what_came_of_the_deal_with_what_was_expected(deals):
    rng, lam = np.random.default_rng(3), 0.7
    values, outcome = rng.random(len(deals.decisions)), outcomes(deals, 0.7)
    found = lambda_returns(deals, values, outcome, lam)
    for deal in range(10):
        for seat in range(2):
            at = np.flatnonzero(
                (deals.decisions["deal"] == deal) & (deals.decisions["seat"] == seat)
            )
            expected = outcome[deal, seat]
            following = outcome[deal, seat]
            for k in at[::-1]:
                expected = lam * expected + (1 - lam) * following
                following = values[k]
                assert found[k] == pytest.approx(expected)


def test_outcomes_share_one_win_and_never_leave_their_range(deals):
    won = outcomes(deals, 1.0)
    assert np.allclose(won.sum(axis=1), 1) and set(np.unique(won)) <= {0.0, 0.5, 1.0}
    mixed = outcomes(deals, 0.5)
    assert (mixed >= 0).all() and (mixed <= 1).all()


def test_a_round_with_temperature_0_keeps_nothing_and_other_players_are_not_learned_from(table):
    keys, net = np.arange(1, 9, dtype=np.uint64), random_net()
    assert len(table.play(keys, np.full((8, 2), LEARNER), net).decisions) == 0
    players = np.tile([LEARNER, GREEDY], (8, 1))
    assert set(table.play(keys, players, net, None, 0.3).decisions["seat"]) == {0}


def test_a_full_room_loses_decisions_and_not_the_deals():
    small, keys = SelfPlay(RULES, 2, deals=1), np.arange(1, 31, dtype=np.uint64)
    kept = small.play(keys, np.full((30, 2), LEARNER), random_net(), None, 0.3)
    assert 20 <= len(kept.decisions) <= 48 and len(kept.winner) == 30
    assert (kept.winner >= -1).all() and kept.decisions["deal"].max() < 5


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(configs.from_dict(TINY, EndsConfig).to_toml())
    return path


def weights(folder: Path) -> dict[str, np.ndarray]:
    return load_ends(folder / "latest.safetensors")[0].weights()


def same(first: dict[str, np.ndarray], second: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(first[name], second[name]) for name in first)


def test_a_run_writes_one_folder_and_one_worker_learns_what_two_do(tiny, tmp_path):
    assert start(tiny, out=tmp_path / "one") == tmp_path / "one" / "latest.safetensors"
    train(tiny, out=tmp_path / "two", overrides={"workers": 2})
    assert same(weights(tmp_path / "one"), weights(tmp_path / "two"))
    with open(tmp_path / "one" / "metrics.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert set(rows[0]) == set(VOCABULARY) and len(rows) == 4
    assert float(rows[-1]["charts/deals"]) == 160
    _, meta = load_ends(tmp_path / "one" / "latest.safetensors")
    assert meta.start == "heuristic" and meta.deals == 160 and meta.training["round_deals"] == 40
    fresh = Net.fresh(weights_for(RULES, 2), (16, 8), 1)
    assert not np.array_equal(weights(tmp_path / "one")["w3"], fresh.w3)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_was_stopped_goes_on_to_the_same_weights(tiny, tmp_path, workers):
    overrides = {"workers": workers}
    train(tiny, out=tmp_path / "whole", overrides=overrides)
    train(tiny, out=tmp_path / "parts", overrides=overrides, rounds=2)
    assert not same(weights(tmp_path / "whole"), weights(tmp_path / "parts"))
    train(tiny, out=tmp_path / "parts", overrides=overrides, resume=True)
    assert same(weights(tmp_path / "whole"), weights(tmp_path / "parts"))
    with pytest.raises(ConfigError, match="complete"):
        train(tiny, out=tmp_path / "parts", overrides=overrides, resume=True)


def test_first_weights_are_the_heuristics_or_none_or_those_of_a_checkpoint(tiny, tmp_path):
    nothing = train(tiny, out=tmp_path / "nothing", overrides={"start": "nothing"}, rounds=1)
    assert load_ends(nothing)[1].start == "nothing"
    more = train(tiny, out=tmp_path / "more", overrides={"start": str(nothing)}, rounds=1)
    assert load_ends(more)[1].start == str(nothing)
    with pytest.raises(ConfigError, match="hidden"):
        train(tiny, overrides={"start": str(nothing), "hidden": [8, 8]})


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("temperature", 0.0, "above 0"),
        ("hidden", [16], "two widths"),
        ("workers", 3, "1 or 2"),
        ("seats", MAX_SEATS, "british"),
        ("lerning_rate", 1e-3, "learning_rate"),
        ("learner", "ppo", "ends"),
        ("win_weight", 1.5, "0 to 1"),
    ],
)
def test_settings_that_no_run_can_use_are_refused_by_name(key, value, says):
    with pytest.raises(ValueError, match=says):
        configs.from_dict({**TINY, key: value}, EndsConfig)
