"""What a game hands out is the caller's, what it remembers is right, in copies and threads too."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from kalooki_env import Batch, Game, IllegalMove, RulesError, actions, agents
from kalooki_env.agents.base import uniform, uniforms
from kalooki_env.testing import sample


def positions(seed, seats=3, rules="british", steps=250):
    """Yield a game before each of its decisions, and play it at random, laying what can be laid."""
    rng = np.random.default_rng(seed)
    game = Game(rules, seats, seed=seed)
    for _ in range(steps):
        if game.over:
            return
        yield game
        game.play(sample(game.action_mask(game.to_move), rng))


def answers(game):
    """Return everything that the seats can ask, in plain values."""
    masks = [game.action_mask(seat).tobytes() for seat in range(game.seats)]
    seen = [game.observation(seat).tobytes() for seat in range(game.seats)]
    return masks, seen, game.legal_actions().tolist(), game.to_move, game.over


@pytest.mark.parametrize("rules", ["british", "kalooki40", "contract"])
def test_a_game_that_remembers_answers_like_one_that_does_not(rules):
    for game in positions(1, rules=rules):
        fresh = Game.from_bytes(game.to_bytes())
        assert answers(game) == answers(fresh)


def test_one_look_is_the_mask_and_the_observation():
    for game in positions(2):
        for seat in range(game.seats):
            for known in (False, True):
                other = Game.from_bytes(game.to_bytes())
                if known:
                    other.legal_actions()
                mask, seen = other.look(seat)
                Game("kalooki40", seed=1).legal_actions()  # in the same scratch space
                assert mask.dtype == np.int8 and seen.dtype == np.uint8
                assert np.array_equal(mask, game.action_mask(seat))
                assert np.array_equal(seen, game.observation(seat))
                assert np.array_equal(
                    other.legal_actions(), np.flatnonzero(game.action_mask(game.to_move))
                )


def test_arrays_stay_as_they_were_and_writing_into_them_changes_nothing():
    kept = []
    for game in positions(3):
        look = Game.from_bytes(game.to_bytes()).look(game.to_move)
        arrays = [game.legal_actions(), *game.look(game.to_move), *look]
        again = [game.legal_actions(), *game.look(game.to_move)]
        kept += [(array, array.copy()) for array in arrays]
        Game("kalooki40", seed=1).legal_actions()  # in the same scratch space
        assert np.array_equal(game.legal_actions(), arrays[0])
        for array in again:
            array.fill(77)
    for array, as_returned in kept:
        assert np.array_equal(array, as_returned), "a returned array changed later"


def test_a_clone_goes_its_own_way():
    for game in positions(4):
        before = answers(game)
        clone = game.clone()
        for action in reversed(game.legal_actions().tolist()):
            clone = game.clone()
            clone.play(action)
        assert not np.shares_memory(clone.state, game.state)
        assert answers(clone) == answers(Game.from_bytes(clone.to_bytes()))
        assert answers(game) == before


def test_what_is_not_legal_is_refused_and_changes_nothing():
    for game in positions(5, steps=40):
        before = game.to_bytes()
        illegal = np.flatnonzero(game.action_mask(game.to_move) == 0)
        for action in (
            int(illegal[0]),
            illegal[-1],
            -1,
            actions.N,
            2**70,
            -(2**70),
            True,
            1.0,
            None,
        ):
            with pytest.raises(IllegalMove):
                game.play(action)
        assert game.to_bytes() == before


def test_whole_numbers_of_every_type_are_taken():
    for number in (int, np.int8, np.uint8, np.int16, np.int64, np.uint64):
        game = Game(seed=3)
        seat, action = number(game.to_move), number(game.legal_actions()[0])
        expected = game.look(int(seat))
        for got in (game.look(seat), (game.action_mask(seat), game.observation(seat))):
            assert all(map(np.array_equal, got, expected))
        game.play(action)
        assert game.to_bytes() != Game(seed=3).to_bytes()


@pytest.mark.parametrize("ask", [Game.look, Game.observation, Game.action_mask])
@pytest.mark.parametrize("seat", [-1, 2, True, 0.5, None])
def test_a_seat_that_is_not_there_cannot_look(ask, seat):
    with pytest.raises(RulesError, match="seat from 0 to 1"):
        ask(Game(seed=3), seat)


def test_games_in_several_threads_do_not_disturb_each_other():
    def play(seed):
        return [answers(game) for game in positions(seed, steps=120)]

    seeds = range(6)
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(play, seeds))
    assert together == [play(seed) for seed in seeds]


def test_the_random_agent_plays_one_game_as_it_plays_many():
    batch, rows = Batch("british", seats=3, n=40, seed=4), np.arange(40)
    agent = agents.load("random")
    for seed in (0, 7, 2**63 + 5):
        picks = agent.act_batch(batch.games, batch.rules, rows)
        drawn = uniforms(seed, batch.games, rows)
        assert drawn.tolist() == [uniform(seed, record) for record in batch.games]
        batch.step(picks)
    for game in positions(6):
        chosen = agent.act_batch(game.state, game.rules, np.zeros(1, np.int64))[0]
        assert agent.act(game, game.to_move) == chosen
