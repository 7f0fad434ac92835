"""Elements in words, window by window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deskhand.core.observation import Element, Window
from deskhand.dialects.quoting import quoted

_TICKED = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
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


def named(element: Element) -> str:
    """Write what an element is: its role, name, value and states."""
    value = f" value={quoted(element.value)}" if element.value else ""
    states = ["on" if state == "pressed" else state for state in element.states]
    if element.role in _TICKED and not _TICKS & set(states):
        states.append("unchecked")
    told = f" [{', '.join(states)}]" if states else ""
    return f"{element.role} {quoted(element.name)}{value}{told}"
