"""What a seat can know, by brute force: every deal that agrees with all it has seen.

Written from the rules alone. A world is the other hands and the stock in order; it weighs as many
deals and shuffles as lead to it. Hidden choices of others tell nothing here: what they show is that
they held the cards they played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations

World = tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]
"""The hands of all seats, sorted, an empty one for the observer; and the stock, next card first."""


class Belief:
    """Follow a game as one seat sees it.

    Args:
        seat: the observer.
        hand: its cards.
        sizes: cards in each hand.
        unseen: the cards in the other hands and the stock, in any order.
        pile: the discard pile, bottom to top.
    """

    def __init__(
        self, seat: int, hand: list[str], sizes: list[int], unseen: list[str], pile: list[str]
    ) -> None:
        self.seat, self.pile = seat, list(pile)
        sizes = [0 if other == seat else size for other, size in enumerate(sizes)]
        self.worlds: Counter[World] = Counter()
        for hands, rest in _dealt(tuple(range(len(unseen))), sizes):
            named = tuple(tuple(sorted(unseen[k] for k in cards)) for cards in hands)
            for order in permutations(rest):
                self.worlds[named, tuple(unseen[k] for k in order)] += 1

    def move(self, seat: int, move: str, drawn: str) -> None:
        """Follow a move: its text, and the card drawn where the observer drew it itself."""
        word, *cards = move.split()
        cards = ["*" if card[0] == "*" else card for card in cards if card[0] != "@"]
        if word == "draw":
            self._draw(seat, drawn)
        elif word == "take":
            self._gain(seat, self.pile.pop())
        elif word in ("meld", "add", "swap", "discard"):
            for card in cards:
                if card not in ("low", "high"):
                    self._lose(seat, card)
            if word == "swap":
                self._gain(seat, "*")
            if word == "discard":
                self.pile.append(cards[0])

    def rebuild(self) -> None:
        """Follow a rebuild of the stock from all discards but the last."""
        *old, last = self.pile
        worlds: Counter[World] = Counter()
        for (hands, stock), weight in self.worlds.items():
            assert not stock
            for order in permutations(old):
                worlds[hands, order] += weight
        self.worlds, self.pile = worlds, [last]

    def shares(self) -> dict[World, float]:
        """Return the probability of each world."""
        whole = sum(self.worlds.values())
        return {world: weight / whole for world, weight in self.worlds.items()}

    def _draw(self, seat: int, drawn: str) -> None:
        worlds: Counter[World] = Counter()
        for (hands, stock), weight in self.worlds.items():
            if seat != self.seat:
                worlds[_with(hands, seat, (*hands[seat], stock[0])), stock[1:]] += weight
            elif stock[0] == drawn:
                worlds[hands, stock[1:]] += weight
        self.worlds = worlds

    def _gain(self, seat: int, card: str) -> None:
        if seat == self.seat:
            return
        worlds: Counter[World] = Counter()
        for (hands, stock), weight in self.worlds.items():
            worlds[_with(hands, seat, (*hands[seat], card)), stock] += weight
        self.worlds = worlds

    def _lose(self, seat: int, card: str) -> None:
        if seat == self.seat:
            return
        worlds: Counter[World] = Counter()
        for (hands, stock), weight in self.worlds.items():
            if card in hands[seat]:
                left = list(hands[seat])
                left.remove(card)
                worlds[_with(hands, seat, tuple(left)), stock] += weight
        self.worlds = worlds


def _with(hands: tuple, seat: int, cards: tuple[str, ...]) -> tuple:
    return (*hands[:seat], tuple(sorted(cards)), *hands[seat + 1 :])


def _dealt(
    cards: tuple[int, ...], sizes: list[int]
) -> Iterator[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]]:
    """Yield every way to give out cards by hand size, with those that are left."""
    if not sizes:
        yield (), cards
        return
    for hand in combinations(cards, sizes[0]):
        left = tuple(card for card in cards if card not in hand)
        for others, rest in _dealt(left, sizes[1:]):
            yield (hand, *others), rest
