"""A rectangle of letters with named colours, and what stands where on it: the ground of a screen."""

from collections.abc import Iterator
from typing import NamedTuple


class Zone(NamedTuple):
    """A rectangle that stands for something, such as ("card", 3)."""

    x: int
    y: int
    width: int
    height: int
    target: tuple


class Canvas:
    """Letters in cells. A style is a text `ink:ground`, such as `red:card`, with `:bold` after it.

    What is written outside is cut off. `width` and `height` are in cells; every letter takes one.
    """

    def __init__(self, width: int, height: int, style: str = "white:felt") -> None:
        self.width, self.height = max(width, 0), max(height, 0)
        self._letters = [[" "] * self.width for _ in range(self.height)]
        self._styles = [[style] * self.width for _ in range(self.height)]
        self._zones: list[Zone] = []

    def write(self, x: int, y: int, text: str, style: str | None = None) -> int:
        """Write a text from a cell to the right; return the column after it.

        Args:
            x: column of the first letter.
            y: row.
            text: one letter a cell.
            style: None keeps that of the cells.
        """
        if 0 <= y < self.height:
            letters, styles = self._letters[y], self._styles[y]
            for at, letter in enumerate(text, x):
                if 0 <= at < self.width:
                    letters[at] = letter
                    if style is not None:
                        styles[at] = style
        return x + len(text)

    def zone(self, x: int, y: int, width: int, height: int, *target: object) -> None:
        """Say what a rectangle stands for; a later one lies on top of earlier ones."""
        self._zones.append(Zone(x, y, width, height, target))

    def at(self, x: int, y: int) -> tuple | None:
        """Return what stands at a cell."""
        for zone in reversed(self._zones):
            if zone.x <= x < zone.x + zone.width and zone.y <= y < zone.y + zone.height:
                return zone.target
        return None

    def zones(self) -> list[Zone]:
        """List the rectangles that stand for something."""
        return list(self._zones)

    def runs(self, y: int) -> Iterator[tuple[str, str]]:
        """Yield the letters of a row as pieces of one style: text and style."""
        letters, styles = self._letters[y], self._styles[y]
        start = 0
        for at in range(1, self.width + 1):
            if at == self.width or styles[at] != styles[start]:
                yield "".join(letters[start:at]), styles[start]
                start = at

    def text(self) -> str:
        """Return the letters alone, line by line."""
        return "\n".join("".join(row).rstrip() for row in self._letters)
