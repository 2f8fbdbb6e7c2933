"""Draw how strong runs became while they learned: `python -m training.curves RUN... --out docs/learning.svg`.

Reads the measurements that each run wrote into its metrics.csv. Needs matplotlib: pip install
'kalooki-env[plot]'.
"""

import argparse
import csv
import sys
from pathlib import Path

from kalooki_env.errors import KalookiError
from training.metrics import EVALUATION

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#999999")
"""Colours that stay apart for the colour-blind, one for each opponent."""


def main() -> int:
    """Draw what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m training.curves", description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="folder of a run")
    parser.add_argument("--out", type=Path, default=Path("learning.svg"), help="SVG or PNG")
    args = parser.parse_args()
    try:
        draw({run.name: measurements(run) for run in args.runs}, args.out)
    except (KalookiError, OSError) as error:
        print(f"kalooki: {error}", file=sys.stderr)
        return 2
    return 0


def measurements(run: Path) -> dict[str, list[tuple[float, float]]]:
    """Read what a run measured: for each opponent (deals trained on, win rate).

    Raises:
        KalookiError: there are no measurements.
    """
    prefix = EVALUATION.format("")
    found: dict[str, list[tuple[float, float]]] = {}
    with open(run / "metrics.csv", newline="") as file:
        for row in csv.DictReader(file):
            for name, value in row.items():
                if name.startswith(prefix) and value:
                    point = float(row["charts/deals"]), float(value)
                    found.setdefault(name.removeprefix(prefix), []).append(point)
    if not found:
        raise KalookiError(f"expected a run with eval_minutes above 0, got {run}")
    return found


def draw(runs: dict[str, dict[str, list[tuple[float, float]]]], path: Path) -> None:
    """Draw one line for each run and opponent, with the opponent's name at its end."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "kalooki", "svg.fonttype": "none", "font.size": 10})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 3.6), layout="constrained")
    opponents = sorted({name for run in runs.values() for name in run})
    for style, (title, run) in zip(("-", "--", ":", "-."), runs.items(), strict=False):
        for name, points in run.items():
            deals, rates = zip(*points, strict=True)
            colour = COLOURS[opponents.index(name) % len(COLOURS)]
            axes.plot([d / 1000 for d in deals], rates, style, color=colour, marker="o", markersize=4)
            end = deals[-1] / 1000, rates[-1]
            axes.annotate(
                f"{title} against {name}", end, (8, 0), textcoords="offset points", va="center",
                color=colour,
            )  # fmt: skip
    axes.axhline(0.5, color="#cccccc", linewidth=1, zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("deals trained on, thousands")
    axes.set_ylabel("win rate")
    axes.set_xlim(0, axes.get_xlim()[1] * 1.35)
    metadata = {"Date": None, "Creator": None} if path.suffix == ".svg" else None
    figure.savefig(path, metadata=metadata, dpi=120)
    pyplot.close(figure)


if __name__ == "__main__":
    sys.exit(main())
