"""Measure one package on request: `python -m benchmarks.peers NAME`, with the Python it needs."""

import importlib
import os
import sys

from benchmarks.peers.serve import pin, serve

if __name__ == "__main__":
    pin()
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)  # what a library prints is no answer
        serve(importlib.import_module(f"benchmarks.peers.{sys.argv[1]}").rows(), sys.stdin, answers)
