"""The AEC environment keeps its contract: what the library's own tests do not see."""

import numpy as np
import pytest

from kalooki_env import Game, IllegalMove, Rules, RulesError, actions, kalooki_v0, testing

TABLES = {
    "british, 2 seats": {"seats": 2},
    "british, 3 seats, win": {"seats": 3, "reward": "win"},
    "british, 5 seats, chips": {"seats": 5, "reward": "chips"},
    "kalooki40, 4 seats": {"rules": "kalooki40", "seats": 4},
    "announcing by hand": {"rules": {"preset": "british", "announce": "manual"}, "seats": 3},
    "contract, 3 seats": {"rules": "contract", "seats": 3},
    "a short match for chips": {
        "rules": {"preset": "british", "out_above": 40},
        "seats": 3,
        "episode": "match",
        "reward": "chips",
    },
}
CHECKS = [
    getattr(testing, name)
    for name in testing.__all__
    if name.startswith("check_") and "single" not in name and name != "check_aec"
]


@pytest.mark.parametrize("make", [kalooki_v0.env, kalooki_v0.raw_env])
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract(check, table, make):
    check(lambda: make(**TABLES[table]), seed=11)


def test_the_checks_find_a_reused_array():
    class Reusing(kalooki_v0.raw_env):
        def observe(self, agent):
            self.buffer = getattr(self, "buffer", super().observe(agent))
            self.buffer.update(super().observe(agent) | {"observation": self.buffer["observation"]})
            self.buffer["observation"][:] = super().observe(agent)["observation"]
            return dict(self.buffer)

    with pytest.raises(AssertionError, match="share memory"):
        testing.check_fresh_arrays(Reusing)


def test_the_checks_find_a_mask_of_the_wrong_seat():
    class Careless(kalooki_v0.raw_env):
        def observe(self, agent):
            return super().observe(agent) | {
                "action_mask": super().observe(self.agent_selection)["action_mask"]
            }

    with pytest.raises(AssertionError, match="no legal action for"):
        testing.check_observations(Careless)


def test_the_checks_find_a_shown_hand():
    class Leaking(Game):
        def observation(self, seat):
            return super().observation((seat + 1) % self.seats)

    def leaking_env():
        env = kalooki_v0.raw_env(seats=2)
        reset = env.reset

        def reset_and_leak(*args, **kwargs):
            reset(*args, **kwargs)
            env.game.__class__ = Leaking

        env.reset = reset_and_leak
        return env

    with pytest.raises(AssertionError, match="sees hidden cards in hand"):
        testing.check_hidden_cards(leaking_env)


def test_a_seed_deals_what_the_game_deals():
    env = kalooki_v0.raw_env(seats=3)
    env.reset(seed=7)
    game = Game(env.rules, seats=3, seed=7)
    assert env.game.to_bytes() == game.to_bytes()
    assert env.agent_selection == f"seat_{game.to_move}"


def test_a_seat_that_never_acted_learns_what_it_lost():
    env = kalooki_v0.raw_env(seats=3)
    env.reset(seed=0)
    env._episode.game = Game.from_position(
        {
            "rules": "british",
            "hands": ["JS QS KS AS 2C", "KH 9D", "AC 3D"],
            "phase": "play",
        },
        episode="deal",
    )
    env.agent_selection = "seat_0"
    env.step(actions.encode(env.game, "meld JS QS KS AS")[0])
    assert env.rewards == {"seat_0": 0, "seat_1": 0, "seat_2": 0}
    env.step(actions.encode(env.game, "discard 2C")[0])
    last = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        assert terminated and not truncated
        last[agent] = reward
        env.step(None)
    assert last == pytest.approx({"seat_0": 0.33, "seat_1": -0.19, "seat_2": -0.14})


@pytest.mark.parametrize(
    ("reward", "expected"),
    [("points", [0.33, -0.19, -0.14]), ("win", [1, -0.5, -0.5]), ("chips", [2, -1, -1])],
)
def test_rewards_of_a_deal_by_hand(reward, expected):
    env = kalooki_v0.raw_env(seats=3, reward=reward)
    env.reset(seed=0)
    env._episode.game = Game.from_position(
        {
            "rules": "british",
            "hands": ["JS 2C", "KH 9D", "AC 3D"],
            "phase": "play",
            "opened": [True, False, False],
            "table": ["7S 8S 9S TS"],
        },
        episode="deal",
    )
    env.agent_selection = "seat_0"
    env.step(actions.encode(env.game, "add JS @1")[0])
    env.step(actions.encode(env.game, "discard 2C")[0])
    assert list(env.rewards.values()) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(4))
def test_chips_of_a_match_sum_to_the_ledgers(seed):
    env = kalooki_v0.env(seats=3, episode="match", reward="chips")
    total, _ = play_match(env, seed)
    money = env.unwrapped.game.state["money"][0, :3]
    assert total == pytest.approx(money.tolist())
    assert sum(total) == 0


@pytest.mark.parametrize("seed", range(4))
def test_win_of_a_match_is_paid_to_each_seat_once_when_it_leaves(seed):
    env = kalooki_v0.env(seats=3, episode="match", reward="win")
    total, payments = play_match(env, seed)
    assert sorted(total) == [-0.5, -0.5, 1.0]
    assert total[env.unwrapped.game.result["match_winner"]] == 1.0
    assert 1 <= payments <= 2


@pytest.mark.parametrize("seed", range(4))
def test_points_of_a_match_are_paid_at_the_end_of_each_deal(seed):
    env = kalooki_v0.env(seats=3, episode="match")
    total, payments = play_match(env, seed)
    record = env.unwrapped.game.state[0]
    assert sum(total) == pytest.approx(0)
    assert payments == record["deal"], "one payment for each deal that was won"


def play_match(env, seed):
    """Play a match; return what each seat got and how many steps paid something."""
    env.reset(seed=seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    payments = 0
    for step in testing.play(env, np.random.default_rng(seed)):
        total[step.agent] += step.reward
        payments += any(env.rewards.values())
    return list(total.values()), payments


def test_seats_that_share_a_match_share_the_win():
    env = kalooki_v0.raw_env(
        {"preset": "kalooki40", "deals": 1}, seats=3, episode="match", reward="win"
    )
    env.reset(seed=0)
    env.game.state["match_over"] = 1
    env.game.state["match_winners"][0, :3] = [1, 0, 1]
    assert env._episode._win(env.game.state[0]) == [0.5, -1.0, 0.5]


def test_the_option_deal_names_the_contract():
    env = kalooki_v0.raw_env("contract", seats=3)
    for deal in (1, 3, 9):
        env.reset(seed=0, options={"deal": deal})
        assert env.game.state["deal"][0] == deal
        assert env.game.state["hand_size"][0, 0] == env.rules.hand_size_for(3, deal)
    env.reset(seed=0)
    assert 1 <= env.game.state["deal"][0] <= 9
    for deal in (10, 0, "3"):
        with pytest.raises(RulesError, match="deal"):
            env.reset(seed=0, options={"deal": deal})


def test_a_deal_at_the_turn_cap_is_truncated_and_pays_nothing():
    env = kalooki_v0.env(Rules.preset("british", turn_cap=6), seats=2)
    env.reset(seed=1)
    steps = list(testing.play(env, np.random.default_rng(1)))
    assert [(step.terminated, step.truncated) for step in steps[-2:]] == [(False, True)] * 2
    assert not any(step.truncated for step in steps[:-2])
    assert all(step.reward == 0 for step in steps)
    assert env.unwrapped.game.truncated and env.unwrapped.game.state["turn"][0] == 6


def test_environments_cut_at_400_turns_where_the_rules_name_no_cap():
    assert kalooki_v0.raw_env().rules.turn_cap == 400
    assert kalooki_v0.raw_env(Rules.preset("british", turn_cap=30)).rules.turn_cap == 30


def test_an_illegal_move_says_why_and_changes_nothing():
    env = kalooki_v0.raw_env(seats=2)
    env.reset(seed=3)
    before = env.game.to_bytes()
    for action in (actions.N, -1, "draw", None, 3.0):
        with pytest.raises(IllegalMove):
            env.step(action)
    with pytest.raises(IllegalMove, match="discard"):
        env.step(actions.DISCARD)
    assert env.game.to_bytes() == before


def test_an_illegal_move_costs_the_worst_loss_of_a_deal():
    assert kalooki_v0.raw_env(seats=2).illegal_reward == -1.48
    assert kalooki_v0.raw_env(seats=2, reward="win").illegal_reward == -1
    env = kalooki_v0.env(seats=2)
    env.reset(seed=3)
    loser = env.agent_selection
    env.step(actions.DISCARD)
    assert {env.last()[1] for _ in env.agents if env.agent_selection == loser} <= {-1.48, 0}
    rewards = {}
    for agent in env.agent_iter():
        rewards[agent] = env.last()[1]
        env.step(None)
    assert rewards.pop(loser) == -1.48 and list(rewards.values()) == [0]


def test_an_action_for_a_finished_agent_is_refused():
    env = kalooki_v0.raw_env(seats=2)
    env.reset(seed=3)
    for step in testing.play(env, np.random.default_rng(0)):
        if step.action is None:
            with pytest.raises(ValueError, match="None"):
                env.step(0)
    with pytest.raises(ValueError, match="expected reset"):
        env.step(0)


def test_an_unknown_option_is_named():
    env = kalooki_v0.raw_env()
    with pytest.warns(UserWarning, match="expected 'deal' or nothing, got 'deals'"):
        env.reset(seed=0, options={"deals": 3})


def test_options_are_left_as_they_are():
    options = {"deal": 1}
    kalooki_v0.raw_env().reset(seed=0, options=options)
    assert options == {"deal": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seats": 9}, "seats: expected 2-5"),
        ({"rules": "brittish"}, "british"),
        ({"reward": "score"}, "reward: expected one of points, win, chips, got 'score'"),
        ({"episode": "round"}, "episode: expected one of deal, match, got 'round'"),
        ({"render_mode": "video"}, "render_mode: expected one of ansi, human, rgb_array, got"),
        ({"rules": "kalooki40", "reward": "chips"}, "without stakes"),
        ({"rules": "tournament51", "reward": "chips"}, "episode='match'"),
    ],
)
def test_arguments_out_of_range_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        kalooki_v0.env(**arguments)
    with pytest.raises(ValueError, match=message):
        kalooki_v0.raw_env(**arguments)


def test_rules_errors_are_rules_errors():
    with pytest.raises(RulesError):
        kalooki_v0.env("kalooki40", reward="chips")


def test_observe_names_the_agents():
    env = kalooki_v0.raw_env(seats=2)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="seat_0, seat_1, got 'player_0'"):
        env.observe("player_0")


def test_spaces_are_the_same_object_and_one_for_each_agent():
    env = kalooki_v0.env(seats=3)
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
    assert len({id(env.action_space(agent)) for agent in env.possible_agents}) == 3


def test_state_is_what_all_seats_know_together():
    env = kalooki_v0.raw_env(seats=3)
    env.reset(seed=0)
    parts = [env.observe(agent)["observation"] for agent in env.agents]
    assert np.array_equal(env.state(), np.concatenate(parts))


def test_ansi_shows_the_seat_to_move_its_own_hand():
    env = kalooki_v0.env(seats=2, render_mode="ansi")
    env.reset(seed=0)
    game = env.unwrapped.game
    assert env.render() == game.render(game.to_move)


def test_human_prints_after_every_step(capsys):
    env = kalooki_v0.env(seats=2, render_mode="human")
    env.reset(seed=0)
    assert capsys.readouterr().out.strip()
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert capsys.readouterr().out.strip()
    assert env.render() is None
