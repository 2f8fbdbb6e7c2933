"""Follow a case on engine and oracle together, as far as its moves go and on to the next deal.

A case names what its story is about; here everything is compared at each of its positions, and the
invariants that hold at the first must hold at the others.
"""

from dataclasses import replace
from typing import Any

from kalooki_env import calls
from kalooki_env.cases import Case
from kalooki_env.game import Game
from kalooki_env.invariants import violations
from tests.oracle import Position
from tests.oracle.match import fresh_deal, next_dealer, out_after

FEW_MOVES = 200
"""Moves of an open seat up to which their texts and ids are compared too, not the first ids alone."""
ANYTHING = 85
"""What is written over the scratch space: no call may depend on what an earlier one has left there."""


def follow(case: Case) -> list[str]:
    """Return how engine and oracle differ at the first position where they do; nothing: nowhere."""
    game = Game.from_position(case.position, episode="match", seed=0)
    oracle = Position.from_mapping(case.position)
    known = set(violations(game.state, game.rules))  # a position need not hold a whole pack
    for text in (*case.moves, None):
        problems = _legal(game, oracle)
        if problems or text is None:
            break
        _spoil_scratch()
        game.play(text)
        oracle = oracle.play(text)
        problems = _position(game, oracle) + _broken(game, known)
        if problems:
            break
        if not oracle.stock_known:
            oracle = oracle.with_stock(game.position()["stock"])
    if not problems and game.deal_over and game.to_move is None and not game.over:
        problems = _next_deal(game, oracle) + _broken(game, known)
    return problems


def _spoil_scratch() -> None:
    """Overwrite the scratch space of the engine, but for the masks, which are zero between calls."""
    work = calls.space.arrays[0]
    for name in work.dtype.names:
        if name != "mask":
            work[name] = ANYTHING


def _broken(game: Game, known: set[str]) -> list[str]:
    """Return the invariants that the game breaks, or a copy of it as its seat to move sees it."""
    games = [game] if game.to_move is None else [game, game.determinize(game.to_move, seed=0)]
    return [told for one in games for told in violations(one.state, one.rules) if told not in known]


def _legal(game: Game, oracle: Position) -> list[str]:
    """Compare what may be played; the engine lists ids in rising order, each once."""
    ids = game.legal_actions().tolist()
    wanted = sorted(oracle.legal_ids())
    if ids != wanted:
        return [f"legal ids: engine {ids}, oracle {wanted}"]
    if not oracle.state.opened or len(oracle.all_legal) > FEW_MOVES:
        return []
    sequences, expected = set(game.move_sequences()), set(oracle.sequences().items())
    return [f"texts and ids: {sorted(sequences ^ expected)}"] if sequences != expected else []


def _position(game: Game, oracle: Position) -> list[str]:
    """Compare the positions and how the deal and the match stand."""
    engine, wanted = game.result, oracle.result()
    problems = oracle.differences(game.position())
    if game.over != (oracle.books.match_winner is not None):
        problems.append(f"over: engine {game.over}, oracle {not game.over}")
    problems += [
        f"{key}: engine {engine[key]!r}, oracle {wanted[key]!r}"
        for key in wanted
        if engine[key] != wanted[key]
    ]
    return problems


def _next_deal(game: Game, oracle: Position) -> list[str]:
    """Deal on and compare the new deal with what must follow the one that ended."""
    game.next_deal()
    got = game.position()
    books, deal, dealer = oracle.books, oracle.deal, oracle.dealer
    if oracle.outcome is not None and oracle.outcome.winner is not None:
        books = replace(books, eliminated=out_after(oracle.rules, books))
        deal, dealer = deal + 1, next_dealer(dealer, books.eliminated)
    wanted: dict[str, Any] = {
        **fresh_deal(oracle.rules, books, deal, dealer),
        "eliminated": list(books.eliminated),
        "totals": list(books.totals),
        "money": list(books.money),
        "buy_ins": list(books.buy_ins),
        "barred": [False] * len(books.totals),
        "opened": [False] * len(books.totals),
        "rebuilds": 0,
        "turn": 1,
        "table": [],
    }
    got["hands"] = [len(hand.split()) for hand in got["hands"]]
    got["discards"], got["stock"] = len(got["discards"].split()), len(got["stock"].split())
    return [
        f"next deal, {key}: engine {got[key]!r}, oracle {wanted[key]!r}"
        for key in wanted
        if got[key] != wanted[key]
    ]
