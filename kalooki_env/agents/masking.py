"""The distribution over the legal actions of a position: the only place where masking is done.

Logits arrive gathered: row `i` holds the logits of its `counts[i]` legal actions first, in the
order of the legal list, and padding after them. A softmax over the whole catalogue would cost more
than the network.
"""

import torch
from torch import Tensor

NEVER = torch.finfo(torch.float32).min
"""Log-probability of padding: finite, so that 0 * NEVER is 0 and not a NaN."""


def check_counts(counts: Tensor, width: int) -> None:
    """Raise ValueError unless every row has 1 to `width` legal actions."""
    wrong = (counts < 1) | (counts > width)
    if bool(wrong.any()):
        row = int(wrong.nonzero()[0])
        raise ValueError(
            f"expected 1 to {width} legal actions in each row, got {int(counts[row])} "
            f"in row {row}: leave out seats that have nothing to decide"
        )


class MaskedCategorical:
    """A categorical distribution over the first `counts[i]` columns of each row of `logits`.

    Padding has probability zero exactly, whatever stands in it; no gradient reaches it.
    """

    def __init__(self, logits: Tensor, counts: Tensor) -> None:
        """Normalise the rows.

        Args:
            logits: float32[B, K].
            counts: int[B], each in 1..K.

        Raises:
            ValueError: a row has no legal action, or more than K.
        """
        check_counts(counts, logits.shape[1])
        self.legal = torch.arange(logits.shape[1], device=logits.device) < counts.unsqueeze(1)
        self.log_probs = logits.masked_fill(~self.legal, NEVER).log_softmax(dim=1)
        """float32[B, K]; about NEVER in padding."""

    def log_prob(self, choice: Tensor) -> Tensor:
        """Return the log-probability, float32[B], of the column `choice[i]` of each row."""
        return self.log_probs.gather(1, choice.unsqueeze(1)).squeeze(1)

    def entropy(self) -> Tensor:
        """Return the entropy of each row in nats, float32[B]: 0 with one legal action, at most
        log(counts)."""
        return -(self.log_probs.exp() * self.log_probs.masked_fill(~self.legal, 0.0)).sum(dim=1)

    def sample(self, uniforms: Tensor) -> Tensor:
        """Choose a column of each row by the given numbers in [0, 1), float[B]; return int64[B]."""
        cumulative = self.log_probs.exp().double().cumsum(dim=1)
        target = uniforms.double().unsqueeze(1) * cumulative[:, -1:]
        choice = (cumulative <= target).sum(dim=1)
        last = self.legal.sum(dim=1) - 1
        return torch.minimum(choice, last)  # rounding may put the target on the total itself

    def mode(self) -> Tensor:
        """Return the most probable column of each row, int64[B]; of several the first."""
        return self.log_probs.argmax(dim=1)
