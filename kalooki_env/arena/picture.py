"""The picture of a ladder: a dot and its interval for each agent, a panel for each preset and seats.

Needs matplotlib, the extra `plot`.
"""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from kalooki_env.arena.crossplay import Ladder, Ladders
from kalooki_env.arena.ladder_file import LadderError
from kalooki_env.arena.rating import ANCHOR_RATING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = (".svg", ".png", ".pdf")
BLUE, GREY = "#0072B2", "#999999"
_STYLE = {
    "svg.hashsalt": "kalooki",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.titlesize": 9.5,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
}
_COLUMNS = 2
_FAR, _ROOM, _LABEL = 350, 25, 0.12
"""Points below the anchor from which on an agent is far, points at each side of the axis, and the part
of it that is left for the ratings of those who are far."""


def check_drawable(path: str | Path) -> None:
    """Raise LadderError unless pictures of this name can be drawn here."""
    if Path(path).suffix not in FORMATS:
        raise LadderError(f"expected a picture that ends in {', '.join(FORMATS)}, got {path}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise LadderError(
            "expected matplotlib to draw with, got none: run pip install 'kalooki-env[plot]'"
        ) from None


def draw(ladders: Ladders, kind: str = ".svg") -> bytes:
    """Draw the ratings; `kind` is one of `FORMATS`."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    places = [place for place in ladders.ladders if place.ratings]
    columns = min(_COLUMNS, len(places))
    rows = -(-len(places) // columns)
    height = 0.28 * len(ladders.agents) + 0.75
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(4.6 * columns + 0.4, height * rows + 0.4), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        for place, panel in zip(places, axes, strict=False):
            _panel(panel, place, ladders.anchor)
        for panel in axes[len(places) :]:
            panel.set_axis_off()
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
        title = f"Ratings with 95 % intervals; {ladders.anchor} has {ANCHOR_RATING:.0f}"
        figure.suptitle(title, x=0.01, ha="left", fontsize=9)
        file = io.BytesIO()
        metadata = {"Date": None, "Creator": None} if kind == ".svg" else None
        figure.savefig(file, format=kind[1:], metadata=metadata, dpi=120)
    return file.getvalue()


def _panel(axes: "Axes", place: Ladder, anchor: str) -> None:
    """Draw one ladder, the strongest on top; who is far below only has its rating at the left edge."""
    ordered = [one for one in place.ratings[::-1] if one.rating is not None]
    shown = [one for one in ordered if one.rating >= ANCHOR_RATING - _FAR]
    ends = [end for one in shown for end in (*one.ci95, one.rating) if end is not None]
    low, high = min(ends) - _ROOM, max(ends) + _ROOM
    if len(shown) < len(ordered):
        low -= _LABEL * (high - low)
    for y, one in enumerate(ordered):
        colour = GREY if one.agent == anchor else BLUE
        if one not in shown:
            axes.annotate(
                f"\N{BLACK LEFT-POINTING SMALL TRIANGLE} {one.rating:.0f}",
                (low, y),
                va="center",
                color=colour,
            )
            continue
        if one.ci95 != (None, None):  # an end that nothing bounds is the rating's own place
            ends = [one.rating if end is None else end for end in one.ci95]
            axes.plot(ends, [y, y], color=colour, linewidth=2, solid_capstyle="butt")
        axes.plot([one.rating], [y], "o", color=colour, markersize=5)
        place_of_text = {"xytext": (0, 5), "textcoords": "offset points", "ha": "center"}
        axes.annotate(f"{one.rating:.0f}", (one.rating, y), fontsize=8, **place_of_text)
    axes.axvline(ANCHOR_RATING, color=GREY, linewidth=0.8, linestyle=":", zorder=0)
    axes.set_yticks(range(len(ordered)), [one.agent for one in ordered])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(-0.6, len(ordered) - 0.2)
    axes.set_xlim(low, high)
    title = f"{place.rules}, {place.seats} seats"
    if len(ordered) > 1:
        lead = ordered[-1].rating - ordered[-2].rating
        title += f": {ordered[-1].agent} leads by {lead:.0f}"
    axes.set_title(title)
