"""Letters that the terminal gets: none that would steer it, and ASCII alone where that is asked for.

Whatever a widget writes goes through here last, frames and scroll bars of the library as well.
"""

import functools
import unicodedata

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_AS_ASCII = str.maketrans(
    {
        **dict.fromkeys("─━═▁▔▂▃▄▀", "-"),
        **dict.fromkeys("│┃║▎▍▌▋▊▐▏▕", "|"),
        **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼┏┓┗┛", "+"),
        **dict.fromkeys("█■▇▆▅●", "#"),
        **dict.fromkeys("▒░", "/"),
        **dict.fromkeys("·•", "-"),
        **dict.fromkeys("←◂◀", "<"),
        **dict.fromkeys("→▸▶", ">"),
        **dict.fromkeys("↑▲", "^"),
        **dict.fromkeys("↓▼", "v"),
        "…": "~",
        "✗": "x",
        "★": "*",
        **dict(zip("♣♦♥♠", "CDHS", strict=True)),
    }
)


class Letters(LineFilter):
    """Leaves out control characters, and with `ascii_only` writes the rest in ASCII, cell by cell."""

    def __init__(self, ascii_only: bool = False) -> None:
        super().__init__()
        self.ascii_only = ascii_only

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with letters that can be shown."""
        return [
            Segment(shown(text, self.ascii_only), style, control)
            for text, style, control in segments
        ]


@functools.lru_cache(4096)
def shown(text: str, ascii_only: bool) -> str:
    """Write a text with letters that can be shown, in as many cells."""
    if text.isascii() and text.isprintable():
        return text
    text = "".join(filter(None, map(_harmless, text)))
    if not ascii_only:
        return text
    text = text.translate(_AS_ASCII)
    return "".join(letter if letter.isascii() else "?" * cell_len(letter) for letter in text)


def _harmless(letter: str) -> str:
    """Return a letter, a question mark in its cells if it is none, or nothing if it takes none."""
    if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return "?" * cell_len(letter)
    return letter
