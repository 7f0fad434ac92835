"""Which window the X server sends keys to."""

from __future__ import annotations

import xcffib

from deskhand.devices.linux.x11.asking import answer
from deskhand.devices.linux.x11.display import Display

_DEPTH = 16
"""Windows between the one with the focus and its top-level window, at most."""


def around_focus(display: Display) -> list[int]:
    """Give the window that has the focus and those around it, from the inside out; none when nobody has it.

    Raises:
        DeviceLost: the X server is gone.
    """
    windows: list[int] = []
    try:
        window = int(display.conn.core.GetInputFocus().reply().focus)
        while window > 1 and window != display.root and len(windows) < _DEPTH:
            windows.append(window)
            tree = answer(display.conn.core.QueryTree(window))
            window = int(tree.parent) if tree else 0
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    return windows


def hearing(display: Display) -> int:
    """Give the window that has the keyboard, 0 when keys would reach nobody.

    Where no window has it, window managers give it to one of their own, a child of the root beyond the screen's edge.
    """
    try:
        focus = int(display.conn.core.GetInputFocus().reply().focus)
        if focus <= 1 or focus == display.root:
            return 0
        place = answer(display.conn.core.GetGeometry(focus))
        tree = answer(display.conn.core.QueryTree(focus))
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    if not place or not tree:  # it has been closed in the meantime
        return 0
    beyond = place.x + place.width <= 0 and place.y + place.height <= 0
    return 0 if beyond and tree.parent == display.root else focus
