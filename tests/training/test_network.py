"""The actor-critic network: gathered logits, selected columns, one way to act."""

import numpy as np
import pytest
import torch

from kalooki_env import actions, observation
from kalooki_env.agents.network import ActorCritic

SMALL = {"seats": 2, "actor": [16], "bottleneck": 8, "critic": [16]}


Rows = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def random_rows(network: ActorCritic, rows: int = 32, width: int = 20) -> Rows:
    rng = np.random.default_rng(5)
    observations = rng.integers(0, 3, (rows, observation.SIZE), dtype=np.uint8)
    ids = np.stack(
        [np.sort(rng.choice(actions.N, width, replace=False)) for _ in range(rows)]
    ).astype(np.int16)
    counts = rng.integers(1, width + 1, rows).astype(np.int32)
    return network.select(observations), torch.from_numpy(ids), torch.from_numpy(counts)


def test_gathered_logits_and_their_gradients_equal_those_of_the_full_product() -> None:
    network = ActorCritic(SMALL)
    torch.nn.init.normal_(network.action_free)
    torch.nn.init.normal_(network.action_bias)
    inputs, ids, counts = random_rows(network)
    results = []
    for gathered in (True, False):
        network.zero_grad()
        z = network.actor(inputs.float() * network.scales)
        logits = network.logits(z, ids, counts, gathered)
        legal = torch.arange(ids.shape[1]) < counts.unsqueeze(1)
        logits = logits.masked_fill(~legal, 0.0)
        logits.square().sum().backward()
        results.append(
            [logits.detach(), *(p.grad.clone() for p in network.parameters() if p.grad is not None)]
        )
    for gathered, full in zip(*results, strict=True):
        torch.testing.assert_close(gathered, full, rtol=1e-3, atol=1e-3)


def test_padding_in_the_legal_list_does_not_matter() -> None:
    network = ActorCritic(SMALL)
    inputs, ids, counts = random_rows(network)
    other = ids.clone()
    other[torch.arange(ids.shape[1]) >= counts.unsqueeze(1)] = -1
    uniforms = torch.linspace(0, 0.99, len(counts))
    first = network.act(inputs, ids, counts, uniforms)
    second = network.act(inputs, other, counts, uniforms)
    assert all(torch.equal(*pair) for pair in zip(first, second, strict=True))


def test_acting_returns_legal_ids_their_columns_log_probs_and_the_value() -> None:
    network = ActorCritic(SMALL)
    inputs, ids, counts = random_rows(network)
    for greedy in (False, True):
        uniforms = torch.rand(len(counts))
        action, choice, log_prob, value = network.act(inputs, ids, counts, uniforms, greedy)
        assert (choice < counts).all()
        assert torch.equal(action, ids.long().gather(1, choice.unsqueeze(1)).squeeze(1))
        distribution, expected = network(inputs, ids, counts)
        assert torch.equal(log_prob, distribution.log_prob(choice))
        assert torch.equal(value, expected)


def test_an_empty_or_overlong_legal_list_is_refused() -> None:
    network = ActorCritic(SMALL)
    inputs, ids, counts = random_rows(network)
    for wrong in (0, ids.shape[1] + 1):
        bad = counts.clone()
        bad[3] = wrong
        with pytest.raises(ValueError, match="legal actions"):
            network(inputs, ids, bad)


def test_a_two_seat_network_reads_nothing_about_a_third_seat() -> None:
    network = ActorCritic(SMALL)
    names = {block.name for block in observation.BLOCKS if block.offset in network.columns}
    assert "hand" in names and "seat_1" in names and "known_1" in names
    assert not any(name.endswith(("_2", "_3", "_4", "_5")) for name in names)
    assert ActorCritic({**SMALL, "seats": 3}).inputs > network.inputs


def test_blocks_can_be_left_out_and_unknown_ones_are_named() -> None:
    network = ActorCritic({**SMALL, "without": ["hand"]})
    assert network.inputs == ActorCritic(SMALL).inputs - 53
    assert 0 not in network.columns
    with pytest.raises(ValueError, match="'hands'"):
        ActorCritic({**SMALL, "without": ["hands"]})


def test_selected_columns_keep_their_values() -> None:
    network = ActorCritic({**SMALL, "without": ["phase", "up_card"]})
    observations = np.random.default_rng(0).integers(0, 255, (4, observation.SIZE), dtype=np.uint8)
    assert np.array_equal(network.select(observations).numpy(), observations[:, network.columns])


def test_the_network_is_rebuilt_from_its_own_config() -> None:
    network = ActorCritic(SMALL)
    inputs, ids, counts = random_rows(network)
    again = ActorCritic.from_weights(network.config, network.state_dict())
    (first, value), (second, value_again) = (net(inputs, ids, counts) for net in (network, again))
    assert torch.equal(first.log_probs, second.log_probs) and torch.equal(value, value_again)


def test_layers_can_be_shared_and_the_actor_can_have_none_of_its_own() -> None:
    network = ActorCritic({**SMALL, "shared": [12], "actor": []})
    distribution, value = network(*random_rows(network))
    (distribution.log_probs[:, 0].sum() + value.sum()).backward()
    assert network.shared[0].weight.grad.abs().sum() > 0


def test_unknown_settings_and_other_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="'widths'"):
        ActorCritic({"widths": [3]})
    weights = ActorCritic(SMALL).state_dict()
    with pytest.raises(ValueError, match="shape"):
        ActorCritic.from_weights({**SMALL, "bottleneck": 9}, weights)
