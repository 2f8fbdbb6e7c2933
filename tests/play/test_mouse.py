"""Moving by clicks."""

import pytest

pytest.importorskip("textual")


from kalooki_env.play.screen.boards import Bar, Hand, Melds, Piles
from tests.play.driving import (
    OPEN,
    at_table,
    press,
    said,
    seat,
    select,
    task,
    until,
)


def test_cards_are_selected_by_keys_and_clicks_and_laid():
    async def script(pilot, table):
        hand = table.query_one(Hand)
        assert hand.cards == ["7C", "2D", "3D", "7D", "7H", "4S", "5S", "6S", "7S"]
        zones = {zone.target: zone for zone in hand.canvas.zones()}
        for index in (0, 3):
            zone = zones["card", index]
            await pilot.click(Hand, offset=(zone.x + 1, zone.y + 1))
        assert hand.picked == ["7C", "7D"]
        await press(pilot, "right", "up")
        assert hand.picked == ["7C", "7D", "7H"]
        assert said(table) == "A meld of 21 points."
        await press(pilot, "m")
        assert table.view.table[0].cards == ("7C", "7D", "7H")
        assert hand.picked == []
        assert task(table) == "Opening: 21 of 40 points laid so far."

    at_table(script)


def test_a_click_on_a_meld_lays_off_or_swaps():
    async def script(pilot, table):
        melds = table.query_one(Melds)
        for card, cards in (("TC", "9C TC JC"), ("8C", "8C 9C TC JC")):
            await select(pilot, table, [card])
            assert list(melds.fits) == [1]
            zone = melds.canvas.zones()[0]
            await pilot.click(Melds, offset=(zone.x + 3, zone.y + 1))
            assert table.view.table[0].cards == tuple(cards.split())
        assert table.view.owed == 1
        assert "1 released joker must still be laid in this turn" in task(table)

    at_table(script, lambda: seat(OPEN))


def test_the_piles_are_clicked_to_draw_to_take_and_to_discard():
    async def script(pilot, table):
        piles = table.query_one(Piles)
        stock, pile = (
            next(zone.x + 2 for zone in piles.canvas.zones() if zone.target == (name,))
            for name in ("stock", "pile")
        )
        await pilot.click(Piles, offset=(pile, 2))
        assert table.view.taken == "KH"
        await press(pilot, "u")
        await pilot.click(Piles, offset=(stock, 2))
        assert "2C" in table.view.hand
        await select(pilot, table, ["2D"])
        await pilot.click(Piles, offset=(pile, 2))
        assert "2D" not in table.view.hand

    at_table(script, lambda: seat({**OPEN, "phase": "draw"}))


def test_a_button_is_clicked():
    async def script(pilot, table):
        await select(pilot, table, ["2D"])
        zone = next(z for z in table.query_one(Bar).canvas.zones() if z.target == ("key", "x"))
        await pilot.click(Bar, offset=(zone.x + 1, 0))
        await until(lambda: "2D" not in table.view.hand)

    at_table(script, lambda: seat(OPEN))
