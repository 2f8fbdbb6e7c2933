"""One seat's view as text: everything the seat sees, nothing it does not."""

import numpy as np
import pytest

from kalooki_env.game import Game
from kalooki_env.render.view import view_of

PLAYED = {
    "rules": "british",
    "hands": ["5C 6C * KH", "9H 9D 2S", "AS AD AH 3C 4C"],
    "to_move": 1,
    "phase": "draw",
    "opened": [True, True, False],
    "turn": 12,
    "table": ["9D TD JD", "7C 7D *", "4S 5S 6S"],
    "discards": "4H 2D 8S QC QD KS TS",
    "totals": [120, 98, 0],
    "rebuilds": 1,
}


def game_of(**changes):
    """Sit down at the position above, its melds laid by the seats 1, 0, 2, 1, 0, 2 and so on."""
    game = Game.from_position({**PLAYED, **changes})
    game.state["melds"]["owner"][0] = np.resize([1, 0, 2], 36)
    return game


def test_a_seat_sees_the_whole_table():
    assert game_of().render(0).splitlines() == [
        "-- Deal 1, turn 12, seen by seat 0 " + "-" * 43,
        "   you      4 cards   open       total 120",
        " > seat 1   3 cards   open       total 98",
        "   seat 2   5 cards   not open   total 0",
        "Table",
        "   1  9D TD JD                 seat 1",
        "   2  7C 7D *                  you",
        "   3  4S 5S 6S                 seat 2",
        "Pile   TS   under it: KS QD QC 8S 2D ...",
        f"Stock  {106 - 12 - 9 - 7} cards, rebuilt once",
        "Hand   5C 6C   KH   *",
    ]


def hide_and_shuffle(game, seat, rng):
    """Deal the cards that a seat does not see anew: other hands and the stock."""
    copy = game.clone()
    state = copy.state[0]
    others = [other for other in range(game.seats) if other != seat]
    hidden = [card for other in others for card in np.repeat(np.arange(53), state["hand"][other])]
    hidden += state["stock"][: state["n_stock"]].tolist()
    rng.shuffle(hidden)
    for other in others:
        state["hand"][other] = 0
        for _ in range(state["hand_size"][other]):
            state["hand"][other, hidden.pop()] += 1
    state["stock"][: state["n_stock"]] = hidden
    return copy


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_hidden_cards_change_nothing_that_a_seat_sees(seats):
    rng = np.random.default_rng(seats)
    game = Game("british", seats=seats, seed=seats)
    changed = 0
    for step in range(300):
        if game.over:
            game = Game("british", seats=seats, seed=seats + step)
        for seat in range(seats):
            other = hide_and_shuffle(game, seat, rng)
            assert other.render(seat) == game.render(seat)
            assert view_of(other, seat) == view_of(game, seat)
            changed += any(other.render(s) != game.render(s) for s in range(seats) if s != seat)
        game.play(int(rng.choice(game.legal_actions())))
    assert changed > 250  # the shuffles did move cards


def test_a_seat_that_is_not_at_the_table_is_refused():
    with pytest.raises(ValueError, match=r"0..1|0 to 1"):
        Game("british", seats=2, seed=0).render(2)
    with pytest.raises(ValueError, match=r"0\.\.1"):
        view_of(Game("british", seats=2, seed=0), 2)


def test_many_melds_stand_in_two_columns():
    table = ["2C 3C 4C", "5C 6C 7C", "8C 9C TC", "2D 3D 4D", "5D 6D 7D", "8D 9D TD", "2H 3H 4H"]
    lines = game_of(table=table, discards="KS").render(0).splitlines()
    at = lines.index("Table")
    assert " ".join(lines[at + 1].split()) == "1 2C 3C 4C seat 1 5 5D 6D 7D you"
    assert " ".join(lines[at + 4].split()) == "4 2D 3D 4D seat 1"
    assert all(len(line) <= 78 for line in lines)


def test_a_released_joker_and_a_bar_are_shown_to_the_seat_that_has_them():
    game = game_of(to_move=0, phase="play", barred=[True, False, False], swaps=1, owed=1)
    assert "1 released joker must still be laid in this turn" in game.render(0)
    assert "you may not go out in this turn" in game.render(0)
    assert "released" not in game.render(1)
    assert "may not go out" not in game.render(1)
