"""The table in a browser: headless Chromium plays at what `kalooki play --web` serves."""

import asyncio
import importlib.util
import time
from pathlib import Path

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("textual_serve")

from kalooki_env.play import saved

ROOT = Path(__file__).parent.parent.parent
SPEC = importlib.util.spec_from_file_location("browser", ROOT / "docs" / "browser.py")
browser = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(browser)

pytestmark = pytest.mark.skipif(
    browser.find_chromium() is None, reason=f"no browser here: none of {', '.join(browser.NAMES)}"
)
PATIENCE = 60.0
"""Seconds to wait for something before it is taken not to come."""
CARD, FELT, RAISED = "#f5efdc", "#0b3d2e", "#ffdf80"


def record():
    """Read the record of the table, as far as it is written."""
    return saved.game_of(saved.tables()[0])


def wait_for(holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def test_a_key_in_the_browser_moves_the_game_and_the_picture():
    async def visit(address):
        async with browser.browser(1000, 700) as page:
            await page.open(address)
            await page.wait_for("Your turn: draw from the stock")
            await page.press("d")
            await page.wait_for("Your turn: open with melds of 40 points")
            assert record().moves[-1] == (0, "draw")
            assert await settled(page, lambda colors: colors.get(CARD, 0) > 0.05)
            colors = await page.colors(await page.picture())
            assert colors[FELT] > 0.4
            assert RAISED not in colors
            await page.press(" ")
            assert await settled(page, lambda colors: colors.get(RAISED, 0) > 0.005)
            here = ("data:", address, address.replace("http", "ws"))
            assert [one for one in page.asked if not one.startswith(here)] == []

    async def settled(page, holds):
        """Tell whether the picture gets to look so; it is drawn a little after it was sent."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if holds(await page.colors(await page.picture())):
                return True
            await asyncio.sleep(0.1)
        return False

    with browser.served("--opponent", "random", "--seed", "1", "--speed", "instant") as address:
        asyncio.run(visit(address))
    wait_for(lambda: record().over is False)  # the table closed its record when it was left
    assert record().moves[-1] == (0, "draw")
