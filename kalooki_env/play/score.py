"""The end of a deal and of a match, in words and as a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from kalooki_env.play.session import ScoreRow
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
