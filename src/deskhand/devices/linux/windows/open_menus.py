"""Whether a menu or list is open, which takes every click until it is closed."""

from __future__ import annotations

import xcffib
from xcffib.xproto import EventMask, GrabMode, GrabStatus, Time

from deskhand.core.geometry import Box
from deskhand.devices.linux.windows.listing import pop_ups
from deskhand.devices.linux.x11.display import Display


def open_menus(display: Display, pid: int) -> tuple[Box, ...]:
    """Give where the open menus and lists of a process are; none while nothing keeps clicks to itself.

    Raises:
        DeviceLost: the X server is gone.
    """
    boxes = pop_ups(display, pid) if pid else ()
    return boxes if boxes and _takes_all_clicks(display) else ()


def _takes_all_clicks(display: Display) -> bool:
    """Tell whether somebody has grabbed the pointer, as menus and lists do, and tooltips do not."""
    core = display.conn.core
    try:
        grab = core.GrabPointer(
            True, display.root, EventMask.NoEvent, GrabMode.Async, GrabMode.Async, 0, 0, Time.CurrentTime
        )
        free = grab.reply().status == GrabStatus.Success
        if free:
            core.UngrabPointerChecked(Time.CurrentTime).check()
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    return not free
