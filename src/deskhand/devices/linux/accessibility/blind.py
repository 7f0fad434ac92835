"""Parts of a window that an application draws by itself and tells nothing of: icons, calendars, canvases."""

from __future__ import annotations

from collections.abc import Iterable

from deskhand.core.geometry import Box
from deskhand.devices.linux.accessibility.roles import HOLLOW, Role
from deskhand.devices.linux.accessibility.walk import Node

_DRAWN = HOLLOW | {Role.CANVAS, Role.DRAWING_AREA, Role.CALENDAR}
_WIDTH, _HEIGHT = 100, 60
"""What is smaller is a gap, a line or a picture rather than something to be read."""


def blind_parts(nodes: Iterable[Node]) -> tuple[Box, ...]:
    """Give where controls are that hold nothing and could show anything, the largest first."""
    silent = (node.box for node in nodes if node.role in _DRAWN and not node.child_count and not node.children)
    boxes = {box for box in silent if box and box.width >= _WIDTH and box.height >= _HEIGHT}
    return tuple(sorted(boxes, key=lambda box: (-box.area, box)))
