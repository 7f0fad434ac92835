"""What a window manager is asked to do with a window, or done by us where there is none."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

import xcffib
from xcffib.xproto import ConfigWindow, EventMask, InputFocus, StackMode, WindowClass

from deskhand.core.geometry import Box, Point, Size
from deskhand.core.observation import Window
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import active_window, exists, window_manager
from deskhand.devices.linux.x11.asking import checked, numbers, value
from deskhand.devices.linux.x11.display import Display

OBEYED = 0.3
"""Seconds within which a window manager does what it has heard, unless it refuses."""
ICONIC = 3
"""The state of a window that is put away (ICCCM 4.1.3.1)."""
_FROM_US = 1 | 2 << 12
"""That a place is the frame's upper left corner, and that a pager asks (EWMH, _NET_MOVERESIZE_WINDOW)."""
_PLACED, _SIZED = 0b0011 << 8, 0b1100 << 8
_CARD32 = 0xFFFFFFFF
_SIDES = 4
_SAYS_INPUT = 1
_ALL_DESKTOPS = 0xFFFFFFFF


async def activate(display: Display, window: str, seconds: float = 2.0) -> str:
    """Bring a window up and give it the keyboard; give the id of the window that has it afterwards.

    That is another one when a modal dialog stands before it, or when the window manager or the window itself refuses.
    """
    number = int(window, 16)
    try:
        if window_manager(display):
            _ask_forward(display, number)
            own = _takes_focus_itself(display, number)
            await came_true(display, lambda: active_window(display) == number, seconds, seconds if own else OBEYED)
        else:
            _raise(display, number)
            await until(lambda: active_window(display) == number, min(seconds, 0.5))
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    active = active_window(display)
    return hex(active) if active else ""


async def bring_forward(display: Display, window: str, seconds: float = 2.0) -> None:
    """Have the window manager put a window on top, whether or not that takes the keyboard.

    Raises:
        DeviceLost: the X server is gone.
    """
    try:
        _ask_forward(display, int(window, 16))
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    await listens(display, seconds)


def _ask_forward(display: Display, number: int) -> None:
    """Ask for a window to be brought up, after the desktop that it is on: some window managers only do that then."""
    own, current = display.atoms("_NET_WM_DESKTOP", "_NET_CURRENT_DESKTOP")
    there, here = numbers(value(display, number, own)), numbers(value(display, display.root, current))
    if there and here and there != here and there[0] != _ALL_DESKTOPS:
        tell(display, display.root, display.root, "_NET_CURRENT_DESKTOP", (there[0], 0))
    tell(display, display.root, number, "_NET_ACTIVE_WINDOW", (2, 0, 0))


async def came_true(display: Display, condition: Callable[[], bool], seconds: float, obeyed: float = OBEYED) -> bool:
    """Wait for what a window manager was asked for: `seconds` for it to hear that, then `obeyed` for it to do it.

    Raises:
        DeviceLost: the X server is gone.
    """
    return await until(condition, obeyed if await listens(display, seconds) else 0)


async def listens(display: Display, seconds: float) -> bool:
    """Tell whether the window manager has taken all that it was asked for; one that hangs has not.

    It has to let a window of ours, which it does not manage, be moved, in the order in which it was asked.

    Raises:
        DeviceLost: the X server is gone.
    """
    core, number = display.conn.core, display.conn.generate_id()
    try:
        core.CreateWindow(0, number, display.root, 0, 0, 1, 1, 0, WindowClass.InputOutput, 0, 0, [])
        core.ConfigureWindow(number, ConfigWindow.X, [1])
        heard = await until(lambda: bool(core.GetGeometry(number).reply().x == 1), seconds)
        core.DestroyWindow(number)
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    return heard


async def close(
    display: Display, window: str, seconds: float = 2.0, *, unless: Callable[[], bool] = lambda: False
) -> bool:
    """Ask a window to close as its close button does; tell whether it is gone.

    It is not waited for any longer when `unless` becomes true: it may ask back.
    """
    number = int(window, 16)
    try:
        if window_manager(display):
            tell(display, display.root, number, "_NET_CLOSE_WINDOW", (0, 2))
        else:
            _ask_to_close(display, number)
        await until(lambda: not exists(display, number) or unless(), seconds)
        return not exists(display, number)
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def ask_to_place(display: Display, window: Window, corner: Point | None, size: Size | None) -> None:
    """Ask for another place of a window's frame, or another size of what is inside it; the rest stays as it is.

    Raises:
        DeviceLost: the X server is gone.
    """
    left, top = corner or Point(0, 0)
    width, height = size or Size(0, 0)
    try:
        if window_manager(display):
            given = (_PLACED if corner else 0) | (_SIZED if size else 0)
            wanted = (left & _CARD32, top & _CARD32, width, height)
            tell(display, display.root, int(window.id, 16), "_NET_MOVERESIZE_WINDOW", (given | _FROM_US, *wanted))
            return
        values = {ConfigWindow.X: left, ConfigWindow.Y: top} if corner else {}
        values |= {ConfigWindow.Width: width, ConfigWindow.Height: height} if size else {}
        number, mask = int(window.id, 16), sum(values)
        checked(display.conn.core.ConfigureWindowChecked(number, mask, [each & _CARD32 for each in values.values()]))
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def ask_to_put_away(display: Display, window: Window) -> None:
    """Ask a window manager to minimise a window.

    Raises:
        DeviceLost: the X server is gone.
    """
    try:
        tell(display, display.root, int(window.id, 16), "WM_CHANGE_STATE", (ICONIC,))
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def ask_to_show(display: Display, window: Window, *, maximized: bool, fullscreen: bool) -> None:
    """Ask a window manager to take a window out if it is put away, and to let it fill the screen or not.

    Raises:
        DeviceLost: the X server is gone.
    """
    number = int(window.id, 16)
    try:
        if window.minimized:
            _ask_forward(display, number)
        if window.fullscreen != fullscreen:
            state = display.atom("_NET_WM_STATE_FULLSCREEN")
            tell(display, display.root, number, "_NET_WM_STATE", (int(fullscreen), state, 0, 2))
        if window.maximized != maximized:
            across, down = display.atoms("_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_MAXIMIZED_VERT")
            tell(display, display.root, number, "_NET_WM_STATE", (int(maximized), across, down, 2))
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def frame_of(display: Display, window: Window) -> Box:
    """Give where a window is with the frame that its window manager has put around it.

    Raises:
        DeviceLost: the X server is gone.
    """
    try:
        told = value(display, int(window.id, 16), display.atom("_NET_FRAME_EXTENTS"))
        held = numbers(told) if window_manager(display) else ()  # what one that has died said of them stays
    except xcffib.ConnectionException as error:
        raise display.lost() from error
    left, right, top, bottom = held if len(held) == _SIDES else (0,) * _SIDES
    inside = window.box
    return Box(inside.left - left, inside.top - top, inside.right + right, inside.bottom + bottom)


def _ask_to_close(display: Display, number: int) -> None:
    """Do what a close button does where there is no window manager to have one."""
    protocols, delete = display.atoms("WM_PROTOCOLS", "WM_DELETE_WINDOW")
    if delete in numbers(value(display, number, protocols)):
        tell(display, number, number, "WM_PROTOCOLS", (delete, 0))
    else:
        checked(display.conn.core.KillClientChecked(number))


def is_given_keyboard(display: Display, window: str) -> bool:
    """Tell whether a window is given the keyboard; others take it themselves, or never, as keyboards on the screen.

    Raises:
        DeviceLost: the X server is gone.
    """
    try:
        return _is_given_focus(display, int(window, 16))
    except xcffib.ConnectionException as error:
        raise display.lost() from error


def _is_given_focus(display: Display, number: int) -> bool:
    flags, given = (*numbers(value(display, number, display.atom("WM_HINTS"))), 0, 0)[:2]
    return bool(given) or not flags & _SAYS_INPUT


def _takes_focus_itself(display: Display, number: int) -> bool:
    """Tell whether a window sets the focus when it is told to, instead of being given it (ICCCM 4.1.7)."""
    protocols, take = display.atoms("WM_PROTOCOLS", "WM_TAKE_FOCUS")
    return not _is_given_focus(display, number) and take in numbers(value(display, number, protocols))


def _raise(display: Display, number: int) -> None:
    core = display.conn.core
    cookies = (
        core.MapWindowChecked(number),
        core.ConfigureWindowChecked(number, ConfigWindow.StackMode, [StackMode.Above]),
        core.SetInputFocusChecked(InputFocus.PointerRoot, number, 0),
    )
    for cookie in cookies:
        checked(cookie)


def tell(display: Display, receiver: int, window: int, message: str, data: Sequence[int]) -> None:
    """Send a client message, to the window manager when the receiver is the root."""
    (kind,) = display.atoms(message)
    event = struct.pack("=BBHII5I", 33, 32, 0, window, kind, *data, *(0,) * (5 - len(data)))
    to_manager = EventMask.SubstructureRedirect | EventMask.SubstructureNotify
    mask = to_manager if receiver == display.root else 0
    checked(display.conn.core.SendEventChecked(False, receiver, mask, event))
