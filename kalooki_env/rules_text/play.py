"""The rules of a turn: draw, opening, melds, lay-offs, swaps, discard (RULES 3)."""

from kalooki_env.rules_text.sections import Paragraph, Section
from kalooki_env.rules_text.variant import Variant
from kalooki_env.rules_text.words import count, listing

CONTRACT_MELDS = {"3": "set", "4": "run"}
"""What the digits of a contract ask for; the digit is the fewest cards of the meld."""


def the_turn(v: Variant) -> Section:
    """The three parts of a turn, and the draw."""
    parts = ("new melds", "lay-offs", "swaps") if v.rules.jokers else ("new melds", "lay-offs")
    order = (
        f"Draw one card, then play what you like in any order ({listing(parts)}), then discard one "
        "card. Playing is never compulsory: cards and whole melds may stay in the hand. A move is "
        "allowed only if you can still end the turn by the rules after it, with a card to discard."
    )
    paragraphs = [Paragraph("Three parts", order), Paragraph("Draw", _draw(v))]
    if v.rules.first_turn_take and v.rules.discard_before_opening != "free":
        paragraphs.append(
            Paragraph(
                "The very first turn",
                "Whoever has the first turn of the deal may take the up-card in that turn all the same, "
                "without any duty to use it.",
            )
        )
    return Section("Your turn", tuple(paragraphs))


def _draw(v: Variant) -> str:
    pile = "the top card of the discard pile" + (", a joker too" if v.rules.jokers else "")
    text = f"Draw the top card of the stock, or take {pile}."
    how = v.rules.discard_before_opening
    if how == "free":
        return text + " You may always take it, open or not (see Opening), and need not use it."
    text += " Once you are open (see Opening) you may always take it and need not use it."
    if how == "never":
        return text + " Before that you may not take it at all."
    text += (
        " Before that you may take it only to lay it in the very melds that open your hand in this "
        f"turn. Until {_opened(v)}the card lies in one of them, you are not open and can play nothing "
        "but new melds."
    )
    if v.has_equals:
        text += " An equal card that you held before counts as the taken one."
    return text


def _opened(v: Variant) -> str:
    if v.rules.contracts:
        return "the contract is complete and "
    points = v.rules.opening_points
    return f"the sum of {count(points, 'point')} is reached and " if points else ""


def the_opening(v: Variant) -> Section:
    """What the first melds of a hand must be."""
    if v.rules.contracts:
        return Section("Opening", tuple(_contract(v)))
    points = v.rules.opening_points
    table = "lay off or swap" if v.rules.jokers else "lay off"
    if not points:
        first = (
            "Your first meld in a deal opens your hand, whatever it is worth. Before it you "
            f"cannot {table}; after it, in the same turn already, you can do anything."
        )
        return Section("Opening", (Paragraph("Your first meld", first),))
    sum_ = (
        "The melds that open your hand in a deal are laid in one turn and are worth at least "
        f"{count(points, 'point')} together (exactly {points} is enough). They may be one meld or "
        f"several. Until the sum is reached you can lay further melds only, not {table}, and the "
        "first is allowed only if your hand can reach the sum and keep a card to discard. Cards "
        "laid off never count. As soon as you are open, in the same turn already, you can do "
        "anything."
    )
    return Section("Opening", (Paragraph("The sum", sum_), Paragraph("Points", _points(v))))


def _points(v: Variant) -> str:
    rules = v.rules
    text = f"Towards the sum {faces(v)}, an ace {rules.ace_points}"
    if v.low_ace:
        low = rules.ace_low_points
        same = low == rules.ace_points
        text += ", high or low" if same else f", but {low} where it is low in a run"
    if rules.jokers:
        text += ", and a joker the points of the card it stands for"
    high = 30 + rules.ace_points
    enough = "enough" if high >= rules.opening_points else "not enough"
    text += f". So J Q K A of one suit is worth {high}, {enough} to open with alone"
    return text + (f"; A 2 3 is worth {rules.ace_low_points + 5}." if v.low_ace else ".")


def faces(v: Variant) -> str:
    """What the cards below the ace count, for the opening and as penalties."""
    if v.lowest == 10:
        return "10, jack, queen and king count 10 each"
    return f"the cards from {v.lowest} to 10 count their face value, jack, queen and king 10 each"


def _contract(v: Variant) -> list[Paragraph]:
    contracts = v.rules.contracts or ()
    raised = max(sum(map(int, c)) + 1 for c in contracts) > min(v.hand_sizes.values(), default=17)
    items = [
        f"deal {deal}: {_asked(contract)}" + (f" ({_dealt(v, deal)} dealt)" if raised else "")
        for deal, contract in enumerate(contracts, 1)
    ]
    sets, runs = (any(digit in c for c in contracts) for digit in "34")
    sizes = []
    if sets:
        sizes.append(f"a set has three {'or four ' if v.sets_grow else ''}cards")
    if runs:
        sizes.append("a run at least four" if sets else "a run has at least four cards")
    differ = []
    if any(c.count("3") > 1 for c in contracts):
        differ.append("The sets of one contract differ in rank.")
    if any(c.count("4") > 1 for c in contracts):
        differ.append("The runs of one contract differ in suit.")
    lay = (
        "You open by laying exactly the melds of the contract, all in one turn, nothing less and "
        f"nothing beyond: {' and '.join(sizes)}. {' '.join(differ)}"
    ).rstrip()
    before = (
        "Until the contract is complete nothing but its melds can be laid, and the first is allowed "
        "only if your hand can complete it and keep a card to discard. After it, in the same turn "
        f"already, you {'lay off and swap' if v.rules.jokers else 'lay off'}; new melds you lay no "
        "more in this deal."
    )
    paragraphs = [
        Paragraph("The contracts", "Each deal asks for other melds:", tuple(items)),
        Paragraph("Laying it", lay),
        Paragraph("Before and after", before),
    ]
    hopeless = [deal for deal, c in enumerate(contracts, 1) if _impossible(v, c)]
    if hopeless:
        which = listing([str(deal) for deal in hopeless])
        deals = f"deal{'' if len(hopeless) == 1 else 's'} {which}"
        text = f"This pack has too few suits for the contract of {deals}: nobody can open there."
        paragraphs.append(Paragraph("Beware", text))
    return paragraphs


def _asked(contract: str) -> str:
    groups = [
        count(contract.count(digit), noun)
        for digit, noun in CONTRACT_MELDS.items()
        if digit in contract
    ]
    return listing(groups)


def _dealt(v: Variant, deal: int) -> str:
    sizes = {v.rules.hand_size_for(seats, deal) for seats in v.hand_sizes}
    return listing([str(size) for size in sorted(sizes)], "or") + " cards"


def _impossible(v: Variant, contract: str) -> bool:
    return ("3" in contract and not v.has_sets) or contract.count("4") > v.rules.suits


def new_melds(v: Variant) -> Section | None:
    """How many melds a seat lays in the turns after its opening; contracts say it themselves."""
    limit = v.rules.melds_per_turn
    if v.rules.contracts:
        return None
    if limit is None:
        paragraphs = [
            Paragraph("", "Once open you may lay any number of new melds in a turn, of any value.")
        ]
    elif limit == 0:
        table = "lay off and swap" if v.rules.jokers else "lay off"
        text = (
            "All your melds are laid in the turn in which you open; once open you may go on laying "
            f"melds of any value in that turn. In later turns you only {table}."
        )
        paragraphs = [Paragraph("", text)]
    else:
        paragraphs = _limited(v, limit)
    return Section("Further melds", tuple(paragraphs))


def _limited(v: Variant, limit: int) -> list[Paragraph]:
    text = (
        "The turn in which you open has no limit; once open you may go on laying melds of any value "
        f"in it. In each later turn you may lay {count(limit, 'new meld')}, of any value."
    )
    paragraphs = [Paragraph("How many", text)]
    if v.rules.ranks >= 6:  # two runs of three in a row
        chain = (
            "A run laid directly above or below a run of its suit that you laid in the same turn "
            "does not count apart: 9 10 J and Q K A of one suit are a chain, which is one meld here "
            "however many runs it has. Runs count as they were laid, cards laid off on them aside."
        )
        if limit > 1:
            chain += " A run that links two melds of the turn makes them one."
        paragraphs.append(Paragraph("Chains", chain))
    return paragraphs


def laying_off(v: Variant) -> Section:
    """Adding cards to melds on the table, and the limit."""
    fits = "the missing suit to a set of three, " if v.sets_grow else ""
    text = (
        "Once open you may add cards to any meld on the table, your own or another player's, one "
        f"laid in this turn too: {fits}the next card at either end of a run"
    )
    if v.rules.jokers:
        text += ", or a joker in place of " + ("any of these" if v.sets_grow else "it")
    if v.has_sets and not v.sets_grow:
        text += ". A set of three is full"
    return Section(
        "Laying off", (Paragraph("What fits", text + "."), Paragraph("How many", _limit(v)))
    )


def _limit(v: Variant) -> str:
    limit = v.rules.layoff_limit
    if limit is None:
        return "You may lay off as many cards in a turn as fit."
    where = {
        "end": "at the same end of a run",
        "meld": "on the same meld, both ends of a run together",
        "turn": "altogether",
    }[v.rules.layoff_scope]
    text = f"In one turn you may lay off at most {count(limit, 'card')} {where}"
    if v.rules.jokers:
        text += ". Jokers count, one that a swap released too; natural cards given in a swap do not"
    if v.rules.layoff_scope != "turn":
        text += (
            f". On a {'run' if v.rules.layoff_scope == 'end' else 'meld'} laid in this turn its own "
            "cards do not count"
        )
    return text + "."


def swapping(v: Variant) -> Section | None:
    """Getting jokers back from the table."""
    n = v.rules.jokers
    if not n:
        return None
    text = (
        "Once open you may swap a joker out of any meld on the table, one laid in this turn too, by "
        "giving the natural cards it stands for:"
    )
    items = ["From a run: the exact card that the joker stands for. It takes the joker's place."]
    if v.sets_grow:
        items.append(
            f"From a set of three with {'one' if n > 1 else 'the'} joker: the cards of both missing "
            "suits together. The set then has four cards."
        )
    if v.sets_grow and n > 1:
        items.append(
            "From a set of three with two jokers: the cards of any two of the three missing suits. "
            "Exactly one joker comes out, and the set has four cards."
        )
    paragraphs = [Paragraph("Giving the cards", text, tuple(items))]
    if v.sets_grow:
        paragraphs.append(
            Paragraph(
                "Closed sets",
                "A set of four is closed: a joker in it never leaves. One card added to a set of "
                "three with a joker is an ordinary lay-off, and closes it.",
            )
        )
    elif v.has_sets:
        paragraphs.append(
            Paragraph("Closed sets", "A set is full from the start: a joker in it never leaves.")
        )
    paragraphs.append(Paragraph("The released joker", _released(v)))
    return Section("Swapping jokers", tuple(paragraphs))


def _released(v: Variant) -> str:
    limit = v.rules.melds_per_turn
    if v.rules.contracts:
        place = "as a lay-off"
    elif limit == 0:
        place = "as a lay-off, in the turn in which you open also in a new meld"
    else:
        place = "in a new meld or as a lay-off"
    text = (
        f"It is laid in this same turn, {place}. It never stays in the hand and is never discarded, "
        "so a swap is allowed only if the joker can be placed and a card is left to discard."
    )
    if limit and not v.rules.contracts:
        text += " A new meld that takes it counts towards the limit of melds like any other."
    if v.rules.jokers > 1:
        text += (
            " Jokers are alike: once you have laid as many jokers after your swaps as these "
            "released, you may discard another one from your hand."
        )
    return text


def discarding(v: Variant) -> Section:
    """The end of a turn."""
    last = (
        "Every turn ends with the discard of one card, the turn in which you go out too: you may "
        "never lay your last card. After the discard you play nothing until your next turn."
    )
    taken = "A card taken from the discard pile may not be discarded in the same turn"
    if v.rules.decks > 1:
        taken += ". If you held an equal card before, you may discard one of them"
    elif v.has_equals:
        taken += ". If it is a joker and you held another one before, you may discard one of them"
    taken += ". A card drawn from the stock may be discarded at once."
    paragraphs = [Paragraph("The last act", last), Paragraph("The taken card", taken)]
    if v.rules.jokers:
        paragraphs.append(
            Paragraph(
                "Jokers",
                "A joker may be discarded, unless your swaps of this turn released one that you have "
                "not laid yet.",
            )
        )
    return Section("Discarding", tuple(paragraphs))
