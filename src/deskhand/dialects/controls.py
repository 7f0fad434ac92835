"""Elements in words, window by window."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deskhand.core.observation import Element, Window
from deskhand.dialects.quoting import quoted

_CELL = re.compile("[A-Z]{1,3}[0-9]+")
_TICKED = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
_WRITTEN = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "cell"})
"""What can be written in, where "readonly" is not said."""
_TICKS = frozenset({"checked", "mixed", "selected"})


class Group(NamedTuple):
    """The elements of one window; `title` says which it is, where there are several."""

    title: str
    elements: tuple[Element, ...]


def by_window(elements: Sequence[Element], windows: Sequence[Window]) -> list[Group]:
    """Part elements by their windows, that with the keyboard first; one that a modal dialog blocks says so."""
    parted: dict[str, list[Element]] = {}
    for element in elements:
        parted.setdefault(element.window, []).append(element)
    known = {window.id: window for window in windows if window.id in parted}
    if len(parted) < 2 or not known:
        return [Group("", tuple(elements))]
    blocked = {window.dialog_of for window in known.values() if any("modal" in e.states for e in parted[window.id])}
    order = sorted(known.values(), key=lambda window: not window.active)
    groups = [Group(_title(window, window.id in blocked), tuple(parted.pop(window.id))) for window in order]
    return [*groups, *(Group("elsewhere:", tuple(rest)) for rest in parted.values())]


def _title(window: Window, blocked: bool) -> str:
    kind = "the dialog" if window.dialog_of else "the window"
    state = ", active" if window.active else ", blocked until its dialog is closed" if blocked else ""
    return f"in {kind} {window.id} {quoted(window.title)}{state}:"


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
    value = f" value={quoted(element.value)}" if element.value else ""
    plain = "editable" if element.role in _WRITTEN else ""
    states = ["on" if state == "pressed" else state for state in element.states if state != plain]
    if element.role in _TICKED and not _TICKS & set(states):
        states.append("unchecked")
    told = f" [{', '.join(states)}]" if states else ""
    return f"{element.role} {quoted(element.name)}{value}{told}"
