"""What a seat can know, by brute force: every deal that agrees with all it has seen.

Written from the rules alone. A world is the other hands and the cards of the stock; it weighs as
many deals and shuffles as lead to it. Hidden choices of others tell nothing here: what they show is
that they held the cards they played, and could end the turns that they began.
`python -m tests.oracle.belief` compares all that the engine says of hidden cards with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb, prod

World = tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]
"""The hands of all seats, sorted, an empty one for the observer; and the stock, sorted."""


class Belief:
    """Follow a game as one seat sees it.

    Args:
        seat: the observer.
        sizes: cards in each hand.
        unseen: the cards in the other hands and the stock, in any order.
        pile: the discard pile, bottom to top.
    """

    def __init__(self, seat: int, sizes: list[int], unseen: list[str], pile: list[str]) -> None:
        self.seat, self.pile = seat, list(pile)
        self.taken, self.laid, self.released = "", 0, 0
        self.certain: list[Counter[str]] = [Counter() for _ in sizes]
        """Cards that each seat took or released and can't have played since."""
        sizes = [0 if other == seat else size for other, size in enumerate(sizes)]
        self.worlds: Counter[World] = Counter()
        for hands, rest, weight in _dealt(Counter(unseen), sizes):
            self.worlds[hands, rest] += weight

    def move(self, seat: int, move: str, drawn: str) -> None:
        """Follow a move: its text, and the card drawn where the observer drew it itself."""
        word, *cards = move.split()
        cards = ["*" if card[0] == "*" else card for card in cards if card[0] != "@"]
        cards = [card for card in cards if card not in ("low", "high")]
        if word in ("draw", "take"):
            self.taken, self.laid, self.released = "", 0, 0
        if word == "draw":
            self._draw(seat, drawn)
        elif word == "take":
            self.taken = self.pile.pop()
            self._gain(seat, self.taken)
        elif word in ("meld", "add", "swap", "discard"):
            if word == "discard" and cards[0] == self.taken:
                self._keep(lambda hands: seat == self.seat or self.held_twin(hands[seat]))
            for card in cards:
                self._lose(seat, card)
                self.laid += card == self.taken
            if word == "swap":
                self._gain(seat, "*")
                self.released += self.taken == "*"
            if word == "discard":
                self.pile.append(cards[0])
                if cards[0] == self.taken:
                    # There were two; what was played since, this discard included, is gone.
                    least = 2 + self.released - self.laid
                    self.certain[seat][self.taken] = max(self.certain[seat][self.taken], least)

    def held_twin(self, hand: tuple[str, ...]) -> bool:
        """Tell whether a hand of the seat to move held a card like the taken one before the take."""
        return hand.count(self.taken) + self.laid - self.released >= 2

    def rebuild(self) -> None:
        """Follow a rebuild of the stock from all discards but the last."""
        *old, last = self.pile
        self.worlds = Counter(
            {(hands, tuple(sorted(old))): weight for (hands, _), weight in self.worlds.items()}
        )
        self.pile = [last]

    def shares(self, fits: Callable[[World], bool] = lambda world: True) -> dict[World, float]:
        """Return the probability of each world that fits."""
        worlds = {world: weight for world, weight in self.worlds.items() if fits(world)}
        whole = sum(worlds.values())
        return {world: weight / whole for world, weight in worlds.items()}

    def _keep(self, fits: Callable[[tuple], bool]) -> None:
        self.worlds = Counter({w: weight for w, weight in self.worlds.items() if fits(w[0])})

    def _draw(self, seat: int, drawn: str) -> None:
        worlds: Counter[World] = Counter()
        for (hands, stock), weight in self.worlds.items():
            for card, copies in Counter(stock).items():
                if seat == self.seat and card != drawn:
                    continue
                hand = () if seat == self.seat else (*hands[seat], card)
                worlds[_with(hands, seat, hand), _without(stock, card)] += weight * copies
        self.worlds = worlds

    def _gain(self, seat: int, card: str) -> None:
        self.certain[seat][card] += 1
        if seat != self.seat:
            self.worlds = Counter(
                {
                    (_with(hands, seat, (*hands[seat], card)), stock): weight
                    for (hands, stock), weight in self.worlds.items()
                }
            )

    def _lose(self, seat: int, card: str) -> None:
        self.certain[seat][card] = max(self.certain[seat][card] - 1, 0)
        if seat == self.seat:
            return
        worlds: Counter[World] = Counter()
        for (hands, stock), weight in self.worlds.items():
            if card in hands[seat]:
                worlds[_with(hands, seat, _without(hands[seat], card)), stock] += weight
        self.worlds = worlds


def _with(hands: tuple, seat: int, cards: tuple[str, ...]) -> tuple:
    return (*hands[:seat], tuple(sorted(cards)), *hands[seat + 1 :])


def _without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def _dealt(cards: Counter[str], sizes: list[int]) -> Iterator[tuple[tuple, tuple[str, ...], int]]:
    """Yield every way to give out cards by hand size, the cards that are left, and its weight."""
    if not sizes:
        yield (), tuple(sorted(cards.elements())), 1
        return
    for hand, weight in _hands(cards, sizes[0]):
        for others, rest, more in _dealt(cards - Counter(hand), sizes[1:]):
            yield (hand, *others), rest, weight * more


def _hands(cards: Counter[str], size: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield every hand of a size, sorted, and in how many ways it is dealt."""
    for hand in sorted(set(combinations(sorted(cards.elements()), size))):
        yield hand, prod(comb(cards[card], n) for card, n in Counter(hand).items())
