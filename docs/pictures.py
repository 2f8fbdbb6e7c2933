"""Make the pictures of the documentation from the real program: `python docs/pictures.py`.

`docs/table.svg` is a terminal in which `kalooki play` was used; it needs `rich` and a POSIX terminal.
"""

import io
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

DOCS = Path(__file__).parent
COLUMNS, LINES = 96, 40


def record(command: list[str], typed: list[str], wait: float = 2.0) -> str:
    """Run a command in a terminal, type some lines into it, and return what stood on the screen."""
    leader, follower = pty.openpty()
    environment = os.environ | {
        "TERM": "xterm-256color",
        "COLUMNS": str(COLUMNS),
        "LINES": str(LINES),
    }
    process = subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=subprocess.DEVNULL, env=environment
    )
    os.close(follower)
    seen = b""
    for line in [None, *typed]:
        if line is not None:
            os.write(leader, line.encode() + b"\n")
        quiet_since = time.monotonic()
        while time.monotonic() - quiet_since < wait:
            if select.select([leader], [], [], 0.1)[0]:
                seen += os.read(leader, 65536)
                quiet_since = time.monotonic()
    process.terminate()
    os.close(leader)
    return seen.decode(errors="replace").replace("\r\n", "\n")


def draw(text: str, path: Path, title: str, lines: int = LINES) -> None:
    """Write the last lines of a terminal text as an SVG picture."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi("\n".join(text.rstrip().split("\n")[-lines:])))
    path.write_text(console.export_svg(title=title))


def main() -> None:
    """Make every picture."""
    opponent = sys.argv[1] if len(sys.argv) > 1 else "greedy"
    play = [sys.executable, "-m", "kalooki_env.cli", "play", "--opponent", opponent, "--seed", "5"]
    typed = ["take", "moves", "meld JC QH KS", "discard 2C", "", "hint"]
    draw(record(play, typed, wait=4.0), DOCS / "table.svg", "kalooki play")


if __name__ == "__main__":
    main()
