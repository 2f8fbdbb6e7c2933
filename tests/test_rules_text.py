"""The rules in plain English: what a referee looks for in the presets, and odd variants."""

import pytest

from kalooki_env import rules_text
from kalooki_env.errors import RulesError
from kalooki_env.rules import PRESETS, Rules
from kalooki_env.rules_text.match import ring_shares
from kalooki_env.rules_text.sections import Paragraph, Section


def told(rules, seats=None):
    """Return the whole text of a variant on one line."""
    return " ".join(rules_text.to_text(rules_text.explain(rules, seats), 10_000).split())


def preset(name, **knobs):
    return told(Rules.preset(name, **knobs))


def paragraph(rules, title, lead):
    """Return one paragraph's text, None where the variant has none."""
    for section in rules_text.explain(rules):
        for found in section.paragraphs:
            if (section.title, found.lead) == (title, lead):
                return found.text
    return None


# The presets against the rules as a referee knows them


def test_british_says_what_a_referee_would_ask_for():
    text = preset("british")
    for fact in (
        "2 to 5 players",
        "2 packs of 52 cards with 2 jokers",
        "106 cards",
        "Everybody is dealt 13 cards.",
        "The ace is high only",
        "neither A 2 3 nor K A 2",
        "at least 40 points together (exactly 40 is enough)",
        "an ace 11, and a joker the points of the card it stands for",
        "J Q K A of one suit is worth 41, enough to open with alone",
        "Before that you may take it only to lay it in the very melds that open your hand",
        "Whoever has the first turn of the deal may take the up-card in that turn all the same",
        "In each later turn you may lay 1 new meld",
        "9 10 J and Q K A of one suit are a chain",
        "at most 2 cards at the same end of a run",
        "both missing suits together",
        "any two of the three missing suits. Exactly one joker comes out",
        "A set of four is closed",
        "It is laid in this same turn, in a new meld or as a lay-off.",
        "you may never lay your last card",
        "may not be discarded in the same turn. If you held an equal card before",
        "with no lay-off and no swap",
        "Each loser pays 2 instead of 1 for it.",
        "Whoever holds 1, 2 or 3 cards",
        "the announcement is made for you",
        "This is done once in a deal.",
        "the same dealer deals again",
        "an ace 11, and a joker 15",
        "A total above 150 is out of the match; exactly 150 stays in.",
        "If at least two players stand at 150 or less",
        "may buy in by paying 5 into the pool",
        "Each may do so twice in a match.",
        "clockwise from the winner's left",
        "As soon as only one player stands at 150 or less, that player has won the match.",
        "every player pays 5 into the pool: 25 with 5 players. Each buy-in adds 5.",
        "gets 1 from each other player still in the match, and 2 instead for a kalooki: 4, or 8,",
        "The winner of the match takes the pool.",
    ):
        assert fact in text, fact


DISTINGUISHING = {
    "british": (
        "In each later turn you may lay 1 new meld",
        "melds that open your hand in this turn",
    ),
    "european": ("Before that you may not take it at all.", "any number of new melds in a turn"),
    "north_american": (
        "15 cards with 2 to 4 players, 13 cards with 5 players and 11 cards with 6 players",
        "an ace 15, high or low",
        "The winner gains the sum of all the penalties",
        "The highest total wins it",
    ),
    "kalooki40": ("You may always take it", "total reaches 100 or more", "2 jokers", "40 points"),
    "double_deck": ("2 to 6 players", "4 jokers", "total reaches 100 or more", "40 points"),
    "contract": (
        "deal 1: 3 sets (13 cards dealt) * deal 2: 2 sets and 1 run",
        "deal 9: 4 runs (17 cards dealt)",
        "The sets of one contract differ in rank. The runs of one contract differ in suit.",
        "new melds you lay no more in this deal",
        "The match ends after 9 deals, one for each contract. The lowest total wins it",
    ),
    "hunt51": (
        "Each loser gets 25 more penalty points for it.",
        "an ace 11, but 1 where it is low in a run",
        "A 2 3 is worth 6",
        "and a joker 25",
        "The match is a single deal. The lowest total wins it",
    ),
    "ring51": (
        "pool x (100 - d) / (400 x losers), rounded down",
        "With 4 players the pool is 400. Losers with penalties of 20, 50 and 120 get 26, 16 and 0, "
        "the winner 358.",
    ),
    "tournament51": (
        "every player pays 100 into the pool",
        "A total above 150 is out of the match",
        "each of these penalties is 25 higher",
    ),
}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_its_own_sentences_and_nobody_else_has_all_of_them(name):
    having = [
        other for other in PRESETS if all(fact in preset(other) for fact in DISTINGUISHING[name])
    ]
    assert having == [name]


def test_what_a_preset_lacks_is_not_mentioned():
    for name in ("north_american", "kalooki40", "double_deck", "contract", "hunt51"):
        text = preset(name)
        assert "pool" not in text and "buy" not in text and "money" not in text, name
    for name in ("kalooki40", "double_deck", "contract", "hunt51", "ring51", "tournament51"):
        assert "1, 2 or 3 cards" not in preset(name), name
    assert "buy" not in preset("tournament51")
    assert "Further melds" not in preset("contract")
    assert "points" not in paragraph(Rules.preset("contract"), "Opening", "Laying it")
    assert "target" not in preset("tournament51")


def test_a_contract_that_the_pack_cannot_make_is_named():
    text = preset("contract", suits=3)
    assert "too few suits for the contract of deal 9: nobody can open there" in text
    assert "too few suits" not in preset("contract")
    text = preset("contract", suits=2, contracts=["34", "44", "3"])
    assert "too few suits for the contract of deals 1 and 3" in text


def test_contracts_say_how_many_of_them_are_played():
    assert "after 3 deals, which ask for the first 3 contracts" in preset("contract", deals=3)
    assert "cards dealt)" not in preset("contract", hand_size=17)


def test_a_number_of_seats_that_cannot_be_dealt_is_not_offered():
    assert "2 or 3 players" in preset("british", decks=1)
    text = preset("british", decks=1, jokers=0, suits=1)
    assert "Nobody can play with these values." in text
    assert "27 cards dealt of a pack of 13" in text
    text = preset("british", hand_size={2: 15, 3: 13, 5: 10})
    assert "2, 3 or 5 players" in text
    assert "With 5 only single deals are played" in text
    assert "Nobody can play" not in preset("british")


def test_a_table_of_known_size_is_told_its_own_numbers():
    rules = Rules.preset("north_american")
    assert "Everybody is dealt 11 cards." in told(rules, 6)
    british = told(Rules.preset("british"), 3)
    assert "every player pays 5 into the pool: 15 with 3 players" in british
    assert "2, or 4, with 3 players" in british
    assert "Buying in" in british
    assert "Buying in" not in told(Rules.preset("british"), 2)  # it takes two others who stand
    with pytest.raises(RulesError, match="expected 2-5"):
        rules_text.explain(Rules.preset("british"), 6)


def test_the_ring_example_pays_as_the_cases_do():
    assert ring_shares(400, [20, 50, 120], "each") == [26, 16, 0]
    assert ring_shares(200, [40], "each") == [30]
    assert ring_shares(400, [20, 50, 120], "split25") == [61, 38, 0]
    assert ring_shares(200, [100], "split25") == [0]
    text = preset("ring51", ring_payout="split25")
    assert "get 61, 38 and 0, the winner 301" in text


def test_where_winners_may_share_the_pool_the_rest_has_an_owner():
    assert "goes to the one of them in the lowest seat" not in preset("british")
    assert "goes to the one of them in the lowest seat" in preset("british", deals=3)


# Showing it

EXAMPLE = [Section("Melds", (Paragraph("Run", "Such as J Q K A.", ("one", "two")),))]


def test_text_is_wrapped_and_cards_stay_together():
    assert rules_text.to_text(EXAMPLE, 19) == (
        "Melds\n-----\n\nRun. Such as\nJ Q K A.\n  * one\n  * two\n"
    )


def test_markdown_has_headings_leads_and_lists():
    assert rules_text.to_markdown(EXAMPLE, 3) == (
        "### Melds\n\n**Run.** Such as J Q K A.\n\n* one\n* two\n"
    )
