"""Texts as they are; and texts in a few rows, ended with "…" where there is no room for all of them."""

from collections.abc import Iterable
from typing import Any

from rich.text import Text
from textual.visual import VisualType
from textual.widgets import Static


class Words(Static):
    """Shows a text as it is: what stands in brackets is no markup, as in names and paths of others."""

    def __init__(self, content: VisualType = "", **options: Any) -> None:
        super().__init__(content, markup=False, **options)


class Lines(Words):
    """Shows as many of the last paragraphs as it has rows for."""

    paragraphs: tuple[Text, ...] = ()

    def tell(self, *paragraphs: Text) -> None:
        """Show other paragraphs."""
        self.paragraphs = paragraphs
        self.refresh()

    def render(self) -> Text:
        """Write them in the rows that there are."""
        width, rows = self.content_size
        shown: list[Text] = []
        if width <= 0:
            return Text()
        for paragraph in reversed(self.paragraphs):
            if len(shown) < rows:
                shown = [*self._fitted(paragraph, width, rows - len(shown)), *shown]
        return Text("\n").join(shown)

    def _fitted(self, text: Text, width: int, rows: int) -> Iterable[Text]:
        """Wrap a text to at most `rows` lines."""
        lines = text.wrap(self.app.console, width)
        if len(lines) > rows:
            cut = lines[rows - 1]
            cut.append(" …" if len(cut) + 2 <= width else "…")
            cut.truncate(width, overflow="ellipsis")
        return lines[:rows]
