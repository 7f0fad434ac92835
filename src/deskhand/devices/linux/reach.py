"""Getting to what an action is meant for: its window up, its element found again, its place on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import anyio

from deskhand.core.action import At, Described, OnElement, Target
from deskhand.core.errors import TargetNotFound
from deskhand.core.geometry import Point
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.processes import stopped
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.scene import called
from deskhand.devices.linux.windows import activate, owner_at

PATIENCE = 2.0
"""Seconds that an application may take to answer."""
SCROLLS = 0.5


class Spot(NamedTuple):
    """Where an action goes."""

    point: Point | None
    """None: nothing of it can be clicked; it can only be used through its interface."""
    element: Element | None = None


async def bring_up(rig: Rig, window_id: str) -> Window | None:
    """Have a window, or a dialog of it, take the keyboard; give the one that has it. "" is whatever has it now.

    Raises:
        TargetNotFound: the window is gone, its application is halted, or another one keeps the keyboard.
    """
    windows = rig.windows()
    active = next((window for window in windows if window.active), None)
    if not window_id:
        return active
    wanted = find_window(windows, window_id)
    if stopped(wanted.pid):
        raise TargetNotFound(f"{wanted.app or wanted.title!r} is halted (its process is stopped) and takes no input")
    if active and _belongs(active, wanted, windows):
        return active
    now = await activate(rig.display, wanted.id, PATIENCE)
    windows = rig.windows()
    active = next((window for window in windows if window.id == now), None)
    if active and (_belongs(active, wanted, windows) or (active.pid and active.pid == wanted.pid)):
        return active
    holder = f"{active.title!r}" if active else "no window"
    raise TargetNotFound(f"the window {wanted.title!r} could not be brought up; the focus is on {holder}")


def find_window(windows: Sequence[Window], window_id: str) -> Window:
    """Find a window by its id.

    Raises:
        TargetNotFound: it is not there; names those that are.
    """
    found = next((window for window in windows if window.id == window_id.lower()), None)
    if found is None:
        there = ", ".join(f"{window.id} {window.title!r}" for window in windows[:10]) or "none"
        raise TargetNotFound(f"there is no window {window_id!r} any more; there are: {there}")
    return found


def _belongs(window: Window, to: Window, windows: Sequence[Window]) -> bool:
    """Tell whether a window is the one wanted, or a dialog that stands before it."""
    parents = {each.id: each.dialog_of for each in windows}
    above = window.id
    for _ in range(len(windows) + 1):
        if above == to.id:
            return True
        above = parents.get(above, "")
    return False


async def spot(rig: Rig, target: Target) -> Spot:
    """Find the place of a target now.

    Raises:
        TargetNotFound: it is not on the screen, or no longer what it was.
    """
    match target:
        case At(point=point):
            if not rig.display.box.holds(point):
                width, height = rig.display.size
                raise TargetNotFound(
                    f"({point.x}, {point.y}) lies outside the screen, 0..{width - 1} x 0..{height - 1}"
                )
            return Spot(point)
        case OnElement(id=element_id):
            element = await find_element(rig, element_id)
            return Spot(await place_of(rig, element), element)
        case Described(text=text):
            raise TargetNotFound(f"{text!r} is only described: give a point or the id of an element")


async def find_element(rig: Rig, element_id: str) -> Element:
    """Find an element again as it is now, and see that it is still the one that was shown.

    Raises:
        TargetNotFound: it is gone, it has become another one, or its application does not answer.
    """
    shown = rig.shown(element_id)
    if shown is None:
        raise TargetNotFound(f"no element {element_id!r} was ever shown; use an id of the last look")
    window = rig.window(shown.window)
    if window and stopped(window.pid):
        raise TargetNotFound(f"{window.app or window.title!r} is halted (its process is stopped) and takes no input")
    element = await rig.controls.live(element_id)
    if element is None:
        if window and not await rig.controls.alive(window.pid, PATIENCE):
            raise TargetNotFound(f"{window.app or window.title!r} does not answer within {PATIENCE:g} s; wait and look")
        raise TargetNotFound(f"stale: {called(shown)} ({element_id}) is gone; look again")
    if shown.name and element.name and shown.name != element.name and "press" in element.actions:
        raise TargetNotFound(f"stale: {called(shown)} ({element_id}) is now called {element.name!r}; look again")
    return element


async def place_of(rig: Rig, element: Element) -> Point | None:
    """Give the place to click an element, after scrolling to it if need be; None when there is none."""
    if element.box.empty and await rig.controls.scroll_to(element.id):
        seen = await _comes_into_view(rig, element)
        element = seen or element
    box = element.box.clipped(rig.display.box)
    if box.empty:
        return None
    window = rig.window(element.window)
    owner = owner_at(rig.display, box.center)
    covered = window is not None and owner is not None and owner not in (window.pid, 0)
    return None if covered else box.center


async def _comes_into_view(rig: Rig, element: Element) -> Element | None:
    deadline = anyio.current_time() + SCROLLS
    while anyio.current_time() < deadline:
        now = await rig.controls.live(element.id)
        if now and not now.box.empty:
            return now
    return None
