"""Moves in plain words, for the log at the table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Event:
    """One move that was played.

    Attributes:
        seat: who played it.
        move: its text.
        opening: a meld that belongs to the opening of its seat.
        opened: the seat became open with it.
        points: points of the opening so far; 0 where points do not matter.
        left: cards left in the hand after it.
        announced: cards announced with it, 0 if none.
        drawn: the card drawn from the stock; only in events of the person's own seat.
        taken: the card taken from the discard pile.
        goes_out: the deal ended with it, won by this seat.
        kalooki: that in one turn, with nothing laid before.
        rebuilt: the stock was shuffled anew after it.
    """

    seat: int
    move: str
    opening: bool = False
    opened: bool = False
    points: int = 0
    left: int = 0
    announced: int = 0
    drawn: str | None = None
    taken: str | None = None
    goes_out: bool = False
    kalooki: bool = False
    rebuilt: bool = False


def told(events: Sequence[Event], names: Sequence[str], me: int) -> list[str]:
    """Tell events, one sentence for the moves that a seat plays in a row.

    Args:
        events: what happened, in order.
        names: names of the seats.
        me: the seat that is called "you".
    """
    sentences: list[str] = []
    row: list[Event] = []
    for event in events:
        if row and row[-1].seat != event.seat:
            sentences.append(_sentence(row, names, me))
            row = []
        row.append(event)
        if event.rebuilt:
            sentences += [
                _sentence(row, names, me),
                "The stock is empty: the discards are shuffled into a new one.",
            ]
            row = []
    if row:
        sentences.append(_sentence(row, names, me))
    return sentences


def _sentence(row: Sequence[Event], names: Sequence[str], me: int) -> str:
    """Tell the moves of one seat in one sentence."""
    you = row[0].seat == me
    parts: list[str] = []
    melds: list[str] = []
    for event in _together(row):
        opening = event.move.startswith("meld") and event.opening
        if opening:
            melds.append(event.move.partition(" ")[2])
        if opening and not event.opened and event is not row[-1]:
            continue  # told together with the meld that completes the opening
        parts.append(_opening(event, melds, you) if opening else _phrase(event, you))
    text = f"{'You' if you else names[row[0].seat]} {_join(parts)}"
    last = row[-1]
    if last.goes_out:
        return (
            text
            + (" and you are out" if you else " and is out")
            + (": kalooki!" if last.kalooki else "!")
        )
    if last.move.startswith("discard"):
        text += f": {count(last.left)} left"
        if last.announced:
            text += ", announced"
    return text + "."


def _together(row: Sequence[Event]) -> list[Event]:
    """Take lay-offs in a row on one meld as one: `add 9S TS @1`."""
    events: list[Event] = []
    for event in row:
        card, _, place = event.move.partition(" @")
        if events and card.startswith("add ") and events[-1].move.endswith(f" @{place}"):
            cards, _, _ = events[-1].move.partition(" @")
            if cards.startswith("add "):
                move = f"{cards} {card.removeprefix('add ')} @{place}"
                events[-1] = replace(event, move=move)
                continue
        events.append(event)
    return events


def _phrase(event: Event, you: bool) -> str:
    """Tell one move, without who played it."""
    s = "" if you else "s"
    verb, _, rest = event.move.partition(" ")
    match verb:
        case "draw":
            return f"draw{s} {event.drawn}" if event.drawn else f"draw{s}"
        case "take":
            return f"take{s} {event.taken} from the pile"
        case "meld":
            return f"lay{s} {rest}"
        case "add":
            return f"add{s} {rest.replace('@', 'to meld ')}"
        case "swap":
            cards, _, place = rest.partition(" @")
            return f"swap{s} {' and '.join(cards.split())} for a joker of meld {place}"
        case "discard":
            return f"discard{s} {rest}"
        case "announce":
            return f"announce{s} the last {count(event.left)}"
        case "silent":
            return f"announce{s} nothing"
        case "buy":
            return f"buy{s} in"
        case _:
            return f"drop{s} out"


def _opening(event: Event, melds: Sequence[str], you: bool) -> str:
    """Tell the melds of an opening, complete or (in a turn of its own telling) not yet."""
    s = "" if you else "s"
    so_far = "" if event.opened else " so far"
    points = f" ({event.points} points{so_far})" if event.points else ""
    if not event.opened:
        return f"lay{s} {_join(melds)} to open{points}"
    return f"open{s} with {_join(melds)}{points}"


def _join(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return ", ".join(parts[:-1]) + " and " + parts[-1]


def count(cards: int) -> str:
    """Write a number of cards."""
    return f"{cards} card{'' if cards == 1 else 's'}"


def listed(names: Sequence[str]) -> str:
    """Write names as a list in a sentence."""
    return _join(list(names))


def contract_words(contract: str) -> str:
    """Write a contract such as `334`: 2 sets of 3 and 1 run of 4."""
    parts = []
    for size, word in (("3", "set"), ("4", "run")):
        many = contract.count(size)
        if many:
            parts.append(f"{many} {word}{'s' if many > 1 else ''} of {size}")
    return " and ".join(parts)
