"""What other programs have reserved of keys and buttons for themselves; mostly the window manager has.

No request tells who has reserved what, but reserving it once more is refused.
"""

from __future__ import annotations

import xcffib
import xcffib.xproto
from xcffib.xproto import EventMask, GrabMode

from deskhand.core.geometry import Point
from deskhand.devices.linux.x11.display import Display

_DEPTH = 16
"""Windows between the root and the one that takes a click, at most."""


def key_is_taken(display: Display, keycode: int, modifiers: int) -> bool:
    """Tell whether a program gets this key wherever the focus is; `modifiers` is a mask of the server's.

    Raises:
        DeviceLost: the server is gone.
    """
    core, root = display.conn.core, display.root
    try:
        core.GrabKeyChecked(False, root, modifiers, keycode, GrabMode.Async, GrabMode.Async).check()
        core.UngrabKeyChecked(keycode, root, modifiers).check()
    except xcffib.xproto.AccessError:
        return True
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    return False


def button_is_taken(display: Display, point: Point, button: int, modifiers: int) -> bool:
    """Tell whether a program other than the one whose window is at a place sees this button first, and may keep it.

    Raises:
        DeviceLost: the server is gone.
    """
    try:
        return any(_is_reserved(display, window, button, modifiers) for window in _at(display, point))
    except xcffib.xproto.WindowError:  # one of them has been closed in the meantime
        return False
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def _is_reserved(display: Display, window: int, button: int, modifiers: int) -> bool:
    core = display.conn.core
    modes = (GrabMode.Async, GrabMode.Async)
    try:
        core.GrabButtonChecked(False, window, EventMask.ButtonPress, *modes, 0, 0, button, modifiers).check()
        core.UngrabButtonChecked(button, window, modifiers).check()
    except xcffib.xproto.AccessError:
        return True
    return False


def _at(display: Display, point: Point) -> list[int]:
    """Give the windows at a place from the outside in; each but the last may keep a press from those within."""
    windows = [display.root]
    while len(windows) < _DEPTH:
        asked = display.conn.core.TranslateCoordinates(display.root, windows[-1], point.x, point.y).reply()
        if not asked.child:
            break
        windows.append(int(asked.child))
    return windows
