"""The table in a plain terminal: the screen is text, moves are typed; a pipe will do as well."""

import contextlib
import dataclasses
import io
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from kalooki_env.errors import IllegalMove, NotationError
from kalooki_env.play import prompts, score, seating, signals, typed
from kalooki_env.play.help import HELP
from kalooki_env.play.lists import expand, grouped
from kalooki_env.play.session import Session
from kalooki_env.play.wishes import Wishes
from kalooki_env.play.words import Event, count, told
from kalooki_env.render import text
from kalooki_env.render.style import Style, prepare


class Leave(Exception):
    """The person leaves the table, or a signal says so, which `code` tells a shell of."""

    def __init__(self, code: int = 0) -> None:
        super().__init__()
        self.code = code


def play(wishes: Wishes, ascii_only: bool = False, resume: bool = False) -> int:
    """Open a table on standard input and output and play until the person leaves.

    Args:
        wishes: what is played, and against whom.
        ascii_only: letters even where the terminal could show suit symbols.
        resume: go on with the match that was left last instead.

    Returns:
        the exit code: 0, or 130 after Ctrl-C.

    Raises:
        KalookiError: no such preset, number of seats or agent, or a `record` that no game can be
            added to.
    """
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    style = prepare(sys.stdout, ascii_only)
    seated = seating.resume() if resume else seating.sit_down(wishes)
    table = Table(seated.session, sys.stdin, sys.stdout, style)
    try:
        with signals.raised(Leave):
            table.greet(seated.told, seated.again, seated.note)
            table.run()
    except Leave as left:
        table.say("", *seated.leave(), "You leave the table. Goodbye.")
        return left.code
    except KeyboardInterrupt:
        table.say("", *seated.leave(), "You leave the table. Goodbye.")
        return 130
    table.say(*seated.leave())
    return 0


class Table:
    """Shows a session and turns what is typed into moves.

    Args:
        session: the match.
        source: where lines are typed; nothing is assumed about it being a terminal.
        out: where the screen goes.
        style: how cards look there.
    """

    def __init__(self, session: Session, source: TextIO, out: TextIO, style: Style) -> None:
        self.session = session
        self.source = source
        self.out = out
        self.style = style
        self.sort = "suit"
        self.listed: list[str] = []
        self.commands: dict[str, Callable[[list[str]], None]] = {
            "help": self._help,
            "?": self._help,
            "h": self._help,
            "moves": self._moves,
            "hint": self._hint,
            "sort": self._sort,
            "table": self._table,
            "log": self._log,
            "undo": self._undo,
            "quit": self._quit,
            "q": self._quit,
            "exit": self._quit,
        }

    def say(self, *lines: str) -> None:
        """Write lines."""
        for line in lines:
            print(line, file=self.out)
        self.out.flush()

    def greet(self, who: str, command: str, note: str = "") -> None:
        """Say who plays, how to come back to these cards, and a note if there is one."""
        rules = self.session.game.rules
        self.say(
            self.style.bold(f"Kalooki, {rules.name} rules, {len(self.session.names)} seats"),
            who,
            f"The same cards again: {command}",
            *([note] if note else []),
            "Type help for the moves, quit to leave.",
        )

    def run(self) -> None:
        """Play deals until the match is over or the person leaves."""
        while True:
            self._play_deal()
            self._show_score()
            self._settle()
            if self.session.game.over:
                self._show_match()
                return
            self._ask_next()
            self.session.next_deal()

    def _play_deal(self) -> None:
        """Play one deal to its end; the table is shown whenever the person's turn begins."""
        fresh = True
        while not self.session.game.deal_over:
            if not self.session.my_turn:
                self._tell(self.session.opponents())
                fresh = True
                continue
            if fresh:
                self._table([])
                fresh = False
            self._my_move()

    def _settle(self) -> None:
        """Take the decisions on buy-ins that follow a deal."""
        while self.session.game.to_move is not None:
            if self.session.my_turn:
                self._my_move()
            else:
                self._tell(self.session.opponents())

    def _my_move(self) -> None:
        """Ask for a line and do what it says: a move, a number of the list, another word."""
        words = self._ask(self._prompt())
        if not words:
            moves = [] if len(self.session.game.legal_actions()) > 1 else self.session.moves()
            if len(moves) != 1:
                self.say("Type a move, or moves to list them, or help.")
                return
            words = moves[0].split()
        command = self.commands.get(words[0].lower())
        if command is not None:
            command(words[1:])
            return
        move = " ".join(words)
        if move.isdecimal():
            if len(move) > 6 or not 1 <= int(move) <= len(self.listed):
                self.say(
                    f"There is no number {move} in a list you have seen. Type moves to get one."
                )
                return
            self._play(self.listed[int(move) - 1].split(", "))
            return
        self._try(expand(move))

    def _try(self, move: str) -> None:
        """Play a move of the person, or say why it can't be played, or what it could mean."""
        answer = typed.meant(self.session.game, self.session.view.table, move)
        if answer is None:
            self._play([move])
        elif not answer.ways:
            self._say(answer.hint or f"Not allowed: {answer.reason}.")
        elif len(answer.ways) == 1:
            self._play(answer.ways[0])
        else:
            ways = [", ".join(way) for way in answer.ways]
            lines, self.listed = grouped(ways, per_group=len(ways))
            self._say("That can be more than one thing. Type the number of yours:", *lines)

    def _play(self, moves: Sequence[str]) -> None:
        """Play moves of the person one after another, or say why one can't be played."""
        for move in moves:
            try:
                events = self.session.play(move)
            except IllegalMove:
                self._say(f"Not allowed: {self.session.game.explain(move)}.")
                return
            except NotationError as error:
                self._say(f"Not understood: {error}")
                return
            self.listed = []
            self._tell(events)
        if self.session.my_turn and not self.session.game.deal_over:
            view = self.session.view
            verb = events[0].move.partition(" ")[0]
            if verb not in ("draw", "take"):
                self.say(text.table(view, self.session.names, self.style))
            self.say(text.hand(view, self.style, self.sort))
            if duties := text.duties(view, self.style):
                self.say(duties)

    def _say(self, *lines: str) -> None:
        """Write lines with the cards in them as the style has it."""
        self.say(*map(self.style.cards, lines))

    def _prompt(self) -> str:
        """Say what the person has to decide."""
        game, view = self.session.game, self.session.view
        match view.phase:
            case "draw" if self.session.game.explain("take") is None:
                why = " (first turn: free)" if prompts.free_take(self.session) else ""
                return f"draw, or take {view.pile[-1]}{why}"
            case "draw":
                return "draw (Enter)"
            case "play" if view.points and not view.me.opened:
                return "meld more, to open"
            case "play" if view.me.opened:
                return "meld, add, swap, discard"
            case "play":
                return "meld or discard"
            case "announce":
                return f"announce your last {count(len(view.hand))}, or silent"
            case _:
                return f"buy in for {game.rules.buy_in}, or drop out"

    def _ask(self, prompt: str) -> list[str]:
        """Read a line of words; through a pipe it is echoed, so that the transcript can be read.

        Raises:
            Leave: there is nothing more to read.
        """
        # Without colours: a line editor would count their codes as columns.
        shown = dataclasses.replace(self.style, color=False).cards(f"{prompt} > ")
        if self.source is sys.stdin and self.source.isatty() and self.out.isatty():
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 - gives input() editing and history
            try:
                return input(shown).split()
            except EOFError:
                raise Leave from None
        self.out.write(shown)
        self.out.flush()
        line = self.source.readline()
        if not line:
            self.say()
            raise Leave
        if not self.source.isatty():
            self.say(line.strip())
        return line.split()

    def _tell(self, events: Sequence[Event]) -> None:
        """Tell what happened, and once that it could not be recorded."""
        self._say(*told(events, self.session.names, self.session.seat))
        if complaint := self.session.complaint():
            self.say(complaint)

    # What a person may type besides moves

    def _help(self, words: list[str]) -> None:
        self.say(HELP)

    def _moves(self, words: list[str]) -> None:
        words = expand(" ".join(words)).split() if words else []
        lines, numbered = grouped(self.session.moves(words))
        if numbered:
            self.listed = numbered
        else:
            lines = [f"No legal move has {' and '.join(words)} in it. Type moves for all of them."]
        self._say(*lines)

    def _hint(self, words: list[str]) -> None:
        seat, agent = next(iter(self.session.agents.items()))
        move = self.session.hint(agent)
        self._say(f"{self.session.names[seat]} would play: {move}")

    def _sort(self, words: list[str]) -> None:
        other = "rank" if self.sort == "suit" else "suit"
        self.sort = words[0] if words and words[0] in ("rank", "suit") else other
        self.say(text.hand(self.session.view, self.style, self.sort))

    def _table(self, words: list[str]) -> None:
        self.say("", text.screen(self.session.view, self.session.names, self.style, self.sort))

    def _undo(self, words: list[str]) -> None:
        if not self.session.can_undo:
            self.say(
                "There is nothing to take back: only moves of this turn after the last card seen."
            )
            return
        event = self.session.undo()
        self.listed = []
        self._say(f"You take back: {event.move}")
        self._table([])

    def _log(self, words: list[str]) -> None:
        session = self.session
        lines = told(session.events, session.names, session.seat) or [
            "Nothing has happened in this deal yet."
        ]
        self._say(*lines)

    def _quit(self, words: list[str]) -> None:
        raise Leave

    # The end of a deal and of the match

    def _show_score(self) -> None:
        session, style = self.session, self.style
        self.say(
            "",
            text.heading(f"Deal {session.view.deal} is over", style),
            score.deal_end(session.game.result, session.names),
            score.table(session.score(), session.names, style, session.game.rules.has_stakes),
        )

    def _show_match(self) -> None:
        session = self.session
        self.say(self.style.bold(score.match_end(session.game.result, session.names, session.seat)))

    def _ask_next(self) -> None:
        """Ask for the next deal.

        Raises:
            Leave: the person does not want one.
        """
        if self.session.view.me.eliminated:
            self.say("You are out of the match; the others play on.")
        while True:
            words = self._ask("Enter for the next deal, quit to leave")
            word = words[0].lower() if words else "yes"
            if word in ("y", "yes", "next", "deal"):
                return
            if word in ("n", "no", "q", "quit", "exit"):
                raise Leave
            self.say("The deal is over: Enter deals the next one, quit leaves the table.")
