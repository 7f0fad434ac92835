"""Getting to what an action is meant for: its window up, its element found again, its place on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import anyio

from deskhand.core.action import At, Described, OnElement, Target
from deskhand.core.errors import TargetNotFound
from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.acting.stand_in import stand_in
from deskhand.devices.linux.processes import stopped
from deskhand.devices.linux.rig import Rig
from deskhand.devices.linux.seeing.scene import called
from deskhand.devices.linux.windows.listing import owner_at
from deskhand.devices.linux.windows.managing import activate, bring_forward, is_given_keyboard
from deskhand.devices.linux.windows.meant import belongs
from deskhand.devices.linux.x11.monitors import on_a_monitor

PATIENCE = 2.0
"""Seconds that an application may take to answer."""
SCROLLS = 0.5
_ARROW, _LONG, _HIGH = 10, 4, 60
"""Pixels from its corner to the arrow of what folds; how much wider than high it is, or how high with its content."""
CLEARS = 0.1
"""Seconds within which a page says that nothing covers a control any more."""


class Spot(NamedTuple):
    """Where an action goes."""

    point: Point | None
    """None: nothing of it can be clicked; it can only be used through its interface."""
    element: Element | None = None


async def bring_up(rig: Rig, window_id: str, *, keys: bool = True) -> Window | None:
    """Have the window that is meant by an id, or a dialog of it, take the keyboard; give the one that has it.

    "" is whatever has it now. Without `keys`, one that is not given the keyboard need only be on top.

    Raises:
        TargetNotFound: its application has closed or is halted, or another one keeps the keyboard.
    """
    windows = rig.windows()
    if not window_id:
        return next((window for window in windows if window.active), None)
    wanted = rig.meant(window_id.lower(), windows) or find_window(windows, window_id)
    return await _up(rig, wanted, windows, keys)


async def keep_up(rig: Rig, window_id: str, *, keys: bool = True) -> Window:
    """Have just this window, or a dialog of it, take the keyboard, also when its application has opened another.

    Raises:
        TargetNotFound: it is gone, its application is halted, or another one keeps the keyboard.
    """
    windows = rig.windows()
    return await _up(rig, find_window(windows, window_id), windows, keys)


async def _up(rig: Rig, wanted: Window, windows: Sequence[Window], keys: bool) -> Window:
    if stopped(wanted.pid):
        raise _halted(wanted)
    active = next((window for window in windows if window.active), None)
    if active and belongs(active, wanted, windows):
        return active
    given = is_given_keyboard(rig.display, wanted.id)
    if not given and not keys:
        await bring_forward(rig.display, wanted.id, PATIENCE)
        return wanted
    now = await activate(rig.display, wanted.id, PATIENCE)
    windows = rig.windows()
    active = next((window for window in windows if window.id == now), None)
    if active and (belongs(active, wanted, windows) or (active.pid and active.pid == wanted.pid)):
        return active
    holder = f"{active.title!r}" if active else "no window"
    why = "; it does not take the keyboard, only clicks" * (not given)
    raise TargetNotFound(f"the window {wanted.title!r} could not be brought up; the focus is on {holder}{why}")


def _halted(window: Window) -> TargetNotFound:
    return TargetNotFound(f"{window.app or window.title!r} is halted (its process is stopped) and takes no input")


def find_window(windows: Sequence[Window], window_id: str) -> Window:
    """Find a window by its id.

    Raises:
        TargetNotFound: it is not there; names those that are.
    """
    found = next((window for window in windows if window.id == window_id.lower()), None)
    if found is None:
        there = ", ".join(f"{window.id} {window.title!r}" for window in windows[:10]) or "none"
        is_id = window_id.lower().startswith("0x")
        none = f"there is no window {window_id!r} any more" if is_id else f"no window has the id {window_id!r}"
        raise TargetNotFound(f"{none}; there are: {there}")
    return found


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
            monitors = rig.view()[1]
            if not on_a_monitor(point, monitors):
                there = ", ".join(map(str, monitors))
                raise TargetNotFound(f"({point.x}, {point.y}) is shown by no monitor; there are {there}")
            return Spot(point)
        case OnElement(id=element_id):
            element = await find_element(rig, element_id)
            return Spot(await place_of(rig, element), element)
        case Described(text=text):
            raise TargetNotFound(f"{text!r} is only described: give a point or the id of an element")


async def glimpse(rig: Rig, target: Target) -> Point | None:
    """Tell where a target seems to be, whatever covers it; None when it is out of sight, or only a point.

    Raises:
        TargetNotFound: it is gone, or has become another one.
    """
    if not isinstance(target, OnElement):
        return None
    element = await find_element(rig, target.id)
    box = element.box.clipped(rig.display.box)
    first = _points(element, box)[0]
    return None if box.empty or not on_a_monitor(first, rig.view()[1]) else first


async def find_element(rig: Rig, element_id: str) -> Element:
    """Find an element again as it is now, and see that it is still the one that was shown.

    Raises:
        TargetNotFound: it is gone, it has become another one, or its application does not answer.
    """
    shown = rig.shown(element_id)
    if shown is None:
        raise TargetNotFound(f"no element {element_id!r} was ever shown; use an id of the last look")
    if stopped(rig.process(shown.window)) and (halted := rig.window(shown.window)):
        raise _halted(halted)
    element = await rig.controls.live(element_id)
    if element is None:
        window = rig.window(shown.window)
        if window and not await rig.controls.alive(window.pid, PATIENCE):
            raise TargetNotFound(f"{window.app or window.title!r} does not answer within {PATIENCE:g} s; wait and look")
        return await _made_anew(rig, shown, window)
    if shown.name and element.name and shown.name != element.name and "press" in element.actions:
        raise TargetNotFound(f"stale: {called(shown)} ({element_id}) is now called {element.name!r}; look again")
    return element


async def _made_anew(rig: Rig, gone: Element, window: Window | None) -> Element:
    """Find an element that its application has thrown away and made anew.

    Raises:
        TargetNotFound: it is gone for good.
    """
    told = ""
    if window and not gone.box.empty:
        now = await stand_in(rig, gone, window, PATIENCE)
        if now.same:
            return now.same
        told = f"; in its place is now {called(now.instead)} ({now.instead.id})" if now.instead else ""
    raise TargetNotFound(f"stale: {called(gone)} ({gone.id}) is gone{told}; look again")


async def place_of(rig: Rig, element: Element) -> Point | None:
    """Give the place to click an element, after scrolling to it if need be; None when there is none.

    Raises:
        TargetNotFound: something of its own application covers it, which is to be dealt with first.
    """
    if element.box.empty and await rig.controls.scroll_to(element.id):
        seen = await _comes_into_view(rig, element)
        element = seen or element
    box = element.box.clipped(rig.display.box)
    if box.empty:
        return None
    windows = rig.windows()
    covers = []
    over = ""
    monitors = rig.view()[1]
    for point in (each for each in _points(element, box) if on_a_monitor(each, monitors)):
        covers.append(_cover(rig, windows, element, point))
        if covers[-1] is None:
            over = await _over(rig, element, point, times=2 if over else 1)
            if not over:
                return point
    if over:
        raise TargetNotFound(f"{called(element)} is covered by {over}: see to that first")
    own = next((window for window in windows if window.id in covers), None)
    if own:
        raise TargetNotFound(f"{called(element)} is covered by the window {own.title!r} ({own.id}): see to that first")
    return None


def _points(element: Element, box: Box) -> tuple[Point, ...]:
    """Give the middle of a box, and places half-way to its edges for when the middle is covered.

    The middle of a spin button may be its minus, and what GTK folds with is only there where its arrow and label are:
    they are clicked where they begin.
    """
    (x, y), right, down = box.center, box.width // 4, box.height // 4
    spots = [(x, y), (x - right, y), (x + right, y), (x, y - down), (x, y + down)]
    if element.role == "spinbutton":
        spots[:2] = reversed(spots[:2])
    folds = element.role == "button" and {"expanded", "collapsed"} & {*element.states}
    if folds and (box.width > _LONG * box.height or box.height > _HIGH):
        spots.insert(0, (box.left + min(right, _ARROW), box.top + min(down, _ARROW)))
    return tuple(Point(*spot) for spot in spots)


def _cover(rig: Rig, windows: Sequence[Window], element: Element, point: Point) -> str | None:
    """Tell what lies over an element at a place: a window of its own process, by its id, or "" for another's."""
    own = next((window for window in windows if window.id == element.window), None)
    owner = owner_at(rig.display, point)
    if own is None or owner is None:
        return None
    if owner.pid not in (own.pid, 0):
        return ""
    # Menus and pop-ups are no windows, and what is in them belongs to the window they came from.
    other = owner.window != own.id and any(window.id == owner.window for window in windows)
    return owner.window if other else None


async def _over(rig: Rig, element: Element, point: Point, *, times: int) -> str:
    """Name what lies over an element within its own window; "" if that says `times` in a row that nothing does.

    A page guesses at first, or tells of what was there a moment ago, and knows better within some frames.
    """
    deadline, clear = anyio.current_time() + CLEARS, 0
    while True:
        over = await rig.controls.cover(element.id, point)
        clear = 0 if over else clear + 1
        if clear == times or anyio.current_time() >= deadline:
            return over
        await anyio.sleep(0.02)


async def _comes_into_view(rig: Rig, element: Element) -> Element | None:
    deadline = anyio.current_time() + SCROLLS
    while anyio.current_time() < deadline:
        now = await rig.controls.live(element.id)
        if now and not now.box.empty:
            return now
    return None
