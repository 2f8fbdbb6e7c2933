"""Agents by name: what `agents.load` finds, and what it says when it finds nothing."""

import os

import numpy as np
import pytest

from kalooki_env import agents
from kalooki_env.agents import AgentError
from kalooki_env.agents.base import Agent
from kalooki_env.game import Game
from tests.damage import foreign


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_built_in_agents_are_agents_and_play_whole_deals(name):
    agent = agents.load(name, seed=1)
    assert isinstance(agent, Agent)
    assert agent.name == name
    game = Game("british", seats=3, seed=4)
    for _ in range(100_000):
        if game.over:
            break
        game.play(agent.act(game, game.to_move))
    assert game.over


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_the_batched_form_chooses_what_the_single_form_does(name):
    agent = agents.load(name, seed=1)
    games = [Game("british", seats=2, seed=seed) for seed in range(20)]
    for game in games:
        while game.phase == "draw":
            game.play(int(game.legal_actions()[0]))
    states = np.concatenate([game.state for game in games])
    before = states.tobytes()
    rows = np.array([3, 11, 7])
    chosen = agent.act_batch(states, games[0].rules, rows)
    assert chosen.tolist() == [agent.act(games[row], games[row].to_move) for row in rows]
    assert states.tobytes() == before


def test_an_unknown_name_lists_what_there_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "mine").mkdir(parents=True)
    (tmp_path / "runs" / "mine" / "latest.safetensors").touch()
    with pytest.raises(AgentError) as error:
        agents.load("gredy")
    assert str(error.value).startswith("expected an agent, got 'gredy': use random, greedy, ")
    assert "mine" in str(error.value)


def test_a_checkpoint_is_found_by_path_folder_and_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run, shipped = (
        tmp_path / name for name in ("runs/mine/latest.safetensors", "checkpoints/best.safetensors")
    )
    for path in (run, shipped):
        path.parent.mkdir(parents=True)
        path.touch()
    assert agents.find_checkpoint("mine").samefile(run)
    assert agents.find_checkpoint("runs/mine").samefile(run)
    assert agents.find_checkpoint(str(run)).samefile(run)
    assert agents.find_checkpoint("best").samefile(shipped)
    assert agents.find_checkpoint("checkpoints/best.safetensors").samefile(shipped)


def test_what_is_no_file_among_the_checkpoints_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place in ("checkpoints/{}.safetensors", "runs/{}/latest.safetensors"):
        for number, put in enumerate(foreign.FILES.values()):
            path = tmp_path / place.format(f"n{number}")
            path.parent.mkdir(parents=True, exist_ok=True)
            put(path)
        good = tmp_path / place.format("good" + place[0])
        good.parent.mkdir(exist_ok=True)
        good.touch()
    (tmp_path / "checkpoints" / "a\x1b[2Jb.safetensors").touch()
    (tmp_path / "runs" / "gone").symlink_to("nothing")
    names = agents.names()
    assert {"goodc", "goodr"} <= set(names)
    assert all(name.isprintable() for name in names)
    assert all(os.path.isfile(path) for _, path in agents.checkpoints())
    with pytest.raises(AgentError, match="goodc"):
        agents.load("gredy")


@pytest.mark.parametrize(
    "name",
    ["~nosuchuser", "~nosuchuser/x", "a\0b", "x" * 5000, "a/" * 3000, "~", "", "\ud800", "/"],
)
def test_names_that_no_file_has_are_refused_as_unknown(name):
    with pytest.raises(AgentError, match="expected an agent, got") as error:
        agents.load(name)
    assert len(str(error.value)) < 1000
