"""The rules of one variant, in the order in which one tells them at the table."""

from collections.abc import Callable

from kalooki_env.rules import Rules
from kalooki_env.rules_text import cards, ending, match, play
from kalooki_env.rules_text.sections import Section
from kalooki_env.rules_text.variant import Variant

_PARTS: tuple[Callable[[Variant], Section | None], ...] = (
    cards.the_aim,
    cards.players_and_cards,
    cards.the_deal,
    cards.melds,
    cards.jokers,
    play.the_turn,
    play.the_opening,
    play.new_melds,
    play.laying_off,
    play.swapping,
    play.discarding,
    ending.going_out,
    ending.the_stock,
    ending.the_score,
    match.the_match,
    match.the_money,
)


def explain(rules: Rules, seats: int | None = None) -> list[Section]:
    """Explain the rules of a variant; what it does not have is not mentioned.

    Args:
        rules: the variant.
        seats: seats of the table it is explained for; None explains it for all that can be dealt.

    Raises:
        RulesError: `seats` cannot be dealt.
    """
    if seats is not None:
        rules.check_seats(seats)
    variant = Variant(rules, seats)
    return [section for part in _PARTS if (section := part(variant)) is not None]
