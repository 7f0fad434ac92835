"""Asking a window whether it has read all the input that was sent to it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import xcffib
import xcffib.xproto
from xcffib.xproto import EventMask

from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.x11.focus import around_focus

_ASLEEP = 1.0
"""Seconds to wait for a program to fall asleep; some never do, which proves nothing."""
_STOPPED = {"T", "t"}
_ANSWERS = EventMask.SubstructureNotify | EventMask.StructureNotify
"""GTK answers to those who listen for the one, Qt to those who listen for the other."""


class Ping:
    """The window manager's ping (EWMH), sent by us.

    A client reads its events in order, so the answer means that it has read the keys sent before and looked up
    what they stand for. It has a connection of its own, since it listens to the root window.
    """

    def __init__(self, display_name: str) -> None:
        self._name = display_name
        self._display: Display | None = None
        self._number = 0x0DE5  # in place of a time stamp, to tell answers apart
        self._heard: set[int] = set()
        self._mute: set[int] = set()

    async def answered(self, seconds: float) -> bool | None:
        """Ask the window that has the keyboard; False when it does not answer in time, or has been stopped.

        None when it cannot be asked, since nothing has the focus, it closes meanwhile, or it does not take part in
        this protocol. What can be seen from outside is waited for then: that the program sleeps, as it does when it
        has read all.
        """
        display = self._display = self._display or Display.open(self._name)
        try:
            focused = around_focus(display)
            pid = next((pid for window in focused if (pid := _process_of(display, window))), 0)
            window = next((window for window in focused if _takes_pings(display, window)), None)
            if window is None or window in self._mute:
                return await _asleep(pid)
            with anyio.move_on_after(seconds), _listening(display, window):
                if not await self._ask(display, window):
                    return None
                self._heard.add(window)
                return True
        except xcffib.xproto.WindowError:  # it has been closed in the meantime
            return None
        except xcffib.ConnectionException as error:
            raise display.lost() from error
        return self._unanswered(window, pid)

    def _unanswered(self, window: int, pid: int) -> bool | None:
        """Tell a window that has fallen silent from one that only claims to answer."""
        if window in self._heard or _state_of(pid) in _STOPPED:
            return False
        self._mute.add(window)
        return None

    async def _ask(self, display: Display, window: int) -> bool:
        """Ask a window and wait for its answer; false when it closes instead."""
        conn = display.conn
        self._number += 1
        protocols, ping = display.atoms("WM_PROTOCOLS", "_NET_WM_PING")
        message = struct.pack("=BBHIIIIIII", 33, 32, 0, window, protocols, ping, self._number, window, 0, 0)
        conn.core.SendEvent(False, window, 0, message)
        conn.flush()
        while True:
            event = conn.poll_for_event()
            if event is None:
                await anyio.wait_readable(conn.get_file_descriptor())
            elif _is_answer(event, display.root, (ping, self._number)):
                return True
            elif isinstance(event, xcffib.xproto.DestroyNotifyEvent) and event.window == window:
                return False

    def close(self) -> None:
        if self._display:
            self._display.close()
            self._display = None


@contextmanager
def _listening(display: Display, window: int) -> Iterator[None]:
    """Hear answers, which go to the root window, and of the end of the window that is asked."""
    _listen(display, display.root, _ANSWERS)
    _listen(display, window, EventMask.StructureNotify)
    try:
        yield
    finally:
        _listen(display, window, 0)
        _listen(display, display.root, 0)
        display.sync()
        _forget_events(display)


def _listen(display: Display, window: int, mask: int) -> None:
    display.conn.core.ChangeWindowAttributes(window, xcffib.xproto.CW.EventMask, [mask])


def _forget_events(display: Display) -> None:
    """Throw away what else happened while we listened."""
    while True:
        try:
            if display.conn.poll_for_event() is None:
                return
        except xcffib.xproto.WindowError:
            continue


def _is_answer(event: Any, root: int, expected: tuple[int, int]) -> bool:
    if not isinstance(event, xcffib.xproto.ClientMessageEvent) or event.window != root:
        return False
    return tuple(event.data.data32[:2]) == expected


def _takes_pings(display: Display, window: int) -> bool:
    protocols, ping = display.atoms("WM_PROTOCOLS", "_NET_WM_PING")
    return ping in _numbers(display, window, protocols)


def _process_of(display: Display, window: int) -> int:
    return next(iter(_numbers(display, window, display.atom("_NET_WM_PID"))), 0)


def _numbers(display: Display, window: int, prop: int) -> list[int]:
    told = display.conn.core.GetProperty(False, window, prop, 0, 0, 64).reply()
    return [int(number) for number in told.value.to_atoms()] if told.format == 32 else []


async def _asleep(pid: int) -> bool | None:
    """Wait until a process waits for something to do; False when it has been stopped."""
    with anyio.move_on_after(_ASLEEP):
        while pid and (state := _state_of(pid)) != "S":
            if state in _STOPPED:
                return False
            await anyio.sleep(0.002)
    return None


def _state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:  # it is gone, or on another machine
        return "S"
