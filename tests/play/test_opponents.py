"""Who sits down when nobody is asked for."""

import os

import pytest

from kalooki_env.agents import AgentError
from kalooki_env.errors import CheckpointError
from kalooki_env.play import opponents
from kalooki_env.rules import Rules

BRITISH = Rules.preset("british")


class Newcomer:
    """Plays at tables of two, and says so at any other."""

    def __init__(self, name):
        self.name = name

    def act(self, game, seat):
        if game.seats != 2 and self.name != "greedy":
            raise CheckpointError("expected two seats")
        return int(game.legal_actions()[0])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory of its own, apart from the repository's checkpoints."""
    from kalooki_env import agents

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(agents, "__file__", str(tmp_path / "package" / "agents" / "__init__.py"))
    return tmp_path


def test_greedy_sits_down_where_there_is_no_checkpoint(folder):
    seated, name, told = opponents.choose(None, BRITISH, 3, seed=5)
    assert name == "greedy"
    assert told == "Your opponent: greedy (no checkpoint in runs/ or checkpoints/)."
    assert sorted(seated) == [1, 2]
    assert seated[1].name == seated[2].name == "greedy"


def test_a_checkpoint_that_cannot_be_loaded_is_passed_over_and_named(folder):
    (folder / "checkpoints").mkdir()
    (folder / "checkpoints" / "broken.safetensors").write_text("nothing")
    _, name, told = opponents.choose(None, BRITISH, 2, seed=5)
    assert name == "greedy"
    assert "broken was passed over" in told


def test_a_named_opponent_must_be_there(folder):
    with pytest.raises(AgentError, match="'nobody'"):
        opponents.choose("nobody", BRITISH, 2, seed=0)


def test_the_newest_checkpoint_sits_down(folder, monkeypatch):
    from kalooki_env import agents

    for age, path in enumerate(("runs/late/latest", "checkpoints/middle", "runs/old/latest")):
        file = folder / f"{path}.safetensors"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        os.utime(file, (1000 - age, 1000 - age))
    assert [name for name, _ in agents.checkpoints()] == ["late", "middle", "old"]
    assert agents.names() == ["random", "greedy", "late", "middle", "old"]
    monkeypatch.setattr(agents, "load", lambda name, seed: Newcomer(name))
    _, name, told = opponents.choose(None, BRITISH, 2, seed=5)
    assert name == "late"
    assert told.startswith("Your opponent: late, the newest checkpoint here (")


def test_a_checkpoint_that_does_not_fit_the_table_is_passed_over(folder, monkeypatch):
    from kalooki_env import agents

    (folder / "checkpoints").mkdir()
    (folder / "checkpoints" / "two.safetensors").touch()
    monkeypatch.setattr(agents, "load", lambda name, seed: Newcomer(name))
    _, name, told = opponents.choose(None, BRITISH, 3, seed=5)
    assert name == "greedy"
    assert "two was passed over: expected two seats" in told
    with pytest.raises(CheckpointError):
        opponents.choose("two", BRITISH, 3, seed=5)
