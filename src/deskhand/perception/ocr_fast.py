"""Reading text with RapidOCRLite's smallest weights, which the extra `ocr` brings: ten times as fast as tesseract.

The weights are licensed under AI PUBS OPEN RAIL-M (modified): their use is limited, also in business. They read Latin
and Chinese well, Japanese and Korean badly, and neither Cyrillic nor Greek.
"""

from __future__ import annotations

import threading

import anyio.to_thread
import numpy as np
from numpy.typing import NDArray
from rapidocr import ModelType, RapidOCR

from deskhand.core.geometry import Box
from deskhand.perception.ocr import Word
from deskhand.perception.options import OcrOptions
from deskhand.perception.picture import Pixels

_DRAWN = 40
"""Levels of brightness within a column of pixels from which on there is a letter."""
_SMALLEST = 32
"""Pixels; less is padded, since nothing is found in it."""


def make(_: OcrOptions) -> FastOcr:
    return FastOcr()


class FastOcr:
    """Runs in a thread of this process; one picture at a time."""

    def __init__(self) -> None:
        lite = {"Det.model_type": ModelType.LITE, "Rec.model_type": ModelType.LITE, "Global.use_cls": False}
        self._engine = RapidOCR(params=lite)
        # Keeps apart a reading that was cancelled and is still under way in its thread, and the next one.
        self._turn = threading.Lock()

    async def read(self, pixels: Pixels) -> list[Word]:
        """Read a picture; when cancelled, what its thread still finds is dropped."""
        return await anyio.to_thread.run_sync(self._read, pixels, abandon_on_cancel=True)

    def _read(self, pixels: Pixels) -> list[Word]:
        (width, height), data = pixels
        image = np.frombuffer(data, np.uint8).reshape(height, width, 4)[:, :, :3]
        more = (max(0, _SMALLEST - height), max(0, _SMALLEST - width))
        padded = np.pad(image, ((0, more[0]), (0, more[1]), (0, 0)), mode="edge") if any(more) else image
        with self._turn:
            result = self._engine(np.ascontiguousarray(padded))
        if result.boxes is None:
            return []
        lines = zip(result.txts or (), result.boxes, result.scores or (), strict=True)
        return [word for line in lines for word in _words(image[:, :, 1], *line)]


def _words(green: NDArray[np.uint8], text: str, corners: NDArray[np.float32], sure: float) -> list[Word]:
    """Divide a line at its widest gaps, as many as its text has spaces.

    The engine does that as well, in a third of the time that it takes for all else.
    """
    left, top = (max(0, int(side)) for side in corners.min(axis=0))
    right, bottom = (int(np.ceil(side)) for side in corners.max(axis=0))
    parts = text.split()
    strip = green[top:bottom, left:right]
    whole = Word(" ".join(parts), Box(left, top, right, bottom), float(sure))
    if len(parts) < 2 or strip.size == 0:
        return [whole]
    drawn = strip.max(axis=0).astype(np.int16) - strip.min(axis=0) >= _DRAWN
    turns = np.flatnonzero(np.diff(drawn.astype(np.int8), prepend=0, append=0))  # where ink begins and ends, in turn
    ends, starts = turns[1:-1:2], turns[2::2]
    if len(starts) < len(parts) - 1:
        return [whole]
    widest = np.sort(np.argsort(ends - starts)[: len(parts) - 1])
    lefts, rights = [turns[0], *starts[widest]], [*ends[widest], turns[-1]]
    places = zip(parts, lefts, rights, strict=True)
    return [Word(part, Box(left + int(a), top, left + int(b), bottom), float(sure)) for part, a, b in places]
