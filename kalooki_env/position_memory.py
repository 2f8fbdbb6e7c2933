"""What everybody has seen of the turn in which a position stands: the memory that follows from it.

What was seen in earlier turns a position does not tell, but for the last discard.
"""

import numpy as np

from kalooki_env.engine import layout as L


def see_turn(g: np.void) -> None:
    """Fill what seats remember of the turn of a game (a GAME record) that was read."""
    if g["phase"] == L.PLAY:
        _see_hand(g, int(g["to_move"]))
    if g["phase"] in (L.DRAW, L.PLAY, L.ANNOUNCE):
        _see_pile(g, int(g["to_move"]))


def _see_hand(g: np.void, seat: int) -> None:
    """The taken card, unless it was laid, and the jokers that are owed are known to be in the hand.

    Where the position leaves open how many jokers were laid, no more is known than is certain.
    """
    held, card = g["hand"][seat], int(g["taken"])
    g["known"][seat, L.JOKER] = min(int(g["owed"]), int(held[L.JOKER]))
    if card == L.NO_CARD:
        return
    # Cards equal to the taken one that were in the hand right after the take, less those in it now.
    gone = 1 + int(g["taken_twin"]) - int(held[card])
    released = int(g["swaps"]) if card == L.JOKER else 0
    if card == L.JOKER and g["taken_twin"]:
        gone = max(gone, _most_jokers_laid(g) - released)
    g["taken_laid"] = min(max(gone + released, 0), L.MAX_CARDS)
    known = max(1 - gone, int(g["known"][seat, card]))
    g["known"][seat, card] = min(known, int(held[card]))


def _most_jokers_laid(g: np.void) -> int:
    """Return how many jokers may have been laid in this turn, those included that a swap released
    again."""
    most = int(g["swaps"]) if g["laid"] or g["layoffs"] else 0
    for meld in g["melds"][: g["n_melds"]]:
        low, high, jokers = (int(meld[field]) for field in ("low", "high", "jokers"))
        if meld["kind"] == L.SET:
            most += jokers if meld["laid"] else min(jokers, int(meld["added_low"]))
            continue
        before = range(low + int(meld["added_low"]), high + 1 - int(meld["added_high"]))
        new = [p for p in range(low, high + 1) if meld["laid"] or p not in before]
        most += sum(jokers >> p & 1 for p in new)
    return most


def _see_pile(g: np.void, seat: int) -> None:
    """Who threw the last discard is seen (turn 1 has only the up-card), and who refused it."""
    n = int(g["n_discards"])
    last = int(g["discards"][n - 1]) if n else L.NO_CARD
    thrower = seat
    if g["phase"] != L.ANNOUNCE:
        if g["phase"] == L.PLAY and g["taken"] != L.NO_CARD:
            last = int(g["taken"])
        elif g["phase"] == L.PLAY and n:
            g["refused"][seat, last] = 1
        if g["turn"] == 1:
            return
        seats = int(g["seats"])
        before = [(seat - k) % seats for k in range(1, seats + 1)]
        thrower = next(s for s in before if not g["eliminated"][s])
    if last != L.NO_CARD:
        g["thrown"][thrower, last] = 1
