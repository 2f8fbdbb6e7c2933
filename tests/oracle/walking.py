"""Play deals and compare engine and oracle at a sample of the positions on the way."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from kalooki_env.game import Game

from .census import BUYING_IN, ELIMINATED
from .comparing import Comparison
from .construct import build, standing_limit
from .ids import DISCARD, TAKE
from .match import fresh_deal, knocks_out, next_dealer, out_after
from .players import player
from .position import Position
from .rules import Rules, make_rules

LONGEST = 160
"""Turns after which a deal is left: where the pile is free it may never end."""
MOST_DEALS = 4
"""Deals of a match that are followed."""
SHARES = {"draw": 0.15, "play": 0.35}
"""Shares of the positions that are compared; of the other phases all are."""


def compare_deals(comparison: Comparison, rules: Any, seats: int, wanted: int, style: str) -> None:
    """Play deals until so many different positions were compared, or almost."""
    rng = comparison.rng
    for _ in range(max(wanted, 20)):
        if comparison.positions >= wanted:
            return
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
    if knocks_out(knobs) and seats > 2 and rng.random() < 0.4:
        _put_out(mapping, knobs, rng)
    del mapping["money"]
    return Game.from_position(mapping, episode="match", seed=seed)


def _standing(rules: Rules, seats: int, rng: random.Random) -> dict[str, Any]:
    """Return totals and buy-ins as they may stand between deals."""
    top = 0 if rules.match == "ring" else standing_limit(rules)
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
    """Play a deal, or some of a match, comparing on the way."""
    rng = comparison.rng
    choose = player(style, rng)
    carried: Position | None = None
    deals = 1
    while comparison.positions < wanted:
        if game.to_move is None:
            if game.over or deals == MOST_DEALS:
                return
            game, carried, deals = _next_deal(comparison, game, carried), None, deals + 1
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


def _next_deal(comparison: Comparison, game: Game, carried: Position | None) -> Game:
    """Deal on; compare the new deal with what the rules say after the oracle's own last deal."""
    after = game.clone()
    after.next_deal()
    old, new = game.position(), after.position()
    ended = carried or Position.from_mapping(old)
    books, deal, dealer, out = ended.books, ended.deal, ended.dealer, ended.books.eliminated
    if ended.outcome.winner is not None:
        out = out_after(ended.rules, books)
        deal, dealer = deal + 1, next_dealer(dealer, out)
    books = replace(books, eliminated=out)
    seats = len(out)
    wanted = {
        **fresh_deal(ended.rules, books, deal, dealer),
        "eliminated": list(out),
        "totals": list(books.totals),
        "money": list(books.money),
        "buy_ins": list(books.buy_ins),
        "phase": "draw",
        "turn": 1,
        "rebuilds": 0,
        "opened": [False] * seats,
        "barred": [False] * seats,
        "table": [],
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
    if wanted in (ELIMINATED, BUYING_IN):
        # With two seats at the table the match would be over.
        seats = [number for number in seats if number > 2] or seats
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
        # The end of a deal is followed to the next one, from the oracle's own books.
        if not game.deal_over:
            steps -= 1
            carried = carried if rng.random() < 0.5 else None
    if game.to_move is None and not game.over:
        _next_deal(comparison, game, carried)
