"""The picture of the cost curves: four small plots of one measure, each with what it shows on top."""

from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update(
    {
        "svg.hashsalt": "kalooki",
        "svg.fonttype": "none",
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 9.5,
        "axes.titlelocation": "left",
        "axes.titleweight": "bold",
    }
)

from matplotlib import pyplot  # noqa: E402 (the backend comes first)
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.ticker import FuncFormatter, MaxNLocator  # noqa: E402

if TYPE_CHECKING:
    from benchmarks.curves import Curves

BLUE, ORANGE, GREY = "#0072B2", "#E69F00", "#999999"
"""Two colours that stay apart for the colour-blind, and one for what is beside the point."""
ENOUGH = 0.9
"""Share of the best rate from which on a batch is called large enough."""


def draw(curves: "Curves", path: Path) -> None:
    """Draw the curves into a file, SVG or PNG by its name."""
    figure, axes = pyplot.subplots(2, 2, figsize=(9, 6.6), layout="constrained")
    _seats(axes[0, 0], curves.seats)
    _sizes(axes[0, 1], curves.sizes)
    _presets(axes[1, 0], curves.presets)
    _processes(axes[1, 1], curves)
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.15)
    figure.suptitle(
        "Decisions a second with mask and observation, random play through Batch, one process",
        x=0.01,
        ha="left",
        fontsize=11,
    )
    metadata = {"Date": None, "Creator": None} if path.suffix == ".svg" else None
    figure.savefig(path, metadata=metadata, dpi=120)
    pyplot.close(figure)


def short(rate: float, _: object = None) -> str:
    """Write a rate in thousands or millions."""
    if rate >= 999_500:
        return f"{rate / 1e6:.2f} M"
    return f"{rate / 1e3:.0f} k" if rate else "0"


def _seats(axes: Axes, curves: dict[str, dict[int, float]]) -> None:
    for (name, rates), colour in zip(curves.items(), (BLUE, ORANGE), strict=True):
        axes.plot(list(rates), list(rates.values()), "o-", color=colour, label=name)
        for seats, rate in rates.items():
            fastest = max(others.get(seats, 0) for others in curves.values())
            _label(axes, [seats], [rate], above=6 if rate == fastest else -13)
    axes.legend(loc="lower left", frameon=False)
    axes.set_xticks(sorted({seats for rates in curves.values() for seats in rates}))
    axes.set_xlabel("seats (1,024 games)")
    _from_zero(axes, [value for rates in curves.values() for value in rates.values()])
    (few, first), *_, (many, last) = curves["british"].items()
    change = last / first - 1
    faster = "faster" if change > 0 else "slower"
    axes.set_title(f"{many} seats are {abs(change):.0%} {faster} than {few}")


def _sizes(axes: Axes, rates: dict[int, float]) -> None:
    sizes, values = list(rates), list(rates.values())
    axes.plot(sizes, values, "o-", color=BLUE)
    _label(axes, sizes, values)
    axes.set_xscale("log", base=4)
    axes.set_xticks(sizes, [f"{n // 1024} k" if n >= 1024 else str(n) for n in sizes])
    axes.minorticks_off()
    axes.set_xlim(sizes[0] / 2, sizes[-1] * 2)
    axes.set_xlabel("games in the batch (british, 2 seats)")
    _from_zero(axes, values)
    enough = next(n for n, value in rates.items() if value >= ENOUGH * max(values))
    axes.set_title(f"{enough:,} games a call reach {ENOUGH:.0%} of the best rate")


def _presets(axes: Axes, rates: dict[str, float]) -> None:
    ordered = sorted(rates.items(), key=lambda item: item[1])
    names, values = [name for name, _ in ordered], [value for _, value in ordered]
    colours = [BLUE if name == "british" else GREY for name in names]
    bars = axes.barh(names, values, color=colours, height=0.7)
    axes.bar_label(bars, [short(value) for value in values], padding=3)
    axes.set_xlim(0, 1.18 * values[-1])
    axes.xaxis.set_major_formatter(FuncFormatter(short))
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.set_xlabel("decisions per CPU second (2 seats, 1,024 games)")
    axes.set_title(f"{names[-1]} is {values[-1] / values[0]:.1f} times as fast as {names[0]}")


def _processes(axes: Axes, curves: "Curves") -> None:
    counts = list(curves.each)
    places = range(len(counts))
    for shift, label, rates, colour in (
        (-0.19, "each, per CPU second", curves.each, BLUE),
        (0.19, "all together, per wall second", curves.together, ORANGE),
    ):
        values = [rates[count] for count in counts]
        bars = axes.bar(
            [place + shift for place in places], values, width=0.36, color=colour, label=label
        )
        axes.bar_label(bars, [short(value) for value in values], padding=2)
    axes.set_xticks(list(places), [f"{count} process{'es'[: 2 * (count > 1)]}" for count in counts])
    rates = [*curves.each.values(), *curves.together.values()]
    _from_zero(axes, rates, room=1.5, label="decisions a second")
    axes.legend(loc="upper left", frameon=False)
    ratio = curves.together[counts[-1]] / curves.together[counts[0]]
    axes.set_title(f"{counts[-1]} processes play {ratio:.2f} times as much as {counts[0]}")


def _label(axes: Axes, places: list[int], values: list[float], above: int = 6) -> None:
    """Write each value above its point, or below it."""
    for place, value in zip(places, values, strict=True):
        axes.annotate(
            short(value),
            (place, value),
            (0, above),
            textcoords="offset points",
            ha="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8},
        )


def _from_zero(
    axes: Axes, values: list[float], room: float = 1.2, label: str = "decisions per CPU second"
) -> None:
    axes.set_ylim(0, room * max(values))
    axes.yaxis.set_major_formatter(FuncFormatter(short))
    axes.set_ylabel(label)
