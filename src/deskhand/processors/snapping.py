"""Points that just miss something small: what they hit, and what lies nearest."""

from __future__ import annotations

import math
from typing import NamedTuple

from deskhand.core.action import Action, At, Click, DoubleClick, LongPress, OnElement, RightClick
from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Element, Observation
from deskhand.perception.scene import FIELDS, PRESSABLE

_CONTROLS = (PRESSABLE | FIELDS) - {"img"}
_INERT = frozenset(
    {"alert", "dialog", "document", "form", "group", "heading", "label", "list", "menubar", "paragraph", "progressbar"}
) | {"separator", "status", "table", "tablist", "toolbar", "tree", "window"}
"""What a click does nothing to. Of a role that is not here nobody knows: a canvas takes clicks everywhere."""
_OUT_OF_REACH = frozenset({"disabled", "covered", "offscreen", "hidden"})


class Snapped(NamedTuple):
    """An action at the control that it was aimed beside, and what there is to say of that."""

    action: Action
    why: str


def snapped(action: Action, seen: Observation, pixels: int) -> Snapped | None:
    """Aim a click on nothing at the nearest control within so many pixels; None where there is no reason or no one."""
    if not isinstance(action, Click | DoubleClick | RightClick | LongPress) or not isinstance(action.target, At):
        return None
    point = action.target.point
    if (control := _missed(point, seen, pixels)) is None:
        return None
    called = f"{control.role} {control.name!r}" if control.name else control.role
    away = round(_distance(point, control.box))
    why = f"({point.x}, {point.y}) is on nothing that takes clicks; done {away} px away, on {called}"
    return Snapped(action.model_copy(update={"target": OnElement(id=control.id)}), why)


def control_at(point: Point, seen: Observation) -> Element | None:
    """Give the smallest control at a place."""
    hits = [e for e in seen.elements if e.box.holds(point) and _is_control(e)]
    return min(hits, key=lambda e: e.box.area, default=None)


def _missed(point: Point, seen: Observation, pixels: int) -> Element | None:
    """Give the control that a point lies nearest to; None when it hits something, or two are equally near."""
    if any(e.box.holds(point) and _takes_clicks(e) for e in seen.elements):
        return None
    near = [e for e in _controls(point, seen) if _distance(point, e.box) <= pixels]
    least = min((_distance(point, e.box) for e in near), default=0.0)
    nearest = [e for e in near if _distance(point, e.box) == least]
    inner = min(nearest, key=lambda e: e.box.area, default=None)
    if inner is None or any(e.box.clipped(inner.box) != inner.box for e in nearest):
        return None
    return inner


def _controls(point: Point, seen: Observation) -> list[Element]:
    """Give the controls that can be used now, in the window that the point lies in."""
    window = next((w.id for w in seen.windows if not w.minimized and w.box.holds(point)), "")
    usable = [e for e in seen.elements if _is_control(e) and not e.box.empty and not _OUT_OF_REACH & {*e.states}]
    return [e for e in usable if not window or e.window in ("", window)]


def _is_control(element: Element) -> bool:
    return element.role in _CONTROLS or "press" in element.actions


def _takes_clicks(element: Element) -> bool:
    if "covered" in element.states:
        return False
    return element.role not in _INERT or _is_control(element) or "editable" in element.states


def _distance(point: Point, box: Box) -> float:
    """Measure how far a point lies from the nearest pixel of a box."""
    across = max(box.left - point.x, 0, point.x - (box.right - 1))
    return math.hypot(across, max(box.top - point.y, 0, point.y - (box.bottom - 1)))
