"""Several processes that train one network: each plays its own games, gradients are averaged.

One process has one thread and one core. They talk over gloo on this machine; a single worker talks
to nobody.
"""

import time
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor


class Workers:
    """This process's place among the workers of a run."""

    def __init__(self, rank: int, size: int, rendezvous: Path) -> None:
        """Join the others.

        Args:
            rank: number of this process, 0 for the one that writes files and speaks.
            size: number of processes.
            rendezvous: a file that does not exist yet, the same for all of them.
        """
        self.rank = rank
        self.size = size
        self.waited = 0.0
        """seconds spent in communication, mostly waiting for slower workers"""
        if size > 1:
            dist.init_process_group(
                "gloo", init_method=rendezvous.as_uri(), rank=rank, world_size=size
            )

    @property
    def leads(self) -> bool:
        """Whether this is the process that writes files and speaks."""
        return self.rank == 0

    def sum_(self, tensor: Tensor) -> Tensor:
        """Replace a tensor by its sum over the workers, the same bits in each."""
        if self.size > 1:
            start = time.perf_counter()
            dist.all_reduce(tensor)
            self.waited += time.perf_counter() - start
        return tensor

    def mean_(self, tensor: Tensor) -> Tensor:
        """Replace a tensor by its mean over the workers, the same bits in each."""
        return self.sum_(tensor).div_(self.size) if self.size > 1 else tensor

    def gather(self, array: np.ndarray) -> list[np.ndarray]:
        """Collect one array from each worker, of the same shape, at worker 0; [] elsewhere."""
        if self.size == 1:
            return [array]
        mine = torch.from_numpy(np.frombuffer(array.tobytes(), np.uint8).copy())
        parts = [torch.empty_like(mine) for _ in range(self.size)] if self.leads else None
        dist.gather(mine, parts)
        return [
            np.frombuffer(part.numpy().tobytes(), array.dtype).reshape(array.shape)
            for part in parts or ()
        ]

    def close(self) -> None:
        """Leave the others."""
        if self.size > 1 and dist.is_initialized():
            dist.destroy_process_group()


def share_gradient(network: torch.nn.Module) -> Tensor:
    """Make every gradient of a network a view of one flat tensor, which is returned: one message,
    one norm."""
    parameters = list(network.parameters())
    flat = torch.zeros(sum(parameter.numel() for parameter in parameters))
    for parameter, part in zip(
        parameters, flat.split([p.numel() for p in parameters]), strict=True
    ):
        parameter.grad = part.view_as(parameter)
    return flat
