"""The rules before the first turn: the aim, the pack, the deal, melds and jokers (RULES 2)."""

from itertools import groupby

from kalooki_env.errors import RulesError
from kalooki_env.rules_text.sections import Paragraph, Section
from kalooki_env.rules_text.variant import Variant
from kalooki_env.rules_text.words import count, listing, span


def the_aim(v: Variant) -> Section:
    """What everybody tries to do in a deal and in the match."""
    others = (
        "The cards still in the other hands then count for the winner of the deal."
        if v.gathers
        else "Everybody else is penalised for the cards still in hand."
    )
    deal = (
        "Be the first to get rid of all your cards. You lay them on the table as "
        f"{'sets and runs' if v.has_sets else 'runs'} (the melds of this game), add cards to melds "
        "that lie there already, and discard the last one. That is going out, or calling up, and it "
        f"ends the deal at once. {others}"
    )
    paragraphs = [Paragraph("In a deal", deal)]
    if v.match_tables:
        paragraphs.append(Paragraph("In the match", _match_aim(v)))
    return Section("The aim", tuple(paragraphs))


def _match_aim(v: Variant) -> str:
    rules = v.rules
    prize = " and takes the pool" if v.has_pool else ""
    best = "highest" if v.highest_wins else "lowest"
    grow = f"{'Gains' if v.gathers else 'Penalties'} add up from deal to deal."
    latest = f", or the {best} total after {v.last_deal} deals," if v.last_deal else ""
    if rules.match == "ring":
        share = " and most of the pool" if v.has_pool else ""
        return f"The match is a single deal: who goes out wins it{share}."
    if v.last_deal == 1:
        return f"The match is a single deal; the {best} total wins it{prize}."
    if v.knocks_out:
        return (
            f"{grow} A total above {rules.out_above} puts you out of the match, and the last player "
            f"left{latest} wins it{prize}."
        )
    if rules.match == "points" and v.target is not None:
        return f"{grow} The first to reach {v.target}{latest} wins the match{prize}."
    return f"{grow} The {best} total at the end wins the match{prize}."


def players_and_cards(v: Variant) -> Section:
    """How many may play, and with which pack."""
    paragraphs = (Paragraph("Players", _players(v)), Paragraph("Cards", _pack(v)))
    return Section("Players and cards", paragraphs)


def _players(v: Variant) -> str:
    if not v.tables:
        try:
            v.rules.check_seats(v.rules.min_seats)
        except RulesError as error:
            return f"Nobody can play with these values. {str(error).capitalize()}."
    text = f"{span(v.tables)} players, each for themselves. Play goes clockwise."
    unfit = [seats for seats in v.tables if seats not in v.match_tables]
    if unfit and v.match_tables:
        text += f" With {span(unfit)} only single deals are played: {v.no_match(unfit)}."
    return text


def _pack(v: Variant) -> str:
    rules = v.rules
    natural = rules.ranks * rules.suits
    text = f"{count(rules.decks, 'pack')} of {natural} cards"
    if natural < 52:
        text += f" (from {v.lowest} up to the ace, of {listing(v.suit_names)})"
    if rules.jokers:
        text += f" with {count(rules.jokers, 'joker')}"
    if rules.decks > 1:
        text += ", shuffled together"
    copies = "twice" if rules.decks > 1 else "once"
    each = "each natural card (all but the jokers)" if rules.jokers else "each card"
    return f"{text}. That makes {rules.pack_size} cards, {each} {copies}."


def the_deal(v: Variant) -> Section:
    """Who deals, how many cards, who begins."""
    dealer = "The first dealer is drawn by lot."
    if v.match_tables and v.last_deal != 1:
        skipped = ", passing over those who are out of the match" if v.knocks_out else ""
        dealer += f" After each deal the next player clockwise deals{skipped}."
    table = (
        "The rest of the pack is the stock, face down. Its top card is turned up beside it: this "
        "up-card starts the discard pile. The player on the dealer's left has the first turn."
    )
    paragraphs = [Paragraph("Dealer", dealer)]
    if v.hand_sizes:
        paragraphs.append(Paragraph("Hands", hands(v)))
    paragraphs.append(Paragraph("Stock and discard pile", table))
    return Section("The deal", tuple(paragraphs))


def hands(v: Variant) -> str:
    """How many cards everybody is dealt."""
    by_size = groupby(sorted(v.hand_sizes), key=lambda seats: v.hand_sizes[seats])
    groups = [(count(cards, "card"), span(list(seats))) for cards, seats in by_size]
    if len(groups) == 1:
        text = f"Everybody is dealt {groups[0][0]}."
    else:
        each = [f"{cards} with {seats} players" for cards, seats in groups]
        text = f"Everybody is dealt {listing(each)}."
    longest = max((sum(map(int, c)) + 1 for c in v.rules.contracts or ()), default=0)
    if longest > min(v.hand_sizes.values()):
        text += (
            " Where that is too few for the contract of a deal, it is one card more than the "
            "contract needs; the list of contracts says how many."
        )
    return text


def melds(v: Variant) -> Section:
    """Sets, runs, the place of the ace."""
    paragraphs = [Paragraph("Set", _set(v))] if v.has_sets else []
    paragraphs.append(Paragraph("Run", _run(v)))
    changed = "added to, or give up a joker" if v.rules.jokers else "added to"
    paragraphs.append(
        Paragraph(
            "On the table",
            "A meld on the table is never split, joined with another or moved, and what its cards "
            f"stand for never changes. It can only be {changed}.",
        )
    )
    return Section("Sets and runs" if v.has_sets else "Runs", tuple(paragraphs))


def _set(v: Variant) -> str:
    text = (
        "Three or four cards of one rank, all of different suits, such as the kings of clubs, "
        "diamonds and spades."
        if v.sets_grow
        else "Three cards of one rank, one of each suit, such as three kings."
    )
    twice = " A suit never stands in a set twice, although the pack has each card twice."
    return text + (twice if v.rules.decks > 1 else "")


def _run(v: Variant) -> str:
    text = f"Three or more consecutive cards of one suit, such as 10 J Q of {v.suit_names[-1]}."
    if v.low_ace:
        return (
            f"{text} The ace stands high (Q K A) or low (A 2 3), but a run never goes round the "
            "corner: K A 2 is none. Laid from the hand a run has at most 13 cards; on the table it "
            "may grow to 14, from the low ace to the high one."
        )
    others = "neither A 2 3 nor K A 2 is one" if v.lowest == 2 else "nothing follows it"
    return (
        f"{text} The ace is high only: Q K A is a run, {others}. The longest run has "
        f"{v.rules.ranks} cards, from the {v.lowest} to the ace."
    )


def jokers(v: Variant) -> Section | None:
    """What a joker stands for."""
    n = v.rules.jokers
    if not n:
        return None
    small = " of this pack" if v.rules.ranks * v.rules.suits < 52 else ""
    wild = f"A joker stands for any card{small}, even for one that lies on the table already."
    if n > 1:
        wild += (
            " A meld may hold any number of jokers, side by side too, with at least one natural "
            "card among them."
        )
    in_run = (
        "A joker stands for one exact card. You say which when you lay it, and that never changes, "
        "also when the run grows past it."
    )
    paragraphs = [Paragraph("Wild", wild), Paragraph("In a run", in_run)]
    if v.has_sets:
        in_set = "A joker stands for a card of that rank; nobody says of which suit."
        if n > 1:
            in_set += " One natural card with two jokers can be a set or a run: you say which."
        paragraphs.append(Paragraph("In a set", in_set))
    return Section("Jokers", tuple(paragraphs))
