"""From selected cards to moves: which moves they can mean, and why none of them is legal.

Nothing here judges: every way to write the move is tried on the game, which knows the rules.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from kalooki_env.cards import (
    HIGH_ACE,
    JOKER_TEXT,
    LOW_ACE,
    card_text,
    joker_text,
    parse_card,
    position_card,
)
from kalooki_env.engine.layout import RUN
from kalooki_env.errors import NotationError
from kalooki_env.game import Game
from kalooki_env.notation import parse_table_meld
from kalooki_env.render.view import MeldView, view_of

Moves = tuple[str, ...]
"""Moves that are played one after another."""
Writer = Callable[..., Iterator[str]]
"""`layoff_texts` or `swap_texts`."""

_ENDS = {LOW_ACE: " low", HIGH_ACE: " high"}


@dataclass(frozen=True)
class Answer:
    """What selected cards can do.

    Attributes:
        ways: what is legal.
        reason: why nothing is, in the words of the rules.
        hint: or what is missing to make a move of it at all.
    """

    ways: tuple[Moves, ...] = ()
    reason: str = ""
    hint: str = ""


def meld(game: Game, cards: Sequence[str]) -> Answer:
    """Lay the cards as one meld; more than one way where a joker can stand for several cards."""
    if len(cards) == 0:
        return Answer(hint="Select the cards of the meld first.")
    if len(cards) < 3:
        return Answer(reason="a meld has at least three cards")
    texts = list(meld_texts(cards))
    return _legal(game, texts or [f"meld {' '.join(_spelled(cards))}"])


def lay_off(game: Game, table: Sequence[MeldView], cards: Sequence[str]) -> Answer:
    """Lay the cards off on whichever melds they fit; several cards on one meld, one after another."""
    if not cards:
        return Answer(hint="Select the card to lay off first.")
    return _anywhere(game, table, cards, layoff_texts)


def swap(game: Game, table: Sequence[MeldView], cards: Sequence[str]) -> Answer:
    """Give the cards for a joker of whichever meld has one that they replace."""
    jokers = [t for t in table if any(card.startswith(JOKER_TEXT) for card in t.cards)]
    if not jokers:
        return Answer(hint="There is no joker on the table.")
    if not cards:
        return Answer(hint="Select the card that a joker stands for first.")
    return _anywhere(game, jokers, cards, swap_texts)


def on_meld(game: Game, target: MeldView, cards: Sequence[str]) -> Answer:
    """Do with a meld on the table what the cards can do there: lay off or swap."""
    if not cards:
        return Answer(hint="Select the card to lay off, or to swap for a joker, first.")
    swaps = _on_one(game, target, cards, swap_texts)
    lays = _on_one(game, target, cards, layoff_texts)
    if swaps.ways or lays.ways:
        return Answer(swaps.ways + lays.ways)
    means_swap = len(cards) == 2 or any(joker_text(_id(card)) in target.cards for card in cards)
    return swaps if means_swap and swaps.reason else lays


def discard(game: Game, cards: Sequence[str]) -> Answer:
    """Discard the card."""
    if len(cards) != 1:
        many = f", you have selected {len(cards)}" if cards else " first"
        return Answer(hint=f"Select the one card to discard{many}.")
    return _legal(game, [f"discard {cards[0]}"])


def plain(game: Game, move: str) -> Answer:
    """Play a move that needs no cards, or one that was typed."""
    return _legal(game, [move])


def too_early(game: Game) -> Answer:
    """Say why no card can be played before the draw."""
    return Answer(reason=game.explain("discard *") or "")


# How moves are written


def meld_texts(cards: Sequence[str]) -> Iterator[str]:
    """Yield every way to write the cards as a set or as a run, each joker in every place."""
    naturals = [parse_card(card) for card in cards if card != JOKER_TEXT]
    if not naturals or len(cards) < 3:
        return
    if len({card % 13 for card in naturals}) == 1 and len(cards) <= 4:
        yield f"meld {' '.join(cards)}"
    if len({card // 13 for card in naturals}) == 1 and len(set(naturals)) == len(naturals):
        for low in range(LOW_ACE, HIGH_ACE + 2 - len(cards)):
            if (text := _run_text(naturals, low, len(cards))) is not None:
                yield text


def _run_text(naturals: Sequence[int], low: int, size: int) -> str | None:
    """Write a run from position `low`; None if a natural card has no place in it."""
    suit = naturals[0] // 13
    places = [position_card(suit, position) for position in range(low, low + size)]
    if not set(naturals) <= set(places) or len(set(places)) < size:
        return None
    return "meld " + " ".join(
        card_text(card) if card in naturals else joker_text(card) for card in places
    )


def layoff_texts(target: MeldView, card: str) -> Iterator[str]:
    """Yield every way to write a lay-off of a card on a meld."""
    kind, suit, low, high, _ = parse_table_meld(" ".join(target.cards))
    at = f"@{target.number}"
    if kind != RUN:
        yield f"add {card} {at}"
    elif card == JOKER_TEXT:
        for place in (low - 1, high + 1):
            if LOW_ACE <= place <= HIGH_ACE:
                stands_for = joker_text(position_card(suit, place))
                yield f"add {stands_for} {at}{_ENDS.get(place, '')}"
    else:
        yield from _with_ends(f"add {card} {at}", card)


def swap_texts(target: MeldView, *cards: str) -> Iterator[str]:
    """Yield every way to write a swap of cards for a joker of a meld."""
    if len(cards) in (1, 2) and JOKER_TEXT not in cards:
        text = f"swap {' '.join(cards)} @{target.number}"
        yield from _with_ends(text, cards[0]) if len(cards) == 1 else (text,)


def _with_ends(text: str, card: str) -> Iterator[str]:
    """Yield a text, for an ace one for each end of a run."""
    if card[0] == "A":
        yield from (text + end for end in _ENDS.values())
    else:
        yield text


def _spelled(cards: Sequence[str]) -> list[str]:
    """Write cards that are no meld so that the game can say why: jokers beside the first card."""
    naturals = [card for card in cards if card != JOKER_TEXT]
    suits = {card[1] for card in naturals}
    if len(suits) != 1 or len({card[0] for card in naturals}) == 1:
        return list(cards)
    first = _id(naturals[0])
    suit, place = first // 13, first % 13 + 1
    free = (position_card(suit, (place + step - 1) % 13 + 1) for step in range(1, 13))
    jokers = (joker_text(card) for card in free if card_text(card) not in naturals)
    return [next(jokers, card) if card == JOKER_TEXT else card for card in cards]


def _id(card: str) -> int:
    return parse_card("2C" if card == JOKER_TEXT else card)


# What is legal of it


def _legal(game: Game, texts: Iterable[str]) -> Answer:
    """Keep the moves that the game allows; the reason is that of the last one it refuses.

    Runs come from the lowest up, and the first is often refused only for an ace at its low end.
    """
    ways: list[Moves] = []
    reason = ""
    for text in texts:
        try:
            refused = game.explain(text)
        except NotationError as error:
            refused = str(error)
        if refused is None:
            ways.append((text,))
        else:
            reason = refused
    return Answer(tuple(ways), "" if ways else reason)


def _anywhere(game: Game, table: Sequence[MeldView], cards: Sequence[str], texts: Writer) -> Answer:
    """Try the cards on every meld."""
    if not table:
        return Answer(hint="There is no meld on the table yet.")
    answers = [_on_one(game, target, cards, texts) for target in table]
    ways = tuple(way for answer in answers for way in answer.ways)
    if ways:
        return Answer(ways)
    if answers[0].hint:
        return answers[0]
    reasons = [answer.reason for answer in answers]
    if len(set(reasons)) == 1:
        return Answer(reason=reasons[0])
    return Answer(reason=_best_reason(reasons, len(cards)))


def _best_reason(reasons: Sequence[str], cards: int) -> str:
    """Choose among the reasons of several melds one that is not about the cards of a meld."""
    about_meld = ("run", "set", "joker leaves", "no joker in that")
    others = [r for r in reasons if not any(word in r for word in about_meld)]
    none = "it fits none of the melds" if cards == 1 else "no meld takes all these cards"
    return others[0] if others else f"{none} on the table"


def _on_one(game: Game, target: MeldView, cards: Sequence[str], texts: Writer) -> Answer:
    """Try the cards on one meld, lay-offs one after another in whichever order works."""
    if texts is swap_texts:
        written = list(swap_texts(target, *cards))
        if not written:
            return Answer(
                hint="A joker is swapped for the card it stands for, in a set for two cards."
            )
        return _legal(game, written)
    if len(cards) == 1:
        return _legal(game, layoff_texts(target, cards[0]))
    return _one_by_one(game, target, cards)


def _one_by_one(game: Game, target: MeldView, cards: Sequence[str]) -> Answer:
    """Lay several cards off on one meld; more than one way where a joker can go to either end."""
    reason, deeper = "", ""
    for card in sorted(set(cards), key=lambda card: card == JOKER_TEXT):
        first = _legal(game, layoff_texts(target, card))
        reason = reason or first.reason
        rest = list(cards)
        rest.remove(card)
        ways: list[Moves] = []
        for (move,) in first.ways:
            trial = game.clone()
            trial.play(move)
            if not rest:
                ways.append((move,))
                continue
            now = view_of(trial, trial.to_move or 0).table[target.number - 1]
            further = _one_by_one(trial, now, rest)
            ways += [(move, *way) for way in further.ways]
            deeper = further.reason
        if ways:
            return Answer(tuple(ways))
    return Answer(reason=deeper or reason)
