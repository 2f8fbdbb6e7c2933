"""Play matches in lanes that advance together, and hold every deal against independent books."""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from kalooki_env import Rules, actions, agents
from kalooki_env.agents.base import uniforms
from kalooki_env.engine import layout as L
from kalooki_env.engine.single import apply_at, deal_next_at, list_legal_at, start_match_at
from kalooki_env.engine.tables import point_runs
from kalooki_env.invariants import violations
from kalooki_env.rules import TURN_CAP
from tests.matches.advance import advance
from tests.matches.variants import RANDOM, Part
from tests.oracle.bookkeeping import Bookkeeper
from tests.oracle.rules import make_rules

LANES = 256
LONGEST = 2000
"""Deals, void and cut ones too, after which a match is said to have no end."""
LONGEST_RANDOM, CAP_RANDOM = 40, 120
"""Deals, and turns of a deal, where the rules are drawn at random: such a match need not end."""
PATIENCE = 25
"""Deals after which greedy plays every seat: left to chance a long contract is never laid."""
EVERY = 50
"""Steps after which the engine's invariants are recomputed."""
BUYS, LAYS = 0.7, 0.9
"""How often a seat that may buy in does, and one that may lay cards does."""


class Violation(AssertionError):
    """Say what is wrong, and in which match."""


class Table:
    """The matches of one part: lanes that play together, a book for each."""

    def __init__(self, part: Part) -> None:
        rules = Rules.from_value(part.rules)
        if rules.turn_cap is None:
            cap = CAP_RANDOM if part.variant == RANDOM else TURN_CAP
            rules = dataclasses.replace(rules, turn_cap=cap)
        self.part, self.rules = part, rules
        self.book_rules = make_rules(part.rules)
        self.record = rules.record()
        self.runs = point_runs(self.record)
        self.work, self.scratch = L.scratch_space()
        self.greedy = agents.load("greedy")
        lanes = min(LANES, part.count)
        self.games = L.records(lanes, L.GAME)
        self.ids = np.zeros((lanes, actions.N), np.int16)
        self.counts = np.zeros(lanes, np.int32)
        self.match = np.zeros(lanes, np.int64)
        self.played = np.zeros(lanes, np.int64)
        self.books: list[Bookkeeper] = [None] * lanes  # type: ignore[list-item]
        self.seen: Counter[str] = Counter()
        self.steps = 0

    def play(self) -> Counter[str]:
        """Play all matches of the part; return what was counted."""
        part = self.part
        waiting = iter(range(part.first, part.first + part.count))
        rows = np.arange(len(self.games))
        for lane in rows:
            self._start(lane, next(waiting))
        while len(rows):
            if self.steps % EVERY == 0 and (broken := violations(self.games[rows], self.rules)):
                raise Violation(f"{part}, step {self.steps}: {broken}")
            self.steps += 1
            for lane in rows[self.games["deal_over"][rows] == 1]:
                self._after_deal(lane, waiting)
            rows = rows[self.games["match_over"][rows] == 0]
            self._step(rows[self.games["deal_over"][rows] == 0])
        return self.seen

    # -- moves ---------------------------------------------------------------------------------

    def _step(self, rows: np.ndarray) -> None:
        """Play one decision of each game, and the forced moves after it."""
        if not len(rows):
            return
        seats = self.games["to_move"][rows]
        if self.games["eliminated"][rows, seats].any():
            lane = rows[self.games["eliminated"][rows, seats] == 1][0]
            self._fail(lane, f"expected a seat in the match to move, got {self._facts(lane)}")
        chance = self._by_chance(rows)
        chosen = np.empty(len(rows), np.int64)
        chosen[~chance] = self.greedy.act_batch(self.games, self.rules, rows[~chance])
        chosen[chance] = self._random(rows[chance])
        if self._advance(rows, chosen) >= 0:
            raise Violation(f"{self.part}: a player chose what is not legal")

    def _advance(self, rows: np.ndarray, chosen: np.ndarray) -> int:
        space = (self.record, self.runs, self.work, self.scratch, self.ids, self.counts)
        return advance(self.games, rows, chosen, *space)

    def _by_chance(self, rows: np.ndarray) -> np.ndarray:
        """Tell which decisions are made at random: all of some matches, every other seat of some."""
        way = self.match[rows] % 16
        every_other = (self.games["to_move"][rows] + self.match[rows] // 16) % 2 == 0
        by_chance = (way == 3) | (((way == 7) | (way == 11)) & every_other)
        return by_chance & (self.played[rows] < PATIENCE)

    def _random(self, rows: np.ndarray) -> np.ndarray:
        """Choose legal ids at random; in half of these matches lay cards more often than not."""
        counts = self.counts[rows]
        ids = self.ids[rows, : counts.max(initial=1)]
        inside = np.arange(ids.shape[1]) < counts[:, None]
        low = ((ids < actions.RUN) & inside).sum(1)
        high = ((ids < actions.DISCARD) & inside).sum(1)
        seed = self.part.seed
        lays = (high > low) & (uniforms(seed, self.games, rows) < LAYS)
        lays &= (self.match[rows] % 16 == 3) | (self.match[rows] % 16 == 7)
        low, high = np.where(lays, low, 0), np.where(lays, high, counts)
        pick = low + (uniforms(seed + 1, self.games, rows) * (high - low)).astype(int)
        return ids[np.arange(len(rows)), pick].astype(np.int64)

    # -- the match around the deals ------------------------------------------------------------

    def _start(self, lane: int, number: int) -> None:
        """Deal the first deal of a match."""
        part = self.part
        seats = part.seats[number % len(part.seats)]
        key = np.random.SeedSequence([part.seed, number]).generate_state(1, np.uint64)[0]
        start_match_at(self.games, lane, self.record, seats, key, 1, 0)
        self.match[lane], self.played[lane] = number, 0
        self.books[lane] = Bookkeeper(self.book_rules, seats, int(self.games["dealer"][lane]))
        self._check(lane, "the first deal", self.books[lane].dealt())
        self._advance(np.array([lane]), np.array([-1]))

    def _after_deal(self, lane: int, waiting: Iterator[int]) -> None:
        """Enter a deal that ended, ask for buy-ins, deal on or start the next match."""
        game, book = self.games[lane], self.books[lane]
        self.played[lane] += 1
        self._enter(lane)
        while not book.over and game["phase"] == L.BUY_IN:
            self._decide(lane)
        is_random = self.part.variant == RANDOM
        is_left = self.played[lane] >= (LONGEST_RANDOM if is_random else LONGEST)
        if book.over or (is_left and is_random):
            self._close(lane)
            if (number := next(waiting, None)) is not None:
                self._start(lane, number)
            return
        if is_left:
            self._fail(lane, f"expected an end within {LONGEST} deals, got none")
        deal_next_at(self.games, lane, self.record)
        self._check(lane, "the next deal", book.next_deal())
        self._advance(np.array([lane]), np.array([-1]))

    def _enter(self, lane: int) -> None:
        """Enter a deal that ended, from the cards that are left and the melds on the table."""
        game, book = self.games[lane], self.books[lane]
        out, seats = book.books.eliminated, book.seats
        if any(
            game["thrown"][seat].any() or game["hand_size"][seat] for seat in np.flatnonzero(out)
        ):
            self._fail(lane, "expected no card and no turn for an eliminated seat, got one")
        winner = None if game["winner"] == L.NO_SEAT else int(game["winner"])
        kalooki = winner is not None and _is_kalooki(game, winner)
        if kalooki != bool(game["is_kalooki"]):
            self._fail(lane, f"expected kalooki {kalooki} from the table, got {not kalooki}")
        hands = [
            tuple(np.repeat(np.arange(53), game["hand"][seat]).tolist()) for seat in range(seats)
        ]
        wanted = book.end_deal(hands, winner, kalooki, cut=bool(game["is_cut"]))
        self._check(lane, "the end of the deal", wanted)
        ends = {"deals": 1, "void": game["is_void"], "cut": game["is_cut"], "kalookis": kalooki}
        self.seen.update({name: int(count) for name, count in ends.items()})
        before, after = sum(out), sum(wanted["eliminated"])
        self.seen["eliminated"] += after - before

    def _decide(self, lane: int) -> None:
        """Let the seat that may buy in decide by chance; both answers and no other are legal."""
        count = list_legal_at(self.games, lane, self.record, self.runs, self.work, self.scratch)
        legal = self.work[0]["ids"][:count].tolist()
        if legal != [actions.BUY_IN, actions.DROP_OUT]:
            self._fail(lane, f"expected to buy in or to drop out, got {legal}")
        buys = bool(uniforms(self.part.seed + 2, self.games, np.array([lane]))[0] < BUYS)
        action = actions.BUY_IN if buys else actions.DROP_OUT
        apply_at(self.games, lane, self.record, self.runs, self.work, self.scratch, action)
        self.seen["buy_ins" if buys else "eliminated"] += 1
        self._check(
            lane, f"a decision ({'buy in' if buys else 'drop out'})", self.books[lane].decide(buys)
        )

    def _close(self, lane: int) -> None:
        """Count a match that is over, or one of random rules that need not end."""
        over = self.books[lane].over
        if bool(self.games["match_over"][lane]) != over:
            self._fail(lane, f"expected a match that is over {over}, got {not over}")
        self.games["match_over"][lane] = 1
        self.seen["matches" if over else "left"] += 1
        self.seen["ties"] += len(self.books[lane].winners) > 1
        self.seen["longest"] = max(self.seen["longest"], int(self.played[lane]))

    # -- checks --------------------------------------------------------------------------------

    def _facts(self, lane: int) -> dict[str, Any]:
        """Return what the engine says of a match, under the names of the books."""
        game, seats = self.games[lane], self.books[lane].seats

        def each(field: str) -> list[int]:
            return game[field][:seats].tolist()

        return {
            "totals": each("totals"),
            "money": each("money"),
            "buy_ins": each("buy_ins"),
            "eliminated": [gone == 1 for gone in each("eliminated")],
            "pool": int(game["pool"]),
            "sum of the ledgers and the pool": sum(each("money")) + int(game["pool"]),
            "deal": int(game["deal"]),
            "dealer": int(game["dealer"]),
            "to_decide": game["to_decide"][: game["n_to_decide"]].tolist(),
            "match_winners": np.flatnonzero(game["match_winners"][:seats]).tolist(),
            "to_move": None if game["to_move"] == L.NO_SEAT else int(game["to_move"]),
            "hands": each("hand_size"),
            "stock": int(game["n_stock"]),
            "discards": int(game["n_discards"]),
            "penalties": each("penalties"),
            "chips": each("chips"),
        }

    def _check(self, lane: int, what: str, wanted: dict[str, Any]) -> None:
        """Compare the engine's facts with those of the books."""
        self.seen["checks"] += 1
        facts = self._facts(lane)
        wrong = [
            f"{key} {value}, got {facts[key]}"
            for key, value in wanted.items()
            if facts[key] != value
        ]
        if wrong:
            self._fail(lane, f"{what}: expected {'; '.join(wrong)}")

    def _fail(self, lane: int, sentence: str) -> None:
        part, number = self.part, int(self.match[lane])
        seats = self.books[lane].seats
        raise Violation(
            f"{part.rules}, {seats} seats, deal {int(self.games['deal'][lane])} "
            f"(dealt {int(self.played[lane])}): {sentence}\n  {part.repeat(number)}"
        )


def _is_kalooki(game: np.void, winner: int) -> bool:
    """Tell from the table whether all was laid in the last turn, with no lay-off and no swap."""
    own = (game["melds"]["owner"] == winner) & (np.arange(L.MAX_MELDS) < game["n_melds"])
    added = game["melds"]["added_low"].any() or game["melds"]["added_high"].any()
    return bool(own.any() and game["melds"]["laid"][own].all() and not added and not game["swaps"])


def run_part(part: Part) -> tuple[str, Counter[str], str]:
    """Play a part; return its variant, what was counted, and what is wrong, if anything."""
    table = Table(part)
    try:
        return part.variant, table.play(), ""
    except Violation as error:
        table.seen["violations"] += 1
        return part.variant, table.seen, str(error)
