"""A seat's view is seen from that seat: it turns with the table and shows the last action."""

import gymnasium
import numpy as np
import pytest

from kalooki_env import Game, kalooki_v0, observation, testing
from kalooki_env.engine.layout import NO_SEAT
from kalooki_env.single import KalookiEnv
from kalooki_env.vector import KalookiVectorEnv

BY_SEAT = (
    "eliminated", "buy_ins", "opened", "barred", "announced", "hand_size", "penalties", "chips",
    "totals", "money", "held", "twice", "hand", "known", "thrown", "refused", "rebuilt",
    "fresh", "older", "match_winners",
)  # fmt: skip
SEAT_NUMBERS = ("to_move", "dealer", "winner")


def turn_table(game: Game, by: int) -> Game:
    """Return the same game with every seat moved clockwise."""
    turned = Game.from_bytes(game.to_bytes())
    record = turned.state[0]
    for field in BY_SEAT:
        record[field][: game.seats] = np.roll(record[field][: game.seats], by, axis=0)
    for field in SEAT_NUMBERS:
        seats = np.asarray(record[field])
        record[field] = np.where(seats == NO_SEAT, NO_SEAT, (seats + by) % game.seats)
    record["melds"]["owner"] = (record["melds"]["owner"] + by) % game.seats
    record["played"]["seat"] = (record["played"]["seat"] + by) % game.seats
    return turned


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_views_turn_with_the_table(seats):
    env = kalooki_v0.raw_env(seats=seats)
    env.reset(seed=seats)
    for number, _ in enumerate(testing.play(env, np.random.default_rng(0))):
        if number % 10:
            continue
        for by in range(1, seats):
            turned = turn_table(env.game, by)
            for seat in range(seats):
                seen = turned.observation((seat + by) % seats)
                assert np.array_equal(env.game.observation(seat), seen)
                mask = turned.action_mask((seat + by) % seats)
                assert np.array_equal(env.game.action_mask(seat), mask)


def test_every_seat_sees_the_position_after_the_action():
    env = kalooki_v0.raw_env(seats=3)
    env.reset(seed=2)
    hand, up_card = observation.block("hand"), observation.block("up_card")
    stock = observation.offset("piles")
    for _ in testing.play(env, np.random.default_rng(2)):
        record = env.game.state[0]
        top = record["discards"][record["n_discards"] - 1] if record["n_discards"] else None
        for seat, agent in enumerate(env.agents if not env.game.over else []):
            seen = env.observe(agent)["observation"]
            held = seen[hand.offset : hand.offset + hand.size]
            assert np.array_equal(held, record["hand"][seat])
            shown = np.flatnonzero(seen[up_card.offset : up_card.offset + up_card.size])
            assert shown.tolist() == ([] if top is None else [top])
            assert seen[stock] == record["n_stock"]


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_before_a_reset_there_is_nothing_to_render(mode):
    for env in (
        kalooki_v0.raw_env(render_mode=mode),
        KalookiEnv(render_mode=mode),
        KalookiVectorEnv(2, render_mode=mode),
    ):
        with pytest.raises(gymnasium.error.ResetNeeded, match=r"expected reset\(\), got render"):
            env.render()
