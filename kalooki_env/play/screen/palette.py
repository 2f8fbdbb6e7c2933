"""The colours of the table."""

import functools
import re

from rich.style import Style
from rich.text import Text

from kalooki_env.render.boxes import Face, ink

COLORS = {
    "felt": "#0b3d2e",
    "panel": "#0e4a38",
    "card": "#f5efdc",
    "fresh": "#fff8b8",
    "lifted": "#ffdf80",
    "edge": "#9a937c",
    "cursor": "#0a58ca",
    "back": "#7a2e3a",
    "red": "#c1121f",
    "black": "#16181a",
    "joker": "#7b2cbf",
    "white": "#f0f4ef",
    "dim": "#8fb3a2",
    "gold": "#ffd166",
    "green": "#8ce99a",
    "bad": "#ffb4a2",
    "felt-red": "#ff9b9b",
    "felt-black": "#f0f4ef",
    "felt-joker": "#e0aaff",
    "button": "#1f6f54",
    "off": "#0e4a38",
}
"""Names that a canvas uses, as ink or as ground."""


@functools.cache
def style(name: str) -> Style:
    """Return the colours of a canvas's style, `ink:ground` and perhaps `:bold`."""
    ink_name, ground, *more = name.split(":")
    return Style(color=COLORS[ink_name], bgcolor=COLORS[ground], bold="bold" in more)


_CARD = re.compile(r"(?<![\w*@])(?:\*?[A2-9TJQK][CDHS]|\*)(?!\w)")


def dressed(text: str, face: Face, base: str = "white") -> Text:
    """Write a text on the felt with its cards in colour."""
    out = Text(style=COLORS[base])
    at = 0
    for match in _CARD.finditer(text):
        out.append(text[at : match.start()])
        card = match.group()
        out.append(face.text(card), style=f"bold {COLORS['felt-' + ink(card)]}")
        at = match.end()
    out.append(text[at:])
    return out
