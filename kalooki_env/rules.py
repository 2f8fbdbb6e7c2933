"""The rules of one variant: every knob, the nine presets, validation, digest.

`Rules.preset("british", opening_points=51)` is the usual way to make one. A `Rules` is frozen and
hashable; a changed copy comes from `dataclasses.replace`, which validates again.
"""

import dataclasses
import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kalooki_env.cards import CARDS, HIGH_ACE, JOKER, LOW_ACE, make_card, position_rank
from kalooki_env.checks import as_whole, close_names
from kalooki_env.engine.layout import MAX_SEATS, RULES, UNLIMITED, as_records
from kalooki_env.errors import RulesError, shown
from kalooki_env.knobs import (
    RANGES,
    WORDS,
    check_names,
    checked_contracts,
    checked_hand_size,
    checked_int,
    checked_word,
)
from kalooki_env.observation import rules_block

TURN_CAP = 400
"""Turns after which environments, batches and the arena cut a deal where the rules name no cap."""
_TOLD = 3
"""Knobs that an error names at most."""


@dataclass(frozen=True)
class Rules:
    """Every knob of a variant; the defaults are those of the preset `british`. None = no limit."""

    decks: int = 2
    """Packs of 52 shuffled together, 1-2."""
    jokers: int = 2
    """Jokers in the whole pack, 0-4, whatever the number of decks."""
    ranks: int = 13
    """Ranks played with, 5-13: the highest, the ace counted high. Fewer than 13: no low ace."""
    suits: int = 4
    """Suits played with, 1-4: the first of C D H S."""
    min_seats: int = 2
    """Fewest seats at a table, 2-6."""
    max_seats: int = 5
    """Most seats at a table, 2-6."""
    hand_size: int | tuple[tuple[int, int], ...] = 13
    """Cards dealt to a seat, 3-17: a number, or a mapping from seats dealt to (kept as pairs)."""
    ace: str = "high"
    """"high" (Q K A only) or "both" (A 2 3 too)."""
    ace_points: int = 11
    """Points of a high ace and of an ace in a set, towards the opening."""
    ace_low_points: int = 1
    """Points of a low ace towards the opening; unused where the ace is only high."""
    ace_penalty: int = 11
    """Penalty of an ace left in hand."""
    joker_penalty: int = 15
    """Penalty of a joker left in hand."""
    opening_points: int = 40
    """Points that the first melds of a seat reach in one turn, 0-200; unused with contracts."""
    contracts: tuple[str, ...] | None = None
    """Melds asked for in each deal, such as "334" (3 = set, 4 = run of four); None = by points."""
    discard_before_opening: str = "to_open"
    """Whether a seat that is not open takes the top discard: "free", "to_open" or "never"."""
    first_turn_take: bool = True
    """Whether the first seat may take the up-card in the first turn without any duty."""
    melds_per_turn: int | None = 1
    """New melds a turn after the opening turn; 0 = none."""
    layoff_limit: int | None = 2
    """Cards laid off in one turn, counted as `layoff_scope` says."""
    layoff_scope: str = "end"
    """What `layoff_limit` counts: one "end" of a run, one "meld", or the whole "turn"."""
    announce: str = "auto"
    """Announcing the last cards: "auto" (done for the seat), "manual" (a decision) or "off"."""
    max_rebuilds: int | None = 1
    """How often the stock is rebuilt from the discards in one deal."""
    kalooki_penalty: int = 0
    """Added to the penalty of each loser of a kalooki: 0 or 25."""
    scoring: str = "penalty"
    """"penalty" (each seat its own hand) or "collect" (the winner gains the sum of the others)."""
    match: str = "pool"
    """How a match is won: "pool", "lowest", "highest", "ring", "elimination" or "points"."""
    out_above: int | None = 150
    """A total above it is out of the match ("pool" and "elimination")."""
    target: int | None = None
    """A total that ends the match ("lowest" and "points")."""
    deals: int | None = None
    """Deals that end the match; None = as `match` says. A "ring" match always has one."""
    buy_ins: int = 2
    """Buy-ins allowed to a seat in a match."""
    initial: int = 5
    """Stake that each seat pays into the pool at the start of a match."""
    call_up: int = 1
    """Stake that each loser pays the winner of a deal."""
    kalooki: int = 2
    """Stake that each loser pays instead for a kalooki."""
    buy_in: int = 5
    """Price of a buy-in, paid into the pool."""
    ring_payout: str = "each"
    """How a ring game pays its losers: "each" (at most a share of 25 %) or "split25"."""
    turn_cap: int | None = None
    """Turns after which a deal is cut; no rule of the game, environments set one."""

    def __post_init__(self) -> None:
        for field, (low, high) in RANGES.items():
            self._set(field, checked_int(field, getattr(self, field), low, high))
        for field in WORDS:
            self._set(field, checked_word(field, getattr(self, field)))
        if not isinstance(self.first_turn_take, bool):
            raise RulesError(
                f"first_turn_take: expected true or false, got {shown(self.first_turn_take)}"
            )
        if type(self.kalooki_penalty) is not int or self.kalooki_penalty not in (0, 25):
            raise RulesError(
                f"kalooki_penalty: expected 0 or 25, got {shown(self.kalooki_penalty)}"
            )
        if self.min_seats > self.max_seats:
            raise RulesError(
                f"min_seats: expected at most max_seats ({self.max_seats}), got {self.min_seats}"
            )
        self._set("hand_size", checked_hand_size(self.hand_size))
        self._set("contracts", checked_contracts(self.contracts))
        if self.contracts and self.deals and self.deals > len(self.contracts):
            raise RulesError(
                f"deals: expected at most {len(self.contracts)}, one for each contract, "
                f"got {self.deals}"
            )

    def _set(self, field: str, value: object) -> None:
        object.__setattr__(self, field, value)

    # Making rules

    @classmethod
    def preset(cls, name: str, /, **overrides: object) -> "Rules":
        """Return the preset of this name with some knobs changed.

        Raises RulesError for an unknown preset or knob (naming close ones) or a value out of range.
        """
        if not isinstance(name, str) or name not in PRESETS:
            hint = close_names(name, PRESETS)
            raise RulesError(
                f"preset: expected one of {', '.join(PRESETS)}, got {shown(name)}{hint}"
            )
        check_names(overrides, _FIELDS)
        return dataclasses.replace(PRESETS[name], **overrides) if overrides else PRESETS[name]

    @classmethod
    def from_dict(cls, fields: Mapping[str, object]) -> "Rules":
        """Return the rules that `to_dict` described (also after a trip through JSON)."""
        if not isinstance(fields, Mapping):
            raise RulesError(f"expected every knob by name, got {shown(fields)}")
        check_names(fields, _FIELDS)
        missing = [name for name in _FIELDS if name not in fields]
        if missing:
            raise RulesError(f"expected every knob or a preset, got none for {', '.join(missing)}")
        return cls(**fields)

    @classmethod
    def from_value(cls, value: "str | Mapping[str, object] | Rules") -> "Rules":
        """Return rules from a preset name, from `{preset: name, knob: value, ...}`, or as they are.

        A mapping without `preset` must name every knob, as `to_dict` does.
        """
        if isinstance(value, Rules):
            return value
        if isinstance(value, str):
            return cls.preset(value)
        if not isinstance(value, Mapping):
            raise RulesError(
                f"rules: expected a preset name, a mapping or Rules, got {shown(value)}"
            )
        fields = dict(value)
        if fields.get("announce") is False:
            fields["announce"] = "off"  # YAML reads a bare off as false
        if "preset" not in fields:
            return cls.from_dict(fields)
        preset = fields.pop("preset")
        check_names(fields, _FIELDS)
        return cls.preset(preset, **fields)

    # Showing rules

    @functools.cached_property
    def name(self) -> str:
        """The preset's name, or that of the nearest preset with a star, such as `british*`."""

        def distance(preset: Rules) -> int:
            return sum(getattr(preset, name) != getattr(self, name) for name in _FIELDS)

        nearest = min(PRESETS, key=lambda name: distance(PRESETS[name]))
        return nearest if PRESETS[nearest] == self else nearest + "*"

    @property
    def title(self) -> str:
        """The preset's name, or in words what differs: `british with opening_points 51`."""
        preset, knobs = self.changes()
        if not knobs:
            return preset
        told = [f"{knob} {value}" for knob, value in list(knobs.items())[:_TOLD]]
        more = f" and {len(knobs) - _TOLD} more" if len(knobs) > _TOLD else ""
        return f"{preset} with {', '.join(told)}{more}"

    def to_dict(self) -> dict[str, object]:
        """Return every knob by name, in plain values that JSON and YAML can hold."""
        fields = {name: getattr(self, name) for name in _FIELDS}
        if not isinstance(self.hand_size, int):
            fields["hand_size"] = dict(self.hand_size)
        if self.contracts is not None:
            fields["contracts"] = list(self.contracts)
        return fields

    def changes(self) -> tuple[str, dict[str, object]]:
        """Return the preset that these rules are nearest to, and the knobs that differ from it."""
        preset = self.name.rstrip("*")
        usual = PRESETS[preset].to_dict()
        return preset, {
            knob: value for knob, value in self.to_dict().items() if value != usual[knob]
        }

    def digest(self) -> str:
        """Return 16 hexadecimal digits that are the same for equal rules only, on any machine."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    # What follows from the knobs

    @property
    def low_position(self) -> int:
        """Lowest position of a run: 1 with a low ace, else 2, or more with fewer ranks."""
        return LOW_ACE if self.ace == "both" and self.ranks == 13 else HIGH_ACE + 1 - self.ranks

    @property
    def has_stakes(self) -> bool:
        """Whether any money changes hands."""
        return max(self.initial, self.call_up, self.kalooki, self.buy_in) > 0

    @property
    def pack_size(self) -> int:
        """Cards in the pack, jokers included."""
        return self.decks * self.ranks * self.suits + self.jokers

    def deck_counts(self) -> np.ndarray:
        """Return the copies of each card type in the pack: int8[53]."""
        counts = np.zeros(CARDS, np.int8)
        for suit in range(self.suits):
            for position in range(HIGH_ACE + 1 - self.ranks, HIGH_ACE + 1):
                counts[make_card(suit, position_rank(position))] = self.decks
        counts[JOKER] = self.jokers
        return counts

    def position_points(self, position: int) -> int:
        """Return the points towards the opening of a card at a run position 1..14."""
        if position == LOW_ACE:
            return self.ace_low_points if self.low_position == LOW_ACE else 0
        return self.ace_points if position == HIGH_ACE else min(position, 10)

    def rank_points(self, rank: int) -> int:
        """Return the points towards the opening of one card of a set of a rank index 0..12."""
        return self.ace_points if rank == 0 else min(rank + 1, 10)

    def card_penalty(self, card: int) -> int:
        """Return the penalty of a card type 0..52 left in hand."""
        if card == JOKER:
            return self.joker_penalty
        return self.ace_penalty if card % 13 == 0 else min(card % 13 + 1, 10)

    def hand_size_for(self, seats: int, deal: int = 1) -> int:
        """Return the cards dealt to each of so many seats in a deal (numbered from 1).

        A contract that needs more cards than `hand_size` gets one more than it needs.
        """
        size = self._plain_hand_size(seats)
        if size is None:
            counts = ", ".join(str(count) for count, _ in self.hand_size)
            raise RulesError(
                f"seats: expected a number that hand_size names ({counts}), got {seats}"
            )
        if not self.contracts:
            return size
        if not 1 <= deal <= len(self.contracts):
            raise RulesError(
                f"deal: expected 1-{len(self.contracts)}, one for each contract, got {deal}"
            )
        return max(size, sum(int(meld) for meld in self.contracts[deal - 1]) + 1)

    def _plain_hand_size(self, seats: int) -> int | None:
        """Return `hand_size` for so many seats, or None where it names others only."""
        return (
            self.hand_size if isinstance(self.hand_size, int) else dict(self.hand_size).get(seats)
        )

    @property
    def last_deal(self) -> int | None:
        """Number of the deal that ends a match at the latest, None where no number does."""
        if self.match == "ring":
            return 1
        if self.deals is None and self.contracts:
            return len(self.contracts)
        return self.deals

    def check_seats(self, seats: int, episode: str = "deal", deal: int | None = None) -> int:
        """Return the seats as a plain int; raise RulesError, with the arithmetic, unless so many can
        be dealt.

        Of contracts those count that are played: in a match the first `last_deal`, else `deal`
        alone, or one at least where none is named. With `episode="match"` also the smaller tables
        that eliminations leave must be dealt, and the match must have an end; `deal` is then the
        number of the deal that the match stands at, None for the first.
        """
        low, high = self.min_seats, self.max_seats
        number = as_whole(seats)
        if number is None:
            raise RulesError(f"seats: expected a number {low}-{high}, got {shown(seats)}")
        if not low <= number <= high:
            raise RulesError(f"seats: expected {low}-{high} in {self.title}, got {number}")
        if episode == "match":
            self._check_match_end()
            self._check_match_deals(number, deal or 1)
        elif deal is None:
            self._check_dealable(number, self._shortest_deal(number))
        else:
            self._check_dealable(number, deal)
        return number

    def _check_match_deals(self, seats: int, deal: int) -> None:
        """Raise RulesError unless every deal of a match can be dealt from number `deal` on."""
        contracts = len(self.contracts or "1")
        last = min(self.last_deal or contracts, contracts)
        self._check_dealable(seats, min(deal, contracts))
        for number in range(1, last + 1):
            self._check_dealable(seats, number)
        knocks_out = self.match in ("pool", "elimination") and self.out_above is not None
        if not knocks_out or self.last_deal == 1:
            return
        for count in range(seats - 1, 1, -1):
            for number in range(min(2, contracts), last + 1):
                self._check_dealable(count, number)

    def _shortest_deal(self, seats: int) -> int:
        """Return the number of the deal in which the fewest cards are dealt."""
        deals = range(1, len(self.contracts or "1") + 1)
        return min(deals, key=lambda deal: self.hand_size_for(seats, deal))

    def _check_dealable(self, seats: int, deal: int) -> None:
        """Raise RulesError unless the pack suffices for so many seats in a deal."""
        size = self.hand_size_for(seats, deal)
        dealt = seats * size + 1
        left = self.pack_size - dealt
        if left < seats:
            contract = f" for contract {deal}" if self.contracts else ""
            raise RulesError(
                f"seats: expected a number that can be dealt, got {seats}: {seats} x {size} + 1 = "
                f"{dealt} cards dealt{contract} of a pack of {self.pack_size} leave {max(left, 0)} for "
                f"the stock, which needs {seats}, one a seat; use fewer seats or a smaller hand_size"
            )

    def _check_match_end(self) -> None:
        """Raise RulesError for a match that nothing could end."""
        limits = {"pool": "out_above", "elimination": "out_above", "lowest": "target"}
        limit = (limits | {"points": "target"}).get(self.match)
        if self.last_deal is not None or (limit and getattr(self, limit) is not None):
            return
        ends = [name for name in (limit, "deals", "contracts") if name]
        raise RulesError(
            f'expected {" or ".join(ends)} to end a match of the kind "{self.match}", got None'
        )

    # The engine's form

    def record(self) -> np.ndarray:
        """Return these rules as the engine reads them: a fresh array of dtype RULES, shape (1,)."""
        # NumPy's own copy goes through the fields one by one, which takes ten times as long.
        return as_records(np.frombuffer(bytearray(self._record.tobytes()), RULES))

    def __getstate__(self) -> dict[str, object]:
        """Return the knobs alone: the engine's record of them belongs to this version."""
        return {name: getattr(self, name) for name in _FIELDS}

    @functools.cached_property
    def _record(self) -> np.ndarray:
        record = np.zeros(1, RULES)
        row = record[0]
        for name in RULES.names:
            if name in WORDS:
                row[name] = WORDS[name].index(getattr(self, name))
            elif name in ("melds_per_turn", "layoff_limit", "max_rebuilds"):
                value = getattr(self, name)
                row[name] = UNLIMITED if value is None else value
            elif name in RANGES:
                value = getattr(self, name)
                row[name] = -1 if value is None else value
        row["low_position"] = self.low_position
        row["max_set"] = min(4, self.suits)
        row["first_turn_take"] = self.first_turn_take
        row["kalooki_penalty"] = self.kalooki_penalty
        row["run_points"][1:] = [self.position_points(p) for p in range(1, HIGH_ACE + 1)]
        row["set_points"][:] = [self.rank_points(rank) for rank in range(13)]
        row["pack"][:] = self.deck_counts()
        row["penalty"][:] = [self.card_penalty(card) for card in range(CARDS)]
        for seats in range(2, MAX_SEATS + 1):
            try:
                self._check_dealable(seats, self._shortest_deal(seats))
            except RulesError:
                continue
            row["hand_size"][seats] = self._plain_hand_size(seats)
        for deal, contract in enumerate(self.contracts or ()):
            row["contracts"][deal, : len(contract)] = [int(meld) for meld in contract]
        row["n_contracts"] = len(self.contracts or ())
        row["shown"] = rules_block(row)
        return record


KNOBS = _FIELDS = tuple(field.name for field in dataclasses.fields(Rules))
"""The names of all knobs."""

_KALOOKI_40 = Rules(
    ace="both",
    discard_before_opening="free",
    first_turn_take=False,
    melds_per_turn=None,
    layoff_limit=None,
    announce="off",
    max_rebuilds=None,
    match="lowest",
    out_above=None,
    target=100,
    buy_ins=0,
    initial=0,
    call_up=0,
    kalooki=0,
    buy_in=0,
)
_KALOOKI_51 = dataclasses.replace(
    _KALOOKI_40, max_seats=4, joker_penalty=25, opening_points=51, kalooki_penalty=25, target=None
)

PRESETS: dict[str, Rules] = {
    "british": Rules(),
    "european": Rules(discard_before_opening="never", melds_per_turn=None),
    "north_american": Rules(
        jokers=4,
        max_seats=6,
        hand_size={2: 15, 3: 15, 4: 15, 5: 13, 6: 11},
        ace="both",
        ace_points=15,
        ace_low_points=15,
        ace_penalty=15,
        joker_penalty=25,
        opening_points=51,
        melds_per_turn=None,
        scoring="collect",
        match="highest",
        out_above=None,
        deals=1,
        buy_ins=0,
        initial=0,
        call_up=0,
        kalooki=0,
        buy_in=0,
    ),
    "kalooki40": _KALOOKI_40,
    "double_deck": dataclasses.replace(_KALOOKI_40, jokers=4, max_seats=6),
    "contract": dataclasses.replace(
        _KALOOKI_40,
        jokers=4,
        opening_points=0,
        contracts=("333", "334", "344", "444", "3333", "3334", "3344", "3444", "4444"),
        melds_per_turn=0,
        max_rebuilds=1,
        target=None,
    ),
    "hunt51": dataclasses.replace(_KALOOKI_51, deals=1),
    "ring51": dataclasses.replace(_KALOOKI_51, match="ring", initial=100),
    "tournament51": dataclasses.replace(
        _KALOOKI_51, match="elimination", out_above=150, target=150, initial=100
    ),
}
"""The nine variants by name."""
