"""A text of headed sections, and the two ways to show it: wrapped for a terminal, or Markdown."""

import re
import textwrap
from collections.abc import Iterable
from typing import NamedTuple

_CARD_ROW = re.compile(r"\b(?:10|[2-9AJQK])(?: (?:10|[2-9AJQK]))+\b")
_NO_BREAK = "\N{NO-BREAK SPACE}"


class Paragraph(NamedTuple):
    """Some sentences; `lead` is the word they are about, `items` a list that follows them."""

    lead: str
    text: str
    items: tuple[str, ...] = ()


class Section(NamedTuple):
    """A title and what stands under it."""

    title: str
    paragraphs: tuple[Paragraph, ...]


def to_text(sections: Iterable[Section], width: int = 80) -> str:
    """Return sections as plain text of lines of at most `width` characters."""
    blocks = []
    for section in sections:
        blocks.append(f"{section.title}\n{'-' * len(section.title)}")
        blocks += [_plain(paragraph, width) for paragraph in section.paragraphs]
    return "\n\n".join(blocks) + "\n"


def to_markdown(sections: Iterable[Section], level: int = 2) -> str:
    """Return sections as Markdown, their titles as headings of `level`."""
    blocks = []
    for section in sections:
        blocks.append(f"{'#' * level} {section.title}")
        blocks += [_marked(paragraph) for paragraph in section.paragraphs]
    return "\n\n".join(blocks) + "\n"


def _plain(paragraph: Paragraph, width: int) -> str:
    lead = f"{paragraph.lead}. " if paragraph.lead else ""
    lines = _wrap(lead + _kept_together(paragraph.text), width)
    for item in paragraph.items:
        lines += _wrap(item, width, initial_indent="  * ", subsequent_indent="    ")
    return "\n".join(lines).replace(_NO_BREAK, " ")


def _wrap(text: str, width: int, **indents: str) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False, **indents)


def _kept_together(text: str) -> str:
    """Keep a row of cards such as `J Q K A` on one line."""
    return _CARD_ROW.sub(lambda row: row.group().replace(" ", _NO_BREAK), text)


def _marked(paragraph: Paragraph) -> str:
    lead = f"**{paragraph.lead}.** " if paragraph.lead else ""
    items = "".join(f"\n* {item}" for item in paragraph.items)
    return lead + paragraph.text + ("\n" + items if items else "")
