"""A session: one person's match against agents, without a screen."""

from dataclasses import replace

import pytest

from kalooki_env import actions, agents, records
from kalooki_env.errors import IllegalMove, NotationError
from kalooki_env.game import Game
from kalooki_env.play.session import ROUNDS, Session
from kalooki_env.play.words import Event
from kalooki_env.records import Record
from kalooki_env.rules import Rules


def session(seats=2, seed=3, rules="british", opponent="random", **options):
    others = {seat: agents.load(opponent, seed=seat) for seat in range(1, seats)}
    return Session(Rules.preset(rules), others, seed, **options)


def at(position, opponent="greedy"):
    """Sit down in the middle of a game."""
    start = Record.at(position)
    others = {seat: agents.load(opponent, seed=seat) for seat in range(1, start.seats)}
    return Session(start.rules, others, 0, start=start)


def finish_deal(table):
    """Let the greedy agent play the person's hand to the end of the deal; return all events."""
    greedy = agents.load("greedy")
    events = table.opponents()
    while not table.game.deal_over:
        assert table.my_turn
        events += table.play(table.hint(greedy))
        events += table.opponents()
    return events


def test_the_game_is_the_one_of_the_seed():
    assert session(seed=3).game == Game(Rules.preset("british"), seats=2, seed=3, episode="match")


def test_opponents_play_until_the_person_is_to_move():
    table = session(seats=4)
    for _ in range(3):
        events = table.opponents()
        assert table.my_turn
        assert all(event.seat != 0 for event in events)
        table.play("draw")
        table.play(table.moves(["discard"])[0])
    assert [event.seat for event in table.opponents() if event.move == "draw"] == [1, 2, 3]


def test_another_seats_cards_are_not_the_persons_to_play():
    table = at({"rules": "british", "hands": ["5C 6C", "2H 9S"], "to_move": 1, "phase": "play"})
    before = table.game.to_bytes()
    with pytest.raises(IllegalMove, match="discard 2H: expected it in your turn"):
        table.play("discard 2H")
    assert table.game.to_bytes() == before


def test_a_wrong_move_changes_nothing():
    table = session()
    table.opponents()
    before = table.game.to_bytes()
    with pytest.raises(IllegalMove):
        table.play("discard *" if "*" not in table.view.hand else "meld 2C 2D 2H")
    with pytest.raises(NotationError):
        table.play("please")
    assert table.game.to_bytes() == before


def test_the_person_learns_its_own_card_and_nobody_elses():
    table = session()
    events = table.opponents()
    before = list(table.view.hand)
    [drawn] = table.play("draw")
    events += table.play(table.moves(["discard"])[0]) + table.opponents()
    assert sorted([*before, drawn.drawn]) == sorted([*table.view.hand, table.view.pile[-2]])
    assert all(event.drawn is None for event in events)


def test_an_opening_of_two_melds_is_told_with_its_points():
    table = at({"rules": "british", "hands": ["7C 7D 7H 4S 5S 6S 7S 2D", "9H 9D"], "phase": "play"})
    [first] = table.play("meld 7h 7c 7d")
    assert (first.move, first.opening, first.opened, first.points) == (
        "meld 7C 7D 7H",
        True,
        False,
        21,
    )
    [second] = table.play("meld 4S 5S 6S 7S")
    assert (second.opening, second.opened, second.points, second.left) == (True, True, 43, 1)
    [last] = table.play("discard 2D")
    assert last.goes_out
    assert last.kalooki


def test_the_score_of_a_deal_adds_up():
    table = session(opponent="greedy", seed=21)
    events = finish_deal(table)
    rows = table.score()
    assert [event.goes_out for event in events].count(True) == 1
    [winner] = [row for row in rows if row.won]
    [loser] = [row for row in rows if not row.won]
    assert winner.hand == ""
    assert loser.penalty > 0
    assert (winner.chips, loser.chips) in ((1, -1), (2, -2))
    assert loser.total == loser.penalty
    table.next_deal()
    assert table.view.deal == 2
    assert table.score()[loser.seat].total == loser.penalty


def test_opponents_stop_when_a_deal_ends_and_then_decide_their_buy_ins():
    table = at(
        {
            "rules": "british",
            "hands": ["9H 4S", "3C", "TH 9S"],
            "phase": "play",
            "opened": [True, True, True],
            "table": ["9C 9D 9S", "JD QD KD AD"],
            "totals": [120, 95, 144],
        }
    )
    table.play("add 9H @1")
    table.play("discard 4S")
    assert table.game.deal_over
    assert table.game.to_move == 2
    [event] = table.opponents()
    assert event.move in ("buy in", "drop out")
    assert table.game.to_move is None


def test_a_hint_is_a_legal_move_and_is_not_played():
    table = session(opponent="greedy")
    table.opponents()
    before = table.game.to_bytes()
    hint = table.hint(agents.load("greedy"))
    assert table.game.to_bytes() == before
    assert hint in table.moves()


def test_moves_are_picked_by_words():
    table = at({"rules": "british", "hands": ["7C 7D 7H 4S 5S 6S 7S 2D", "9H 9D"], "phase": "play"})
    sevens = table.moves(["meld", "7d", "7h"])
    assert "meld 7C 7D 7H" in sevens
    assert sevens == [move for move in table.moves() if "7D" in move and "7H" in move]
    assert table.moves(["discard"]) == [
        move for move in table.moves() if move.startswith("discard")
    ]


def test_seats_with_the_same_agent_are_numbered():
    assert session(seats=2).names == ["you", "random"]
    assert session(seats=3).names == ["you", "random 1", "random 2"]


def test_moves_of_this_turn_can_be_taken_back_after_the_match_was_gone_on_with(tmp_path):
    file = tmp_path / "game.jsonl"
    position = {"rules": "british", "hands": ["7C 7D 7H 4S 5S 6S 7S 2D", "9H 9D"], "phase": "play"}
    start = Record.at(position)
    table = Session(start.rules, {1: agents.load("greedy")}, 0, start=start, record=file)
    before = table.game.to_bytes()
    table.play("meld 7C 7D 7H")
    table.close()
    [record] = records.read(file, unfinished=True)
    table = Session.resume(replace(record, path=str(file)), {1: agents.load("greedy")})
    assert table.undo().move == "meld 7C 7D 7H"
    assert not table.can_undo
    assert table.game.to_bytes() == before
    table.play("meld 4S 5S 6S 7S")
    table.close()
    assert records.verify(file, unfinished=True).moves == 1


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_whole_matches_can_be_played(seats):
    table = session(seats=seats, opponent="greedy", seed=seats, rules="kalooki40")
    for _ in range(40):
        finish_deal(table)
        if table.game.over:
            break
        table.next_deal()
    assert table.game.over
    totals = [row.total for row in table.score()]
    assert max(totals) >= 100
    winner = table.game.result["match_winner"]
    winners = winner if isinstance(winner, list) else [winner]
    assert all(totals[seat] == min(totals) for seat in winners)


class Taker:
    """Takes the discard whenever it may."""

    name = "taker"

    def act(self, game, seat):
        legal = game.legal_actions()
        return int(actions.TAKE if actions.TAKE in legal else legal[0])


def test_agents_draw_again_where_the_discards_only_go_round():
    start = Record.at(
        {
            "rules": "contract",
            "hands": ["7C 7D 2D 3D", "9H 9D KD"],
            "to_move": 1,
            "phase": "draw",
            "opened": [False, True],
            "stock": "2C 3C 4C",
            "discards": "KH",
        }
    )
    table = Session(start.rules, {1: Taker()}, 0, start=start)
    assert table.think() == (1, "take")
    table.events += [Event(1, "take"), Event(0, "take")] * (ROUNDS - 1) + [Event(1, "take")]
    assert table.think() == (1, "take")
    table.events.append(Event(0, "take"))
    assert table.think() == (1, "draw")
    table.events += [Event(1, "draw"), Event(1, "discard KD"), Event(0, "take")]
    assert table.think() == (1, "take")
