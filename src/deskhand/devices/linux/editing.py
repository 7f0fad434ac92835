"""Opening a cell of a list or table for writing, as a person would."""

from __future__ import annotations

import time
from functools import partial

import anyio

from deskhand.core.observation import Element, Window
from deskhand.devices.linux import by_hand
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.verify import POLL, rested
from deskhand.perception.ocr import moved
from deskhand.perception.picture import Pixels, part_of

_CLICKS = 2
"""The first one may only choose the row."""
_LATE = 0.6
"""Seconds for a click to open it; more than lies between those of a double click, which would do something else."""


async def opens(rig: Rig, window: Window, cell: Element) -> bool:
    """Open the cell that has the keyboard; what opens is a field that neither GTK nor Qt tells of.

    Qt opens it on F2, and goes on calling the cell focused: the field is seen. GTK opens it on a click on a row that is
    chosen, and the keyboard leaves the cell.
    """
    before = _looks(rig, cell)
    await rested(rig, partial(rig.keyboard.press, ["F2"]))
    if _looks(rig, cell) != before:
        return True
    if "press" in cell.actions:  # one of Qt, which is open already, or opens when something is typed
        return True
    for _ in range(_CLICKS):
        await rested(rig, partial(by_hand.click, rig, cell))
        if await _left(rig, window, cell):
            return True
    return False


def _looks(rig: Rig, cell: Element) -> Pixels:
    corner = rig.corner()
    return part_of(rig.grabber.grab(), moved(cell.box, corner.x, corner.y))


async def _left(rig: Rig, window: Window, cell: Element) -> bool:
    """Wait until the keyboard is elsewhere than in the cell."""
    deadline = time.monotonic() + _LATE
    while time.monotonic() < deadline:
        focused = await rig.controls.focused(window.pid)
        if focused is None or focused.id != cell.id:
            return True
        await anyio.sleep(POLL)
    return False
