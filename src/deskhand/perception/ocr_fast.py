"""Reading text with RapidOCRLite's smallest weights, which the extra `ocr` brings: ten times as fast as tesseract.

The weights are licensed under AI PUBS OPEN RAIL-M (modified): their use is limited, also in business. They read Latin
and Chinese well, Japanese and Korean badly, and neither Cyrillic nor Greek.
"""

from __future__ import annotations

import threading

import anyio.to_thread
import numpy as np
from rapidocr import ModelType, RapidOCR

from deskhand.core.geometry import Box
from deskhand.perception.ocr import Word
from deskhand.perception.options import OcrOptions
from deskhand.perception.picture import Pixels

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
        padded = np.pad(image, ((0, more[0]), (0, more[1]), (0, 0)), mode="edge")
        with self._turn:
            result = self._engine(np.ascontiguousarray(padded), return_word_box=True)
        return [
            Word(str(text), _box(corners), line, float(sure))
            for line, words in enumerate(result.word_results or ())
            for text, sure, corners in words
        ]


def _box(corners: list[list[float]]) -> Box:
    across, down = zip(*corners, strict=True)
    return Box(int(min(across)), int(min(down)), round(max(across)), round(max(down)))
