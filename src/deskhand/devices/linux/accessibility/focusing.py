"""Which of those that claim the keyboard has it: Qt says so of all that pass it on to another."""

from __future__ import annotations

from collections.abc import Iterable

from deskhand.devices.linux.accessibility.roles import HOLLOW, TEXTS, TREES, Role, State
from deskhand.devices.linux.accessibility.walk import Node

_WRITTEN_IN = TEXTS | {Role.PASSWORD_TEXT}
_AROUND_TEXT = frozenset({Role.COMBO_BOX, Role.SPIN_BUTTON, Role.DATE_EDITOR})
"""What has a text inside as a part of itself."""
_OF_ITEMS = TREES | {Role.LIST, Role.LIST_BOX, Role.TABLE}


def settle_focus(nodes: Iterable[Node]) -> None:
    """Take the focus from what only leads to what has it: from containers, and from all but a text that has it.

    An editor's bars and the buttons in its status line say that they have the keyboard as soon as the editor has it,
    Chromium says so of what has it whenever its page has, Qt of a list's item whenever its list has.
    """
    claiming = _claiming(nodes)
    _take_from(node for node in claiming if was_left(node))
    claiming = _claiming(claiming)
    outside = [node for node in claiming if node.role not in HOLLOW and not in_page(node)]
    _take_from(node for node in claiming if _waits(node, outside))
    claiming = _claiming(claiming)
    texts = [node for node in claiming if node.role in _WRITTEN_IN]
    holders = texts or [node for node in claiming if node.role not in HOLLOW]
    around = {node.parent for node in texts if node.parent and node.parent.role in _AROUND_TEXT}
    hollow = [node for node in claiming if node.role in HOLLOW or (texts and node.role not in _WRITTEN_IN)]
    _take_from(node for node in hollow if holders and node not in around)


def _claiming(nodes: Iterable[Node]) -> list[Node]:
    return [node for node in nodes if State.FOCUSED.within(node.states) and node.box]


def _take_from(nodes: Iterable[Node]) -> None:
    for node in nodes:
        node.states &= ~(1 << State.FOCUSED)


def in_page(node: Node | None) -> bool:
    """Tell whether a node is a page or a part of one."""
    while node and node.role != Role.DOCUMENT_WEB:
        node = node.parent
    return node is not None


def _waits(node: Node, outside: Iterable[Node]) -> bool:
    """Tell whether a node would have the keyboard if its page or list had it, which others have that are `outside`."""
    others = [other for other in outside if other not in (node, node.parent)]
    return bool(others) and (in_page(node) or (_is_item(node) and not all(map(_is_item, others))))


def _is_item(node: Node) -> bool:
    return node.parent is not None and node.parent.role in _OF_ITEMS


def was_left(node: Node) -> bool:
    """Tell whether a node is the text of a shape that is not written in any more; LibreOffice goes on to claim it."""
    shape = node.parent
    if shape is None or node.role != Role.PARAGRAPH or not State.SELECTABLE.within(shape.states):
        return False
    return shape.role == Role.PANEL and not State.SELECTED.within(shape.states)
