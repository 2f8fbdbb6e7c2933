"""What is on the screen at every size, in colour and without."""

import asyncio

import pytest

pytest.importorskip("textual")


from kalooki_env.play.screen.app import KalookiApp
from kalooki_env.play.screen.boards import Bar, Hand, Melds
from kalooki_env.play.wishes import Wishes
from kalooki_env.play.words import Event
from tests.play.driving import OPEN, at_table, seat, select, table_of

SIZES = [(80, 24), (120, 40), (200, 60)]


FIVE = {
    "rules": "british",
    "hands": ["7C 7D 8H 9H TH 4S 6S 7S 2D 3D AS KS *", "9D", "9S TS", "QH", "JH QD"],
    "opened": [True] * 5,
    "phase": "play",
    "table": ["9C *TC JC", "4C 4D 4H"],
    "discards": "9C KH",
}


@pytest.mark.parametrize("size", SIZES)
def test_everything_is_on_the_screen_at_every_size(size):
    melds = [f"{rank}C {rank}D {rank}H" for rank in "3456"]
    position = {
        "rules": "british",
        "hands": ["7C 7D 8H 9H TH 4S 6S 7S 2D 3D AS KS *", "9D", "9S TS", "QH", "JH QD"],
        "opened": [True] * 5,
        "table": ["9C *TC JC", *melds],
        "discards": "KC KH",
    }

    async def script(pilot, table):
        await pilot.pause()
        shown = "\n".join(
            "".join(segment.text for segment in table._compositor.render_strips()[y])
            for y in range(size[1])
        )
        for name in ("you", "greedy 1", "greedy 4", "Stock", "Pile", "7♣", "10♥", "★"):
            assert name in shown
        assert "★10" in shown or "★T♣" in shown
        assert "Your turn: draw from the stock, or take K♥ from the pile." in shown
        hand = table.query_one(Hand)
        zones = [zone for zone in hand.canvas.zones() if zone.target[0] == "card"]
        assert len(zones) == 13
        assert all(zone.x >= 0 and zone.x + zone.width <= size[0] for zone in zones)
        assert all(not widget.show_vertical_scrollbar for widget in table.query("#felt"))

    at_table(script, lambda: seat(position), size)


def test_cards_can_be_read_without_colours_and_in_letters():
    async def run():
        app = KalookiApp(Wishes(), begin=lambda: seat(OPEN), speed="instant", ascii_only=True)
        async with app.run_test(size=(80, 24)) as pilot:
            table = await table_of(pilot)
            await select(pilot, table, ["*"])
            text = table.query_one(Hand).canvas.text()
            assert text.isascii()
            first, second, third, *_ = text.splitlines()
            assert first.strip() == "#===#" or first.strip("# =") == ""
            assert "|10C" in third and "*" in second  # the selected card is a row higher
            assert table.query_one(Melds).canvas.text().isascii()

    asyncio.run(run())


def shown(table):
    """Return what is on the screen."""
    strips = table._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def test_everything_that_matters_is_on_a_screen_of_40_columns():
    async def script(pilot, table):
        await pilot.pause()
        text = shown(table)
        for words in ("▶you", "greed 1", "greed 4", "Stock", "Pile  K♥  9♣", "Discard", "? Help"):
            assert words in text
        for words in ("★T♣", "T♥", "Your turn: lay melds"):
            assert words in text
        for button in ("m", "x", "question_mark"):
            zones = table.query_one(Bar).canvas.zones()
            [zone] = [zone for zone in zones if zone.target == ("key", button)]
            assert zone.x + zone.width <= 40

    at_table(script, lambda: seat(FIVE), (40, 20))


def test_text_without_room_is_wrapped_and_ends_with_three_dots():
    async def script(pilot, table):
        words = "only the exact card that a joker of the run stands for replaces it"
        table.refuse(words)
        await pilot.pause()
        assert f"✗ Not allowed: {words}." in " ".join(shown(table).split())
        table.refuse(f"{words}, " * 4)
        table.session.events.append(Event(1, "meld " + "5D 6D 7D 8D 9D TD JD QD KD AD " * 6))
        table._show_log()
        await pilot.pause()
        lines = shown(table).splitlines()
        assert sum(line.rstrip().endswith("…") for line in lines) == 2

    at_table(script, lambda: seat(OPEN), (80, 24))


@pytest.mark.parametrize("size", [(39, 24), (80, 17)])
def test_a_screen_that_is_too_small_says_how_large_it_must_be(size):
    async def script(pilot, table):
        await pilot.pause()
        text = " ".join(shown(table).split())
        assert text.startswith("Kalooki needs 40 columns and 18 rows: make the terminal larger")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "Kalooki needs" not in shown(table)

    at_table(script, lambda: seat(FIVE), size)
