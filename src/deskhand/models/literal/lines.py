"""Texts put together as the eye does: what stands in one line, from left to right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from deskhand.core.observation import Element

_GLUED = 0.2
"""Up to this part of its height two pieces of a line are one word."""


def lines(elements: Iterable[Element]) -> list[list[Element]]:
    """Group texts that stand in one line, the topmost first."""
    rows: list[list[Element]] = []
    for element in sorted(elements, key=lambda e: (e.box.top, e.box.left)):
        row = next((row for row in rows if _aligned(row, element)), None)
        if row is None:
            rows.append([element])
        else:
            row.append(element)
    return [sorted(row, key=lambda e: e.box.left) for row in rows]


def _aligned(row: Sequence[Element], element: Element) -> bool:
    last, box = row[-1].box, element.box
    return (min(last.bottom, box.bottom) - max(last.top, box.top)) * 2 > min(last.height, box.height)


def read_line(line: Sequence[Element]) -> str:
    """Give the text of a line; pieces that touch are one word."""
    text = line[0].name.strip()
    for before, piece in pairwise(line):
        gap = piece.box.left - before.box.right
        text += ("" if gap <= _GLUED * piece.box.height else " ") + piece.name.strip()
    return text
