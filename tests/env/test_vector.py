"""The vector environment plays the single environment's episodes, in many rows at once."""

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

from kalooki_env import Game, IllegalMove, RulesError, actions, agents, observation, testing
from kalooki_env.agents.base import LegalLists
from kalooki_env.agents.greedy import GreedyAgent
from kalooki_env.agents.random_agent import RandomAgent
from kalooki_env.single import KalookiEnv
from kalooki_env.vector import KalookiVectorEnv

NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode

SHORT = {"preset": "british", "out_above": 40}
TINY = {"preset": "british", "opening_points": 0, "hand_size": 3, "ranks": 5, "out_above": 60}
"""Deals that often end before the learner's first decision."""
TABLES = {
    "two seats, random": {},
    "against greedy, first seat": {"opponents": "greedy", "seat": 0},
    "three seats, win": {"seats": 3, "opponents": ["greedy", "random"], "reward": "win"},
    "five seats, chips": {"seats": 5, "reward": "chips", "opponents": "greedy"},
    "european": {"rules": "european", "seats": 4, "opponents": "greedy"},
    "contract": {"rules": "contract", "seats": 3, "opponents": "greedy", "reward": "win"},
    "north american": {"rules": "north_american", "opponents": "greedy"},
    "tiny deals": {"rules": TINY, "seats": 4, "opponents": "greedy"},
    "tiny deals, one turn": {"rules": {**TINY, "turn_cap": 1}, "seats": 3, "reward": "chips"},
    "tiny match": {"rules": TINY, "seats": 4, "episode": "match", "opponents": "greedy"},
    "tiny match, chips": {
        "rules": TINY,
        "seats": 4,
        "episode": "match",
        "reward": "chips",
        "opponents": "greedy",
    },
    "tiny match, win": {
        "rules": {**TINY, "buy_ins": 1},
        "seats": 4,
        "episode": "match",
        "reward": "win",
        "opponents": "greedy",
    },
    "tiny match, all losers out before, win": {
        "rules": {**TINY, "out_above": 30, "deals": 2, "buy_ins": 0},
        "seats": 3,
        "episode": "match",
        "reward": "win",
        "opponents": "greedy",
    },
    "tiny match with ties, win": {
        "rules": {**TINY, "match": "lowest", "out_above": None, "deals": 2, "buy_ins": 0},
        "seats": 4,
        "episode": "match",
        "reward": "win",
        "opponents": "greedy",
    },
    "turn cap": {"rules": {"preset": "british", "turn_cap": 6}, "seats": 3},
    "match": {"rules": SHORT, "seats": 3, "episode": "match", "opponents": "greedy"},
    "match, win": {"rules": SHORT, "episode": "match", "reward": "win", "opponents": "greedy"},
    "match, chips": {
        "rules": {**SHORT, "announce": "manual"},
        "seats": 4,
        "episode": "match",
        "reward": "chips",
        "opponents": ["greedy", "random", "greedy"],
    },
    "ring": {"rules": "ring51", "seats": 3, "episode": "match", "reward": "chips"},
    "tournament": {
        "rules": "tournament51",
        "seats": 3,
        "episode": "match",
        "reward": "win",
        "opponents": "greedy",
    },
}
MODES = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)


class AskedRandom(RandomAgent):
    """Not the built-in class, so the environment asks it."""


class AskedGreedy(GreedyAgent):
    """The same."""


def library(n, mode=NEXT_STEP, **arguments):
    """Make Gymnasium's own vector environment over single ones."""
    return SyncVectorEnv([lambda: KalookiEnv(**arguments)] * n, autoreset_mode=mode)


def choose(masks, rngs, illegal=0.0):
    """Choose an action for each row from its own stream, sometimes any."""
    return np.array(
        [
            int(rng.integers(actions.N)) if rng.random() < illegal else testing.sample(mask, rng)
            for mask, rng in zip(masks, rngs, strict=True)
        ]
    )


def streams(n):
    return [np.random.default_rng(i) for i in range(n)]


def play(envs, steps, illegal=0.0):
    """Play steps after a reset; yield the actions and what came back.

    With autoreset disabled, rows that have ended are dealt before the next step.
    """
    rngs = streams(envs.num_envs)
    for _ in range(steps):
        chosen = choose(envs.unwrapped.action_masks(), rngs, illegal)
        result = envs.step(chosen)
        yield chosen, result
        ended = result[2] | result[3]
        if ended.any() and envs.metadata["autoreset_mode"] is DISABLED:
            envs.reset(options={"reset_mask": ended})


def same(ours, theirs, where=""):
    """Check that two nested dicts of arrays are equal, types included."""
    assert sorted(ours) == sorted(theirs), where
    for key, value in ours.items():
        other = theirs[key]
        if isinstance(value, dict):
            same(value, other, f"{where}/{key}")
        elif value.dtype == object:
            assert [v is None for v in value] == [v is None for v in other]
            for i in np.flatnonzero(value):
                same(value[i], other[i], f"{where}/{key}[{i}]")
        else:
            assert value.dtype == other.dtype, f"{where}/{key}"
            assert np.array_equal(value, other), f"{where}/{key}: {value} != {other}"


def without_end_masks(infos_or_observations, ended):
    """Check that rows that have ended may only draw; return copies with zeros as elsewhere."""
    out = dict(infos_or_observations)
    masks = out["action_mask"].copy()
    assert (masks[ended].sum(axis=1) == 1).all() and masks[ended, actions.DRAW].all()
    masks[ended] = 0
    return out | {"action_mask": masks}


def same_results(ours, theirs, mode):
    """Check that both environments returned the same from a step, but for masks after an end."""
    observations, _, terminations, truncations, infos = ours
    ended = terminations | truncations
    if mode is SAME_STEP:
        infos = dict(infos)
        if ended.any():
            infos["final_info"] = without_end_masks(infos["final_info"], ended)
            infos["final_obs"] = infos["final_obs"].copy()
            for i in np.flatnonzero(ended):
                final = infos["final_obs"][i]
                assert final["action_mask"].nonzero()[0].tolist() == [actions.DRAW]
                infos["final_obs"][i] = final | {"action_mask": np.zeros_like(final["action_mask"])}
    else:
        observations = without_end_masks(observations, ended)
        infos = without_end_masks(infos, ended)
    same(observations, theirs[0], "observations")
    same(infos, theirs[4], "infos")
    for k in (1, 2, 3):
        assert ours[k].dtype == theirs[k].dtype and np.array_equal(ours[k], theirs[k])


def check_against_library(mode, steps, illegal=0.0, n=3, **arguments):
    """Play both environments with the same actions; return the episodes that ended."""
    envs = KalookiVectorEnv(n, autoreset_mode=mode, **arguments)
    others = library(n, mode, **arguments)
    ours, theirs = envs.reset(seed=11), others.reset(seed=11)
    same(ours[0], theirs[0], "observations")
    same(ours[1], theirs[1], "infos")
    episodes = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for chosen, result in play(envs, steps, illegal=illegal):
            same_results(result, others.step(chosen), mode)
            ended = result[2] | result[3]
            episodes += ended.sum()
            if mode is DISABLED and ended.any():
                others.reset(options={"reset_mask": ended.copy()})
    return episodes


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


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("own", [False, True])
def test_observations_lie_in_their_spaces(dtype, own):
    envs = KalookiVectorEnv(3, observation_dtype=dtype, copy=not own, opponents="greedy")
    envs.reset(seed=1)
    for chosen, result in play(envs, 60):
        assert envs.action_space.contains(chosen)
        assert envs.observation_space.contains(result[0])
        for i, row in enumerate(gymnasium.vector.utils.iterate(envs.observation_space, result[0])):
            assert envs.single_observation_space.contains(row), i


def test_float_observations_are_scaled():
    whole = KalookiVectorEnv(3, opponents="greedy", autoreset_mode="SameStep")
    scaled = KalookiVectorEnv(
        3, opponents="greedy", autoreset_mode="SameStep", observation_dtype="float32"
    )
    whole.reset(seed=2)
    scaled.reset(seed=2)
    ends = 0
    for chosen, (seen, *_, infos) in play(whole, 150):
        floats, *_, float_infos = scaled.step(chosen)
        assert np.array_equal(floats["observation"], seen["observation"] * observation.scales())
        assert np.array_equal(floats["action_mask"], seen["action_mask"])
        for i in np.flatnonzero(infos.get("_final_obs", ())):
            ends += 1
            final = infos["final_obs"][i]["observation"] * observation.scales()
            assert np.array_equal(float_infos["final_obs"][i]["observation"], final)
    assert ends


def arrays_of(value):
    """Return every array in nested dicts and arrays of dicts."""
    if isinstance(value, dict):
        return [array for each in value.values() for array in arrays_of(each)]
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [array for each in value if each is not None for array in arrays_of(each)]
    return [value]


@MODES
def test_nothing_returned_changes_later_and_nothing_written_matters(mode):
    envs = KalookiVectorEnv(3, SHORT, opponents="greedy", autoreset_mode=mode)
    untouched = KalookiVectorEnv(3, SHORT, opponents="greedy", autoreset_mode=mode)
    seen, infos = envs.reset(seed=5)
    untouched.reset(seed=5)
    kept, written = [], 0
    arrays = [*arrays_of(seen), *arrays_of(infos)]
    for chosen, expected in play(untouched, 120):
        kept += [(array, array.copy()) for array in arrays]
        result = envs.step(chosen)
        same(result[0], expected[0])
        same(result[4], expected[4])
        ended = result[2] | result[3]
        if mode is DISABLED and ended.any():
            again, infos = envs.reset(options={"reset_mask": ended})
            kept += [(array, array.copy()) for array in (*arrays_of(again), *arrays_of(infos))]
        arrays = [*arrays_of(result[0]), *result[1:4], *arrays_of(result[4])]
        if written < 60:  # what a caller does with its arrays is its own affair
            written += 1
            for array in arrays:
                array[...] = 1
    for array, as_returned in kept:
        assert np.array_equal(array, as_returned), "a returned array changed later"


def test_without_copy_the_arrays_are_the_environments_own():
    envs = KalookiVectorEnv(3, opponents="greedy", copy=False)
    fresh = KalookiVectorEnv(3, opponents="greedy")
    first, _ = envs.reset(seed=5)
    fresh.reset(seed=5)
    rewards = []
    for chosen, expected in play(fresh, 100):
        result = envs.step(chosen)
        same(result[0], expected[0])
        for key, array in result[0].items():
            assert array is first[key]
        rewards.append((result[1], expected[1]))
    for ours, theirs in rewards:
        assert np.array_equal(ours, theirs)


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


def test_with_auto_play_every_observation_has_a_choice():
    """The same game, without the decisions that are none."""
    arguments = {"seats": 3, "opponents": "greedy", "seat": 1, "reward": "win"}
    envs = KalookiVectorEnv(1, auto_play=True, autoreset_mode=SAME_STEP, **arguments)
    single = KalookiEnv(**arguments)
    envs.reset(seed=6)
    expected, _ = single.reset(seed=6)
    ends = 0

    def go_on(mask, done, paid):
        while not done and mask.sum() == 1:
            step = single.step(int(mask.argmax()))
            mask, done, paid = step[0]["action_mask"], step[2] or step[3], paid + step[1]
        return mask, done, paid

    go_on(expected["action_mask"], False, 0)
    for chosen, (seen, rewards, *ended, _) in play(envs, 150):
        assert (seen["action_mask"].sum(axis=1) > 1).all()
        step = single.step(int(chosen[0]))
        _, done, paid = go_on(step[0]["action_mask"], step[2] or step[3], step[1])
        assert (rewards[0], ended[0][0] or ended[1][0]) == (paid, done)
        if done:
            ends += 1
            first, _ = single.reset()
            go_on(first["action_mask"], False, 0)
        assert np.array_equal(single.game.observation(1), seen["observation"][0])
        assert np.array_equal(single.action_masks(), envs.action_masks()[0])
    assert ends > 1


def test_copies_and_pickles_go_on_like_the_original():
    envs = KalookiVectorEnv(3, SHORT, 3, ["greedy", AskedGreedy()], episode="match", copy=False)
    envs.reset(seed=8)
    list(play(envs, 10))
    copies = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs)), envs]

    def trace(each):
        return [(result[0]["observation"].copy(), result[1]) for _, result in play(each, 200)]

    traces = [trace(each) for each in copies]
    assert sum(reward.any() for _, reward in traces[2]) > 3
    for each in traces[:2]:
        for (seen, rewards), (other, paid) in zip(each, traces[2], strict=True):
            assert np.array_equal(seen, other) and np.array_equal(rewards, paid)


def test_ansi_shows_what_each_learner_sees():
    envs = gymnasium.make_vec("Kalooki-v0", num_envs=2, seats=3, render_mode="ansi")
    _, infos = envs.reset(seed=0)
    expected = tuple(envs.game(i).render(int(infos["seat"][i])) for i in range(2))
    assert envs.render() == expected
    envs.close()
    envs.close()
    silent = KalookiVectorEnv()
    silent.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert silent.render() is None


def test_make_vec_gives_the_native_environment_by_default():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = gymnasium.make_vec("kalooki_env:Kalooki-v0", num_envs=4, opponents="greedy")
        same_step = gymnasium.make_vec("Kalooki-v0", num_envs=2, autoreset_mode="SameStep")
    assert type(envs) is KalookiVectorEnv and envs.num_envs == 4
    assert envs.metadata["autoreset_mode"] is NEXT_STEP
    assert same_step.metadata["autoreset_mode"] is SAME_STEP
    named = gymnasium.make_vec("Kalooki-v0", vectorization_mode="vector_entry_point")
    assert type(named) is KalookiVectorEnv
    sync = gymnasium.make_vec("Kalooki-v0", num_envs=2, vectorization_mode="sync")
    assert type(sync) is SyncVectorEnv and type(sync.envs[0].unwrapped) is KalookiEnv
    assert sync.single_observation_space == envs.single_observation_space
    assert sync.action_space == KalookiVectorEnv(2).action_space
    assert sync.observation_space == KalookiVectorEnv(2).observation_space


def test_the_spec_survives_json():
    envs = gymnasium.make_vec("Kalooki-v0", num_envs=3, seats=3, autoreset_mode="Disabled")
    spec = gymnasium.envs.registration.EnvSpec.from_json(envs.spec.to_json())
    again = gymnasium.make_vec(spec)
    assert type(again) is KalookiVectorEnv and again.num_envs == 3
    assert again.metadata["autoreset_mode"] is DISABLED
    assert again.reset(seed=0)[1]["penalties"].shape == (3, 3)


@pytest.mark.parametrize("mode", [NEXT_STEP, SAME_STEP], ids=lambda mode: mode.value)
def test_the_librarys_statistics_count_our_episodes(mode):
    arguments = {"rules": SHORT, "opponents": "greedy", "episode": "match"}
    ours = wrappers.RecordEpisodeStatistics(
        KalookiVectorEnv(3, autoreset_mode=mode, **arguments), buffer_length=1000
    )
    theirs = wrappers.RecordEpisodeStatistics(library(3, mode, **arguments), buffer_length=1000)
    ours.reset(seed=9)
    theirs.reset(seed=9)
    for chosen, _ in play(ours, 250):
        theirs.step(chosen)
    assert len(ours.return_queue) > 3
    assert list(ours.return_queue) == list(theirs.return_queue)
    assert list(ours.length_queue) == list(theirs.length_queue)


def test_the_librarys_wrappers_go_around_it():
    envs = KalookiVectorEnv(2, opponents="greedy")
    envs = wrappers.DictInfoToList(wrappers.FlattenObservation(envs))
    seen, infos = envs.reset(seed=0)
    for _ in range(60):
        chosen = choose([info["action_mask"] for info in infos], streams(2))
        seen, _, _, _, infos = envs.step(chosen)
    assert seen.shape == (2, actions.N + observation.SIZE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs: expected a whole number from 1, got 0"),
        ({"num_envs": 2.0}, "num_envs: expected a whole number from 1, got 2.0"),
        ({"opponents": ["random"], "seats": 3}, "a list of 2 for 3 seats, got a list of 1"),
        ({"opponents": 3}, "opponents: expected names or objects"),
        ({"seat": 2}, "seat: expected None or 0-1, got 2"),
        ({"illegal": "ignore"}, "illegal: expected one of lose, raise"),
        ({"observation_dtype": "int8"}, "observation_dtype: expected one of uint8, float32"),
        ({"render_mode": "human"}, "render_mode: expected one of ansi, rgb_array, got 'human'"),
        ({"autoreset_mode": "Never"}, "one of NextStep, SameStep, Disabled, got 'Never'"),
        ({"seats": 9}, "seats: expected 2-5"),
    ],
)
def test_arguments_out_of_range_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        KalookiVectorEnv(**arguments)


def test_an_opponent_must_answer_in_batches():
    class Slow:
        def act(self, game, seat):
            return int(game.legal_actions()[0])

    with pytest.raises(ValueError, match=r"objects with act_batch\(games, rules, rows\)"):
        KalookiVectorEnv(opponents=Slow())
