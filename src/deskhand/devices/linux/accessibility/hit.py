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
    own = _climb(control, control.ref, frozenset())
    page, last = own[-1]
    if last != Role.DOCUMENT_WEB or any(role in OPENERS for _, role in own[1:]):
        return ""  # nothing of a page, or in a list that unfolds in a window of its own
    hit = ref_of(control.ask(ask(page, COMPONENT, "GetAccessibleAtPoint", "iiu", point.x, point.y, SCREEN)))
    if hit is None or hit in (ours := frozenset(ref for ref, _ in own)):
        return ""
    *theirs, (met, _) = _climb(control, hit, ours)
    if met == control.ref or met not in ours or not _holds(control, hit, point):
        return ""
    return "" if Role.LABEL in {role for _, role in theirs} else _name(control, theirs)


def _climb(control: Control, ref: Ref, known: frozenset[Ref]) -> Chain:
    """Give an accessible and what is above it, up to its page or to the first that is `known`."""
    found: Chain = []
    above: Ref | None = ref
    while above and len(found) < _DEEPEST:
        calls = [ask(above, ACCESSIBLE, "GetRole"), prop(above, ACCESSIBLE, "Parent")]
        role, parent = control.program.line.calls(calls, control.until)
        found.append((above, number_of(role) or 0))
        if above in known or found[-1][1] == Role.DOCUMENT_WEB:
            break
        above = ref_of(parent)
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
