"""The monitors of a desktop, and looking at one of them as if it were the whole screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import xcffib
import xcffib.randr

from deskhand.core.action import Action, ArrangeWindow, At, DragTo
from deskhand.core.errors import DeviceError, TargetNotFound
from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Element, Monitor, Observation
from deskhand.devices.linux.x11.asking import names_of
from deskhand.devices.linux.x11.display import Display
from deskhand.perception.ocr import moved

PRIMARY = "primary"


def list_monitors(display: Display) -> tuple[Monitor, ...]:
    """List the monitors from left to right; none where the X server does not tell.

    Raises:
        DeviceLost: the X server is gone.
    """
    randr = display.extension("RANDR", xcffib.randr.key)
    if randr is None:
        return ()
    try:
        version, asked = randr.QueryVersion(1, 5), randr.GetMonitors(display.root, True)  # in one round trip
        version.reply()
        told = asked.reply().monitors
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    except xcffib.Error:  # it is older than monitors are
        return ()
    names = names_of(display, [each.name for each in told])
    screen = display.box
    found = [_monitor(each, name, screen) for each, name in zip(told, names, strict=True)]
    return tuple(sorted((each for each in found if not each.box.empty), key=lambda each: each.box[:2]))


def _monitor(told: Any, name: str, screen: Box) -> Monitor:
    box = Box.at(told.x, told.y, told.width, told.height).clipped(screen)
    return Monitor(name=name, box=box, primary=bool(told.primary))


def chosen(monitors: Sequence[Monitor], wanted: str) -> Monitor:
    """Give the monitor of a name, the primary one, or the one of a number: 0 is the leftmost.

    Raises:
        DeviceError: there is none; names those there are.
    """
    for number, each in enumerate(monitors):
        if wanted in (each.name, str(number)) or (wanted == PRIMARY and each.primary):
            return each
    there = ", ".join(f"{number} {each}" for number, each in enumerate(monitors)) or "none"
    raise DeviceError(f"this desktop has no monitor {wanted!r}; it has: {there}")


def on_a_monitor(point: Point, monitors: Sequence[Monitor]) -> bool:
    """Tell whether a place can be seen anywhere; between monitors of different sizes there may be holes."""
    return not monitors or any(each.box.holds(point) for each in monitors)


def seen_within(view: Box, seen: Observation, monitors: Sequence[Monitor]) -> Observation:
    """Tell of a part of the screen as if it were the whole; `seen.screen` is its picture already."""
    right, down = -view.left, -view.top
    elements = tuple(
        each.model_copy(update={"box": moved(each.box.clipped(view), right, down)})
        for each in seen.elements
        if each.box.empty or not each.box.clipped(view).empty
    )
    windows = tuple(each.model_copy(update={"box": moved(each.box, right, down)}) for each in seen.windows)
    parts = tuple(each.model_copy(update={"box": moved(each.box, right, down)}) for each in monitors)
    told = "; ".join(filter(None, (seen.truncated, _elsewhere(view, seen, elements, monitors))))
    return seen.model_copy(update={"elements": elements, "windows": windows, "monitors": parts, "truncated": told})


def _elsewhere(view: Box, seen: Observation, left: Sequence[Element], monitors: Sequence[Monitor]) -> str:
    """Say that a window is on another monitor, wholly or in part."""
    gone = len(seen.elements) - len(left)
    window = next((each for each in seen.windows if each.id == seen.window), None)
    if window is None or not gone:
        return ""
    others = [each.name for each in monitors if each.box != view and not each.box.clipped(window.box).empty]
    where = f"on the monitor {' and '.join(others)}" if others else "on no monitor"
    return f"{gone} elements of {window.title!r} are {where}, which is not looked at: move the window to see them"


def on_screen(view: Box, action: Action) -> Action:
    """Give an action whose places are meant within a part of the screen with those of the whole.

    Raises:
        TargetNotFound: a place lies outside that part.
    """
    updates: dict[str, Any] = {}
    for name in ("target", "start", "from_coord", "to_coord"):
        place = getattr(action, name, None)
        if isinstance(place, At):
            updates[name] = At(point=_on_screen(view, place.point))
    if isinstance(action, DragTo):
        updates["path"] = tuple(_on_screen(view, point) for point in action.path)
    if isinstance(action, ArrangeWindow) and action.corner:
        updates["corner"] = Point(action.corner.x + view.left, action.corner.y + view.top)
    return action.model_copy(update=updates) if updates else action


def _on_screen(view: Box, point: Point) -> Point:
    inside = Point(point.x + view.left, point.y + view.top)
    if not view.holds(inside):
        raise TargetNotFound(
            f"({point.x}, {point.y}) lies outside the monitor, 0..{view.width - 1} x 0..{view.height - 1}"
        )
    return inside
