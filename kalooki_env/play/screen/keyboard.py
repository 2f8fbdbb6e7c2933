"""What comes from a terminal, as messages: nothing that it sends stops the table.

Beside keys and clicks there may be bytes of another encoding, mouse reports of an old kind, numbers
that no letter has, or the answer to a question that another program asked.
"""

import re
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator

from textual import events, messages
from textual._xterm_parser import XTermParser
from textual.message import Message

_OLD_MOUSE = re.compile(rb"\x1b\[M[\x20-\xff]{3}")
"""A mouse report with its numbers as bytes, which are letters of no encoding."""
_BEGUN = re.compile(rb"\x1b\[M[\x20-\xff]{0,2}\Z")
_NOT_ASKED_FOR = (events.Resize, messages.InBandWindowResize, events.CursorPosition)
"""The size is that of the terminal, which a signal tells of; no cursor is looked for."""
_PASTE, _PASTED = "\x1b[200~", "\x1b[201~"
_PATIENCE = 2.0
"""Seconds of silence after which a paste is over, whether its end came or not."""


class Keyboard:
    """Reads messages from the bytes of a terminal and passes over what is none."""

    def __init__(self) -> None:
        self._parser = XTermParser()
        self._decode = getincrementaldecoder("utf-8")("ignore").decode
        self._rest = b""
        self._last = ""
        self._heard = time.monotonic()

    def feed(self, data: bytes) -> Iterator[Message]:
        """Yield the messages of more bytes."""
        data = _OLD_MOUSE.sub(b"", self._rest + data)
        begun = _BEGUN.search(data)
        self._rest = data[begun.start() :] if begun else b""
        text = self._decode(data[: begun.start()] if begun else data)
        self._note_paste(text)
        for letter in text:
            yield from self._parsed(lambda letter=letter: self._parser.feed(letter))

    def tick(self) -> Iterator[Message]:
        """Yield what is complete because nothing came after it for a while, such as an Escape."""
        self._rest = b""
        yield from self._parsed(lambda: self._parser.tick())
        if self._last.startswith(_PASTE) and time.monotonic() - self._heard > _PATIENCE:
            yield from self.feed(_PASTED.encode())

    def _note_paste(self, text: str) -> None:
        """Remember whether a paste has begun whose end is still to come: it takes all keys."""
        self._heard = time.monotonic()
        heard = self._last + text
        begun, ended = heard.rfind(_PASTE), heard.rfind(_PASTED)
        self._last = _PASTE if begun > ended else heard[-len(_PASTE) + 1 :]

    def _parsed(self, parse: Callable[[], Iterable[Message]]) -> Iterator[Message]:
        try:
            yield from filter(_usable, parse())
        except Exception:  # whatever the bytes did to the parser: the next key finds a new one
            self._parser = XTermParser()


def _usable(message: Message) -> bool:
    """Tell whether the table may get a message."""
    if isinstance(message, events.Key):
        letter = message.character
        return letter is None or not any("\ud800" <= part <= "\udfff" for part in letter)
    return not isinstance(message, _NOT_ASKED_FOR)
