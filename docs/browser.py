"""Drive the table in a browser, headless Chromium: `python docs/browser.py` makes `docs/play-web.png`.

`tests/play/test_browser.py` does the same to test it. Nothing but Chromium is needed beside the extra
`play`: its DevTools are spoken to with aiohttp, which comes with Textual's server.
"""

import asyncio
import base64
import contextlib
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import aiohttp

PATIENCE = 20.0
"""Seconds to wait for something before it is taken not to come."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)
_ESCAPES = re.compile(r"\x1b\[[0-9;?<>=$]*[a-zA-Z]|\x1b[=>78]")


def find_chromium() -> str | None:
    """Return the program, None if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextlib.contextmanager
def served(*options: str, **env: str) -> Iterator[str]:
    """Serve the table with options of `kalooki play` on a free port; give its address."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kalooki_env.cli", "play", "--web", f"--port={port}", *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **env})
    try:
        end = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("localhost", port)):
                break
            assert time.monotonic() < end and process.poll() is None, "the server did not come"
            time.sleep(0.05)
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE)


class Page:
    """A page of the browser, and what came to it.

    Attributes:
        asked: the addresses that it has asked for.
        shown: what the terminal in it was told to show, without colours.
    """

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.asked: list[str] = []
        self.shown = ""
        self._socket, self._numbers = socket, itertools.count(1)
        self._waiting: dict[int, asyncio.Future] = {}
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for message in self._socket:
            said = json.loads(message.data)
            method, params = said.get("method"), said.get("params", {})
            if "id" in said:
                self._waiting.pop(said["id"]).set_result(said)
            elif method in ("Network.requestWillBeSent", "Network.webSocketCreated"):
                self.asked.append(params.get("url") or params["request"]["url"])
            elif method == "Network.webSocketFrameReceived" and params["response"]["opcode"] == 2:
                data = base64.b64decode(params["response"]["payloadData"])
                self.shown += _ESCAPES.sub("", data.decode("utf-8", "replace"))

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask DevTools for something."""
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": number, "method": method, "params": params})
        said = await asyncio.wait_for(self._waiting[number], PATIENCE)
        assert "error" not in said, said
        return said["result"]

    async def open(self, address: str) -> None:
        """Go to an address."""
        await self.call("Network.enable")
        await self.call("Page.enable")
        await self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        await self.call("Page.navigate", url=address)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, f"waited in vain; shown last: {self.shown[-500:]!r}"
            await asyncio.sleep(0.02)

    async def wait_for(self, text: str) -> None:
        """Wait until the terminal shows a text; what it showed before is forgotten then."""
        await self.until(lambda: text in self.shown)
        self.shown = self.shown.partition(text)[2]

    async def press(self, key: str) -> None:
        """Press the key of a letter."""
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if kind == "keyDown" else {}
            await self.call("Input.dispatchKeyEvent", type=kind, key=key, **text)

    async def picture(self) -> bytes:
        """Return what the page looks like, as PNG."""
        return base64.b64decode((await self.call("Page.captureScreenshot"))["data"])

    async def colors(self, picture: bytes) -> dict[str, float]:
        """Return the share of each colour of a picture, as `#rrggbb`; the browser reads the PNG."""
        script = """(async data => {
            const image = new Image();
            image.src = "data:image/png;base64," + data;
            await image.decode();
            const canvas = new OffscreenCanvas(image.width, image.height);
            const ground = canvas.getContext("2d");
            ground.drawImage(image, 0, 0);
            const cells = ground.getImageData(0, 0, image.width, image.height).data;
            const found = {};
            for (let at = 0; at < cells.length; at += 4) {
                const color = (cells[at] << 16) + (cells[at + 1] << 8) + cells[at + 2];
                found[color] = (found[color] || 0) + 4 / cells.length;
            }
            return found;
        })"""
        said = await self.call(
            "Runtime.evaluate",
            expression=f"{script}('{base64.b64encode(picture).decode()}')",
            awaitPromise=True,
            returnByValue=True,
        )
        return {f"#{int(color):06x}": share for color, share in said["result"]["value"].items()}


@contextlib.asynccontextmanager
async def browser(width: int, height: int) -> AsyncIterator[Page]:
    """Start a browser with one empty page, its window in pixels."""
    program = find_chromium()
    assert program is not None, f"expected one of {', '.join(NAMES)}, found none"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = [*_FLAGS, f"--user-data-dir={folder}", f"--window-size={width},{height}"]
        process = subprocess.Popen(
            [program, *options, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            async with aiohttp.ClientSession() as session:
                port = await _port(Path(folder) / "DevToolsActivePort", process)
                async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
                    pages = [one for one in await answer.json() if one["type"] == "page"]
                address = pages[0]["webSocketDebuggerUrl"]
                async with session.ws_connect(address, max_msg_size=0) as connection:
                    yield Page(connection)
        finally:
            process.terminate()
            process.wait(PATIENCE)


async def _port(file: Path, process: subprocess.Popen) -> int:
    """Wait for the file in which the browser writes its port."""
    end = time.monotonic() + PATIENCE
    while not file.exists() or "\n" not in file.read_text():
        assert time.monotonic() < end and process.poll() is None, "the browser did not come"
        await asyncio.sleep(0.05)
    return int(file.read_text().split()[0])


async def _draw(address: str, file: Path) -> None:
    async with browser(1180, 720) as page:
        await page.open(address)
        await page.wait_for("Stock")
        await page.press("s")
        await page.wait_for("Sorted by rank.")
        await asyncio.sleep(1)
        file.write_bytes(await page.picture())


def main() -> None:
    """Play to the middle of a game, go on with it in the browser, and make a picture of it."""
    from kalooki_env import agents
    from kalooki_env.play import seating
    from kalooki_env.play.wishes import Wishes

    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        seated = seating.sit_down(Wishes(seats=3, opponents="greedy", seed=4))
        session, greedy = seated.session, agents.load("greedy")
        while not (session.my_turn and session.view.turn >= 15 and session.game.phase == "play"):
            if session.my_turn:
                session.play(session.hint(greedy))
            else:
                session.answer(*session.think())
        seated.leave()
        with served("--continue") as address:
            asyncio.run(_draw(address, Path(__file__).with_name("play-web.png")))


if __name__ == "__main__":
    main()
