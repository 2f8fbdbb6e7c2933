"""The network, compiled: a linear part of the features, and two hidden layers.

    score = skip[row] . phi + w3 . relu(w2 relu(w1 x + b1) + b2)

`net` is what `weights.Net.arrays` gives, with scratch space behind the weights.
"""

import numpy as np

from ...engine.jit import i64, jit
from ...engine.layout import JOKER
from ..heuristic.layout import N
from .inputs import DISCARDED, HAND, HAND_JOKERS, HAND_TWICE

SKIP, W1, B1, W2, B2, W3, BASE, FIRST, SECOND = range(9)
F0 = np.float32(0.0)


@jit
def add_row(out, w, row):
    """Add a row of weights."""
    for h in range(out.shape[0]):
        out[h] += w[row, h]


@jit
def take_row(out, w, row):
    """Take a row of weights away."""
    for h in range(out.shape[0]):
        out[h] -= w[row, h]


@jit
def first_layer(pad, slot, net):
    """Add up the first layer of a state, without its features."""
    base, w1, b1 = net[BASE], net[W1], net[B1]
    for h in range(base.shape[0]):
        base[h] = b1[h]
    for k in range(i64(pad.n_listed[slot])):
        add_row(base, w1, i64(pad.listed[slot, k]))


@jit
def score(phi, row, card, twin, jokers, net):
    """Return the score of an end: the state of `first_layer`, after the discard of `card`, of which
    `twin` says whether another copy stays; with `jokers` in the hand before it. -1 for no discard.
    """
    w1, w2, base, first, second = net[W1], net[W2], net[BASE], net[FIRST], net[SECOND]
    for h in range(first.shape[0]):
        first[h] = base[h]
    if card >= 0:
        gone = HAND + card
        if card == JOKER:
            gone = HAND_JOKERS + min(jokers, i64(4)) - 1
        elif twin:
            gone = HAND_TWICE + card
        take_row(first, w1, i64(gone))
        add_row(first, w1, i64(DISCARDED + card))
    total = 0.0
    skip = net[SKIP]
    for k in range(N):
        value = np.float32(phi[k])
        if value != F0:
            total += np.float64(skip[row, k] * value)
            for h in range(first.shape[0]):
                first[h] += value * w1[k, h]
    b2, w3 = net[B2], net[W3]
    for j in range(second.shape[0]):
        second[j] = b2[j]
    for h in range(first.shape[0]):
        value = first[h]
        if value > F0:
            for j in range(second.shape[0]):
                second[j] += value * w2[h, j]
    for j in range(second.shape[0]):
        if second[j] > F0:
            total += np.float64(second[j] * w3[j])
    return total
