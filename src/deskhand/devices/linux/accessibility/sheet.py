"""The cells of a LibreOffice sheet that are in view: few questions each, for there are a thousand and more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from deskhand.devices.linux.accessibility.protocol import (
    ACCESSIBLE,
    COMPONENT,
    TABLE,
    Ref,
    ask,
    extents_of,
    number_of,
    numbers_of,
    prop,
    ref_of,
    text_of,
)
from deskhand.devices.linux.accessibility.roles import Role
from deskhand.devices.linux.accessibility.walk import Node, Told, Walk

Spot = tuple[int, int]
"""Row and column, from 0."""

_EDGE = 3
_ALIVE = 10.0
"""Seconds for which LibreOffice keeps a cell's accessible, at the least, after it was asked for."""


def cells_in_view(walk: Walk, sheet: Node) -> list[Ref]:
    """Find the cells that can be seen, and keep for this walk what need not be asked of each; none if it is no sheet.

    Where a cell is follows from its row and column, and so does its name. LibreOffice makes the accessible of a cell
    anew whenever it is asked for by its place, which is the dearest of all questions: those of a moment ago are taken
    again, and what they hold and are is read from them afresh.
    """
    corners = _corners(walk, sheet)
    if not corners:
        return []
    (top, left), (bottom, right) = corners
    spots = [(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)][: walk.most_cells]
    cells = _accessibles(walk, sheet, spots)
    if not cells:
        return []
    rows, columns = _lines(walk, sheet, cells)
    named = _named_by_place(walk, cells)
    for spot, ref in cells.items():
        across, down = columns.get(spot[1]), rows.get(spot[0])
        if across is None or down is None:
            continue
        walk.told[ref] = Told(
            role=Role.TABLE_CELL,
            name=name_of(spot) if named else None,
            child_count=0,
            extents=(across[0], down[0], across[1], down[1]),
        )
    return list(cells.values())


def name_of(spot: Spot) -> str:
    """Name a cell: (1, 27) is AB2."""
    row, column = spot
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def _corners(walk: Walk, sheet: Node) -> tuple[Spot, Spot] | None:
    """Give the first and the last cell in view."""
    box = sheet.box
    if not box:
        return None
    points = ((box.left + _EDGE, box.top + _EDGE), (box.right - _EDGE, box.bottom - _EDGE))
    asked = [
        ask(sheet.ref, COMPONENT, "GetAccessibleAtPoint", "iiu", *sheet.place.toolkit_point(*point), sheet.place.corner)
        for point in points
    ]
    hits = [ref for ref in map(ref_of, walk.ask_all(asked)) if ref]
    places = [number_of(answer) for answer in walk.ask_all([ask(ref, ACCESSIBLE, "GetIndexInParent") for ref in hits])]
    asked = [ask(sheet.ref, TABLE, "GetRowColumnExtentsAtIndex", "i", place) for place in places if place is not None]
    spots = [numbers for numbers in map(numbers_of, walk.ask_all(asked)) if len(numbers) >= 5]
    if len(spots) != 2:
        return None
    (_, top, left, *_), (_, bottom, right, *_) = spots
    return ((top, left), (bottom, right)) if top <= bottom and left <= right else None


def _accessibles(walk: Walk, sheet: Node, spots: Sequence[Spot]) -> dict[Spot, Ref]:
    known = walk.memory.cells_of(sheet.ref, _ALIVE)
    new = [spot for spot in spots if spot not in known]
    answers = walk.ask_all([ask(sheet.ref, TABLE, "GetAccessibleAt", "ii", *spot) for spot in new])
    found = {spot: ref for spot, ref in zip(new, map(ref_of, answers), strict=True) if ref}
    known.update(found)
    return {spot: known[spot] for spot in spots if spot in known}


def _lines(
    walk: Walk, sheet: Node, cells: Mapping[Spot, Ref]
) -> tuple[dict[int, tuple[int, int]], dict[int, tuple[int, int]]]:
    """Give where each row and column begins and how wide it is, as the cells along the edges say."""
    first, last = min(cells), max(cells)
    along = [spot for spot in cells if spot[0] in (first[0], last[0]) or spot[1] in (first[1], last[1])]
    answers = walk.ask_all([ask(cells[spot], COMPONENT, "GetExtents", "u", sheet.place.corner) for spot in along])
    measured = [(spot, extents) for spot, answer in zip(along, answers, strict=True) if (extents := extents_of(answer))]
    rows = _narrowest((spot[0], extents[1], extents[3]) for spot, extents in measured)
    columns = _narrowest((spot[1], extents[0], extents[2]) for spot, extents in measured)
    return rows, columns


def _narrowest(measured: Iterable[tuple[int, int, int]]) -> dict[int, tuple[int, int]]:
    """Give start and width of each line by its number: of two, the narrower one, as the other may be merged."""
    found: dict[int, tuple[int, int]] = {}
    for line, start, width in measured:
        if width > 0 and (line not in found or width < found[line][1]):
            found[line] = (start, width)
    return found


def _named_by_place(walk: Walk, cells: Mapping[Spot, Ref]) -> bool:
    """Tell whether cells are called by column and row; settings have it that they are called otherwise."""
    last = max(cells)
    return text_of(walk.ask_all([prop(cells[last], ACCESSIBLE, "Name")])[0]) == name_of(last)
