"""Play deals and compare engine and oracle at a sample of the positions on the way."""

from __future__ import annotations

import random
from typing import Any

from kalooki_env.game import Game

from .comparing import Comparison
from .construct import build
from .ids import DISCARD, TAKE
from .match import next_dealer
from .players import player
from .position import Position
from .rules import Rules, dealt_cards, make_rules

LONGEST = 160
"""Turns after which a deal is left: where the pile is free it may never end."""
SHARES = {"draw": 0.15, "play": 0.35}
"""Shares of the positions that are compared; of the other phases all are."""


def compare_deals(comparison: Comparison, rules: Any, seats: int, wanted: int, style: str) -> None:
    """Play deals until so many different positions were compared."""
    rng = comparison.rng
    while comparison.positions < wanted:
        game = new_game(rules, seats, rng)
        compare_deal(comparison, game, style, wanted)


def new_game(rules: Any, seats: int, rng: random.Random) -> Game:
    """Deal a game: a single deal, the first of a match, or one in the middle of a match."""
    knobs, seed = make_rules(rules), rng.getrandbits(40)
    way = rng.random()
    if way < 0.3:
        return Game(rules, seats, seed=seed, episode="match")
    game = Game(rules, seats, seed=seed, episode="deal")
    if way < 0.4:
        return game
    mapping = game.position()
    mapping.update(_standing(knobs, seats, rng))
    if knobs.match in ("pool", "elimination") and seats > 2 and rng.random() < 0.4:
        _put_out(mapping, knobs, rng)
    del mapping["money"]
    return Game.from_position(mapping, episode="match", seed=seed)


def _standing(rules: Rules, seats: int, rng: random.Random) -> dict[str, Any]:
    """Return totals and buy-ins as they may stand between deals."""
    top = {"pool": 150, "elimination": 150, "ring": 0}.get(rules.match, (rules.target or 120) - 1)
    buy_ins = [rng.randint(0, rules.buy_ins) for _ in range(seats)]
    high = rng.random() < 0.6
    totals = [rng.randint(top * 2 // 3 if high else 0, top) for _ in range(seats)]
    return {"totals": totals, "buy_ins": buy_ins}


def _put_out(mapping: dict[str, Any], rules: Rules, rng: random.Random) -> None:
    """Eliminate a seat that neither dealt nor moves; its cards go under the stock."""
    seats = len(mapping["hands"])
    free = [s for s in range(seats) if s not in (mapping["to_move"], mapping["dealer"])]
    seat = rng.choice(free)
    mapping["stock"] += " " + mapping["hands"][seat]
    mapping["hands"][seat] = ""
    mapping["eliminated"][seat] = True
    mapping["totals"][seat] = rng.randint(rules.out_above + 1, rules.out_above + 80)


def compare_deal(comparison: Comparison, game: Game, style: str, wanted: int) -> None:
    """Play a deal, or up to three of a match, comparing on the way."""
    rng = comparison.rng
    choose = player(style, rng)
    carried: Position | None = None
    deals = 1
    while comparison.positions < wanted:
        if game.to_move is None:
            if game.over or deals == 3:
                return
            game = _next_deal(comparison, game)
            carried, deals = None, deals + 1
            continue
        if game.state["turn"][0] > LONGEST:
            return
        action = choose(game)
        before, game = game, game.clone()
        game.play(action)
        asked = before.phase in SHARES and not before.half
        if asked and not game.deal_over and rng.random() > SHARES[before.phase]:
            carried = None
            continue
        keep = before.phase == "buy_in" or rng.random() < 0.5
        oracle = comparison.position(before, carried if keep else None)
        game, carried = comparison.move(before, oracle, action)


def _next_deal(comparison: Comparison, game: Game) -> Game:
    """Deal on, and compare what the rules say of the new deal."""
    after = game.clone()
    after.next_deal()
    rules, old, new = make_rules(game.position()["rules"]), game.position(), after.position()
    out, seats = new["eliminated"], len(new["hands"])
    again = game.result["void"] or game.result["truncated"]
    dealer = old["dealer"] if again else next_dealer(old["dealer"], tuple(out))
    deal = old["deal"] + (not again)
    size = dealt_cards(rules, seats - sum(out), deal)
    wanted = {
        "eliminated": game.result["eliminated"],
        "totals": old["totals"],
        "money": old["money"],
        "buy_ins": old["buy_ins"],
        "deal": deal,
        "dealer": dealer,
        "to_move": next_dealer(dealer, tuple(out)),
        "phase": "draw",
        "turn": 1,
        "rebuilds": 0,
        "opened": [False] * seats,
        "barred": [False] * seats,
        "table": [],
        "hands": [0 if gone else size for gone in out],
        "discards": 1,
        "stock": 52 * rules.decks + rules.jokers - 1 - size * (seats - sum(out)),
    }
    got = {key: new[key] for key in wanted}
    got["hands"] = [len(text.split()) for text in new["hands"]]
    got["discards"], got["stock"] = len(new["discards"].split()), len(new["stock"].split())
    comparison.expect("next deal", old, got, wanted)
    return after


def compare_constructed(
    comparison: Comparison, rules: Any, seats: list[int], wanted: str, tries: int
) -> None:
    """Put positions together for a wanted state and walk some moves on from each."""
    rng, knobs = comparison.rng, make_rules(rules)
    for _ in range(tries):
        mapping = build(wanted, rules, knobs, rng.choice(seats), rng)
        if mapping is None:
            continue
        game = Game.from_position(mapping, episode="match", seed=rng.getrandbits(30))
        oracle = Position.from_mapping(mapping)
        if oracle.legal_ids():
            _walk(comparison, game, oracle, rng.choice((1, 2, 4, 8)))
        else:
            # Play can't have led here, and the engine should see it too.
            ids = game.legal_actions().tolist()
            comparison.expect("nothing legal in a stuck position", mapping, ids, [])


def _walk(comparison: Comparison, game: Game, oracle: Position, steps: int) -> None:
    """Compare a position and those after a few moves, discards coming last."""
    rng = comparison.rng
    carried: Position | None = oracle
    while steps and game.to_move is not None:
        oracle = comparison.position(game, carried)
        ids = game.legal_actions().tolist()
        if not ids:
            return
        plays = [number for number in ids if TAKE <= number < DISCARD]
        action = rng.choice(plays if plays and rng.random() < 0.75 else ids)
        game, carried = comparison.move(game, oracle, action)
        # Buy-ins are followed to their end, from the oracle's own books.
        if game.phase != "buy_in":
            steps -= 1
            carried = carried if rng.random() < 0.5 else None
