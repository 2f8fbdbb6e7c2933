"""The weights of the network as arrays of compiled code."""

from dataclasses import dataclass

import numpy as np

from ..heuristic.layout import ROWS, N
from .layout import INPUTS

WEIGHTS = ("skip", "w1", "b1", "w2", "b2", "w3")


@dataclass(frozen=True)
class Net:
    """A network over the ends of a turn; see `score` for what the arrays do.

    All are float32: skip (ROWS, N), w1 (INPUTS, H), b1 (H,), w2 (H, K), b2 (K,), w3 (K,).
    """

    skip: np.ndarray
    w1: np.ndarray
    b1: np.ndarray
    w2: np.ndarray
    b2: np.ndarray
    w3: np.ndarray
    temperature: float = 0.06
    """the policy that is trained is the softmax of the scores / temperature"""

    @classmethod
    def fresh(cls, skip: np.ndarray, hidden: tuple[int, int], seed: int = 0) -> "Net":
        """Return a network that scores as its linear part alone: the last layer is zero."""
        rng = np.random.default_rng(seed)
        h, k = hidden
        spread = np.full((INPUTS, 1), 0.1)
        spread[:N] = 0.3
        return cls(
            np.asarray(skip, np.float32).reshape(ROWS, N),
            (rng.normal(size=(INPUTS, h)) * spread).astype(np.float32),
            np.zeros(h, np.float32),
            (rng.normal(size=(h, k)) * np.sqrt(2 / h)).astype(np.float32),
            np.zeros(k, np.float32),
            np.zeros(k, np.float32),
        )

    def weights(self) -> dict[str, np.ndarray]:
        """Return the weights by name, in the order of `arrays`."""
        return {name: getattr(self, name) for name in WEIGHTS}

    def arrays(self) -> tuple[np.ndarray, ...]:
        """Return what compiled code takes: the weights, and scratch space of one thread."""
        weights = self.weights().values()
        h, k = self.w2.shape
        space = np.zeros(h, np.float32), np.zeros(h, np.float32), np.zeros(k, np.float32)
        return (*(np.ascontiguousarray(w, np.float32) for w in weights), *space)
