"""What is shown while opponents are loaded and the engine starts."""

import time

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Center, Middle
from textual.screen import Screen
from textual.widgets import LoadingIndicator

from kalooki_env.play.screen.lines import Words
from kalooki_env.play.screen.sizes import TooSmall

_LONG = 6.0
"""Seconds after which it must be the engine that compiles itself."""


class Wait(Screen[None]):
    """Says that the opponents are coming."""

    BINDINGS = [Binding("q,escape", "leave", show=False)]

    def __init__(self) -> None:
        super().__init__()
        self.left = False
        self._began = time.monotonic()

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        with Middle(), Center():
            yield Words("The opponents sit down ...", id="waiting")
            yield LoadingIndicator()
        yield TooSmall()

    def on_mount(self) -> None:
        """Say more if it takes long."""
        self.set_interval(1.0, self.explain)

    def explain(self) -> None:
        """Say what takes so long, and how long it has taken."""
        seconds = time.monotonic() - self._began
        if seconds >= _LONG and not self.left:
            self.query_one("#waiting", Words).update(
                "The first game on a machine takes a minute or two: the engine compiles itself ... "
                f"{seconds:.0f} s"
            )

    def action_leave(self) -> None:
        """Leave as soon as possible."""
        self.left = True
        self.query_one("#waiting", Words).update("Leaving ...")
