"""Write and read the texts of moves."""

from __future__ import annotations

from .cards import (
    JOKER,
    NotationError,
    card_at,
    card_name,
    lowest_place,
    parse_card,
    show_cards,
)
from .melds import Meld, cards_text, parse_meld
from .rules import Rules
from .turn import Move

WORDS = {
    "draw": ("draw",),
    "take": ("take",),
    "announce": ("announce",),
    "silent": ("silent",),
    "buy in": ("buy in",),
    "drop out": ("drop out",),
}


def move_text(move: Move, table: tuple[Meld, ...], rules: Rules) -> str:
    """Write a move in its one canonical form."""
    kind = move[0]
    if kind == "meld":
        return "meld " + cards_text(move[1])
    if kind == "discard":
        return "discard " + card_name(move[1])
    if kind == "add":
        return _add_text(move, table, rules)
    if kind == "swap":
        return _swap_text(move, table)
    return kind


def _add_text(move: Move, table: tuple[Meld, ...], rules: Rules) -> str:
    _, index, end, card = move
    meld = table[index]
    if end is None:
        return f"add {card_name(card)} @{index + 1}"
    place = meld.low - 1 if end == 0 else meld.high + 1
    name = card_name(card_at(meld.suit, place))
    star = "*" if card == JOKER else ""
    word = ""
    if place in (1, 14) and _both_ends(meld, rules):
        word = " low" if end == 0 else " high"
    return f"add {star}{name} @{index + 1}{word}"


def _both_ends(meld: Meld, rules: Rules) -> bool:
    """Tell whether an ace fits at either end of the run."""
    return meld.low == 2 and meld.high == 13 and lowest_place(rules) == 1


def _swap_text(move: Move, table: tuple[Meld, ...]) -> str:
    _, index, what = move
    meld = table[index]
    if meld.kind == "set":
        return f"swap {show_cards(what)} @{index + 1}"
    word = ""
    if what in (1, 14) and _ace_jokers(meld) == [1, 14]:
        word = " low" if what == 1 else " high"
    return f"swap {card_name(card_at(meld.suit, what))} @{index + 1}{word}"


def _ace_jokers(meld: Meld) -> list[int]:
    """List the places of the ace where a joker stands in a run."""
    return [
        place
        for place, card in enumerate(meld.cards, meld.low)
        if card == JOKER and place in (1, 14)
    ]


def parse_move(text: str, table: tuple[Meld, ...], rules: Rules) -> Move | None:
    """Read a move text against the table.

    Returns None where the text is well-formed but names nothing that exists (no such meld, cards
    that are no meld, a card that fits nowhere). Raises NotationError where it is no move text.
    """
    words = text.split()
    if not words:
        raise NotationError("expected a move, got an empty text")
    plain = " ".join(words).lower()
    if plain in WORDS:
        return WORDS[plain]
    verb, rest = words[0].lower(), words[1:]
    if verb == "meld":
        meld = parse_meld(" ".join(rest), rules)
        if meld is None or len(meld.cards) > 13:
            return None
        return ("meld", meld._replace(laid=True))
    if verb == "discard":
        if len(rest) != 1:
            raise NotationError(f"expected one card to discard, got {text!r}")
        return ("discard", parse_card(rest[0]))
    if verb in ("add", "swap"):
        return _parse_target(verb, rest, table, rules, text)
    raise NotationError(f"expected a move such as 'draw' or 'add 8C @2', got {text!r}")


def _parse_target(
    verb: str, words: list[str], table: tuple[Meld, ...], rules: Rules, text: str
) -> Move | None:
    """Read what follows `add` or `swap`: cards, @meld, and perhaps low or high."""
    word = words.pop().lower() if words and words[-1].lower() in ("low", "high") else None
    if not words or not words[-1].startswith("@") or not words[-1][1:].isdigit():
        raise NotationError(f"expected a meld such as @2, got {text!r}")
    index = int(words.pop()[1:]) - 1
    if verb == "add":
        return _parse_add(words, index, word, table, rules, text)
    return _parse_swap(words, index, word, table, rules, text)


def _parse_add(
    words: list[str],
    index: int,
    word: str | None,
    table: tuple[Meld, ...],
    rules: Rules,
    text: str,
) -> Move | None:
    if len(words) != 1:
        raise NotationError(f"expected one card to add, got {text!r}")
    declared = words[0].startswith("*") and words[0] != "*"
    card = parse_card(words[0][1:] if declared else words[0])
    if declared and card == JOKER:
        raise NotationError(f"expected a joker such as *8C, got {text!r}")
    if word and (card == JOKER or card % 13):
        raise NotationError(f"low and high are said of an ace only, got {text!r}")
    if not 0 <= index < len(table):
        return None
    meld = table[index]
    if meld.kind == "set":
        if declared or word:
            raise NotationError(f"on a set no joker is declared and no end named, got {text!r}")
        return ("add", index, None, card)
    if card == JOKER:
        raise NotationError(f"a joker on a run names its card, such as *8C, got {text!r}")
    if word is None and card % 13 == 0 and _both_ends(meld, rules) and card // 13 == meld.suit:
        raise NotationError(f"the ace fits both ends, say low or high, got {text!r}")
    for end, place in ((0, meld.low - 1), (1, meld.high + 1)):
        fits = lowest_place(rules) <= place <= 14 and card_at(meld.suit, place) == card
        if fits and word in (None, ("low", "high")[end]):
            return ("add", index, end, JOKER if declared else card)
    return None


def _parse_swap(
    words: list[str],
    index: int,
    word: str | None,
    table: tuple[Meld, ...],
    rules: Rules,
    text: str,
) -> Move | None:
    cards = [parse_card(name) for name in words]
    if len(cards) not in (1, 2) or JOKER in cards:
        raise NotationError(f"expected one or two natural cards to swap, got {text!r}")
    if word and (len(cards) == 2 or cards[0] % 13):
        raise NotationError(f"low and high are said of an ace only, got {text!r}")
    if not 0 <= index < len(table):
        return None
    meld = table[index]
    if meld.kind == "set":
        return ("swap", index, tuple(sorted(cards))) if len(cards) == 2 else None
    if len(cards) == 2 or cards[0] // 13 != meld.suit:
        return None
    places = [
        place
        for place, card in enumerate(meld.cards, meld.low)
        if card == JOKER and card_at(meld.suit, place) == cards[0]
    ]
    if word:
        places = [place for place in places if place == (1 if word == "low" else 14)]
    if len(places) > 1:
        raise NotationError(f"the ace fits both ends, say low or high, got {text!r}")
    return ("swap", index, places[0]) if places else None
