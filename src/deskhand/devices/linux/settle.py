"""Waiting until a screen rests: nothing is drawn and no window comes, goes or changes places for a while."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, NamedTuple

import anyio
import xcffib
import xcffib.damage
import xcffib.xproto
from xcffib.xproto import CW, EventMask

from deskhand.core.geometry import Box
from deskhand.devices.linux.display import Display

QUIET = 0.06
"""Seconds without a change that count as rest."""
CAP = 2.0
"""Seconds after which a screen that never rests is taken as it is."""
CARET = 4
"""Pixels; what is drawn this narrow is a blinking caret."""
WATCHED = ("_NET_ACTIVE_WINDOW", "_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING")


class Rest(NamedTuple):
    """How a screen came to rest."""

    rested: bool
    """False when it was still moving at the end of the time given."""
    drawn: Box | None
    """What was drawn meanwhile, carets not counted, also when it looks the same afterwards."""


class Changes:
    """Watches a display from `async with` on; on a connection of its own, so that no event goes elsewhere."""

    def __init__(self, display: Display) -> None:
        self._watched = display
        self._display = display
        self._damage = 0
        self._atoms: frozenset[int] = frozenset()
        self._drawn: Box | None = None
        self._last = 0.0

    async def __aenter__(self) -> Changes:
        self._display = Display.open(self._watched.name)
        self._last = time.monotonic()
        self._atoms = frozenset(self._display.atoms(*WATCHED))
        core = self._display.conn.core
        core.ChangeWindowAttributes(self._display.root, CW.EventMask, [EventMask.PropertyChange])
        if damage := self._display.extension("DAMAGE", xcffib.damage.key):
            damage.QueryVersion(1, 1).reply()
            self._damage = self._display.conn.generate_id()
            level = xcffib.damage.ReportLevel.RawRectangles
            damage.CreateChecked(self._damage, self._display.root, level).check()
        self._display.sync()
        self.forget()  # a new damage object begins by calling all of the screen drawn
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._display.close()

    async def rest(self, quiet: float = QUIET, cap: float = CAP, first: float = 0.0) -> Rest:
        """Wait until nothing has changed for `quiet` seconds, but at most `cap`.

        While nothing has been drawn at all, it waits `first` seconds for a beginning.

        Raises:
            DeviceLost: the X server is gone.
        """
        started = time.monotonic()
        while True:
            self._take_events()
            now = time.monotonic()
            patience = quiet if self._drawn else max(quiet, first)
            left = max(self._last, started if not self._drawn else 0.0) + patience - now
            if left <= 0 or now - started >= cap:
                return Rest(left <= 0, self._drawn)
            with anyio.move_on_after(min(left, started + cap - now)):
                await anyio.wait_readable(self._display.conn.get_file_descriptor())

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
            area = event.area
            if area.width > CARET:
                self._last = time.monotonic()
                self._drawn = _around(self._drawn, Box.at(area.x, area.y, area.width, area.height))
        elif isinstance(event, xcffib.xproto.PropertyNotifyEvent) and event.atom in self._atoms:
            self._last = time.monotonic()


def _around(known: Box | None, new: Box) -> Box:
    if known is None:
        return new
    return Box(
        min(known.left, new.left),
        min(known.top, new.top),
        max(known.right, new.right),
        max(known.bottom, new.bottom),
    )
