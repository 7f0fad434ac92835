"""Which page of a stack or notebook is in front: GTK 4 calls all of them visible, where they were last."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from deskhand.core.geometry import Box
from deskhand.devices.linux.accessibility.protocol import COMPONENT, ask, ref_of
from deskhand.devices.linux.accessibility.roles import Role
from deskhand.devices.linux.accessibility.walk import Node, Walk

_NOWHERE = Box(0, 0, 0, 0)
_MOST = 40
"""Stacks of more pages than that are not looked into."""
_PARTS = ((2, 2), (1, 1), (3, 3))
"""Where a page is tried, in quarters of its width and height."""


def in_front(walk: Walk, nodes: Sequence[Node]) -> list[Node]:
    """Leave out pages that are behind another one, or when all is read give them no place."""
    if not walk.program.gtk4:
        return [*nodes]
    doubtful = _overlapping(nodes)
    points = [_points(node) for node in doubtful]
    calls = [
        ask(node.ref, COMPONENT, "GetAccessibleAtPoint", "iiu", *node.place.toolkit_point(*point), node.place.corner)
        for node, places in zip(doubtful, points, strict=True)
        for point in places
    ]
    asked = [node for node, places in zip(doubtful, points, strict=True) for _ in places]
    hit = {node for node, answer in zip(asked, walk.ask_all(calls), strict=True) if ref_of(answer)}
    # What is not shown has nothing at any place of its own; what was never asked for may not be told of either.
    sure = {node.parent for node in hit}
    walk.unsure = walk.unsure or any(node.parent not in sure for node in doubtful)
    behind = {node for node in doubtful if node not in hit and node.parent in sure}
    for node in behind:
        node.box, node.clip = None, _NOWHERE
    return [node for node in nodes if walk.hidden or node not in behind]


def _overlapping(nodes: Sequence[Node]) -> list[Node]:
    """Give the nodes that lie where others of the same container lie, as only pages and what is laid over others do."""
    families: dict[Node, list[tuple[Node, Box]]] = {}
    for node in nodes:
        # What takes no input is never said to be at a place, nor a scroll bar that is laid over what it scrolls.
        page = node.usable and not node.popover and node.role != Role.SCROLL_BAR
        if node.parent and node.box and page:
            families.setdefault(node.parent, []).append((node, node.box))
    found: dict[Node, None] = {}
    for family in families.values():
        pairs = combinations(family, 2) if len(family) <= _MOST else ()
        for (one, box), (other, place) in pairs:
            shared = box.clipped(place)
            if not shared.empty and 2 * shared.area > min(box.area, place.area):
                found |= {one: None, other: None}
    return [*found]


def _points(node: Node) -> list[tuple[int, int]]:
    box = node.box or node.clip
    return [(box.left + box.width * x // 4, box.top + box.height * y // 4) for x, y in _PARTS]
