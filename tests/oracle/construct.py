"""Put positions together that play seldom reaches: jokers everywhere, limits used up, few cards left.

A position is built for a state that is wanted; what it is really in, `census` says.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

from . import census
from .cards import JOKER, card_at, full_pack, lowest_place, show_cards
from .melds import Meld, cards_text, full_set, make_set, missing_suits, points
from .rules import Rules
from .turn import laydowns


@dataclass
class Plan:
    """Say what the position should be like; what is None is left to chance."""

    drawing: bool = False
    opened: bool = True
    opening_turn: bool = False
    melds: int = 3
    laid: int = 0
    long_run: bool = False
    equal: bool = False
    used_up: bool = False
    closed: bool = False
    owed: int = 0
    taken: bool = False
    barred: bool = False
    last_card: bool = False
    hand: int = 5
    hand_jokers: int = 0
    joker_share: float = 0.15


def plan_for(wanted: str, rules: Rules, rng: random.Random) -> Plan:
    """Return a plan that should lead to the wanted state."""
    plan = Plan(
        melds=rng.randint(0, 6), hand=rng.choice((2, 2, 3, 3, 4, 5, 6, 8, 11)),
        hand_jokers=rng.choice((0, 0, 1, 1, 2)), joker_share=rng.choice((0.05, 0.15, 0.4)),
        drawing=rng.random() < 0.25, opened=rng.random() < 0.7, taken=rng.random() < 0.3,
        long_run=rng.random() < 0.1, equal=rng.random() < 0.1, used_up=rng.random() < 0.2,
        barred=rules.announce != "off" and rng.random() < 0.1, last_card=rng.random() < 0.1,
        laid=rng.choice((0, 0, 0, 1, 2)), opening_turn=rng.random() < 0.25,
    )
    if wanted in (census.HALF_OPEN, census.DUTY):
        plan.opened, plan.drawing, plan.used_up = False, rng.random() < 0.2, False
        plan.taken = wanted == census.DUTY or rng.random() < 0.4
        plan.laid = rng.choice((1, 1, 2, 3)) if wanted == census.HALF_OPEN else plan.laid
    elif wanted in (census.OWED_1, census.OWED_2):
        plan.opened, plan.drawing = True, False
        plan.owed = 1 if wanted == census.OWED_1 else rng.choice((2, 2, 2, 3))
        plan.melds = max(plan.melds, 1)
        if rng.random() < 0.4:
            _cramp(plan, rng)
    elif wanted in (census.SWAP_REFUSED, census.DELAYED):
        plan.drawing = False
        _cramp(plan, rng)
        if wanted == census.DELAYED:
            plan.closed = plan.used_up = True
            plan.laid, plan.barred, plan.taken = rng.choice((0, 0, 0, 1)), rng.random() < 0.1, False
    elif wanted == census.BARRED:
        plan.barred, plan.hand = True, rng.choice((1, 2, 2, 3, 3, 3, 4))
    elif wanted == census.LAST_CARD:
        plan.last_card = True
    elif wanted == census.TWO_JOKERS:
        plan.opened, plan.hand_jokers = False, rng.choice((2, 2, 2, 3, 4))
        plan.joker_share = 0.0
    elif wanted == census.LONG_RUN:
        plan.long_run = True
    elif wanted == census.EQUAL:
        plan.equal, plan.melds = True, max(plan.melds, 1)
    elif wanted == census.LAYOFF_LIMIT:
        plan.opened, plan.drawing, plan.used_up = True, False, True
        plan.melds = max(plan.melds, 1)
    elif wanted == census.MELD_LIMIT:
        plan.opened, plan.drawing, plan.opening_turn = True, False, False
        plan.laid, plan.hand = rng.choice((1, 1, 2)), rng.choice((4, 5, 6, 8, 11))
    return plan


def _cramp(plan: Plan, rng: random.Random) -> None:
    """Leave little room: few cards in hand, jokers on the table, limits used up."""
    plan.opened, plan.opening_turn, plan.used_up = True, False, rng.random() < 0.8
    plan.melds, plan.laid = rng.choice((1, 1, 2, 3)), rng.choice((0, 0, 1, 1, 2))
    plan.hand, plan.hand_jokers, plan.joker_share = rng.choice((2, 3, 4, 4, 5)), 0, 0.4


class Builder:
    """Build one position from a plan, card by card from a full pack."""

    def __init__(self, rules: Rules, seats: int, plan: Plan, rng: random.Random) -> None:
        self.rules, self.seats, self.plan, self.rng = rules, seats, plan, rng
        self.left = Counter(full_pack(rules))
        self.table: list[Meld] = []
        self.hand: list[int] = []

    # -- cards ---------------------------------------------------------------------------------

    def _have(self, cards: list[int]) -> bool:
        return all(self.left[card] >= count for card, count in Counter(cards).items())

    def _take(self, cards: list[int]) -> None:
        self.left.subtract(cards)

    def _any_card(self) -> int | None:
        cards = list(self.left.elements())
        return self.rng.choice(cards) if cards else None

    # -- melds ---------------------------------------------------------------------------------

    def _some_run(self, length: int, share: float) -> Meld | None:
        """Return a run of cards that are left, jokers by chance and where a card is missing."""
        bottom = lowest_place(self.rules)
        length = min(length, 15 - bottom)
        suit = self.rng.randrange(self.rules.suits)
        low = self.rng.randint(bottom, 15 - length)
        cards: list[int] = []
        jokers = self.left[JOKER]
        for place in range(low, low + length):
            card = card_at(suit, place)
            free = self.left[card] > cards.count(card)
            if not free or (jokers and self.rng.random() < share):
                jokers, card = jokers - 1, JOKER
            cards.append(card)
        if jokers < 0 or cards.count(JOKER) == len(cards):
            return None
        return Meld("run", suit, low, tuple(cards))

    def _some_set(self, size: int, share: float) -> Meld | None:
        """Return a set of cards that are left, jokers by chance."""
        size = min(size, full_set(self.rules))
        rank = self.rng.randrange(13)
        held = [
            suit * 13 + rank for suit in range(self.rules.suits) if self.left[suit * 13 + rank]
        ]
        jokers = sum(
            self.rng.random() < share for _ in range(min(self.left[JOKER], size - 1))
        )
        if len(held) < size - jokers:
            return None
        return make_set(rank, tuple(self.rng.sample(held, size - jokers)), jokers)

    def some_meld(self, share: float, long_run: bool = False) -> Meld | None:
        """Return a meld of cards that are left; None if the attempt fails."""
        if long_run:
            return self._some_run(self.rng.choice((12, 12, 13, 13, 14)), share)
        if self.rng.random() < 0.6:
            return self._some_run(self.rng.choice((3, 3, 3, 4, 4, 5, 6, 8, 10)), share)
        return self._some_set(self.rng.choice((3, 3, 3, 4)), share)

    def _put_on_table(self, meld: Meld | None) -> bool:
        if meld is None or not self._have(list(meld.cards)):
            return False
        self._take(list(meld.cards))
        self.table.append(meld)
        return True

    def lay_table(self) -> None:
        """Lay the melds of earlier turns, then those of this turn."""
        plan = self.plan
        if plan.long_run:
            self._put_on_table(self.some_meld(plan.joker_share, long_run=True))
        if plan.closed:
            plan.melds = self.rng.choice((0, 0, 0, 1))
            for _ in range(10):
                run = self._some_run(self.rng.choice((7, 7, 8, 10, 13)), 0.3)
                if run is not None and run.cards.count(JOKER) > 1 and self._put_on_table(run):
                    break
        for _ in range(plan.melds):
            self._put_on_table(self.some_meld(plan.joker_share))
        if plan.equal and self.table:
            self._put_on_table(self.rng.choice(self.table))
        if plan.drawing:
            return
        for _ in range(plan.laid):
            self._lay_this_turn()

    def _lay_this_turn(self) -> None:
        """Lay one meld of this turn, as far as limit, contract and opening allow it."""
        plan, rules = self.plan, self.rules
        laid = [meld for meld in self.table if meld.laid]
        meld = self.some_meld(plan.joker_share)
        if laid and self.rng.random() < 0.5:
            meld = self._beside(self.rng.choice(laid)) or meld
        if meld is None or len(meld.cards) > 13:
            return
        meld = meld._replace(laid=True)
        was_open = plan.opened and not plan.opening_turn
        limit = rules.melds_per_turn
        if was_open and limit is not None and laydowns((*self.table, meld)) > limit:
            return
        if not was_open and rules.contracts is not None:
            return  # see `lay_contract`
        self._put_on_table(meld)

    def _beside(self, meld: Meld) -> Meld | None:
        """Return a run directly above or below another."""
        if meld.kind != "run":
            return None
        length = self.rng.choice((3, 3, 4))
        low = meld.high + 1 if self.rng.random() < 0.5 else meld.low - length
        if low < lowest_place(self.rules) or low + length - 1 > 14:
            return None
        cards = [card_at(meld.suit, place) for place in range(low, low + length)]
        if self.left[JOKER] and self.rng.random() < 0.3:
            cards[self.rng.randrange(length)] = JOKER
        return Meld("run", meld.suit, low, tuple(cards)) if self._have(cards) else None

    def lay_contract(self, contract: str, whole: bool) -> None:
        """Lay melds of the contract this turn, all of them or some; the rest goes to the hand."""
        kinds = list(contract)
        self.rng.shuffle(kinds)
        count = len(kinds) if whole else self.rng.randrange(len(kinds))
        used: set[tuple[str, int]] = set()
        for number, kind in enumerate(kinds):
            for _ in range(20):
                share = 0.15 if number < count else 0.25
                if kind == "3":
                    meld = self._some_set(self.rng.choice((3, 3, 4)), share)
                else:
                    meld = self._some_run(self.rng.choice((4, 4, 5)), share)
                key = meld and (meld.kind, meld.low if kind == "3" else meld.suit)
                if meld is None or key in used:
                    continue
                used.add(key)
                if number < count:
                    self._put_on_table(meld._replace(laid=True))
                else:
                    self._take(list(meld.cards))
                    self.hand += meld.cards
                break

    def count_layoffs(self) -> None:
        """Declare cards at the ends of melds as laid off this turn, within the limit."""
        limit, scope = self.rules.layoff_limit, self.rules.layoff_scope
        most = 2 if limit is None else limit
        in_all = most if scope == "turn" and limit is not None else 99
        before = laydowns(tuple(self.table))
        for index, meld in enumerate(self.table):
            room = len(meld.cards) - 3
            if meld.kind == "set":
                if room and in_all and self.rng.random() < 0.5:
                    self.table[index], in_all = meld._replace(added_low=1), in_all - 1
                continue
            here = most if scope == "meld" and limit is not None else 99
            ends = {"added_low": 0, "added_high": 0}
            for end in self.rng.sample(sorted(ends), 2):
                count = min(room, most, here, in_all)
                if self.rng.random() < (0.05 if self.plan.closed else 0.3):
                    count = self.rng.randint(0, count)
                ends[end] = count
                room, here, in_all = room - count, here - count, in_all - count
            first = meld.cards[ends["added_low"]:len(meld.cards) - ends["added_high"]]
            if all(card == JOKER for card in first):
                continue
            self.table[index] = meld._replace(**ends)
            if laydowns(tuple(self.table)) > before:
                self.table[index] = meld  # it would not have joined another as it was laid

    # -- the hand ------------------------------------------------------------------------------

    def fitting(self) -> list[int]:
        """List the natural cards that could be laid off or swapped on the table."""
        bottom, found = lowest_place(self.rules), []
        for meld in self.table:
            if meld.kind == "set":
                if len(meld.cards) == 3:
                    suits = missing_suits(meld, self.rules)
                    found += [suit * 13 + meld.low for suit in suits]
                continue
            places = [meld.low - 2, meld.low - 1, meld.high + 1, meld.high + 2]
            places += [
                place for place, card in enumerate(meld.cards, meld.low) if card == JOKER
            ] * 2
            found += [card_at(meld.suit, p) for p in places if bottom <= p <= 14]
        return found

    def deal_hand(self) -> None:
        """Fill the hand of the seat to move: jokers, cards that fit, melds, anything."""
        plan = self.plan
        jokers = min(max(plan.hand_jokers, plan.owed), self.left[JOKER])
        self._into_hand([JOKER] * jokers)
        size = plan.hand
        if plan.closed:
            for meld in self.table:
                self._into_hand([
                    card_at(meld.suit, place) for place, card in enumerate(meld.cards, meld.low)
                    if meld.kind == "run" and card == JOKER
                ])
            size = len(self.hand) + self.rng.choice((1, 2, 2, 3))
        if not plan.opened:
            size = max(size, self.rng.choice((6, 8, 10, 12, 14)))
        fitting = self.fitting()
        while len(self.hand) < size:
            chance = self.rng.random()
            if chance < (0.35 if plan.opened else 0.05) and fitting and not plan.closed:
                self._into_hand([self.rng.choice(fitting)])
            elif chance < (0.55 if plan.opened else 0.85) and not plan.closed:
                self._meld_into_hand()
            else:
                card = self._any_card()
                if card is None:
                    return
                self._into_hand([card])

    def _into_hand(self, cards: list[int]) -> None:
        if self._have(cards):
            self._take(cards)
            self.hand += cards

    def _meld_into_hand(self) -> None:
        """Put a meld in the hand, or all but a card of it for which a joker may stand."""
        meld = self.some_meld(0.1)
        laid = [other for other in self.table if other.laid]
        if laid and self.rng.random() < 0.4:
            meld = self._beside(self.rng.choice(laid)) or meld
        if meld is None:
            return
        cards = list(meld.cards)
        if self.rng.random() < 0.5 and len(cards) > 2:
            cards.remove(self.rng.choice(cards))
        self._into_hand(cards)

    def choose_taken(self) -> tuple[int, bool] | None:
        """Choose a card of the hand, or of a meld laid this turn, as taken; and whether a twin was held."""
        laid = [card for meld in self.table if meld.laid for card in meld.cards]
        card = self.rng.choice(self.hand + (laid if self.rng.random() < 0.3 else []))
        count = (self.hand + laid).count(card)
        if card == JOKER:
            count -= self.plan.owed
            if count < 1:
                return None
        return card, count > 1


def build(
    wanted: str, rules_value: Any, rules: Rules, seats: int, rng: random.Random
) -> dict[str, Any] | None:
    """Return a position mapping built for the wanted state, None where the attempt fails."""
    plan = plan_for(wanted, rules, rng)
    builder = Builder(rules, seats, plan, rng)
    deal = rng.randint(1, len(rules.contracts)) if rules.contracts else 1
    if rules.contracts and not plan.opened and plan.hand_jokers > 1:
        builder._into_hand([JOKER] * min(plan.hand_jokers, builder.left[JOKER]))
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
        "rules": rules_value, "hands": hands, "to_move": seat,
        "phase": "draw" if plan.drawing else "play", "opened": opened,
        "turn": rng.randint(seats + 1, 60), "barred": barred,
        "table": [cards_text(meld) for meld in builder.table],
        "discards": show_cards(discards), "stock": show_cards(stock),
        "rebuilds": rng.randint(0, 1 if rules.max_rebuilds is None else rules.max_rebuilds),
        "deal": deal, "dealer": rng.randrange(seats), **_books(rules, seats, rng), **turn_mapping,
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
        "added": added, "swaps": min(swaps, 4), "owed": plan.owed,
    }


def _other_hands(builder: Builder) -> list[str]:
    hands = []
    for _ in range(builder.seats):
        cards = list(builder.left.elements())
        count = builder.rng.choice((1, 2, 3, 3, 5, 8, 13))
        cards = builder.rng.sample(cards, min(count, max(len(cards) // 3, 1), len(cards)))
        builder._take(cards)
        hands.append(show_cards(cards))
    return hands


def _piles(builder: Builder, taken: bool) -> tuple[list[int], list[int]]:
    """Divide what is left; the pile may be empty only after a take."""
    cards = list(builder.left.elements())
    builder.rng.shuffle(cards)
    if builder.plan.last_card:
        rest = 1 if builder.plan.drawing else 0
        return cards[rest:], cards[:rest]
    fewest = 0 if taken else 1
    cut = builder.rng.randint(min(fewest, len(cards)), max(len(cards) - 1, 0))
    return cards[:cut], cards[cut:]


def _books(rules: Rules, seats: int, rng: random.Random) -> dict[str, Any]:
    """Draw totals and buy-ins before the deal."""
    top = {"pool": 150, "elimination": 150, "ring": 0}.get(rules.match, (rules.target or 120) - 1)
    return {
        "totals": [rng.randint(top // 2, top) for _ in range(seats)],
        "buy_ins": [rng.randint(0, rules.buy_ins) for _ in range(seats)],
    }
