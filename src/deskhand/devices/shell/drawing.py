"""A picture of a shell, drawn from its text: for models that look, and for people who read a run."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from unicodedata import east_asian_width

from PIL import Image as Canvas
from PIL import ImageDraw, ImageFont

from deskhand.core.geometry import Box, Size
from deskhand.perception.picture import Picture, picture_from_png

CELL = Size(8, 17)
"""Pixels of a character's place; those of East Asia take two."""
MARGIN = 8
_PAPER, _INK = 0x1C, 0xE4
_SIZE = 13
_FACES = ("DejaVuSansMono.ttf", "LiberationMono-Regular.ttf", "NotoSansMono-Regular.ttf")
_WIDE_FACES = ("NotoSansCJK-Regular.ttc", "wqy-microhei.ttc", "DroidSansFallbackFull.ttf")


def extent(columns: int, lines: int) -> Size:
    """Give the size of the picture of so much text."""
    return Size(columns * CELL.width + 2 * MARGIN, lines * CELL.height + 2 * MARGIN)


def place(line: int, columns: int, lines: int = 1) -> Box:
    """Give where some lines of text are in the picture."""
    return Box.at(MARGIN, MARGIN + line * CELL.height, columns * CELL.width, lines * CELL.height)


def draw(lines: Sequence[str], size: Size, cursor: tuple[int, int] | None = None) -> Picture:
    """Draw lines of text, and a cursor at a column and a line."""
    canvas = Canvas.new("L", size, _PAPER)
    pen = ImageDraw.Draw(canvas)
    for number, line in enumerate(lines):
        top = MARGIN + number * CELL.height
        for start, run, wide in _runs(line):
            font = _font(_WIDE_FACES if wide else _FACES)
            pen.text((MARGIN + start * CELL.width, top + 1), run, fill=_INK, font=font)
    if cursor is not None:
        left, top = MARGIN + cursor[0] * CELL.width, MARGIN + cursor[1] * CELL.height
        pen.rectangle((left, top, left + CELL.width - 1, top + CELL.height - 1), outline=_INK)
    out = io.BytesIO()
    canvas.save(out, "PNG", compress_level=1)
    return picture_from_png(out.getvalue())


def _runs(line: str) -> list[tuple[int, str, bool]]:
    """Part a line where the width of its characters changes: column, text, whether it is wide."""
    runs: list[tuple[int, str, bool]] = []
    column = 0
    for letter in line:
        wide = east_asian_width(letter) in "WF"
        if runs and not wide and not runs[-1][2]:
            start, text, _ = runs[-1]
            runs[-1] = (start, text + letter, False)
        else:
            runs.append((column, letter, wide))
        column += 2 if wide else 1
    return runs


@cache
def _font(faces: tuple[str, ...]) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Find a font that is installed; else the one that comes with Pillow, which knows fewer letters."""
    for face in faces:
        try:
            return ImageFont.truetype(face, _SIZE)
        except OSError:
            continue
    return ImageFont.load_default(_SIZE)
