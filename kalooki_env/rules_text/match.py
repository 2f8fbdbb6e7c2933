"""The rules of a match and its money (RULES 5)."""

from kalooki_env.rules_text.sections import Paragraph, Section
from kalooki_env.rules_text.variant import Variant
from kalooki_env.rules_text.words import count, listing, times

RING_WHOLE = 100
"""Penalty from which a loser of a ring game gets nothing."""
RING_EXAMPLE = (20, 50, 120, 35, 80)


def the_match(v: Variant) -> Section:
    """How deals make a match, and who wins it."""
    rules = v.rules
    if not v.match_tables:
        text = "Only single deals are played with these values: "
        text += f"{'a match would have no end' if _endless(v) else v.no_match(v.tables)}."
        return Section("The match", (Paragraph("", text),))
    if rules.match == "ring":
        text = "The match is a single deal, and who goes out has won it."
        return Section("The match", (Paragraph("One deal", text),))
    paragraphs = [Paragraph("Totals", _totals(v))] if v.last_deal != 1 else []
    if v.knocks_out and v.last_deal != 1:
        paragraphs.append(Paragraph("Out of the match", _out(v)))
        if v.buys_in:
            paragraphs.append(Paragraph("Buying in", _buying_in(v)))
    paragraphs.append(Paragraph("The end", _end(v)))
    return Section("The match", tuple(paragraphs))


def _endless(v: Variant) -> bool:
    ends = (v.last_deal, v.target, v.rules.out_above if v.knocks_out else None)
    return all(end is None for end in ends)


def _totals(v: Variant) -> str:
    if v.gathers:
        return "What you gain as the winner of deals adds up to your total."
    return "Your penalties add up to your total."


def _out(v: Variant) -> str:
    limit = v.rules.out_above
    money = " and pays nothing more" if v.has_stakes or v.has_pool else ""
    return (
        f"A total above {limit} is out of the match; exactly {limit} stays in. Who is out of it is "
        f"dealt no cards, has no turn{money}."
    )


def _buying_in(v: Variant) -> str:
    rules = v.rules
    limit = rules.out_above or 0
    price = f" by paying {rules.buy_in} into the pool" if rules.buy_in else ""
    level, low, over = limit - limit // 5, limit - limit // 3, limit + 13
    return (
        f"If at least two players stand at {limit} or less after a deal (counted before anybody buys "
        f"in), everyone above {limit} may buy in{price}, and then takes the highest total of those "
        f"at {limit} or less, as it stood before anybody bought in: at {low}, {level} and {over} the "
        f"third player comes back at {level}. They are asked in turn, clockwise from the winner's "
        f"left. Each may do so {times(rules.buy_ins)} in a match. Who declines, or has no buy-in "
        "left, is out."
    )


def _end(v: Variant) -> str:
    best = "highest" if v.highest_wins else "lowest"
    shared = "equal totals share the win"
    last = v.last_deal
    if last == 1:
        return f"The match is a single deal. The {best} total wins it; {shared}."
    if v.knocks_out:
        limit = v.rules.out_above
        text = (
            f"As soon as only one player stands at {limit} or less, that player has won the match."
        )
        if last is not None:
            buy = " nobody buys in," if v.buys_in else ""
            text += (
                f" It ends after {_deals(v)} at the latest: after the last one{buy} totals above "
                f"{limit} are out, and of the other totals the {best} wins; {shared}."
            )
        return text
    if v.target is None:
        return f"The match ends after {_deals(v)}. The {best} total wins it; {shared}."
    if v.rules.match == "points":
        text = f"The first whose total reaches {v.target} wins the match."
        if last is not None:
            text += f" It ends after {_deals(v)} at the latest: the {best} total wins; {shared}."
        return text
    return (
        f"The match ends with the deal in which somebody's total reaches {v.target} or more. "
        f"Then the {best} total wins it; {shared}."
    )


def _deals(v: Variant) -> str:
    text = count(v.last_deal or 0, "deal")
    if not v.rules.contracts:
        return text
    if v.last_deal == len(v.rules.contracts):
        return f"{text}, one for each contract"
    return f"{text}, which ask for the first {v.last_deal} contracts"


def the_money(v: Variant) -> Section | None:
    """Stakes, pool and payouts."""
    if not (v.has_stakes or v.has_pool):
        return None
    rules = v.rules
    paragraphs = []
    if rules.initial:
        paid = f"At the start every player pays {rules.initial} into the pool"
        text = f"{paid}: {v.most * rules.initial} with {v.most} players."
        if v.buys_in and rules.buy_in:
            text += f" Each buy-in adds {rules.buy_in}."
        paragraphs.append(Paragraph("The pool", text))
    elif v.has_pool:
        paragraphs.append(Paragraph("The pool", f"Each buy-in pays {rules.buy_in} into the pool."))
    if v.has_stakes:
        paragraphs.append(Paragraph("Stakes", _stakes(v)))
    if v.has_pool and rules.match == "ring":
        paragraphs.append(Paragraph("Payout", _ring(v)))
        paragraphs.append(Paragraph("Example", _ring_example(v)))
    elif v.has_pool and v.match_tables:
        paragraphs.append(Paragraph("Payout", _payout(v)))
    return Section("Money", tuple(paragraphs))


def _stakes(v: Variant) -> str:
    rules = v.rules
    others = v.most - 1
    text = f"The winner of a deal gets {rules.call_up} from each other player still in the match"
    if rules.kalooki != rules.call_up:
        text += f", and {rules.kalooki} instead for a kalooki"
    text += f": {rules.call_up * others}"
    if rules.kalooki != rules.call_up:
        text += f", or {rules.kalooki * others},"
    text += f" with {v.most} players."
    if v.knocks_out and v.last_deal != 1:
        text += (
            " Who is out of the match with this very deal pays too; who was out before does not."
        )
    return text


def _payout(v: Variant) -> str:
    text = "The winner of the match takes the pool."
    ties = not v.knocks_out or v.last_deal is not None
    if ties:
        text += (
            " Winners who share split it in whole units; what cannot be split goes to the one of "
            "them in the lowest seat (seats are numbered clockwise from 0)."
        )
    return text


def _ring(v: Variant) -> str:
    whole = RING_WHOLE
    extra = v.rules.kalooki_penalty
    penalty = f"penalty d (the {extra} for a kalooki included)" if extra else "penalty d"
    if v.rules.ring_payout == "split25":
        return (
            f"A quarter of the pool is split among the losers whose {penalty} is below "
            f"{whole}, in proportion to {whole} - d: each gets pool x ({whole} - d) / (4 x S), rounded "
            f"down, with S the sum of {whole} - d over these losers. A penalty of {whole} or more "
            "gets nothing. The winner gets the rest, everything if no loser is below "
            f"{whole}."
        )
    return (
        f"A loser with a {penalty} below {whole} gets pool x ({whole} - d) / ({4 * whole} x losers), "
        f"rounded down, where losers is the number of all losers. A penalty of {whole} or more gets "
        "nothing. The winner gets the rest, which is never less than three quarters of the pool."
    )


def ring_shares(pool: int, penalties: list[int], payout: str) -> list[int]:
    """Return what the losers of a ring game get for their penalties; the winner gets the rest."""
    parts = [max(RING_WHOLE - penalty, 0) for penalty in penalties]
    whole = sum(parts) if payout == "split25" else RING_WHOLE * len(parts)
    return [pool * part // (4 * whole) if part else 0 for part in parts]


def _ring_example(v: Variant) -> str:
    pool = v.rules.initial * v.most
    penalties = list(RING_EXAMPLE[: v.most - 1])
    shares = ring_shares(pool, penalties, v.rules.ring_payout)
    held = listing([str(penalty) for penalty in penalties])
    got = listing([str(share) for share in shares])
    return (
        f"With {v.most} players the pool is {pool}. Losers with penalties of {held} get {got}, the "
        f"winner {pool - sum(shares)}."
    )
