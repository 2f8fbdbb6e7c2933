"""The first screen: the game in a minute, and what to play against whom."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from kalooki_env import agents
from kalooki_env.errors import RulesError
from kalooki_env.play.players import DEFAULT, LEVELS, Player, about, most_seats, title
from kalooki_env.play.screen.board import Board
from kalooki_env.play.screen.lines import Words
from kalooki_env.play.screen.palette import COLORS, dressed
from kalooki_env.play.screen.primer import primer
from kalooki_env.play.screen.sizes import TooSmall
from kalooki_env.play.wishes import Wishes
from kalooki_env.render import hands
from kalooki_env.render.boxes import Face
from kalooki_env.render.canvas import Canvas
from kalooki_env.rules import PRESETS, Rules
from kalooki_env.rules_text.catalogue import ABOUT

if TYPE_CHECKING:
    from kalooki_env.play.saved import Saved

OFFERED = 3
"""Matches that were left, the last ones, to go on with."""
SPEEDS = {"slow": "time to watch", "normal": "", "fast": "", "instant": "no waiting"}


class Chooser(Widget, can_focus=True):
    """One line: a word, and a value that the arrow keys and clicks change."""

    BINDINGS = [
        Binding("left", "change(-1)", show=False),
        Binding("right", "change(1)", show=False),
    ]

    class Changed(Message):
        """Another value was chosen."""

    def __init__(self, word: str, values: Sequence[str], value: str, **options: str) -> None:
        super().__init__(**options)
        self.word, self.values, self.value = word, list(values), value
        self.note = ""
        self.titles: Mapping[str, str] = {}
        """How values are written, where that differs."""

    def offer(self, values: Sequence[str]) -> None:
        """Offer other values; the value stays if it is among them."""
        self.values = list(values)
        if self.value not in self.values:
            self.value = DEFAULT if DEFAULT in self.values else self.values[0]
        self.refresh()

    def remark(self, note: str) -> None:
        """Say something beside the value."""
        self.note = note
        self.refresh()

    def render(self) -> Text:
        """Write the line."""
        here = self.has_focus
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(
            f"{'▶' if here else ' '} {self.word:<9}", style=COLORS["gold" if here else "dim"]
        )
        arrows = COLORS["gold" if here else "dim"]
        value = self.titles.get(self.value, self.value)
        text.append("◂ ", style=arrows).append(value, style="bold").append(" ▸", style=arrows)
        if self.size.width >= 50:
            text.append(f"  {self.note}", style=COLORS["dim"])
        return text

    def action_change(self, step: int) -> None:
        """Choose the next value."""
        at = self.values.index(self.value)
        self.value = self.values[(at + step) % len(self.values)]
        self.refresh()
        self.post_message(self.Changed())

    def on_click(self, event: events.Click) -> None:
        """A click left of the value goes back, elsewhere on."""
        event.stop()
        self.focus()
        self.action_change(-1 if event.x < 13 else 1)


class Press(Words, can_focus=True):
    """A button of one line."""

    BINDINGS = [Binding("enter,space", "press", show=False)]

    class Pressed(Message):
        """The button was pressed."""

        def __init__(self, name: str) -> None:
            self.name = name
            super().__init__()

    def on_click(self) -> None:
        """Press it."""
        self.action_press()

    def action_press(self) -> None:
        """Say so."""
        self.post_message(self.Pressed(self.id or ""))


class Fan(Board):
    """A few cards, to look at."""

    face = Face()

    def paint(self, width: int, height: int) -> Canvas:
        """Draw a hand that is a kalooki but for one card."""
        groups = [["JC", "QC", "KC"], ["7D", "8D", "*"], ["AH", "AS"]]
        return hands.hand(groups, {5}, None, self.face, width, height)


class First(Screen[None]):
    """Explains the game and lets the person choose."""

    BINDINGS = [
        Binding("up,shift+tab", "step(-1)", show=False),
        Binding("down,tab", "step(1)", show=False),
        Binding("enter", "deal", show=False),
        Binding("c", "resume", show=False),
        Binding("r", "rules", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("q", "leave", show=False),
    ]

    def __init__(self, wishes: Wishes, face: Face, speed: str | None) -> None:
        super().__init__()
        self.wishes, self.face, self.speed = wishes, face, speed
        self.wished = Rules.preset(wishes.rules, **wishes.knobs)
        self.variants = {**PRESETS, self.wished.name: self.wished}
        self.told: dict[str, Player] = {name: about(name) for name in LEVELS}
        """Who the agents are; checkpoints as soon as it is known."""
        self.most_seats: dict[str, int] = {name: most_seats(name) for name in LEVELS}
        """Seats of the largest table at which each of them can sit."""
        self.asked = "seat1"
        """The seat whose agent is described."""
        self.tables: list[Saved] = []

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        symbols = "♠ ♥" if self.face.symbols else "* *"
        yield Words(f"{symbols}   K A L O O K I   {symbols[::-1]}", id="banner")
        yield Fan(id="fan")
        with Horizontal(id="halves"):
            with VerticalScroll(id="primer", can_focus=False):
                yield Words(id="words")
            with Vertical(id="form"):
                yield Chooser("Variant", list(self.variants), self.wished.name, id="variant")
                yield Words(id="about")
                yield Chooser("Seats", ["2"], str(self.wishes.seats), id="many")
                for seat in range(1, 6):
                    chooser = Chooser(f"Seat {seat + 1}", LEVELS, DEFAULT, id=f"seat{seat}")
                    chooser.titles = {name: title(name) for name in LEVELS}
                    yield chooser
                yield Words(id="strength")
                yield Chooser("Speed", list(SPEEDS), self.speed or "normal", id="speed")
                yield Press("Enter  Deal the cards", id="deal")
                for number in range(OFFERED):
                    yield Press("", id=f"resume{number}", classes="resume")
                yield Words(id="problem")
        yield Words("↑ ↓ choose a line, ← → change it · r rules · ? help · q leave", id="keys")
        yield TooSmall()

    def on_mount(self) -> None:
        """Show what is chosen."""
        self.query_one(Fan).face = self.face
        for press in self.query(".resume"):
            press.display = False
        self.show()
        self.query_one("#variant").focus()
        self.run_worker(self._look_around())

    async def _look_around(self) -> None:
        """Find out, behind the first screen, who the agents are and which matches were left."""

        def look() -> "tuple[dict[str, Player], dict[str, int], list[Saved]]":
            from kalooki_env.play import saved

            names = [*LEVELS, *(name for name, _ in agents.checkpoints())]
            told = {name: about(name) for name in names}
            return told, {name: most_seats(name) for name in names}, saved.tables()

        self.told, self.most_seats, self.tables = await self.app.in_thread(look)  # type: ignore[attr-defined]
        for number, table in enumerate(self.tables[:OFFERED]):
            press = self.query_one(f"#resume{number}", Press)
            press.display = True
            press.update(f"{'c  ' if number == 0 else ''}{table.told}")
        self.show()

    def _chooser(self, name: str) -> Chooser:
        return self.query_one(f"#{name}", Chooser)

    @property
    def _rules(self) -> Rules:
        return self.variants[self._chooser("variant").value]

    def show(self) -> None:
        """Show what the choices bring with them."""
        rules, seats = self._rules, self._chooser("many")
        seats.offer([str(n) for n in range(2, 7) if _playable(rules, n)])
        self.query_one("#about", Words).update(_about(rules))
        for seat in range(1, 6):
            chooser = self._chooser(f"seat{seat}")
            chooser.display = seat < int(seats.value)
            chooser.offer([n for n, most in self.most_seats.items() if most >= int(seats.value)])
            chooser.remark(self.told[chooser.value].strength)
        self._show_strength()
        speed = self._chooser("speed")
        speed.remark(SPEEDS[speed.value])
        lines = primer(rules, int(seats.value))
        text = Text("\n").join(dressed(line, self.face) for line in lines)
        self.query_one("#words", Words).update(text)
        self.refresh(layout=True)

    def _show_strength(self) -> None:
        """Say how strong the agent is that was looked at last."""
        name = self._chooser(self.asked).value
        named = "" if title(name) == name else f" ({name})"
        words = f"{title(name)}{named} {self.told[name].line}"
        self.query_one("#strength", Words).update(words)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Describe the agent of the seat that is gone to."""
        if (event.widget.id or "").startswith("seat"):
            self.asked = str(event.widget.id)
            self._show_strength()

    def on_chooser_changed(self) -> None:
        """Follow a choice."""
        self.show()

    def on_press_pressed(self, event: Press.Pressed) -> None:
        """Follow a button."""
        if event.name == "deal":
            self.action_deal()
        else:
            self.action_resume(int(event.name.removeprefix("resume")))

    def action_step(self, step: int) -> None:
        """Go to the next line.

        Textual's own order is that of the last layout, which a line that has just appeared lacks.
        """
        lines = [line for line in self.query("Chooser, Press") if line.display]
        at = lines.index(self.focused) + step if self.focused in lines else 0
        self.set_focus(lines[at % len(lines)])

    def action_deal(self) -> None:
        """Sit down."""
        seats = int(self._chooser("many").value)
        names = tuple(self._chooser(f"seat{seat}").value for seat in range(1, seats))
        preset, knobs = self._rules.changes()
        wishes = Wishes(
            rules=preset,
            knobs=knobs,
            seats=seats,
            opponents=names,
            record=self.wishes.record,
            keep=self.wishes.keep,
        )
        self.app.sit_down(wishes, self._chooser("speed").value)  # type: ignore[attr-defined]

    def action_resume(self, number: int = 0) -> None:
        """Go on with a match that was left, the last one being number 0."""
        if number < len(self.tables):
            chosen = self._chooser("speed").value
            speed = self.speed if chosen == (self.speed or "normal") else chosen
            self.app.resume(self.tables[number], speed)  # type: ignore[attr-defined]
        else:
            self.problem("There is no match to go on with.")

    def problem(self, words: str) -> None:
        """Say what went wrong."""
        self.query_one("#problem", Words).update(words)

    def action_rules(self) -> None:
        """Show the rules of the variant."""
        self.app.show_rules(self._rules, int(self._chooser("many").value))  # type: ignore[attr-defined]

    def action_help(self) -> None:
        """Show the keys of the table."""
        from kalooki_env.play.screen import dialogs
        from kalooki_env.play.screen.keys import keys

        self.app.push_screen(dialogs.Page("Help", keys(dialogs.inside(self.app.size.width))))

    def action_leave(self) -> None:
        """Leave."""
        self.app.exit()


def _playable(rules: Rules, seats: int) -> bool:
    try:
        rules.check_seats(seats, "match")
    except RulesError:
        return False
    return True


def _about(rules: Rules) -> str:
    """Say what people call a variant; of house rules, what is changed."""
    preset, changed = rules.changes()
    house = (f"{knob} {json.dumps(value)}" for knob, value in changed.items())
    return ", ".join([ABOUT[preset], *house])
