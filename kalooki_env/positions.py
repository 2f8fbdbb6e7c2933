"""Positions as mappings (NOTATION.md): what a case file says, and what a game can be written as."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kalooki_env.cards import card_text, cards_text, list_cards, parse_card, parse_cards
from kalooki_env.engine import layout as L
from kalooki_env.engine.rng import seed_stream
from kalooki_env.errors import KalookiError, PositionError
from kalooki_env.moves import table_texts
from kalooki_env.notation import make_meld, meld_points, meld_problem, parse_table_meld
from kalooki_env.position_memory import see_turn
from kalooki_env.rules import Rules

if TYPE_CHECKING:
    from kalooki_env.game import Game

_LARGEST = 1_000_000_000
"""Bound on totals and ledgers."""
MOST_CARDS = 26
"""Cards that the hand of a position may hold; play reaches eighteen, seventeen dealt and one drawn."""
KEYS = frozenset(
    (
        "rules", "hands", "to_move", "phase", "opened", "turn", "barred", "table", "discards", "stock",
        "rebuilds", "totals", "buy_ins", "eliminated", "deal", "dealer", "money", "taken",
        "taken_twin", "was_open", "laid", "added", "swaps", "owed", "to_decide", "half",
    )
)  # fmt: skip
"""Keys of a position."""


def result(game: "Game") -> dict[str, Any]:
    """Return how the deal and the match stand; see `Game.result`."""
    g, seats = game.state[0], game.seats
    winner = int(g["winner"])
    champions = [s for s in range(seats) if g["match_winners"][s]]
    return {
        "hands": hands(game),
        "table": table_texts(game),
        "discards": _pile(g),
        "stock_size": int(g["n_stock"]),
        "to_move": game.to_move,
        "over": game.deal_over,
        "winner": None if winner == L.NO_SEAT else winner,
        "kalooki": bool(g["is_kalooki"]),
        "void": bool(g["is_void"]),
        "truncated": game.truncated,
        "penalties": _ints(g["penalties"], seats),
        "chips": _ints(g["chips"], seats),
        "totals": _ints(g["totals"], seats),
        "eliminated": [bool(x) for x in g["eliminated"][:seats]],
        "pool": int(g["pool"]),
        "match_winner": None
        if not champions
        else champions[0]
        if len(champions) == 1
        else champions,
    }


def _ints(values: np.ndarray, seats: int) -> list[int]:
    return [int(x) for x in values[:seats]]


def hands(game: "Game") -> list[str]:
    """Return every seat's hand as text, sorted."""
    return [cards_text(list_cards(game.state["hand"][0][s])) for s in range(game.seats)]


def _pile(g: np.void) -> str:
    return " ".join(card_text(int(c)) for c in g["discards"][: g["n_discards"]])


def write_position(game: "Game") -> dict[str, Any]:
    """Return the position of a game; see `Game.position`."""
    g, seats = game.state[0], game.seats
    position: dict[str, Any] = {
        "rules": _rules_value(game.rules),
        "hands": hands(game),
        "to_move": game.to_move,
        "phase": game.phase,
        "opened": [bool(x) for x in g["opened"][:seats]],
        "turn": int(g["turn"]),
        "barred": [bool(x) for x in g["barred"][:seats]],
        "table": table_texts(game),
        "discards": _pile(g),
        "stock": " ".join(card_text(int(c)) for c in g["stock"][: g["n_stock"]][::-1]),
        "rebuilds": int(g["rebuilds"]),
        "totals": _ints(g["totals"], seats),
        "buy_ins": _ints(g["buy_ins"], seats),
        # A seat that this deal put out holds its cards still, or has won it by collecting too much;
        # the rest of the position tells that it is out.
        "eliminated": [
            bool(g["eliminated"][s] and g["hand_size"][s] == 0 and s != g["winner"])
            for s in range(seats)
        ],
        "deal": int(g["deal"]),
        "dealer": int(g["dealer"]),
        "money": _ints(g["money"], seats),
    }
    if game.phase == "play":
        position |= _write_turn(game, g)
    if game.phase == "buy_in":
        position["to_decide"] = _ints(g["to_decide"], int(g["n_to_decide"]))
    return position


def _rules_value(rules: Rules) -> str | dict[str, Any]:
    from kalooki_env.rules import PRESETS

    if rules.name in PRESETS:
        return rules.name
    base = PRESETS[rules.name.rstrip("*")].to_dict()
    return {"preset": rules.name.rstrip("*")} | {
        k: v for k, v in rules.to_dict().items() if v != base[k]
    }


def _write_turn(game: "Game", g: np.void) -> dict[str, Any]:
    n = int(g["n_melds"])
    added: dict[int, Any] = {}
    for m in range(n):
        low, high = int(g["melds"]["added_low"][m]), int(g["melds"]["added_high"][m])
        if low or high:
            added[m + 1] = [low, high] if g["melds"]["kind"][m] == L.RUN else low
    turn: dict[str, Any] = {
        "taken": "" if g["taken"] == L.NO_CARD else card_text(int(g["taken"])),
        "taken_twin": bool(g["taken_twin"]),
        "was_open": bool(g["was_open"]),
        "laid": [m + 1 for m in range(n) if g["melds"]["laid"][m]],
        "added": added,
        "swaps": int(g["swaps"]),
        "owed": int(g["owed"]),
    }
    if game.half:
        turn["half"] = list(game.half)
    return turn


def read_position(cls: type["Game"], mapping: Mapping[str, Any], episode: str, seed: int) -> "Game":
    """Return the game of a position; see `Game.from_position`."""
    unknown = set(mapping) - KEYS
    if unknown:
        raise PositionError(
            f"expected the keys of a position, got {', '.join(sorted(map(str, unknown)))}"
        )
    for key in ("rules", "hands"):
        if key not in mapping:
            raise PositionError(f"expected a position with {key!r}, got none")
    rules = Rules.from_value(mapping["rules"])
    hand_texts = _list(mapping, "hands", None)
    seats = len(hand_texts)
    game = object.__new__(cls)
    deal = _number(mapping, "deal", 1, 1, 10_000)
    game._prepare(rules, seats, episode, min(deal, len(rules.contracts or "1")))
    g = game.state[0]
    seed_stream(g, np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
    g["melds"]["owner"] = L.NO_SEAT
    g["rebuilt"] = L.UNLIMITED  # a position does not tell what seats remember
    g["seats"], g["is_match"] = seats, int(episode == "match")
    g["deal"] = deal
    _read_match(g, mapping, rules, seats)
    _read_cards(g, mapping, rules, [parse_cards(t) for t in hand_texts])
    _read_phase(g, mapping, rules, seats)
    _read_turn(game, g, mapping)
    see_turn(g)
    _read_half(game, mapping)
    return game


def _list(mapping: Mapping[str, Any], key: str, default: Any) -> list[Any]:
    value = mapping.get(key, default)
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise PositionError(f"expected a list for {key!r}, got {value!r}")
    return list(value)


def _per_seat(mapping: Mapping[str, Any], key: str, seats: int, default: Any) -> list[int]:
    """Return a number for each seat; where the default is a bool, 0 or 1."""
    values = _list(mapping, key, [default] * seats)
    most = 1 if isinstance(default, bool) else _LARGEST
    if len(values) != seats:
        raise PositionError(f"expected {key!r} for {seats} seats, got {len(values)}")
    for value in values:
        if not isinstance(value, int) or not -most <= value <= most or (most == 1 and value < 0):
            raise PositionError(f"expected numbers up to {most} for {key!r}, got {value!r}")
    return [int(v) for v in values]


def _number(mapping: Mapping[str, Any], key: str, default: int, low: int, high: int) -> int:
    value = mapping.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise PositionError(f"expected {key!r} from {low} to {high}, got {value!r}")
    return value


def _read_match(g: np.void, mapping: Mapping[str, Any], rules: Rules, seats: int) -> None:
    g["eliminated"] = 1
    g["eliminated"][:seats] = _per_seat(mapping, "eliminated", seats, False)
    g["totals"][:seats] = _per_seat(mapping, "totals", seats, 0)
    g["buy_ins"][:seats] = [min(max(b, 0), 100) for b in _per_seat(mapping, "buy_ins", seats, 0)]
    spent = [-rules.initial - rules.buy_in * int(b) for b in g["buy_ins"][:seats]]
    money = mapping.get("money")
    g["money"][:seats] = spent if money is None else _per_seat(mapping, "money", seats, 0)
    g["pool"] = -int(g["money"][:seats].sum())
    g["dealer"] = _number(mapping, "dealer", seats - 1, 0, seats - 1)
    g["rebuilds"] = _number(mapping, "rebuilds", 0, 0, 10_000)
    g["turn"] = _number(mapping, "turn", 7, 1, 100_000)


def _read_cards(
    g: np.void, mapping: Mapping[str, Any], rules: Rules, held: list[list[int]]
) -> None:
    left = rules.deck_counts().astype(int)
    used: list[int] = []
    for seat, cards in enumerate(held):
        if g["eliminated"][seat] and cards:
            raise PositionError(
                f"expected no cards for the eliminated seat {seat}, got {cards_text(cards)}"
            )
        if len(cards) > MOST_CARDS:
            raise PositionError(
                f"expected at most {MOST_CARDS} cards in a hand, got {len(cards)} for seat {seat}"
            )
        for card in cards:
            g["hand"][seat, card] += 1
        g["hand_size"][seat] = len(cards)
        counts = g["hand"][seat][: L.JOKER]
        g["held"][seat] = sum(1 << int(card) for card in np.flatnonzero(counts > 0))
        g["twice"][seat] = sum(1 << int(card) for card in np.flatnonzero(counts > 1))
        used += cards
    in_hands = len(used)
    for m, text in enumerate(_list(mapping, "table", [])):
        used += _read_meld(g, m, text, rules)
    g["on_table"] = np.bincount(used[in_hands:], minlength=L.CARDS)
    pile = mapping.get("discards")
    stock = mapping.get("stock")
    used += parse_cards(pile or "") + parse_cards(stock or "")
    for card in used:
        left[card] -= 1
        if left[card] < 0:
            raise PositionError(f"expected no more {card_text(card)} than the pack holds")
    rest = [card for card in range(L.CARDS) for _ in range(left[card])]
    discards = parse_cards(pile) if pile is not None else [rest.pop(0)] if rest else []
    drawn = parse_cards(stock) if stock is not None else rest
    g["discards"][: len(discards)] = discards
    g["n_discards"] = len(discards)
    g["in_pile"] = np.bincount(discards, minlength=L.CARDS)
    g["stock"][: len(drawn)] = drawn[::-1]
    g["n_stock"] = len(drawn)


def _read_meld(g: np.void, m: int, text: str, rules: Rules) -> list[int]:
    """Put one meld on the table; return its cards."""
    if m >= L.MAX_MELDS:
        raise PositionError(f"expected at most {L.MAX_MELDS} melds, got more")
    if not isinstance(text, str):
        raise PositionError(f"expected the cards of a meld as text, got {text!r}")
    kind, key, low, high, jokers = parse_table_meld(text)
    problem = meld_problem(make_meld(kind, key, low, high, jokers), rules)
    if problem is not None:
        raise PositionError(f'expected a meld on the table, got "{text}": {problem}')
    for field, value in zip(
        ("kind", "key", "low", "high", "jokers"),
        (kind, key, low, high, jokers),
        strict=True,
    ):
        g["melds"][m][field] = value
    g["n_melds"] = m + 1
    return [L.JOKER if word.startswith("*") else parse_card(word) for word in text.split()]


def _read_phase(g: np.void, mapping: Mapping[str, Any], rules: Rules, seats: int) -> None:
    phase = mapping.get("phase", "draw")
    if phase not in L.PHASES:
        raise PositionError(f"expected phase to be one of {', '.join(L.PHASES)}, got {phase!r}")
    g["phase"] = L.PHASES.index(phase)
    g["winner"] = L.NO_SEAT
    g["opened"][:seats] = _per_seat(mapping, "opened", seats, False)
    g["barred"][:seats] = _per_seat(mapping, "barred", seats, False)
    to_move = mapping.get("to_move", 0 if phase not in ("over", "buy_in") else None)
    decide = _list(mapping, "to_decide", [])
    if phase == "buy_in":
        if not decide or any(not isinstance(s, int) or not 0 <= s < seats for s in decide):
            raise PositionError(f"expected seats in 'to_decide' in phase buy_in, got {decide!r}")
        to_move = decide[0]
        g["n_to_decide"] = len(decide)
        g["to_decide"][: len(decide)] = decide
    if phase in ("over", "buy_in"):
        g["deal_over"] = 1
        _put_out(g, seats, rules, decide)
    if to_move is None and phase != "over":
        raise PositionError(f"expected a seat to move in phase {phase}, got none")
    is_seat = isinstance(to_move, int) and not isinstance(to_move, bool)
    if to_move is not None and not (is_seat and 0 <= to_move < seats):
        raise PositionError(f"expected to_move from 0 to {seats - 1}, got {to_move!r}")
    if phase != "over" and to_move is not None and g["eliminated"][to_move]:
        raise PositionError(f"expected a seat in the match to move, got the eliminated {to_move}")
    g["to_move"] = L.NO_SEAT if phase == "over" else to_move
    if phase == "draw" and g["n_stock"] == 0:
        raise PositionError(
            "expected a stock with at least one card for a seat that is to draw, got none"
        )
    if phase == "play" and g["hand_size"][to_move] == 0:
        raise PositionError(f"expected cards in the hand of seat {to_move}, which is to play")


def _put_out(g: np.void, seats: int, rules: Rules, decide: list[int]) -> None:
    """Find who won the deal, who is out and who has won the match: the cards and totals tell.

    Who went out holds no card; after a void or cut deal everybody does.
    """
    done = [s for s in range(seats) if g["hand_size"][s] == 0 and not g["eliminated"][s]]
    if len(done) != 1:
        return
    g["winner"] = done[0]
    if rules.match in ("pool", "elimination") and rules.out_above is not None and g["is_match"]:
        for seat in range(seats):
            if g["totals"][seat] > rules.out_above and seat not in decide:
                g["eliminated"][seat] = 1
    if g["is_match"] and not decide and _match_is_over(g, seats, rules):
        g["match_over"] = 1
        standing = [s for s in range(seats) if not g["eliminated"][s]]
        if rules.match == "ring":
            winners = done
        else:
            highest = rules.scoring == "collect" or rules.match in ("highest", "points")
            best = (max if highest else min)(int(g["totals"][s]) for s in standing)
            winners = [s for s in standing if g["totals"][s] == best]
        g["match_winners"][winners] = 1


def _match_is_over(g: np.void, seats: int, rules: Rules) -> bool:
    """Tell whether the deal that was won ended the match (RULES 5)."""
    last = rules.last_deal
    if last is not None and g["deal"] >= last:
        return True
    if rules.match in ("pool", "elimination"):
        return int((g["eliminated"][:seats] == 0).sum()) <= 1
    by_target = rules.target is not None and (last is None or rules.match == "points")
    return by_target and int(g["totals"][:seats].max()) >= rules.target


def _read_turn(game: "Game", g: np.void, mapping: Mapping[str, Any]) -> None:
    """The middle of a turn: what was taken, laid, laid off and released in it."""
    g["taken"] = L.NO_CARD
    if g["to_move"] == L.NO_SEAT:
        return
    seat = int(g["to_move"])
    g["was_open"] = int(bool(mapping.get("was_open", g["opened"][seat])))
    if game.phase != "play":
        return
    n = int(g["n_melds"])
    for number in _list(mapping, "laid", []):
        if not isinstance(number, int) or not 1 <= number <= n:
            raise PositionError(f"expected meld numbers from 1 to {n} in 'laid', got {number!r}")
        g["melds"]["laid"][number - 1] = 1
        g["melds"]["owner"][number - 1] = seat
    g["laid"] = g["melds"]["laid"].sum()
    _read_added(g, mapping.get("added") or {}, n)
    g["swaps"] = _number(mapping, "swaps", 0, 0, 1000)
    g["owed"] = _number(mapping, "owed", 0, 0, 4)
    if mapping.get("taken"):
        card = parse_card(mapping["taken"])
        g["taken"] = card
        g["taken_twin"] = int(bool(mapping.get("taken_twin", g["hand"][seat, card] > 1)))
    _derive_opening(game, g, seat)


def _read_half(game: "Game", mapping: Mapping[str, Any]) -> None:
    for action in _list(mapping, "half", []) if game.phase == "play" else []:
        try:
            game.play(int(action))
        except KalookiError as error:
            raise PositionError(f"expected 'half' to begin a legal move: {error}") from None


def _read_added(g: np.void, added: Mapping[Any, Any], n: int) -> None:
    for number, count in added.items():
        if not isinstance(number, int) or not 1 <= number <= n:
            raise PositionError(f"expected meld numbers from 1 to {n} in 'added', got {number!r}")
        pair = [count, 0] if isinstance(count, int) else count
        is_pair = isinstance(pair, list | tuple) and len(pair) == 2
        if not is_pair or any(not isinstance(x, int) or not 0 <= x <= 13 for x in pair):
            raise PositionError(f"expected 'added' to give [low, high] or a number, got {count!r}")
        g["melds"]["added_low"][number - 1], g["melds"]["added_high"][number - 1] = pair
        g["layoffs"] += sum(pair)


def _derive_opening(game: "Game", g: np.void, seat: int) -> None:
    """Points laid, and whether the taken card is still to be laid, follow from the melds of this
    turn."""
    if g["was_open"]:
        return
    points, cards = 0, []
    for m in range(int(g["n_melds"])):
        if not g["melds"]["laid"][m]:
            continue
        meld = make_meld(*(int(g["melds"][m][f]) for f in ("kind", "key", "low", "high", "jokers")))
        cards += [L.JOKER if c.joker else c.card for c in meld.cards]
        if meld.kind == L.RUN:
            low, high = int(g["melds"]["added_low"][m]), int(g["melds"]["added_high"][m])
            meld = make_meld(L.RUN, meld.key, meld.low + low, meld.high - high, 0)
            points += meld_points(meld, game.rules)
        else:
            points += game.rules.rank_points(meld.key) * (
                int(g["melds"]["high"][m]) - int(g["melds"]["added_low"][m])
            )
    g["points"] = points
    to_open = game.rules.discard_before_opening == "to_open"
    first_turn = game.rules.first_turn_take and g["turn"] == 1
    owed = to_open and not first_turn and g["taken"] != L.NO_CARD and int(g["taken"]) not in cards
    g["duty"] = int(bool(owed and not g["opened"][seat]))
