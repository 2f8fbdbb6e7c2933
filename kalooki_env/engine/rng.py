"""The random stream inside a game record: the n-th number is a hash of (key, n)."""

import numpy as np

from .jit import entry, i64, jit
from .layout import INTERPRETED


def _wrapping(function):
    """Let uint64 numbers wrap round without a warning where the code runs interpreted."""
    return np.errstate(over="ignore")(function) if INTERPRETED else function


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_ONE = np.uint64(1)
_LOW32 = np.uint64(0xFFFFFFFF)


@_wrapping
@jit
def mix(z):
    """Hash a uint64 (the finaliser of SplitMix64)."""
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@_wrapping
@entry
def seed_stream(g, seed):
    """Start the stream of game `g` at the beginning for a uint64 `seed`."""
    g.key = mix(np.uint64(seed) + _GOLDEN)
    g.drawn = np.uint64(0)


@_wrapping
@jit
def below(g, n):
    """Return a random int64 in 0..n-1 (n < 2**31), taking one number of the stream.

    Multiply-and-shift: the bias is under n / 2**32, far below what any number of deals could show.
    """
    g.drawn = np.uint64(g.drawn) + _ONE
    z = mix(np.uint64(g.key) + np.uint64(g.drawn) * _GOLDEN)
    return i64(((z & _LOW32) * np.uint64(n)) >> _S32)


@jit
def shuffle(g, cards, n):
    """Shuffle cards[:n] in place."""
    for k in range(n - 1, 0, -1):
        j = below(g, k + 1)
        card = cards[k]
        cards[k] = cards[j]
        cards[j] = card
