"""Reading text with RapidOCRLite's smallest weights, which the extra `ocr` brings: ten times as fast as tesseract.

The weights are licensed under AI PUBS OPEN RAIL-M (modified): their use is limited, also in business. They read Latin
and Chinese well, Japanese and Korean badly, and neither Cyrillic nor Greek.
"""

from __future__ import annotations

import threading
from functools import cached_property

import anyio.to_thread
import numpy as np
from numpy.typing import NDArray
from rapidocr import ModelType, RapidOCR

from deskhand.core.geometry import Box
from deskhand.perception.ocr import Word
from deskhand.perception.options import OcrOptions
from deskhand.perception.picture import Pixels
from deskhand.perception.strips import MOST, Strip, read_in_strips

_DRAWN = 40
"""Levels of brightness within a column of pixels from which on there is a letter."""
_SMALLEST = 32
"""Pixels; less is padded, since nothing is found in it."""


def make(_: OcrOptions) -> FastOcr:
    return FastOcr()


class FastOcr:
    """Runs in threads of this process, one for each strip of a picture; one picture at a time."""

    def __init__(self) -> None:
        self._engines = tuple(_Engine() for _ in range(MOST))

    async def read(self, pixels: Pixels) -> list[Word]:
        """Read a picture; when cancelled, what its threads still find is dropped."""
        (width, height), data = pixels
        image = np.frombuffer(data, np.uint8).reshape(height, width, 4)

        async def read_strip(number: int, strip: Strip) -> list[Word]:
            rows = image[strip.top : strip.bottom]
            return await anyio.to_thread.run_sync(self._engines[number].read, rows, abandon_on_cancel=True)

        return await read_in_strips(pixels, read_strip)


class _Engine:
    """Reads one strip after the other; its weights are loaded for the first."""

    def __init__(self) -> None:
        # Keeps apart a reading that was cancelled and is still under way in its thread, and the next one.
        self._turn = threading.Lock()

    @cached_property
    def _weights(self) -> RapidOCR:
        # One thread each: strips that are read side by side take a tenth less time than its own threads for all.
        lite = {"Det.model_type": ModelType.LITE, "Rec.model_type": ModelType.LITE, "Global.use_cls": False}
        return RapidOCR(params=lite | {"EngineConfig.onnxruntime.intra_op_num_threads": 1})

    def read(self, image: NDArray[np.uint8]) -> list[Word]:
        """Read rows of pixels of four bytes each: blue, green, red and one that means nothing."""
        height, width, _ = image.shape
        padded = np.empty((max(height, _SMALLEST), max(width, _SMALLEST), 3), np.uint8)
        for colour in range(3):  # a fifth of the time that copying three of four at once takes
            plane = image[:, :, colour]
            padded[:height, :width, colour] = plane
            padded[height:, :width, colour] = plane[-1:]
            padded[:, width:, colour] = padded[:, width - 1 : width, colour]
        with self._turn:
            result = self._weights(padded)
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
