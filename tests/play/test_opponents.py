"""Who sits down, and what the opponents are called."""

import json

import pytest

from kalooki_env.agents import BUILT_IN, AgentError
from kalooki_env.errors import CheckpointError, KalookiError
from kalooki_env.play import opponents, players
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


def test_a_strong_player_sits_down_where_nobody_is_asked_for(folder):
    (folder / "checkpoints").mkdir()
    (folder / "checkpoints" / "broken.safetensors").write_text("nothing")
    others = opponents.choose(None, BRITISH, 3, seed=5)
    assert others.names == ("heuristic", "heuristic")
    assert others.told == "Your opponents: Veteran 1, Veteran 2 (heuristic)."
    assert others.called == {1: "Veteran", 2: "Veteran"}
    assert [others.agents[seat].name for seat in (1, 2)] == ["heuristic", "heuristic"]


def test_opponents_are_told_as_the_table_calls_them_and_as_commands_do(folder):
    names = ["greedy", "heuristic", "greedy", "random"]
    told = opponents.choose(names, BRITISH, 5, seed=5).told
    assert told == (
        "Your opponents: Beginner 1, Beginner 2 (greedy), Veteran (heuristic), Dice (random)."
    )


def test_a_named_opponent_must_be_there(folder):
    with pytest.raises(AgentError, match="'nobody'"):
        opponents.choose("nobody", BRITISH, 2, seed=0)


def test_a_checkpoint_that_does_not_fit_the_table_says_so_before_the_deal(folder, monkeypatch):
    from kalooki_env import agents

    (folder / "checkpoints").mkdir()
    (folder / "checkpoints" / "two.safetensors").touch()
    monkeypatch.setattr(agents, "load", lambda name, seed: Newcomer(name))
    assert opponents.choose("two", BRITISH, 2, seed=5).told == "Your opponent: two."
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


def test_who_an_agent_is_can_be_told_without_loading_it(folder):
    assert players.about("random").title == "Dice"
    (folder / "checkpoints").mkdir()
    (folder / "checkpoints" / "broken.safetensors").write_text("nothing")
    assert players.about("broken").strength == "can't be read"
    header = {"rules": BRITISH.to_dict(), "seats": 2, "decisions": 4_000_000}
    data = json.dumps({"__metadata__": {"kalooki": json.dumps(header)}}).encode()
    path = folder / "checkpoints" / "whole.safetensors"
    path.write_bytes(len(data).to_bytes(8, "little") + data)
    assert players.about("whole") == (
        "whole",
        "taught itself british, 2 seats",
        "taught itself in 4.0 million moves; it knows british, 2 seats best.",
    )


def test_every_agent_that_is_built_in_has_a_name_and_a_strength_in_words():
    for name in BUILT_IN:
        player = players.about(name)
        assert player.title == players.title(name) != name
        assert player.line.endswith(".")
    assert players.title("search:worlds=4") == "Thinker"
    assert players.title("runs/mine", "mine") == "mine"


def test_an_agent_is_found_from_another_folder_too(folder):
    (folder / "checkpoints").mkdir()
    path = folder / "checkpoints" / "late.safetensors"
    path.touch()
    assert opponents.lasting("late") == str(path)
    assert opponents.lasting("greedy") == "greedy"
