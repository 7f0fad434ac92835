"""What has come in place of an element that is gone: programs throw controls away and make the same ones anew."""

from __future__ import annotations

from typing import NamedTuple

from deskhand.core.observation import Element, Window
from deskhand.devices.linux.rig import Rig
from deskhand.perception.merge import CONTAINERS, overlap

_SAME_PLACE = 0.5
"""The part of both boxes together that a control and the one that was made in its place share at least."""


class StandIn(NamedTuple):
    """What is there now."""

    same: Element | None
    """The control made anew, if it is certain that it is the same."""
    instead: Element | None
    """What lies at the place otherwise, if anything does."""


async def stand_in(rig: Rig, gone: Element, window: Window, seconds: float) -> StandIn:
    """Look what is now where an element was when it was shown.

    It is the same when it has role, name and place of the one that is gone, and nothing else has or had that name: the
    button "Delete" of the next row moves up to where the one of a deleted row was.
    """
    reading = await rig.read(window, rig.windows(), seconds)
    before = rig.alike(gone)
    rig.remember(reading.elements)
    now = [each for each in reading.elements if (each.role, each.name) == (gone.role, gone.name)]
    only = len(now) == 1 and gone.name and all(_same_place(each, gone) for each in (*now, *before))
    around = [each for each in reading.elements if each.box.holds(gone.box.center) and each.role not in CONTAINERS]
    instead = min(around, key=lambda each: each.box.area, default=None)
    return StandIn(now[0] if only else None, instead)


def _same_place(one: Element, other: Element) -> bool:
    return overlap(one.box, other.box) >= _SAME_PLACE
