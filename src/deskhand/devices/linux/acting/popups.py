"""Menus and lists that are open, and would take a click that is not meant for them."""

from __future__ import annotations

from functools import partial

from deskhand.core.geometry import Point
from deskhand.core.observation import Window
from deskhand.devices.linux.acting.verify import rested
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.windows.open_menus import open_menus
from deskhand.devices.linux.x11.display import Display

_LEVELS = 3
"""Menus within menus that are put away."""


async def make_way(rig: Rig, window: Window | None, point: Point) -> None:
    """Put away what a click beside it would only close: open menus, the completions of what was just written."""
    for _ in range(_LEVELS):
        if window is None or not _is_in_the_way(rig.display, window.pid, point):
            return
        await rested(rig, partial(rig.keyboard.press, ["Escape"]))


def _is_in_the_way(display: Display, pid: int, point: Point) -> bool:
    boxes = open_menus(display, pid)
    return bool(boxes) and not any(box.holds(point) for box in boxes)
