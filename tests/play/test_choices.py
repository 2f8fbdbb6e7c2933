"""From selected cards to moves: what they can mean, and why not."""

import pytest

from kalooki_env.game import Game
from kalooki_env.play import choices
from kalooki_env.render.view import view_of

OPEN = {"rules": "british", "phase": "play", "opened": [True, True], "stock": "2C 3D 4H 8S"}


def at(hand, table=(), **more):
    """Put seat 0, open, in the middle of its turn; return the game and the melds it sees."""
    game = Game.from_position({**OPEN, "hands": [hand, "9H"], "table": list(table), **more})
    return game, view_of(game, 0).table


def moves(answer):
    return sorted(", ".join(way) for way in answer.ways)


@pytest.mark.parametrize(
    ("selected", "written"),
    [
        ("7C 7D 7H", ["meld 7C 7D 7H"]),
        ("7C 5C 6C", ["meld 5C 6C 7C"]),
        ("5C * 7C", ["meld 5C *6C 7C"]),
        ("5C 6C *", ["meld *4C 5C 6C", "meld 5C 6C *7C"]),
        ("QC KC *", ["meld *JC QC KC", "meld QC KC *AC"]),
        ("7C 7D *", ["meld 7C 7D *"]),
        ("KC AC 2C", []),
        ("7C 7C 8C", []),
        ("7C 7C 7D", ["meld 7C 7C 7D"]),
        ("* * *", []),
    ],
)
def test_a_joker_is_written_in_every_place_that_it_can_have(selected, written):
    found = [text for text in choices.meld_texts(selected.split()) if "*AC 2C" not in text]
    assert sorted(found) == written


def test_one_natural_and_two_jokers_can_be_a_set_or_runs():
    game, _ = at("5C * * 2D")
    assert moves(choices.meld(game, ["5C", "*", "*"])) == [
        "meld *3C *4C 5C",
        "meld *4C 5C *6C",
        "meld 5C * *",
        "meld 5C *6C *7C",
    ]


def test_a_joker_that_has_one_place_is_not_asked_for():
    game, _ = at("5C 7C * 2D")
    assert moves(choices.meld(game, ["5C", "*", "7C"])) == ["meld 5C *6C 7C"]
    game, _ = at("2C 3C * 2D")  # the ace is high
    assert moves(choices.meld(game, ["2C", "3C", "*"])) == ["meld 2C 3C *4C"]


@pytest.mark.parametrize(
    ("selected", "reason"),
    [
        ("5C 6D 8C", "all cards of a run are of one suit"),
        ("5C 8C *", "the cards of a run are consecutive"),
        ("5C 6C", "a meld has at least three cards"),
        ("5C 6D", "a meld has at least three cards"),
        ("5C 5D 6C", "a meld is a set of one rank or a run of one suit"),
    ],
)
def test_why_cards_are_no_meld(selected, reason):
    game, _ = at("5C 5D 6C 6D 8C * 2D")
    answer = choices.meld(game, selected.split())
    assert (answer.ways, answer.reason) == ((), reason)


def test_nothing_selected_is_no_illegal_move():
    game, table = at("5C 5D 6C", ["9C TC JC"])
    for answer in (
        choices.meld(game, []),
        choices.lay_off(game, table, []),
        choices.swap(game, table, []),
        choices.on_meld(game, table[0], []),
        choices.discard(game, []),
        choices.discard(game, ["5C", "5D"]),
    ):
        assert answer.hint
        assert not answer.ways
        assert not answer.reason


def test_a_card_is_laid_off_wherever_it_fits():
    game, table = at("8C 2D 3H", ["9C TC JC", "8D 8H 8S", "2S 3S 4S"])
    assert moves(choices.lay_off(game, table, ["8C"])) == ["add 8C @1", "add 8C @2"]
    assert choices.lay_off(game, table, ["2D"]).reason == "it fits none of the melds on the table"


def test_a_joker_asks_for_its_end_where_there_are_two():
    game, table = at("* 2D 3H", ["9C TC JC", "QD KD AD", "8D 8H 8S"])
    assert moves(choices.on_meld(game, table[0], ["*"])) == ["add *8C @1", "add *QC @1"]
    assert moves(choices.on_meld(game, table[1], ["*"])) == ["add *JD @2"]
    assert moves(choices.on_meld(game, table[2], ["*"])) == ["add * @3"]


def test_several_cards_are_laid_off_in_the_order_that_works():
    game, table = at("QC KC 2D 3H", ["9C TC JC"])
    assert moves(choices.on_meld(game, table[0], ["KC", "QC"])) == ["add QC @1, add KC @1"]
    game, table = at("QC * 2D 3H", ["9C TC JC"])
    assert moves(choices.on_meld(game, table[0], ["*", "QC"])) == [
        "add QC @1, add *8C @1",
        "add QC @1, add *KC @1",
    ]


def test_the_natural_card_takes_the_joker_of_a_run():
    game, table = at("TC 8C 2D 3H", ["9C *TC JC", "8D 8H 8S"])
    assert moves(choices.on_meld(game, table[0], ["TC"])) == ["swap TC @1"]
    assert moves(choices.swap(game, table, ["TC"])) == ["swap TC @1"]
    reason = choices.on_meld(game, table[1], ["TC"]).reason
    assert reason == "a set is of one rank"


def test_both_missing_suits_take_the_joker_of_a_set():
    game, table = at("8H 8S 2D 3H 4C", ["8C 8D *", "9C TC JC"])
    assert moves(choices.on_meld(game, table[0], ["8H", "8S"])) == ["swap 8H 8S @1"]


def test_a_swap_that_leaves_no_place_for_the_joker_says_so():
    game, table = at("8H 8S 2D", ["8C 8D *"])
    answer = choices.on_meld(game, table[0], ["8H", "8S"])
    assert answer.reason.startswith("the joker it releases could not be laid in this turn")


def test_an_ace_that_fits_both_ends_is_asked_for():
    game, table = at("AC 2D 3H", ["2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"], rules="kalooki40")
    assert moves(choices.on_meld(game, table[0], ["AC"])) == ["add AC @1 high", "add AC @1 low"]


def test_before_the_draw_no_card_is_played():
    game, _ = at("AC 2D 3H", phase="draw", discards="")
    reason = "first draw a card from the stock, or take the top discard"
    assert choices.too_early(game).reason == reason.partition(",")[0]  # there is no discard
    game, _ = at("AC 2D 3H", phase="draw", discards="KH")
    assert choices.too_early(game).reason == reason
    game, _ = at("AC 2D 3H", phase="draw", discards="KH", opened=[False, True])
    assert choices.too_early(game).reason == reason.partition(",")[0]


def test_a_swap_without_a_joker_on_the_table_says_so():
    game, table = at("8C 2D 3H", ["9C TC JC"])
    for cards in (["8C"], ["2D", "3H"]):
        assert choices.swap(game, table, cards).hint == "There is no joker on the table."


def test_a_seat_that_is_not_open_may_not_lay_off():
    game, table = at("8C 2D 3H", ["9C TC JC"], opened=[False, True])
    assert choices.lay_off(game, table, ["8C"]).reason == "before you are open you may not lay off"
