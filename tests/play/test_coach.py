"""The coach: what a hand lacks, who else is asked, whose moves are reviewed."""

import pytest

pytest.importorskip("textual")

from kalooki_env import actions, agents
from kalooki_env.game import Game
from kalooki_env.play import coach
from kalooki_env.play.screen import coaching
from kalooki_env.play.session import Session
from kalooki_env.records import Record
from kalooki_env.render.boxes import Face
from kalooki_env.rules import Rules

WAITING = {
    "rules": "british",
    "hands": ["7C 7D JS QS KS 2D 3D 5H 9C", "9H 9D"],
    "phase": "play",
    "stock": "2C 3C 4C",
    "discards": "KH",
}


def test_cards_that_lie_in_the_pile_or_on_the_table_are_not_waited_for():
    def aces(**more):
        said = coach.advise(agents.load("greedy"), Game.from_position({**WAITING, **more}), 0)
        return [missing.unseen for missing in said.missing if missing.card == "AS"]

    assert aces() == [2]
    assert aces(discards="AS KH") == [1]
    assert aces(discards="AS KH AS") == []
    assert aces(table=["AS AC AD"], opened=[False, True]) == [1]


def test_a_strong_player_is_asked_beside_a_weaker_coach():
    game = Game.from_position(WAITING)
    strong = agents.load("heuristic")
    said = coach.advise(agents.load("greedy"), game, 0)
    assert said.name == "Beginner"
    assert said.second == ("Veteran", coach.weigh(strong, game, 0)[0].move)
    assert coach.advise(strong, game, 0).second is None


def test_cards_that_open_are_listed_in_the_order_of_a_hand():
    game = Game.from_position({**WAITING, "hands": ["JS QS KS 2D 3D 5H 9C", "9H 9D"]})
    said = coach.advise(agents.load("greedy"), game, 0)
    assert [missing.card for missing in said.missing] == ["TS", "AS", "*"]


class Later:
    """Lays the second meld of the hand first."""

    name = "later"

    def act(self, game, seat):
        wanted = ("meld 4S 5S 6S 7S", "meld 7C 7D 7H", "discard 2D")
        move = next(move for move in wanted if game.explain(move) is None)
        return actions.encode(game, move)[0]


def test_another_order_of_the_same_moves_in_a_turn_is_no_difference():
    hands = ["7C 7D 7H 4S 5S 6S 7S 2D 3D", "9H 9D"]
    start = Record.at({**WAITING, "hands": hands})
    session = Session(start.rules, {1: agents.load("greedy")}, 0, start=start)
    for move in ("meld 7C 7D 7H", "meld 4S 5S 6S 7S", "discard 3D"):
        session.play(move)
    found = coach.review(Later(), session)
    assert [(item.played.move, item.better.move) for item in found] == [
        ("discard 3D", "discard 2D")
    ]


def test_the_review_shows_the_hand_as_it_lies_on_the_table():
    played, better = coach.Weighed("discard AC", 0.0), coach.Weighed("discard *", 1.0)
    found = [coach.Difference(3, ("AC", "2C", "TC", "KD", "*"), played, better)]
    text = str(coaching.review(found, "Veteran", Face()))
    assert "your hand  2♣ 10♣ A♣  K♦  ★\n" in text


def test_the_review_is_of_the_persons_own_moves():
    session = Session(Rules.preset("british"), {1: agents.load("greedy")}, 4)
    careless = agents.load("random", seed=2)
    while not session.game.deal_over:
        if session.my_turn:
            session.play(session.hint(careless))
        else:
            session.answer(*session.think())
    mine = [move for seat, move in session.recorder.record.deals[0].moves if seat == 0]
    found = coach.review(agents.load("greedy"), session)
    assert len(found) == 5
    assert all(item.played.move in mine for item in found)
    assert all(item.played.move != item.better.move for item in found)
    assert all(card in item.hand for item in found for card in item.played.move.split()[1:2])
