"""Menus and lists that are open, and would take a click that is not meant for them."""

from __future__ import annotations

from functools import partial

import xcffib
from xcffib.xproto import EventMask, GrabMode, GrabStatus, Time

from deskhand.core.geometry import Point
from deskhand.core.observation import Window
from deskhand.devices.linux.display import Display
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.verify import rested
from deskhand.devices.linux.windows import pop_ups

_LEVELS = 3
"""Menus within menus that are put away."""


async def make_way(rig: Rig, window: Window | None, point: Point) -> None:
    """Put away what a click beside it would only close: open menus, the completions of what was just written."""
    for _ in range(_LEVELS):
        if window is None or not _is_in_the_way(rig.display, window.pid, point):
            return
        await rested(rig, partial(rig.keyboard.press, ["Escape"]))


def _is_in_the_way(display: Display, pid: int, point: Point) -> bool:
    boxes = pop_ups(display, pid) if pid else ()
    return bool(boxes) and not any(box.holds(point) for box in boxes) and _takes_all_clicks(display)


def _takes_all_clicks(display: Display) -> bool:
    """Tell whether somebody has grabbed the pointer, as menus and lists do, and tooltips do not.

    Raises:
        DeviceLost: the X server is gone.
    """
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
