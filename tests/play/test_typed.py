"""Moves typed at the plain table that leave something out."""

import pytest

from tests.play.test_terminal import OPENING, after, play

CLOSED = {**OPENING, "hands": ["7C 7D * 4S 5S * 7S 2D 3D", "9H 9D"]}
OPEN = {
    **OPENING,
    "opened": [True, True],
    "hands": ["8C TC * 2D 5D 6D", "9H 9D"],
    "table": ["9C *TC JC", "2D 3D 4D", "8D 8H 8S"],
    "stock": "2C 3C",
    "discards": "9C KH",
}


def test_a_joker_without_its_card_is_asked_about_where_it_could_be_two():
    screen, session = play(["meld 5s * 4S", "2"], CLOSED)
    said = after(screen, "meld 5s * 4S")
    assert said[0] == "That can be more than one thing. Type the number of yours:"
    assert said[2].split() == ["1", "meld", "*3S", "4S", "5S", "2", "meld", "4S", "5S", "*6S"]
    assert [event.move for event in session.events] == ["meld 4S 5S *6S"]


@pytest.mark.parametrize(
    "typed, moves",
    [
        ("meld 5S 7S * 4S", ["meld 4S 5S *6S 7S"]),
        ("m 7S 7D 7C", ["meld 7C 7D 7S"]),
    ],
)
def test_a_meld_is_read_in_any_order(typed, moves):
    _, session = play([typed], CLOSED)
    assert [event.move for event in session.events] == moves


@pytest.mark.parametrize(
    "typed, moves",
    [
        ("add 5D", ["add 5D @2"]),
        ("add 6d 5d", ["add 5D @2", "add 6D @2"]),
        ("add 6d 5d @2", ["add 5D @2", "add 6D @2"]),
        ("swap TC", ["swap TC @1"]),
        ("s tc", ["swap TC @1"]),
        ("add TC @1", []),
        ("add 8C", []),
        ("add *", []),
        ("add * @2", ["add *5D @2"]),
        ("add *8c", ["add *8C @1"]),
        ("add 5D@2", ["add 5D @2"]),
        ("meld 5D *7D 6D", ["meld 5D 6D *7D"]),
    ],
)
def test_a_meld_that_is_left_out_is_found_or_asked_about(typed, moves):
    _, session = play([typed], OPEN)
    assert [event.move for event in session.events] == moves


def test_which_meld_is_asked_about():
    screen, session = play(["add 8C", "2"], OPEN)
    assert after(screen, "add 8C")[2].split() == ["1", "add", "8C", "@1", "2", "add", "8C", "@3"]
    assert [event.move for event in session.events] == ["add 8C @3"]


@pytest.mark.parametrize(
    "typed, told",
    [
        ("add 2D", "Not allowed: it fits none of the melds on the table."),
        ("meld 8C * 2D", "Not allowed: a meld is a set of one rank or a run of one suit."),
        ("meld 8C * *", "Not allowed: you hold only 1 joker."),
        ("meld AC AD * *", "Not allowed: AC is not in your hand."),
        ("meld 8C *", "Not allowed: a meld has at least three cards."),
        ("add", "Not understood: "),
        ("meld 8C TC XX", "Not understood: "),
        ("add 5D @x", "Not understood: "),
        ("add 5D 6D @7", "Not understood: "),
        ("add 5D * @" + "9" * 5000, "Not understood: "),
        ("add D5", 'Not understood: expected a card such as 5C, TD or *, got "D5"'),
        ("swap * @1", "A joker is swapped for the card it stands for"),
        ("swap 5D * @2", "There is no joker in that meld."),
        ("add 8C 2D", "Not allowed: no meld takes all these cards on the table."),
        ("swap 8C @1", "Not allowed: only the exact card that a joker"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_nothing_is_played(typed, told):
    screen, session = play([typed], OPEN)
    assert after(screen, typed)[0].startswith(told)
    assert session.events == []


def test_all_cards_that_were_typed_are_asked_about_and_played():
    position = {**OPEN, "hands": ["8D * 2S 3S", "9H 9D"], "table": ["5D 6D 7D"]}
    position["rules"] = {"preset": "double_deck", "layoff_limit": None}
    screen, session = play(["add * 8D @1", "2"], position)
    offered = " ".join(after(screen, "add * 8D @1")[2].split())
    assert offered == "1 add 8D @1, add *4D @1 2 add 8D @1, add *9D @1"
    assert [event.move for event in session.events] == ["add 8D @1", "add *9D @1"]


def test_before_the_draw_nothing_is_guessed_at():
    for typed in ("add 8C", "add XX", "meld 2D * 4D"):
        screen, session = play([typed], {**OPEN, "phase": "draw"})
        assert after(screen, typed)[0].startswith("Not allowed: first draw")
        assert session.events == []


def test_the_end_of_an_ace_is_asked_with_the_number_of_the_meld_too():
    position = {
        **OPEN,
        "rules": {"preset": "british", "ace": "both"},
        "hands": ["AD 2S 3S 9C", "9H 9D"],
        "table": ["2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD"],
    }
    for typed, answer in (("add AD @1", "1"), ("add AD", "1"), ("add AD low", "draw")):
        _, session = play([typed, answer], position)
        assert [event.move for event in session.events] == ["add AD @1 low"]


def test_two_jokers_and_one_card_are_a_run_where_they_can_be_no_set():
    position = {**CLOSED, "hands": ["KC * * 2D 3D", "9H 9D"]}
    position["rules"] = {"preset": "british", "opening_points": 31}
    _, session = play(["meld KC * *"], position)
    assert session.events[0].move.startswith("meld *QC KC *AC")


def test_more_cards_than_may_be_laid_off_are_refused_for_that_reason():
    screen, _ = play(["add 5D 6D 7D"], {**OPEN, "hands": ["5D 6D 7D 2S 3S", "9H"]})
    assert "at most 2" in after(screen, "add 5D 6D 7D")[0]


@pytest.mark.parametrize("rules", ["contract", {"preset": "british", "contracts": ["333"]}])
def test_in_the_contract_no_points_are_told(rules):
    position = {
        **OPENING,
        "rules": rules,
        "deal": 1,
        "hands": ["7C 7D * 4S 4D 4H 9S 9C 9D 3D", "9H 9D"],
    }
    screen, _ = play(["meld 7C 7D *"], position)
    said = after(screen, "meld 7C 7D *")
    assert said[0] == "You lay 7C 7D * to open."
    assert not any("Opening:" in line for line in said)
