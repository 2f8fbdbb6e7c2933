"""The table on the whole screen, driven by keys and clicks alone."""

import asyncio
import dataclasses
import threading

import pytest

pytest.importorskip("textual")

from textual.widgets import Input, Static

from kalooki_env import agents, records
from kalooki_env.play import saved, seating
from kalooki_env.play.screen import dialogs
from kalooki_env.play.screen.app import KalookiApp
from kalooki_env.play.screen.boards import Bar, Hand, Melds, Piles
from kalooki_env.play.screen.first import Chooser, First
from kalooki_env.play.screen.score import Score
from kalooki_env.play.seating import Seated
from kalooki_env.play.session import Session
from kalooki_env.play.wishes import Wishes
from kalooki_env.records import Record
from kalooki_env.rules import PRESETS, Rules
from tests.play.driving import play, play_match, press, select, table_of, until

SIZES = [(80, 24), (120, 40), (200, 60)]
OPENING = {
    "rules": "british",
    "hands": ["7C 7D 7H 4S 5S 6S 7S 2D 3D", "9H 9D"],
    "phase": "play",
    "stock": "2C 3C 4C 5C 6C 8C",
    "discards": "9C KH",
}
OPEN = {**OPENING, "opened": [True, True], "hands": ["8C TC * 2D", "9H 9D"], "table": ["9C *TC JC"]}


def seat(position=None, rules=None, seats=2, seed=7):
    """Make a table against greedy, in the middle of a game or with changed rules."""
    start = None if position is None else Record.at(position)
    rules = rules or start.rules
    seats = seats if start is None else start.seats
    others = {other: agents.load("greedy", seed=seed + other) for other in range(1, seats)}
    session = Session(rules, others, seed, start=start)
    return Seated(session, ["greedy"] * (seats - 1), "", "")


class Waiting:
    """Plays the first legal move as soon as it is told to go on."""

    name = "waiting"

    def __init__(self):
        self.go_on = threading.Event()

    def act(self, game, seat):
        self.go_on.wait(20)
        return int(game.legal_actions()[0])


def at_table(script, make=lambda: seat(OPENING), size=(80, 24)):
    """Run a script at a table."""

    async def run():
        app = KalookiApp(Wishes(), begin=make, speed="instant")
        async with app.run_test(size=size) as pilot:
            await script(pilot, await table_of(pilot))

    asyncio.run(run())


def said(table):
    return str(table.query_one("#said", Static).render())


def task(table):
    return str(table.query_one("#task", Static).render())


# Whole matches


SHORT = {
    "british": {"out_above": 5},
    "hunt51": {},
    "north_american": {},
}


@pytest.mark.parametrize("preset", SHORT)
def test_a_short_match_is_played_by_keys_alone(preset):
    rules = Rules.preset(preset, **SHORT[preset])

    async def script(pilot, table):
        session = await play_match(pilot)
        assert session.game.result["match_winner"] is not None
        await until(lambda: isinstance(pilot.app.screen, Score))
        await press(pilot, "enter")
        await until(lambda: isinstance(pilot.app.screen, First))

    at_table(script, lambda: seat(rules=rules, seats=2))


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_match_is_played_by_keys_alone(preset):
    # greedy leaves the longer contracts void again and again
    rules = Rules.preset("contract", deals=3) if preset == "contract" else PRESETS[preset]

    async def script(pilot, table):
        session = await play_match(pilot)
        assert session.game.result["match_winner"] is not None

    at_table(script, lambda: seat(rules=rules, seats=3))


# Moving


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


def test_every_legal_move_is_listed_searched_and_typed():
    async def script(pilot, table):
        await press(pilot, "slash")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Moves))
        await pilot.pause()
        screen = pilot.app.screen
        count = len(table.session.moves())
        assert str(screen.query_one("#count", Static).render()) == f"{count} legal moves"
        screen.query_one(Input).value = "m 7♥ 7d"
        await pilot.pause()
        wanted = [m for m in table.session.moves(["meld"]) if "7D" in m and "7H" in m]
        assert screen.found == wanted
        screen.query_one(Input).value = "meld 5c 6d 7c"
        await pilot.pause()
        answer = str(screen.query_one("#answer", Static).render())
        assert answer == "Not allowed: all cards of a run are of one suit."
        screen.query_one(Input).value = "meld 4s 5s 6s"
        await pilot.pause()
        await pilot.press("enter")
        await until(lambda: len(table.view.table) == 1)
        assert table.view.table[0].cards == ("4S", "5S", "6S")

    at_table(script)


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


def test_announcing_is_asked_where_the_rules_ask():
    rules = {"preset": "british", "announce": "manual"}
    position = {**OPEN, "rules": rules}

    async def script(pilot, table):
        await play(pilot, table, "discard 2D")
        assert task(table).startswith("Announce your last 3 cards?")
        await press(pilot, "y")
        assert table.view.me.announced == 3

    at_table(script, lambda: seat(position))


# What is shown


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
        for name in ("you", "greedy 1", "greedy 4", "Stock", "Pile", "7♣", "10♥", "★T♣", "★"):
            assert name in shown
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


def test_the_hand_is_sorted_by_suit_and_by_rank():
    async def script(pilot, table):
        hand = table.query_one(Hand)
        await select(pilot, table, ["7D"])
        await press(pilot, "s")
        assert hand.cards == ["2D", "3D", "4S", "5S", "6S", "7C", "7D", "7H", "7S"]
        assert hand.picked == ["7D"]

    at_table(script)


@pytest.mark.parametrize(
    ("key", "shown"),
    [("p", "9♣"), ("g", ""), ("question_mark", "draw from the stock"), ("r", "40 points")],
)
def test_pages_open_and_close(key, shown):
    async def script(pilot, table):
        await press(pilot, key)
        await until(lambda: isinstance(pilot.app.screen, dialogs.Page))
        await pilot.pause()
        assert shown in str(pilot.app.screen.text)
        await press(pilot, "escape")
        await until(lambda: pilot.app.screen is table)

    at_table(script)


def test_the_coach_says_what_the_hand_lacks():
    position = {**OPENING, "hands": ["7C 7D JS QS KS 2D 3D 5H 9C", "9H 9D"]}

    async def script(pilot, table):
        table.seated.coach = agents.load("greedy")
        await press(pilot, "c")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Page))
        await pilot.pause()
        text = str(pilot.app.screen.text)
        assert "worth 30 of the 40 points" in text
        assert "A♠ (2)" in text

    at_table(script, lambda: seat(position))


# The end of a deal and of a match


LAST = {**OPENING, "hands": ["7C 7D 7H 4S 5S 6S 7S 2D", "9H * AD"]}


async def go_out(pilot, table):
    for move in ("meld 7C 7D 7H", "meld 4S 5S 6S 7S", "discard 2D"):
        await play(pilot, table, move)
    await until(lambda: isinstance(pilot.app.screen, Score))
    await pilot.pause()


def test_the_score_comes_after_the_deal_and_leads_to_the_next():
    async def script(pilot, table):
        await go_out(pilot, table)
        score = pilot.app.screen
        assert str(score.query_one("#title", Static).render()).startswith("Deal 1 is over")
        await press(pilot, "enter")
        await until(lambda: pilot.app.screen is table)
        assert table.view.deal == 2
        assert table.view.seats[1].total == 35

    at_table(script, lambda: seat(LAST))


def test_a_deal_is_reviewed():
    async def script(pilot, table):
        table.seated.coach = agents.load("greedy")
        await go_out(pilot, table)
        await press(pilot, "c")
        await until(lambda: isinstance(pilot.app.screen, dialogs.Page))
        await pilot.pause()
        assert "greedy" in str(pilot.app.screen.text)

    at_table(script, lambda: seat(LAST))


def test_a_buy_in_is_asked_on_the_score_sheet():
    position = {
        "rules": "british",
        "hands": ["TH 9S", "9H 4S", "3C"],
        "to_move": 1,
        "phase": "play",
        "opened": [True, True, True],
        "table": ["9C 9D 9S", "JD QD KD AD"],
        "stock": "2C 2D 2H",
        "totals": [144, 120, 95],
    }

    async def script(pilot, table):
        await until(lambda: isinstance(pilot.app.screen, Score) and table.session.my_turn)
        await pilot.pause()
        words = str(pilot.app.screen.query_one("#task", Static).render())
        assert "Buy in for 5, or drop out of the match?" in words
        await press(pilot, "y")
        assert table.view.me.total == 120
        assert table.view.me.money == -11

    at_table(script, lambda: seat(position))


# The first screen, leaving, going on


def test_the_first_screen_chooses_variant_seats_and_opponents():
    async def run():
        app = KalookiApp(Wishes())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(lambda: isinstance(app.screen, First))
            await pilot.pause()
            first = app.screen
            while first.query_one("#variant", Chooser).value != "kalooki40":
                await press(pilot, "right")
            assert "40 points" in str(first.query_one("#words", Static).render())
            await press(pilot, "down", "right")
            for _ in range(2):
                await press(pilot, "down")
                while first.focused.value != "greedy":
                    await press(pilot, "right")
            await press(pilot, "down")
            assert first.focused.word == "Speed"
            await press(pilot, "enter")
            table = await table_of(pilot)
            assert table.session.game.rules.name == "kalooki40"
            assert table.session.names == ["you", "greedy 1", "greedy 2"]

    asyncio.run(run())


def test_variants_offer_only_seats_that_can_be_dealt():
    async def run():
        app = KalookiApp(Wishes())
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            first = app.screen
            for preset in PRESETS:
                assert first.query_one("#variant", Chooser).value == preset
                rules = PRESETS[preset]
                offered = [int(n) for n in first.query_one("#many", Chooser).values]
                assert offered[0] == rules.min_seats
                assert offered[-1] == rules.max_seats
                await press(pilot, "right")

    asyncio.run(run())


def test_a_match_is_left_and_gone_on_with_from_the_first_screen():
    wishes = Wishes(opponents="greedy", seed=7)

    async def leave():
        app = KalookiApp(wishes, begin=lambda: seating.sit_down(wishes), speed="instant")
        async with app.run_test(size=(80, 24)) as pilot:
            table = await table_of(pilot)
            await until(lambda: table.session.my_turn)
            await press(pilot, "d", "q")
            await until(lambda: isinstance(app.screen, dialogs.Choose))
            await press(pilot, "2")
            await until(lambda: app.return_value is not None)
        assert "Go on with this match: kalooki play --continue" in app.return_value
        return table.session.game.clone()

    async def go_on(game):
        app = KalookiApp(Wishes(), speed="instant")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(lambda: isinstance(app.screen, First) and app.screen.tables)
            await press(pilot, "c")
            table = await table_of(pilot)
            assert table.session.game == game
            await play(pilot, table, f"discard {table.query_one(Hand).cards[0]}")

    asyncio.run(go_on(asyncio.run(leave())))
    [table] = saved.tables()
    assert records.verify(table.record, unfinished=True).games == 1


def test_an_opponent_that_cannot_be_had_is_said_on_the_first_screen():
    async def run():
        app = KalookiApp(Wishes())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(lambda: isinstance(app.screen, First))
            first = app.screen
            app.sit_down(Wishes(opponents="nobody"), "instant")
            await until(lambda: "nobody" in str(first.query_one("#problem", Static).render()))
            await pilot.pause()
            assert app.screen is first

    asyncio.run(run())


def test_a_slow_opponent_does_not_block_the_screen():
    thinker = Waiting()

    def make():
        table = seat({**OPENING, "to_move": 1, "phase": "draw"})
        table.session.agents[1] = thinker
        return table

    async def script(pilot, table):
        hand = table.query_one(Hand)
        await press(pilot, "right", "space")
        assert len(hand.picked) == 1
        await press(pilot, "d")
        assert said(table) == "✗ Not allowed: greedy is to move."
        thinker.go_on.set()
        await until(lambda: table.session.my_turn or table.session.game.deal_over)
        assert len(hand.picked) == 1

    at_table(script, make)


def test_opponents_move_faster_and_slower():
    async def script(pilot, table):
        await press(pilot, "minus", "minus")
        assert table.speed == "normal"
        await press(pilot, "plus")
        assert table.speed == "fast"

    at_table(script)


def test_rules_may_differ_from_presets():
    rules = dataclasses.replace(PRESETS["british"], opening_points=0)

    async def script(pilot, table):
        await until(lambda: table.session.my_turn)
        await press(pilot, "d")
        assert task(table) == "Your turn: open with any meld, or just discard a card."

    at_table(script, lambda: seat(rules=rules))


def test_a_deal_that_ends_while_the_score_sheet_is_open_is_shown_there():
    position = {**OPEN, "hands": ["8C TC * 2D", "9H"], "to_move": 1, "phase": "play"}

    waiting = Waiting()

    def make():
        table = seat(position)
        table.session.agents[1] = waiting
        return table

    async def script(pilot, table):
        await press(pilot, "h")
        await until(lambda: isinstance(pilot.app.screen, Score))
        await pilot.pause()
        title = pilot.app.screen.query_one("#title", Static)
        assert str(title.render()).startswith("The score so far")
        waiting.go_on.set()
        await until(lambda: str(title.render()).startswith("Deal 1 is over"))

    at_table(script, make)
