"""Using one control through its interface. Every answer is checked against what the control says afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from deskhand.devices.linux.accessibility.apps import Program
from deskhand.devices.linux.accessibility.blocks import with_blocks
from deskhand.devices.linux.accessibility.bus import NO_REPLY, Answer, Failure
from deskhand.devices.linux.accessibility.protocol import (
    ACCESSIBLE,
    ACTION,
    COMPONENT,
    EDITABLE_TEXT,
    TEXT,
    VALUE,
    Ref,
    ask,
    number_of,
    prop,
    real_of,
    set_prop,
    states_of,
    text_of,
)
from deskhand.devices.linux.accessibility.records import press_action
from deskhand.devices.linux.accessibility.roles import MENU_ITEMS, TEXTS, Role, State
from deskhand.devices.linux.accessibility.wire import Call

_ANSWER = 0.1
"""Seconds an action has for its answer; one that opens a modal dialog may only answer when that closes."""
_SETTLES = 0.3
"""Seconds within which a change can be read back."""
_POLL = 0.01
_ANYWHERE = 6
_OPTION, _FOLD = "select", "expand or contract"
"""Names of actions."""
_CHECKED = frozenset({Role.CHECK_BOX, Role.RADIO_BUTTON, Role.SWITCH, Role.CHECK_MENU_ITEM, Role.RADIO_MENU_ITEM})
_CHECKED |= {Role.TOGGLE_BUTTON}
"""Roles that are on or off."""


class Control(NamedTuple):
    """A control that is about to be used."""

    program: Program
    ref: Ref
    role: int
    until: float

    def ask(self, call: Call) -> Answer:
        return self.program.line.call(call, self.until)

    def interface(self, interface: str, member: str, signature: str = "", *body: object) -> Answer:
        return self.ask(ask(self.ref, interface, member, signature, *body))

    def prop(self, interface: str, name: str) -> Answer:
        return self.ask(prop(self.ref, interface, name))

    @property
    def states(self) -> int:
        return states_of(self.interface(ACCESSIBLE, "GetState")) or 0


def press(control: Control) -> bool:
    """Do what a click does; true when it was taken, or when no answer came because a dialog opened."""
    names = _actions(control)
    index = press_action(control.role, names)
    if index is None and _OPTION in names:  # what Chromium calls it, and only for options
        index = names.index(_OPTION)
    if index is None or (_leaves_menu_open(control) and names[index] != "showmenu"):
        return False
    return _act(control, index)


def fold(control: Control) -> bool:
    """Expand or collapse a row, whichever it is not; true when that was taken."""
    names = _actions(control)
    return _FOLD in names and _act(control, names.index(_FOLD))


def tells_of_checks(control: Control) -> bool:
    """Tell whether it would say so when it were on: some programs draw the marks of their menus themselves.

    Qt says so of what is on, and nothing of what could be.
    """
    return control.program.qt or control.role in _CHECKED or State.CHECKABLE.within(control.states)


def _actions(control: Control) -> list[str]:
    count = number_of(control.prop(ACTION, "NActions")) or 0
    calls = [ask(control.ref, ACTION, "GetName", "i", index) for index in range(min(count, 8))]
    return [text_of(answer).lower() for answer in control.program.line.calls(calls, control.until)]


def _act(control: Control, index: int) -> bool:
    until = min(control.until, time.monotonic() + _ANSWER)
    # The second call shows whether the line still takes calls: GTK 3 answers first and then runs a modal dialog.
    calls = [ask(control.ref, ACTION, "DoAction", "i", index), ask(control.program.root, ACCESSIBLE, "GetRole")]
    answer, after = control.program.line.calls(calls, until)
    if after == Failure(NO_REPLY):
        control.program.renew(control.until)
    return answer.name == NO_REPLY if isinstance(answer, Failure) else bool(answer and answer[0])


def _leaves_menu_open(control: Control) -> bool:
    """Qt does what an item stands for and leaves its menu on the screen, where a click would close it."""
    return control.program.qt and control.role in MENU_ITEMS and State.SHOWING.within(control.states)


def read_text(control: Control) -> str | None:
    """Give the whole text; None for what has none, and for passwords."""
    if control.role == Role.PASSWORD_TEXT:
        return None
    count = number_of(control.prop(TEXT, "CharacterCount"))
    if count is None:
        return None
    answer = control.interface(TEXT, "GetText", "ii", 0, count)
    if isinstance(answer, Failure):
        return None
    text = text_of(answer)
    return with_blocks(control.program, control.ref, text, control.until) if control.program.chromium else text


def set_text(control: Control, text: str) -> bool:
    """Put `text` in place of all there is; true when it reads so afterwards."""
    if _hears_only_keys(control):
        return False
    number = _number(text) if control.role == Role.SPIN_BUTTON else None
    if number is not None:  # a text is not taken over before the focus leaves
        return set_number(control, number)
    answer = control.interface(EDITABLE_TEXT, "SetTextContents", "s", text)
    if isinstance(answer, Failure):
        return False
    if control.role == Role.PASSWORD_TEXT:
        return number_of(control.prop(TEXT, "CharacterCount")) == len(text)
    return comes_true(control, lambda: read_text(control) == text) and _put_caret(control, text)


def _hears_only_keys(control: Control) -> bool:
    """Tell whether a program may hear of a text only when it is typed or pasted, as those that use Qt do.

    A colour chosen by its code, say: the field would show the new text, and the program go on with the old one.
    """
    return control.program.qt and control.role in TEXTS


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def read_selection(control: Control) -> tuple[int, int] | None:
    """Give the first and the last character of a selection, or twice the one after the caret; None when unknown."""
    text, places = read_text(control), _selection(control)
    size_told = number_of(control.prop(TEXT, "CharacterCount"))
    if text is None or places is None or (control.program.chromium and size_told != len(text)):
        return None  # an editor of a page counts each of its lines as one character
    unit, size = _unit(control)
    data = text.encode(unit)
    start, end = (len(data[: place * size].decode(unit, "ignore")) for place in places)
    return (start, end) if max(places) * size <= len(data) else None


def insert_text(control: Control, text: str) -> bool:
    """Put `text` at the caret, in place of a selection; true when it reads so afterwards."""
    before, places = read_text(control), _selection(control)
    if before is None or places is None or _hears_only_keys(control):
        return False
    start, end = places
    if start < end:
        control.interface(EDITABLE_TEXT, "DeleteText", "ii", start, end)
    # ATK counts places in characters and what is inserted in bytes; Qt counts both in its units.
    unit, size = _unit(control)
    length = len(text.encode(unit)) // size if control.program.qt else len(text.encode())
    control.interface(EDITABLE_TEXT, "InsertText", "isi", start, text, length)
    units = before.encode(unit)
    wanted = units[: start * size] + text.encode(unit) + units[end * size :]
    there = comes_true(control, lambda: (read_text(control) or "").encode(unit) == wanted)
    return there and _put_caret(control, text, start)


def go_behind(control: Control) -> None:
    """Have the caret stand behind a text that nobody was in before, where a person would go on with it.

    Toolkits differ in where it is then, pages have it in front of all. A place that it was given stays, so does what
    is selected.
    """
    if _selection(control) == (0, 0) and (count := number_of(control.prop(TEXT, "CharacterCount"))):
        control.interface(TEXT, "SetCaretOffset", "i", count)
        comes_true(control, lambda: _selection(control) == (count, count))


def _put_caret(control: Control, text: str, start: int = 0) -> bool:
    """Have the caret stand behind a text, as after typing it, since not every toolkit moves it."""
    unit, size = _unit(control)
    end = start + len(text.encode(unit)) // size
    if number_of(control.prop(TEXT, "CaretOffset")) != end:
        control.interface(TEXT, "SetCaretOffset", "i", end)
    return True


def _selection(control: Control) -> tuple[int, int] | None:
    """Give where the selection begins and ends, both the caret when there is none, as the toolkit counts."""
    selection = control.interface(TEXT, "GetSelection", "i", 0)
    if not isinstance(selection, Failure) and len(selection) == 2 and 0 <= selection[0] < selection[1]:
        return selection[0], selection[1]
    caret = number_of(control.prop(TEXT, "CaretOffset"))
    return (caret, caret) if caret is not None and caret >= 0 else None


def _unit(control: Control) -> tuple[str, int]:
    """Give the encoding whose units a toolkit counts text in, and the bytes of one: UTF-16 in Qt and LibreOffice."""
    return ("utf-16-le", 2) if control.program.qt or control.program.libreoffice else ("utf-32-le", 4)


def read_number(control: Control) -> float | None:
    return real_of(control.prop(VALUE, "CurrentValue"))


def set_number(control: Control, number: float) -> bool:
    """Set a slider or spin button; true when it reads so afterwards.

    Never done to spin buttons of Qt, which take a number also when they are read-only.
    """
    if control.program.qt and control.role == Role.SPIN_BUTTON:
        return False
    control.ask(set_prop(control.ref, VALUE, "CurrentValue", "d", float(number)))

    def there() -> bool:
        now = read_number(control)
        return now is not None and abs(now - number) <= 1e-6 * max(1.0, abs(number))

    return comes_true(control, there)


def grab_focus(control: Control) -> bool:
    """Give it the keyboard focus; true when it has it afterwards, which needs an active window."""
    control.interface(COMPONENT, "GrabFocus")
    return comes_true(control, lambda: State.FOCUSED.within(control.states))


def scroll_into_view(control: Control) -> bool:
    """Scroll until it can be seen; true when the toolkit says that it did."""
    answer = control.interface(COMPONENT, "ScrollTo", "u", _ANYWHERE)
    return not isinstance(answer, Failure) and bool(answer and answer[0])


def comes_true(control: Control, condition: Callable[[], bool]) -> bool:
    """Wait a little for a change to show."""
    until = min(control.until, time.monotonic() + _SETTLES)
    while not condition():
        if control.program.line.lost or time.monotonic() + _POLL >= until:
            return False
        time.sleep(_POLL)
    return True
