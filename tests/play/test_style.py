"""Cards on the screen: symbols where they can be written, colour only in a terminal."""

import io

from kalooki_env.render.style import Style, group_cards, style_of


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def __init__(self, encoding):
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self):
        return self._encoding

    def isatty(self):
        return True


def test_plain_style_leaves_a_text_alone():
    assert Style().cards("You draw 5C. @2 * *6C") == "You draw 5C. @2 * *6C"


def test_symbols_replace_the_suits_of_cards_and_nothing_else():
    assert Style(symbols=True).cards("A 5C, *6D and TS; ASK 5CC") == "A 5♣, *6♦ and T♠; ASK 5CC"


def test_red_suits_and_jokers_have_colours_and_black_ones_none():
    style = Style(color=True)
    assert style.cards("5D") == "\x1b[31m5D\x1b[0m"
    assert style.cards("*") == "\x1b[35m*\x1b[0m"
    assert style.cards("5S") == "5S"


def test_the_stream_decides(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert style_of(Terminal("utf-8")) == Style(symbols=True, color=True)
    assert style_of(Terminal("ascii")) == Style(symbols=False, color=True)
    assert style_of(Terminal("utf-8"), ascii_only=True) == Style(symbols=False, color=True)
    assert not style_of(io.StringIO()).color
    monkeypatch.setenv("NO_COLOR", "1")
    assert not style_of(Terminal("utf-8")).color


def test_a_hand_is_grouped_by_suit_or_by_rank_with_aces_high_and_jokers_last():
    hand = ["AS", "2D", "*", "9H", "AD", "2C", "TD", "9D"]
    by_suit = [["2C"], ["2D", "9D", "TD", "AD"], ["9H"], ["AS"], ["*"]]
    assert group_cards(hand) == by_suit
    by_rank = [["2C", "2D"], ["9D", "9H"], ["TD"], ["AD", "AS"], ["*"]]
    assert group_cards(hand, "rank") == by_rank
