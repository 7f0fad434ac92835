"""Waiting until a screen rests: nothing is drawn and no window comes, goes or changes places for a while."""

from __future__ import annotations

import time
from contextlib import suppress
from types import TracebackType
from typing import Any, NamedTuple

import anyio
import xcffib
import xcffib.damage
import xcffib.xproto
from xcffib.xproto import CW, EventMask

from deskhand.core.geometry import Box
from deskhand.core.observation import Window
from deskhand.devices.linux.seeing.delays import Delays
from deskhand.devices.linux.seeing.effort import Effort
from deskhand.devices.linux.seeing.spinning import Spinning
from deskhand.devices.linux.x11.display import Display
from deskhand.perception.ocr import joined

QUIET = 0.05
"""Seconds without a change that count as rest."""
QUIET_OFFICE = 0.32
"""The same for LibreOffice, which brings the bars around a document up to date when it has been idle for 0.3 s.

Not so while a menu or a modal dialog is open.
"""
CAP = 2.0
"""Seconds after which a screen that never rests is taken as it is."""
WORKING = 0.5
"""Seconds without a change for which an application that works is waited for."""
TAIL = QUIET / 2
"""Seconds at the end of a quiet time in which an application must not be working."""
HOVER = 0.02
"""Seconds without a change after the pointer came to a place: then what it lights up there is drawn."""
HOVER_CAP, SHORTEST = 0.3, 0.004
"""Seconds for which that is waited for at the most, and at the least."""
CARET = 4
"""Pixels; what is drawn this narrow is a blinking caret."""
WATCHED = ("_NET_ACTIVE_WINDOW", "_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING")


def quiet_of(window: Window | None) -> float:
    """Give the seconds without a change that count as rest for a window's application."""
    office = window is not None and window.app.casefold().startswith(("libreoffice", "soffice"))
    return QUIET_OFFICE if office else QUIET


class Rest(NamedTuple):
    """How a screen came to rest."""

    rested: bool
    """False when it was still moving at the end of the time given."""
    drawn: Box | None
    """What was drawn meanwhile, carets not counted, also when it looks the same afterwards."""
    moving: tuple[Box, ...] = ()
    """Where it moves by itself, whatever is done: what changes there is evidence of nothing."""


class Watcher:
    """A connection to a display that hears of changes only, so that no event goes elsewhere."""

    def __init__(self, display: Display, delays: Delays | None = None) -> None:
        """Watch a display; what is waited for beyond the quiet time is added to `delays`."""
        self._watched = display
        self.delays = delays or Delays()
        self._opened: Display | None = None
        self._spinning = Spinning()

    def changes(self) -> Changes:
        """Give what watches the display from `async with` on."""
        return Changes(self)

    def close(self) -> None:
        if self._opened:
            self._opened.close()
            self._opened = None

    def begin(self) -> tuple[Display, int, Spinning]:
        """Give the connection, what is to be destroyed in the end (0 for nothing), and what was seen to spin.

        Raises:
            DeviceError: the display cannot be opened.
            DeviceLost: the X server is gone.
        """
        display = self._opened = self._opened or self._open()
        damage = 0
        try:
            if extension := display.extension("DAMAGE", xcffib.damage.key):
                damage = display.conn.generate_id()
                extension.Create(damage, display.root, xcffib.damage.ReportLevel.RawRectangles)
        except xcffib.ConnectionException as error:
            raise display.lost() from error
        display.sync()
        return display, damage, self._spinning

    def end(self, damage: int) -> None:
        if self._opened and damage:
            with suppress(xcffib.ConnectionException):  # whoever asks the server next is told
                self._opened.conn(xcffib.damage.key).Destroy(damage)
                self._opened.conn.flush()

    def _open(self) -> Display:
        display = Display.open(self._watched.name)
        try:
            display.conn.core.ChangeWindowAttributes(display.root, CW.EventMask, [EventMask.PropertyChange])
            if extension := display.extension("DAMAGE", xcffib.damage.key):
                extension.QueryVersion(1, 1).reply()
        except xcffib.ConnectionException as error:
            raise display.lost() from error
        return display


class Changes:
    """Watches a display from `async with` on."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._damage = 0
        self._drawn: Box | None = None
        self._last = 0.0
        self._moved = 0.0

    async def __aenter__(self) -> Changes:
        self._display, damage, self._spinning = self._watcher.begin()
        self._last = time.monotonic()
        self._atoms = frozenset(self._display.atoms(*WATCHED))
        self.forget()  # a new damage object begins by calling all of the screen drawn
        self._damage = damage
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watcher.end(self._damage)

    async def rest(self, quiet: float = QUIET, cap: float = CAP, first: float = 0.0, pid: int = 0) -> Rest:
        """Wait until nothing has changed for `quiet` seconds, but at most `cap`.

        While nothing has been drawn at all, it waits `first` seconds for a beginning. What only goes on spinning or
        blinking is not waited for; a process `pid` that works, or one below it, is, for as long as `WORKING`.

        Raises:
            DeviceLost: the X server is gone.
        """
        started = time.monotonic()
        effort = Effort(pid)
        while True:
            self._take_events()
            now = time.monotonic()
            patience = quiet if self._drawn else max(quiet, first)
            since = max(self._last, started if not self._drawn else 0.0)
            left = since + patience - now
            if left <= 0 and now - since < WORKING and effort.is_busy():
                left = TAIL
            if left <= 0 or now - started >= cap:
                self._watcher.delays.add("rest", now - started - patience)
                moving = self._spinning.places(now) if left <= 0 else (self._display.box,)
                return Rest(left <= 0, self._drawn, moving)
            if pid and left <= TAIL:
                effort.note()
            pause = left - TAIL if pid and left > TAIL else left
            with anyio.move_on_after(min(pause, started + cap - now)):
                await anyio.wait_readable(self._display.conn.get_file_descriptor())

    def moved(self) -> None:
        """Take note that the pointer has just been moved."""
        self._moved = time.monotonic()

    async def lit_up(self) -> None:
        """Wait until what the pointer lights up is drawn where it was moved to, if it was."""
        if self._moved:
            await self.rest(max(SHORTEST, HOVER - (time.monotonic() - self._moved)), HOVER_CAP)
            self._moved = 0.0
            self.forget()

    @property
    def last(self) -> float:
        """When something was last seen to change, by the monotonic clock."""
        return self._last

    def forget(self) -> None:
        """Take what was drawn so far as not belonging to what is watched for."""
        self._take_events()
        self._drawn = None

    def _take_events(self) -> None:
        try:
            while (event := self._display.conn.poll_for_event()) is not None:
                self._take(event)
        except xcffib.ConnectionException as error:
            raise self._display.lost() from error

    def _take(self, event: Any) -> None:
        if isinstance(event, xcffib.damage.NotifyEvent):
            # One of a watch that has ended may still be on its way.
            if event.damage == self._damage and event.area.width > CARET:
                area = event.area
                self._see(Box.at(area.x, area.y, area.width, area.height))
        elif isinstance(event, xcffib.xproto.PropertyNotifyEvent) and event.atom in self._atoms:
            self._last = time.monotonic()

    def _see(self, box: Box) -> None:
        now = time.monotonic()
        if not self._spinning.goes_on(box, now):
            self._last = now
            self._drawn = joined(self._drawn, box) if self._drawn else box
