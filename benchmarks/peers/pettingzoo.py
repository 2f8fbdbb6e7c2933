"""PettingZoo's gin_rummy_v4, uniformly at random."""

import os
from importlib.metadata import version

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from pettingzoo.classic import gin_rummy_v4

from benchmarks.peers.serve import Rows
from benchmarks.peers.walking import walk


def rows() -> Rows:
    """Return what can be measured."""
    title = f"PettingZoo {version('pettingzoo')} gin_rummy_v4"
    make = gin_rummy_v4.raw_env
    return {
        "cheap": (f"{title}, raw_env, flatnonzero and integers", lambda: walk(make(), False)),
        "sample": (f"{title}, raw_env, action_space.sample(mask)", lambda: walk(make(), True)),
    }
