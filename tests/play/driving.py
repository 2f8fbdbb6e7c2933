"""Tables for the tests of the screen, and an agent that only presses keys there."""

import asyncio
import threading
import time
from collections.abc import Callable

from textual.pilot import Pilot
from textual.widgets import Static

from kalooki_env import agents
from kalooki_env.notation import parse_move
from kalooki_env.play.screen.app import KalookiApp
from kalooki_env.play.screen.boards import Hand
from kalooki_env.play.screen.dialogs import Choose
from kalooki_env.play.screen.palette import dressed
from kalooki_env.play.screen.score import Score
from kalooki_env.play.screen.table import Table
from kalooki_env.play.seating import Seated
from kalooki_env.play.session import Session
from kalooki_env.play.wishes import Wishes
from kalooki_env.records import Record

PATIENCE = 120.0
"""Seconds to wait for something before it is taken not to come."""


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds; pressing keys with `Pilot.press` would wait far longer."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.002)


async def press(pilot: Pilot, *keys: str) -> None:
    """Press keys and let the screen take them."""
    app = pilot.app
    for key in keys:
        app.simulate_key(key)
    for _ in range(2):
        for node in (app, app.screen, app.focused or app.screen):
            taken = asyncio.Event()
            if node.call_later(taken.set):
                await taken.wait()


async def table_of(pilot: Pilot) -> Table:
    """Wait for the table."""
    await until(lambda: isinstance(pilot.app.screen, Table))
    table = pilot.app.screen
    assert isinstance(table, Table)
    await pilot.pause()
    return table


def cards_of(move: str) -> list[str]:
    """List the cards that a move takes from the hand."""
    parsed = parse_move(move)
    cards = parsed.meld.cards if parsed.meld is not None else parsed.cards
    return ["*" if card.joker else card.text for card in cards]


async def select(pilot: Pilot, table: Table, cards: list[str]) -> None:
    """Select cards of the hand with the arrow keys and the space bar."""
    hand = table.query_one(Hand)
    keys, taken, at = ["escape"], set(), hand.cursor
    for card in cards:
        index = next(i for i, c in enumerate(hand.cards) if c == card and i not in taken)
        taken.add(index)
        keys += ["right" if index > at else "left"] * abs(index - at) + ["space"]
        at = index
    await press(pilot, *keys)
    assert sorted(hand.picked) == sorted(cards)


async def play(pilot: Pilot, table: Table, move: str) -> None:
    """Press the keys of a move; answer what is asked."""
    entries = table.session.recorder.entries
    before, verb = len(entries), move.split()[0]
    if verb in ("draw", "take"):
        await press(pilot, verb[0])
    elif move in ("announce", "silent"):
        await press(pilot, "y" if move == "announce" else "n")
    else:
        await select(pilot, table, cards_of(move))
        if verb in ("meld", "discard"):
            await press(pilot, "m" if verb == "meld" else "x")
        else:
            await press(pilot, *move.split("@")[1].split()[0])
        if table.digits:
            await press(pilot, "enter")
        await until(lambda: len(entries) > before or isinstance(pilot.app.screen, Choose))
        if isinstance(pilot.app.screen, Choose):
            # A joker's ace is offered with its end, which the move names only where both are free.
            offered = [f"{option} " for option in pilot.app.screen.offered]
            wanted = f"{dressed(move, table.face)} "
            at = next(i for i, option in enumerate(offered) if option.startswith(wanted))
            await press(pilot, str(at + 1))
    await until(lambda: len(entries) > before)
    assert {"seat": 0, "move": move} in entries[before:]


async def play_match(pilot: Pilot, like: str = "greedy") -> Session:
    """Play like an agent to the end of the match."""
    agent = agents.load(like)
    session = (await table_of(pilot)).session
    while not session.game.over:
        screen = pilot.app.screen
        if isinstance(screen, Table) and session.my_turn and not session.game.deal_over:
            await play(pilot, screen, session.hint(agent))
        elif isinstance(screen, Score) and screen.is_mounted and session.my_turn:
            await press(pilot, "y" if session.hint(agent) == "buy in" else "n")
        elif isinstance(screen, Score) and screen.is_mounted and session.game.to_move is None:
            await press(pilot, "enter")
        await asyncio.sleep(0.002)
    return session


# Tables

OPENING = {
    "rules": "british",
    "hands": ["7C 7D 7H 4S 5S 6S 7S 2D 3D", "9H 9D"],
    "phase": "play",
    "stock": "2C 3C 4C 5C 6C 8C",
    "discards": "9C KH",
}

OPEN = {**OPENING, "opened": [True, True], "hands": ["8C TC * 2D", "9H 9D"], "table": ["9C *TC JC"]}


def seat(position=None, rules=None, seats=2, seed=7, opponent="greedy"):
    """Make a table against an agent, in the middle of a game or with changed rules."""
    start = None if position is None else Record.at(position)
    rules = rules or start.rules
    seats = seats if start is None else start.seats
    others = {other: agents.load(opponent, seed=seed + other) for other in range(1, seats)}
    session = Session(rules, others, seed, start=start)
    return Seated(session, [opponent] * (seats - 1), "", "")


class Waiting:
    """Plays the first legal move as soon as it is told to go on."""

    name = "waiting"

    def __init__(self):
        self.go_on = threading.Event()

    def act(self, game, seat):
        self.go_on.wait(PATIENCE)
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
