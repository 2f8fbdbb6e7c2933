"""Moves told in plain words."""

from kalooki_env.play.words import Event, told

NAMES = ["you", "greedy"]


def test_a_turn_is_one_sentence():
    events = [
        Event(1, "draw", left=14),
        Event(1, "meld JS QS KS AS", opening=True, opened=True, points=41, left=10),
        Event(1, "add 8C @2", left=9),
        Event(1, "swap TH TS @1", left=8),
        Event(1, "discard 4H", left=7),
    ]
    assert told(events, NAMES, 0) == [
        "greedy draws, opens with JS QS KS AS (41 points), adds 8C to meld 2, "
        "swaps TH and TS for a joker of meld 1 and discards 4H: 7 cards left."
    ]


def test_cards_laid_off_on_one_meld_are_told_together():
    moves = ["add 9S @1", "add TS @1", "add 8C @2", "add AC @1 high"]
    events = [Event(1, move, left=4) for move in moves]
    assert told(events, NAMES, 0) == [
        "greedy adds 9S TS to meld 1, adds 8C to meld 2 and adds AC to meld 1 high."
    ]


def test_the_person_is_told_its_own_card():
    assert told([Event(0, "draw", drawn="5C", left=14)], NAMES, 0) == ["You draw 5C."]


def test_the_card_taken_and_the_announcement_are_told():
    events = [Event(1, "take", taken="9D", left=4), Event(1, "discard 4H", left=3, announced=3)]
    assert told(events, NAMES, 0) == [
        "greedy takes 9D from the pile and discards 4H: 3 cards left, announced."
    ]


def test_going_out_is_told():
    out = Event(1, "discard 4H", goes_out=True)
    assert told([out], NAMES, 0) == ["greedy discards 4H and is out!"]
    kalooki = Event(0, "discard 4H", goes_out=True, kalooki=True)
    assert told([kalooki], NAMES, 0) == ["You discard 4H and you are out: kalooki!"]


def test_a_new_stock_is_told_after_the_turn_that_made_it():
    events = [
        Event(1, "draw"),
        Event(1, "discard 4H", left=1, rebuilt=True),
        Event(0, "draw", drawn="*"),
    ]
    assert told(events, NAMES, 0) == [
        "greedy draws and discards 4H: 1 card left.",
        "The stock is empty: the discards are shuffled into a new one.",
        "You draw *.",
    ]


def test_the_melds_of_an_opening_are_told_together():
    events = [
        Event(1, "draw", left=14),
        Event(1, "meld 7C 7D 7H", opening=True, points=21, left=11),
        Event(1, "meld 4S 5S 6S 7S", opening=True, opened=True, points=43, left=7),
        Event(1, "meld 8H 9H TH", left=4),
    ]
    assert told(events, NAMES, 0) == [
        "greedy draws, opens with 7C 7D 7H and 4S 5S 6S 7S (43 points) and lays 8H 9H TH."
    ]


def test_the_person_sees_how_far_the_opening_is():
    events = [Event(0, "meld 7C 7D 7H", opening=True, points=21, left=11)]
    assert told(events, NAMES, 0) == ["You lay 7C 7D 7H to open (21 points so far)."]
