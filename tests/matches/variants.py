"""The matches that are played: every preset's, and some that knobs end or pay in another way."""

from typing import Any, NamedTuple

from kalooki_env import Rules

VARIANTS: dict[str, dict[str, Any]] = {
    "british": {"preset": "british"},
    "european": {"preset": "european"},
    "north_american": {"preset": "north_american"},
    "kalooki40": {"preset": "kalooki40"},
    "double_deck": {"preset": "double_deck"},
    "contract": {"preset": "contract"},
    "hunt51": {"preset": "hunt51"},
    "ring51": {"preset": "ring51"},
    "tournament51": {"preset": "tournament51"},
    "british, 5 deals": {"preset": "british", "deals": 5},
    "british, 3 buy-ins": {"preset": "british", "buy_ins": 3, "out_above": 80},
    "british, hands by seats": {
        "preset": "british",
        "hand_size": {2: 15, 3: 13, 4: 11, 5: 9},
        "announce": "manual",
    },
    "british, no limit, 3 deals": {"preset": "british", "out_above": None, "deals": 3},
    "north_american, 4 deals": {"preset": "north_american", "deals": 4},
    "kalooki40, 4 deals": {"preset": "kalooki40", "deals": 4, "initial": 7},
    "contract, 3 deals": {"preset": "contract", "deals": 3},
    "hunt51, 3 deals": {"preset": "hunt51", "deals": 3},
    "ring51, split25": {"preset": "ring51", "ring_payout": "split25"},
    "tournament51, points": {"preset": "tournament51", "match": "points"},
    "tournament51, points, 3 deals": {
        "preset": "tournament51",
        "match": "points",
        "target": None,
        "deals": 3,
    },
}
RANDOM = "random knobs"
"""Stands for a variant where the rules are drawn at random."""


class Part(NamedTuple):
    """Matches `first` ... `first + count - 1` of one variant; with the seed it decides them all."""

    variant: str
    rules: dict[str, Any]
    seats: tuple[int, ...]
    seed: int
    first: int
    count: int

    def repeat(self, number: int) -> str:
        """Return the command that plays one match again; of random rules the whole part."""
        way = f'--variants "{self.variant}" --first {number} --matches 1'
        if self.variant == RANDOM:
            way = f"--variants --knobs 1 --first {self.first}"
        seats = " ".join(map(str, self.seats))
        return f"python -m tests.matches {way} --seats {seats} --seed {self.seed}"


def seats_of(variant: str, wanted: list[int] | None = None) -> tuple[int, ...]:
    """Return the numbers of seats that a variant is played by, those wanted or all."""
    rules = Rules.from_value(VARIANTS[variant])
    every = range(rules.min_seats, rules.max_seats + 1)
    return tuple(seats for seats in every if wanted is None or seats in wanted)
