"""The vector environment plays the single environment's episodes, in many rows at once."""

import numpy as np
import pytest

from kalooki_env import agents
from kalooki_env.agents.base import LegalLists
from kalooki_env.agents.greedy import GreedyAgent
from kalooki_env.agents.random_agent import RandomAgent
from kalooki_env.vector import KalookiVectorEnv
from tests.env.rows import (
    MODES,
    NEXT_STEP,
    SHORT,
    TABLES,
    TINY,
    AskedGreedy,
    AskedRandom,
    check_against_library,
    play,
    same,
)


@pytest.mark.parametrize("table", TABLES)
def test_rows_are_single_environments(table):
    assert check_against_library(NEXT_STEP, 400, **TABLES[table]) >= 3


@MODES
@pytest.mark.parametrize("table", ["against greedy, first seat", "turn cap", "tiny match, chips"])
def test_every_autoreset_mode_ends_episodes_as_the_library_does(mode, table):
    assert check_against_library(mode, 300, **TABLES[table]) >= 3


@MODES
def test_illegal_actions_end_rows_as_they_end_single_environments(mode):
    assert check_against_library(mode, 150, illegal=0.05, seats=3, opponents="greedy") >= 10


def test_a_deal_of_a_match_that_ends_before_the_first_decision_is_paid_with_the_first_step():
    envs = KalookiVectorEnv(6, TINY, 4, "greedy", seat=0, episode="match")
    envs.reset(seed=0)
    paid, ended = 0, np.zeros(6, bool)
    early = np.zeros(6, bool)
    for _, (_, rewards, terminations, _, infos) in play(envs, 300):
        assert not rewards[ended].any()
        paid += (rewards[early] != 0).sum()
        early, ended = ended & (infos["winner"] >= 0), terminations
    assert paid > 3


def test_opponents_that_are_asked_choose_as_those_that_are_compiled_in():
    def trace(*opponents):
        envs = KalookiVectorEnv(5, SHORT, 4, opponents, episode="match", reward="chips")
        envs.reset(seed=3)
        return [result for _, result in play(envs, 150)]

    compiled = trace(RandomAgent(7), "greedy", RandomAgent(8))
    asked = trace(AskedRandom(7), AskedGreedy(), AskedRandom(8))
    shared = AskedRandom(7)
    other = trace(shared, "greedy", shared)
    for ours, theirs in zip(compiled, asked, strict=True):
        same(ours[0], theirs[0])
        same(ours[4], theirs[4])
        assert np.array_equal(ours[1], theirs[1])
    assert any(not np.array_equal(a[1], b[1]) for a, b in zip(compiled, other, strict=True))


def test_an_opponent_is_asked_for_choices_alone_and_for_many_rows_at_once():
    class Choosy(GreedyAgent):
        decisions = calls = 0

        def act_batch(self, games, rules, rows):
            _, counts = LegalLists()(games, rules, rows)
            assert (counts > 1).all()
            self.decisions += len(rows)
            self.calls += 1
            return super().act_batch(games, rules, rows)

    opponent = Choosy()
    envs = KalookiVectorEnv(50, seats=3, opponents=opponent)
    envs.reset(seed=0)
    list(play(envs, 20))
    assert opponent.decisions > 10 * opponent.calls


def test_a_checkpoint_may_sit_opposite():
    pytest.importorskip("torch")
    envs = KalookiVectorEnv(4, opponents=agents.load("british2"), illegal="raise")
    envs.reset(seed=0)
    assert len(list(play(envs, 20))) == 20
