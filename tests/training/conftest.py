"""Training tests run on one thread, as training does."""

import torch

torch.set_num_threads(1)
