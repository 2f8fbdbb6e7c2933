"""The cost curves: what is measured becomes tables and titles that say what is seen."""

import pytest

from benchmarks import curves
from benchmarks.curves import Curves
from kalooki_env import actions, observation
from kalooki_env.engine.layout import GAME
from kalooki_env.rules import PRESETS

MEASURED = Curves(
    seats={"british": {2: 1e6, 5: 8e5}, "north_american": {2: 9e5, 6: 7e5}},
    presets={"british": 1e6, "contract": 5e5},
    sizes={1: 6e4, 64: 9.5e5, 1024: 1e6},
    each={1: 1e6, 2: 9.5e5},
    together={1: 1e6, 2: 1.9e6},
    memory={"the record of a game": 2574},
)


def test_every_curve_is_measured_in_turns(monkeypatch):
    asked = []

    def play(*point: object) -> object:
        return lambda: asked.append(point) or (len(asked), 0)

    monkeypatch.setattr(curves, "batch_work", play)
    monkeypatch.setattr(curves, "rate", lambda work, seconds: float(work()))
    monkeypatch.setattr(curves, "_processes", lambda found, *_: None)
    monkeypatch.setattr(curves, "SIZES", (1, 1024))
    found = curves.take(repeats=3, seconds=0.0)
    assert list(found.seats["british"]) == [2, 3, 4, 5]
    assert list(found.seats["north_american"]) == [2, 3, 4, 5, 6]
    assert list(found.presets) == list(PRESETS)
    assert list(found.sizes) == [1, 1024]
    assert found.presets["british"] == found.sizes[1024] == found.seats["british"][2]
    each = len(curves.points())
    assert len(set(asked)) == each and asked == asked[:each] * 4
    assert found.presets["british"] == 2 * each + 1  # the median of the turns, the first left out


def test_memory_is_measured():
    record, held, callers = curves.memory().values()
    assert record == GAME.itemsize
    assert record + 2 * actions.N < held < record + 4 * actions.N
    assert callers == actions.N + observation.SIZE


def test_the_page_holds_every_figure():
    page = curves.page(MEASURED)
    for row in (
        "| seats, `north_american` | decisions per CPU second |",
        "| 6 | 700,000 |",
        "| `contract` | 500,000 |",
        "| 1,024 | 1,000,000 |",
        "| 2 | 950,000 | 1,900,000 |",
        "| the record of a game | 2,574 |",
    ):
        assert f"\n{row}\n" in page


def test_the_plot_says_what_is_seen(tmp_path):
    plot = pytest.importorskip("benchmarks.plot", exc_type=ImportError)
    plot.draw(MEASURED, tmp_path / "speed.svg")
    text = (tmp_path / "speed.svg").read_text()
    for title in (
        "5 seats are 20% slower than 2",
        "64 games a call reach 90% of the best rate",
        "british is 2.0 times as fast as contract",
        "2 processes play 1.90 times as much as 1",
    ):
        assert title in text
    plot.draw(MEASURED, tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text() == text


@pytest.mark.parametrize(("rate", "text"), [(0, "0"), (71_300, "71 k"), (1_234_567, "1.23 M")])
def test_rates_are_written_short(rate, text):
    plot = pytest.importorskip("benchmarks.plot", exc_type=ImportError)
    assert plot.short(rate) == text
