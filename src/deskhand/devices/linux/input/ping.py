"""Asking a window whether it has read all the input that was sent to it."""

from __future__ import annotations

import struct
from typing import Any

import anyio
import xcffib
import xcffib.xproto

from deskhand.devices.linux.display import Display

_DEPTH = 16
"""Windows between the one with the focus and its top-level window, at most."""


class Ping:
    """The window manager's ping (EWMH), sent by us.

    A client reads its events in order, so the answer means that it has read the keys sent before and looked up
    what they stand for. It has a connection of its own, since it listens to the root window.
    """

    def __init__(self, display_name: str) -> None:
        self._name = display_name
        self._display: Display | None = None
        self._number = 0x0DE5  # in place of a time stamp, to tell answers apart

    async def answered(self, seconds: float) -> bool | None:
        """Ask the window that has the keyboard; False when it does not answer in time.

        None when it cannot be asked: nothing has the focus, or it does not take part in this protocol.
        """
        display = self._display = self._display or Display.open(self._name)
        try:
            window = _window_with_focus(display)
            if window is None:
                return None
            with anyio.move_on_after(seconds):
                return await self._ask(display, window)
        except xcffib.xproto.WindowError:  # it has been closed in the meantime
            return None
        except xcffib.ConnectionException as error:
            raise display.lost() from error
        return False

    async def _ask(self, display: Display, window: int) -> bool:
        conn, root = display.conn, display.root
        self._number += 1
        protocols, ping = display.atoms("WM_PROTOCOLS", "_NET_WM_PING")
        _listen(display, xcffib.xproto.EventMask.SubstructureNotify)
        try:
            message = struct.pack("=BBHIIIIIII", 33, 32, 0, window, protocols, ping, self._number, window, 0, 0)
            conn.core.SendEvent(False, window, 0, message)
            conn.flush()
            while True:
                while event := conn.poll_for_event():
                    if _is_answer(event, root, (ping, self._number)):
                        return True
                await anyio.wait_readable(conn.get_file_descriptor())
        finally:
            _listen(display, 0)
            while conn.poll_for_event():  # what else happened meanwhile is nothing to us
                pass

    def close(self) -> None:
        if self._display:
            self._display.close()
            self._display = None


def _listen(display: Display, mask: int) -> None:
    display.conn.core.ChangeWindowAttributes(display.root, xcffib.xproto.CW.EventMask, [mask])
    display.conn.flush()


def _is_answer(event: Any, root: int, expected: tuple[int, int]) -> bool:
    if not isinstance(event, xcffib.xproto.ClientMessageEvent) or event.window != root:
        return False
    return tuple(event.data.data32[:2]) == expected


def _window_with_focus(display: Display) -> int | None:
    """Give the window that takes pings for the one that has the focus: itself or one around it."""
    core = display.conn.core
    protocols, ping = display.atoms("WM_PROTOCOLS", "_NET_WM_PING")
    window = int(core.GetInputFocus().reply().focus)
    try:
        for _ in range(_DEPTH):
            if window <= 1 or window == display.root:
                return None
            told = core.GetProperty(False, window, protocols, xcffib.xproto.Atom.ATOM, 0, 64).reply()
            if told.format == 32 and ping in told.value.to_atoms():
                return window
            window = int(core.QueryTree(window).reply().parent)
    except xcffib.xproto.WindowError:  # it has just been closed
        return None
    return None
