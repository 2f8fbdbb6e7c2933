"""The game in a minute, for any variant."""

from kalooki_env.play.words import contract_words
from kalooki_env.rules import Rules
from kalooki_env.rules_text.variant import Variant


def primer(rules: Rules, seats: int) -> list[str]:
    """Explain a variant in a dozen short paragraphs of one line each; cards in notation."""
    cards = rules.hand_size_for(seats)
    run = 4 if rules.contracts else 3
    return [
        f"Be the first to get rid of your {cards} cards.",
        "Your turn: draw a card, lay what you like, discard one.",
        "Set: 3-4 of a rank  7C 7D 7H",
        f"Run: {run} or more      " + ("3S 4S 5S 6S" if run == 4 else "4S 5S 6S"),
        "Joker: any card     *",
        "",
        _opening(rules),
        "Then add to any meld, and get a joker back for the card it stands for.",
        _pile(rules),
        "",
        f"The deal ends when somebody discards the last card. {_score(rules)}",
        _end(rules),
    ]


def _opening(rules: Rules) -> str:
    if rules.contracts:
        first = contract_words(rules.contracts[0])
        return f"Open with the melds that the deal asks for, in one turn: first {first}."
    if not rules.opening_points:
        return "Your first meld opens, whatever it is worth."
    return (
        f"Open with melds worth {rules.opening_points} points in one turn "
        f"(J Q K 10, ace {rules.ace_points})."
    )


def _pile(rules: Rules) -> str:
    how = rules.discard_before_opening
    if how == "free":
        return "You may draw from the stock or take the top of the pile."
    first = " Whoever plays first may take the up-card." if rules.first_turn_take else ""
    to_open = ", or to open with it" if how == "to_open" else ""
    return f"Take the top of the pile only when open{to_open}.{first}"


def _score(rules: Rules) -> str:
    joker = f"a joker {rules.joker_penalty}"
    if rules.scoring == "collect" or rules.match == "points":
        return f"Who does wins what the others hold ({joker})."
    return f"The others are penalised for what they hold ({joker})."


def _end(rules: Rules) -> str:
    variant = Variant(rules)
    if variant.knocks_out and variant.last_deal != 1:
        prize = "takes the pool" if variant.has_pool else "wins"
        return f"Over {rules.out_above} in all you are out; the last one left {prize}."
    if rules.match == "ring":
        return "The match is one deal, after which the pool is shared out."
    best = "highest" if variant.highest_wins else "lowest"
    if variant.last_deal == 1:
        return f"The match is one deal; the {best} total wins."
    if variant.last_deal is not None:
        return f"The match has {variant.last_deal} deals; the {best} total wins."
    return f"The match ends when somebody has {variant.target} in all; the {best} total wins."
