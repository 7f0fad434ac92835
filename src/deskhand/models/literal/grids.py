"""Things of one kind in a column, a row or a grid, and words for places among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deskhand.core.observation import Element
from deskhand.perception.description import ORDINAL, ordinal
from deskhand.perception.looks import drawn_shape
from deskhand.perception.scene import Scene

_ALIKE = 2
"""Pixels by which the sizes of things of one kind may differ."""
_SIDE = r"top|bottom|upper|lower|left|right|middle|cent(?:er|re)|central"
_SIDES = re.compile(
    rf"^(?:(?:the\s+)?(?:very\s+|far\s+)?(?P<one>{_SIDE})(?:most)?(?:[ -](?P<other>{_SIDE}))?)"
    r"(?:\s+(?:corner|side|edge|end|position|place|cell|slot|square|spot|row|column))?"
    r"(?:\s+(?:of|in)\s+(?:the\s+)?(?:list|grid|table|area|page|screen|column|row|box|picture|canvas|stack))?$",
    re.IGNORECASE,
)
_NTH = re.compile(
    rf"^(?:the\s+)?(?:(?P<nth>{ORDINAL})\s+(?:position|place|slot|spot|row|column|item|entry|cell)|"
    r"(?:position|place|slot|spot)\s+(?:number\s+)?(?P<n>\d+)|(?P<end>beginning|start|head|front|end|tail|back))"
    r"(?:\s+(?:of|in|from)\s+(?:the\s+)?(?:list|grid|table|row|column|stack|order|top|left|queue))?$",
    re.IGNORECASE,
)
_SAME = {"upper": "top", "lower": "bottom", "center": "middle", "centre": "middle", "central": "middle"}


class Place(NamedTuple):
    """A place among others: a number in reading order, or sides."""

    number: int = 0
    """From 1, or from the end as -1; 0 where sides are said."""
    sides: tuple[str, ...] = ()
    """Of top, bottom, left, right, middle."""


class Grid(NamedTuple):
    """Things of one kind in reading order, by rows and columns."""

    cells: tuple[Element, ...]
    columns: int

    @property
    def rows(self) -> int:
        return -(-len(self.cells) // self.columns)

    def number_of(self, element: Element) -> int:
        return next(i for i, cell in enumerate(self.cells) if cell.id == element.id)

    def at(self, place: Place) -> int | None:
        """Give the index of a place; None where there is no such place, or not only one."""
        if place.number:
            index = place.number - 1 if place.number > 0 else len(self.cells) + place.number
        else:
            down = _along(place.sides, ("top", "bottom"), self.rows)
            across = _along(place.sides, ("left", "right"), self.columns)
            if down is None or across is None:
                return None
            index = down * self.columns + across
        return index if 0 <= index < len(self.cells) else None

    def beside(self, index: int, way: str, steps: int) -> int | None:
        """Give the index so many steps away; None where the grid ends before."""
        row, column = divmod(index, self.columns)
        row += {"up": -steps, "down": steps}.get(way, 0)
        column += {"left": -steps, "right": steps}.get(way, 0)
        inside = 0 <= row < self.rows and 0 <= column < self.columns and row * self.columns + column < len(self.cells)
        return row * self.columns + column if inside else None


def read_place(words: str) -> Place | None:
    """Read "the 2nd position", "the top left corner", "the end"; None when it is something else."""
    text = " ".join(words.strip(" .").split())
    if nth := _NTH.match(text):
        end = nth["end"]
        if end:
            return Place(-1 if end.lower() in ("end", "tail", "back") else 1)
        return Place(ordinal(nth["nth"]) if nth["nth"] else int(nth["n"]))
    if sides := _SIDES.match(text):
        named = [side.lower() for side in (sides["one"], sides["other"]) if side]
        return Place(sides=tuple(_SAME.get(side, side) for side in named))
    return None


def grid_around(element: Element, scene: Scene) -> Grid | None:
    """Give the things of an element's kind that it is lined up with; None where it stands alone."""
    kind = [
        e
        for e in scene.top
        if (e.role, e.parent, drawn_shape(e)) == (element.role, element.parent, drawn_shape(element))
    ]
    kind = [e for e in kind if not e.box.empty and abs(e.box.height - element.box.height) <= _ALIKE]
    same = [e for e in kind if abs(e.box.width - element.box.width) <= _ALIKE]
    column = [e for e in kind if abs(e.box.left - element.box.left) <= _ALIKE]
    row = [e for e in kind if abs(e.box.top - element.box.top) <= _ALIKE]
    return next((grid for group in (same, column, row) if (grid := _grid(group)) is not None), None)


def _grid(group: Sequence[Element]) -> Grid | None:
    rows = _clusters(e.box.center.y for e in group)
    columns = _clusters(e.box.center.x for e in group)
    if len(group) < 2 or len(rows) * len(columns) < len(group) or len(group) <= (len(rows) - 1) * len(columns):
        return None
    ordered = sorted(group, key=lambda e: (_nearest(e.box.center.y, rows), e.box.center.x))
    places = [(_nearest(e.box.center.y, rows), _nearest(e.box.center.x, columns)) for e in ordered]
    filled = [divmod(index, len(columns)) for index in range(len(ordered))]
    return Grid(tuple(ordered), len(columns)) if places == filled else None


def _clusters(middles: Iterable[int]) -> list[int]:
    found: list[int] = []
    for middle in sorted(middles):
        if not found or middle - found[-1] > 2 * _ALIKE:
            found.append(middle)
    return found


def _nearest(middle: int, clusters: Sequence[int]) -> int:
    return min(range(len(clusters)), key=lambda i: abs(clusters[i] - middle))


def _along(sides: Sequence[str], ends: tuple[str, str], count: int) -> int | None:
    """Give the place along one axis; what is not said is the only one, or the middle where that is said."""
    if ends[0] in sides:
        return 0
    if ends[1] in sides:
        return count - 1
    if count == 1:
        return 0
    return count // 2 if "middle" in sides and count % 2 else None
