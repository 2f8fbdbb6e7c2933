"""Make the pictures of the table from the real program: `python docs/pictures.py [CHECKPOINT]`.

They are screens of `kalooki play` as SVG, for which the extra `play` is needed, and a game as
`kalooki replay --gif` draws it, all of games that seeds decide. `python docs/pictures.py --gif`
makes the last alone.
"""

import asyncio
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from kalooki_env import Rules, agents, cli, records
from kalooki_env.play import seating
from kalooki_env.play.screen.app import KalookiApp
from kalooki_env.play.screen.first import First
from kalooki_env.play.screen.score import Score
from kalooki_env.play.screen.table import Table
from kalooki_env.play.seating import Seated
from kalooki_env.play.session import Session
from kalooki_env.play.wishes import Wishes

DOCS = Path(__file__).parent


def played(wishes: Wishes, until: Callable[[Session], bool]) -> Seated:
    """Sit down and let greedy play the person's hand until something holds."""
    seated, greedy = seating.sit_down(wishes), agents.load("greedy")
    session = seated.session
    while not until(session):
        if session.my_turn:
            session.play(session.hint(greedy))
        elif session.game.to_move is not None:
            session.answer(*session.think())
        else:
            session.next_deal()
    return seated


async def draw(
    name: str, begin: Callable[[], Seated] | None, kind: type, keys: str, size: tuple[int, int]
) -> None:
    """Open a table, press keys, and write the screen as `docs/NAME.svg`."""
    speed = "normal" if begin is None else "instant"
    app = KalookiApp(Wishes(keep=False), begin=begin, speed=speed)
    async with app.run_test(size=size) as pilot:
        while not isinstance(app.screen, kind):
            await pilot.pause(0.05)
        await pilot.pause(0.5)
        await pilot.press(*keys.split())
        await pilot.pause(1.5)
        # Fonts from elsewhere are not fetched by a picture; the reader's own will do.
        svg = re.sub(r"@font-face\s*{.*?}\s*", "", app.export_screenshot(), flags=re.DOTALL)
        (DOCS / f"{name}.svg").write_text(svg)


def film() -> None:
    """Write `docs/game.gif`: a deal from the seat of the heuristic."""
    names = ("heuristic", "greedy")
    players = [agents.load(name) for name in names]
    recorder = records.Recorder(records.Record(Rules.preset("british"), 2, 38, names=names))
    while (seat := recorder.game.to_move) is not None:
        recorder.play(int(players[seat].act(recorder.game, seat)))
    recorder.close()
    out = DOCS / "game.gif"
    out.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/game.jsonl"
        records.write(path, [recorder.record])
        words = ["replay", path, "--gif", str(out), "--seat", "0", "--width", "720", "--fps", "1.5"]
        if cli.main(words):
            sys.exit(1)


def main() -> None:
    """Make every picture."""
    film()
    if "--gif" in sys.argv:
        return
    opponent = sys.argv[1] if len(sys.argv) > 1 else "greedy"
    agents.load(opponent)  # says what is wrong with a name; a screen would wait for the agent
    two = Wishes(opponents=opponent, seed=5, keep=False)
    five = Wishes(opponents="greedy", seats=5, seed=4, keep=False)

    def mid(session: Session, turn: int) -> bool:
        return session.my_turn and session.view.turn >= turn and session.game.phase == "play"

    pictures = (
        ("play-first", None, First, "", (112, 34)),
        ("table", lambda: played(two, lambda s: mid(s, 9)), Table, "right space", (100, 32)),
        ("play-five", lambda: played(five, lambda s: mid(s, 25)), Table, "", (120, 40)),
        ("play-coach", lambda: played(two, lambda s: mid(s, 1)), Table, "c", (100, 30)),
        ("play-score", lambda: played(five, lambda s: s.game.over), Score, "", (100, 36)),
    )
    for name, begin, kind, keys, size in pictures:
        asyncio.run(draw(name, begin, kind, keys, size))


if __name__ == "__main__":
    main()
