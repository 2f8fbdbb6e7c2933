"""Kalooki as a PettingZoo AEC environment, version 0; `kalooki_env.aec` describes it in full."""

from kalooki_env.aec import env, raw_env

__all__ = ["env", "raw_env"]
