"""The environments are found by name: after an import, without one, twice, in a new process."""

import subprocess
import sys

import pytest


def run(code, *flags):
    """Run code in a new interpreter, warnings being errors."""
    result = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", *flags, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_make_without_an_import():
    out = run(
        "import gymnasium\n"
        "env = gymnasium.make('kalooki_env:Kalooki-v0', seats=2)\n"
        "observation, info = env.reset(seed=1)\n"
        "print(observation['action_mask'].shape)"
    )
    assert out.strip() == "(1170,)"


def test_make_after_an_import_and_after_another():
    run(
        "import importlib, gymnasium, kalooki_env\n"
        "import kalooki_env.registration as registration\n"
        "registration.register_envs()\n"
        "importlib.reload(kalooki_env)\n"
        "gymnasium.make('Kalooki-v0')"
    )


def test_pettingzoo_make_after_an_import():
    run(
        "import kalooki_env\n"
        "import pettingzoo\n"
        "env = pettingzoo.make('aec', 'kalooki-v0', seats=3)\n"
        "env.reset(seed=1)\n"
        "assert env.num_agents == 3"
    )


def test_importing_the_package_is_light():
    out = run(
        "import sys, kalooki_env\n"
        "heavy = ('torch', 'textual', 'matplotlib', 'stable_baselines3', 'training')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    assert out.strip() == "[]"


def test_importing_the_package_compiles_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("KALOOKI_CACHE_DIR", str(tmp_path))
    run("from kalooki_env import Batch, Game, Rules, actions, agents, kalooki_v0")
    assert not any(tmp_path.rglob("*.nb*"))


@pytest.mark.slow
def test_a_spawned_worker_finds_the_name():
    run(
        "import gymnasium\n"
        "if __name__ == '__main__':\n"
        "    envs = gymnasium.make_vec('kalooki_env:Kalooki-v0', num_envs=2,\n"
        "        vectorization_mode='async', vector_kwargs={'context': 'spawn'})\n"
        "    envs.reset(seed=1)\n"
        "    envs.close()"
    )
