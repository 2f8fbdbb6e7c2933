"""Cards: ids and texts."""

import pytest

from kalooki_env import cards
from kalooki_env.errors import NotationError


def test_every_card_type_comes_back_from_its_text():
    assert [cards.parse_card(cards.card_text(card)) for card in range(53)] == list(range(53))


@pytest.mark.parametrize(
    ("text", "card"),
    [("AC", 0), ("KC", 12), ("AD", 13), ("TD", 22), ("AH", 26), ("KS", 51), ("*", 52)],
)
def test_suits_are_numbered_c_d_h_s_and_ranks_from_the_ace(text, card):
    assert cards.parse_card(text) == card
    assert cards.card_text(card) == text


@pytest.mark.parametrize("text", ["TD", "td", "Td", "10D", "10d", " tD "])
def test_a_ten_may_be_written_in_any_case_and_as_10(text):
    assert cards.card_text(cards.parse_card(text)) == "TD"


@pytest.mark.parametrize(
    "text", ["", "1C", "C5", "5", "5X", "11D", "100D", "*6C", "**", "5C6C", "joker"]
)
def test_what_is_no_card_is_refused_with_expected_and_got(text):
    with pytest.raises(NotationError, match="expected a card such as 5C") as error:
        cards.parse_card(text)
    assert f'got "{text}"' in str(error.value)


def test_an_id_that_is_no_card_is_refused():
    for bad in (-1, 53):
        with pytest.raises(NotationError, match=f"expected a card type 0-52, got {bad}"):
            cards.card_text(bad)
    with pytest.raises(NotationError, match="natural card"):
        cards.joker_text(cards.JOKER)


def test_a_joker_shows_the_card_it_stands_for():
    assert cards.joker_text(cards.parse_card("6C")) == "*6C"


def test_a_hand_is_read_in_order_and_sorted_by_suit_and_rank():
    hand = cards.parse_cards("JS * 10d AC jd")
    assert cards.cards_text(hand) == "JS * TD AC JD"
    assert cards.cards_text(cards.sort_cards(hand)) == "AC TD JD JS *"
    assert cards.parse_cards("  ") == []


def test_counts_and_lists_of_cards_are_inverse():
    hand = cards.parse_cards("5C 5C TD * *")
    counts = cards.count_cards(hand)
    assert counts.sum() == 5 and counts[cards.JOKER] == 2 and counts[4] == 2
    assert cards.list_cards(counts) == hand


def test_the_ace_stands_at_both_ends_of_the_positions():
    ranks = [cards.RANKS[cards.position_rank(position)] for position in range(1, 15)]
    assert "".join(ranks) == "A23456789TJQKA"
    assert cards.position_card(2, 14) == cards.position_card(2, 1) == cards.parse_card("AH")
