"""The names under which Gymnasium and PettingZoo find the environments.

Importing `kalooki_env` registers them. Gymnasium 1.x loads no plugins by itself, so in a program
that imports nothing of this package the name carries it:
`gymnasium.make("kalooki_env:Kalooki-v0")`.
"""

import gymnasium
import pettingzoo

GYMNASIUM_ID = "Kalooki-v0"
PETTINGZOO_IDS = ("kalooki-v0", "kalooki/kalooki-v0")
"""The short name and the one with a namespace; PettingZoo also accepts `_v0` for `-v0`."""


def register_envs() -> None:
    """Register the environments under their names; a name already there is left alone."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="kalooki_env.single:KalookiEnv",
            vector_entry_point="kalooki_env.vector:KalookiVectorEnv",
        )
    for name in PETTINGZOO_IDS:
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, "kalooki_env.kalooki_v0:env")
