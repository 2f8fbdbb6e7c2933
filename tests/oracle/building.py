"""Build a position card by card from a full pack: table, lay-offs, hand."""

from __future__ import annotations

import random
from collections import Counter

from .cards import JOKER, card_at, full_pack, lowest_place
from .census import CLOSED_SET, SET_SWAP, TWO_JOKER_SET
from .melds import Meld, full_set, make_set, missing_suits
from .plans import Plan
from .rules import Rules
from .turn import laydowns

_SETS = {TWO_JOKER_SET: (3, 1.0), SET_SWAP: (3, 0.5), CLOSED_SET: (4, 0.4)}
"""Size and share of jokers of a set that a plan asks for."""


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

    def take(self, cards: list[int]) -> None:
        """Take cards out of what is left."""
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
        if size < 3:
            return None
        rank = self.rng.randrange(13)
        held = [suit * 13 + rank for suit in range(self.rules.suits) if self.left[suit * 13 + rank]]
        jokers = sum(self.rng.random() < share for _ in range(min(self.left[JOKER], size - 1)))
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
        self.take(list(meld.cards))
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
                # Where one joker was released already, one more is enough.
                few = run is None or run.cards.count(JOKER) < (1 if plan.owed else 2)
                if not few and self._put_on_table(run):
                    break
        if plan.special_set:
            self._lay_special_set()
        for _ in range(plan.melds):
            self._put_on_table(self.some_meld(plan.joker_share))
        if plan.equal and self.table:
            self._put_on_table(self.rng.choice(self.table))
        if plan.drawing:
            return
        for _ in range(plan.laid):
            self._lay_this_turn()

    def _lay_special_set(self) -> None:
        """Lay a set of three with two jokers, one of three with some, or one of four with some."""
        size, share = _SETS[self.plan.special_set]
        for _ in range(20):
            meld = self._some_set(size, share)
            if meld is not None and JOKER in meld.cards and self._put_on_table(meld):
                return

    def _lay_this_turn(self) -> None:
        """Lay one meld of this turn, as far as limit, contract and opening allow it."""
        plan, rules = self.plan, self.rules
        laid = [meld for meld in self.table if meld.laid]
        meld = self._some_run(3, 0.1) if plan.chain else self.some_meld(plan.joker_share)
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
                    self.take(list(meld.cards))
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
            first = meld.cards[ends["added_low"] : len(meld.cards) - ends["added_high"]]
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
        jokers = plan.hand_jokers - self.hand.count(JOKER)
        self.into_hand([JOKER] * min(max(jokers, 0), self.left[JOKER]))
        size = plan.hand
        if plan.closed:
            self._naturals_of_jokers_into_hand()
            size = len(self.hand) + self.rng.choice((1, 2, 2, 3))
        if not plan.opened:
            size = max(size, self.rng.choice((6, 8, 10, 12, 14)))
        if plan.pairs:
            self._pairs_into_hand()
        if plan.chain:
            self._chain_into_hand()
        fitting = self.fitting()
        exact = plan.announcing or plan.deciding
        while len(self.hand) < size:
            chance = self.rng.random()
            if chance < (0.35 if plan.opened else 0.05) and fitting and not plan.closed:
                self.into_hand([self.rng.choice(fitting)])
            elif chance < (0.55 if plan.opened else 0.85) and not plan.closed and not exact:
                self._meld_into_hand()
            else:
                card = self._any_card()
                if card is None:
                    return
                self.into_hand([card])

    def _naturals_of_jokers_into_hand(self) -> None:
        """Put into the hand what the jokers of runs stand for, or just one such card."""
        found = [
            [card_at(meld.suit, place)]
            for meld in self.table
            for place, card in enumerate(meld.cards, meld.low)
            if meld.kind == "run" and card == JOKER
        ]
        for cards in found[:1] if self.plan.lone else found:
            self.into_hand(cards)

    def _chain_into_hand(self) -> None:
        """Put into the hand a run that joins one laid this turn."""
        for meld in self.table:
            beside = self._beside(meld) if meld.laid else None
            if beside is not None:
                self.into_hand(list(beside.cards))

    def _pairs_into_hand(self) -> None:
        """Put into the hand both suits that sets of three with a joker miss."""
        for meld in self.table:
            if meld.kind == "set" and len(meld.cards) == 3 and JOKER in meld.cards:
                suits = missing_suits(meld, self.rules)
                pair = self.rng.sample(suits, min(2, len(suits)))
                self.into_hand([suit * 13 + meld.low for suit in pair])

    def into_hand(self, cards: list[int]) -> None:
        """Put cards into the hand of the seat to move, if all of them are left."""
        if self._have(cards):
            self.take(cards)
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
        self.into_hand(cards)

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
