"""Pgx on the CPU: two of its card games, batched, uniformly at random."""

import contextlib
import os
import tempfile
from importlib.metadata import version
from pathlib import Path

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
import pgx
from pgx.bridge_bidding import BridgeBidding
from pgx.experimental.wrappers import auto_reset

from benchmarks.peers.serve import Rows, Work

N = 1024
"""Games side by side."""
STEPS = 8
"""Steps of one call: the loop around them is compiled too."""
DEALS = 10_000
"""Deals of the table that bridge is given."""


def batched(env: pgx.Env) -> Work:
    """Return the work of some steps; states, with mask and observation, stay inside JAX."""
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(carry: tuple, _: None) -> tuple[tuple, jax.Array]:
        states, key = carry
        key, choosing, chance = jax.random.split(key, 3)
        logits = jnp.where(states.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choosing, logits, axis=1)
        states = step(states, actions, jax.random.split(chance, N))
        return (states, key), states.terminated.sum()

    play = jax.jit(lambda carry: jax.lax.scan(advance, carry, None, length=STEPS))
    key, deal = jax.random.split(jax.random.PRNGKey(0))
    carry = (jax.jit(jax.vmap(env.init))(jax.random.split(deal, N)), key)

    def work() -> tuple[int, int]:
        nonlocal carry
        carry, ended = play(carry)
        return N * STEPS, int(ended.sum())

    return work


def bridge() -> pgx.Env:
    """Return bridge bidding with a made-up table of double dummy results.

    The real table is a download of its own; which deals and tricks it holds takes no time.
    """
    rng = np.random.default_rng(0)
    owners = rng.permuted(np.tile(np.arange(52) // 13, (DEALS, 1)), axis=1).reshape(DEALS, 4, 13)
    keys = (owners * 4 ** np.arange(13)[::-1]).sum(axis=2)
    tricks = rng.integers(14, size=(DEALS, 4, 5))
    values = (tricks * 16 ** np.arange(5)[::-1]).sum(axis=2)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(None):
        path = Path(folder) / "results.npy"
        np.save(path, np.stack([keys, values]).astype(np.int32))
        return BridgeBidding(str(path))


def rows() -> Rows:
    """Return what can be measured."""
    title = f"Pgx {version('pgx')} (JAX {version('jax')})"
    return {
        "sparrow": (
            f"{title} sparrow_mahjong, batch {N}",
            lambda: batched(pgx.make("sparrow_mahjong")),
        ),
        "bridge": (f"{title} bridge_bidding, batch {N}", lambda: batched(bridge())),
    }
