"""The end of a deal and of a match, in words and as a table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kalooki_env.play.session import ScoreRow, Session
from kalooki_env.play.words import listed
from kalooki_env.render.style import Style, group_cards


def deal_end(result: Mapping[str, Any], names: Sequence[str]) -> str:
    """Say how a deal ended; `result` is `Game.result`."""
    if result["void"]:
        return "Nobody wins: the deal is void, the same dealer deals again."
    if result["winner"] is None:
        return "Nobody wins: the deal was cut, the same dealer deals again."
    winner = names[result["winner"]]
    how = ", with a kalooki" if result["kalooki"] else ""
    return f"{winner[0].upper()}{winner[1:]} won{how}."


def match_end(result: Mapping[str, Any], names: Sequence[str], me: int) -> str:
    """Say who won a match; `me` is the seat that is called "you"."""
    winner = result["match_winner"]
    winners = winner if isinstance(winner, list) else [] if winner is None else [winner]
    if not winners:
        return "The match is over."
    verb = "win" if len(winners) > 1 or winners == [me] else "wins"
    return f"The match is over: {listed([names[seat] for seat in winners])} {verb} it."


def table(rows: Sequence[ScoreRow], names: Sequence[str], style: Style, stakes: bool) -> str:
    """Write the score of a deal: penalty, chips where there are stakes, total, cards left."""
    wide = max(len(name) for name in names)
    chips = "  chips" if stakes else ""
    lines = [style.dim(f"  {'':<{wide}}  penalty{chips}  total   cards left")]
    for row in rows:
        name = f"  {names[row.seat]:<{wide}}"
        if row.eliminated and not (row.won or row.hand):
            lines.append(style.dim(f"{name}  out of the match"))
            continue
        chips = f"  {row.chips:>+5}" if stakes else ""
        left = "out" if row.won else style.cards(_grouped(row.hand))
        out = "   eliminated" if row.eliminated else ""
        lines.append(f"{name}  {row.penalty:>7}{chips}  {row.total:>5}   {left}{out}")
    return "\n".join(lines)


def _grouped(hand: str) -> str:
    return "  ".join(" ".join(group) for group in group_cards(hand.split()))


def sheet(session: Session) -> list[tuple[str, list[str]]]:
    """Write the score sheet of a match: a line a deal, its number and a cell for each seat.

    A cell is what the deal brought: a penalty, or what the winner gained; then who bought in or
    went out of the match.
    """
    rows: list[tuple[str, list[str]]] = []
    seats, number, was_out = len(session.names), 1, [False] * len(session.names)
    gains = session.game.rules.scoring == "collect" or session.game.rules.match == "points"
    for result, bought, dropped in _deals(session.recorder.entries):
        if result["winner"] is None:
            rows.append((str(number), ["void" if result["void"] else "cut"] * seats))
            continue
        cells = []
        for seat in range(seats):
            cell = _cell(result, seat, gains)
            if was_out[seat]:
                cell = "."
            elif seat in bought:
                cell += ", buys in"
            elif result["eliminated"][seat] or seat in dropped:
                cell += ", out"
            cells.append(cell)
        was_out = [
            out or result["eliminated"][seat] or seat in dropped for seat, out in enumerate(was_out)
        ]
        rows.append((str(number), cells))
        number += 1
    return rows


def _cell(result: Mapping[str, Any], seat: int, gains: bool) -> str:
    """Write what a deal brought a seat."""
    if seat != result["winner"]:
        return str(result["penalties"][seat])
    won = "kalooki" if result["kalooki"] else "won"
    return f"{won} +{sum(result['penalties'])}" if gains else won


def _deals(
    entries: Sequence[Mapping[str, Any]],
) -> Iterator[tuple[Mapping[str, Any], set[int], set[int]]]:
    """Yield the results of a match's deals, and the seats that bought in and that dropped out
    after each."""
    result: Mapping[str, Any] | None = None
    decided: dict[str, set[int]] = {}
    for entry in entries:
        if "deal" in entry and result is not None:
            yield result, decided["buy in"], decided["drop out"]
            result = None
        elif "result" in entry:
            result, decided = entry["result"], {"buy in": set(), "drop out": set()}
        elif result is not None and entry.get("move") in decided:
            decided[entry["move"]].add(entry["seat"])
    if result is not None:
        yield result, decided["buy in"], decided["drop out"]
