"""Put positions together that play seldom reaches: jokers everywhere, limits used up, few cards left.

A position is built for a state that is wanted; what it is really in, `census` says.
"""

from __future__ import annotations

import random
from typing import Any

from .building import Builder
from .cards import JOKER, show_cards
from .melds import Meld, cards_text, points
from .plans import plan_for
from .rules import Rules


def build(
    wanted: str, rules_value: Any, rules: Rules, seats: int, rng: random.Random
) -> dict[str, Any] | None:
    """Return a position mapping built for the wanted state, None where the attempt fails."""
    plan = plan_for(wanted, rules, rng)
    builder = Builder(rules, seats, plan, rng)
    deal = rng.randint(1, len(rules.contracts)) if rules.contracts else 1
    if rules.contracts and not plan.opened and plan.hand_jokers > 1:
        builder.into_hand([JOKER] * min(plan.hand_jokers, builder.left[JOKER]))
        plan.hand_jokers = 0
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


def _opened_by(laid: list[Meld], rules: Rules, deal: int) -> bool:
    if rules.contracts is not None:
        return len(laid) == len(rules.contracts[deal - 1])
    return bool(laid) and sum(points(meld, rules) for meld in laid) >= rules.opening_points


def _mapping(builder: Builder, rules_value: Any, deal: int) -> dict[str, Any] | None:
    plan, rng, rules, seats = builder.plan, builder.rng, builder.rules, builder.seats
    seat = rng.randrange(seats)
    hands, opened = _other_hands(builder), [rng.random() < 0.5 for _ in range(seats)]
    hands[seat], opened[seat] = show_cards(builder.hand), plan.opened
    taken = None if plan.drawing or not plan.taken else builder.choose_taken()
    turn_mapping: dict[str, Any] = {}
    if not plan.drawing:
        if taken and not plan.opened and rules.discard_before_opening == "never":
            taken = None
        if taken and plan.opened and plan.opening_turn and not _taken_was_used(builder, taken[0]):
            taken = None
        turn_mapping = _turn(builder, taken)
    if not any(opened) and any(not meld.laid for meld in builder.table):
        opened[(seat + 1) % seats] = True
    discards, stock = _piles(builder, bool(taken))
    if plan.drawing and not stock:
        return None
    barred = [rng.random() < 0.1 and len(hand.split()) <= 3 for hand in hands]
    barred = barred if rules.announce == "manual" else [False] * seats
    barred[seat] = plan.barred
    return {
        "rules": rules_value,
        "hands": hands,
        "to_move": seat,
        "phase": "draw" if plan.drawing else "play",
        "opened": opened,
        "turn": rng.randint(seats + 1, 60),
        "barred": barred,
        "table": [cards_text(meld) for meld in builder.table],
        "discards": show_cards(discards),
        "stock": show_cards(stock),
        "rebuilds": rng.randint(0, 1 if rules.max_rebuilds is None else rules.max_rebuilds),
        "deal": deal,
        "dealer": rng.randrange(seats),
        **_books(rules, seats, rng),
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


def _other_hands(builder: Builder) -> list[str]:
    hands = []
    for _ in range(builder.seats):
        cards = list(builder.left.elements())
        count = builder.rng.choice((1, 2, 3, 3, 5, 8, 13))
        cards = builder.rng.sample(cards, min(count, max(len(cards) // 3, 1), len(cards)))
        builder.take(cards)
        hands.append(show_cards(cards))
    return hands


def _piles(builder: Builder, taken: bool) -> tuple[list[int], list[int]]:
    """Divide what is left; the pile may be empty only after a take."""
    cards = list(builder.left.elements())
    builder.rng.shuffle(cards)
    if builder.plan.last_card:
        rest = 1 if builder.plan.drawing else 0
        return cards[rest:], cards[:rest]
    fewest = min(0 if taken else 1, len(cards))
    cut = builder.rng.randint(fewest, max(len(cards) - 1, fewest))
    return cards[:cut], cards[cut:]


def _books(rules: Rules, seats: int, rng: random.Random) -> dict[str, Any]:
    """Draw totals and buy-ins before the deal."""
    top = {"pool": 150, "elimination": 150, "ring": 0}.get(rules.match, (rules.target or 120) - 1)
    return {
        "totals": [rng.randint(top // 2, top) for _ in range(seats)],
        "buy_ins": [rng.randint(0, rules.buy_ins) for _ in range(seats)],
    }
