"""Choosing among the options of combo boxes, lists, trees, groups of tabs and of radio buttons, and menus."""

from __future__ import annotations

from typing import NamedTuple

from deskhand.devices.linux.accessibility.acts import Control, comes_true, press, read_text
from deskhand.devices.linux.accessibility.bus import Answer, Failure
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

MOST_OPTIONS = 2000
"""So many options are listed of what has more."""
_HOLDERS = MENUS | {Role.LIST, Role.LIST_BOX, Role.WINDOW, Role.TREE, Role.TABLE, Role.SCROLL_PANE, Role.VIEWPORT}
_HOLDERS |= {Role.PANEL, Role.FILLER, Role.SECTION, Role.GROUPING}
_NO_OPTIONS = frozenset({Role.SEPARATOR, Role.PUSH_BUTTON, Role.SCROLL_BAR, Role.ENTRY, Role.TEXT, Role.UNKNOWN})
_NO_OPTIONS |= LABELS | {
    Role.IMAGE,
    Role.COLUMN_HEADER,
    Role.TABLE_COLUMN_HEADER,
    Role.ROW_HEADER,
    Role.TABLE_ROW_HEADER,
}
WAYS = 3
"""Ways to choose by interfaces, the better ones first: what holds the options, the menu in it, the option itself."""
_DEEPEST = 5
_ALONE = frozenset({Role.RADIO_BUTTON, Role.PAGE_TAB, Role.LIST_ITEM, Role.TREE_ITEM, Role.TABLE_CELL, Role.TABLE_ROW})
"""Roles that are options themselves: what is chosen among are those beside it."""


class Option(NamedTuple):
    """One thing that can be chosen."""

    holder: Ref
    place: int
    ref: Ref
    role: int
    name: str
    states: int = 0

    @property
    def usable(self) -> bool:
        return State.SENSITIVE.within(self.states) or State.ENABLED.within(self.states)

    @property
    def chosen(self) -> bool:
        if self.role == Role.RADIO_BUTTON:
            return State.CHECKED.within(self.states)
        return State.SELECTED.within(self.states)


def among(control: Control) -> Control:
    """Give what holds the options that are meant by a control: itself, or of one that is an option, what it is in."""
    if control.role not in _ALONE:
        return control
    above = ref_of(control.prop(ACCESSIBLE, "Parent"))
    role = number_of(control.ask(ask(above, ACCESSIBLE, "GetRole"))) if above else None
    return control._replace(ref=above, role=role) if above and role else control


def list_options(control: Control) -> list[Option]:
    """List what can be chosen, as far as it can be listed."""
    holders, found = [control.ref], []
    for _ in range(_DEEPEST):
        below = [option for holder in holders for option in _children(control, holder)]
        found += [option for option in below if option.role not in _HOLDERS | _NO_OPTIONS]
        holders = [option.ref for option in below if option.role in _HOLDERS]
        if not holders or len(found) >= MOST_OPTIONS:
            break
    return [option for option in _named(control, found) if option.name]


def _children(control: Control, holder: Ref) -> list[Option]:
    count = number_of(control.ask(prop(holder, ACCESSIBLE, "ChildCount"))) or 0
    calls = [ask(holder, ACCESSIBLE, "GetChildAtIndex", "i", index) for index in range(min(count, MOST_OPTIONS))]
    refs = [ref_of(answer) for answer in control.program.line.calls(calls, control.until)]
    there = [(index, ref) for index, ref in enumerate(refs) if ref]
    calls = []
    for _, ref in there:
        calls += [ask(ref, ACCESSIBLE, "GetRole"), prop(ref, ACCESSIBLE, "Name"), ask(ref, ACCESSIBLE, "GetState")]
    answers = control.program.line.calls(calls, control.until)
    return [_option(holder, index, ref, answers[3 * at : 3 * at + 3]) for at, (index, ref) in enumerate(there)]


def _option(holder: Ref, index: int, ref: Ref, told: list[Answer]) -> Option:
    role, name, states = told
    return Option(holder, index, ref, number_of(role) or 0, text_of(name).strip(), states_of(states) or 0)


def _named(control: Control, options: list[Option]) -> list[Option]:
    """Call options without a name by the label in them, or by their text as the icons of GTK 3 have it."""
    named = []
    for option in options:
        if option.name:
            named.append(option)
            continue
        names = [child.name for child in _labels(control, option.ref, 3)]
        text = "" if names else read_text(control._replace(ref=option.ref, role=option.role)) or ""
        named.append(option._replace(name=" ".join(names) or text.strip()))
    return named


def _labels(control: Control, ref: Ref, depth: int) -> list[Option]:
    below = _children(control, ref)
    found = [child for child in below if child.role in LABELS and child.name]
    if not found and depth:
        found = [label for child in below for label in _labels(control, child.ref, depth - 1)]
    return found


def chosen(control: Control) -> tuple[str, ...]:
    """Give the names of the options that are chosen now; none also where the toolkit does not say."""
    if control.role == Role.COMBO_BOX:
        name = _shown_in(control)
        return (name,) if name else ()
    options = list_options(control)
    found = [option.name for option in options if option.chosen]
    if not found and control.role == Role.TABLE:
        # What GTK 3 lays out as it fits tells of what is selected in it; the children themselves do not.
        selected = {ref for holder in {option.holder for option in options} for ref in _selected_in(control, holder)}
        found = [option.name for option in options if option.ref in selected]
    if not found and control.role == Role.PAGE_TAB_LIST:
        # Qt calls a group of tabs by the one that is shown, and none of them selected.
        return (text_of(control.prop(ACCESSIBLE, "Name")).strip(),)
    return tuple(found)


def _selected_in(control: Control, holder: Ref) -> set[Ref]:
    count = min(number_of(control.ask(prop(holder, SELECTION, "NSelectedChildren"))) or 0, MOST_OPTIONS)
    calls = [ask(holder, SELECTION, "GetSelectedChild", "i", index) for index in range(count)]
    return {ref for answer in control.program.line.calls(calls, control.until) if (ref := ref_of(answer))}


def _shown_in(control: Control) -> str:
    """Give the option that a combo box stands at. Chromium tells it of the menu within."""
    below = ref_of(control.interface(ACCESSIBLE, "GetChildAtIndex", "i", 0))
    for holder in (control.ref, below):
        child = ref_of(control.ask(ask(holder, SELECTION, "GetSelectedChild", "i", 0))) if holder else None
        if child is not None:
            name = text_of(control.ask(prop(child, ACCESSIBLE, "Name"))).strip()
            return name or " ".join(label.name for label in _labels(control, child, 3))
    return text_of(control.prop(ACCESSIBLE, "Name")).strip()


def select(control: Control, name: str, way: int = 0) -> bool | None:
    """Choose the option called `name` through the interfaces, in one of `WAYS`; true when it is chosen afterwards.

    None when that was not even taken. Never done in Qt: it chooses what a person could not, and what it chooses its
    program does not hear of.
    """
    if control.program.qt:
        return None
    option = next((each for each in list_options(control) if each.name == name and each.usable), None)
    if not option:
        return None
    if way == WAYS - 1:
        taken = press(control._replace(ref=option.ref, role=option.role))
    else:
        holders = (control.ref, option.holder) if control.role == Role.COMBO_BOX else (option.holder,)
        answers = [
            control.ask(ask(each, SELECTION, "SelectChild", "i", option.place)) for each in holders[way : way + 1]
        ]
        taken = any(answer and not isinstance(answer, Failure) and answer[0] for answer in answers)
    return comes_true(control, lambda: _is_chosen(control, option)) if taken else None


def _is_chosen(control: Control, option: Option) -> bool:
    if control.role == Role.COMBO_BOX:
        return _shown_in(control) == option.name
    states = states_of(control.ask(ask(option.ref, ACCESSIBLE, "GetState"))) or 0
    if control.role == Role.TABLE and option.ref in _selected_in(control, option.holder):
        return True
    return option._replace(states=states).chosen
