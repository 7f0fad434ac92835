"""Choosing among the options of combo boxes, lists and groups of tabs."""

from __future__ import annotations

from typing import NamedTuple

from deskhand.devices.linux.accessibility.acts import Control, comes_true, press
from deskhand.devices.linux.accessibility.bus import Failure
from deskhand.devices.linux.accessibility.protocol import (
    ACCESSIBLE,
    SELECTION,
    Ref,
    ask,
    number_of,
    prop,
    ref_of,
    states_of,
    text_of,
)
from deskhand.devices.linux.accessibility.roles import LABELS, MENUS, Role, State

_MOST_OPTIONS = 500
_HOLDERS = MENUS | {Role.LIST, Role.LIST_BOX, Role.WINDOW, Role.TREE, Role.TABLE, Role.SCROLL_PANE, Role.VIEWPORT}
_HOLDERS |= {Role.PANEL, Role.FILLER}
_NO_OPTIONS = frozenset({Role.SEPARATOR, Role.PUSH_BUTTON, Role.SCROLL_BAR, Role.ENTRY, Role.TEXT, Role.UNKNOWN})
_DEEPEST = 5


class Option(NamedTuple):
    """One thing that can be chosen."""

    holder: Ref
    place: int
    ref: Ref
    role: int
    name: str


def list_options(control: Control) -> list[Option]:
    """List what can be chosen, as far as it can be listed."""
    holders, found = [control.ref], []
    for _ in range(_DEEPEST):
        below = [option for holder in holders for option in _children(control, holder)]
        found += [option for option in below if option.role not in _HOLDERS | _NO_OPTIONS]
        holders = [option.ref for option in below if option.role in _HOLDERS]
        if not holders or len(found) >= _MOST_OPTIONS:
            break
    return [option for option in _named(control, found) if option.name]


def _children(control: Control, holder: Ref) -> list[Option]:
    count = number_of(control.ask(prop(holder, ACCESSIBLE, "ChildCount"))) or 0
    calls = [ask(holder, ACCESSIBLE, "GetChildAtIndex", "i", index) for index in range(min(count, _MOST_OPTIONS))]
    refs = [ref_of(answer) for answer in control.program.line.calls(calls, control.until)]
    there = [(index, ref) for index, ref in enumerate(refs) if ref]
    calls = []
    for _, ref in there:
        calls += [ask(ref, ACCESSIBLE, "GetRole"), prop(ref, ACCESSIBLE, "Name")]
    answers = control.program.line.calls(calls, control.until)
    return [
        Option(holder, index, ref, number_of(answers[2 * at]) or 0, text_of(answers[2 * at + 1]).strip())
        for at, (index, ref) in enumerate(there)
    ]


def _named(control: Control, options: list[Option]) -> list[Option]:
    """Call options without a name by the label in them."""
    named = []
    for option in options:
        if option.name:
            named.append(option)
            continue
        names = [child.name for child in _labels(control, option.ref, 3)]
        named.append(option._replace(name=" ".join(names)))
    return named


def _labels(control: Control, ref: Ref, depth: int) -> list[Option]:
    below = _children(control, ref)
    found = [child for child in below if child.role in LABELS and child.name]
    if not found and depth:
        found = [label for child in below for label in _labels(control, child.ref, depth - 1)]
    return found


def select(control: Control, name: str) -> bool:
    """Choose the option called `name`; true when it is chosen afterwards."""
    options = list_options(control)
    option = next((each for each in options if each.name == name), None)
    option = option or next((each for each in options if each.name.casefold() == name.casefold()), None)
    if not option:
        return False
    holders = (control.ref, option.holder) if control.role == Role.COMBO_BOX else (option.holder,)
    for holder in dict.fromkeys(holders):
        answer = control.ask(ask(holder, SELECTION, "SelectChild", "i", option.place))
        if not isinstance(answer, Failure) and comes_true(control, lambda: _chosen(control, option)):
            return True
    return press(control._replace(ref=option.ref, role=option.role)) and comes_true(
        control, lambda: _chosen(control, option)
    )


def _chosen(control: Control, option: Option) -> bool:
    """Tell whether the option is the one that is chosen."""
    if control.role != Role.COMBO_BOX:
        states = states_of(control.ask(ask(option.ref, ACCESSIBLE, "GetState"))) or 0
        # Qt calls a group of tabs by the one that is shown, and none of them selected.
        shown = option.role == Role.PAGE_TAB and text_of(control.prop(ACCESSIBLE, "Name")).strip() == option.name
        return State.SELECTED.within(states) or shown
    child = ref_of(control.ask(ask(control.ref, SELECTION, "GetSelectedChild", "i", 0)))
    if child is not None:
        return child == option.ref or text_of(control.ask(prop(child, ACCESSIBLE, "Name"))).strip() == option.name
    return text_of(control.ask(prop(control.ref, ACCESSIBLE, "Name"))).strip() == option.name
