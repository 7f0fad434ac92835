"""Windows apart from each other: the server keeps a picture of each, as if nothing covered it (Composite)."""

from __future__ import annotations

from typing import Any, NamedTuple

import xcffib
import xcffib.composite
import xcffib.xproto

from deskhand.core.errors import Unsupported
from deskhand.core.geometry import Box
from deskhand.devices.linux.x11.display import Display


class WindowPicture(NamedTuple):
    """Where a window's own pixels can be read."""

    pixmap: int
    part: Box
    """The window without its frame, in the pixmap."""
    fresh: bool
    """Whether the server has only now begun to keep it, so that the covered parts are still to be painted."""


class WindowPictures:
    """Has the X server keep windows apart, from the first time one is asked for until the connection ends."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._extension: Any = None
        self._kept: set[int] = set()

    def of(self, window: int) -> WindowPicture:
        """Find a window's picture; it is to be given back to `free`.

        Raises:
            Unsupported: the X server has no Composite.
            xcffib.Error: the window is not shown, or gone.
        """
        extension = self._connected()
        frame = self._frame(window)
        fresh = frame not in self._kept and self._keep(frame)
        core = self._display.conn.core
        geometry = core.GetGeometry(window)
        place = core.TranslateCoordinates(window, frame, 0, 0)
        border = core.GetGeometry(frame)
        pixmap = self._display.conn.generate_id()
        named = extension.NameWindowPixmap(frame, pixmap, is_checked=True)
        size, corner, edge = geometry.reply(), place.reply(), border.reply().border_width
        named.check()
        return WindowPicture(pixmap, Box.at(corner.dst_x + edge, corner.dst_y + edge, size.width, size.height), fresh)

    def free(self, picture: WindowPicture) -> None:
        self._display.conn.core.FreePixmap(picture.pixmap)

    def _connected(self) -> Any:
        if self._extension is None:
            extension = self._display.extension("Composite", xcffib.composite.key)
            if extension is None:
                raise Unsupported(
                    f"the X server of display {self._display.name!r} keeps no pictures of covered windows "
                    "(it has no Composite extension); bring the window up first"
                )
            extension.QueryVersion(0, 4).reply()
            self._extension = extension
        return self._extension

    def _frame(self, window: int) -> int:
        """Give the window around it that lies on the root: what its window manager has put it into."""
        while (tree := self._display.conn.core.QueryTree(window).reply()).parent not in (0, tree.root):
            window = tree.parent
        return window

    def _keep(self, frame: int) -> bool:
        """Have the server keep a window apart; false when a compositing window manager has seen to that already."""
        automatic = xcffib.composite.Redirect.Automatic
        self._kept.add(frame)
        try:
            self._extension.RedirectWindow(frame, automatic, is_checked=True).check()
            names = self._display.atom(f"_NET_WM_CM_S{self._display.conn.pref_screen}")
            return not self._display.conn.core.GetSelectionOwner(names).reply().owner
        except xcffib.xproto.AccessError:
            return False
