"""The shapes on cards as masks with smooth edges: suits, star, crowns, the jester's cap."""

import math
from collections.abc import Callable
from functools import lru_cache

from PIL import Image, ImageDraw

Point = tuple[float, float]
_FINE = 8
"""Shapes are drawn so many times larger and then made smaller, which smooths their edges."""


@lru_cache(maxsize=512)
def mask(shape: str, size: int) -> Image.Image:
    """Return a shape as a square mask `L`: 0 outside, 255 inside. It is shared: don't change it.

    Args:
        shape: a suit (`C D H S`) or a name of `SHAPES`.
        size: pixels of its sides.
    """
    fine = size * _FINE
    image = Image.new("L", (fine, fine))
    SHAPES[shape](_Pen(image, fine))
    return image.reduce(_FINE)


class _Pen:
    """Fills figures of a unit square, y downwards; `ink=0` cuts out."""

    def __init__(self, image: Image.Image, size: int) -> None:
        self._draw, self._size = ImageDraw.Draw(image), size

    def polygon(self, points: list[Point], ink: int = 255) -> None:
        self._draw.polygon([(x * self._size, y * self._size) for x, y in points], fill=ink)

    def circle(self, x: float, y: float, radius: float, ink: int = 255) -> None:
        box = [(x - radius, y - radius), (x + radius, y + radius)]
        self._draw.ellipse([(a * self._size, b * self._size) for a, b in box], fill=ink)


def _curve(*points: Point, steps: int = 24) -> list[Point]:
    """Return points on the Bézier curve of some control points."""
    degree = len(points) - 1
    line = []
    for step in range(steps + 1):
        t = step / steps
        weights = [math.comb(degree, k) * t**k * (1 - t) ** (degree - k) for k in range(degree + 1)]
        line.append(
            (
                sum(weight * x for weight, (x, _) in zip(weights, points, strict=True)),
                sum(weight * y for weight, (_, y) in zip(weights, points, strict=True)),
            )
        )
    return line


def _both_sides(right: list[Point]) -> list[Point]:
    """Close the right half of an outline, from top to bottom, with its mirror image."""
    return right + [(1 - x, y) for x, y in reversed(right)]


def _heart(pen: _Pen) -> None:
    right = _curve((0.5, 0.24), (0.56, 0.02), (0.97, 0.0), (0.97, 0.34))
    right += _curve((0.97, 0.34), (0.97, 0.58), (0.66, 0.72), (0.5, 0.98))
    pen.polygon(_both_sides(right))


def _diamond(pen: _Pen) -> None:
    right = _curve((0.5, 0.01), (0.62, 0.22), (0.75, 0.38), (0.89, 0.5))
    right += _curve((0.89, 0.5), (0.75, 0.62), (0.62, 0.78), (0.5, 0.99))
    pen.polygon(_both_sides(right))


def _stem(pen: _Pen) -> None:
    right = [(0.5, 0.5), (0.52, 0.6), *_curve((0.53, 0.62), (0.54, 0.86), (0.6, 0.95), (0.7, 0.98))]
    pen.polygon(_both_sides(right))


def _spade(pen: _Pen) -> None:
    right = _curve((0.5, 0.01), (0.62, 0.24), (0.96, 0.36), (0.96, 0.63))
    right += _curve((0.96, 0.63), (0.96, 0.9), (0.62, 0.92), (0.52, 0.68))
    pen.polygon(_both_sides(right))
    _stem(pen)


def _club(pen: _Pen) -> None:
    for x, y in ((0.5, 0.24), (0.25, 0.58), (0.75, 0.58)):
        pen.circle(x, y, 0.225)
    pen.polygon([(0.5, 0.3), (0.68, 0.66), (0.32, 0.66)])
    _stem(pen)


def _star(pen: _Pen) -> None:
    points = []
    for corner in range(10):
        radius = 0.5 if corner % 2 == 0 else 0.215
        angle = math.pi * corner / 5
        points.append((0.5 + radius * math.sin(angle), 0.53 - radius * math.cos(angle)))
    pen.polygon(points)


def _king(pen: _Pen) -> None:
    spikes = [(0.06, 0.34), (0.26, 0.56), (0.3, 0.22), (0.5, 0.52), (0.7, 0.22), (0.74, 0.56)]
    pen.polygon([*spikes, (0.94, 0.34), (0.86, 0.76), (0.14, 0.76)])
    pen.polygon([(0.14, 0.81), (0.86, 0.81), (0.86, 0.92), (0.14, 0.92)])
    pen.polygon([(0.46, 0.04), (0.54, 0.04), (0.54, 0.6), (0.46, 0.6)])
    pen.polygon([(0.37, 0.12), (0.63, 0.12), (0.63, 0.2), (0.37, 0.2)])
    for x, y in ((0.06, 0.31), (0.3, 0.19), (0.7, 0.19), (0.94, 0.31)):
        pen.circle(x, y, 0.06)


def _queen(pen: _Pen) -> None:
    right = [(0.5, 0.3), *_curve((0.5, 0.3), (0.56, 0.62), (0.62, 0.62), (0.68, 0.36))]
    right += _curve((0.68, 0.36), (0.72, 0.62), (0.8, 0.62), (0.92, 0.44))
    pen.polygon(_both_sides([*right, (0.84, 0.8)]))
    pen.polygon([(0.16, 0.85), (0.84, 0.85), (0.84, 0.94), (0.16, 0.94)])
    for x, y, radius in ((0.5, 0.2, 0.085), (0.3, 0.28, 0.07), (0.7, 0.28, 0.07)):
        pen.circle(x, y, radius)
    pen.circle(0.07, 0.39, 0.065)
    pen.circle(0.93, 0.39, 0.065)


def _jack(pen: _Pen) -> None:
    cap = _curve((0.1, 0.72), (0.04, 0.3), (0.4, 0.28), (0.62, 0.4))
    cap += _curve((0.62, 0.4), (0.84, 0.44), (0.9, 0.56), (0.9, 0.72))
    pen.polygon(cap)
    pen.polygon([(0.06, 0.77), (0.94, 0.77), (0.94, 0.92), (0.06, 0.92)])
    feather = _curve((0.6, 0.5), (0.56, 0.2), (0.72, 0.04), (0.98, 0.03))
    feather += _curve((0.98, 0.03), (0.96, 0.26), (0.82, 0.4), (0.6, 0.5))
    pen.polygon(feather)
    pen.polygon([*_curve((0.58, 0.54), (0.64, 0.3), (0.74, 0.2), (0.88, 0.11)), (0.6, 0.54)], 0)


def _cap_middle(pen: _Pen) -> None:
    right = _curve((0.5, 0.08), (0.6, 0.24), (0.66, 0.44), (0.72, 0.76))
    pen.polygon(_both_sides(right))


def _cap_sides(pen: _Pen) -> None:
    right = _curve((0.55, 0.3), (0.66, 0.14), (0.92, 0.14), (0.95, 0.5))
    right += _curve((0.95, 0.5), (0.84, 0.36), (0.78, 0.48), (0.78, 0.76))
    pen.polygon([*right, (0.5, 0.76)])
    pen.polygon([(1 - x, y) for x, y in [*right, (0.5, 0.76)]])


def _cap_bells(pen: _Pen) -> None:
    pen.circle(0.5, 0.08, 0.075)
    pen.circle(0.95, 0.55, 0.07)
    pen.circle(0.05, 0.55, 0.07)
    pen.polygon([(0.2, 0.78), (0.8, 0.78), (0.78, 0.92), (0.22, 0.92)])


SHAPES: dict[str, Callable[[_Pen], None]] = {
    "C": _club,
    "D": _diamond,
    "H": _heart,
    "S": _spade,
    "star": _star,
    "J": _jack,
    "Q": _queen,
    "K": _king,
    "cap-middle": _cap_middle,
    "cap-sides": _cap_sides,
    "cap-bells": _cap_bells,
}
"""Figures by name: the suits, a star, the heads of the court cards, three parts of a jester's cap."""
