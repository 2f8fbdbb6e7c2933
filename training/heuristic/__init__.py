"""Tunes the weights of the heuristic."""
