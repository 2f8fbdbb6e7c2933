"""A stream of the stock for each seat: the same game, with duplicates that stay alike for longer."""

import numpy as np
import pytest

from kalooki_env import Game, arena
from kalooki_env.action_tables import DISCARD, DRAW, TAKE
from kalooki_env.agents.base import LegalLists
from kalooki_env.agents.random_agent import RandomAgent
from kalooki_env.engine import layout as L
from kalooki_env.errors import RecordError
from kalooki_env.invariants import violations


class Drawer:
    """Draws from the stock, or takes where it may, by a rule; discards the lowest card that it may.

    It notes the cards that came from the stock, by game and seat.
    """

    name = "drawer"

    def __init__(self, takes=lambda turn: False):
        self.takes = takes
        self.hands, self.drawn = {}, {}
        self._legal = LegalLists()

    def act_batch(self, games, rules, rows):
        ids, counts = self._legal(games, rules, rows)
        chosen = np.zeros(len(rows), np.int64)
        for k, row in enumerate(rows):
            game = games[row]
            seat = int(game["to_move"])
            where, hand = (int(game["key"]), seat), game["hand"][seat].copy()
            if game["phase"] == L.DRAW:
                chosen[k] = TAKE if self.takes(int(game["turn"])) else DRAW
                self.hands[where] = hand
            else:
                if game["taken"] == L.NO_CARD:
                    [card] = np.flatnonzero(hand - self.hands[where])
                    self.drawn.setdefault(where, []).append(int(card))
                legal = ids[k, : counts[k]]
                chosen[k] = legal[legal >= DISCARD][0]
        return chosen


def played(streams, takes, seats=2, deals=6):
    """Return what each seat of each game drew, A drawing and B taking the discard now and then."""
    a, b = Drawer(), Drawer(takes)
    rules = {"preset": "hunt51", "turn_cap": 60}
    arena.evaluate(a, b, rules, seats=seats, deals=deals * seats, seed=3, streams=streams)
    return a.drawn, b.drawn


@pytest.mark.parametrize("seats", [2, 3])
def test_a_seat_draws_its_own_stream_whatever_the_others_take(seats):
    drawn, _ = played(True, lambda turn: turn % 3 == 0, seats)
    keys = {}
    for seed in arena._seeds(3, 0, 6).tolist():
        state = Game("hunt51", seats=seats, seed=seed).state[0]
        keys[int(state["key"])] = state["stock"][: state["n_stock"]][::-1].tolist()
    assert len(drawn) == 6 * seats
    for (key, seat), cards in drawn.items():
        own = keys[key][seat::seats]
        few = min(len(own), len(cards), 12)
        assert few > 5
        assert cards[:few] == own[:few]


def test_without_streams_what_one_takes_shifts_what_the_others_draw():
    calm, _ = played(False, lambda turn: False)
    shifted, _ = played(False, lambda turn: turn % 3 == 0)
    assert all(calm[where][:12] != shifted[where][:12] for where in calm)


def test_where_nobody_takes_the_streams_deal_the_stock_from_the_top():
    _, drawn = played(True, lambda turn: False)
    _, plain = played(False, lambda turn: False)
    dealers = {
        key: int(game["dealer"])
        for seed in arena._seeds(3, 0, 6).tolist()
        for game in [Game("hunt51", seed=seed).state[0]]
        for key in [int(game["key"])]
    }
    assert set(dealers.values()) == {0, 1}
    for (key, seat), cards in plain.items():
        # The top card is the first of seat 0: where seat 1 leads, the other seat draws it.
        same = seat if dealers[key] == 1 else 1 - seat
        assert drawn[key, same][:12] == cards[:12]


class Watched(RandomAgent):
    """Plays at random and recomputes every invariant at every step."""

    steps = 0

    def act_batch(self, games, rules, rows):
        Watched.steps += 1
        assert violations(games[rows], rules) == []
        return super().act_batch(games, rules, rows)


@pytest.mark.parametrize(("rules", "seats"), [("british", 5), ("double_deck", 6)])
def test_cards_are_conserved_at_every_step(rules, seats):
    before = Watched.steps
    arena.evaluate(Watched(1), Watched(2), rules, seats, deals=4 * seats, seed=6, streams=True)
    assert Watched.steps > before + 50


def test_rebuilt_stocks_have_streams_of_their_own():
    class Late(Watched):
        rebuilt = 0

        def act_batch(self, games, rules, rows):
            Late.rebuilt = max(Late.rebuilt, int(games["rebuilds"][rows].max()))
            return super().act_batch(games, rules, rows)

    arena.evaluate(Late(1), Late(2), "kalooki40", seats=4, deals=40, seed=6, streams=True)
    assert Late.rebuilt > 1


def ends(streams, seed, seats):
    from kalooki_env.arena.table import Plan, play
    from kalooki_env.rules import Rules

    deals = 1000
    plan = Plan(
        ("random", "random"), Rules.preset("british"), seats, deals, seed=seed, streams=streams
    )
    return play(plan, plan.load(), 0, deals).ends.reshape(deals, seats)


@pytest.mark.parametrize("seats", [2, 4])
def test_games_are_distributed_as_without_streams(seats):
    plain, streamed = ends(False, 1, seats), ends(True, 2, seats)
    for figure in (
        lambda end: end["turns"],
        lambda end: end["turns"].astype(float) ** 2,
        lambda end: end["is_void"],
        lambda end: end["winner"] == 0,
        lambda end: end["winner"] == seats - 1,
        lambda end: end["penalties"].max(axis=-1),
        lambda end: end["penalties"][..., 0],
        lambda end: (end["penalties"] > 0).sum(axis=-1),
    ):
        # The rotations of a deal are one observation.
        a, b = (figure(end).mean(axis=1) for end in (plain, streamed))
        error = (a.var() / len(a) + b.var() / len(b)) ** 0.5
        assert abs(a.mean() - b.mean()) < 3.5 * error


def test_the_figures_with_streams_do_not_depend_on_the_batch_either():
    runs = [
        arena.evaluate("greedy", "random", seats=3, deals=60, seed=4, batch=batch, streams=True)
        for batch in (1, 7, 1024)
    ]
    figures = [{**run.as_dict(), "seconds": None} for run in runs]
    assert figures[0] == figures[1] == figures[2]
    assert figures[0]["streams"] is True
    plain = arena.evaluate("greedy", "random", seats=3, deals=60, seed=4)
    assert plain.points_per_deal != runs[0].points_per_deal


def test_games_with_streams_are_not_recorded(tmp_path):
    with pytest.raises(RecordError, match="leave out the streams, or the record"):
        arena.evaluate("random", "random", deals=4, streams=True, record=tmp_path / "g")
    assert list(tmp_path.iterdir()) == []
