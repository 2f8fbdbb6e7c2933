"""Moves as people type them: cards in any order, jokers without their card, melds without number."""

from collections.abc import Sequence

from kalooki_env.cards import JOKER_TEXT, parse_card
from kalooki_env.errors import NotationError
from kalooki_env.game import Game
from kalooki_env.notation import parse_move
from kalooki_env.play import choices
from kalooki_env.play.choices import Answer
from kalooki_env.render.view import MeldView


def meant(game: Game, table: Sequence[MeldView], text: str) -> Answer | None:
    """Find the moves that a text means which leaves something out.

    Args:
        game: the game.
        table: its melds.
        text: the move as `lists.expand` writes it.

    Returns:
        What it can mean; None if it is a move written in full, or no move of cards at all.
    """
    verb, *words = text.split() or [""]
    bare = verb == "add" and JOKER_TEXT in words  # written in full on a set, but not on a run
    if verb not in ("meld", "add", "swap") or (_is_move(text) and not bare):
        return None
    number = words.pop()[1:] if words and words[-1].startswith("@") else None
    cards = [word.upper() for word in words]
    if not cards or not all(card == JOKER_TEXT or _is_card(card) for card in cards):
        return None
    if verb == "meld":
        return choices.meld(game, cards) if number is None else None
    if number is None:
        return (choices.lay_off if verb == "add" else choices.swap)(game, table, cards)
    if not (number.isdecimal() and 1 <= int(number) <= len(table)):
        return None
    answer = choices.on_meld(game, table[int(number) - 1], cards)
    ways = tuple(way for way in answer.ways if way[0].startswith(verb))
    return Answer(ways, answer.reason, answer.hint)


def _is_move(text: str) -> bool:
    try:
        parse_move(text)
    except NotationError:
        return False
    return True


def _is_card(text: str) -> bool:
    try:
        parse_card(text)
    except NotationError:
        return False
    return True
