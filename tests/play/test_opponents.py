"""Who sits down when nobody is asked for."""

import json
import os

import pytest

from kalooki_env.agents import AgentError
from kalooki_env.errors import CheckpointError, KalookiError
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
    seated, names, told = opponents.choose(None, BRITISH, 3, seed=5)
    assert names == ("greedy", "greedy")
    assert told == "Your opponent: greedy (no checkpoint in runs/ or checkpoints/)."
    assert sorted(seated) == [1, 2]
    assert seated[1].name == seated[2].name == "greedy"


def test_a_checkpoint_that_cannot_be_loaded_is_passed_over_and_named(folder):
    (folder / "checkpoints").mkdir()
    (folder / "checkpoints" / "broken.safetensors").write_text("nothing")
    _, names, told = opponents.choose(None, BRITISH, 2, seed=5)
    assert names == ("greedy",)
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
    assert agents.names() == [*agents.BUILT_IN, "late", "middle", "old"]
    monkeypatch.setattr(agents, "load", lambda name, seed: Newcomer(name))
    _, names, told = opponents.choose(None, BRITISH, 2, seed=5)
    assert names == ("late",)
    assert told.startswith("Your opponent: late, the newest checkpoint here (")


def test_a_checkpoint_that_does_not_fit_the_table_is_passed_over(folder, monkeypatch):
    from kalooki_env import agents

    (folder / "checkpoints").mkdir()
    (folder / "checkpoints" / "two.safetensors").touch()
    monkeypatch.setattr(agents, "load", lambda name, seed: Newcomer(name))
    _, names, told = opponents.choose(None, BRITISH, 3, seed=5)
    assert names == ("greedy", "greedy")
    assert "two was passed over: expected two seats" in told
    with pytest.raises(CheckpointError):
        opponents.choose("two", BRITISH, 3, seed=5)


def test_every_seat_can_have_an_agent_of_its_own():
    seated = opponents.choose(["greedy", "random"], BRITISH, 3, seed=5)
    assert [seated.agents[seat].name for seat in (1, 2)] == ["greedy", "random"]
    assert seated.options == "--opponent greedy --opponent random"
    assert opponents.choose("random", BRITISH, 3, seed=5).options == "--opponent random"


def test_opponents_must_be_as_many_as_the_other_seats():
    with pytest.raises(KalookiError, match="for each of 3 seats, got 2"):
        opponents.choose(["greedy", "random"], BRITISH, 4, seed=5)


def test_what_an_agent_is_can_be_told_without_loading_it(folder):
    assert opponents.about("random") == "any legal move"
    (folder / "checkpoints").mkdir()
    (folder / "checkpoints" / "broken.safetensors").write_text("nothing")
    assert opponents.about("broken") == "a checkpoint that can't be read"
    header = {"rules": BRITISH.to_dict(), "seats": 2, "decisions": 4_000_000}
    data = json.dumps({"__metadata__": {"kalooki": json.dumps(header)}}).encode()
    path = folder / "checkpoints" / "whole.safetensors"
    path.write_bytes(len(data).to_bytes(8, "little") + data)
    assert opponents.about("whole") == "british, 2 seats, 4.0 M moves"


def test_an_agent_is_found_from_another_folder_too(folder):
    (folder / "checkpoints").mkdir()
    path = folder / "checkpoints" / "late.safetensors"
    path.touch()
    assert opponents.lasting("late") == str(path)
    assert opponents.lasting("greedy") == "greedy"
