"""From what was read to elements: ids, names, values, and which containers mean something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from deskhand.core.geometry import Box
from deskhand.core.observation import Element
from deskhand.devices.linux.accessibility.details import BY_DEFAULT, WITH_WORDS, Details
from deskhand.devices.linux.accessibility.ids import Ids, Known, Spot
from deskhand.devices.linux.accessibility.protocol import Ref
from deskhand.devices.linux.accessibility.roles import (
    HOLLOW,
    LABELS,
    MENU_ITEMS,
    MENUS,
    NAMED_BY_CONTENT,
    NAMED_BY_VALUE,
    NUMBERS,
    PLAIN_WINDOWS,
    TEXTS,
    TOGGLES,
    WITHIN_DIALOGS,
    Role,
    State,
    state_words,
    word,
)
from deskhand.devices.linux.accessibility.walk import Node

PRESSES = (
    "click",
    "press",
    "toggle",
    "activate",
    "open",
    "jump",
    BY_DEFAULT,
    "do default",
    "check",
    "uncheck",
    "showmenu",
)
"""Names of actions that do what a click does, the better ones first."""
_RETURN_KEY = TEXTS | {Role.PASSWORD_TEXT, Role.SPIN_BUTTON}
"""Where "activate" is what the return key does."""
_DOUBLE_CLICK = frozenset({Role.TABLE_CELL, Role.LIST_ITEM, Role.TREE_ITEM, Role.ICON, Role.TABLE_ROW})
"""Where "activate" is what a double click does."""
_PRESSED = (
    NAMED_BY_CONTENT | TOGGLES | MENU_ITEMS | MENUS | {Role.COMBO_BOX, Role.SWITCH, Role.SPIN_BUTTON, Role.SLIDER}
)
"""Where pressing means something even if the toolkit does not say what."""
_CHOOSERS = frozenset({Role.COMBO_BOX, Role.LIST, Role.LIST_BOX, Role.PAGE_TAB_LIST, Role.TABLE, Role.TREE})
_CHOOSERS |= {Role.TREE_TABLE}
_LONGEST_NAME = 500
_A_NUMBER = re.compile(r"\d[\d.,\u202f]*")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_MARKED_UP = re.compile(
    r"\s*<(?:html|qt|p|b|i|u|div|span|font|center|nobr|h[1-6])\b[^<>]*>.*</", re.IGNORECASE | re.DOTALL
)
_OBJECT = "\ufffc"
"""Stands in a text for what is in its place: the controls inside."""
_NOTHING = Details()


def press_action(role: int, actions: Sequence[str]) -> int | None:
    """Choose the action that does what a click does."""
    if role in _RETURN_KEY:
        return None
    names = [name for name in PRESSES if name in actions]
    if role in _DOUBLE_CLICK:
        names = [name for name in names if name != "activate"]
    if role not in _PRESSED:  # Chromium says that everything can be done by default
        names = [name for name in names if name != BY_DEFAULT]
    return actions.index(names[0]) if names else None


def make_elements(
    tops: Sequence[Node], details: Mapping[Ref, Details], ids: Ids, *, hidden: bool = False
) -> list[Element]:
    """Make the elements of whole windows, in the order of the tree; what cannot be seen only if `hidden`."""
    found: list[Element] = []
    pending: list[tuple[Node, str]] = [(node, "") for node in reversed(tops)]
    while pending:
        node, parent = pending.pop()
        if (hidden or node.box is not None) and _means_something(node, details):
            element = make_element(node, details.get(node.ref, _NOTHING), ids, parent)
            found.append(element)
            parent = element.id
        pending += [(child, parent) for child in reversed(node.children)]
    return found


def make_element(node: Node, details: Details, ids: Ids, parent: str) -> Element:
    """Make one element; of what cannot be seen the box is empty and its states say "offscreen"."""
    name, value = _name_and_value(node, details)
    states = state_words(node.role, node.states)
    # GTK 3's switches can be toggled and nothing else.
    switch = details.switch or (node.role == Role.TOGGLE_BUTTON and details.actions == ("toggle",))
    if switch:
        states = tuple("checked" if state == "pressed" else state for state in states)
    return Element(
        id=ids.of(Known(node.ref, node.role, node.place.window), _spot(node, details)),
        role=_word(node, details, switch),
        name=name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…",
        value=value,
        box=node.box or Box(node.clip.left, node.clip.top, node.clip.left, node.clip.top),
        states=states if node.box else (*states, "offscreen"),
        actions=tuple(_actions(node, details)),
        parent=parent,
        window=node.place.window,
    )


def _spot(node: Node, details: Details) -> Spot | None:
    """Give the place of what gets a new accessible at every look: a spreadsheet's cell, what is in a tree of Qt's."""
    if node.parent is None:
        return None
    if node.drawn and node.role == Role.TABLE_CELL:
        return node.parent.ref, node.name
    return (node.parent.ref, f"{details.index} {node.name}") if details.index is not None else None


def _word(node: Node, details: Details, switch: bool) -> str:
    if switch:
        return "switch"
    if node.role in WITHIN_DIALOGS and node.parent:
        return "group" if node.child_count else "label"
    if node.role in PLAIN_WINDOWS and node.title and not node.parent:
        return word(Role.FRAME)
    if _in_icon_view(node):
        return word(Role.LIST_ITEM)
    if node.written_in:
        return word(Role.ENTRY)
    return word(node.role, details.role_name)


def _name_and_value(node: Node, details: Details) -> tuple[str, str]:
    if node.role in LABELS or (node.role == Role.ICON and details.text):
        return node.name or details.shown_text.replace(_OBJECT, " ").strip(), ""
    value = _value(node, details)
    name = node.name
    if node.role in NAMED_BY_VALUE:
        names = (details.label, name, details.description)
        return next((name for name in names if name and name != value), ""), value
    return _without_markup(name or details.label or _content(node) or details.description), value


def _without_markup(name: str) -> str:
    """Take out what lays a text out: Qt names what has no text of its own by its tooltip, as that was written."""
    return _TAG.sub("", name).strip() or name if _MARKED_UP.match(name) else name


def _value(node: Node, details: Details) -> str:
    if node.role == Role.COMBO_BOX:
        if details.selected or _OBJECT in details.shown_text:  # a page's, which is never named by its value
            return details.selected or details.shown_text.replace(_OBJECT, " ").strip()
        told = "" if node.name == details.label else node.name  # GTK 4 may call it by its label instead
        return details.shown_text or told or " ".join(_texts_below(node))
    if node.role == Role.TABLE_CELL and details.text != node.name:
        return details.shown_text
    if (node.role in TEXTS or node.written_in) and _OBJECT in details.shown_text:
        return " ".join(_texts_below(node))
    if node.role in TEXTS or node.written_in:
        return details.shown_text.rstrip("\n") if node.role == Role.TERMINAL else details.shown_text
    if node.role in WITH_WORDS and details.text and len(_A_NUMBER.findall(details.text)) != 1:
        return details.text.strip()  # a date, a time, or a word for one of the numbers
    if node.role in NUMBERS and details.number is not None:
        return number_text(details.number)
    return ""


def number_text(number: float) -> str:
    """Write a number the way a person would: 4, not 4.0, and 0.4, not 0.400000006, as half as many bits have it."""
    rounded = round(number, 6)
    return str(int(rounded)) if rounded.is_integer() else str(rounded)


def _content(node: Node) -> str:
    return " ".join(_texts_below(node)) if node.role in NAMED_BY_CONTENT else ""


def _texts_below(node: Node) -> Iterator[str]:
    for child in node.children:
        if child.popover:
            continue
        if (child.box or not node.box) and child.name and (child.role in LABELS or child.role in NAMED_BY_CONTENT):
            yield child.name
        else:
            yield from _texts_below(child)


def _means_something(node: Node, details: Mapping[Ref, Details]) -> bool:
    found = details.get(node.ref, _NOTHING)
    if _doubles(node):
        return False
    in_cell = node.role == Role.TABLE_CELL and node.parent is not None and node.parent.role == Role.TABLE_CELL
    if in_cell and press_action(node.role, found.actions) is not None:
        return True
    if node.role in LABELS and found.shown_text and not node.name and node.children:
        return not any(child.role in LABELS for child in node.children)  # they tell its text
    if _in_icon_view(node) or node.written_in:
        return True
    if node.role == Role.PARAGRAPH and node.children and not State.FOCUSABLE.within(node.states):
        return False  # they tell its text
    if node.role in LABELS or node.role in (Role.IMAGE, Role.ICON) or in_cell:
        name = node.name or (found.text or "").strip() or found.description
        return bool(name) and not _repeats(node, name, details)
    if node.role in (Role.PUSH_BUTTON, Role.PUSH_BUTTON_MENU, Role.PANEL) and _wraps_button(node, found):
        return False
    nested = node.role in (Role.FRAME, Role.WINDOW) and node.parent is not None
    if node.role not in HOLLOW and not nested:
        return True
    focused = State.FOCUSED.within(node.states)
    return (
        (bool(node.name) and node.role != Role.ROOT_PANE)
        or focused
        or press_action(node.role, found.actions) is not None
    )


def _in_icon_view(node: Node) -> bool:
    """Tell an item of GTK's icon views from a mere picture, which has the same role."""
    return node.role == Role.ICON and State.FOCUSABLE.within(node.states)


def _wraps_button(node: Node, details: Details) -> bool:
    """Tell whether it only holds a button that can be pressed, as GTK 4's menu buttons and LibreOffice's panels do."""
    if node.role == Role.PANEL:
        return [(each.role in TOGGLES and not each.name, each.box) for each in node.children] == [(True, node.box)]
    return not details.actions and any(child.role in TOGGLES and child.box for child in node.children)


def _doubles(node: Node) -> bool:
    """Tell whether it is the same as what it is in, as the suggestions for a field of Chromium's have it."""
    above = node.parent
    if above is None or above.role != node.role or node.role not in NAMED_BY_CONTENT:
        return False
    same = (above.name, above.box) == (node.name, node.box)
    return same and bool(node.name) and not State.FOCUSED.within(node.states)


def _repeats(node: Node, name: str, details: Mapping[Ref, Details]) -> bool:
    """Tell whether a label only says what what it is in is called or holds, or the keys for a menu's item."""
    above = node.parent
    while above and above.role in HOLLOW and not above.name:
        above = above.parent
    if above is None:
        return False
    if above.role in LABELS:
        return name == above.name
    if above.role == Role.COMBO_BOX:
        return name == _value(above, details.get(above.ref, _NOTHING))
    return above.role in MENU_ITEMS or (above.role in NAMED_BY_CONTENT and name == (above.name or _content(above)))


def _actions(node: Node, details: Details) -> Iterator[str]:
    if not node.usable:
        return
    if press_action(node.role, details.actions) is not None:
        yield "press"
    writable = State.EDITABLE.within(node.states) and not State.READ_ONLY.within(node.states)
    if "EditableText" in node.interfaces and writable:
        yield "set_text"
    if "Value" in node.interfaces and node.role in NUMBERS - {Role.PROGRESS_BAR, Role.LEVEL_BAR}:
        yield "set_value"
    if "Selection" in node.interfaces and node.role in _CHOOSERS:
        yield "select"
    if State.FOCUSABLE.within(node.states):
        yield "focus"
