"""The windows of a display, as its window manager sees them. Any of them may vanish while it is asked about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import xcffib
import xcffib.xproto
from xcffib.xproto import GetPropertyType, MapState, WindowClass

from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Window
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.clients import owners
from deskhand.devices.linux.windows.titles import title_of
from deskhand.devices.linux.x11.asking import answer, names_of, numbers, read, value
from deskhand.devices.linux.x11.display import Display

PROPERTIES = (
    "_NET_WM_NAME",
    "WM_NAME",
    "WM_CLASS",
    "_NET_WM_PID",
    "WM_TRANSIENT_FOR",
    "_NET_WM_WINDOW_TYPE",
    "_NET_WM_STATE",
)
_KINDS = "DESKTOP DOCK SPLASH NOTIFICATION TOOLTIP MENU DROPDOWN_MENU POPUP_MENU COMBO DND"
FURNITURE = frozenset(f"_NET_WM_WINDOW_TYPE_{kind}" for kind in _KINDS.split())
"""Kinds that are managed, but are no windows to a person."""
MAXIMIZED = frozenset({"_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_MAXIMIZED_VERT"})


class _Raw(NamedTuple):
    """What one window answers."""

    box: Box
    attributes: Any
    properties: dict[str, bytes]


def window_manager(display: Display) -> str:
    """Give the name of the window manager, "" when there is none."""
    check, name = display.atoms("_NET_SUPPORTING_WM_CHECK", "_NET_WM_NAME")
    owner = numbers(value(display, display.root, check))
    if not owner:
        return ""
    # The property of a window manager that died stays; its window does not.
    if numbers(value(display, owner[0], check)) != owner:
        return ""
    return value(display, owner[0], name).decode("utf-8", "replace") or "unnamed"


async def manages_windows(display: Display, seconds: float) -> bool:
    """Wait until the window manager takes charge of new windows, by trying it with one.

    One that is starting up says that it is there some milliseconds earlier, and overlooks windows until then.
    """
    core, state = display.conn.core, display.atom("WM_STATE")
    number = display.conn.generate_id()
    core.CreateWindow(0, number, display.root, 0, 0, 1, 1, 0, WindowClass.InputOutput, 0, 0, [])

    def managed() -> bool:
        core.MapWindow(number)
        return bool(value(display, number, state))

    try:
        taken = await until(managed, seconds)
        core.DestroyWindow(number)
        await until(lambda: number not in _clients(display), seconds)
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    return taken


def list_windows(display: Display) -> tuple[Window, ...]:
    """List what a person would call windows, the topmost first; menus and pop-ups are none.

    Raises:
        DeviceLost: the X server is gone.
    """
    try:
        return _list(display)
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def pop_ups(display: Display, pid: int) -> tuple[Box, ...]:
    """Give where the menus and pop-ups of a process are, which no window manager knows; the topmost first.

    Raises:
        DeviceLost: the X server is gone.
    """
    try:
        shown = _bypassing(display)
        pids = _processes(display, shown)
        ours = [number for number in shown if pids.get(number) == pid]
        boxes = {number: display.conn.core.GetGeometry(number) for number in ours}
        places = [answer(cookie) for cookie in boxes.values()]
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    return tuple(Box.at(each.x, each.y, each.width, each.height) for each in places if each)[::-1]


def _bypassing(display: Display) -> list[int]:
    """Give the windows that are shown without asking the window manager, also its own frames; the lowest first."""
    core = display.conn.core
    asked = {number: core.GetWindowAttributes(number) for number in core.QueryTree(display.root).reply().children}
    answers = ((number, answer(cookie)) for number, cookie in asked.items())
    return [number for number, now in answers if now and now.override_redirect and now.map_state == MapState.Viewable]


def _processes(display: Display, windows: Sequence[int]) -> dict[int, int]:
    """Give the processes of windows; those that have vanished are left out."""
    atom = display.atom("_NET_WM_PID")
    asked = {each: display.conn.core.GetProperty(False, each, atom, GetPropertyType.Any, 0, 1) for each in windows}
    answers = {number: answer(cookie) for number, cookie in asked.items()}
    return owners(display, {number: _first(read(now)) for number, now in answers.items() if now})


def _first(held: bytes) -> int:
    return next(iter(numbers(held)), 0)


def active_window(display: Display) -> int:
    """Give the number of the window that has the keyboard; 0 when none has."""
    try:
        managed = bool(window_manager(display))
        return _active(display, _numbers(display, managed=managed), managed=managed)
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def _active(display: Display, clients: Collection[int], *, managed: bool) -> int:
    """Give the one of `clients` that holds the input focus, else the one that is said to.

    A window manager calls a window active that does not take the focus it is offered, or not yet.
    """
    focus = int(display.conn.core.GetInputFocus().reply().focus)
    while focus > 1 and focus not in clients:
        tree = answer(display.conn.core.QueryTree(focus))
        focus = tree.parent if tree else 0
    if focus > 1:
        return focus
    if not managed:
        return 0
    found = numbers(value(display, display.root, display.atom("_NET_ACTIVE_WINDOW")))
    # The property may still name a window that has just been closed.
    return found[0] if found and answer(display.conn.core.GetWindowAttributes(found[0])) else 0


class Owner(NamedTuple):
    """Whose window, menu or pop-up is on top at a place."""

    pid: int
    """0 when it does not say whose it is."""
    window: str = ""
    """The id of the window, menu or pop-up, if it says whose it is."""


def owner_at(display: Display, point: Point) -> Owner | None:
    """Tell whose window, menu or pop-up is on top at a place; None when only the background is there."""
    core = display.conn.core
    pid_atom = display.atom("_NET_WM_PID")
    try:
        window = core.TranslateCoordinates(display.root, display.root, point.x, point.y).reply().child
        if not window:
            return None
        deepest = window
        while window:  # the window manager's frame is outside, the application's window somewhere in it
            deepest = window
            if numbers(value(display, window, pid_atom)):
                return Owner(_processes(display, [window]).get(window, 0), hex(window))
            inside = answer(core.TranslateCoordinates(display.root, window, point.x, point.y))
            window = inside.child if inside else 0
        return Owner(_processes(display, [deepest]).get(deepest, 0))
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def exists(display: Display, number: int) -> bool:
    """Tell whether a window is there; one that its toolkit has hidden, to use it again some day, is not."""
    try:
        attributes = answer(display.conn.core.GetWindowAttributes(number))
        if attributes is None:
            return False
        return attributes.map_state != MapState.Unmapped or number in _clients(display)
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def _list(display: Display) -> tuple[Window, ...]:
    managed = bool(window_manager(display))
    clients = _numbers(display, managed=managed)
    active = _active(display, clients, managed=managed)
    raws = _stacked(display, _ask(display, clients))
    kinds = {raw.properties[name] for raw in raws.values() for name in ("_NET_WM_STATE", "_NET_WM_WINDOW_TYPE")}
    named = [*{atom for held in kinds for atom in numbers(held)}]
    atoms = dict(zip(named, names_of(display, named), strict=True))
    shown = {number: raw for number, raw in raws.items() if _is_window(raw, atoms, managed=managed)}
    pids = owners(display, {each: _first(raw.properties["_NET_WM_PID"]) for each, raw in shown.items()})
    windows = [_window(each, raw, atoms, pids[each], each == active) for each, raw in shown.items()]
    return tuple(_with_parents(windows, raws, atoms))


def _stacked(display: Display, raws: dict[int, _Raw]) -> dict[int, _Raw]:
    """Bring windows in order, the topmost first, those that are not shown last.

    The order is the X server's own: what window managers say is the wrong way round for some.
    """
    core = display.conn.core
    order = {number: at for at, number in enumerate(core.QueryTree(display.root).reply().children)}
    tops = {number: number if number in order else display.frames.get(number, number) for number in raws}
    tops = {number: top if top in order else number for number, top in tops.items()}
    while within := {number: top for number, top in tops.items() if top > 1 and top not in order}:
        asked = {number: core.QueryTree(top) for number, top in within.items()}
        answers = {number: answer(cookie) for number, cookie in asked.items()}
        tops.update((number, tree.parent if tree else 0) for number, tree in answers.items())
    display.frames = {number: top for number, top in tops.items() if top != number}

    def height(number: int) -> tuple[bool, int]:
        return raws[number].attributes.map_state == MapState.Viewable, order.get(tops[number], -1)

    return {number: raws[number] for number in sorted(raws, key=height, reverse=True)}


def _clients(display: Display) -> tuple[int, ...]:
    return _numbers(display, managed=bool(window_manager(display)))


def _numbers(display: Display, *, managed: bool) -> tuple[int, ...]:
    """Give the windows there are, the topmost first."""
    stacking, clients = display.atoms("_NET_CLIENT_LIST_STACKING", "_NET_CLIENT_LIST")
    if managed:
        found = numbers(value(display, display.root, stacking)) or numbers(value(display, display.root, clients))
    else:
        found = tuple(display.conn.core.QueryTree(display.root).reply().children)
    return found[::-1]


def _ask(display: Display, clients: Sequence[int]) -> dict[int, _Raw]:
    """Ask all windows everything in one go; those that vanish meanwhile are left out."""
    core = display.conn.core
    atoms = display.atoms(*PROPERTIES)
    pending = [
        (
            number,
            core.GetGeometry(number),
            core.TranslateCoordinates(number, display.root, 0, 0),
            core.GetWindowAttributes(number),
            [core.GetProperty(False, number, atom, GetPropertyType.Any, 0, 1024) for atom in atoms],
        )
        for number in clients
    ]
    found = {}
    for number, *cookies, properties in pending:
        geometry, place, attributes = (answer(cookie) for cookie in cookies)
        values = [answer(cookie) for cookie in properties]
        if geometry and place and attributes and all(values):
            box = Box.at(place.dst_x, place.dst_y, geometry.width, geometry.height)
            texts = {name: read(value) for name, value in zip(PROPERTIES, values, strict=True)}
            found[number] = _Raw(box, attributes, texts)
    return found


def _window(number: int, raw: _Raw, atoms: dict[int, str], pid: int, active: bool) -> Window:
    classes = raw.properties["WM_CLASS"].decode("latin-1").split("\0")
    states = {atoms.get(atom, "") for atom in numbers(raw.properties["_NET_WM_STATE"])}
    return Window(
        id=hex(number),
        title=title_of(raw.properties["_NET_WM_NAME"], raw.properties["WM_NAME"]),
        app=classes[1] if len(classes) > 1 else "",
        pid=pid,
        box=raw.box,
        active=active,
        minimized="_NET_WM_STATE_HIDDEN" in states,
        maximized=states >= MAXIMIZED,
        fullscreen="_NET_WM_STATE_FULLSCREEN" in states,
        modal="_NET_WM_STATE_MODAL" in states,
    )


def _is_window(raw: _Raw, atoms: dict[int, str], *, managed: bool) -> bool:
    kinds = {atoms.get(atom, "") for atom in numbers(raw.properties["_NET_WM_WINDOW_TYPE"])}
    # Without a window manager the toolkits' hidden helpers stand among the windows: unmapped, or without a class.
    named = raw.attributes.map_state == MapState.Viewable and bool(raw.properties["WM_CLASS"])
    return (managed or named) and not raw.attributes.override_redirect and not kinds & FURNITURE


def _with_parents(windows: Sequence[Window], raws: dict[int, _Raw], atoms: dict[int, str]) -> list[Window]:
    """Say of dialogs which window they belong to."""
    known = {window.id for window in windows}
    above = {window.id: numbers(raws[int(window.id, 16)].properties["WM_TRANSIENT_FOR"]) for window in windows}
    dialogs = {window.id for window in windows if above[window.id] or _is_dialog(raws[int(window.id, 16)], atoms)}
    result = []
    for window in windows:
        parent = hex(above[window.id][0]) if above[window.id] else ""
        if window.id in dialogs and (parent not in known or parent == window.id):
            # Transient for a whole group, for a helper, or for nothing: it belongs to the application's main window.
            mains = [other.id for other in windows if other.pid == window.pid and other.id not in dialogs]
            parent = mains[0] if mains and window.pid else ""
        result.append(window.model_copy(update={"dialog_of": parent}) if parent in known else window)
    return result


def _is_dialog(raw: _Raw, atoms: dict[int, str]) -> bool:
    kinds = {atoms.get(atom, "") for atom in numbers(raw.properties["_NET_WM_WINDOW_TYPE"])}
    return "_NET_WM_WINDOW_TYPE_DIALOG" in kinds
