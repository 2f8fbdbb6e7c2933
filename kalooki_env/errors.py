"""The errors that this package raises on purpose; all of them are `ValueError`s."""

_LONGEST = 100


def shown(value: object, longest: int = _LONGEST) -> str:
    """Write a value for a message: in one short line, whatever it is."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits; lists without a bottom
        return f"{type(value).__name__} too long to be shown"
    return text if len(text) <= longest else f"{text[:longest]} ..."


def printable(text: str) -> str:
    """Return a text that does no harm on any terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def one_line(error: BaseException, longest: int = 200) -> str:
    """Write what another library says was wrong: in one short line."""
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return printable(" ".join(str(error).split()))[:longest] or type(error).__name__


class KalookiError(ValueError):
    """Base of every error that a user of this package can cause."""


class RulesError(KalookiError):
    """A variant that cannot be played: an unknown knob, a value out of range, too many seats."""


class NotationError(KalookiError):
    """A text that is not a card, a meld or a move at all."""


class IllegalMove(KalookiError):
    """A well-formed move that the rules forbid here; the message says why."""


class AgentMistake(IllegalMove):
    """An agent that plays inside, an opponent or an entrant of the arena, chose what the rules
    forbid: no fault of the caller's own move."""


class PositionError(KalookiError):
    """A position that cannot arise: too many copies of a card, no meld on the table, and so on."""


class CheckpointError(KalookiError):
    """A checkpoint file that is not one, is cut short or was made for other versions."""


class RecordError(KalookiError):
    """A game record that is none, was altered or cut short, or tells what the rules do not allow.

    `line` is the number of the first bad line; None: the file could not be read or written at all.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line
