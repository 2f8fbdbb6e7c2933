"""Write `docs/plain.md`, a whole deal at the plain table: `python docs/transcript.py CHECKPOINT [SEED]`.

The person's moves are those that `greedy` would make, typed as text; the first one is a wrong one.
"""

import contextlib
import io
import sys
from pathlib import Path

from kalooki_env import agents
from kalooki_env.play import opponents
from kalooki_env.play.session import Session
from kalooki_env.play.terminal import Leave, Table
from kalooki_env.render.style import Style
from kalooki_env.rules import Rules


class Person:
    """Stands for the keyboard: types greedy's moves, after one that the rules forbid.

    The table itself echoes what does not come from a terminal.
    """

    def __init__(self) -> None:
        self.greedy = agents.load("greedy")
        self.table: Table | None = None
        self.wrong_moves = ["meld 5C 6D 7C"]

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        session = self.table.session
        if not session.my_turn:
            return ""
        in_play = session.game.phase == "play"
        line = self.wrong_moves.pop() if in_play and self.wrong_moves else session.hint(self.greedy)
        return line + "\n"


def main() -> None:
    """Play one deal and write the page."""
    name, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    rules, screen = Rules.preset("british"), io.StringIO()
    others = opponents.choose(name, rules, 2, seed)
    person = Person()
    session = Session(rules, others.agents, seed, called=others.called)
    table = Table(session, person, screen, Style(symbols=True, color=False))
    person.table = table
    table.greet(others.told, f"kalooki play --opponent {name} --seed {seed}")
    with contextlib.suppress(Leave):
        table.run()
    page = Path(__file__).with_name("plain.md")
    page.write_text(
        "# A deal at the plain table\n\n"
        f"`kalooki play --plain --opponent {name} --seed {seed}`, written by "
        f"`python docs/transcript.py {name} {seed}`. What stands behind `>` was typed.\n\n"
        f"```\n{screen.getvalue().rstrip()}\n```\n"
    )


if __name__ == "__main__":
    main()
