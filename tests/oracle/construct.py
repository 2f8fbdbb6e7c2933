"""Put positions together that play seldom reaches: jokers everywhere, limits used up, few cards left.

A position is built for a state that is wanted; what it is really in, `census` says.
"""

from __future__ import annotations

import random
from typing import Any

from .building import Builder
from .cards import JOKER, parse_cards, penalty_value, show_cards
from .match import knocks_out, last_deal, next_dealer
from .melds import Meld, cards_text, points
from .plans import Plan, plan_for
from .rules import Rules


def build(
    wanted: str, rules_value: Any, rules: Rules, seats: int, rng: random.Random
) -> dict[str, Any] | None:
    """Return a position mapping built for the wanted state, None where the attempt fails."""
    plan = plan_for(wanted, rules, rng)
    builder = Builder(rules, seats, plan, rng)
    deal = _deal_number(rules, plan, rng)
    # The jokers that the hand must hold are put aside before the table takes them.
    by_contract = rules.contracts is not None and not plan.opened
    aside = plan.hand_jokers if by_contract else plan.owed
    builder.into_hand([JOKER] * min(aside, builder.left[JOKER]))
    builder.lay_table()
    if rules.contracts and not plan.drawing and (plan.opening_turn or not plan.opened):
        builder.lay_contract(rules.contracts[deal - 1], whole=plan.opened)
    laid = [meld for meld in builder.table if meld.laid]
    if plan.opened and not plan.drawing and plan.opening_turn and not _opened_by(laid, rules, deal):
        return None
    if plan.opened and not plan.drawing and plan.used_up:
        builder.count_layoffs()
    builder.deal_hand()
    if not builder.hand or builder.hand.count(JOKER) < plan.owed:
        return None
    return _mapping(builder, rules_value, deal)


def _deal_number(rules: Rules, plan: Plan, rng: random.Random) -> int:
    """Choose which deal of the match it is: where the match is to end, mostly the last."""
    last = last_deal(rules)
    if last is None:
        return rng.randint(1, 9)
    return last if plan.deciding and rng.random() < 0.7 else rng.randint(1, last)


def _opened_by(laid: list[Meld], rules: Rules, deal: int) -> bool:
    if rules.contracts is not None:
        return len(laid) == len(rules.contracts[deal - 1])
    return bool(laid) and sum(points(meld, rules) for meld in laid) >= rules.opening_points


def _mapping(builder: Builder, rules_value: Any, deal: int) -> dict[str, Any] | None:
    plan, rng, rules, seats = builder.plan, builder.rng, builder.rules, builder.seats
    out = _eliminated(rules, seats, plan, rng)
    seat = rng.choice([seat for seat in range(seats) if not out[seat]])
    hands = ["" if out[other] or other == seat else _other_hand(builder) for other in range(seats)]
    opened = [rng.random() < 0.5 and not gone for gone in out]
    hands[seat], opened[seat] = show_cards(builder.hand), plan.opened
    if any(hand == "" and not gone for hand, gone in zip(hands, out, strict=True)):
        return None
    taken = None if plan.drawing or not plan.taken else builder.choose_taken()
    turn_mapping: dict[str, Any] = {}
    if not plan.drawing:
        if taken and not plan.opened and rules.discard_before_opening == "never":
            taken = None
        if taken and plan.opened and plan.opening_turn and not _taken_was_used(builder, taken[0]):
            taken = None
        turn_mapping = _turn(builder, taken)
    if not any(opened) and any(not meld.laid for meld in builder.table):
        opened[next_dealer(seat, tuple(out))] = True
    discards, stock = _piles(builder, bool(taken))
    if plan.drawing and not stock and not plan.announcing:
        return None
    barred = [rng.random() < 0.1 and 0 < len(hand.split()) <= 3 for hand in hands]
    barred = barred if rules.announce == "manual" else [False] * seats
    barred[seat] = plan.barred
    books = _books(rules, out, plan, rng)
    if plan.deciding and rng.random() < 0.3:
        _tie(books["totals"], rules, hands, seat, rng)
    return {
        "rules": rules_value,
        "hands": hands,
        "to_move": seat,
        "phase": "announce" if plan.announcing else "draw" if plan.drawing else "play",
        "opened": opened,
        "turn": rng.randint(seats + 1, 60),
        "barred": barred,
        "table": [cards_text(meld) for meld in builder.table],
        "discards": show_cards(discards),
        "stock": show_cards(stock),
        "rebuilds": rng.randint(0, 1 if rules.max_rebuilds is None else rules.max_rebuilds),
        "deal": deal,
        "dealer": rng.choice([other for other in range(seats) if not out[other]]),
        "eliminated": out,
        **books,
        **turn_mapping,
    }


def _taken_was_used(builder: Builder, card: int) -> bool:
    """Tell whether a card taken to open was laid in the opening."""
    if builder.rules.discard_before_opening == "never":
        return False
    if builder.rules.discard_before_opening == "free":
        return True
    return any(card in meld.cards for meld in builder.table if meld.laid)


def _turn(builder: Builder, taken: tuple[int, bool] | None) -> dict[str, Any]:
    """Write the middle of the turn."""
    plan, rng = builder.plan, builder.rng
    swaps = plan.owed
    if plan.opened and rng.random() < 0.2:
        swaps += 1
    added: dict[int, Any] = {}
    for number, meld in enumerate(builder.table, 1):
        if meld.added_low or meld.added_high:
            ends = [meld.added_low, meld.added_high]
            added[number] = ends if meld.kind == "run" else meld.added_low
    return {
        "taken": show_cards([taken[0]]) if taken else "",
        "taken_twin": taken[1] if taken else False,
        "was_open": plan.opened and not plan.opening_turn,
        "laid": [number for number, meld in enumerate(builder.table, 1) if meld.laid],
        "added": added,
        "swaps": min(swaps, 4),
        "owed": plan.owed,
    }


def _other_hand(builder: Builder) -> str:
    cards = list(builder.left.elements())
    count = builder.rng.choice((1, 2, 3, 3, 5, 8, 13))
    cards = builder.rng.sample(cards, min(count, max(len(cards) // 3, 1), len(cards)))
    builder.take(cards)
    return show_cards(cards)


def _piles(builder: Builder, taken: bool) -> tuple[list[int], list[int]]:
    """Divide what is left; the pile may be empty only after a take."""
    cards = list(builder.left.elements())
    builder.rng.shuffle(cards)
    if builder.plan.last_card:
        rest = 1 if builder.plan.drawing and not builder.plan.announcing else 0
        return cards[rest:], cards[:rest]
    fewest = min(0 if taken else 1, len(cards))
    cut = builder.rng.randint(fewest, max(len(cards) - 1, fewest))
    return cards[:cut], cards[cut:]


def _eliminated(rules: Rules, seats: int, plan: Plan, rng: random.Random) -> list[bool]:
    """Choose seats that were put out of the match before; at least two are left."""
    count = min(plan.out, seats - 2) if knocks_out(rules) else 0
    gone = rng.sample(range(seats), count)
    return [seat in gone for seat in range(seats)]


def standing_limit(rules: Rules) -> int:
    """Return the highest total that a seat of a match that goes on can have, or a likely one."""
    return rules.out_above if knocks_out(rules) else (rules.target or 120) - 1


def _books(rules: Rules, out: list[bool], plan: Plan, rng: random.Random) -> dict[str, Any]:
    """Draw totals, buy-ins and ledgers before the deal."""
    limit = standing_limit(rules)
    low = limit - min(limit, 10) if plan.deciding and rng.random() < 0.5 else limit // 2
    totals = [rng.randint(low, limit) for _ in out]
    if plan.deciding:
        # Some are far from the limit, so that it is not one seat alone that stays in.
        totals = [rng.randint(0, limit // 2) if rng.random() < 0.4 else total for total in totals]
    for seat in range(len(out)):
        if out[seat]:
            totals[seat] = limit + rng.randint(1, 80)
    most = max(rules.buy_ins - 1, 0) if plan.deciding and rng.random() < 0.7 else rules.buy_ins
    buy_ins = [rng.randint(0, most) for _ in out]
    money = [-rules.initial - rules.buy_in * used for used in buy_ins]
    if rules.match == "pool":
        payer, payee = rng.sample(range(len(out)), 2)
        stake = rng.randint(0, 9)
        money[payer], money[payee] = money[payer] - stake, money[payee] + stake
    return {"totals": totals, "buy_ins": buy_ins, "money": money}


def _tie(
    totals: list[int], rules: Rules, hands: list[str], winner: int, rng: random.Random
) -> None:
    """Let the winner of the deal and another seat come to the same total, where that can be."""
    worth = [sum(penalty_value(card, rules) for card in parse_cards(hand)) for hand in hands]
    other = rng.choice([seat for seat, hand in enumerate(hands) if hand and seat != winner])
    limit = standing_limit(rules)
    if rules.scoring == "collect" or rules.match == "points":
        # Who goes out collects all other hands; its own is its last card.
        same = totals[winner] + sum(worth) - worth[winner]
        totals[other] = same if same <= limit else totals[other]
    elif totals[other] + worth[other] <= limit:
        totals[winner] = totals[other] + worth[other]
