"""Ways out that a player misses: `python -m tests.ways_out --turns 20000 --rules all`.

Turns are dealt around a way to go out, or come from play. Where no player goes out an exhaustive search over
the engine's legal moves says whether it was possible; it knows nothing of how the players look for one.
"""
