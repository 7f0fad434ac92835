"""Elements as lines of text: one each, or, where like ones stand side by side or below each other, one for a row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from deskhand.core.geometry import Box, Frame, Point
from deskhand.core.observation import Element
from deskhand.dialects.controls import named, runs, told_states, told_value
from deskhand.dialects.quoting import cut, quoted

_LOW, _NARROW = 48, 400
_FEW_ROWS, _FEW_CELLS, _SHORT = 3, 6, 3
"""A table has at least so many rows and cells, a row so many cells."""
_BARE = re.compile(r"[^\s@|=\[\]\"\\]([^\n\r\t@|=\[\]\"\\]*[^\s@|=\[\]\"\\])?")
"""A text that can do without quotation marks in a row."""

_Row = Sequence[Element]
"""Controls side by side, the left one first; or the empty cells of a row of a sheet."""


class _Scale(NamedTuple):
    """How pixels of the device are written."""

    across: float
    down: float
    digits: int | None

    def x(self, pixels: int) -> float:
        return round(pixels * self.across, self.digits)

    def y(self, pixels: int) -> float:
        return round(pixels * self.down, self.digits)

    def box(self, box: Box) -> str:
        """Write where something is: its middle, and of what is larger than most controls the corners."""
        if _small(box):
            return f"{self.x(box.center.x)},{self.y(box.center.y)}"
        return f"{self.x(box.left)},{self.y(box.top)}-{self.x(box.right)},{self.y(box.bottom)}"


def lines_of(elements: Sequence[Element], frame: Frame | None) -> Iterator[str]:
    """Write elements; what one is in is said where that is not what the one before it is, or is in.

    Places are written in the coordinates in which `frame` shows the screen, by default its own pixels. That of what
    stands in a row is where its x and the y of the row meet, which is well within its box: rows are one below the
    other, from the first y to the last.
    """
    scale = _scale(frame)
    known = {"", elements[0].id} if elements else set()
    for table in _tables(elements):
        first, last = table[0][0], table[-1][-1]
        within = f" in {first.parent}" if first.parent not in known else ""
        yield from _told(table, scale, within)
        known = {"", elements[0].id, last.id, last.parent}


def _scale(frame: Frame | None) -> _Scale:
    if not frame or frame.device == frame.shown:
        return _Scale(1.0, 1.0, None)
    across, down = frame.shown.width / frame.device.width, frame.shown.height / frame.device.height
    return _Scale(across, down, 3 if frame.shown == (1, 1) else None)


def _small(box: Box) -> bool:
    return box.height <= _LOW and box.width <= _NARROW


def _tables(elements: Sequence[Element]) -> Iterator[Sequence[_Row]]:
    """Part elements into rows, and put rows that are alike together; most are of one element and alone."""
    table: list[_Row] = []
    for row in _rows(elements):
        if table and not _alike(table[0], row):
            yield from _worth_it(table)
            table = []
        table.append(row)
    yield from _worth_it(table)


def _worth_it(table: Sequence[_Row]) -> Iterator[Sequence[_Row]]:
    if len(table) >= _FEW_ROWS and len(table) * len(table[0]) >= _FEW_CELLS:
        yield table
        return
    for row in table:
        alone = len(row) < _SHORT or len({e.role for e in row}) > 1
        if alone and not _empty(row):
            yield from ([[e]] for e in row)
        else:
            yield [row]


def _rows(elements: Sequence[Element]) -> Iterator[_Row]:
    containers = {e.parent for e in elements}
    row: list[Element] = []
    for run in runs(elements):
        if row and not (len(run) == 1 and _goes_on(row[0], row[-1], run[0], containers)):
            yield row
            row = []
        if len(run) > 1:
            yield run
        else:
            row.append(run[0])
    if row:
        yield row


def _goes_on(first: Element, last: Element, element: Element, containers: Container[str]) -> bool:
    """Tell whether an element stands on the right of the last one of a row."""
    if first.parent != element.parent or first.id in containers or element.id in containers:
        return False
    return last.box.center.x < element.box.left and _hits(element.box, Point(element.box.center.x, first.box.center.y))


def _hits(box: Box, point: Point) -> bool:
    """Tell whether a place lies well within the box of a control."""
    across, down = box.width // 5, box.height // 5
    return _small(box) and Box(box.left + across, box.top + down, box.right - across, box.bottom - down).holds(point)


def _alike(first: _Row, row: _Row) -> bool:
    """Tell whether two rows are of the same kinds of controls, in the same columns of the same container."""
    if len(first) != len(row) or first[0].parent != row[0].parent or _empty(first) or _empty(row):
        return False
    y = row[0].box.center.y
    pairs = list(zip(first, row, strict=True))
    below = y >= first[-1].box.bottom
    return below and all(a.role == b.role and _hits(b.box, Point(a.box.center.x, y)) for a, b in pairs)


def _empty(row: _Row) -> bool:
    """Tell whether it is a run of empty cells."""
    return len(row) > 1 and len(next(runs(row))) > 1


def _told(table: Sequence[_Row], scale: _Scale, within: str) -> Iterator[str]:
    row = table[0]
    first, last = row[0], row[-1]
    if len(table) > 1:
        yield from _table(table, scale, within)
    elif len(row) == 1:
        yield f"{first.id} {named(first)} {scale.box(first.box)}{within}"
    elif _empty(row):
        yield f"{first.id} to {last.id}: {first.role} {first.name} to {last.name}, empty{within}"
    else:
        usual = _usual(row)
        cells = "|".join(f"{_cell(e, usual)} @{scale.x(e.box.center.x)}" for e in row)
        yield f"row of {first.role}{_in_brackets(usual)}, y {scale.y(first.box.center.y)}{within}: {cells}"


def _table(table: Sequence[_Row], scale: _Scale, within: str) -> Iterator[str]:
    """Write what is the same in all rows once, then each row; its y stands before it, unless rows follow evenly."""
    usual = [_usual(column) for column in zip(*table, strict=True)]
    kinds = [f"{e.role}{_in_brackets(states)} " for e, states in zip(table[0], usual, strict=True)]
    columns = [
        f"{'' if place and kind == kinds[place - 1] else kind}@{scale.x(e.box.center.x)}"
        for place, (e, kind) in enumerate(zip(table[0], kinds, strict=True))
    ]
    places, even = [row[0].box.center.y for row in table], _evenly_spaced(table)
    span = f", y {scale.y(places[0])} to {scale.y(places[-1])}" if even else ""
    yield f"rows of {'|'.join(columns)}{span}{within}:"
    for row, y in zip(table, places, strict=True):
        cells = "|".join(_cell(e, states) for e, states in zip(row, usual, strict=True))
        yield cells if even else f"{scale.y(y)} {cells}"


def _evenly_spaced(table: Sequence[_Row]) -> bool:
    """Tell whether the first and the last row say well enough where those between them are."""
    first, last = table[0][0].box.center.y, table[-1][0].box.center.y
    middles = [first + (last - first) * place // (len(table) - 1) for place in range(len(table))]
    return all(_hits(e.box, Point(e.box.center.x, y)) for row, y in zip(table, middles, strict=True) for e in row)


def _usual(elements: Sequence[Element]) -> tuple[str, ...]:
    """Give the states that more than half have; none when there are no such."""
    states, count = Counter(tuple(told_states(e)) for e in elements).most_common(1)[0]
    return states if 2 * count > len(elements) else ()


def _cell(element: Element, usual: tuple[str, ...]) -> str:
    states = tuple(told_states(element))
    value = f"={_bare(told_value(element))}" if element.value else ""
    return f"{element.id} {_bare(element.name)}{value}{'' if states == usual else _in_brackets(states) or ' []'}"


def _in_brackets(states: Sequence[str]) -> str:
    return f" [{', '.join(states)}]" if states else ""


def _bare(text: str) -> str:
    return text if _BARE.fullmatch(text) and cut(text) == text else quoted(text)
