"""What holds in every game at every moment, recomputed from scratch over an array of games.

For fuzzing and tests: an incremental field that went wrong shows here at once.
"""

import numpy as np

from kalooki_env.engine import layout as L
from kalooki_env.rules import Rules


def violations(games: np.ndarray, rules: Rules) -> list[str]:
    """Return a sentence for each invariant that some of `games` (GAME[n]) break; none: an empty
    list."""
    checks = (
        ("hand_size, held and twice are those of the cards in the hand", _hand_sizes(games)),
        (
            "on_table, in_pile and laid count cards of melds, of the discard pile, melds of the turn",
            _derived_counts(games),
        ),
        ("every card of the pack is in exactly one place", _cards(games, rules)),
        (
            "runs lie within the suit, have three cards or more and a natural one",
            _runs(games, rules),
        ),
        (
            "sets have three or four cards, differ in suit and hold a natural one",
            _sets(games, rules),
        ),
        ("no seat knows of a card that is not where it says", knowledge_holds(games, rules)),
        ("cards laid off this turn are within the limit", _lay_offs(games, rules)),
        ("owed jokers are in the hand of the seat to move", _owed(games)),
        ("chips of a deal and ledgers with the pool sum to zero", _money(games, rules)),
        (
            "a seat to move, or the deal is over",
            (games["to_move"] >= 0) | (games["deal_over"] == 1),
        ),
        ("only a seat with melds on the table is open", _open(games)),
        ("a seat to play holds a card", _can_play(games)),
    )
    return [
        f"{what}: broken in games {np.flatnonzero(~np.asarray(ok))[:5].tolist()}"
        for what, ok in checks
        if not np.all(ok)
    ]


def _hand_sizes(games: np.ndarray) -> np.ndarray:
    hands = games["hand"].astype(int)
    bits = np.int64(1) << np.arange(L.JOKER)
    same = ((hands[..., : L.JOKER] > 0) @ bits == games["held"]).all(1)
    same &= ((hands[..., : L.JOKER] > 1) @ bits == games["twice"]).all(1)
    return same & (hands >= 0).all((1, 2)) & (hands.sum(2) == games["hand_size"]).all(1)


def _laid(games: np.ndarray) -> np.ndarray:
    """Return bool[n, MAX_MELDS]: which entries of the table are melds."""
    return np.arange(L.MAX_MELDS) < games["n_melds"][:, None]


def _counts(cards: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return int[games, 53]: the cards among the first n of each row."""
    out = np.zeros((len(cards), L.CARDS), int)
    rows, columns = np.nonzero(np.arange(cards.shape[1]) < n[:, None])
    np.add.at(out, (rows, cards[rows, columns]), 1)
    return out


def table_cards(games: np.ndarray) -> np.ndarray:
    """Return int[n, 53]: the copies of each card on the table, read from the melds."""
    out = np.zeros((len(games), L.CARDS), int)
    for i, m in zip(*np.nonzero(_laid(games)), strict=True):
        kind, key, low, high, jokers = (
            int(games["melds"][i, m][field]) for field in ("kind", "key", "low", "high", "jokers")
        )
        if kind == L.RUN:
            for p in range(low, high + 1):
                out[i, L.JOKER if jokers >> p & 1 else key * 13 + (p - 1) % 13] += 1
        else:
            out[i, L.JOKER] += jokers
            for suit in range(4):
                out[i, suit * 13 + key] += low >> suit & 1
    return out


def _derived_counts(games: np.ndarray) -> np.ndarray:
    pile = _counts(games["discards"], games["n_discards"])
    same = (games["on_table"] == table_cards(games)) & (games["in_pile"] == pile)
    return same.all(1) & ((games["melds"]["laid"] * _laid(games)).sum(1) == games["laid"])


def _cards(games: np.ndarray, rules: Rules) -> np.ndarray:
    total = games["hand"].astype(int).sum(1) + table_cards(games)
    total += _counts(games["stock"], games["n_stock"]) + _counts(
        games["discards"], games["n_discards"]
    )
    return (total == rules.deck_counts()).all(1)


def knowledge_holds(games: np.ndarray, rules: Rules) -> np.ndarray:
    """Return bool[n]: in which games all that the seats know of hidden cards is true."""
    known = games["known"].astype(int)
    hidden = games["hand"].astype(int) - known
    stock = _counts(games["stock"], games["n_stock"])
    ok = (known >= 0).all((1, 2)) & (hidden >= 0).all((1, 2))
    ok &= _mover_knowledge(games, known)
    seen = games["on_table"].astype(int) + games["in_pile"]
    all_known = known.sum(1)
    for seat in range(L.MAX_SEATS):
        # What the seat may think to be in the stock, as its observation shows it.
        unseen = rules.deck_counts() - games["hand"][:, seat] - seen - all_known + known[:, seat]
        ok &= (seat >= games["seats"]) | (unseen >= stock).all(1)
    return ok & _stocks_hold(games, hidden, stock)


def _mover_knowledge(games: np.ndarray, known: np.ndarray) -> np.ndarray:
    """A taken card that was not laid, and jokers that are owed, are known in the hand."""
    rows, mover = np.arange(len(games)), np.maximum(games["to_move"], 0)
    at_play = games["phase"] == L.PLAY
    keeps = at_play & (games["taken"] >= 0) & (games["taken_laid"] == 0)
    has = known[rows, mover, np.maximum(games["taken"], 0)] >= 1
    owed = known[rows, mover, L.JOKER] >= np.minimum(games["owed"], _mover_hands(games)[:, L.JOKER])
    return (has | ~keeps) & (owed | ~at_play)


def _stocks_hold(games: np.ndarray, hidden: np.ndarray, stock: np.ndarray) -> np.ndarray:
    """After a rebuild: hidden cards of each hand, by the stock they came from, and what each seat
    has drawn; see `engine/memory.py`."""
    made = games["made"].astype(int)
    ok = np.ones(len(games), bool)
    if not made.any():
        return ok
    entries = np.arange(L.MAX_CARDS) < games["n_played"][:, None]
    played = np.zeros((len(games), L.MAX_SEATS, L.CARDS), int)
    rows, k = np.nonzero(entries)
    np.add.at(played, (rows, games["played"]["seat"][rows, k], games["played"]["card"][rows, k]), 1)
    fresh = games["fresh"].astype(int)
    ok &= (games["older"] >= 0).all((1, 2))
    ok &= (games["older"].sum(2) + fresh == hidden.sum(2) + played.sum(2)).all(1)
    ok &= fresh.sum(1) + games["n_stock"] == made.sum(1)
    for seat in range(L.MAX_SEATS):
        present = games["rebuilt"][:, seat].astype(int)
        if (present[ok] == L.UNLIMITED).all():
            continue
        others = np.arange(L.MAX_SEATS) != seat
        earlier = (hidden + played)[:, others].sum(1) + stock - present
        mine = (present >= stock).all(1) & (present <= made).all(1) & (earlier >= 0).all(1)
        mine &= present.sum(1) == made.sum(1) - fresh[:, seat]
        for k in range(L.EARLIER):
            cards = (earlier * (games["stock_of"] == k)).sum(1)
            mine &= cards == games["older"][:, others, k].sum(1)
        ok &= mine | (seat >= games["seats"]) | (present == L.UNLIMITED).any(1)
    return ok | ~made.any(1)


def _bits(values: np.ndarray) -> np.ndarray:
    return np.bitwise_count(values.astype(np.uint16)).astype(int)


def _runs(games: np.ndarray, rules: Rules) -> np.ndarray:
    run = _laid(games) & (games["melds"]["kind"] == L.RUN)
    low, high = games["melds"]["low"].astype(int), games["melds"]["high"].astype(int)
    jokers = games["melds"]["jokers"].astype(int)
    inside = (2 << high) - (1 << np.clip(low, 0, 15))
    ok = (low >= rules.low_position) & (high <= 14) & (high - low >= 2)
    ok &= (jokers & ~inside) == 0
    ok &= _bits(jokers) <= high - low
    return (ok | ~run).all(1)


def _sets(games: np.ndarray, rules: Rules) -> np.ndarray:
    is_set = _laid(games) & (games["melds"]["kind"] == L.SET)
    naturals = _bits(games["melds"]["low"])
    size = games["melds"]["high"].astype(int)
    ok = (naturals >= 1) & (naturals + games["melds"]["jokers"] == size)
    ok &= (size >= 3) & (size <= min(4, rules.suits))
    return (ok | ~is_set).all(1)


def _lay_offs(games: np.ndarray, rules: Rules) -> np.ndarray:
    low, high = games["melds"]["added_low"].astype(int), games["melds"]["added_high"].astype(int)
    total = ((low + high) * _laid(games)).sum(1)
    ok = total == games["layoffs"]
    if rules.layoff_limit is None:
        return ok
    if rules.layoff_scope == "turn":
        return ok & (total <= rules.layoff_limit)
    if rules.layoff_scope == "meld":
        return ok & (low + high <= rules.layoff_limit).all(1)
    return ok & (np.maximum(low, high) <= rules.layoff_limit).all(1)


def _mover_hands(games: np.ndarray) -> np.ndarray:
    return games["hand"][np.arange(len(games)), np.maximum(games["to_move"], 0)].astype(int)


def _owed(games: np.ndarray) -> np.ndarray:
    owed = games["owed"]
    held = _mover_hands(games)[:, L.JOKER]
    return (owed >= 0) & (owed <= games["swaps"]) & ((owed <= held) | (games["to_move"] < 0))


def _money(games: np.ndarray, rules: Rules) -> np.ndarray:
    ledger = games["money"].sum(1) + games["pool"]
    chips = games["chips"].sum(1)
    return (ledger == 0) & ((chips == 0) | (rules.match == "ring"))


def _open(games: np.ndarray) -> np.ndarray:
    laid_any = games["n_melds"] > 0
    return laid_any | ~games["opened"].any(1)


def _can_play(games: np.ndarray) -> np.ndarray:
    return (games["phase"] != L.PLAY) | (_mover_hands(games).sum(1) >= 1)
