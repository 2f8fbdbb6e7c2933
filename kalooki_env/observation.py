"""What a seat may know, as one flat uint8 vector of named blocks.

The size is the same for every variant and number of seats: seats are counted from the observer (0
is the observer, 1 the seat on its left), absent seats are zero. A block named `..._k` belongs to
relative seat k. Values above 255 are clipped; totals are in units of 2. Card blocks have one entry
for each of the 53 card types, position blocks (`56`) one for each suit and position 1..14 of a run.
Any change of meaning or order bumps `VERSION`.
"""

from dataclasses import dataclass

import numpy as np

VERSION = 2


@dataclass(frozen=True)
class Block:
    """One named part of the observation: entries `offset` to `offset + size` of the vector."""

    name: str
    offset: int
    size: int
    scale: float
    """Factor that brings the values to about 0..1, for networks."""
    who: str
    """"own": only the observer knows it; "public": every seat does."""
    meaning: str


SEAT_ENTRIES = (
    "present", "cards", "one card", "two cards", "three cards", "four cards", "open", "announced",
    "barred", "dealer", "to move", "out of the match", "total / 2", "buy-ins",
)  # fmt: skip
TURN_ENTRIES = (
    "points laid", "points still needed to open", "taken card must be laid", "was open",
    "jokers owed", "jokers released", "cards laid off", "melds laid", "cards to keep",
)  # fmt: skip
PILE_ENTRIES = ("stock", "rebuilds", "discards", "turn", "deal")
RULE_ENTRIES = (
    "decks", "jokers", "lowest position", "suits", "cards dealt", "opening points", "sets of the contract",
    "runs of the contract", "discard free", "discard to open", "discard never", "first turn take",
    "melds a turn", "lay-off limit", "limit by end", "limit by meld", "limit by turn", "announce auto",
    "announce manual", "rebuilds", "ace high points", "ace low points", "ace penalty", "joker penalty",
    "kalooki penalty", "collect", "pool", "lowest", "highest", "ring", "elimination", "points", "out above / 2",
    "target / 2", "deals", "match",
)  # fmt: skip


def _rows() -> list[tuple[str, int, float, str, str]]:
    """The blocks in order: name, size, scale, who, meaning."""
    rows = [
        ("hand", 53, 0.5, "own", "copies held"),
        ("run_links", 52, 0.25, "own", "cards held within two places of this one in its suit"),
        ("set_links", 52, 0.33, "own", "other suits held of its rank"),
        ("phase", 5, 1, "public", "draw, play, announce, buy in, over"),
        (
            "question",
            3,
            1,
            "own",
            "nothing, a place for a spare joker, or which table meld is asked",
        ),
        ("turn", len(TURN_ENTRIES), 0.1, "public", ", ".join(TURN_ENTRIES)),
        ("stock", 53, 0.5, "own", "copies the stock may hold as far as the seat can tell"),
        ("twin", 1, 1, "own", "an equal card was in the hand before the take"),
        ("taken", 53, 1, "public", "the card taken from the discard pile this turn"),
        ("up_card", 53, 1, "public", "the top of the discard pile"),
        ("recent", 159, 1, "public", "the three discards below the top, newest first"),
        ("discards", 53, 0.5, "public", "copies in the discard pile"),
        ("table", 53, 0.5, "public", "copies on the table"),
        ("run_low", 56, 1, "public", "runs that take this card next at the low end this turn"),
        ("run_high", 56, 1, "public", "runs that take this card next at the high end this turn"),
        ("run_jokers", 56, 1, "public", "jokers of runs that stand for this card"),
        ("set_open", 52, 1, "public", "sets of three that lack this card"),
        ("set_swap", 52, 1, "public", "sets of three with a joker that lack this card"),
        ("begun_run", 56, 1, "own", "places of the run that was begun"),
        ("begun_jokers", 14, 1, "own", "its jokers so far, by position"),
        ("begun_card", 53, 1, "own", "a card of the lay-off or swap that was begun"),
        (
            "begun_low",
            36,
            0.1,
            "own",
            "table melds it may go to: first position, or 1 + suits of a set",
        ),
        ("begun_high", 36, 0.1, "own", "and last position, or cards of a set"),
        ("piles", len(PILE_ENTRIES), 0.05, "public", ", ".join(PILE_ENTRIES)),
        ("seats", 5, 1, "public", "number of seats, 2 to 6"),
        ("rules", len(RULE_ENTRIES), 0.1, "public", ", ".join(RULE_ENTRIES)),
    ]
    rows += [
        (f"seat_{k}", len(SEAT_ENTRIES), 0.2, "public", ", ".join(SEAT_ENTRIES)) for k in range(6)
    ]
    for k in range(6):
        rows.append(
            (f"known_{k}", 53, 1, "public", "cards it took or released in the open and still holds")
        )
        rows.append((f"thrown_{k}", 53, 0.5, "public", "cards it discarded in this deal"))
        rows.append((f"refused_{k}", 53, 0.5, "public", "top discards it passed over by drawing"))
    return rows


def _blocks() -> tuple[Block, ...]:
    blocks, offset = [], 0
    for name, size, scale, who, meaning in _rows():
        blocks.append(Block(name, offset, size, float(scale), who, meaning))
        offset += size
    return tuple(blocks)


BLOCKS = _blocks()
SIZE = BLOCKS[-1].offset + BLOCKS[-1].size
_BY_NAME = {block.name: block for block in BLOCKS}


def block(name: str) -> Block:
    """Return the block of this name; KeyError with the known names if there is none."""
    if name not in _BY_NAME:
        raise KeyError(f"expected a block of the observation ({', '.join(_BY_NAME)}), got {name!r}")
    return _BY_NAME[name]


def offset(name: str) -> int:
    """Return where the block of this name begins."""
    return block(name).offset


def block_columns(names: list[str] | tuple[str, ...]) -> np.ndarray:
    """Return the columns (int64, in the order of the names) of some blocks."""
    return np.concatenate(
        [np.arange(block(n).offset, block(n).offset + block(n).size) for n in names]
    )


def rules_block(rules: np.void) -> np.ndarray:
    """Return what block `rules` shows of a RULES record, uint8[36].

    What depends on the table or the deal is 0: the cards dealt, the contract, whether it is a
    match.
    """
    shown = dict.fromkeys(RULE_ENTRIES, 0)
    shown["decks"], shown["jokers"] = rules["decks"], rules["jokers"]
    shown["lowest position"], shown["suits"] = rules["low_position"], rules["suits"]
    shown["opening points"] = rules["opening_points"]
    discard = ("discard free", "discard to open", "discard never")
    shown[discard[rules["discard_before_opening"]]] = 1
    shown["first turn take"] = rules["first_turn_take"]
    shown["melds a turn"], shown["lay-off limit"] = rules["melds_per_turn"], rules["layoff_limit"]
    shown[("limit by end", "limit by meld", "limit by turn")[rules["layoff_scope"]]] = 1
    if rules["announce"] > 0:
        shown[("announce auto", "announce manual")[rules["announce"] - 1]] = 1
    shown["rebuilds"] = rules["max_rebuilds"]
    shown["ace high points"], shown["ace low points"] = rules["run_points"][[14, 1]]
    shown["ace penalty"], shown["joker penalty"] = rules["penalty"][[0, -1]]
    shown["kalooki penalty"] = rules["kalooki_penalty"]
    shown["collect"] = rules["scoring"]
    match = ("pool", "lowest", "highest", "ring", "elimination", "points")
    shown[match[rules["match"]]] = 1
    shown["out above / 2"], shown["target / 2"] = rules["out_above"] // 2, rules["target"] // 2
    shown["deals"] = rules["deals"]
    return np.clip([int(value) for value in shown.values()], 0, 255).astype(np.uint8)


def seat_blocks(seats: int) -> tuple[str, ...]:
    """Return the names of the blocks that are not always zero at a table of `seats` seats."""
    names = []
    for b in BLOCKS:
        stem, _, last = b.name.rpartition("_")
        if not (stem and last.isdigit()) or int(last) < seats:
            names.append(b.name)
    return tuple(names)


def scales() -> np.ndarray:
    """Return the factor of every entry, float32[SIZE]."""
    return np.concatenate([np.full(b.size, b.scale, np.float32) for b in BLOCKS])


def describe() -> str:
    """Return the page `docs/observation.md`: the table of blocks, in Markdown."""
    lines = [
        "# The observation",
        "",
        f"Version {VERSION}: uint8[{SIZE}], {len(BLOCKS)} named blocks. This page is written by",
        "`python -m kalooki_env.observation > docs/observation.md`.",
        "",
        *(__doc__ or "").split("\n\n", 1)[1].strip().splitlines(),
        "",
        "| block | offset | size | who | meaning |",
        "|---|---|---|---|---|",
    ]
    lines += [f"| `{b.name}` | {b.offset} | {b.size} | {b.who} | {b.meaning} |" for b in BLOCKS]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(describe(), end="")
