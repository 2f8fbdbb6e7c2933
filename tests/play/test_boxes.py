"""Cards, melds, piles and seats on a canvas: what is written, and what a click there means."""

import pytest

from kalooki_env.game import Game
from kalooki_env.render import hands, melds, places
from kalooki_env.render.boxes import Face
from kalooki_env.render.style import group_cards
from kalooki_env.render.view import MeldView, view_of

FACE = Face()
POSITION = {
    "rules": "british",
    "hands": ["7C 7D 2D 3D", "9H 9D", "KS"],
    "opened": [False, True, True],
    "phase": "play",
    "stock": "2C 3C",
    "discards": "9C 5D KH",
    "totals": [12, 34, 147],
    "table": ["9C TC JC", "4S 5S 6S"],
}


def view(**more):
    return view_of(Game.from_position({**POSITION, **more}), 0)


def place_of(canvas, text):
    """Return the cell in which a text begins."""
    for y, line in enumerate(canvas.text().splitlines()):
        if text in line:
            return line.index(text), y
    raise AssertionError(f"no {text} in\n{canvas.text()}")


def columns(canvas, seats):
    """Return the lines of each seat."""
    each = canvas.width // seats
    lines = [line.ljust(canvas.width) for line in canvas.text().splitlines()]
    return [[line[i * each : (i + 1) * each].strip() for line in lines] for i in range(seats)]


def test_each_seat_shows_its_cards_and_total_and_whose_turn_it_is():
    canvas = places.seats(view(), ["you", "Ann", "Bob"], FACE, 90, money=False)
    assert columns(canvas, 3) == [
        ["▶ you", "4 cards  total 12", "not open"],
        ["Ann", "2 cards  total 34", "open"],
        ["Bob", "1 card   total 147", "open"],
    ]


@pytest.mark.parametrize("width", [40, 60])
@pytest.mark.parametrize("seats", [5, 6])
def test_on_a_narrow_screen_seats_stay_apart_and_no_number_is_cut(width, seats):
    names = ["you", *(f"Beginner {number}" for number in range(1, seats))]
    hands = ["7C 7D 2D 3D", "9H 9D", "KS", "KD", "KC", "QC"][:seats]
    game = {
        "rules": "double_deck",
        "hands": hands,
        "opened": [False] + [True] * (seats - 1),
        "totals": [12, 34, 147, 5, 6, 7][:seats],
        "table": [],
    }
    shown = columns(places.seats(view(**game), names, FACE, width, money=True), seats)
    assert shown[0][0].startswith("▶")
    assert all(shown[number][0].endswith(f" {number}") for number in range(1, seats))
    assert all(state.startswith("open") for _, _, state in shown[1:])
    for (_, cards, _), total, hand in zip(shown, game["totals"], hands, strict=True):
        first, *rest = cards.split()
        assert first.rstrip("▯") == str(len(hand.split()))
        assert rest in ([], [str(total)], ["cards", str(total)], ["card", str(total)])


def test_the_pile_shows_its_top_card_and_those_under_it():
    canvas = places.piles(view(), FACE, 18, 12, mine=True)
    x, y = place_of(canvas, "K♥")
    assert canvas.at(x, y) == ("pile",)
    assert canvas.at(2, 2) == ("stock",)
    assert "5♦ 9♣" in canvas.text()
    line = places.piles(view(), FACE, 40, 1, mine=True)
    assert line.text() == " Stock 2   Pile  K♥  5♦ 9♣"
    assert line.at(*place_of(line, "K♥")) == ("pile",)
    assert line.at(*place_of(line, "Stock")) == ("stock",)


@pytest.mark.parametrize("height", [14, 6, 3, 1])
def test_a_click_on_a_meld_is_for_that_meld_at_every_size(height):
    canvas = melds.melds(view().table, ["you", "Ann", "Bob"], FACE, 80, height)
    for number, card in ((1, "10♣"), (2, "5♠")):
        assert canvas.at(*place_of(canvas, card)) == ("meld", number)


@pytest.mark.parametrize("width", [40, 62, 80])
def test_no_meld_is_cut_off(width):
    run = tuple(f"{rank}C" for rank in "23456789TJQKA")
    jokers = ("2H", "*3H", "4H", "*5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH", "AH")
    table = [MeldView(1, run, 0), MeldView(2, jokers, 0), MeldView(3, ("7C", "7D", "*"), 0)]
    canvas = melds.melds(table, ["you"], FACE, width, 6)
    text = canvas.text().replace("10", "T").replace(" ", "").replace("│", "")
    for meld in table:
        assert "".join(FACE.text(card, 2) for card in meld.cards) in text
        zone = next(zone for zone in canvas.zones() if zone.target == ("meld", meld.number))
        assert zone.x + zone.width <= width


HAND = "TC TD TH TS 9H KH AS AC * 2D 3D 4D 5D 6D 7D 8D QD"


@pytest.mark.parametrize("symbols", [True, False])
@pytest.mark.parametrize("width", [40, 43, 46, 52, 60, 80, 120])
@pytest.mark.parametrize("cards", [10, 13, 14, 17])
def test_rank_and_suit_of_every_card_in_the_hand_can_be_read(width, cards, symbols):
    face = Face(symbols=symbols)
    groups = group_cards(HAND.split()[:cards])
    canvas = hands.hand(groups, {0}, 3, face, width, 4)
    lines = [line.ljust(width) for line in canvas.text().splitlines()]
    zones = {zone.target[1]: zone for zone in canvas.zones()}
    for index, card in enumerate(card for group in groups for card in group):
        zone = zones[index]
        assert zone.x >= 0 and zone.x + zone.width <= width
        cells = "".join(line[zone.x : zone.x + zone.width] for line in lines)
        if card == "*":
            assert face.text("*") in cells
            continue
        assert face.suit(card[1]) in cells
        assert ("10" in cells or "T" in cells) if card[0] == "T" else card[0] in cells
        assert canvas.at(zone.x + 1, 2) == ("card", index)


def test_a_ten_is_written_as_in_the_notation_where_two_letters_fit():
    assert (FACE.text("TH"), FACE.text("TH", 2)) == ("10♥", "T♥")
    assert (FACE.text("*TH"), FACE.text("*TH", 3)) == ("★10♥", "★T♥")
