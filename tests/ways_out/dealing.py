"""Turns dealt around a way out, and turns from play."""

from collections.abc import Iterator

import numpy as np

from kalooki_env import Game, Rules, agents
from kalooki_env.agents.base import LegalLists
from kalooki_env.cards import card_text
from kalooki_env.engine.layout import JOKER
from kalooki_env.errors import KalookiError


class Dealer:
    """Deals the cards of one position around a way out."""

    def __init__(self, rng: np.random.Generator, rules: Rules) -> None:
        self.rng, self.rules = rng, rules
        self.left = [rules.decks] * JOKER + [rules.jokers]
        self.hand: list[int] = []
        self.table: list[list] = []
        self.free = 0  # jokers that the turn will release

    def place(self, card: int, joker: float = 0.0) -> str | None:
        """Take a card, or a joker for it, from the pack: `*` and the card it stands for."""
        if self.free and self.rng.random() < 0.5:
            self.free -= 1
            return "free"
        if self.left[JOKER] and self.rng.random() < joker:
            self.left[JOKER] -= 1
            return "*"
        if not self.left[card]:
            return None
        self.left[card] -= 1
        return card_text(card)

    def meld(self, kind: str, joker: float, long: float = 0.35) -> list | None:
        """Make a meld: its kind, its cards and what is laid at each; None where the pack lacks one."""
        if kind == "set":
            rank, size = int(self.rng.integers(13)), 3 + (self.rng.random() < 0.4)
            cards = [s * 13 + rank for s in self.rng.permutation(4)[:size]]
        else:
            low = 1 if self.rules.ace == "both" else 2
            size = 3
            while self.rng.random() < long and size < 13:
                size += 1
            start = int(self.rng.integers(low, max(low, 15 - size) + 1))
            suit = int(self.rng.integers(4))
            cards = [suit * 13 + (p - 1) % 13 for p in range(start, min(start + size, 15))]
        before, free = self.left.copy(), self.free
        laid = [self.place(card, joker) for card in cards]
        if None in laid or not any(text not in ("*", "free") for text in laid) or len(laid) < 3:
            self.left, self.free = before, free
            return None
        return [kind, cards, laid]

    def add_table(self) -> None:
        made = self.meld(str(self.rng.choice(["set", "run"])), joker=0.12)
        if made:
            self.table.append(made)

    def add_meld(self, kind: str | None = None, least: int = 3) -> int:
        """Give the hand a meld; return how many cards it holds then more."""
        made = self.meld(kind or str(self.rng.choice(["set", "run"])), joker=0.08)
        if not made or len(made[1]) < least:
            return 0
        for card, text in zip(made[1], made[2], strict=True):
            if text != "free":
                self.hand.append(JOKER if text == "*" else card)
        return 1

    def add_lay_off(self) -> None:
        """Give the hand a card that fits the table, or one for a joker of it."""
        if not self.table:
            return
        kind, cards, laid = self.table[int(self.rng.integers(len(self.table)))]
        jokers = [k for k, text in enumerate(laid) if text == "*"]
        if kind == "run" and jokers and self.rng.random() < 0.6:
            card = cards[jokers[0]]
            if self.left[card]:
                self.left[card] -= 1
                self.hand.append(card)
                self.free += 1
            return
        if kind == "set":
            others = [
                s * 13 + cards[0] % 13 for s in range(4) if s * 13 + cards[0] % 13 not in cards
            ]
        else:
            others = [c for c in (cards[0] - 1, cards[-1] + 1)
                      if c // 13 == cards[0] // 13 and 0 <= c < JOKER]  # fmt: skip
        for card in others[:1]:
            if self.left[card]:
                self.left[card] -= 1
                self.hand.append(card)

    def texts(self) -> list[str]:
        """Write the table."""
        out = []
        for kind, cards, laid in self.table:
            if kind == "run":
                out.append(" ".join("*" + card_text(c) if text == "*" else text
                                    for c, text in zip(cards, laid, strict=True)))  # fmt: skip
            else:
                out.append(" ".join(laid))
        return out

    def draw(self, n: int) -> list[int]:
        """Take some cards that are left."""
        cards = [c for c in range(JOKER + 1) for _ in range(self.left[c])]
        return [int(c) for c in self.rng.permutation(cards)[:n]]


def dealt(rng: np.random.Generator, rules: Rules, seats: int, is_open: bool) -> Game | None:
    """Deal a turn that can probably be won; None where the cards did not come out."""
    dealer, deal = Dealer(rng, rules), 1
    for _ in range(int(rng.integers(6))):
        dealer.add_table()
    size = int(rng.integers(2, 13)) if is_open else int(rng.integers(10, 15))
    if rules.contracts:
        deal = int(rng.integers(1, 6))
        if not is_open:
            for letter in rules.contracts[deal - 1]:
                dealer.add_meld("set" if letter == "3" else "run", int(letter))
    for _ in range(40):
        room = size - 1 - len(dealer.hand)
        if room <= 0:
            break
        may_meld = not rules.contracts and (not is_open or rng.random() < 0.5)
        if room >= 3 and may_meld:
            dealer.add_meld()
        else:
            dealer.add_lay_off()
    dealer.hand += dealer.draw(1)
    for card in dealer.hand[-1:]:
        dealer.left[card] -= 1
    others = []
    for _ in range(seats - 1):
        cards = dealer.draw(int(rng.integers(2, 6)))
        for card in cards:
            dealer.left[card] -= 1
        others.append(" ".join(map(card_text, cards)))
    hand = [dealer.hand[k] for k in rng.permutation(len(dealer.hand))]
    position = {
        "rules": rules.name, "phase": "play", "deal": deal, "turn": 9, "table": dealer.texts(),
        "opened": [is_open] + [bool(dealer.table)] * (seats - 1),
    }  # fmt: skip
    if len(hand) > 1 and rng.random() < 0.4:
        position |= {"phase": "draw", "discards": card_text(hand.pop())}
    position["hands"] = [" ".join(map(card_text, hand)), *others]
    try:
        return Game.from_position(position, episode="deal")
    except KalookiError:
        return None


def played(rng: np.random.Generator, rules: Rules, seats: int) -> Iterator[Game]:
    """Yield turns of two quick players, at any move of theirs, one move in seven at random."""
    players = [agents.load(name) for name in ("heuristic:light", "greedy")]
    legal = LegalLists()
    while True:
        game = Game(rules, seats, seed=int(rng.integers(1 << 40)))
        for _ in range(600):
            if game.over:
                break
            choices, counts = legal(game.state, game.rules, np.zeros(1, np.int64))
            if game.phase in ("draw", "play") and rng.random() < 0.3:
                yield game.clone()
            if rng.random() < 0.15:
                game.play(int(choices[0, rng.integers(counts[0])]))
            else:
                game.play(players[game.to_move % 2].act(game, game.to_move))
