"""Animated GIFs of pictures: one palette for all frames, no dithering, only what changes is written."""

import io
import struct
from collections.abc import Sequence

import numpy as np
from PIL import GifImagePlugin, Image

from kalooki_env.render.picture import paint

_COLORS = 255
"""Colours of the palette; the last index is for pixels that stay as they were."""
_SAME = 255
_EXACT = 160
"""So many colours are in the palette just as they are."""


class Gif:
    """An animated GIF that grows frame by frame; it is never held as pictures.

    Args:
        samples: pictures (`RGB`, of one size) whose colours stand for those of all frames.
    """

    def __init__(self, samples: Sequence[Image.Image]) -> None:
        self.size = samples[0].size
        self.frames = 0
        self._colors = _choose_colors(samples)
        self._nearest = np.full(1 << 24, _SAME, np.uint8)
        """Index of the nearest colour by red, green and blue in one number; `_SAME`: not sought yet."""
        self._last: np.ndarray | None = None
        self._data = io.BytesIO()
        # Header, the table of 256 colours, and the word that the pictures go on for ever.
        self._data.write(b"GIF89a" + struct.pack("<HHBBB", *self.size, 0xF7, 0, 0))
        self._data.write(self._table())
        self._data.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")

    def add(self, image: Image.Image, milliseconds: int) -> None:
        """Add a frame.

        Args:
            image: `RGB`, of the size of all.
            milliseconds: how long it is shown; a GIF counts hundredths of a second.
        """
        if image.size != self.size:
            raise ValueError(f"expected a frame of size {self.size}, got {image.size}")
        frame = self._indices(image)
        x, y, changed = 0, 0, frame
        if self._last is not None:
            x, y, changed = _changed(self._last, frame)
        part = Image.fromarray(changed)
        part.putpalette(self._table())
        self._data.writelines(
            GifImagePlugin.getdata(
                part, (x, y), duration=milliseconds, disposal=1, transparency=_SAME, interlace=0
            )
        )
        self._last = frame
        self.frames += 1

    def _indices(self, image: Image.Image) -> np.ndarray:
        """Return the number of the nearest colour for each pixel, uint8[height, width]."""
        codes = _codes(image)
        found = self._nearest[codes]
        missing = codes[found == _SAME]
        if missing.size:
            new = np.unique(missing)
            values = np.stack([new >> 16, new >> 8 & 255, new & 255], axis=1).astype(np.int32)
            for start in range(0, len(new), 4096):
                part = values[start : start + 4096, None] - self._colors[None]
                self._nearest[new[start : start + 4096]] = (part**2).sum(axis=2).argmin(axis=1)
            found = self._nearest[codes]
        return found

    def _table(self) -> bytes:
        return self._colors.astype(np.uint8).tobytes() + bytes(3)

    def to_bytes(self) -> bytes:
        """Return the file so far."""
        return self._data.getvalue() + b";"


def _codes(image: Image.Image) -> np.ndarray:
    """Return the colours as numbers, red in the highest byte: uint32[height, width]."""
    pixels = np.asarray(image).astype(np.uint32)
    return pixels[..., 0] << 16 | pixels[..., 1] << 8 | pixels[..., 2]


def _changed(before: np.ndarray, after: np.ndarray) -> tuple[int, int, np.ndarray]:
    """Return the part of a frame that differs from the one before: where it lies, and its pixels.

    Pixels in it that stay are `_SAME`. Where nothing differs it is one such pixel.
    """
    differs = before != after
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not rows.size:
        return 0, 0, np.full((1, 1), _SAME, np.uint8)
    y, x = int(rows[0]), int(columns[0])
    box = slice(y, int(rows[-1]) + 1), slice(x, int(columns[-1]) + 1)
    return x, y, np.where(differs[box], after[box], np.uint8(_SAME))


def _choose_colors(samples: Sequence[Image.Image]) -> np.ndarray:
    """Return the colours of all frames, int32[255, 3].

    The paints and the most frequent mixtures are among them as they are, the others as means.
    """
    codes, counts = np.unique(
        np.concatenate([_codes(image).ravel() for image in samples]), return_counts=True
    )
    codes = codes[np.argsort(-counts, kind="stable")]
    paints = np.array([red << 16 | green << 8 | blue for red, green, blue in paint.ALL], np.uint32)
    codes = np.concatenate([paints, codes[~np.isin(codes, paints)]])
    colors = np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1).astype(np.uint8)
    chosen = colors[:_EXACT]
    if len(colors) > _EXACT:
        others = Image.fromarray(colors[None, _EXACT:])
        reduced = others.quantize(_COLORS - _EXACT, Image.Quantize.MEDIANCUT)
        means = np.array(reduced.getpalette()[: 3 * (_COLORS - _EXACT)], np.uint8).reshape(-1, 3)
        chosen = np.concatenate([chosen, means])
    missing = _COLORS - len(chosen)
    return np.concatenate([chosen, np.repeat(chosen[:1], missing, axis=0)]).astype(np.int32)
