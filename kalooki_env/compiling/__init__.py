"""Compiled code: where it is kept, and what a person sees who waits for it.

Numba keeps what it compiles too, but in any folder that it is told of, whoever owns that, and a
damaged file stops it. What is kept is run: so it has to be ours, and whole.
"""
