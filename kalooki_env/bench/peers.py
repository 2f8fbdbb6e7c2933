"""This package beside its peers: other packages for card games and for training, as ratios.

A peer has a virtual environment of its own, since their versions exclude each other, and is
measured by a script of its own in a process of its own, and so is this package. The two take turns
within one run, so that whatever else the machine does slows both. Rates are decisions per CPU
second of a single thread. What is compared with what is said in `benchmarks/peers.toml`.
"""

import os
import statistics
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from kalooki_env.bench import Watch
from kalooki_env.bench.peer_process import Answer, PeerError, PeerProcess
from kalooki_env.bench.rows import DECISIONS, REPEATS, Row, summary

ROOT = Path(__file__).resolve().parents[2]
"""The clone of the repository, if this package lies in one."""
SECONDS = 2.0
"""Least CPU time of one repeat."""
OURS = "kalooki"
"""The script of this package, `benchmarks/peers/kalooki.py`."""


@dataclass(frozen=True)
class Pair:
    """Two rows to compare, and the ratios that ours must reach and would like to."""

    ours: str
    theirs: str
    must: float | None = None
    goal: float | None = None


@dataclass(frozen=True)
class Peer:
    """A peer as `benchmarks/peers.toml` describes it."""

    name: str
    install: list[list[str]]
    """What pip installs, step by step."""
    pairs: list[Pair]

    def folder(self, root: Path = ROOT) -> Path:
        """Return the virtual environment."""
        return root / "benchmarks" / "venvs" / self.name

    def python(self, root: Path = ROOT) -> Path:
        """Return the Python of the virtual environment."""
        places = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
        return self.folder(root).joinpath(*places)


@dataclass(frozen=True)
class Side:
    """What came of one side of a comparison."""

    row: Row
    """Decisions per CPU second."""
    wall: float
    """Decisions per wall second, the median of the repeats."""
    deals: float
    """Deals per CPU second, the median; 0 where they are not counted."""

    @classmethod
    def of(cls, title: str, answers: Sequence[Answer]) -> Self:
        """Put a side together from its measurements."""
        return cls(
            summary(title, DECISIONS, [answer.rate for answer in answers]),
            statistics.median(answer.decisions / answer.wall for answer in answers),
            statistics.median(answer.deals / answer.cpu for answer in answers),
        )

    def as_dict(self) -> dict[str, object]:
        """Return the side as plain data for JSON."""
        return {
            **self.row.as_dict(),
            "wall_per_second": self.wall,
            "deals_per_second": self.deals,
        }


@dataclass(frozen=True)
class Comparison:
    """Our rate and a peer's, taken in turns."""

    peer: str
    ours: Side
    theirs: Side
    ratio: float
    """Of the medians."""
    spread: tuple[float, float]
    """The least and the largest ratio of two measurements that followed each other."""
    pair: Pair

    @classmethod
    def of(
        cls,
        peer: str,
        pair: Pair,
        titles: tuple[str, str],
        ours: Sequence[Answer],
        theirs: Sequence[Answer],
    ) -> Self:
        """Compare measurements that were taken in turns, ours first."""
        us, them = Side.of(titles[0], ours), Side.of(titles[1], theirs)
        ratios = [a.rate / b.rate for a, b in zip(ours, theirs, strict=True)]
        ratio = us.row.per_second / them.row.per_second
        return cls(peer, us, them, ratio, (min(ratios), max(ratios)), pair)

    def as_dict(self) -> dict[str, object]:
        """Return the comparison as plain data for JSON."""
        return {
            "peer": self.peer,
            "ours": self.ours.as_dict(),
            "theirs": self.theirs.as_dict(),
            "ratio": self.ratio,
            "spread": list(self.spread),
            "must": self.pair.must,
            "goal": self.pair.goal,
        }

    def __str__(self) -> str:
        low, high = self.spread
        bars = [f"{name} {bar:g}" for name in ("must", "goal") if (bar := getattr(self.pair, name))]
        sides = [
            f"{side.row.name:<74} {side.row.per_second:>10,.0f} {side.row.unit}"
            + (f", {side.deals:,.0f} deals" if side.deals else "")
            for side in (self.ours, self.theirs)
        ]
        ratio = f"    {self.ratio:.3g} times ({low:.3g} to {high:.3g})"
        return "\n".join([*sides, ", ".join([ratio, *bars])])


@dataclass(frozen=True)
class Failure:
    """A comparison that could not be made."""

    peer: str
    reason: str
    """One sentence, beginning with the peer's name."""

    def as_dict(self) -> dict[str, object]:
        """Return the failure as plain data for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return self.reason


def load(root: Path = ROOT) -> list[Peer]:
    """Read which peers there are.

    Raises:
        PeerError: this package is not in a clone of its repository.
    """
    file = root / "benchmarks" / "peers.toml"
    if not file.is_file():
        raise PeerError(
            f"peers are measured from a clone of the repository, and {root} has no benchmarks/: "
            "clone it and run kalooki bench --peers there"
        )
    with open(file, "rb") as opened:
        peers = tomllib.load(opened)
    return [
        Peer(name, peer["install"], [Pair(**pair) for pair in peer["pairs"]])
        for name, peer in peers.items()
    ]


def select(peers: Sequence[Peer], names: Sequence[str] | None) -> list[Peer]:
    """Return the peers of these names, all where there are none.

    Raises:
        PeerError: an unknown name.
    """
    known = [peer.name for peer in peers]
    if unknown := [name for name in names or () if name not in known]:
        raise PeerError(f"expected peers of {', '.join(known)}, got {', '.join(unknown)}")
    return [peer for peer in peers if not names or peer.name in names]


def run(
    repeats: int = REPEATS,
    seconds: float = SECONDS,
    names: Sequence[str] | None = None,
    watch: Watch | None = None,
    root: Path = ROOT,
) -> Iterator[Comparison | Failure]:
    """Compare this package with peer after peer; those that are not installed come first.

    Args:
        repeats: times each side of a pair is measured.
        seconds: least CPU time of one measurement.
        names: the peers; all of them where there are none.
        watch: called before each measurement with those done, all of them and what comes next.
        root: the clone of the repository.

    Raises:
        PeerError: no clone, or an unknown name.
    """
    pairs = []
    for peer in select(load(root), names):
        if peer.python(root).is_file():
            pairs += [(peer, pair) for pair in peer.pairs]
        else:
            how = f"run python -m benchmarks.install {peer.name} in {root}"
            yield Failure(peer.name, f"{peer.name}: not installed; {how}")
    each, done = 2 * repeats, 0

    def tick(name: str) -> None:
        nonlocal done
        if watch is not None:
            watch(done, each * len(pairs), name)
        done += 1

    for number, (peer, pair) in enumerate(pairs):
        done = number * each  # the pair before may have failed half-way
        try:
            yield compare(peer, pair, repeats, seconds, root, tick)
        except PeerError as error:
            yield Failure(peer.name, str(error))


def compare(
    peer: Peer, pair: Pair, repeats: int, seconds: float, root: Path, tick: Callable[[str], None]
) -> Comparison:
    """Measure the two sides of a pair in turns; `tick` is told each measurement before it is made.

    Raises:
        PeerError: one of them cannot be measured.
    """
    module = ("-m", "benchmarks.peers")
    ours: list[Answer] = []
    theirs: list[Answer] = []
    with (
        PeerProcess(f"{peer.name}, our side", [sys.executable, *module, OURS], root) as us,
        PeerProcess(peer.name, [str(peer.python(root)), *module, peer.name], root) as them,
    ):
        for _ in range(repeats):
            for process, row, answers in ((us, pair.ours, ours), (them, pair.theirs, theirs)):
                tick(f"{process.label}, row {row}")
                answers.append(process.ask(row, seconds))
        titles = us.title(pair.ours), them.title(pair.theirs)
    return Comparison.of(peer.name, pair, titles, ours, theirs)
