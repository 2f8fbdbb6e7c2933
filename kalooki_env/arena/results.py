"""What an evaluation found out, as plain data."""

import dataclasses
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from kalooki_env.arena.behaviour import Behaviour
from kalooki_env.arena.figures import (
    Interval,
    mean_interval,
    rate_interval,
    sign_test,
    variance_ratio,
)
from kalooki_env.arena.seating import seating


class _Figures:
    """Results that can be written as JSON."""

    @property
    def warning(self) -> str | None:
        """One line about deals that were cut, None where none was."""
        return cut_warning(self.deals, self.cut_rate, self.seats)  # type: ignore[attr-defined]

    def as_dict(self) -> dict[str, object]:
        """Return the figures by name, intervals as lists, ready for JSON.

        `behaviour` is left out where it was not asked for.
        """
        figures = _plain(dataclasses.asdict(self))  # type: ignore[call-overload]
        if figures["behaviour"] is None:
            del figures["behaviour"]
        return figures


def _plain(value: Any) -> Any:
    """Return a value with lists for tuples."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, tuple | list) else value


@dataclass(frozen=True)
class Result(_Figures):
    """What `evaluate` measured. Points are raw penalty points; every rotation counts as a deal."""

    a: str
    b: str
    rules: str
    seats: int
    deals: int
    win_rate: float | None
    """(Deals that A won + void and cut deals / seats) / deals: 1/seats is even. None where every
    deal was cut, here and in all figures of wins and points: nothing was played to its end."""
    win_rate_ci95: Interval
    """95 % interval; the rotations of one deal are one observation. (None, None) for one deal."""
    points_per_deal: float | None
    """A's points: minus its penalty where it lost, the sum of the penalties where it won."""
    points_ci95: Interval
    """(None, None) also where no two deals of the cards differ."""
    void_rate: float
    cut_rate: float
    turns_per_deal: float
    seconds: float
    streams: bool = False
    """Whether each seat drew from its own stream of the stock."""
    duplicate_variance_ratio: float | None = None
    """Variance of the win rate beside that of as many independent deals, see `variance_ratio`."""
    points_variance_ratio: float | None = None
    """The same for the points."""
    swept: int | None = None
    """Two seats: deals of the cards that A won from both seats,"""
    swept_by_b: int | None = None
    """and those that B won from both."""
    sign_test_p: float | None = None
    """Two seats: p-value of the exact two-sided sign test on these."""
    behaviour: tuple[Behaviour, Behaviour] | None = None
    """How A and B play, where it was counted."""


@dataclass(frozen=True)
class Standing:
    """How one agent of a mixed table fared."""

    agent: str
    seats_held: int
    """Seats that it held in each deal."""
    win_rate: float | None
    """As in `Result`, for each of its seats: 1/seats is even."""
    win_rate_ci95: Interval
    points_per_deal: float | None
    """As in `Result`, for each of its seats."""
    points_ci95: Interval
    duplicate_variance_ratio: float | None
    points_variance_ratio: float | None


@dataclass(frozen=True)
class TableResult(_Figures):
    """What `evaluate_table` measured: several agents at one table."""

    rules: str
    seats: int
    deals: int
    agents: tuple[Standing, ...]
    void_rate: float
    cut_rate: float
    turns_per_deal: float
    seconds: float
    streams: bool = False
    behaviour: tuple[Behaviour, ...] | None = None


@dataclass(frozen=True)
class Deals:
    """How each deal ended: arrays with a row for each deal of the cards, a column for each rotation."""

    winner: np.ndarray
    """int[deals, rotations]: the seat that won, -1 for nobody."""
    penalties: np.ndarray
    """int[deals, rotations, seats]."""
    turns: np.ndarray
    """int[deals, rotations]."""
    is_void: np.ndarray
    """bool[deals, rotations]."""
    is_cut: np.ndarray
    """bool[deals, rotations]."""

    @classmethod
    def from_ends(cls, ends: np.ndarray, seats: int) -> Self:
        """Arrange the ends of games, END[deals * rotations]."""
        ends = ends.reshape(-1, seats)
        return cls(
            winner=ends["winner"].astype(np.int64),
            penalties=ends["penalties"][..., :seats].astype(np.int64),
            turns=ends["turns"],
            is_void=ends["is_void"] == 1,
            is_cut=ends["is_cut"] == 1,
        )

    @property
    def are_all_cut(self) -> bool:
        """Whether no deal was played to its end: such deals tell nothing of who plays better."""
        return bool(self.is_cut.all())

    def scores(self, entrants: int, entrant: int) -> tuple[np.ndarray, np.ndarray]:
        """Return wins and points of one entrant for each of its seats: float64[deals, rotations].

        A deal that nobody won is 1/seats of a win, and no points.
        """
        deals, seats = self.winner.shape
        orders = seating(entrants, seats) == entrant
        own = orders[np.arange(deals) % len(orders)]
        held = own.sum(axis=2)
        won = np.take_along_axis(own, np.maximum(self.winner, 0)[..., None], axis=2)[..., 0]
        nobody = self.winner < 0
        wins = np.where(nobody, 1 / seats, won / held)
        lost = (self.penalties * own).sum(axis=2)
        gained = np.where(won, self.penalties.sum(axis=2), 0)
        return wins, np.where(nobody, 0.0, (gained - lost) / held)


def summarize(
    ended: Deals,
    *,
    a: str,
    b: str,
    rules: str,
    seconds: float,
    streams: bool = False,
    behaviour: tuple[Behaviour, Behaviour] | None = None,
) -> Result:
    """Turn the ends of deals into rates, means and intervals."""
    deals, seats = ended.winner.shape
    swept = swept_by_b = p_value = None
    if seats == 2 and not ended.are_all_cut:
        won = np.where(ended.winner < 0, 0, np.where(ended.winner == [0, 1], 1, -1)).sum(axis=1)
        swept, swept_by_b = int((won == 2).sum()), int((won == -2).sum())
        p_value = sign_test(swept, swept_by_b)
    return Result(
        a=a,
        b=b,
        rules=rules,
        seats=seats,
        deals=deals * seats,
        **_scores(ended, 2, 0),
        **_ends(ended, seconds, streams),
        swept=swept,
        swept_by_b=swept_by_b,
        sign_test_p=p_value,
        behaviour=behaviour,
    )


def summarize_table(
    ended: Deals,
    *,
    names: list[str],
    rules: str,
    seconds: float,
    streams: bool = False,
    behaviour: tuple[Behaviour, ...] | None = None,
) -> TableResult:
    """Do the same for several agents at one table."""
    deals, seats = ended.winner.shape
    standings = []
    for k, name in enumerate(names):
        held = int((seating(len(names), seats)[0, 0] == k).sum())
        standings.append(Standing(agent=name, seats_held=held, **_scores(ended, len(names), k)))
    return TableResult(
        rules=rules,
        seats=seats,
        deals=deals * seats,
        agents=tuple(standings),
        **_ends(ended, seconds, streams),
        behaviour=behaviour,
    )


def _scores(ended: Deals, entrants: int, entrant: int) -> dict[str, Any]:
    """Return what one entrant won: nothing is claimed where every deal was cut."""
    if ended.are_all_cut:
        return {
            "win_rate": None,
            "win_rate_ci95": (None, None),
            "points_per_deal": None,
            "points_ci95": (None, None),
            "duplicate_variance_ratio": None,
            "points_variance_ratio": None,
        }
    wins, points = ended.scores(entrants, entrant)
    # One observation is one deal of the cards: its rotations share them.
    return {
        "win_rate": float(wins.mean()),
        "win_rate_ci95": rate_interval(wins.mean(axis=1)),
        "points_per_deal": float(points.mean()),
        "points_ci95": mean_interval(points.mean(axis=1)),
        "duplicate_variance_ratio": variance_ratio(wins),
        "points_variance_ratio": variance_ratio(points),
    }


def cut_warning(deals: int, cut_rate: float, seats: int) -> str | None:
    """Say in one line how many deals were cut, and what that means; None where none was."""
    if not cut_rate:
        return None
    if cut_rate == 1:
        return (
            f"all {deals:,} deals were cut at the turn cap before anybody could win, so no win rate is "
            "claimed: use a higher turn_cap or agents that go out"
        )
    return (
        f"{cut_rate:.1%} of {deals:,} deals were cut at the turn cap and count as 1/{seats} of a win "
        "each, which draws the win rate towards even"
    )


def _ends(ended: Deals, seconds: float, streams: bool) -> dict:
    """Return what is the same for all agents."""
    return {
        "void_rate": float(ended.is_void.mean()),
        "cut_rate": float(ended.is_cut.mean()),
        "turns_per_deal": float(ended.turns.mean()),
        "seconds": round(seconds, 3),
        "streams": streams,
    }
