"""A widget that shows a canvas, and says what was clicked on it."""

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from kalooki_env.play.screen.palette import style
from kalooki_env.render.canvas import Canvas


class Board(Widget):
    """Shows what `paint` draws for the widget's size; painted again after `redraw`."""

    class Picked(Message):
        """Something on the canvas was clicked."""

        def __init__(self, target: tuple) -> None:
            self.target = target
            super().__init__()

    def __init__(self, **options: str) -> None:
        super().__init__(**options)
        self._canvas: Canvas | None = None
        self._painted_for = (0, 0)

    def paint(self, width: int, height: int) -> Canvas:
        """Draw the widget's canvas."""
        raise NotImplementedError

    @property
    def canvas(self) -> Canvas:
        """The canvas for the size that the widget has."""
        size = (self.size.width, self.size.height)
        if self._canvas is None or self._painted_for != size:
            self._canvas, self._painted_for = self.paint(*size), size
        return self._canvas

    def redraw(self, layout: bool = False) -> None:
        """Paint anew."""
        self._canvas = None
        self.refresh(layout=layout)

    def render_line(self, y: int) -> Strip:
        """Return a row of the canvas."""
        canvas = self.canvas
        if y >= canvas.height:
            return Strip.blank(self.size.width, style("white:felt"))
        return Strip([Segment(text, style(name)) for text, name in canvas.runs(y)], canvas.width)

    def on_click(self, event: events.Click) -> None:
        """Say what was clicked."""
        target = self.canvas.at(event.x, event.y)
        if target is not None:
            event.stop()
            self.post_message(self.Picked(target))
