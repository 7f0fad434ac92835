"""Parts of a window that an application draws by itself and tells nothing of: icons, calendars, canvases."""

from __future__ import annotations

from collections.abc import Iterable

from deskhand.core.geometry import Box
from deskhand.devices.linux.accessibility.roles import HOLLOW, LABELS, TEXTS, Role
from deskhand.devices.linux.accessibility.walk import Node

_DRAWN = HOLLOW | {Role.CANVAS, Role.DRAWING_AREA, Role.CALENDAR}
_WIDTH, _HEIGHT = 100, 60
"""What is smaller is a gap, a line or a picture rather than something to be read."""


def blind_parts(nodes: Iterable[Node]) -> tuple[Box, ...]:
    """Give where controls are that hold nothing and could show anything, the largest first."""
    silent = (node for node in nodes if node.role in _DRAWN and not node.child_count and not _in_text(node))
    boxes = {each.box for each in silent if each.box and each.box.width >= _WIDTH and each.box.height >= _HEIGHT}
    return tuple(sorted(boxes, key=lambda box: (-box.area, box)))


def _in_text(node: Node) -> bool:
    """Tell whether it is where a text is shown, as Qt's fields have it; the field tells what it holds."""
    return node.parent is not None and node.parent.role in TEXTS | LABELS
