"""Which top-level accessible is which X window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deskhand.core.geometry import Box
from deskhand.core.observation import Window
from deskhand.devices.linux.accessibility.place import Extents, Place, find_place
from deskhand.devices.linux.accessibility.protocol import (
    ACCESSIBLE,
    COMPONENT,
    SCREEN,
    WINDOW,
    Ref,
    ask,
    extents_of,
    number_of,
    prop,
    ref_of,
    refs_of,
    states_of,
    text_of,
)
from deskhand.devices.linux.accessibility.roles import DIALOGS, Role, State
from deskhand.devices.linux.accessibility.walk import Node, Walk


@dataclass(slots=True, eq=False)
class Top:
    """A top-level accessible and what tells it apart."""

    ref: Ref
    states: int
    role: int
    title: str
    frame: Extents | None
    children: int
    filling: Ref | None
    filling_on_screen: Extents | None = None

    @property
    def showing(self) -> bool:
        return State.SHOWING.within(self.states) or State.VISIBLE.within(self.states)


def list_tops(walk: Walk) -> list[Top]:
    """List the top-levels of an application that are shown."""
    refs = refs_of(walk.ask_all([ask(walk.program.root, ACCESSIBLE, "GetChildren")])[0])
    walk.listed = frozenset(refs)
    calls = []
    for ref in refs:
        calls += [
            ask(ref, ACCESSIBLE, "GetState"),
            ask(ref, ACCESSIBLE, "GetRole"),
            prop(ref, ACCESSIBLE, "Name"),
            ask(ref, COMPONENT, "GetExtents", "u", SCREEN),
            ask(ref, COMPONENT, "GetExtents", "u", WINDOW),
            prop(ref, ACCESSIBLE, "ChildCount"),
            ask(ref, ACCESSIBLE, "GetChildAtIndex", "i", 0),
        ]
    answers = walk.ask_all(calls)
    tops = []
    for place, ref in enumerate(refs):
        state, role, name, screen, window, count, child = answers[place * 7 : place * 7 + 7]
        states, number = states_of(state), number_of(role)
        if states is None or number is None:
            walk.unreadable += 1
            continue
        frame = extents_of(screen) or extents_of(window)
        tops.append(Top(ref, states, number, text_of(name), frame, number_of(count) or 0, ref_of(child)))
    tops = [top for top in tops if top.showing]
    _measure(walk, tops)
    return tops


def _measure(walk: Walk, tops: Sequence[Top]) -> None:
    """Find the extents of what fills each top-level: the frame's own may take in its decoration."""
    calls = [ask(top.filling or top.ref, COMPONENT, "GetExtents", "u", SCREEN) for top in tops]
    for top, answer in zip(tops, walk.ask_all(calls), strict=True):
        told = extents_of(answer)
        if walk.program.gtk4 or (walk.program.libreoffice and top.role in DIALOGS):
            continue  # GTK 4 does not know where on the screen anything is, nor LibreOffice what it draws there itself
        top.filling_on_screen = told if told and min(told[2:]) > 0 else top.frame  # Qt's tables begin with a corner


def pair(tops: Sequence[Top], windows: Sequence[Window]) -> dict[str, Top]:
    """Give the top-level of each X window, by its id; windows that come first choose first."""
    left = list(tops)
    pairs = {}
    for window in windows:
        best = max(left, key=lambda top: _likeness(top, window), default=None)
        alone = len(windows) == 1 and len([top for top in tops if top.role in DIALOGS | {Role.FRAME}]) == 1
        if best and (_likeness(best, window) >= 2 or alone):
            pairs[window.id] = best
            left.remove(best)
    return pairs


def _likeness(top: Top, window: Window) -> float:
    score = 0.0
    if top.title.strip() == window.title.strip():
        score += 4 if top.title.strip() else 1
    elif top.title.strip() and top.title.strip() in window.title:
        score += 2
    if top.frame:
        score += 2 if _same_size(top.frame, window.box) else 0
        score += 1 if _same_place(top.frame, window.box) else 0
    if State.ACTIVE.within(top.states) == window.active:
        score += 0.5
    named = bool(top.title.strip()) and top.title.strip() in window.title
    # A plain widget that is a window by itself is none to Qt 5: what tells it from what only pops up is the title, or
    # that it fills the window.
    framed = top.role in DIALOGS or top.role in (Role.FRAME, Role.WINDOW)
    return score if framed or named or _fills(top, window.box) else 0


def _fills(top: Top, box: Box) -> bool:
    return top.frame is not None and top.frame[:2] == (box.left, box.top) and top.frame[2:] == (box.width, box.height)


def _same_size(frame: Extents, box: Box) -> bool:
    return abs(frame[2] - box.width) <= 60 and abs(frame[3] - box.height) <= 60


def _same_place(frame: Extents, box: Box) -> bool:
    return abs(frame[0] - box.left) <= 60 and abs(frame[1] - box.top) <= 60


def tops_to_read(walk: Walk, tops: Sequence[Top], window: Window, siblings: Sequence[Window]) -> list[Node]:
    """Choose the window's top-level, its dialogs and the pop-ups; none when the window's own is not there."""
    screen = walk.screen
    pairs = pair(tops, (window, *siblings))
    if window.id not in pairs:
        return []
    dialogs = _dialogs_of(window, siblings, pairs)
    nodes = [
        Node(pairs[each.id].ref, None, _place(pairs[each.id], each, screen), title=each.title.strip())
        for each in (window, *dialogs)
    ]
    taken = {id(top) for top in pairs.values()}
    place = _pop_up_place(nodes[0].place, screen)
    for top in tops:
        if id(top) not in taken and top.frame and (top.role != Role.FRAME or _pops_up(walk, top, place)):
            nodes.append(Node(top.ref, None, place))
    return nodes


def _pops_up(walk: Walk, top: Top, place: Place) -> bool:
    """Tell whether a frame is a menu or bubble: Chromium has frames for all, also for those that are not shown."""
    return top.children > 0 and top.frame is not None and walk.pop_up(place.box(top.frame)) is not None


def _dialogs_of(window: Window, siblings: Sequence[Window], pairs: dict[str, Top]) -> list[Window]:
    owners = {each.id: each.dialog_of for each in siblings}
    found = []
    for each in siblings:
        top = pairs.get(each.id)
        if not top or each.id == window.id:
            continue
        owner, steps = each.dialog_of, 0
        while owner and owner != window.id and steps < len(owners):
            owner, steps = owners.get(owner, ""), steps + 1
        unowned = not each.dialog_of and top.role in DIALOGS
        if owner == window.id or unowned:
            found.append(each)
    return [each for each in found if each.id != window.dialog_of]


def _place(top: Top, window: Window, screen: Box) -> Place:
    return find_place(top.frame, top.filling_on_screen, window.id, window.box, screen)


def _pop_up_place(main: Place, screen: Box) -> Place:
    return Place(SCREEN, main.scale, 0, 0, main.window, screen, screen)
