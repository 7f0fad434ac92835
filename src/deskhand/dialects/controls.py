"""Elements in words, window by window."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from deskhand.core.observation import Element, Window
from deskhand.dialects.quoting import quoted
from deskhand.perception.covering import blocked
from deskhand.perception.scene import CHECKABLE, FIELDS, LABELS, PRESSABLE, Scene

_CELL = re.compile("[A-Z]{1,3}[0-9]+")
_TICKED = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
_WRITTEN = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "cell"})
"""What can be written in, where "readonly" is not said."""
_TYPED = frozenset({"textbox", "searchbox"})
"""What holds a text, of which it is said when there is none: its name may be a hint that is shown in it till then."""
_CAPTIONED = (FIELDS | CHECKABLE) - {"listbox", "terminal"}
"""What is often named by a label beside it only."""
_STRUCTURE = frozenset({"Widget", "Revealer", "Stack", "Layer", "Viewport", "Container", "Overlay"})
"""Last words of names that toolkits give to what only holds others."""
_TICKS = frozenset({"checked", "mixed", "selected"})


class Group(NamedTuple):
    """The elements of one window; `title` says which it is, where there are several."""

    title: str
    elements: tuple[Element, ...]
    blocked: bool = False
    """Whether a dialog keeps them from being used."""


def by_window(elements: Sequence[Element], windows: Sequence[Window]) -> list[Group]:
    """Part elements by their windows, that with the keyboard first; one that a modal dialog blocks says so."""
    parted: dict[str, list[Element]] = {}
    for element in elements:
        parted.setdefault(element.window, []).append(element)
    known = {window.id: window for window in windows if window.id in parted}
    if len(parted) < 2 or not known:
        return [Group("", tuple(elements))]
    shut = blocked(elements, windows)
    order = sorted(known.values(), key=lambda window: not window.active)
    groups = [Group(_title(w, w.id in shut), tuple(parted.pop(w.id)), w.id in shut) for w in order]
    return [*groups, *(Group("elsewhere:", tuple(rest)) for rest in parted.values())]


def _title(window: Window, shut: bool) -> str:
    kind = "the dialog" if window.dialog_of else "the window"
    state = ", active" if window.active else ", blocked until its dialog is closed" if shut else ""
    return f"in {kind} {window.id} {quoted(window.title)}{state}:"


def telling(elements: Sequence[Element]) -> tuple[Element, ...]:
    """Leave out what a reader has no use for, and call what has no name by the label beside it.

    Useless are lines between things, pictures inside what has a name, and groups that nobody named for people. What
    was in one of those is in what that was in.
    """
    parents = {e.id: e for e in elements}
    hidden = {e.id: e.parent for e in elements if _tells_nothing(e, parents.get(e.parent))}
    captions = _captions(elements)
    return tuple(_as_told(e, hidden, captions.get(e.id, e.name)) for e in elements if e.id not in hidden)


def _captions(elements: Sequence[Element]) -> Mapping[str, str]:
    """Give the labels that stand beside what has no name, unless they are the names of something else."""
    nameless = [e for e in elements if not e.name and e.role in _CAPTIONED]
    if not nameless:
        return {}
    scene, taken = Scene(elements), {e.name for e in elements if e.role not in LABELS}
    captions = {e.id: scene.caption(e) for e in nameless}
    return {element: caption for element, caption in captions.items() if caption and caption not in taken}


def _tells_nothing(element: Element, parent: Element | None) -> bool:
    if element.role == "separator" and not element.actions:
        return True
    if element.value or element.states or element.actions:
        return False
    if element.role in ("group", "toolbar"):
        return not element.name or element.name.split()[-1] in _STRUCTURE
    if element.role == "label" and parent is not None and parent.role == "heading":
        return element.name == parent.name
    return element.role == "img" and parent is not None and parent.role in PRESSABLE and bool(parent.name)


def _as_told(element: Element, hidden: Mapping[str, str], name: str) -> Element:
    parent = element.parent
    while parent in hidden:
        parent = hidden[parent]
    if parent == element.parent and name == element.name:
        return element
    return element.model_copy(update={"parent": parent, "name": name})


def runs(elements: Sequence[Element]) -> Iterator[Sequence[Element]]:
    """Part elements into runs: empty cells of a sheet's row, where their ids follow each other; else single ones."""
    start = 0
    for end in range(1, len(elements) + 1):
        if end == len(elements) or not _goes_on(elements[end - 1], elements[end]):
            yield elements[start:end]
            start = end


def _goes_on(before: Element, after: Element) -> bool:
    if not (_empty_cell(before) and _empty_cell(after)) or before.parent != after.parent:
        return False
    in_row = before.box.top == after.box.top
    return in_row and before.id[1:].isdigit() and after.id == f"{before.id[0]}{int(before.id[1:]) + 1}"


def _empty_cell(element: Element) -> bool:
    bare = not element.value and not set(element.states) - {"editable"}
    return element.role == "cell" and bare and _CELL.fullmatch(element.name) is not None


def named(element: Element) -> str:
    """Write what an element is: its role, name, value and states."""
    value = f" value={quoted(told_value(element))}" if element.value else ""
    states = told_states(element)
    told = f" [{', '.join(states)}]" if states else ""
    return f"{element.role} {quoted(element.name)}{value}{told}"


def told_states(element: Element) -> list[str]:
    """Give the states that are told of an element, in the words that models are told them in."""
    plain = "editable" if element.role in _WRITTEN else ""
    states = ["on" if state == "pressed" else state for state in element.states if state != plain]
    if element.role in _TICKED and not _TICKS & set(states):
        states.append("unchecked")
    if element.role in _TYPED and not element.value:
        states.append("empty")
    return states


def told_value(element: Element) -> str:
    """Give a value as it is read; the spaces by which a display is filled up say nothing."""
    return " ".join(element.value.split()) if "readonly" in element.states else element.value
