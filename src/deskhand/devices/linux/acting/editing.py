"""Opening a cell of a list or table for writing, as a person would."""

from __future__ import annotations

import time
from functools import partial

import anyio

from deskhand.core.observation import Element
from deskhand.devices.linux.acting import by_hand
from deskhand.devices.linux.acting.verify import POLL, rested
from deskhand.devices.linux.rig import Rig

_CLICKS = 2
"""The first one may only choose the row."""
_LATE = 0.6
"""Seconds for a click to open it; more than lies between those of a double click, which would do something else."""


async def opens(rig: Rig, cell: Element) -> bool:
    """Open the cell that has the keyboard; what opens is a field that neither GTK nor Qt tells of.

    Qt opens it when something is typed. GTK does on a click on a row that is chosen, and the keyboard leaves the cell.
    """
    if "press" in cell.actions:  # as Qt's have, and no others
        return True
    for _ in range(_CLICKS):
        await rested(rig, partial(by_hand.click, rig, cell))
        if await _left(rig, cell):
            return True
    return False


async def _left(rig: Rig, cell: Element) -> bool:
    """Wait until the cell says that the keyboard is elsewhere."""
    deadline = time.monotonic() + _LATE
    while time.monotonic() < deadline:
        now = await rig.controls.live(cell.id)
        if now is not None and "focused" not in now.states:
            return True
        await anyio.sleep(POLL)
    return False
