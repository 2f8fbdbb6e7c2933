"""The best value of disjoint runs in a suit, for every multiset of its cards: the solver's table.

A multiset of one suit (two packs: 13 counts of 0..2) is a number in base 3, its code. The highest
card of a multiset is either in no run, and then the table of the rest holds, or it is the highest
natural card of one. So the table grows with the highest card, each time by whole blocks of codes,
in NumPy: compiling a loop would take longer than the loop saves.

Why the table is exact: a run of six or more cards is worth the same as two runs, unless one of the
two would be jokers alone; so runs of three to five cards, and up to seven with three or four
jokers, are enough.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

MAX_JOKERS = 4
LONGEST = 7

# The ace is the highest digit, so that the highest card of a multiset is the highest digit of its code.
CODE_WEIGHT = np.array([3**12] + [3**r for r in range(12)], dtype=np.int64)
CODES = 3**13

Run = tuple[tuple[int, ...], tuple[int, ...]]
"""The places (1 to 14, the ace at both ends) of a run's natural cards and of its jokers."""


def _runs(highest: int, low_position: int) -> Iterator[Run]:
    """List the runs whose highest natural card stands at `highest`.

    A natural ace is the highest card of its multiset wherever it stands: of a run that begins with
    it, it is the "highest", and the other cards lie above it.
    """
    for length in range(3, LONGEST + 1):
        if highest == 1:
            yield from _completions(1, range(2, length + 1), ())
            continue
        for jokers_above in range(length):
            low = highest - (length - 1 - jokers_above)
            if low >= low_position and highest + jokers_above <= 14:
                above = tuple(range(highest + 1, highest + jokers_above + 1))
                yield from _completions(highest, range(low, highest), above)


def _completions(highest: int, others: range, above: tuple[int, ...]) -> Iterator[Run]:
    """List the runs of a card, jokers above it, and at the other places either kind."""
    length = 1 + len(others) + len(above)
    for chosen in range(1 << len(others)):
        held = [place for k, place in enumerate(others) if chosen >> k & 1]
        jokers = tuple(place for place in others if place not in held) + above
        # A natural ace below others is a run that begins with the ace.
        if 1 not in held and len(jokers) <= MAX_JOKERS and (length <= 5 or len(jokers) >= 3):
            yield (highest, *held), jokers


def run_table(
    natural_value: np.ndarray, joker_value: np.ndarray, low_position: int, jokers: int
) -> np.ndarray:
    """Build the table of one value, in a fraction of a second.

    Args:
        natural_value: int64[15], the value of a card of a run by its place.
        joker_value: int64[15], that of a joker by the place it stands for.
        low_position: the lowest place of a run: 1 if it may begin with an ace, else 2.
        jokers: the most jokers of a hand.

    Returns:
        uint16[3**13, jokers + 1]: the best value by code and jokers held.
    """
    # An axis for the jokers, and one a rank, the ace first, then the king down to the two: the
    # digits of the code.
    table = np.zeros((jokers + 1,) + (3,) * 13, dtype=np.uint16)
    values = natural_value, joker_value
    for highest in range(2, 15):
        higher = (0,) * (14 - highest)
        runs = list(_runs(highest, low_position))
        for copies in (1, 2):
            block = table[(slice(None), *higher, copies)]
            rest = table[(slice(None), *higher, copies - 1)]
            block[...] = rest
            _raise(block, rest, runs, range(highest - 1, 1, -1), values)
            if highest == 14 and low_position == 1:
                # The low ranks first: what is sliced should be the outer axes.
                turned, turned_rest = _turned(block).copy(), _turned(rest).copy()
                _raise(turned, turned_rest, _runs(1, low_position), range(2, 14), values)
                block[...] = _turned(turned)
    return np.ascontiguousarray(table.reshape(jokers + 1, CODES).T)


def _raise(
    block: np.ndarray,
    rest: np.ndarray,
    runs: Iterable[Run],
    places: Sequence[int],
    values: tuple[np.ndarray, np.ndarray],
) -> None:
    """Raise a block by what runs with its highest card are worth, beside the rest.

    Args:
        block: uint16[jokers + 1, 3, ..., 3], an axis for each of `places`.
        rest: the same without one copy of the highest card.
        runs: the runs, all with that card.
        places: of the other cards.
        values: of natural cards and of jokers, by place.
    """
    jokers = block.shape[0] - 1
    room = np.empty(block.size, dtype=np.uint16)
    for natural, stand_ins in runs:
        used = len(stand_ins)
        if used <= jokers:
            worth = values[0][list(natural)].sum() + values[1][list(stand_ins)].sum()
            taken = [place in natural for place in places]
            with_them = tuple(slice(1, None) if one else slice(None) for one in taken)
            without = tuple(slice(None, -1) if one else slice(None) for one in taken)
            better = block[(slice(used, None), *with_them)]
            left = rest[(slice(None, jokers + 1 - used), *without)]
            raised = np.add(left, np.uint16(worth), out=room[: left.size].reshape(left.shape))
            np.maximum(better, raised, out=better)


def _turned(block: np.ndarray) -> np.ndarray:
    """Return a view with the axes of the cards the other way round."""
    return block.transpose(0, *range(block.ndim - 1, 0, -1))
