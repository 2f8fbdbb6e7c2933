"""A hand as cards one over the next on a canvas."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kalooki_env.render.boxes import Face, draw_card
from kalooki_env.render.canvas import Canvas


@dataclass(frozen=True)
class HandLook:
    """How large the cards of a hand are: cells from one card to the next, and rows."""

    pitch: int
    rows: int

    @classmethod
    def fitting(cls, cards: int, width: int, height: int) -> "HandLook":
        """Choose the largest look for which the cards fit beside each other."""
        for pitch in (8, 6, 5, 4, 3):
            if cards * pitch + 1 <= width and (pitch < 8 or height >= 9):
                return cls(pitch, max(height - 1, 2))
        return cls(2, max(height - 1, 2))


def hand(
    groups: Sequence[Sequence[str]],
    selected: Collection[int],
    cursor: int | None,
    face: Face,
    width: int,
    height: int,
    news: Collection[int] = (),
) -> Canvas:
    """Draw a hand, one card over the next, the selected ones a row higher.

    Args:
        groups: the cards in order, those of one suit or rank together.
        selected: indices of the raised cards, counted over all groups.
        cursor: index of the card with a heavy edge.
        face: how cards are written.
        width: cells across.
        height: rows, of which the first is for raised cards.
        news: indices of cards that came in this turn.
    """
    canvas = Canvas(width, height)
    n = sum(map(len, groups))
    look = HandLook.fitting(n, width, height)
    spare = width - n * look.pitch - 1
    gap = min(2, max(0, spare // max(len(groups) - 1, 1)))
    x = max(0, (spare - gap * (len(groups) - 1)) // 2)
    places, index = [], 0
    for group in groups:
        for card in group:
            places.append((index, x, card))
            x += look.pitch
            index += 1
        x += gap
    places.sort(key=lambda place: place[0] == cursor)  # the card at the cursor lies on top
    for index, x, card in places:
        y = 0 if index in selected else 1
        draw_card(
            canvas,
            x,
            y,
            card,
            face,
            inner=look.pitch - 1,
            rows=height - y,
            ground="lifted" if index in selected else "fresh" if index in news else "card",
            heavy=index == cursor,
            closed=False,
        )
        canvas.zone(x, 0, look.pitch + (index == n - 1), height, "card", index)
    return canvas
