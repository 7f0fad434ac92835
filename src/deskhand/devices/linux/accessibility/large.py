"""Lists and tables with more in them than can be listed: only what is in view is looked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deskhand.core.geometry import Box
from deskhand.devices.linux.accessibility.protocol import (
    ACCESSIBLE,
    COMPONENT,
    TABLE,
    Ref,
    ask,
    children_with,
    extents_of,
    number_of,
    numbers_of,
    prop,
    ref_of,
    refs_of,
)
from deskhand.devices.linux.accessibility.roles import State
from deskhand.devices.linux.accessibility.sheet import cells_in_view
from deskhand.devices.linux.accessibility.walk import Node, Walk

_DOWN, _ACROSS = 9, 5
"""How many places of a container are probed."""
_FEW = 2
"""So few children down the middle may be wide ones, or the rows of what has several in a row."""
_MOST_IN_VIEW = 1500
_MOST_COLUMNS = 60
_BESIDE = 8
_DEEPEST = 6


def children_in_view(walk: Walk, node: Node) -> list[Ref]:
    """Find the children that can be seen; none when the toolkit gives no way to."""
    if not node.box:
        return []
    if walk.program.chromium:  # which says in one answer which of its children show, wherever these are
        return refs_of(walk.ask_all([children_with(node.ref, State.SHOWING)])[0])
    if State.MANAGES_DESCENDANTS.within(node.states):
        sheet = node.drawn and "Table" in node.interfaces
        cells = cells_in_view(walk, node) if sheet and walk.most_cells else []
        if cells or (sheet and not walk.most_cells):
            return cells
        found = _by_points(walk, node)
        if found or not walk.program.libreoffice:  # which knows of no children at places in the grids of its dialogs
            return found
    return _by_search(walk, node, node.box)


def _by_points(walk: Walk, node: Node) -> list[Ref]:
    """Probe places for the children there, and take all between the first and the last of these.

    Each probe may cost the toolkit a look at all children: for lists, one column of probes says enough.
    """
    children, places = _probed(walk, node, (_ACROSS // 2,)) if "Table" not in node.interfaces else ([], [])
    if len(children) <= _FEW or not places or max(places) - min(places) >= _MOST_IN_VIEW:
        children, places = _probed(walk, node, range(_ACROSS))
    headers = _headers(walk, node)
    if not places:
        return headers + children
    first, last = min(places), max(places)
    if last - first < _MOST_IN_VIEW:
        # What lies between the outermost probes and the edges was not hit.
        more = (last - first) // (_DOWN - 2) + _BESIDE
        wanted = range(max(0, first - more), min(last + more + 1, node.child_count))
        # Qt counts headers among the children, as the first.
        headers = [] if walk.program.qt and not wanted.start else headers
        return headers + _children_at(walk, node, wanted)
    return headers + _cells(walk, node, places)


def _probed(walk: Walk, node: Node, columns: Sequence[int]) -> tuple[list[Ref], list[int]]:
    """Give the children that lie at the probed places, and which these are, counted from 0."""
    calls = [
        ask(node.ref, COMPONENT, "GetAccessibleAtPoint", "iiu", *node.place.toolkit_point(x, y), node.place.corner)
        for x, y in _grid(node.box or node.clip, columns)
    ]
    hits = dict.fromkeys(ref for ref in map(ref_of, walk.ask_all(calls)) if ref and ref != node.ref)
    children = _direct_children(walk, node, hits)
    answers = walk.ask_all([ask(ref, ACCESSIBLE, "GetIndexInParent") for ref in children])
    return children, [place for place in map(number_of, answers) if place is not None and place >= 0]


def _grid(box: Box, columns: Sequence[int]) -> Iterable[tuple[int, int]]:
    for row in range(_DOWN):
        for column in columns:
            yield (
                box.left + 2 + (box.width - 5) * column // (_ACROSS - 1),
                box.top + 2 + (box.height - 5) * row // (_DOWN - 1),
            )


def _direct_children(walk: Walk, node: Node, hits: Iterable[Ref]) -> list[Ref]:
    """Climb from what was hit to the child of `node` it is in."""
    found: list[Ref] = []
    climbing = list(hits)
    for _ in range(_DEEPEST):
        parents = [ref_of(answer) for answer in walk.ask_all([prop(ref, ACCESSIBLE, "Parent") for ref in climbing])]
        found += [ref for ref, parent in zip(climbing, parents, strict=True) if parent == node.ref]
        climbing = [parent for parent in dict.fromkeys(parents) if parent and parent != node.ref]
        if not climbing:
            break
    return list(dict.fromkeys(found))


def _cells(walk: Walk, node: Node, places: list[int]) -> list[Ref]:
    """Take the cells of the rows and columns that the probed ones span."""
    calls = [ask(node.ref, TABLE, "GetRowColumnExtentsAtIndex", "i", place) for place in places]
    spots = [numbers for numbers in map(numbers_of, walk.ask_all(calls)) if len(numbers) >= 3]
    # Some toolkits put a flag before row and column, which is true when the others mean something.
    rows = [spot[1] if spot[0] is True else spot[0] for spot in spots]
    columns = [spot[2] if spot[0] is True else spot[1] for spot in spots]
    if not rows:
        return []
    wanted = [(row, column) for row in _widened(rows, _DOWN) for column in _widened(columns, _ACROSS)][:_MOST_IN_VIEW]
    answers = walk.ask_all([ask(node.ref, TABLE, "GetAccessibleAt", "ii", *spot) for spot in wanted])
    return [ref for ref in map(ref_of, answers) if ref]


def _widened(hit: list[int], probes: int) -> range:
    """Give the rows or columns that were hit, and those towards the edges that were not."""
    more = (max(hit) - min(hit)) // (probes - 1) + 1
    return range(max(0, min(hit) - more), max(hit) + more + 1)


def _headers(walk: Walk, node: Node) -> list[Ref]:
    if "Table" not in node.interfaces:
        return []
    count = number_of(walk.ask_all([prop(node.ref, TABLE, "NColumns")])[0]) or 0
    if count > _MOST_COLUMNS:
        return []
    answers = walk.ask_all([ask(node.ref, TABLE, "GetColumnHeader", "i", column) for column in range(count)])
    return [ref for ref in map(ref_of, answers) if ref]


def _by_search(walk: Walk, node: Node, box: Box) -> list[Ref]:
    """Find the first child in view by halving, children being laid out downwards; then go on to the last."""
    low, high = 0, _placed(walk, node)
    while low < high and not walk.over:
        middle = (low + high) // 2
        (at,) = _boxes_at(walk, node, range(middle, middle + 1))
        low, high = (middle + 1, high) if at is None or at.bottom <= box.top else (low, middle)
    found: list[Ref] = []
    while low < node.child_count and len(found) < _MOST_IN_VIEW and not walk.over:
        found += _children_at(walk, node, range(low, min(low + 32, node.child_count)))
        low = min(low + 32, node.child_count)
        (last,) = _boxes_at(walk, node, range(low - 1, low))
        if last is None or last.top >= box.bottom:
            break
    return found


def _placed(walk: Walk, node: Node) -> int:
    """Give a child before which those that are not placed are above what is in view; their number if all are placed.

    GTK 3 does not say where those are that are scrolled away: one that is not is looked for, more and more closely.
    """
    step = node.child_count
    while step > 1 and not walk.over:
        tried = range(step // 2, node.child_count, step)
        boxes = _boxes_at(walk, node, tried)
        at = next((at for at, box in zip(tried, boxes, strict=True) if box), None)
        if at is not None:
            return node.child_count if step == node.child_count else at
        step //= 2
    return 0


def _boxes_at(walk: Walk, node: Node, places: range) -> list[Box | None]:
    """Give where children are; None for those that do not say."""
    calls = [ask(node.ref, ACCESSIBLE, "GetChildAtIndex", "i", place) for place in places]
    refs = [ref_of(answer) for answer in walk.ask_all(calls)]
    answers = walk.ask_all([ask(ref or node.ref, COMPONENT, "GetExtents", "u", node.place.corner) for ref in refs])
    told = [extents_of(answer) for answer in answers]
    # LibreOffice tells no size of what is out of view.
    return [node.place.box(each) if ref and each and each[2] else None for ref, each in zip(refs, told, strict=True)]


def _children_at(walk: Walk, node: Node, places: range) -> list[Ref]:
    answers = walk.ask_all([ask(node.ref, ACCESSIBLE, "GetChildAtIndex", "i", place) for place in places])
    return [ref for ref in map(ref_of, answers) if ref]
