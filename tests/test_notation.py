"""Notation: move texts and melds, what is no move at all, what is a move that no rule allows."""

import random

import pytest

from kalooki_env import meld_notation as words
from kalooki_env.cards import JOKER, card_text, joker_text, parse_card, position_card
from kalooki_env.engine.layout import NO_MELD, RUN, SET
from kalooki_env.errors import NotationError, PositionError
from kalooki_env.notation import (
    Move,
    check_target,
    make_meld,
    meld_points,
    meld_problem,
    move_text,
    parse_meld,
    parse_move,
    parse_table_meld,
    table_meld_text,
)
from kalooki_env.rules import PRESETS, Rules

THIRTEEN = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
TWELVE = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"


# Moves


@pytest.mark.parametrize(
    "text",
    [
        *("draw", "take", "announce", "silent", "buy in", "drop out"),
        *("meld 5C *6C 7C", "meld 7C 7D *", "meld AS 2S 3S", "meld QS KS AS", "meld 5C * *"),
        *("add 8C @2", "add *8C @2", "add * @2", "add AC @1 low", "add *AC @36 high"),
        *("swap 6C @2", "swap AC @1 high", "swap TH TS @1", "discard 4H", "discard *"),
        *("meld 5C 6D 7C", "meld * * *", "meld 9H", "swap TH TH @1"),
    ],
)
def test_a_canonical_text_comes_back_unchanged(text):
    move = parse_move(text)
    assert move_text(move) == text
    assert parse_move(move_text(move)) == move


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  DRAW ", "draw"),
        ("Buy   In", "buy in"),
        ("meld 7s *9S 6S 8S", "meld 6S 7S 8S *9S"),
        ("MELD * 7d 7c", "meld 7C 7D *"),
        ("meld 10d *jd 9D", "meld 9D TD *JD"),
        ("meld AS KS QS", "meld QS KS AS"),
        ("meld 3S AS 2S", "meld AS 2S 3S"),
        ("meld 9S 9C * 9D", "meld 9C 9D 9S *"),
        ("add *10c @12", "add *TC @12"),
        ("add ac @1 LOW", "add AC @1 low"),
        ("swap TS TH @1", "swap TH TS @1"),
        ("discard 10H", "discard TH"),
    ],
)
def test_case_spacing_and_the_order_of_cards_are_free(text, canonical):
    assert move_text(parse_move(text)) == canonical


def test_the_parts_of_a_move():
    move = parse_move("add *8C @2")
    assert (move.kind, move.target, move.end) == ("add", 2, None)
    assert move.card == JOKER and move.cards[0].card == parse_card("8C") and move.cards[0].joker
    swap = parse_move("swap TS TH @1")
    assert [card.text for card in swap.cards] == ["TH", "TS"] and swap.card == parse_card("TH")
    assert parse_move("add AC @3 high").end == "high"
    assert parse_move("discard *").card == JOKER


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a move that starts with draw, take"),
        ("fold", 'got "fold"'),
        ("draw 5C", "expected a move that starts with"),
        ("buy", "expected a move that starts with"),
        ("meld", "expected the cards of a meld"),
        ("meld 5C 6X", 'got "6X"'),
        ("add 8C 9C @1", "expected one card .*got 2"),
        ("add @1", "expected one card .*got 0"),
        ("add 8C", "expected the table meld last"),
        ("add @2 8C", "expected the table meld last"),
        ("add 8C @0", 'from 1 .*got "@0"'),
        ("add 8C @", 'from 1 .*got "@"'),
        ("add 8C @x", 'got "@x"'),
        ("add 8C @-1", 'got "@-1"'),
        ("add 8C @1 middle", "expected the table meld last"),
        ("discard", "expected one card .*got 0"),
        ("discard 4H 5H", "expected one card .*got 2"),
        ("discard *6C", r'written as \*, got "\*6C"'),
        ("swap @1", "expected one card or two .*got 0"),
        ("swap TC TD TH @1", "expected one card or two .*got 3"),
        ("swap * @1", "expected natural cards"),
        ("swap *6C @1", "expected natural cards"),
        ("swap TH * @1", "expected natural cards"),
        ("swap TH TS @1 low", "only after a swap of one card"),
        ("meld 5C 6C *", r"a joker in a run written with its card such as \*6C"),
        ("meld 5C 7C * *", "a joker in a run written with its card"),
        ("meld 6C 6D *6H", r'a joker in a set written as \*, got "\*6H"'),
        ("meld 6C 6D *6C", "a joker in a set written as"),
        ("meld 6C *6D *6H", "a joker in a set written as"),
        ("meld 5C *6C *", "expected jokers written alike"),
        ("meld *5C * *", "expected jokers written alike"),
        ("meld 5C ** 7C", r'got "\*\*"'),
        ("meld 5C *1C 7C", 'got "1C"'),
    ],
)
def test_what_is_no_move_at_all_is_a_notation_error(text, message):
    with pytest.raises(NotationError, match=message) as error:
        parse_move(text)
    assert "expected" in str(error.value) and "got" in str(error.value)


def test_a_text_is_expected():
    for bad in (None, 7, ["draw"]):
        with pytest.raises(NotationError, match="expected the text of a move"):
            parse_move(bad)


def test_a_joker_added_to_a_table_meld_is_written_as_that_meld_wants_it():
    check_target(parse_move("add * @1"), SET)
    check_target(parse_move("add *8C @1"), RUN)
    for kind in (RUN, SET):
        check_target(parse_move("add 8C @1"), kind)
        check_target(parse_move("swap 8C @1"), kind)
    with pytest.raises(NotationError, match=r'"add \* @1": expected a joker on a run'):
        check_target(parse_move("add * @1"), RUN)
    with pytest.raises(NotationError, match=r'"add \*8C @1": expected a joker on a set'):
        check_target(parse_move("add *8C @1"), SET)


# Melds that are well-formed and that no rules allow


@pytest.mark.parametrize(
    ("cards", "problem"),
    [
        ("9H", words.TOO_SHORT),
        ("9H 9D", words.TOO_SHORT),
        ("5C 6C", words.TOO_SHORT),
        ("5C *6C", words.TOO_SHORT),
        ("5C *", words.TOO_SHORT),
        ("AC KC", words.TOO_SHORT),
        ("5C 5D 5H 5S *", words.SET_TOO_LONG),
        ("5C * * * *", words.SET_TOO_LONG),
        ("7C 7C 7D", words.SUIT_TWICE),
        ("5C 5C", words.SUIT_TWICE),
        ("5C 5C *", words.SUIT_TWICE),
        ("5C 5D 5H 5S 5C", words.SUIT_TWICE),
        ("* * *", words.NO_NATURAL),
        ("*", words.NO_NATURAL),
        ("*4C *5C *6C", words.NO_NATURAL),
        ("5C 6D 7C", words.MIXED_SUITS),
        ("5C *6D 7C", words.MIXED_SUITS),
        ("KC KD 9D", words.NEITHER),
        ("5C 5H 6D", words.NEITHER),
        ("5C 6D *", words.NEITHER),
        ("5C 5C 6C", words.CARD_TWICE),
        ("5C *5C *6C", words.CARD_TWICE),
        ("AC 2C 3C AC", words.CARD_TWICE),
        ("5C 6C 8C", words.NOT_CONSECUTIVE),
        ("5C *7C 8C", words.NOT_CONSECUTIVE),
        ("AC 3C 4C", words.NOT_CONSECUTIVE),
        ("KS AS 2S", words.ROUND_THE_CORNER),
        ("KS AS 2S 3S", words.ROUND_THE_CORNER),
        ("QS KS AS *2S", words.ROUND_THE_CORNER),
        (THIRTEEN + " AC", words.RUN_TOO_LONG),
        (THIRTEEN + " *AC", words.RUN_TOO_LONG),
        (THIRTEEN + " AC AC", words.CARD_TWICE),
    ],
)
def test_cards_that_are_no_meld_parse_and_carry_the_reason(cards, problem):
    move = parse_move("meld " + cards)
    assert move.meld.problem == problem
    assert move_text(move) == "meld " + cards
    for rules in PRESETS.values():
        assert meld_problem(move.meld, rules) == problem
        assert meld_points(move.meld, rules) == 0 or move.meld.kind != NO_MELD


def test_a_meld_counts_nothing_if_it_is_none():
    for cards in ("5C 6D 7C", "7C 7C 7D", "5C 6C"):
        assert meld_points(parse_meld(cards), Rules.preset("british")) == 0


# Sets and runs in the engine's numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("9D TD *JD", (RUN, 1, 9, 11, 1 << 11)),
        ("AS 2S 3S", (RUN, 3, 1, 3, 0)),
        ("QS KS AS", (RUN, 3, 12, 14, 0)),
        ("*AS 2S 3S", (RUN, 3, 1, 3, 1 << 1)),
        ("QS KS *AS", (RUN, 3, 12, 14, 1 << 14)),
        ("*4C *5C 6C", (RUN, 0, 4, 6, 0b110000)),
        ("7C 7D *", (SET, 6, 0b0011, 3, 1)),
        ("5C * *", (SET, 4, 0b0001, 3, 2)),
        ("AH AS AC AD", (SET, 0, 0b1111, 4, 0)),
        ("5S * * *", (SET, 4, 0b1000, 4, 3)),
    ],
)
def test_a_meld_has_the_engines_numbers(text, numbers):
    assert parse_table_meld(text) == numbers
    meld = parse_meld(text)
    assert (meld.kind, meld.key, meld.low, meld.high, meld.jokers) == numbers
    assert meld.problem is None
    assert meld == make_meld(*numbers)


def test_a_run_and_a_set_name_their_parts():
    run = parse_meld("*6C 7C 5C")
    assert (run.suit, run.size, run.n_jokers) == (0, 3, 1)
    assert run.naturals == (parse_card("5C"), parse_card("7C"))
    meld = parse_meld("7D * 7C")
    assert (meld.rank, meld.mask, meld.jokers, meld.n_jokers) == (6, 0b0011, 1, 1)
    assert meld.naturals == (parse_card("7C"), parse_card("7D"))


def test_the_ace_of_all_thirteen_ranks_stands_where_it_is_written():
    low = parse_meld(THIRTEEN)
    assert (low.low, low.high, low.problem) == (1, 13, None)
    high = parse_meld(TWELVE + " AC")
    assert (high.low, high.high, high.problem) == (2, 14, None)
    shuffled = parse_meld("*AC KC QC 2C 3C 4C 5C 6C 7C 8C 9C TC JC")
    assert (shuffled.low, shuffled.jokers) == (1, 1 << 1)
    for middle in ("2C AC " + TWELVE[3:], "2C *AC " + TWELVE[3:]):
        with pytest.raises(
            NotationError, match=r"first \(low\) or last \(high\), got it at place 2"
        ):
            parse_meld(middle)


def test_a_low_ace_is_illegal_where_the_ace_is_high():
    high, both = Rules.preset("british"), Rules.preset("kalooki40")
    for text in ("AS 2S 3S", "*AS 2S 3S", THIRTEEN):
        assert meld_problem(parse_meld(text), high) == words.ACE_IS_HIGH
        assert meld_problem(parse_meld(text), both) is None
    for text in ("QS KS AS", TWELVE + " AC"):
        assert meld_problem(parse_meld(text), high) is None


def test_a_smaller_pack_has_fewer_melds():
    rules = Rules.preset("kalooki40", ranks=5, suits=3, jokers=0)
    assert meld_problem(parse_meld("TC JC QC"), rules) is None
    assert meld_problem(parse_meld("9C TC JC"), rules) == "these rules play without 9C"
    assert meld_problem(parse_meld("TC JC *QC"), rules) == "these rules play without jokers"
    assert meld_problem(parse_meld("TC TD *"), rules) == "these rules play without jokers"
    assert meld_problem(parse_meld("TC TD TS"), rules) == "these rules play without TS"
    assert "at most 3 cards" in meld_problem(parse_meld("TC TD TH TS"), rules)
    assert meld_problem(parse_meld("AC 2C 3C"), rules) == words.ACE_IS_HIGH
    with_joker = Rules.preset("kalooki40", ranks=5)
    assert meld_problem(parse_meld("*9C TC JC"), with_joker) == "these rules play without 9C"


def test_a_table_run_may_have_fourteen_cards():
    text = "*AC " + TWELVE + " AC"
    numbers = (RUN, 0, 1, 14, 1 << 1)
    assert parse_table_meld(text) == numbers
    assert table_meld_text(*numbers) == text
    assert parse_table_meld("AC " + TWELVE + " *AC") == (RUN, 0, 1, 14, 1 << 14)


@pytest.mark.parametrize("text", ["5C 6C", "5C 6D 7C", "KS AS 2S", "7C 7C 7D", "* * *"])
def test_what_is_no_meld_cannot_lie_on_the_table(text):
    with pytest.raises(PositionError, match="expected a meld on the table") as error:
        parse_table_meld(text)
    assert f'got "{text}"' in str(error.value)


def test_every_run_comes_back_from_its_text_in_any_order():
    shuffle = random.Random(1).shuffle
    for suit in range(4):
        for low in range(1, 13):
            for high in range(low + 2, 15):
                positions = range(low, high + 1)
                for jokers in (0, 1 << low, 1 << high, sum(1 << p for p in positions[1::2])):
                    numbers = (RUN, suit, low, high, jokers)
                    text = table_meld_text(*numbers)
                    assert parse_table_meld(text) == numbers
                    cards = [
                        (joker_text if jokers >> p & 1 else card_text)(position_card(suit, p))
                        for p in positions
                    ]
                    assert text == " ".join(cards)
                    if len(cards) < 13:
                        shuffle(cards)
                        assert parse_table_meld(" ".join(cards)) == numbers


def test_every_set_comes_back_from_its_text_in_any_order():
    shuffle = random.Random(2).shuffle
    for rank in range(13):
        for mask in range(1, 16):
            for jokers in range(4):
                size = mask.bit_count() + jokers
                if size not in (3, 4):
                    continue
                numbers = (SET, rank, mask, size, jokers)
                cards = table_meld_text(*numbers).split()
                assert cards == sorted(cards, key=lambda card: "CDHS*".index(card[-1]))
                shuffle(cards)
                assert parse_table_meld(" ".join(cards)) == numbers


# Points


@pytest.mark.parametrize(
    ("rules", "cards", "points"),
    [
        ("british", "JS QS KS AS", 41),
        ("british", "*4C 5C *6C", 15),
        ("british", "7C 7D *", 21),
        ("british", "AC AD * *", 44),
        ("british", "QS KS *AS", 31),
        ("kalooki40", "AS 2S 3S", 6),
        ("kalooki40", "*AS 2S 3S", 6),
        ("kalooki40", THIRTEEN, 1 + 54 + 30),
        ("kalooki40", TWELVE + " AC", 11 + 54 + 30),
        ("north_american", "AS 2S 3S", 20),
        ("north_american", "AC AD AH", 45),
        ("north_american", "QS KS AS", 35),
    ],
)
def test_a_meld_is_worth_the_points_of_its_places(rules, cards, points):
    assert meld_points(parse_meld(cards), Rules.preset(rules)) == points


def test_a_move_can_be_built_from_its_parts():
    meld = make_meld(RUN, 0, 5, 7, 1 << 6)
    assert move_text(Move("meld", meld=meld)) == "meld 5C *6C 7C"
    assert Move("meld", meld=meld) == parse_move("meld 7C 5C *6C")
