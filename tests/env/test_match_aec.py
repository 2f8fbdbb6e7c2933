"""A match in the AEC environment: seats that are put out leave, buy-ins are moves, all is paid."""

import warnings
from collections import Counter

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from kalooki_env import actions, agents, kalooki_v0, testing
from kalooki_env.rules import PRESETS

TABLES = [
    ("british", 3),
    ("british", 4),
    ("british", 5),
    ("tournament51", 3),
    ("tournament51", 4),
]
QUICK = {
    "preset": "british",
    "opening_points": 0,
    "ranks": 7,
    "hand_size": 3,
    "out_above": 50,
    "buy_ins": 2,
}
"""A small pack and hands of three cards: deals end soon, also where everybody plays at random."""


def matches(rules, seats, reward="points", count=6):
    """Yield environments of matches that were just reset."""
    for seed in range(count):
        env = kalooki_v0.raw_env(rules, seats, episode="match", reward=reward)
        env.reset(seed=seed)
        yield env


def greedy_steps(env):
    """Play greedy in every seat to the end of the match; yield the agent before each step.

    Sent is the action it plays, None for a seat that has left; greedy buys in whenever it may.
    """
    player = agents.load("greedy")
    while env.agents:
        agent = env.agent_selection
        is_done = env.terminations[agent] or env.truncations[agent]
        action = None if is_done else player.act(env.game, env.game.to_move)
        yield agent, action
        env.step(action)


def seats_out(env):
    """Return the agents whose seats are out of the match, by the game's own record."""
    record = env.game.state[0]
    return [
        agent for seat, agent in enumerate(env.possible_agents) if record["eliminated"][seat] == 1
    ]


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_a_seat_that_is_put_out_leaves_at_once(rules, seats):
    left_early = 0
    for env in matches(rules, seats):
        gone = set()
        for agent, action in greedy_steps(env):
            assert agent not in gone, f"{agent} was selected after it had left"
            if env.game.over:
                assert action is None
                continue
            out = set(seats_out(env)) - gone
            if action is None:
                assert agent in out, f"{agent} leaves a match in which it still sits"
                assert env.last()[2:4] == (True, False)
                gone.add(agent)
                left_early += 1
            else:
                assert not out, f"expected {out} to leave first, got a move of {agent}"
                assert set(env.agents) == set(env.possible_agents) - gone
    assert left_early >= 3


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_who_has_left_is_gone_from_every_mapping(rules, seats):
    for env in matches(rules, seats, count=2):
        for agent, action in greedy_steps(env):
            kept = set(env.agents)
            for name in ("rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
                assert set(getattr(env, name)) == kept, f"{name}, {agent} about to move"
            if action is None:
                assert not env.observe(agent)["action_mask"].any()
        assert not env.agents


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_every_seat_takes_one_last_step_and_the_others_go_on(rules, seats):
    for env in matches(rules, seats, count=3):
        last = Counter(agent for agent, action in greedy_steps(env) if action is None)
        assert last == Counter(env.possible_agents)


@pytest.mark.parametrize("reward", ["points", "win", "chips"])
@pytest.mark.parametrize(("rules", "seats"), [("british", 4), ("tournament51", 3)])
def test_what_last_returns_is_all_that_was_paid(rules, seats, reward):
    for env in matches(rules, seats, reward, count=4):
        seen = dict.fromkeys(env.possible_agents, 0.0)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        for agent, _ in greedy_steps(env):
            seen[agent] += env.last()[1]
            for other, amount in env.rewards.items():
                paid[other] += amount
        assert seen == pytest.approx(paid)
        assert sum(seen.values()) == pytest.approx(0)


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_a_match_is_won_by_one_and_lost_by_the_others(rules, seats):
    for env in matches(rules, seats, "win", count=3):
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent, _ in greedy_steps(env):
            total[agent] += env.last()[1]
        winner = env.possible_agents[env.game.result["match_winner"]]
        assert total.pop(winner) == pytest.approx(1)
        assert list(total.values()) == pytest.approx([-1 / (seats - 1)] * (seats - 1))


def test_who_is_put_out_learns_its_penalty_in_its_last_step():
    for env in matches("british", 3, count=6):
        for agent, action in greedy_steps(env):
            if action is None and not env.game.over:
                seat = env.possible_agents.index(agent)
                assert env.game.state["totals"][0, seat] > 150
                assert env.last()[1] < 0
                assert env.rewards[agent] <= 0


@pytest.mark.parametrize("seats", [3, 5])
def test_chips_and_the_pool_sum_to_zero_at_every_payment(seats):
    for env in matches("british", seats, "chips"):
        total = np.zeros(seats)
        paid = False
        for _ in greedy_steps(env):
            for agent, amount in env.rewards.items():
                total[env.possible_agents.index(agent)] += amount
            if paid := paid or any(env.rewards.values()):
                assert total.sum() == -env.game.state["pool"][0]
                assert total.tolist() == env.game.state["money"][0, :seats].tolist()
        assert total.sum() == 0


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_buy_in_is_a_decision_of_the_seat_concerned(seats):
    decisions = Counter()
    for env in matches("british", seats, "chips", count=8):
        before = None
        for agent, action in greedy_steps(env):
            game = env.game
            if before is not None:
                _check_buy_in(env, *before)
                before = None
            if game.phase != "buy_in" or action is None:
                continue
            seat = env.possible_agents.index(agent)
            assert game.to_move == seat and game.state["totals"][0, seat] > 150
            legal = np.flatnonzero(env.observe(agent)["action_mask"]).tolist()
            assert legal == [actions.BUY_IN, actions.DROP_OUT]
            others = set(env.agents) - {agent}
            assert not any(env.observe(other)["action_mask"].any() for other in others)
            before = (agent, game.state["money"][0, seat], game.state["buy_ins"][0, seat])
            decisions[agent] += 1
    assert len(decisions) == seats, "every seat was asked in some match"


def _check_buy_in(env, agent, money, buy_ins):
    """Greedy has bought in: the seat has paid, stands within the limit and stays."""
    record, seat = env.game.state[0], env.possible_agents.index(agent)
    assert record["money"][seat] == money - env.rules.buy_in
    assert record["buy_ins"][seat] == buy_ins + 1
    assert record["totals"][seat] <= 150
    assert agent in env.agents and not env.terminations[agent]
    assert env.rewards[agent] == -env.rules.buy_in


@pytest.mark.parametrize("seats", [3, 5])
def test_who_drops_out_leaves(seats):
    dropped = 0
    for env in matches(QUICK, seats, count=10):
        player = agents.load("greedy")
        while env.agents:
            agent = env.agent_selection
            if env.terminations[agent]:
                env.step(None)
            elif env.game.phase == "buy_in":
                env.step(actions.DROP_OUT)
                assert env.agent_selection == agent and env.terminations[agent]
                env.step(None)
                assert agent not in env.agents and len(env.agents) >= 2
                dropped += 1
            else:
                env.step(player.act(env.game, env.game.to_move))
    assert dropped > 5


def test_a_reset_brings_everybody_back():
    env = next(matches("british", 4))
    for _ in greedy_steps(env):
        if len(env.agents) < 4:
            break
    env.reset(seed=1)
    assert env.agents == env.possible_agents
    assert not any(env.terminations.values())
    assert env.agent_selection == env.possible_agents[env.game.to_move]


@pytest.mark.parametrize("check", ["check_rewards", "check_life_cycle", "check_copies"])
def test_the_contract_holds_where_seats_leave(check):
    getattr(testing, check)(
        lambda: kalooki_v0.env(QUICK, seats=4, episode="match", reward="chips"), seed=3
    )


@pytest.mark.parametrize("rules", [*PRESETS, "quick"])
def test_the_library_tests_pass_for_matches(rules):
    arguments = {"rules": QUICK if rules == "quick" else rules, "seats": 3, "episode": "match"}
    with warnings.catch_warnings():
        # Dict observations, the made-up option, and zero masks at the end of an episode.
        warnings.simplefilter("ignore", UserWarning)
        api_test(kalooki_v0.env(**arguments), num_cycles=2000 if rules == "quick" else 300)
    seed_test(lambda: kalooki_v0.env(**arguments), num_cycles=60)
