"""The distribution over legal actions, on logits as bad as they come."""

import math

import pytest
import torch

from kalooki_env.agents.masking import MaskedCategorical

SCALES = (0.0, 1.0, 100.0, 1e4)


def random_rows(
    scale: float, rows: int = 200, width: int = 40
) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(7)
    logits = torch.empty(rows, width).uniform_(-scale, scale, generator=generator)
    counts = torch.arange(rows) % width + 1
    # What stands in padding is garbage in real batches: infinities and NaNs must do no harm.
    padding = torch.arange(width) >= counts.unsqueeze(1)
    garbage = torch.tensor([math.inf, -math.inf, math.nan, 1e30])[torch.arange(width) % 4].expand(
        rows, width
    )
    return torch.where(padding, garbage, logits), counts


@pytest.mark.parametrize("scale", SCALES)
def test_log_probs_and_entropy_are_finite_and_bounded(scale: float) -> None:
    logits, counts = random_rows(scale)
    distribution = MaskedCategorical(logits, counts)
    choice = (torch.rand(len(counts)) * counts).long()
    assert torch.isfinite(distribution.log_prob(choice)).all()
    entropy = distribution.entropy()
    assert (entropy >= -1e-6).all()
    assert (entropy <= counts.float().log() + 1e-4).all()
    total = (distribution.log_probs.exp() * distribution.legal).sum(dim=1)
    torch.testing.assert_close(total, torch.ones(len(counts)))


def test_one_legal_action_is_certain() -> None:
    distribution = MaskedCategorical(
        torch.tensor([[-1e4, 1e4], [3.0, math.nan]]), torch.tensor([1, 1])
    )
    assert distribution.entropy().tolist() == [0.0, 0.0]
    assert distribution.log_prob(torch.tensor([0, 0])).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("scale", SCALES)
def test_no_gradient_reaches_padding(scale: float) -> None:
    logits, counts = random_rows(scale)
    logits.requires_grad_()
    distribution = MaskedCategorical(logits, counts)
    (distribution.log_prob(counts - 1).sum() + distribution.entropy().sum()).backward()
    padding = torch.arange(logits.shape[1]) >= counts.unsqueeze(1)
    assert torch.isfinite(logits.grad).all()
    assert (logits.grad[padding] == 0).all()


@pytest.mark.parametrize("scale", SCALES)
def test_a_million_samples_hold_no_illegal_action(scale: float) -> None:
    logits, counts = random_rows(scale, rows=1000)
    distribution = MaskedCategorical(logits, counts)
    generator = torch.Generator().manual_seed(1)
    for _ in range(250):
        choice = distribution.sample(torch.rand(1000, generator=generator))
        assert (choice < counts).all() and (choice >= 0).all()
    for corner in (0.0, 1 - 2**-53, 1.0):
        choice = distribution.sample(torch.full((1000,), corner, dtype=torch.float64))
        assert (choice < counts).all()


def test_samples_have_the_probabilities_of_the_softmax() -> None:
    probabilities = torch.tensor([0.5, 0.3, 0.2])
    logits = torch.cat([probabilities.log(), torch.tensor([50.0])]).unsqueeze(0).expand(60_000, 4)
    distribution = MaskedCategorical(logits, torch.full((60_000,), 3))
    choice = distribution.sample(torch.rand(60_000, generator=torch.Generator().manual_seed(3)))
    shares = torch.bincount(choice, minlength=3) / len(choice)
    torch.testing.assert_close(shares, probabilities, atol=0.01, rtol=0)


def test_the_mode_is_the_first_best_legal_action() -> None:
    logits = torch.tensor([[1.0, 5.0, 5.0, 9.0], [2.0, 0.0, 0.0, 9.0]])
    assert MaskedCategorical(logits, torch.tensor([3, 1])).mode().tolist() == [1, 0]


@pytest.mark.parametrize("counts", ([2, 0, 1], [2, 4, 1]))
def test_a_row_without_legal_actions_or_with_too_many_is_refused_by_number(
    counts: list[int],
) -> None:
    with pytest.raises(ValueError, match="row 1"):
        MaskedCategorical(torch.zeros(3, 3), torch.tensor(counts))
