"""Moving by keys: selecting, laying, laying off, swapping, taking back."""

import dataclasses

import pytest

pytest.importorskip("textual")


from kalooki_env.play import prompts
from kalooki_env.play.screen import dialogs
from kalooki_env.play.screen.boards import Hand, Melds
from kalooki_env.rules import PRESETS
from tests.play.driving import OPEN, OPENING, at_table, play, press, said, seat, select, task, until


def test_a_move_that_is_not_allowed_says_why():
    async def script(pilot, table):
        await select(pilot, table, ["7C", "2D", "3D"])
        await press(pilot, "m")
        assert said(table) == "✗ Not allowed: all cards of a run are of one suit."
        await press(pilot, "escape", "x")
        assert said(table) == "Select the one card to discard first."
        await play(pilot, table, "meld 7C 7D 7H")
        await select(pilot, table, ["2D"])
        await press(pilot, "x")
        assert "21 of the 40 points" in said(table)
        assert len(table.view.hand) == 6

    at_table(script)


def test_undo_takes_melds_back_and_says_where_it_ends():
    async def script(pilot, table):
        await play(pilot, table, "meld 7C 7D 7H")
        await play(pilot, table, "meld 4S 5S 6S 7S")
        await press(pilot, "u", "u")
        assert table.view.table == ()
        assert len(table.query_one(Hand).cards) == 9
        assert said(table) == "You take back: meld 7♣ 7♦ 7♥"
        await press(pilot, "u")
        assert said(table).startswith("✗ Not allowed: only moves of this turn")

    at_table(script)


def test_the_jokers_card_is_asked_only_where_there_is_a_choice():
    async def script(pilot, table):
        await select(pilot, table, ["*"])
        await press(pilot, "1")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Choose))
        assert [str(o) for o in pilot.app.screen.offered] == ["add ★8♣ @1", "add ★Q♣ @1"]
        await press(pilot, "2")
        await until(lambda: len(table.view.table[0].cards) == 4)
        assert table.view.table[0].cards[-1] == "*QC"

    at_table(script, lambda: seat(OPEN))


def test_melds_are_pointed_at_with_tab_and_arrows():
    async def script(pilot, table):
        await select(pilot, table, ["8C"])
        await press(pilot, "tab")
        assert table.query_one(Melds).pointer == 1
        await press(pilot, "enter")
        assert table.view.table[0].cards[0] == "8C"
        assert not table.pointing

    at_table(script, lambda: seat(OPEN))


def test_a_meld_of_two_digits_waits_for_the_second():
    table_melds = [f"{rank}C {rank}D {rank}H" for rank in "23456789TJQK"]
    hands = ["KS 2S AC AD", "9S 9S"]
    position = {**OPEN, "table": table_melds, "hands": hands, "stock": "3S 4S", "discards": "5S"}

    async def script(pilot, table):
        await select(pilot, table, ["KS"])
        await press(pilot, "1")
        assert said(table) == "Meld 1_: another digit, or Enter."
        await press(pilot, "2")
        assert table.view.table[11].cards == ("KC", "KD", "KH", "KS")
        await select(pilot, table, ["2S"])
        await press(pilot, "1", "enter")
        assert table.view.table[0].cards == ("2C", "2D", "2H", "2S")

    at_table(script, lambda: seat(position))


def test_announcing_is_asked_where_the_rules_ask():
    rules = {"preset": "british", "announce": "manual"}
    position = {**OPEN, "rules": rules}

    async def script(pilot, table):
        await play(pilot, table, "discard 2D")
        assert task(table).startswith("Announce your last 3 cards?")
        await press(pilot, "y")
        assert table.view.me.announced == 3

    at_table(script, lambda: seat(position))


def test_the_hand_is_sorted_by_suit_and_by_rank():
    async def script(pilot, table):
        hand = table.query_one(Hand)
        await select(pilot, table, ["7D"])
        await press(pilot, "s")
        assert hand.cards == ["2D", "3D", "4S", "5S", "6S", "7C", "7D", "7H", "7S"]
        assert hand.picked == ["7D"]

    at_table(script)


def test_rules_may_differ_from_presets():
    rules = dataclasses.replace(PRESETS["british"], opening_points=0)

    async def script(pilot, table):
        await until(lambda: table.session.my_turn)
        await press(pilot, "d")
        assert task(table) == "Your turn: open with any meld, or just discard a card."

    at_table(script, lambda: seat(rules=rules))


def test_only_the_melds_that_a_card_fits_are_lit():
    position = {**OPEN, "table": ["4D 5D 6D", "9C *TC JC"]}

    async def script(pilot, table):
        melds = table.query_one(Melds)
        await select(pilot, table, ["8C"])
        assert list(melds.fits) == [2]
        assert said(table) == "Fits meld 2: press the number, or l to lay off, w to swap."
        await select(pilot, table, ["2D"])
        assert list(melds.fits) == []

    at_table(script, lambda: seat(position))


def test_moves_in_a_row_end_with_the_first_that_is_refused():
    async def script(pilot, table):
        table.play(("meld 7C 7D 7H", "discard 4S", "meld 4S 5S 6S 7S"))
        assert [event.move for event in table.session.events] == ["meld 7C 7D 7H"]
        assert said(table).startswith("✗ Not allowed: ")
        assert "21 of the 40 points" in said(table)

    at_table(script)


def test_home_and_end_move_to_the_first_and_the_last_card():
    async def script(pilot, table):
        hand = table.query_one(Hand)
        await press(pilot, "end")
        assert hand.cursor == len(hand.cards) - 1
        await press(pilot, "home")
        assert hand.cursor == 0

    at_table(script)


def test_undo_is_offered_only_where_there_is_something_to_take_back():
    def offers(table):
        return "u" in [button.key for button in prompts.buttons(table.session)]

    async def script(pilot, table):
        await press(pilot, "d")
        assert not offers(table)
        await play(pilot, table, "meld 7C 7D 7H")
        assert offers(table)

    at_table(script, lambda: seat({**OPENING, "phase": "draw"}))


def test_the_free_take_of_the_first_turn_is_explained():
    async def script(pilot, table):
        assert task(table).endswith("or take K♥ from the pile (first turn: free).")

    at_table(script, lambda: seat({**OPENING, "phase": "draw", "turn": 1}))
