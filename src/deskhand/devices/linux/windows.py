"""The windows of a display, as its window manager sees them. Any of them may vanish while it is asked about."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import xcffib
import xcffib.xproto
from xcffib.xproto import EventMask, GetPropertyType, InputFocus, MapState, StackMode, WindowClass

from deskhand.core.geometry import Box, Point
from deskhand.core.observation import Window
from deskhand.devices.linux.clients import process_of
from deskhand.devices.linux.display import Display
from deskhand.devices.linux.waiting import until

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


class _Raw(NamedTuple):
    """What one window answers."""

    box: Box
    attributes: Any
    properties: dict[str, bytes]


def window_manager(display: Display) -> str:
    """Give the name of the window manager, "" when there is none."""
    check, name = display.atoms("_NET_SUPPORTING_WM_CHECK", "_NET_WM_NAME")
    owner = _numbers(_property(display, display.root, check))
    if not owner:
        return ""
    # The property of a window manager that died stays; its window does not.
    if _numbers(_property(display, owner[0], check)) != owner:
        return ""
    return _property(display, owner[0], name).decode("utf-8", "replace") or "unnamed"


async def manages_windows(display: Display, seconds: float) -> bool:
    """Wait until the window manager takes charge of new windows, by trying it with one.

    One that is starting up says that it is there some milliseconds earlier, and overlooks windows until then.
    """
    core, state = display.conn.core, display.atom("WM_STATE")
    number = display.conn.generate_id()
    core.CreateWindow(0, number, display.root, 0, 0, 1, 1, 0, WindowClass.InputOutput, 0, 0, [])

    def managed() -> bool:
        core.MapWindow(number)
        return bool(_property(display, number, state))

    try:
        taken = await until(managed, seconds)
        core.DestroyWindow(number)
        await until(lambda: number not in _managed(display), seconds)
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
        raws = _ask(display, display.conn.core.QueryTree(display.root).reply().children)
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    shown = (raw for raw in raws.values() if raw.attributes.map_state == MapState.Viewable)
    ours = (raw for raw in shown if _numbers(raw.properties["_NET_WM_PID"]) == (pid,))
    return tuple(raw.box for raw in ours if raw.attributes.override_redirect)[::-1]


def active_window(display: Display) -> int:
    """Give the number of the window that has the keyboard; 0 when none has."""
    try:
        if window_manager(display):
            found = _numbers(_property(display, display.root, display.atom("_NET_ACTIVE_WINDOW")))
            # The property may still name a window that has just been closed.
            return found[0] if found and _answer(display.conn.core.GetWindowAttributes(found[0])) else 0
        return _focused(display)
    except xcffib.ConnectionException as error:
        raise display.lost() from error


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
        while window:  # the window manager's frame is outside, the application's window somewhere in it
            if pid := _numbers(_property(display, window, pid_atom)):
                return Owner(pid[0], hex(window))
            inside = _answer(core.TranslateCoordinates(display.root, window, point.x, point.y))
            window = inside.child if inside else 0
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    return Owner(0)


def exists(display: Display, number: int) -> bool:
    """Tell whether a window is there; one that its toolkit has hidden, to use it again some day, is not."""
    try:
        attributes = _answer(display.conn.core.GetWindowAttributes(number))
        if attributes is None:
            return False
        return attributes.map_state != MapState.Unmapped or number in _managed(display)
    except xcffib.ConnectionException as error:
        raise display.lost() from error


async def activate(display: Display, window: str, seconds: float = 2.0) -> str:
    """Bring a window up and give it the keyboard; give the id of the window that has it afterwards.

    That is another one when a modal dialog stands before it, or when the window manager refuses.
    """
    number = int(window, 16)
    try:
        if window_manager(display):
            _tell(display, display.root, number, "_NET_ACTIVE_WINDOW", (2, 0, 0))
            await until(lambda: active_window(display) == number, seconds)
        else:
            _raise(display, number)
            await until(lambda: active_window(display) == number, min(seconds, 0.5))
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    active = active_window(display)
    return hex(active) if active else ""


async def close(
    display: Display, window: str, seconds: float = 2.0, *, unless: Callable[[], bool] = lambda: False
) -> bool:
    """Ask a window to close as its close button does; tell whether it is gone.

    It is not waited for any longer when `unless` becomes true: it may ask back.
    """
    number = int(window, 16)
    try:
        if window_manager(display):
            _tell(display, display.root, number, "_NET_CLOSE_WINDOW", (0, 2))
        else:
            (delete,) = display.atoms("WM_DELETE_WINDOW")
            _tell(display, number, number, "WM_PROTOCOLS", (delete, 0))
        await until(lambda: not exists(display, number) or unless(), seconds)
        return not exists(display, number)
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def _list(display: Display) -> tuple[Window, ...]:
    active = active_window(display)
    managed = bool(window_manager(display))
    numbers = _managed(display)
    raws = _ask(display, numbers)
    atoms = _names(display, raws.values())
    windows = [
        _with_process(display, _window(number, raw, atoms, number == active))
        for number, raw in raws.items()
        if _is_window(raw, atoms, managed=managed)
    ]
    return tuple(_with_parents(windows, raws, atoms))


def _managed(display: Display) -> tuple[int, ...]:
    """Give the windows there are, the topmost first."""
    stacking, clients = display.atoms("_NET_CLIENT_LIST_STACKING", "_NET_CLIENT_LIST")
    if window_manager(display):
        found = _numbers(_property(display, display.root, stacking)) or _numbers(
            _property(display, display.root, clients)
        )
    else:
        found = tuple(display.conn.core.QueryTree(display.root).reply().children)
    return found[::-1]


def _ask(display: Display, numbers: Sequence[int]) -> dict[int, _Raw]:
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
        for number in numbers
    ]
    found = {}
    for number, *cookies, properties in pending:
        geometry, place, attributes = (_answer(cookie) for cookie in cookies)
        values = [_answer(cookie) for cookie in properties]
        if geometry and place and attributes and all(values):
            box = Box.at(place.dst_x, place.dst_y, geometry.width, geometry.height)
            texts = {name: _bytes(value) for name, value in zip(PROPERTIES, values, strict=True)}
            found[number] = _Raw(box, attributes, texts)
    return found


def _window(number: int, raw: _Raw, atoms: dict[int, str], active: bool) -> Window:
    title = raw.properties["_NET_WM_NAME"].decode("utf-8", "replace")
    classes = raw.properties["WM_CLASS"].decode("latin-1").split("\0")
    pid = _numbers(raw.properties["_NET_WM_PID"])
    states = {atoms.get(atom, "") for atom in _numbers(raw.properties["_NET_WM_STATE"])}
    return Window(
        id=hex(number),
        title=title or raw.properties["WM_NAME"].decode("latin-1"),
        app=classes[1] if len(classes) > 1 else "",
        pid=pid[0] if pid else 0,
        box=raw.box,
        active=active,
        minimized="_NET_WM_STATE_HIDDEN" in states,
    )


def _with_process(display: Display, window: Window) -> Window:
    """Add the process where the window does not say it."""
    return window if window.pid else window.model_copy(update={"pid": process_of(display, int(window.id, 16))})


def _is_window(raw: _Raw, atoms: dict[int, str], *, managed: bool) -> bool:
    kinds = {atoms.get(atom, "") for atom in _numbers(raw.properties["_NET_WM_WINDOW_TYPE"])}
    # Without a window manager the toolkits' hidden helpers stand among the windows: unmapped, or without a class.
    named = raw.attributes.map_state == MapState.Viewable and bool(raw.properties["WM_CLASS"])
    return (managed or named) and not raw.attributes.override_redirect and not kinds & FURNITURE


def _with_parents(windows: Sequence[Window], raws: dict[int, _Raw], atoms: dict[int, str]) -> list[Window]:
    """Say of dialogs which window they belong to."""
    known = {window.id for window in windows}
    above = {window.id: _numbers(raws[int(window.id, 16)].properties["WM_TRANSIENT_FOR"]) for window in windows}
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
    kinds = {atoms.get(atom, "") for atom in _numbers(raw.properties["_NET_WM_WINDOW_TYPE"])}
    return "_NET_WM_WINDOW_TYPE_DIALOG" in kinds


def _focused(display: Display) -> int:
    """Give the top-level window that holds the X input focus."""
    focus = display.conn.core.GetInputFocus().reply().focus
    while focus > 1:
        tree = _answer(display.conn.core.QueryTree(focus))
        if tree is None:
            return 0
        if tree.parent == display.root:
            return int(focus)
        focus = tree.parent
    return 0


def _raise(display: Display, number: int) -> None:
    core = display.conn.core
    cookies = (
        core.MapWindowChecked(number),
        core.ConfigureWindowChecked(number, xcffib.xproto.ConfigWindow.StackMode, [StackMode.Above]),
        core.SetInputFocusChecked(InputFocus.PointerRoot, number, 0),
    )
    for cookie in cookies:
        _checked(cookie)


def _tell(display: Display, receiver: int, window: int, message: str, data: Sequence[int]) -> None:
    """Send a client message, to the window manager when the receiver is the root."""
    (kind,) = display.atoms(message)
    event = struct.pack("=BBHII5I", 33, 32, 0, window, kind, *data, *(0,) * (5 - len(data)))
    to_manager = EventMask.SubstructureRedirect | EventMask.SubstructureNotify
    mask = to_manager if receiver == display.root else 0
    _checked(display.conn.core.SendEventChecked(False, receiver, mask, event))


def _names(display: Display, raws: Any) -> dict[int, str]:
    """Name the atoms that stand in properties of states and types."""
    numbers = {
        atom
        for raw in raws
        for name in ("_NET_WM_STATE", "_NET_WM_WINDOW_TYPE")
        for atom in _numbers(raw.properties[name])
    }
    cookies = {number: display.conn.core.GetAtomName(number) for number in numbers}
    answers = {number: _answer(cookie) for number, cookie in cookies.items()}
    return {number: bytes(answer.name.buf()).decode() for number, answer in answers.items() if answer}


def _property(display: Display, window: int, atom: int) -> bytes:
    answer = _answer(display.conn.core.GetProperty(False, window, atom, GetPropertyType.Any, 0, 4096))
    return _bytes(answer) if answer else b""


def _bytes(answer: Any) -> bytes:
    return bytes(answer.value.buf())


def _numbers(value: bytes) -> tuple[int, ...]:
    return struct.unpack(f"={len(value) // 4}I", value[: len(value) // 4 * 4])


def _answer(cookie: Any) -> Any:
    """Wait for a reply; None when the thing that was asked about is gone."""
    try:
        return cookie.reply()
    except xcffib.Error:
        return None


def _checked(cookie: Any) -> bool:
    try:
        cookie.check()
    except xcffib.Error:
        return False
    return True
