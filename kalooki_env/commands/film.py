"""`kalooki replay FILE --gif OUT`: a recorded game as an animated GIF. No command of its own."""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kalooki_env.errors import KalookiError
from kalooki_env.files import temporary_name, write_whole

if TYPE_CHECKING:
    from PIL import Image

    from kalooki_env.records import Record, Step
    from kalooki_env.render.view import SeatView

FPS, MOST_FPS = 2.0, 50.0
_WIDTH = 960
_END_OF_DEAL, _END = 3000, 5000
"""Milliseconds that the picture of a deal's end, and the last one, are shown at least."""
_SAMPLES = 16
"""Pictures whose colours stand for those of all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options that go with --gif."""
    parser.add_argument(
        "--fps",
        type=_rate,
        metavar="N",
        help=f"moves a second of the --gif (default: {FPS:g})",
    )
    parser.add_argument(
        "--width",
        type=_width,
        metavar="W",
        help=f"pixels across of the --gif, 480 to 1920 (default: {_WIDTH})",
    )


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0.1 <= rate <= MOST_FPS:
        raise argparse.ArgumentTypeError(
            f"expected a number from 0.1 to {MOST_FPS:g}, got {text!r}"
        )
    return rate


def _width(text: str) -> int:
    if not (text.isdecimal() and len(text) < 6 and 480 <= int(text) <= 1920):
        raise argparse.ArgumentTypeError(f"expected a whole number from 480 to 1920, got {text!r}")
    return int(text)


def check(args: argparse.Namespace) -> None:
    """Raise a KalookiError, before anything is read, for options and files that cannot be."""
    if args.gif is None:
        for name in ("fps", "width"):
            if getattr(args, name) is not None:
                raise KalookiError(f"--{name}: expected --gif FILE with it, got none")
        return
    path = Path(args.gif)
    if path.suffix.lower() != ".gif":
        raise KalookiError(f"--gif: expected a name that ends in .gif, got {path}")
    if path.is_dir():
        raise KalookiError(f"--gif: expected a file to write to, got the folder {path}")
    if path.exists():
        raise KalookiError(
            f"--gif: expected a new file to write to, got {path}, which exists: use another name"
        )
    probe = temporary_name(path)
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise KalookiError(
            f"--gif: expected a folder that can be written to, got {path.absolute().parent} for "
            f"{path}: {error.strerror or error}"
        ) from None


class _Shot(NamedTuple):
    """What one frame shows."""

    view: "SeatView"
    caption: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...] | None
    """Of all seats, where they lie open."""

    def draw(self, names: Sequence[str], width: int) -> "Image.Image":
        """Draw it."""
        from kalooki_env.render.picture import draw

        return draw(self.view, names, self.caption, self.hands, width)


def write(record: "Record", args: argparse.Namespace, progress: Callable[[int, int], None]) -> str:
    """Draw a game from its move `args.first` and write the GIF, whole or not at all.

    Args:
        record: the game; it was verified.
        args: of `kalooki replay`.
        progress: called with the frames that are done, and all.

    Returns:
        What was written, in a line.

    Raises:
        KalookiError: it cannot be written.
    """
    from kalooki_env.render.picture.gif import Gif

    shots = _shots(record, args.seat, args.first)
    width, rate = args.width or _WIDTH, args.fps or FPS
    samples = {round(k * (len(shots) - 1) / (_SAMPLES - 1)) for k in range(_SAMPLES)}
    gif = Gif([shots[k].draw(record.names, width) for k in sorted(samples)])
    shown = 0
    for k, shot in enumerate(shots):
        least = _END if k == len(shots) - 1 else _END_OF_DEAL if shot.view.end else 0
        wait = max(round(1000 / rate), least)
        gif.add(shot.draw(record.names, width), wait)
        shown += wait
        progress(k + 1, len(shots))
    data = gif.to_bytes()
    try:
        write_whole(args.gif, data)
    except OSError as error:
        raise KalookiError(
            f"--gif: expected to write {args.gif}, got: {error.strerror or error}"
        ) from None
    size = f"{gif.size[0]} x {gif.size[1]}"
    return (
        f"{args.gif}: {gif.frames:,} frame{'' if gif.frames == 1 else 's'} of {size}, "
        f"{shown / 1000:,.0f} s, {max(len(data) / 1e6, 0.1):.1f} MB"
    )


def _shots(record: "Record", seat: int | None, first: int) -> list[_Shot]:
    """Play the record and note what is to be seen after each move, and before the first."""
    from kalooki_env.records import replay

    shots: list[_Shot] = []
    number = 0
    hands: Sequence[str] = ()
    for step in replay(record):
        number += step.move is not None
        if number >= first - 1:
            shots.append(_shot(step, hands, record.names, seat, number >= first))
        hands = step.game.result["hands"]
    return shots


def _shot(
    step: "Step", before: Sequence[str], names: Sequence[str], seat: int | None, tells: bool
) -> _Shot:
    """Look at the game after a step; `before` are the hands before it, `tells`: it is told too."""
    from kalooki_env.render.picture import words
    from kalooki_env.render.view import view_of

    view = view_of(step.game, seat or 0)
    after = step.game.result["hands"]
    caption: list[str] = []
    if step.move is not None and tells:
        card = ""
        if step.move == "take" or (step.move == "draw" and seat in (None, step.seat)):
            card = new_card(before[step.seat], after[step.seat])
        caption = [words.of_move(names[step.seat], step.move, card), words.of_end(view, names)]
    hands = tuple(tuple(hand.split()) for hand in after) if seat is None else None
    return _Shot(view, tuple(filter(None, caption)), hands)


def new_card(before: str, after: str) -> str:
    """Return the card that came into a hand."""
    return " ".join(Counter(after.split()) - Counter(before.split()))
