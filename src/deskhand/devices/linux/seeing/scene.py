"""What a desktop looked like at one moment, and what an action has changed since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.seeing.settle import CARET
from deskhand.perception.ocr import moved
from deskhand.perception.picture import Pixels, difference

TOLD = ("checked", "mixed", "selected", "pressed", "expanded", "disabled")
"""States whose coming and going is worth telling, the weightiest first."""
SWITCHED = frozenset({"checkbox", "switch", "radio"})
"""Roles of what is on or off, and does nothing else."""
PRESSED = SWITCHED | {"button", "link", "menuitem", "img", "columnheader", "tab"}
"""Roles that take the focus and change their looks when they are pressed, whether or not anything comes of it."""
MENU_ITEMS = frozenset({"menuitem", "menuitemcheckbox", "menuitemradio"})
"""Roles that are lit up under the pointer and go with their menu, whatever choosing them does."""
ITEMS = frozenset({"listitem", "treeitem", "row", "cell"})
"""Roles of what lists, trees and tables consist of."""
EDGE = 4
LONGEST = 80


class Scene(NamedTuple):
    """A desktop at one moment."""

    windows: tuple[Window, ...]
    pixels: Pixels
    element: Element | None = None
    """The element that is acted on, or that has the keyboard."""
    held: tuple[Element, ...] = ()
    """The controls that had the keyboard before a press, and the displays of its window."""
    menus: tuple[Box, ...] = ()
    """Where the menus are that are open while an item is chosen."""
    lit: tuple[Box, ...] = ()
    """Where something is lit up, or no longer, when they close: their bar, and what the pointer is left on."""
    corner: Point = Point(0, 0)
    """Of what is looked at: places are told from there."""


class Seen(NamedTuple):
    """What has changed between two moments, in words."""

    news: str = ""
    """Windows that came or went, controls that changed: hardly anything but an effect does that."""
    signs: str = ""
    """What a mere press may do as well: the focus moved, something was drawn."""
    closed: str = ""
    """What went away with the press and proves nothing: the menu of the item that was chosen."""

    def __bool__(self) -> bool:
        return bool(self.news or self.signs)

    @property
    def text(self) -> str:
        return self.news or self.signs


def changes(before: Scene, after: Scene, moving: Sequence[Box] = ()) -> Seen:
    """Say what has changed; the picture does not count where something is `moving` all the time."""
    news = [*_window_changes(before.windows, after.windows), *_element_changes(before.element, after.element)]
    now = {each.id: each for each in after.held}
    news += [told for each in before.held if each.id in now for told in _value_change(each, now[each.id])]
    subject = before.element or after.element  # a page may be making it anew at this very moment
    pressed = subject if subject and subject.role in PRESSED else None
    if not news and (closed := _menu_closed(before, after)):
        drawn = picture_change(before, after, apart=(*before.menus, *before.lit, *moving)) if before.menus else ""
        return Seen(signs=f"{drawn}, beside its menu" if drawn else "", closed=closed)
    signs = [*_focus_changes(before.element, after.element)] if not pressed else []
    if not news and (drawn := picture_change(before, after, pressed, moving)):
        signs.append(drawn)
    return Seen("; ".join(news), "; ".join(signs))


def _window_changes(before: tuple[Window, ...], after: tuple[Window, ...]) -> Iterator[str]:
    old, new = {window.id: window for window in before}, {window.id: window for window in after}
    for window in after:
        if window.id not in old:
            kind = "the dialog" if window.dialog_of else "the window"
            yield f"{kind} {window.title!r} ({window.id}) came up"
    for window in before:
        if window.id not in new:
            yield f"the window {window.title!r} closed"
    for window_id in old.keys() & new.keys():
        yield from _same_window(old[window_id], new[window_id])


def _same_window(old: Window, new: Window) -> Iterator[str]:
    if old.title != new.title:
        yield f"the window {old.title!r} is now called {new.title!r}"
    if old.minimized != new.minimized:
        yield f"the window {new.title!r} was {'minimized' if new.minimized else 'brought back'}"
    if old.box != new.box and not new.minimized:
        yield f"the window {new.title!r} moved or changed its size"
    if new.active and not old.active:
        yield f"the window {new.title!r} has become active"


def _focus_changes(before: Element | None, after: Element | None) -> Iterator[str]:
    if after is not None and (before is None or after.id != before.id):
        yield f"{called(after)} has the keyboard now"
    elif before and after and ("focused" in before.states) != ("focused" in after.states):
        yield f"{called(after)} {'has' if 'focused' in after.states else 'no longer has'} the keyboard"


def _element_changes(before: Element | None, after: Element | None) -> Iterator[str]:
    if before is None or (after is not None and after.id != before.id):
        return
    item = before.role in MENU_ITEMS
    if after is None:
        yield from () if item else (f"{called(before)} is gone",)
        return
    for state in (state for state in TOLD if not (item and state == "selected")):
        if (state in before.states) != (state in after.states):
            yield f"{called(after)} is {'now' if state in after.states else 'no longer'} {state}"
    yield from _value_change(before, after)
    if before.name != after.name:
        yield f"{called(before)} is now called {_short(after.name)}"


def _menu_closed(before: Scene, after: Scene) -> str:
    item, now = before.element, after.element
    if item is None or item.role not in MENU_ITEMS:
        return ""
    # GTK 4 goes on telling the place of what has been put away.
    away = before.menus and not any(menu.holds(item.box.center) for menu in after.menus)
    if now and not now.box.empty and not away:
        return ""
    return f"{called(item)} was chosen and its menu closed; look whether it did what it should"


def picture_change(before: Scene, after: Scene, pressed: Element | None = None, apart: Sequence[Box] = ()) -> str:
    """Say where two pictures differ, a blinking caret and the looks of a pressed button not counted; "" if nowhere."""
    # A press takes the keyboard: what it is pressed on and what had it before look otherwise in any case.
    own = (pressed.box, *_left(before, after)) if pressed else ()
    apart = [_widened(box) for box in (*own, *apart)]
    box = difference(before.pixels, after.pixels, apart)
    if box is None or box.width <= CARET:
        return ""
    left, top, right, bottom = moved(box, -after.corner.x, -after.corner.y)
    return f"the picture changed within ({left}, {top}) to ({right}, {bottom})"


def _value_change(before: Element, after: Element) -> Iterator[str]:
    if before.value != after.value:
        # A display is filled up with spaces.
        value = " ".join(after.value.split()) if "readonly" in after.states else after.value
        yield f"{called(after)} now holds {_short(value)}"


def _left(before: Scene, after: Scene) -> Iterator[Box]:
    """Give where the keyboard has been taken from something that is otherwise as before."""
    now = {each.id: each for each in after.held}
    for each in before.held:
        # Qt goes on calling the item focused at which a list without the keyboard stands.
        had = "focused" in each.states
        left = each.role in ITEMS or (had and each.id in now and "focused" not in now[each.id].states)
        if left and each.id in now and now[each.id].value == each.value:
            yield each.box


def _widened(box: Box) -> Box:
    return Box(box.left - EDGE, box.top - EDGE, box.right + EDGE, box.bottom + EDGE)


def called(element: Element) -> str:
    """Name an element for a sentence."""
    return f"{element.role} {_short(element.name)}" if element.name else f"the {element.role}"


def _short(text: str) -> str:
    return repr(text if len(text) <= LONGEST else text[:LONGEST] + "…")
