"""What a seat can't know is dealt anew, all of it, fairly, and nothing else is touched."""

from collections import Counter

import numpy as np
import pytest

from kalooki_env import Game, KalookiError, RulesError
from kalooki_env.engine.apply import _count_up
from kalooki_env.engine.layout import GAME, records
from kalooki_env.invariants import violations
from kalooki_env.testing.driving import sample
from tests.oracle.belief.comparing import SITUATIONS, compare_walks


def drive(game: Game, steps: int, seed: int):
    """Play at random, laying what can be laid; yield the game before each move, deal after deal."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if game.to_move is None:
            if game.over:
                return
            game.next_deal()
        yield game
        game.play(sample(game.action_mask(game.to_move), rng))


@pytest.mark.parametrize(
    ("preset", "seats"),
    [("british", 2), ("british", 5), ("european", 3), ("north_american", 6), ("kalooki40", 4),
     ("double_deck", 2), ("contract", 3), ("hunt51", 4), ("ring51", 2), ("tournament51", 3)],
)  # fmt: skip
def test_what_a_seat_sees_and_may_do_stays_and_no_card_is_lost(preset, seats):
    game = Game(preset, seats, seed=5, episode="match")
    rebuilt = 0
    for step, now in enumerate(drive(game, 900, seed=1)):
        rebuilt += now.state["rebuilds"][0] > 0
        seat = step % seats
        other = now.determinize(seat, seed=step)
        assert (other.observation(seat) == now.observation(seat)).all()
        if seat == now.to_move:
            assert (other.legal_actions() == now.legal_actions()).all()
            assert other.half == now.half
        assert not violations(other.state, other.rules)
        assert (other.state["hand_size"] == now.state["hand_size"]).all()
        assert (other.state["hand"][0][seat] == now.state["hand"][0][seat]).all()
        assert (other.state["hand"] >= now.state["known"]).all()
        if other.to_move is not None:
            assert len(other.legal_actions())
    # Where the pile is free, play at random may go on for ever without a rebuild.
    assert rebuilt or now.rules.discard_before_opening == "free"


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_worlds_are_the_deals_that_agree_with_what_a_seat_has_seen(seats):
    """Whether they are all and only those, and as frequent: `python -m tests.oracle.belief`."""
    counts, problems = compare_walks(seats, wanted=6, seed=3)
    assert not problems
    assert all(counts[seats, situation] >= 6 for situation in SITUATIONS)


def test_the_stock_is_in_any_order():
    game = Game.from_position({"rules": "british", "hands": ["2C", "3C"], "stock": "4C 5C 6C"})
    game = game.determinize(0, 0)
    orders = Counter(game.determinize(0, seed).position()["stock"] for seed in range(2400))
    hidden = Counter("".join(sorted(order)) for order in orders)
    assert len(orders) == 24 and len(hidden) == 4
    assert all(abs(count - 100) < 45 for count in orders.values())


def test_a_taken_card_stays_with_its_owner_until_it_is_played():
    game = Game.from_position(
        {"rules": "kalooki40", "hands": ["2C 3D 4H 9S", "KC QD JH", "5C 8D"], "discards": "7S"},
        seed=1,
    )
    for move in ("take", "discard 9S", "draw"):
        game.play(move)
    assert all("7S" in game.determinize(1, seed).result["hands"][0] for seed in range(200))
    seen = {
        card for seed in range(200) for card in game.determinize(1, seed).result["hands"][0].split()
    }
    assert len(seen) > 40, "expected the other cards to be dealt from all that were not seen"


def test_a_hand_in_the_middle_of_its_opening_can_complete_it():
    game = Game.from_position(
        {"rules": "british", "hands": ["TC TD TH QS KS AS 2C", "KC QD JH"], "phase": "play"}
    )
    game.play("meld TC TD TH")
    hands = set()
    for seed in range(60):
        other = game.determinize(1, seed)
        hands.add(other.result["hands"][0])
        assert any(move.startswith("meld") for move in other.legal_moves())
    assert len(hands) > 50


def test_a_begun_move_of_another_seat_is_taken_back_and_ones_own_is_not():
    game = Game.from_position(
        {"rules": "kalooki40", "hands": ["5C 6C 7C 8C * 2D", "KC QD JH"], "opened": [True, False],
         "phase": "play"}
    )  # fmt: skip
    first = next(a for a in game.legal_actions() if not _whole(game, int(a)))
    game.play(int(first))
    assert game.question == "place"
    assert game.determinize(0, 1).half == game.half
    assert game.determinize(1, 1).half == () and game.determinize(1, 1).question is None


def _whole(game: Game, action: int) -> bool:
    trial = game.clone()
    trial.play(action)
    return trial.question is None


def test_the_future_is_not_known_either():
    game = Game("british", seats=2, seed=3, episode="match")
    keys = {int(game.determinize(0, seed).state["key"][0]) for seed in range(20)}
    assert len(keys) == 20 and int(game.state["key"][0]) not in keys
    assert game.determinize(0, 4) == game.determinize(0, 4)
    assert game == Game("british", seats=2, seed=3, episode="match"), "the game itself is untouched"


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_what_others_drew_since_a_rebuild_is_imagined_anew(seats):
    matches = (Game("british", seats, seed=seed, episode="match") for seed in range(4))
    changed = 0
    for step, now in enumerate(now for game in matches for now in drive(game, 2000, seed=2)):
        if not now.state["rebuilds"][0] or now.state["deal_over"][0] or step % 2:
            continue
        seat = step // 2 % seats
        others = [s for s in range(seats) if s != seat]
        worlds = [now.determinize(seat, seed) for seed in range(3)]
        for world in worlds:
            counted = world.state["rebuilt"][0]
            assert counted[seat].tolist() == now.state["rebuilt"][0, seat].tolist()
            # As many cards as each drew, none of those that are still in the stock.
            assert counted.sum(axis=1).tolist() == now.state["rebuilt"][0].sum(axis=1).tolist()
            left = np.bincount(world.state["stock"][0][: world.state["n_stock"][0]], minlength=53)
            assert (counted[:seats] >= left).all()
            changed += (counted[others] != now.state["rebuilt"][0, others]).any()
            # In another world the seat would know the same, and so imagine the same.
            assert world.determinize(seat, 99) == now.determinize(seat, 99)
    assert changed > 20


def test_whether_a_taken_card_had_a_twin_is_imagined_anew():
    # Another seat has taken a card and laid one of that type, perhaps not the one it took.
    game = Game("british", seats=2, seed=1)
    mover = game.to_move
    game.play("draw")
    state = game.state
    state["taken"], state["taken_laid"], state["opened"][0, mover] = 5, 1, 1
    worlds = []
    for twin in (0, 1):
        state["taken_twin"] = twin
        worlds.append([game.determinize(1 - mover, seed) for seed in range(60)])
    assert worlds[0] == worlds[1]
    assert {int(world.state["taken_twin"][0]) for world in worlds[0]} == {0, 1}


def test_jokers_that_certainly_stay_are_kept():
    # Seat 0 takes a joker, swaps one free and lays one off; that it then discards one shows that it
    # held another before, and so has one still.
    game = Game.from_position(
        {"rules": {"preset": "kalooki40", "jokers": 4}, "hands": ["6C * 9D 3H", "2C KD", "4D 8S"],
         "opened": [True] * 3, "table": ["5C *6C 7C", "TD JD QD"], "discards": "2H *"}
    )  # fmt: skip
    for move in ("take", "swap 6C @1", "add *KD @2"):
        game.play(move)
    assert game.state["known"][0, 0, -1] == 1
    game.play("discard *")
    assert game.state["known"][0, 0, -1] == game.state["hand"][0, 0, -1] == 1
    assert all("*" in game.determinize(1, seed).result["hands"][0] for seed in range(50))


def test_a_seat_that_has_not_drawn_since_the_rebuild_has_none_of_the_new_stock():
    game = Game.from_position(
        {"rules": "kalooki40", "hands": ["TC TD QC", "AD KD JS", "QS KS 4C"], "stock": "AC",
         "discards": "2H 3H 4H 5H 6H 7H 8H 9H"}
    )  # fmt: skip
    for move in ("draw", "discard TC", "take", "discard AD", "draw", "discard 4C"):
        game.play(move)
    worlds = [game.determinize(0, seed).result["hands"] for seed in range(200)]
    assert not any(card[1] == "H" for hands in worlds for card in hands[1].split())
    assert {sum(card[1] == "H" for card in hands[2].split()) for hands in worlds} == {1}


def test_what_was_discarded_or_refused_is_counted_up_to_255():
    state = records(1, GAME)
    state["thrown"][0, 0, 5] = 254
    for _ in range(3):
        _count_up(state["thrown"][0, 0], 5)
    assert state["thrown"][0, 0, 5] == 255


def test_after_the_deal_the_hands_have_been_shown():
    game = Game.from_position(
        {"rules": "british", "hands": ["2C", "KC QD JH"], "opened": [True, True], "phase": "play"}
    )
    with pytest.raises(KalookiError):
        game.play("draw")
    game = Game.from_position(
        {"rules": "british", "hands": ["2C 9D", "KC QD JH"], "opened": [True, True],
         "table": ["9S 9H 9C"], "phase": "play"}
    )  # fmt: skip
    game.play("add 9D @1")
    game.play("discard 2C")
    other = game.determinize(0, 1)
    assert game.deal_over and other.result == game.result
    assert other.position()["stock"] != game.position()["stock"]


def test_a_seat_or_seed_that_is_none_is_refused():
    game = Game("british", seats=2, seed=0)
    with pytest.raises(RulesError, match="seat"):
        game.determinize(2, 0)
    with pytest.raises(RulesError, match="seed"):
        game.determinize(0, -1)


def test_a_hand_for_a_half_laid_contract_is_found_or_it_says_so(monkeypatch):
    game = Game.from_position(
        {"rules": "contract", "deal": 1, "phase": "play",
         "hands": ["2C 2D 2H 5C 5D 5S 9C 9D 9S JC QD KH 3S 4S", "KC QD JH"]}
    )  # fmt: skip
    game.play("meld 2C 2D 2H")
    assert game.determinize(1, 0).legal_moves()
    monkeypatch.setattr("kalooki_env.game._TRIES", 1)
    with pytest.raises(KalookiError, match="end its turn"):
        game.determinize(1, 0)
