"""The coach: what a hand lacks, who else is asked, whose moves are reviewed."""

from kalooki_env import agents
from kalooki_env.game import Game
from kalooki_env.play import coach
from kalooki_env.play.session import Session
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
