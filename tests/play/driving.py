"""An agent that only presses keys: the moves of the table on the screen."""

import asyncio
import time
from collections.abc import Callable

from textual.pilot import Pilot

from kalooki_env import agents
from kalooki_env.notation import parse_move
from kalooki_env.play.screen.boards import Hand
from kalooki_env.play.screen.dialogs import Choose
from kalooki_env.play.screen.palette import dressed
from kalooki_env.play.screen.score import Score
from kalooki_env.play.screen.table import Table
from kalooki_env.play.session import Session

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
            offered = [str(option) for option in pilot.app.screen.offered]
            await press(pilot, str(offered.index(str(dressed(move, table.face))) + 1))
    await until(lambda: len(entries) > before)
    assert {"seat": 0, "move": move} in entries[before:]


async def play_match(pilot: Pilot) -> Session:
    """Play like greedy to the end of the match."""
    greedy = agents.load("greedy")
    session = (await table_of(pilot)).session
    while not session.game.over:
        screen = pilot.app.screen
        if isinstance(screen, Table) and session.my_turn and not session.game.deal_over:
            await play(pilot, screen, session.hint(greedy))
        elif isinstance(screen, Score) and screen.is_mounted and session.my_turn:
            await press(pilot, "y" if session.hint(greedy) == "buy in" else "n")
        elif isinstance(screen, Score) and screen.is_mounted and session.game.to_move is None:
            await press(pilot, "enter")
        await asyncio.sleep(0.002)
    return session
