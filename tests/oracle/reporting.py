"""Tell what a run of the agreement has compared: tables, disagreements, quotas missed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import census
from .comparing import Tally
from .players import STYLES


def positions(tally: Tally, *labels: object) -> int:
    """Count the positions whose labels (preset, variant, origin, seats) begin so."""
    return sum(
        count
        for key, count in tally.counts.items()
        if key[0] == "positions" and key[1 : 1 + len(labels)] == labels
    )


def disagreements(tally: Tally) -> int:
    """Count the disagreements."""
    return sum(count for key, count in tally.counts.items() if key[0] == "disagreements")


def presets_table(tally: Tally, presets: Iterable[str], seats: Sequence[int]) -> list[str]:
    """Write how many positions of each preset were compared, by seats where play reached them."""
    head = f"{'positions by play':20}" + "".join(f"{n:>5} seats" for n in seats)
    lines = [head + f"{'constructed':>14}{'with override':>15}{'in all':>10}"]
    sums = [0] * (len(seats) + 3)
    for preset in presets:
        row = [sum(positions(tally, preset, preset, style, n) for style in STYLES) for n in seats]
        pure, every = positions(tally, preset, preset, "constructed"), positions(tally, preset)
        row += [pure, every - sum(row) - pure, every]
        sums = [total + more for total, more in zip(sums, row, strict=True)]
        lines.append(_row(preset, row))
    return [*lines, _row("in all", sums)]


def _row(name: str, cells: list[int]) -> str:
    *by_seats, pure, other, every = cells
    text = "".join(f"{n:11}" if n else f"{'-':>11}" for n in by_seats)
    return f"{name:20}{text}{pure:14}{other:15}{every:10}"


def states_table(tally: Tally, presets: Iterable[str]) -> list[str]:
    """Write how often each rare state was met, without overrides and in all."""
    lines = [f"{'rare states':40}{'plain':>10}{'in all':>10}"]
    for preset in presets:
        lines.append(preset)
        for state in (*census.QUOTAS, *census.REMARKS):
            plain = tally.counts["state without override", preset, state]
            every = tally.counts["state", preset, state]
            lines.append(f"  {state:38}{plain:10}{every:10}")
    return lines


def counts_of(tally: Tally, presets: Iterable[str], kind: str, title: str) -> list[str]:
    """Write what was counted of a kind, a line for each preset."""
    lines = [title]
    for preset in presets:
        found = {key[2]: n for key, n in tally.counts.items() if key[:2] == (kind, preset)}
        told = ", ".join(f"{name} {n}" for name, n in sorted(found.items()))
        lines.append(f"  {preset}: {told or '-'}")
    return lines


def checks_table(tally: Tally) -> list[str]:
    """Write how often each thing was compared."""
    checks = {key[1]: n for key, n in tally.counts.items() if key[0] == "checks"}
    return ["what was compared"] + [f"  {n:8}  {what}" for what, n in sorted(checks.items())]
