"""A walk over every screen of the table at every size: `python -m tests.play.walk` walks all of it.

Each screen is opened once and then made smaller and larger; wherever there is a name, a path or a
typed text it has brackets in it, which a library could take for markup.
"""

import argparse
import asyncio
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable

from textual.pilot import Pilot
from textual.screen import Screen

from kalooki_env import agents
from kalooki_env.play.screen import dialogs, sizes, wait
from kalooki_env.play.screen.app import KalookiApp
from kalooki_env.play.screen.first import First
from kalooki_env.play.screen.score import Score
from kalooki_env.play.screen.table import Table
from kalooki_env.play.seating import Seated
from kalooki_env.play.wishes import Wishes
from tests.play.driving import OPEN, OPENING, press, seat, table_of, until

WIDTHS = (1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 39, 40, 41, 60, 75, 76, 80, 110, 120, 200)
HEIGHTS = (1, 2, 3, 4, 5, 10, 17, 18, 24, 32, 48, 60)
ALL = tuple(itertools.product(WIDTHS, HEIGHTS))
SOME = ((1, 1), (3, 10), (39, 60), (40, 18), (200, 60))
HOME = (80, 24)
NAME = "[/b] [@click=app.quit]z[/] [red"
"""A name that is markup, damaged markup, and a link."""

CHOICE = {**OPEN, "hands": ["* 2D 3D", "9H 9D"], "table": ["9C TC JC"]}
LAST = {**OPENING, "hands": ["7C 7D 7H 4S 5S 6S 7S 2D", "9H * AD"]}
MATCH_END = {**LAST, "totals": [0, 149]}


def named(position: dict) -> Callable[[], Seated]:
    """Return what makes a table of somebody with brackets in the name."""

    def make() -> Seated:
        seated = seat(position)
        seated.session.names[1] = NAME
        seated.told, seated.note = f"Your opponent: {NAME}.", f"Not recorded: {NAME}."
        seated.coach = agents.load("greedy")
        seated.coach.name = NAME
        return seated

    return make


async def go_out(pilot: Pilot) -> None:
    """End the deal, and see the score."""
    table = await table_of(pilot)
    table.play(("meld 7C 7D 7H", "meld 4S 5S 6S 7S", "discard 2D"))
    await until(lambda: isinstance(pilot.app.screen, Score) and pilot.app.screen.is_mounted)


def keys(*names: str, kind: type[Screen], typed: str = "") -> Callable:
    """Return what presses keys at the table until a screen is there."""

    async def go(pilot: Pilot) -> None:
        if pilot.app.begin is None:
            await until(lambda: isinstance(pilot.app.screen, First) and pilot.app.screen.is_mounted)
        else:
            await table_of(pilot)
        await press(pilot, *names)
        await until(lambda: isinstance(pilot.app.screen, kind) and pilot.app.screen.is_mounted)
        for letter in typed:
            pilot.app.simulate_key(letter)

    return go


def after_deal(*names: str, kind: type[Screen]) -> Callable:
    """Return what presses keys on the score of a deal."""

    async def go(pilot: Pilot) -> None:
        await go_out(pilot)
        await press(pilot, *names)
        await until(lambda: isinstance(pilot.app.screen, kind) and pilot.app.screen.is_mounted)

    return go


async def problem(pilot: Pilot) -> None:
    """Choose something that cannot be had."""
    await keys(kind=First)(pilot)
    first = pilot.app.screen
    pilot.app.sit_down(Wishes(record=f"/{NAME}/g.jsonl"), "instant")
    await until(lambda: NAME in str(first.query_one("#problem").render()))
    await until(lambda: pilot.app.screen is first)


async def waiting(pilot: Pilot) -> None:
    """Wait for opponents."""
    await keys(kind=First)(pilot)
    await pilot.app.push_screen(wait.Wait())


SCREENS: dict[str, tuple[Callable[[], Seated] | None, Callable]] = {
    "first": (None, keys(kind=First)),
    "first, problem": (None, problem),
    "first, help": (None, keys("question_mark", kind=dialogs.Page)),
    "first, rules": (None, keys("r", kind=dialogs.Page)),
    "wait": (None, waiting),
    "table": (named(OPENING), keys("right", "space", kind=Table)),
    "pointing": (named(OPEN), keys("tab", kind=Table)),
    "moves": (named(OPENING), keys("slash", kind=dialogs.Moves)),
    "moves, typed": (named(OPENING), keys("slash", kind=dialogs.Moves, typed="[/b]")),
    "pile": (named(OPENING), keys("p", kind=dialogs.Page)),
    "log": (named({**OPENING, "phase": "draw"}), keys("d", "g", kind=dialogs.Page)),
    "help": (named(OPENING), keys("question_mark", kind=dialogs.Page)),
    "rules": (named(OPENING), keys("r", kind=dialogs.Page)),
    "coach": (named(OPENING), keys("c", kind=dialogs.Page)),
    "which": (named(CHOICE), keys("end", "space", "l", kind=dialogs.Choose)),
    "leave": (named(OPENING), keys("q", kind=dialogs.Choose)),
    "score so far": (named(OPENING), keys("h", kind=Score)),
    "score": (named(LAST), after_deal(kind=Score)),
    "score, leave": (named(LAST), after_deal("q", kind=dialogs.Choose)),
    "score, review": (named(LAST), after_deal("c", kind=dialogs.Page)),
    "end of the match": (named(MATCH_END), after_deal(kind=Score)),
}


def shown(screen: Screen) -> str:
    """Return what is on a screen."""
    strips = screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def too_small(size: tuple[int, int]) -> bool:
    """Tell whether nothing can be played at a size."""
    return size[0] < sizes.COLUMNS or size[1] < sizes.ROWS


async def resize(pilot: Pilot, size: tuple[int, int]) -> str:
    """Give the terminal another size; return what it then shows."""
    await pilot.resize_terminal(*size)
    await pilot.pause()
    return shown(pilot.app.screen)


def walk(name: str, steps: Iterable[tuple[int, int]], ascii_only: bool = False) -> int:
    """Open a screen and walk through sizes; return how many there were.

    Raises:
        AssertionError: something else is on the screen than there should be.
    """
    make, go = SCREENS[name]
    walked = 0

    async def run() -> None:
        nonlocal walked
        app = KalookiApp(Wishes(), begin=make, speed="instant", ascii_only=ascii_only)
        async with app.run_test(size=HOME) as pilot:
            await go(pilot)
            await pilot.pause()
            before = await resize(pilot, HOME)
            screen = app.screen
            for size in steps:
                text = await resize(pilot, size)
                walked += 1
                assert app.screen is screen, (name, size)
                assert text.isascii() or not ascii_only, (name, size, text)
                if size[0] > 8:  # enough for the first word
                    assert ("Kalooki" in text) >= too_small(size), (name, size, text)
                    assert ("Kalooki needs" in text) <= too_small(size), (name, size, text)
            after = await resize(pilot, HOME)
            assert name == "wait" or after == before, (name, before, after)

    asyncio.run(run())
    return walked


def main() -> int:
    """Walk over everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    begun, walked = time.monotonic(), 0
    for name, ascii_only in itertools.product(SCREENS, (False, True)):
        walked += walk(name, SOME if ascii_only else ALL, ascii_only)
        print(f"{name}{', ASCII' * ascii_only}: {walked:,} so far", flush=True)
    seconds = time.monotonic() - begun
    print(
        f"{len(SCREENS)} screens, {len(ALL)} sizes, in ASCII {len(SOME)}: {walked:,} in {seconds:.0f} s"
    )
    return 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        sys.exit(main())
