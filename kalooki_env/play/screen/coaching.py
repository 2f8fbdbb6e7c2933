"""What the coach says, laid out for a page."""

from collections.abc import Sequence

from rich.text import Text

from kalooki_env.play.coach import Advice, Difference, Missing
from kalooki_env.play.screen.palette import COLORS, dressed
from kalooki_env.render.boxes import Face
from kalooki_env.render.style import group_cards

_BAR = 24


def advice(said: Advice, face: Face) -> Text:
    """Write what the checkpoint would play and what the hand lacks."""
    text = Text()
    certain = len(said.moves) == 1
    text.append(f"{said.name} would play\n\n", style=f"bold {COLORS['gold']}")
    for weighed in said.moves:
        if certain:
            text.append("  ")
        else:
            text.append_text(_bar(weighed.chance, face))
        text.append_text(dressed(weighed.move, face)).append("\n")
    if said.second is not None:
        name, move = said.second
        text.append(f"\n{name} would play  ").append_text(dressed(move, face)).append("\n")
    if said.can_open is not None:
        text.append("\nYour opening\n\n", style=f"bold {COLORS['gold']}")
        text.append_text(dressed(_opening(said), face))
    return text


def _bar(chance: float, face: Face) -> Text:
    """Write a probability as a bar and a number."""
    full = round(chance * _BAR)
    block, rest = ("█", "░") if face.symbols else ("#", ".")
    text = Text("  ").append(block * full, style=COLORS["green"])
    return text.append(rest * (_BAR - full), style=COLORS["dim"]).append(f" {percent(chance):>6}  ")


def percent(chance: float) -> str:
    """Write a probability in percent."""
    return f"{100 * chance:.0f} %" if chance >= 0.095 or chance == 0 else f"{100 * chance:.1f} %"


def _opening(said: Advice) -> str:
    """Say how far the hand is from opening, and what it waits for."""
    if said.can_open:
        return "  Your hand can open now."
    lines = []
    if said.points is not None:
        lines.append(
            f"  The melds in your hand are worth {said.points} of the {said.needed} points."
        )
    if said.missing:
        cards = "   ".join(_missing(missing) for missing in said.missing[:12])
        lines.append(f"  Any one of these opens it (copies not seen yet):\n\n  {cards}")
    else:
        lines.append("  No single card opens it.")
    return "\n".join(lines)


def _missing(missing: Missing) -> str:
    return f"{missing.card} ({missing.unseen})"


def _sorted(hand: Sequence[str]) -> str:
    """Write a hand in the order in which it lies on the table."""
    return "  ".join(" ".join(group) for group in group_cards(hand))


def review(found: Sequence[Difference], name: str, face: Face) -> Text:
    """Write where the person and the checkpoint differed most."""
    if not found:
        return Text(f"{name} would have played just like you in this deal.")
    text = Text(f"Where you and {name} differed most, the widest first:\n")
    for number, item in enumerate(found, 1):
        text.append(f"\n{number}. Turn {item.turn}", style=f"bold {COLORS['gold']}")
        text.append("   your hand  ").append_text(dressed(_sorted(item.hand), face))
        text.append("\n   you      ").append_text(dressed(item.played.move, face))
        text.append(f"   {percent(item.played.chance)}", style=COLORS["dim"])
        text.append(f"\n   {name}  ").append_text(dressed(item.better.move, face))
        text.append(f"   {percent(item.better.chance)}\n", style=COLORS["dim"])
    return text
