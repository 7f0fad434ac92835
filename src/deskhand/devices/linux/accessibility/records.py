"""From what was read to elements: ids, names, values, and which containers mean something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from deskhand.core.observation import Element
from deskhand.devices.linux.accessibility.details import Details
from deskhand.devices.linux.accessibility.protocol import Ref
from deskhand.devices.linux.accessibility.roles import (
    HOLLOW,
    LABELS,
    NAMED_BY_CONTENT,
    NUMBERS,
    TEXTS,
    Role,
    State,
    state_words,
    word,
)
from deskhand.devices.linux.accessibility.tree import Node

PRESSES = ("click", "press", "toggle", "activate", "open", "jump", "dodefault", "do default", "check", "uncheck")
"""Names of actions that do what a click does, the better ones first."""
_NO_ACTIVATE = frozenset({Role.TABLE_CELL, Role.LIST_ITEM, Role.TREE_ITEM, Role.ICON, Role.TABLE_ROW})
"""Where "activate" is what a double click does."""
_CHOOSERS = frozenset({Role.COMBO_BOX, Role.LIST, Role.LIST_BOX, Role.PAGE_TAB_LIST, Role.TABLE, Role.TREE})
_CHOOSERS |= {Role.TREE_TABLE}
_LONGEST_NAME = 500
_NOTHING = Details()


class Known(NamedTuple):
    """What an id stands for."""

    ref: Ref
    role: int


class Ids:
    """Ids for accessibles: given at first sight, never given again."""

    def __init__(self) -> None:
        self._ids: dict[Ref, str] = {}
        self._known: dict[str, Known] = {}

    def of(self, ref: Ref, role: int) -> str:
        """Name an accessible; one that changed its role is another control at the same path."""
        known = self._ids.get(ref)
        if known and self._known[known].role == role:
            return known
        new = f"e{len(self._known) + 1}"
        self._ids[ref] = new
        self._known[new] = Known(ref, role)
        return new

    def find(self, element: str) -> Known | None:
        """Give what an id stands for, unless another control has taken its path."""
        known = self._known.get(element)
        return known if known and self._ids.get(known.ref) == element else None


def press_action(role: int, actions: Sequence[str]) -> int | None:
    """Choose the action that does what a click does."""
    if role in TEXTS:
        return None  # its "activate" is the return key
    names = [name for name in PRESSES if not (name == "activate" and role in _NO_ACTIVATE)]
    return next((actions.index(name) for name in names if name in actions), None)


def make_elements(tops: Sequence[Node], details: Mapping[Ref, Details], ids: Ids) -> list[Element]:
    """Make the elements of whole windows, in the order of the tree."""
    found: list[Element] = []
    pending: list[tuple[Node, str]] = [(node, "") for node in reversed(tops)]
    while pending:
        node, parent = pending.pop()
        if node.box is not None and _means_something(node, details):
            element = make_element(node, details.get(node.ref, _NOTHING), ids, parent)
            found.append(element)
            parent = element.id
        pending += [(child, parent) for child in reversed(node.children)]
    return found


def make_element(node: Node, details: Details, ids: Ids, parent: str) -> Element:
    """Make one element of a node that has a box."""
    name, value = _name_and_value(node, details)
    return Element(
        id=ids.of(node.ref, node.role),
        role=word(node.role, node.role_name),
        name=_short(name),
        value=value,
        box=node.box or node.clip,
        states=state_words(node.role, node.states),
        actions=tuple(_actions(node, details)),
        parent=parent,
        window=node.place.window,
    )


def _name_and_value(node: Node, details: Details) -> tuple[str, str]:
    name = node.name.strip()
    if node.role == Role.COMBO_BOX:
        value = details.selected or details.shown_text or _text_inside(node) or name
        return details.label or (name if name != value else "") or details.description, value
    if node.role in LABELS:
        return name or details.shown_text.strip(), ""
    value = ""
    if node.role in TEXTS:
        value = details.shown_text
    elif node.role in NUMBERS and details.number is not None:
        value = number_text(details.number)
    if not name and node.role in NAMED_BY_CONTENT:
        name = " ".join(_texts_below(node))
    return name or details.label or details.description, value


def number_text(number: float) -> str:
    """Write a number the way a person would: 4, not 4.0, and 0.1, not 0.10000000000000001."""
    rounded = round(number, 10)
    return str(int(rounded)) if rounded.is_integer() else str(rounded)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…"


def _texts_below(node: Node) -> Iterator[str]:
    for child in node.children:
        if child.role in LABELS or (child.role in NAMED_BY_CONTENT and child.name.strip()):
            yield child.name.strip()
        else:
            yield from _texts_below(child)


def _text_inside(node: Node) -> str:
    return next((child.name.strip() for child in node.children if child.role in TEXTS and child.name.strip()), "")


def _means_something(node: Node, details: Mapping[Ref, Details]) -> bool:
    found = details.get(node.ref, _NOTHING)
    if node.role in LABELS or node.role == Role.IMAGE:
        name = node.name.strip() or (found.text or "").strip() or found.description
        above = node.parent
        repeats = above is not None and above.role in NAMED_BY_CONTENT and name == above.name.strip()
        return bool(name) and not repeats
    if node.role not in HOLLOW:
        return True
    focused = State.FOCUSED.within(node.states)
    return bool(node.name.strip()) or focused or press_action(node.role, found.actions) is not None


def _actions(node: Node, details: Details) -> Iterator[str]:
    if not (State.SENSITIVE.within(node.states) or State.ENABLED.within(node.states)):
        return
    if press_action(node.role, details.actions) is not None:
        yield "press"
    if "EditableText" in node.interfaces and State.EDITABLE.within(node.states):
        yield "set_text"
    if "Value" in node.interfaces and node.role in NUMBERS - {Role.PROGRESS_BAR, Role.LEVEL_BAR}:
        yield "set_value"
    if "Selection" in node.interfaces and node.role in _CHOOSERS:
        yield "select"
    if State.FOCUSABLE.within(node.states):
        yield "focus"
