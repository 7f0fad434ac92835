"""What the DOM calls keys, and the chords that a browser takes for itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from deskhand.core.errors import TargetNotFound
from deskhand.core.keys import chord, key

_NAMES: Mapping[str, str] = {
    "Return": "Enter",
    "KP_Enter": "NumpadEnter",
    "BackSpace": "Backspace",
    "Page_Up": "PageUp",
    "Page_Down": "PageDown",
    "Left": "ArrowLeft",
    "Right": "ArrowRight",
    "Up": "ArrowUp",
    "Down": "ArrowDown",
    "Control_L": "Control",
    "Control_R": "ControlRight",
    "Shift_L": "Shift",
    "Shift_R": "ShiftRight",
    "Alt_L": "Alt",
    "Alt_R": "AltRight",
    "Super_L": "Meta",
    "Super_R": "MetaRight",
    "Meta_L": "Meta",
    "ISO_Level3_Shift": "AltGraph",
    "Menu": "ContextMenu",
    "Caps_Lock": "CapsLock",
    "Num_Lock": "NumLock",
    "Scroll_Lock": "ScrollLock",
    "Print": "PrintScreen",
    "KP_Add": "NumpadAdd",
    "KP_Subtract": "NumpadSubtract",
    "KP_Multiply": "NumpadMultiply",
    "KP_Divide": "NumpadDivide",
    "KP_Decimal": "NumpadDecimal",
    **{f"KP_{digit}": f"Numpad{digit}" for digit in range(10)},
}
"""What the DOM calls keys that X calls otherwise."""
_SAME = frozenset({"Tab", "Escape", "Delete", "Insert", "Home", "End", "Pause", "Help", "Clear"})
_SAME |= {f"F{number}" for number in range(1, 13)}

Own = Literal["new", "close", "next", "previous", "reload", "back", "forward"]
OWN: Mapping[tuple[str, ...], Own] = {
    ("Control_L", "t"): "new",
    ("Control_L", "w"): "close",
    ("Control_L", "Tab"): "next",
    ("Control_L", "Page_Down"): "next",
    ("Control_L", "Shift_L", "Tab"): "previous",
    ("Control_L", "Page_Up"): "previous",
    ("Control_L", "r"): "reload",
    ("Control_L", "Shift_L", "r"): "reload",
    ("F5",): "reload",
    ("XF86Reload",): "reload",
    ("Alt_L", "Left"): "back",
    ("XF86Back",): "back",
    ("Alt_L", "Right"): "forward",
    ("XF86Forward",): "forward",
}
"""Chords that are for the browser and not for the page."""


def key_of(name: str) -> str:
    """Give the DOM's name of a key; a single character is its own.

    Raises:
        TargetNotFound: there is no such key, or pages know none.
    """
    found = key(name)
    if found.char:
        return "Space" if found.char == " " else found.char
    if found.name in _NAMES:
        return _NAMES[found.name]
    if found.name in _SAME:
        return found.name
    raise TargetNotFound(f"pages have no key {name!r}")


def chord_of(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Give the table's names of a chord; letters are small, as in what a browser takes for itself."""
    return tuple(each.lower() if len(each) == 1 else each for each in chord(keys))
