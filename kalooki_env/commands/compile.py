"""Compile the engine ahead, before anybody waits for it.

The first use compiles what it needs, for half a minute or so, and keeps it in
the user's cache folder: KALOOKI_CACHE_DIR, else NUMBA_CACHE_DIR, else
XDG_CACHE_HOME, else ~/.cache. In an image or on a test machine run this
before, as the user who plays or trains there: a folder that belongs to
another user is not used. --agents compiles greedy, heuristic and search too.
"""

import argparse
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--agents", action="store_true", help="compile the agents too")


def run(args: argparse.Namespace) -> int:
    """Compile; return 1 if nothing of it stays."""
    from kalooki_env.compiling import ahead
    from kalooki_env.engine.jit import ENGINE_STORE

    ahead.compile_engine()
    if args.agents:
        ahead.compile_agents()
    folder = ENGINE_STORE.base
    if folder is None:
        print("kalooki compile: expected a folder to keep it in, got none", file=sys.stderr)
        return 1
    print(f"Compiled; it is kept in {ENGINE_STORE.path}.")
    return 0
