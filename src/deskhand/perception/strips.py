"""Reading a picture in strips that lie one above the other, one for each processor."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Awaitable, Callable
from itertools import accumulate, pairwise
from typing import NamedTuple

import anyio

from deskhand.perception.ocr import Word, moved
from deskhand.perception.picture import Pixels

MOST = 4
"""Strips of one picture."""
_TALL = 300
"""Rows of pixels that are worth a strip of their own."""
_OVERLAP, _CLEAR_OVERLAP = 40, 8
"""Rows that are read twice where two strips meet, so that each line is whole in one of them; fewer where no line is."""
_REACH = 40
"""Rows up and down in which a gap between lines is looked for."""
_SAMPLED = 7
"""Of so many rows one is looked at to estimate how much there is to read; odd, since lines come at even intervals."""
_GAP = 5
"""Rows that are one like the other: no text goes through them, whatever stands beside it."""


class Strip(NamedTuple):
    """The rows that are read, and those among them whose words count."""

    top: int
    bottom: int
    first: int
    last: int


async def read_in_strips(pixels: Pixels, read: Callable[[int, Strip], Awaitable[list[Word]]]) -> list[Word]:
    """Read the strips of a picture at the same time; `read` is given the number of a strip and its rows.

    Boxes that it gives are in pixels of the strip, those that come back in pixels of the picture.
    """
    parts = _strips(pixels)
    found: list[list[Word]] = [[] for _ in parts]

    async def read_one(number: int, strip: Strip) -> None:
        there = [word._replace(box=moved(word.box, 0, strip.top)) for word in await read(number, strip)]
        found[number] = [word for word in there if strip.first <= word.box.center.y < strip.last]

    async with anyio.create_task_group() as group:
        for number, strip in enumerate(parts):
            group.start_soon(read_one, number, strip)
    return [word for words in found for word in words]


def _strips(pixels: Pixels) -> list[Strip]:
    height = pixels.size.height
    cuts = [(0, 0), *(_cut(pixels, wanted) for wanted in _even(pixels)), (height, 0)]
    return [Strip(first - before, last + after, first, last) for (first, before), (last, after) in pairwise(cuts)]


def _even(pixels: Pixels) -> list[int]:
    """Give the rows that divide the work evenly: two thirds of it are for what is drawn, one is for the area."""
    height = pixels.size.height
    count = max(1, min(os.cpu_count() or 1, MOST, height // _TALL))
    drawn = [_drawn(pixels, row) for row in range(0, height, _SAMPLED)] if count > 1 else [0]
    ground = max(1, sum(drawn) / len(drawn) / 2)
    work = list(accumulate(ground + ink for ink in drawn))
    rows = [0]
    for number in range(1, count):
        row = _SAMPLED * bisect_left(work, work[-1] * number / count)
        rows.append(min(max(row, rows[-1] + _TALL // 2), height - (count - number) * _TALL // 2))
    return rows[1:]


def _drawn(pixels: Pixels, row: int) -> int:
    """Give by how many bits the pixels of a row differ from the ones beside them."""
    stride = 4 * pixels.size.width
    number = int.from_bytes(pixels.data[row * stride : (row + 1) * stride], "little")
    return (number ^ (number >> 32)).bit_count()


def _cut(pixels: Pixels, wanted: int) -> tuple[int, int]:
    """Give the row near `wanted` where a picture is best divided, and how many rows are read twice on either side."""
    stride, first = 4 * pixels.size.width, wanted - _REACH
    rows = [bytes(pixels.data[row * stride : (row + 1) * stride]) for row in range(first, wanted + _REACH)]
    gaps = [
        first + row + _GAP // 2
        for row in range(len(rows) - _GAP + 1)
        if all(one == next_one for one, next_one in pairwise(rows[row : row + _GAP]))
    ]
    if not gaps:
        return wanted, _OVERLAP
    return min(gaps, key=lambda row: abs(row - wanted)), _CLEAR_OVERLAP
