"""Moves as people type them: cards in any order, jokers without their card, melds without number."""

from collections.abc import Sequence

from kalooki_env.cards import JOKER_TEXT, card_text, parse_card
from kalooki_env.errors import NotationError
from kalooki_env.game import Game
from kalooki_env.play import choices
from kalooki_env.play.choices import Answer
from kalooki_env.render.view import MeldView

_VERBS = ("meld", "add", "swap")
_ENDS = ("low", "high")


def meant(game: Game, table: Sequence[MeldView], text: str) -> Answer | None:
    """Find the moves that a text means which leaves something out.

    Args:
        game: the game.
        table: its melds.
        text: the move as `lists.expand` writes it.

    Returns:
        What it can mean; None for what must be judged as it stands: a move that is legal as it is
        written, one whose rest can't be guessed, or no move of cards at all.
    """
    verb, *words = text.replace("@", " @").split() or [""]
    if verb not in _VERBS or not words:
        return None
    if game.phase == "draw":
        return choices.too_early(game)
    reason = _reason(game, text)
    if reason == "":
        return None
    end = words.pop() if words[-1] in _ENDS else ""
    number = words.pop()[1:] if words and words[-1].startswith("@") else None
    if number is not None:
        at = int(number) if number.isdecimal() and len(number) < 4 else 0
        if verb == "meld" or not 1 <= at <= len(table):
            return None
        table = [table[at - 1]]
        if verb == "swap" and JOKER_TEXT not in " ".join(table[0].cards):
            return Answer(hint="There is no joker in that meld.")
    try:
        cards = [_card(word) for word in words]
    except NotationError as error:
        return None if verb == "meld" else Answer(hint=f"Not understood: {error}")
    if not cards:
        return None
    if verb == "meld":
        answer = choices.meld(game, cards)
    else:
        answer = (choices.lay_off if verb == "add" else choices.swap)(game, table, cards)
    # What was said must be in it: the card of a joker, the end of a run.
    said = [word.upper() for word in words if len(word) > 1 and word.startswith(JOKER_TEXT)]
    said += [end] if end else []
    ways = tuple(way for way in answer.ways if set(said) <= set(" ".join(way).split()))
    if ways:
        return Answer(ways)
    return Answer(reason=answer.reason or reason, hint=answer.hint)


def _reason(game: Game, text: str) -> str:
    """Say why a move can't be played as it is written, empty if it can."""
    try:
        return game.explain(text) or ""
    except NotationError as error:
        return str(error)


def _card(word: str) -> str:
    """Return a card of the hand, `*` for a joker whatever it is to stand for."""
    if word.startswith(JOKER_TEXT):
        if word != JOKER_TEXT:
            parse_card(word[1:])
        return JOKER_TEXT
    return card_text(parse_card(word))
