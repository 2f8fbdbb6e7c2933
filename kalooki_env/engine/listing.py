"""Writing the list of legal action ids."""

from .bits import lowest
from .jit import i64, jit


@jit
def push(work, action):
    work.ids[work.n_ids] = action
    work.n_ids += 1


@jit
def push_bits(work, first, bits):
    """Append the ids `first + k` for each bit k that is set."""
    n = i64(work.n_ids)
    while bits > 0:
        work.ids[n] = first + lowest(bits)
        bits &= bits - 1
        n += 1
    work.n_ids = n


@jit
def push_sorted(work, start, action):
    """Insert an id into the ascending part of the list that begins at `start`, once."""
    k = i64(work.n_ids)
    while k > start and work.ids[k - 1] > action:
        k -= 1
    if k > start and work.ids[k - 1] == action:
        return
    for j in range(i64(work.n_ids), k, -1):
        work.ids[j] = work.ids[j - 1]
    work.ids[k] = action
    work.n_ids += 1
