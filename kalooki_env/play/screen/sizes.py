"""Sizes of the terminal, as classes that the style sheet knows, and what is too small for it."""

from kalooki_env.play.screen.lines import Words

COLUMNS, ROWS = 40, 18
"""The smallest terminal in which everything can be read."""
SLIM = 76
"""Columns below which the piles stand in a line of their own."""
ACROSS = [(0, "-tiny"), (COLUMNS, "-slim"), (SLIM, "-narrow"), (110, "-wide")]
DOWN = [(0, "-flat"), (ROWS, "-low"), (32, "-tall"), (48, "-huge")]


class TooSmall(Words):
    """Covers a screen that is too small, and says how large it must be."""

    def __init__(self) -> None:
        super().__init__(
            f"Kalooki needs {COLUMNS} columns and {ROWS} rows: make the terminal larger, or its "
            "letters smaller."
        )
