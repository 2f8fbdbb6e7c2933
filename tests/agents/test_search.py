"""The search: worlds that a seat may imagine, options compared, and what it costs."""

import time

import numpy as np
import pytest

from kalooki_env import Game, Rules, agents
from kalooki_env.agents import AgentError
from kalooki_env.agents.base import LegalLists
from kalooki_env.agents.heuristic.agent import Thinking
from kalooki_env.agents.search import SearchAgent, rollout
from kalooki_env.agents.search import agent as search_agent
from kalooki_env.agents.search.agent import expected_gains
from kalooki_env.agents.search.policy import PolicySearchAgent
from kalooki_env.engine.layout import GAME, UNLIMITED, records
from training.heuristic.fit import outcomes
from training.heuristic.self_play import Ends, Samples


@pytest.mark.parametrize(
    ("preset", "seats"),
    [("british", 2), ("north_american", 4), ("contract", 3), ("ring51", 2), ("double_deck", 6)],
)
def test_it_plays_every_variant_and_does_not_look_at_hidden_cards(preset, seats):
    agent = agents.load("search:worlds=4,turns=1", seed=5)
    game = Game(Rules.preset(preset, turn_cap=400), seats, seed=8)
    for _ in range(30):
        seat = game.to_move
        choice = agent.act(game, seat)
        assert choice in game.legal_actions()
        other = game.determinize(seat, 1)
        other.state["key"], other.state["drawn"] = game.state["key"], game.state["drawn"]
        assert agent.act(other, seat) == choice
        game.play(choice)
        if game.over:
            break


def test_the_same_seed_plays_the_same_and_another_one_does_not():
    game = Game("british", 2, seed=1)

    def choices(seed):
        agent, now, made = SearchAgent(worlds=2, turns=1, doubt=1.0, seed=seed), game.clone(), []
        while not now.over and len(made) < 60:
            made.append(agent.act(now, now.to_move))
            now.play(made[-1])
        return made

    assert choices(1) == choices(1)
    assert choices(1) != choices(2)


def test_with_no_doubt_it_plays_as_the_heuristic_does():
    game, heuristic = Game("british", 2, seed=4), agents.load("heuristic")
    search = SearchAgent(worlds=2, turns=1, doubt=1e-6)
    while not game.over:
        choice = heuristic.act(game, game.to_move)
        assert search.act(game, game.to_move) == choice
        game.play(choice)


def test_a_time_limit_is_kept():
    agent, game = agents.load("search:seconds=0.2"), Game("british", 2, seed=1)
    agent.act(game, game.to_move)
    game.play("draw")
    start = time.perf_counter()
    agent.act(game, game.to_move)
    assert time.perf_counter() - start < 5.0


def test_two_measurements_of_a_gain_are_weighed_by_their_errors():
    worth = np.array([0.0, 0.0, -0.4])
    values = np.array([[0.5, 0.5, 0.4, 0.6], [0.6, 0.7, 0.5, 0.8], [0.7, 0.6, 0.5, 0.6]])
    sure, _ = expected_gains(worth, values, doubt=1e-6)
    open_minded, _ = expected_gains(worth, values, doubt=1e3)
    assert sure == pytest.approx([0, 0, 1 / (1 + np.exp(0.4)) - 0.5], abs=1e-6)
    assert open_minded == pytest.approx(values.mean(axis=1) - 0.5, abs=1e-6)
    between, error = expected_gains(worth, values, doubt=0.05)
    assert (sure[2] < between[2] < open_minded[2]) and (error <= 0.05).all()


def test_a_checkpoint_can_propose_and_play_the_worlds():
    agent = agents.load("search:policy=british2,worlds=4,options=3")
    game = Game("british", 2, seed=8)
    for _ in range(8):
        seat = game.to_move
        choice = agent.act(game, seat)
        assert choice in game.legal_actions()
        other = game.determinize(seat, 1)
        other.state["key"], other.state["drawn"] = game.state["key"], game.state["drawn"]
        assert agent.act(other, seat) == choice
        game.play(choice)


def test_an_option_that_is_only_just_behind_stays_to_the_last_world(monkeypatch):
    tried = []

    def alike(games, i, seat, options, alive, first, n, *others):
        values, rng = others[-1], np.random.default_rng(first)
        tried.append(alive.copy())
        luck = rng.normal(0.5, 0.2, n)
        for k in range(len(options)):
            values[k, first : first + n] = luck + rng.normal(0.0, 0.1, n) - 0.5 * (k == 2)

    monkeypatch.setattr(search_agent, "try_options", alike)
    agent = SearchAgent(worlds=64)
    agent._games[0] = Game("british", 2, seed=1).state[0]
    own = Thinking(Rules.preset("british"), 2)
    agent._best(own, np.array([1, 2, 3]), np.zeros(3), np.uint64(1))
    assert len(tried) == 4
    assert tried[-1].tolist() == [True, True, False]


def test_a_world_hides_what_the_others_drew_since_a_rebuild():
    game = Game("british", 2, seed=1)
    game.state["rebuilt"][:] = 1
    own, worlds, dealt = Thinking(game.rules, 2), records(2, GAME), records(1, GAME)
    rollout.deal_worlds(
        game.state, 0, 0, 1, np.uint64(3), 1, own.rules, own.tables, own.mind, own.work, own.scratch,
        worlds, dealt,
    )  # fmt: skip
    assert (dealt["rebuilt"][0, 0] == 1).all() and (dealt["rebuilt"][0, 1] == UNLIMITED).all()


def test_a_policy_without_a_favourite_proposes_all_the_same():
    class Flat:
        name = "flat"

        def probabilities(self, games, rules, rows):
            ids, counts = LegalLists()(games, rules, rows)
            return ids, np.where(np.arange(ids.shape[1]) < counts[:, None], 1 / 1170, 0.0)

        def act_batch(self, games, rules, rows):
            return agents.load("greedy").act_batch(games, rules, rows)

    game = Game("british", 2, seed=8)
    game.play("draw")
    assert PolicySearchAgent(Flat(), worlds=2).act(game, 0 + game.to_move) in game.legal_actions()


@pytest.mark.parametrize("given", [{"worlds": 2.5}, {"turns": True}, {"likely": -1}])
def test_an_option_of_another_type_is_refused_too(given):
    with pytest.raises(AgentError, match=r"expected .* from .* for search, got"):
        SearchAgent(**given)


@pytest.mark.parametrize("seats", [2, 4])
def test_an_outcome_is_what_the_weights_were_fitted_to(seats):
    game = Game("british", seats, seed=3)
    heuristic = agents.load("heuristic")
    while not game.over:
        game.play(heuristic.act(game, game.to_move))
    ends = Ends(game.state["winner"], game.state["penalties"][:, :seats])
    for seat in range(seats):
        sample = Samples(None, None, np.zeros(1, int), np.array([seat]))
        assert rollout.outcome(game.state[0], seat) == pytest.approx(outcomes(sample, ends)[0])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("search:world=4", "expected options of search as KEY=VALUE with worlds"),
        ("search:worlds=many", "got 'worlds=many'"),
        ("search:worlds=1", "expected worlds from 2 to 10000 for search, got 1"),
        (
            "search:worlds=1000000000000",
            "expected worlds from 2 to 10000 for search, got 1000000000000",
        ),
        ("search:likely=1000000000", "expected likely from 0 to 1000 for search"),
        ("search:turns=101", "expected turns from 1 to 100"),
        ("search:options=1000000", "expected options from 2 to 100"),
        ("search:seconds=inf", "expected seconds from 0 to 3600"),
        ("search:gap=-1", "expected gap from 0 to 1000"),
        (f"search:turns={'9' * 5000}", "got 'turns=9999999999"),
        ("search:policy=british2,worlds=100000", "expected worlds from 2 to 1000 for search"),
        ("search:policy=british2,options=1000", "expected options from 2 to 30 for search"),
        ("search:policy=greedy", "expected a checkpoint as policy of search, got greedy"),
        ("search:policy=greedy,turns=2", "with policy, worlds, options, margin, got 'turns=2'"),
        ("search:policy=british2,margin=-1", "expected margin from 0 to 1000"),
        ("search:doubt=nan", "expected doubt from 1e-06 to 1000"),
    ],
)
def test_a_wrong_option_is_refused_in_a_sentence(name, told):
    with pytest.raises(AgentError, match=told):
        agents.load(name)
