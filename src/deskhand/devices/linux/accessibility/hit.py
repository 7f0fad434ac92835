"""What a click at a place of a page would reach: panes, banners and dialogs may lie over what is meant."""

from __future__ import annotations

from deskhand.core.geometry import Point
from deskhand.devices.linux.accessibility.acts import Control
from deskhand.devices.linux.accessibility.bus import Failure
from deskhand.devices.linux.accessibility.protocol import (
    ACCESSIBLE,
    COMPONENT,
    SCREEN,
    Ref,
    ask,
    number_of,
    prop,
    ref_of,
    text_of,
)
from deskhand.devices.linux.accessibility.roles import DIALOGS, LABELS, OPENERS, Role, word

_DEEPEST = 64
_DRAWN_OVER = LABELS | {Role.CHECK_BOX, Role.RADIO_BUTTON, Role.SWITCH}
"""Roles of what passes on what is clicked, or is hidden behind pictures that do."""
Chain = list[tuple[Ref, int]]
"""An accessible and what is above it, each with its role."""


def cover(control: Control, point: Point) -> str:
    """Name what would take a click at a place instead of the control there; "" if nothing does, or it is not known.

    Only Chromium tells what lies in front; other toolkits go by the order in which things were made.
    """
    if not control.program.chromium or control.role in _DRAWN_OVER:
        return ""
    own = _chain(control, control.ref)
    pages = [ref for ref, role in own if role == Role.DOCUMENT_WEB]
    if not pages or any(role in OPENERS for _, role in own[1:]):  # lists that unfold lie in windows of their own
        return ""
    place = (point.x, point.y, SCREEN)
    hit = ref_of(control.ask(ask(pages[-1], COMPONENT, "GetAccessibleAtPoint", "iiu", *place)))
    above = _chain(control, hit) if hit else []
    ours = {ref for ref, _ in own}
    theirs = [(ref, role) for ref, role in above if ref not in ours]
    if not theirs or control.ref in {ref for ref, _ in above} or not _holds(control, theirs[0][0], point):
        return ""
    return "" if Role.LABEL in {role for _, role in theirs} else _name(control, theirs)


def _chain(control: Control, ref: Ref) -> Chain:
    found: Chain = []
    next_up: Ref | None = ref
    while next_up and len(found) < _DEEPEST:
        calls = [ask(next_up, ACCESSIBLE, "GetRole"), prop(next_up, ACCESSIBLE, "Parent")]
        role, parent = control.program.line.calls(calls, control.until)
        found.append((next_up, number_of(role) or 0))
        next_up = ref_of(parent)
    return found


def _holds(control: Control, ref: Ref, point: Point) -> bool:
    """Tell whether an accessible says itself that it is at a place: both are counted alike then."""
    extents = control.ask(ask(ref, COMPONENT, "GetExtents", "u", SCREEN))
    if isinstance(extents, Failure) or not extents:
        return False
    left, top, width, height = extents[0]
    return bool(left <= point.x < left + width and top <= point.y < top + height)


def _name(control: Control, theirs: Chain) -> str:
    named = [(role, text_of(control.ask(prop(ref, ACCESSIBLE, "Name"))).strip()) for ref, role in theirs]
    dialogs = [(role, name) for role, name in named if role in DIALOGS]
    role, name = next((each for each in (*dialogs, *named) if each[1]), (dialogs or named)[0])
    return f"{word(role)} {name!r}" if name else f"something in front of it ({word(role)})"
