"""Resets and steps of the vector environment: seeds, autoreset, refusals, opponents."""

import copy

import gymnasium
import numpy as np
import pytest

from kalooki_env import Game, IllegalMove, RulesError, actions
from kalooki_env.agents.greedy import GreedyAgent
from kalooki_env.single import KalookiEnv
from kalooki_env.vector import KalookiVectorEnv
from tests.env.rows import (
    DISABLED,
    MODES,
    NEXT_STEP,
    SAME_STEP,
    SHORT,
    choose,
    library,
    play,
    same,
    same_results,
    streams,
    without_end_masks,
)


def test_a_row_does_not_depend_on_the_others():
    def trace(n):
        envs = KalookiVectorEnv(n, seats=3, opponents=["greedy", "random"])
        envs.reset(seed=4)
        return [result for _, result in play(envs, 150)]

    for few, many in zip(trace(2), trace(9), strict=True):
        same(few[0], {key: array[:2] for key, array in many[0].items()})
        assert all(np.array_equal(few[k], many[k][:2]) for k in (1, 2, 3))


@MODES
@pytest.mark.parametrize("episode", ["deal", "match"])
def test_masks_are_never_empty_and_what_they_allow_is_accepted(mode, episode):
    envs = KalookiVectorEnv(
        8, SHORT, opponents="greedy", illegal="raise", autoreset_mode=mode, episode=episode
    )
    envs.reset(seed=0)
    ends = 0
    for _, result in play(envs, 200):
        masks, infos = result[0]["action_mask"], result[4]
        ended = result[2] | result[3]
        ends += ended.sum()
        assert masks.any(axis=1).all()
        assert np.array_equal(infos["action_mask"], masks)
        assert np.array_equal(envs.action_masks(), masks == 1)
        if mode is not SAME_STEP:
            assert (masks[ended].sum(axis=1) == 1).all()
        for i in np.flatnonzero(~ended):
            assert envs.game(i).to_move == infos["seat"][i]
    assert ends > 8


def test_a_seed_is_counted_up_from_row_to_row_and_settles_all_that_follows():
    def episodes(seed):
        envs = KalookiVectorEnv(3, seats=3, opponents="greedy")
        envs.reset(seed=seed)
        return [result[0]["observation"].copy() for _, result in play(envs, 100)]

    assert np.array_equal(episodes(5), episodes([5, 6, 7]))
    assert np.array_equal(episodes(np.int64(5)), episodes((5, 6, 7)))
    assert not np.array_equal(episodes(5), episodes(6))


def test_the_first_game_is_the_seeds_and_none_goes_on():
    envs = KalookiVectorEnv(2, seat=0)
    envs.reset(seed=12)
    assert envs.np_random_seed == (12, 13)
    for i in range(2):
        deal = Game(envs.rules, seats=2, seed=12 + i)
        assert envs.game(i).state["key"][0] == deal.state["key"][0]
    envs.reset(seed=[None, 13])
    assert envs.game(0).state["key"][0] != Game(envs.rules, seed=12).state["key"][0]
    assert envs.game(1).state["key"][0] == Game(envs.rules, seed=13).state["key"][0]
    single = KalookiEnv(seat=0)
    single.reset(seed=12)
    single.reset()
    assert envs.game(0) == single.game


def test_without_a_seed_rows_and_environments_differ():
    envs = [KalookiVectorEnv(2), KalookiVectorEnv(2)]
    for each in envs:
        each.reset()
    assert len({each.game(i).to_bytes() for each in envs for i in range(2)}) == 4
    assert len(set(envs[0].np_random_seed)) == len(envs[0].np_random) == 2


def test_some_rows_are_reset_as_the_library_resets_them():
    arguments = {"rules": {"preset": "british", "turn_cap": 5}, "opponents": "greedy"}
    envs, others = KalookiVectorEnv(4, **arguments), library(4, **arguments)
    envs.reset(seed=0)
    others.reset(seed=0)
    left_ended = 0
    for k, (chosen, result) in enumerate(play(envs, 120)):
        same_results(result, others.step(chosen), NEXT_STEP)
        ended = result[2] | result[3]
        if ended.any() or k % 5 == 0:
            mask = np.arange(4) == k % 4
            left_ended += (ended & ~mask).sum()
            options = {"reset_mask": mask}
            ours = envs.reset(seed=k, options=options)
            theirs = others.reset(seed=k, options={"reset_mask": mask.copy()})
            assert list(options) == ["reset_mask"]
            same(without_end_masks(ours[0], ended & ~mask), theirs[0])
            same(ours[1], theirs[1])
    assert left_ended > 5


def test_the_contract_of_the_first_deal_can_be_named():
    envs = KalookiVectorEnv(3, rules="contract", seats=3)
    envs.reset(seed=0, options={"deal": 7})
    assert [int(envs.game(i).state["deal"][0]) for i in range(3)] == [7, 7, 7]
    with pytest.raises(RulesError, match="deal from 1 to 9"):
        envs.reset(options={"deal": 10})
    with pytest.raises(RulesError, match="match plays its deals in order"):
        KalookiVectorEnv(rules="contract", episode="match").reset(options={"deal": 1})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"options": {"level": 1}}, "expected 'deal', 'reset_mask' or nothing, got 'level'"),
        ({"options": {"deal": "x"}}, "expected a whole number for 'deal'"),
        ({"options": {"reset_mask": [True, True]}}, r"a bool array of shape \(2,\), got \[True"),
        ({"options": {"reset_mask": np.ones(3, bool)}}, "'reset_mask' to be a bool array"),
        ({"options": {"reset_mask": np.ones(2)}}, "'reset_mask' to be a bool array"),
        ({"options": {"reset_mask": np.zeros(2, bool)}}, "'reset_mask' to name a row"),
        ({"seed": [1, 2, 3]}, "expected 2 seeds, one for each row, got 3"),
        ({"seed": -1}, "expected whole numbers from 0 or None, got -1"),
        ({"seed": [1, "2"]}, "expected whole numbers from 0 or None, got '2'"),
        ({"seed": True}, "expected whole numbers from 0 or None, got True"),
    ],
)
def test_a_reset_that_cannot_be_changes_nothing(arguments, message):
    envs = KalookiVectorEnv(2, seat=0)
    envs.reset(seed=1)
    before = [envs.game(i) for i in range(2)], copy.deepcopy(envs.np_random)
    with pytest.raises(ValueError, match=message):
        envs.reset(**arguments)
    assert [envs.game(i) for i in range(2)] == before[0]
    assert [stream.integers(99) for stream in envs.np_random] == [
        stream.integers(99) for stream in before[1]
    ]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ([0], r"whole numbers, one for each of 2 rows, got int64 of shape \(1,\)"),
        (0, r"got int64 of shape \(\)"),
        ([[0, 0]], r"got int64 of shape \(1, 2\)"),
        ([0.0, 0.0], r"got float64 of shape \(2,\)"),
        ([True, False], r"got bool of shape \(2,\)"),
        ([0, None], r"got object of shape \(2,\)"),
        (
            [actions.DRAW, actions.N],
            r"expected a legal action in row 1 \(0, 1\), got 1170; the mask",
        ),
        ([-1, actions.DRAW], r"expected a legal action in row 0 \(0\), got -1"),
        ([actions.DISCARD, actions.DRAW], r"expected a legal action in row 0 \(0\), got 1062"),
    ],
)
def test_a_step_that_cannot_be_changes_nothing_in_any_row(chosen, message):
    envs = KalookiVectorEnv(2, seat=0, illegal="raise")
    envs.reset(seed=1)
    before = [envs.game(i) for i in range(2)]
    with pytest.raises(IllegalMove, match=message):
        envs.step(chosen)
    assert [envs.game(i) for i in range(2)] == before
    envs.step(np.zeros(2, np.int32))
    assert all(envs.game(i) != before[i] for i in range(2))


def test_an_illegal_action_loses_its_row_alone():
    envs = KalookiVectorEnv(3, seat=0, opponents="greedy")
    others = KalookiVectorEnv(3, seat=0, opponents="greedy")
    for each in (envs, others):
        each.reset(seed=1)
    before = envs.game(1)
    with pytest.warns(UserWarning, match="illegal action.* in row 1 .* got 1062"):
        seen, rewards, terminations, truncations, infos = envs.step([0, actions.DISCARD, 0])
    expected = others.step([0, 0, 0])
    assert rewards.tolist() == [0, envs.illegal_reward, 0] and envs.illegal_reward == -1.48
    assert terminations.tolist() == infos["illegal"].tolist() == [False, True, False]
    assert not truncations.any() and envs.game(1) == before
    for i in (0, 2):
        assert np.array_equal(seen["observation"][i], expected[0]["observation"][i])


def test_steps_that_need_a_reset_first():
    envs = KalookiVectorEnv(2, {"preset": "british", "turn_cap": 1}, autoreset_mode=DISABLED)
    with pytest.raises(gymnasium.error.ResetNeeded, match="nothing has been dealt"):
        envs.step([0, 0])
    some = {"reset_mask": np.array([True, False])}
    with pytest.raises(gymnasium.error.ResetNeeded, match="a reset of all rows first"):
        envs.reset(options=some)
    envs.reset(seed=0)
    ended = np.zeros(2, bool)
    while not ended.any():
        _, _, terminated, cut, _ = envs.step(choose(envs.action_masks(), streams(2)))
        ended = terminated | cut
    rows = ", ".join(map(str, np.flatnonzero(ended)))
    with pytest.raises(gymnasium.error.ResetNeeded, match=rf"ended \({rows}\)"):
        envs.step([0, 0])
    envs.reset(options={"reset_mask": ended})
    envs.step(choose(envs.action_masks(), streams(2)))


def test_after_an_end_any_action_deals_anew():
    envs = KalookiVectorEnv(1, {"preset": "british", "turn_cap": 2}, illegal="raise")
    envs.reset(seed=0)
    for _, result in play(envs, 50):
        if result[3][0]:
            break
    last = envs.game(0)
    _, rewards, terminations, truncations, infos = envs.step([-7])
    assert envs.game(0).state["key"][0] != last.state["key"][0]
    assert not rewards.any() and not terminations.any() and not truncations.any()
    assert infos["winner"][0] == -1 and not infos["cut"][0]


class Bad(GreedyAgent):
    """An opponent that once, asked for row 2 alone, breaks off or plays what is not legal."""

    name = "bad"
    was_bad = False

    def __init__(self, fault):
        super().__init__()
        self.fault = fault

    def act_batch(self, games, rules, rows):
        chosen = super().act_batch(games, rules, rows)
        if rows.tolist() == [2] and not self.was_bad:
            self.was_bad = True
            if self.fault is None:
                raise KeyboardInterrupt
            chosen[0] = self.fault
        return chosen


@pytest.mark.parametrize("fault", [actions.N, -1, actions.BUY_IN])
def test_an_opponent_that_breaks_the_rules_is_named(fault):
    envs = KalookiVectorEnv(3, opponents=Bad(fault))
    envs.reset(seed=0)
    with pytest.raises(IllegalMove, match=rf"from bad in row 2, got {fault}: it does not play"):
        list(play(envs, 200))
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step([0, 0, 0])
    envs.reset(seed=0)
    envs.step(choose(envs.action_masks(), streams(3)))


def test_a_step_that_is_broken_off_needs_a_reset():
    envs = KalookiVectorEnv(3, opponents=Bad(None))
    envs.reset(seed=0)
    with pytest.raises(KeyboardInterrupt):
        list(play(envs, 200))
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step([0, 0, 0])
