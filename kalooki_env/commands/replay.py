"""Show a recorded game step by step, and verify it.

The file is what 'kalooki play', 'kalooki evaluate --record' or an environment
wrote. Every game is verified before it is shown: each line, each move by the
rules, each result. In a terminal every move waits for Enter; there a number
goes on to that move, 'all' shows the rest and 'quit' leaves. Elsewhere, or
with --all, the moves are listed, with the table at the start of each turn.
With --gif a game is drawn instead, a picture a move, and written as an
animated GIF.

The exit code is 1 if the file was altered, cut short or made when a preset had
other values (the message names the line), 2 for bad usage. What is whole in a
cut file is shown first. A match that 'kalooki play --continue' can go on with
is not taken for cut short.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from kalooki_env.commands import film
from kalooki_env.commands.arguments import not_negative, positive
from kalooki_env.errors import KalookiError, RecordError

if TYPE_CHECKING:
    from kalooki_env.records import Record, Step
    from kalooki_env.render.style import Style

ALTERED = 1
GOES_ON = "The match is not over: kalooki play --continue goes on with it."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("file", metavar="FILE", help="file of game records")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--verify", action="store_true", help="only verify every game of the file")
    how.add_argument("--all", action="store_true", help="list all moves and wait for nothing")
    how.add_argument("--gif", metavar="OUT", help="draw the game into this new file (.gif)")
    parser.add_argument("--game", type=positive, metavar="K", help="only game number K of the file")
    parser.add_argument(
        "--from", type=positive, default=1, metavar="N", dest="first", help="begin at move number N"
    )
    parser.add_argument(
        "--seat",
        type=not_negative,
        metavar="S",
        help="show what seat S saw; seats count from 0, and seat 0 is you in what 'kalooki play' "
        "recorded (default: all hands)",
    )
    film.add_arguments(parser)
    parser.add_argument("--ascii", action="store_true", help="letters instead of suit symbols")


def run(args: argparse.Namespace) -> int:
    """Verify the file and show its games; return 1 where it is altered or cut."""

    film.check(args)
    try:
        if args.verify:
            _verify(args.file)
            return 0
        if args.gif is not None:
            _draw_file(args)
        else:
            for number, record in _games(args):
                _Replay(args, record).show(number)
    except RecordError as error:
        if error.line is None:
            raise
        sys.stdout.flush()
        print(f"kalooki replay: {error}", file=sys.stderr)
        return ALTERED
    except _Leave:
        pass
    return 0


def _verify(file: str) -> None:
    """Verify a file and say what is in it.

    Raises:
        RecordError: it was altered, or is cut short and no match to go on with.
    """
    from kalooki_env import records
    from kalooki_env.play import saved

    goes_on = saved.goes_on(file)
    games = moves = 0
    over: bool | None = True
    for record in records.scan(file, unfinished=goes_on):
        tally = records.verify(record)
        games, moves, over = games + tally.games, moves + tally.moves, record.over
    print(f"{_count(games, 'game')}, {_count(moves, 'move')}: all legal")
    if over is None:
        print(GOES_ON)


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


class _Leave(Exception):
    """The person has seen enough."""


class _Back(Exception):
    """The person wants to see an earlier move."""


def _games(args: argparse.Namespace) -> Iterator[tuple[int, "Record"]]:
    """Yield the games of the file that are wanted, verified, with their numbers.

    Raises:
        KalookiError: there is no such game.
        RecordError: it is altered, or, once it was yielded, cut short.
    """
    from kalooki_env import records
    from kalooki_env.play import saved

    number = 0
    for number, record in enumerate(records.scan(args.file, unfinished=True), 1):
        if args.game not in (None, number):
            continue
        records.verify(record)
        _check_bounds(args, record)
        yield number, record
        if record.over is None:
            if not saved.goes_on(args.file):
                raise records.cut_error(record)
            print(GOES_ON)
        if args.game == number:
            return
    if args.game is not None:
        raise KalookiError(f"--game: expected a game from 1 to {number}, got {args.game}")


def _check_bounds(args: argparse.Namespace, record: "Record") -> None:
    """Raise a KalookiError for a seat or a move that the game does not have."""
    if args.seat is not None and args.seat >= record.seats:
        raise KalookiError(f"--seat: expected a seat from 0 to {record.seats - 1}, got {args.seat}")
    moves = len(record.moves)
    if args.first > max(moves, 1):
        raise KalookiError(f"--from: expected a move from 1 to {moves}, got {args.first}")


def _draw_file(args: argparse.Namespace) -> None:
    """Draw one game of the file: that of --game, or the only one."""
    from kalooki_env import records
    from kalooki_env.commands.progress import Progress

    if args.game is None:
        for number, _ in enumerate(records.scan(args.file, unfinished=True), 1):
            if number > 1:
                raise KalookiError(
                    f"--gif: expected --game K, the game to draw, as {args.file} has more than one"
                )
    progress = Progress("drawing", "frames")
    for _, record in _games(args):
        try:
            told = film.write(record, args, progress)
        finally:
            progress.close()
        print(told)


class _Replay:
    """One game on the screen."""

    def __init__(self, args: argparse.Namespace, record: "Record") -> None:
        from kalooki_env.render.style import prepare

        self.record = record
        self.seat: int | None = args.seat
        self.first: int = args.first
        self.waits = not args.all and sys.stdin.isatty() and sys.stdout.isatty()
        self.style: Style = prepare(sys.stdout, args.ascii)
        self.number = 0
        """Moves that are behind us."""

    def show(self, game: int) -> None:
        """Show the game, the `game`-th of its file."""
        print(self.style.bold(self._title(game)))
        while True:
            self.number = 0
            try:
                self._show_moves()
                break
            except _Back:
                continue
        if self.record.over is False:
            print("The game was left here.")

    def _show_moves(self) -> None:
        """Show the table before the first move wanted, then that move and those after it."""
        from kalooki_env.records import replay

        hands: Sequence[str] = ()
        was_over = False
        for step in replay(self.record):
            self.number += step.move is not None
            if self.number >= self.first and step.move is not None:
                self._show_move(step, hands, not was_over)
            elif self.number >= self.first - 1:
                self._show_table(step)
                self._wait()
            hands, was_over = step.game.result["hands"], step.game.deal_over

    def _title(self, game: int) -> str:
        record = self.record
        kind = "a match" if record.episode == "match" else "a single deal"
        return (
            f"Game {game}: {record.rules.name} rules, {kind}, seed {record.seed}: "
            f"{', '.join(record.names)}"
        )

    def _show_move(self, step: "Step", hands: Sequence[str], in_deal: bool) -> None:
        """Show a move, then the end of the deal, or the table where that is due.

        `hands` are those before the move, `in_deal`: the deal was not over then.
        """
        wide = max(map(len, self.record.names))
        card = film.new_card(hands[step.seat], step.game.result["hands"][step.seat])
        seen = step.move == "take" or (step.move == "draw" and self.seat in (None, step.seat))
        move = f"{step.move} {card}" if seen else step.move
        name = self.record.names[step.seat]
        print(f"{self.number:>4}  {name:<{wide}}  {self.style.cards(move)}")
        if in_deal and step.game.deal_over:
            self._show_end(step)
        elif self.waits or step.game.phase == "draw":
            self._show_table(step)
        self._wait()

    def _show_table(self, step: "Step") -> None:
        """Show the table: as one seat saw it, or with all hands."""
        from kalooki_env.render import text
        from kalooki_env.render.style import group_cards
        from kalooki_env.render.view import view_of

        names, style = self.record.names, self.style
        print()
        if self.seat is not None:
            print(text.screen(view_of(step.game, self.seat), names, style))
            return
        view = view_of(step.game, step.game.to_move or 0)
        print(text.heading(f"Deal {view.deal}, turn {view.turn}", style))
        print(text.seats(view, names, style))
        print(text.table(view, names, style))
        print(text.piles(view, style))
        wide = max(map(len, names))
        for name, hand in zip(names, step.game.result["hands"], strict=True):
            groups = "   ".join(" ".join(group) for group in group_cards(hand.split()))
            print(f"{style.bold(f'{name:<{wide}}')}  {style.cards(groups)}".rstrip())

    def _show_end(self, step: "Step") -> None:
        """Show how a deal ended, and the match with it."""
        from kalooki_env.play import score
        from kalooki_env.play.session import score_rows
        from kalooki_env.render import text

        result, names, rules = step.game.result, self.record.names, self.record.rules
        print()
        print(text.heading(f"Deal {step.game.position()['deal']} is over", self.style))
        told = score.deal_end(result, names)
        if self.record.episode == "deal":
            told = told.replace(", the same dealer deals again", "")
        print(told)
        print(score.table(score_rows(result), names, self.style, rules.has_stakes))
        if self.record.episode == "match" and step.game.over:
            print(self.style.bold(score.match_end(result, names, -1)))

    def _wait(self) -> None:
        """Wait for Enter before the next move; a number goes on to that move.

        Raises:
            _Leave: the person leaves.
            _Back: the move is one that was shown already.
        """
        if not self.waits or self.number + 1 < self.first:
            return
        try:
            word = input("Enter, a move's number, all or quit > ").strip().lower()
        except EOFError:
            word = "quit"
        if word in ("q", "quit", "exit"):
            raise _Leave
        if word in ("a", "all"):
            self.waits = False
        elif word.isdecimal():
            self.first = min(max(int(word[:9]), 1), len(self.record.moves))
            if self.first <= self.number:
                raise _Back
