"""The rules of the end of a deal: going out, the stock, the score (RULES 3, 4)."""

from kalooki_env.rules_text.play import faces
from kalooki_env.rules_text.sections import Paragraph, Section
from kalooki_env.rules_text.variant import Variant
from kalooki_env.rules_text.words import count, listing, times


def going_out(v: Variant) -> Section:
    """The end that somebody plays for, kalooki and the announcement."""
    paragraphs = [
        Paragraph(
            "The end of the deal",
            "The deal is over the moment somebody discards the last card of a hand. Nobody lays off "
            "after that, even what would fit.",
        ),
        Paragraph("Kalooki", _kalooki(v)),
    ]
    if v.rules.announce == "auto":
        paragraphs.append(Paragraph("Last cards", _announced()))
    elif v.rules.announce == "manual":
        paragraphs.append(Paragraph("Last cards", _announcing(v)))
    return Section("Going out", tuple(paragraphs))


def _kalooki(v: Variant) -> str:
    rules = v.rules
    barred = "with no lay-off and no swap" if rules.jokers else "with no lay-off"
    text = (
        "Going out in one turn with nothing laid before it is a kalooki: all your cards but the "
        f"discard are laid as new melds in that turn, {barred}."
    )
    if rules.contracts:
        text += " They must make the contract all the same."
    elif rules.opening_points:
        text += f" They must be worth the {count(rules.opening_points, 'point')} all the same."
    pays = []
    if v.has_stakes and rules.kalooki != rules.call_up:
        pays.append(f"pays {rules.kalooki} instead of {rules.call_up}")
    if rules.kalooki_penalty:
        pays.append(f"gets {rules.kalooki_penalty} more penalty points")
    if not pays:
        return f"{text} A kalooki brings nothing extra."
    return f"{text} Each loser {listing(pays)} for it."


def _announced() -> str:
    return (
        "Whoever holds 1, 2 or 3 cards after discarding tells everybody how many. Here the "
        "announcement is made for you after every such discard: it cannot be forgotten."
    )


def _announcing(v: Variant) -> str:
    bounds = (
        "opening, melds, lay-offs and swaps" if v.rules.jokers else "opening, melds and lay-offs"
    )
    return (
        "Whoever holds 1, 2 or 3 cards after discarding announces the number at once, before "
        "anything else happens and after every such discard; the number is public. Who stays "
        "silent is barred from going out in the next turn: at least one card stays in the hand "
        f"after that turn's discard, which also bounds the {bounds} of that turn. The bar ends with "
        "that turn, or with the deal."
    )


def the_stock(v: Variant) -> Section:
    """What happens when the stock runs out, void and cut deals."""
    limit = v.rules.max_rebuilds
    text = "Who draws the last card of the stock finishes the turn."
    if limit == 0:
        text += " If that does not end the deal, the deal is void."
    else:
        text += (
            " The older discards are then shuffled into a new stock, and the discard of that turn "
            "alone starts the new pile. If there are no older discards, the deal is void."
        )
    if limit:
        text += (
            f" This is done {times(limit)} in a deal. When the stock runs out again after that, the "
            "player who drew its last card still finishes the turn; if that does not end the deal, "
            "it is void."
        )
    elif limit is None:
        text += " This may happen any number of times."
    paragraphs = [Paragraph("Running out", text), Paragraph("Void", _void(v))]
    if v.rules.turn_cap is not None:
        cap = count(v.rules.turn_cap, "turn")
        text = (
            f"A deal that nobody has won after {cap} is cut at the end of the last of them, and treated "
            "like a void one. This is no rule of the game: it ends deals in which nobody wants to go "
            "out."
        )
        paragraphs.append(Paragraph("Too long", text))
    return Section("When the stock runs out", tuple(paragraphs))


def _void(v: Variant) -> str:
    money = " and moves no money" if v.has_stakes or v.has_pool else ""
    text = f"A void deal scores nothing{money}"
    if not v.match_tables:
        return text + "."
    text += "; the same dealer deals again"
    if v.rules.contracts:
        text += ", and the contract stays the same"
    elif v.last_deal is not None and v.last_deal > 1:
        text += f". It does not count among the {v.last_deal} deals"
    if v.buys_in:
        text += ". It asks for no buy-in"
    return text + "."


def the_score(v: Variant) -> Section:
    """Penalties, and who gains what."""
    rules = v.rules
    values = f"{faces(v)}, an ace {rules.ace_penalty}"
    if v.low_ace:
        values += ", also where it could have been low in a run"
    if rules.jokers:
        values += f", and a joker {rules.joker_penalty}"
    cards, worth = ["an ace", "a king", "a 10"], rules.ace_penalty + 20
    if rules.jokers:
        cards, worth = [*cards, "a joker"], worth + rules.joker_penalty
    text = (
        "When somebody has gone out, each other player's penalty is the value of the cards left in "
        f"the hand: {values}. Melds that were never laid count in full. So "
        f"{listing(cards)} make {worth}."
    )
    if rules.kalooki_penalty:
        text += f" After a kalooki each of these penalties is {rules.kalooki_penalty} higher."
    winner = (
        "The winner gains the sum of all the penalties; the others neither gain nor lose."
        if v.gathers
        else "The winner's penalty is 0."
    )
    return Section(
        "Scoring a deal", (Paragraph("Penalties", text), Paragraph("The winner", winner))
    )
