"""What a seat can't know is dealt anew, all of it, fairly, and nothing else is touched."""

from collections import Counter

import numpy as np
import pytest

from kalooki_env import Game, KalookiError, RulesError
from kalooki_env.cards import card_text
from kalooki_env.invariants import violations
from kalooki_env.testing.driving import sample
from tests.oracle.belief import Belief

STUDY = {
    "preset": "kalooki40", "opening_points": 0, "hand_size": 3, "jokers": 0, "decks": 1, "suits": 2, "ranks": 5,
}  # fmt: skip
"""Ten cards, two hands of three: small enough to list every deal."""


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


def watched(rules: dict, seats: int, seed: int, observer: int, steps: int):
    """Play a deal at random; yield game and belief whenever the observer is to decide."""
    game = Game(rules, seats, seed=seed)
    rng = np.random.default_rng(seed)
    hands = [hand.split() for hand in game.result["hands"]]
    pack = [card for hand in hands for card in hand] + game.position()["stock"].split()
    own = list(hands[observer])
    for card in own:
        pack.remove(card)
    belief = Belief(observer, own, [3] * seats, pack, game.result["discards"].split())
    for _ in range(steps):
        if game.over:
            return
        seat = game.to_move
        if seat == observer and game.question is None:
            yield game, belief
        moves = game.legal_moves()
        lays = [move for move in moves if move.split()[0] in ("meld", "add", "swap")]
        move = str(rng.choice(lays if lays and rng.random() < 0.8 else moves))
        before = game.result["hands"][seat].split()
        rebuilds = int(game.state["rebuilds"][0])
        game.play(move)
        drawn = Counter(game.result["hands"][seat].split()) - Counter(before)
        belief.move(seat, move, next(iter(drawn), ""))
        if game.state["rebuilds"][0] > rebuilds:
            belief.rebuild()


def worlds_of(game: Game, seat: int, n: int) -> Counter:
    """Count the worlds that `n` determinizations give."""
    found: Counter = Counter()
    first = int(game.state["turn"][0]) * n
    for seed in range(first, first + n):
        state = game.determinize(seat, seed).state[0]
        stock = state["stock"][: state["n_stock"]]
        found[state["hand"][: game.seats].tobytes(), stock.tobytes()] += 1
    return Counter({_named(game, seat, *world): count for world, count in found.items()})


def _named(game: Game, seat: int, hands: bytes, stock: bytes) -> tuple:
    """Write a world as `Belief` does."""
    counts = np.frombuffer(hands, np.int8).reshape(game.seats, -1)
    texts = [
        () if s == seat else _texts(np.repeat(np.arange(53), row)) for s, row in enumerate(counts)
    ]
    return tuple(map(tuple, map(sorted, texts))), _texts(np.frombuffer(stock, np.int8)[::-1])


def _texts(cards: np.ndarray) -> tuple[str, ...]:
    return tuple(card_text(int(card)) for card in cards)


def chi_square(found: Counter, shares: dict, n: int) -> float:
    """Return by how many standard deviations the counts are off the shares (Wilson-Hilferty)."""
    statistic = sum((found[world] - n * p) ** 2 / (n * p) for world, p in shares.items())
    freedom = max(len(shares) - 1, 1)
    spread = 2 / (9 * freedom)
    return ((statistic / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5


def check_frequencies(rules: dict, seats: int, seed: int, observer: int, n: int) -> tuple[int, int]:
    """Compare determinizations with the exact list along a deal; return positions, after rebuilds."""
    positions = after_rebuild = 0
    for game, belief in watched(rules, seats, seed, observer, steps=40):
        shares = belief.shares()
        found = worlds_of(game, observer, n)
        assert set(found) <= set(shares), "expected only deals that agree with what was seen"
        if len(shares) * 5 <= n:
            assert chi_square(found, shares, n) < 4
            positions += 1
            after_rebuild += int(game.state["rebuilds"][0] > 0)
    return positions, after_rebuild


def test_every_deal_that_agrees_with_what_was_seen_is_equally_likely():
    checked = [check_frequencies(STUDY, 2, seed, observer=seed % 2, n=1500) for seed in range(6)]
    positions, after_rebuild = np.sum(checked, axis=0)
    assert positions >= 20 and after_rebuild >= 8


def test_the_same_with_three_seats():
    rules = {**STUDY, "suits": 1, "ranks": 13, "max_rebuilds": 0}
    for seed in range(3):
        for game, belief in watched(rules, 3, seed, observer=seed, steps=30):
            shares = belief.shares()
            found = worlds_of(game, seed, 600)
            assert set(found) <= set(shares)
            # Too many worlds to count each: the hand of the next seat, card by card.
            for other in {0, 1, 2} - {seed}:
                exact, counted = Counter(), Counter()
                for world, share in shares.items():
                    for card in world[0][other]:
                        exact[card] += share
                for world, count in found.items():
                    for card in world[0][other]:
                        counted[card] += count / 600
                assert set(counted) <= set(exact)
                assert all(abs(counted[card] - exact[card]) < 0.11 for card in exact)


def test_of_two_equal_cards_each_place_that_may_hold_one_is_tried():
    rules = {**STUDY, "decks": 2, "suits": 1, "jokers": 1}
    complete = 0
    for seed in range(25):
        for game, belief in watched(rules, 2, seed, observer=0, steps=30):
            shares = belief.shares()
            if len(shares) <= 300:
                found = worlds_of(game, 0, 3000)
                assert set(found) <= set(shares)
                assert all(world in found for world, share in shares.items() if share * 3000 > 15)
                complete += 1
    assert complete >= 20


def test_right_after_a_rebuild_the_only_other_hand_is_known():
    for game, belief in watched({**STUDY, "max_rebuilds": None}, 2, 3, observer=0, steps=60):
        if game.state["rebuilds"][0] and game.phase == "draw":
            truth = game.result["hands"][1]
            hands = {game.determinize(0, seed).result["hands"][1] for seed in range(50)}
            known = {world[0][1] for world in belief.shares()}
            assert len(hands) == len(known)
            assert truth in hands
            return
    pytest.fail("expected a rebuild")


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
