"""Who sits where: every entrant plays every deal of the cards from every seat."""

from itertools import permutations

import numpy as np

from kalooki_env.errors import RulesError


def seating(entrants: int, seats: int) -> np.ndarray:
    """Return int8[orders, seats, seats]: the entrant in each seat, by order and rotation.

    The entrants take a seat each, and the last of them the seats that are left. In rotation `r` the
    first sits in seat `r` and the others behind it in an order around the table; the deals of the
    cards take all different orders in turn, so that nobody always sits behind the same neighbour.

    Raises:
        RulesError: fewer than two entrants, or more than seats.
    """
    if not 2 <= entrants <= seats:
        some = "2" if seats == 2 else f"2-{seats}"
        raise RulesError(
            f"expected {some} agents for {seats} seats, got {entrants}: add seats, or let a ladder play "
            "every pair"
        )
    others = [min(k, entrants - 1) for k in range(1, seats)]
    orders = [(0, *order) for order in sorted(set(permutations(others)))]
    return np.array([[np.roll(order, turn) for turn in range(seats)] for order in orders], np.int8)
