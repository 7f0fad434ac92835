"""Taking pictures of a display, through shared memory where the X server can."""

from __future__ import annotations

import time
from functools import partial

import anyio
import xcffib

from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Window
from deskhand.devices.linux.x11.display import Display
from deskhand.devices.linux.x11.shared_memory import SharedMemory, read_plainly
from deskhand.devices.linux.x11.window_pictures import WindowPicture, WindowPictures
from deskhand.perception.options import PictureOptions
from deskhand.perception.picture import Picture, Pixels, picture_of

PNG = PictureOptions()
REPAINTING = 1.0
"""Seconds that an application has to paint what others had covered, when it is first asked for."""
REPAINTED = 0.15
"""Seconds without a change after which it has."""
POLL = 0.01


class Grabber:
    """Takes pictures of one display's screen, and of its windows."""

    def __init__(self, display: Display, *, shared: bool = True, pictures: PictureOptions = PNG) -> None:
        """Agree on shared memory with the X server, unless it shall not be used or there is none."""
        self._display = display
        self._pictures = pictures
        self._memory = SharedMemory.attach(display) if shared else None
        self._whole: Pixels | None = None
        self._last: tuple[Pixels, Picture] | None = None
        self._windows = WindowPictures(display)

    @property
    def shared(self) -> bool:
        """Whether pictures come through shared memory."""
        return self._memory is not None

    @property
    def last(self) -> Pixels | None:
        """The screen as it was last taken as a whole."""
        return self._whole

    def grab(self, box: Box | None = None) -> Pixels:
        """Take the pixels of the screen, or of a part of it; the very same object while the screen has not changed.

        Raises:
            DeviceError: the X server gives none, or nothing of `box` is on the screen.
            DeviceLost: the X server is gone.
        """
        screen = self._display.box
        part = screen if box is None else box.clipped(screen)
        if part.empty:
            raise DeviceError(f"{tuple(box or part)} lies outside the screen of {screen.width} x {screen.height}")
        try:
            pixels = self._read(self._display.root, part, self._whole)
        except xcffib.ConnectionException as error:
            raise self._display.lost() from error
        except xcffib.Error as error:
            name = type(error).__name__
            raise DeviceError(f"display {self._display.name!r} gives no picture ({name}); is it locked?") from error
        if box is None:
            self._whole = pixels
        return pixels

    async def window(self, window: Window) -> Pixels:
        """Take the pixels of a window alone, of what others cover as well.

        Raises:
            DeviceError: it has no picture, being minimised or closed, or the X server cannot tell windows apart.
            DeviceLost: the X server is gone.
        """
        try:
            shown = self._windows.of(int(window.id, 16))
            try:
                pixels = self._read(shown.pixmap, shown.part, None)
                if shown.fresh:
                    pixels = await self._repainted(shown, pixels)
            finally:
                self._windows.free(shown)
        except xcffib.ConnectionException as error:
            raise self._display.lost() from error
        except xcffib.Error as error:
            why = "it is minimised" if window.minimized else f"{type(error).__name__}; it may have closed"
            raise DeviceError(f"the window {window.title!r} has no picture of its own ({why})") from error
        return pixels

    async def _repainted(self, shown: WindowPicture, pixels: Pixels) -> Pixels:
        """Wait until an application has painted what others had covered."""
        deadline = time.monotonic() + REPAINTING
        since = time.monotonic()
        while time.monotonic() < min(since + REPAINTED, deadline):
            await anyio.sleep(POLL)
            now = self._read(shown.pixmap, shown.part, pixels)
            if now is not pixels:
                pixels, since = now, time.monotonic()
        return pixels

    def _read(self, drawable: int, part: Box, before: Pixels | None) -> Pixels:
        """Take pixels; give `before` itself when they are the same."""
        size = Size(part.width, part.height)
        read = self._memory.read if self._memory else partial(read_plainly, self._display)
        pixels = Pixels(size, read(drawable, part))
        return before if before is not None and before == pixels else pixels

    def picture_of(self, pixels: Pixels) -> Picture:
        """Write pixels as a picture file; the same one again while they are those of the last time."""
        if self._last is None or self._last[0] != pixels:
            self._last = (pixels, self.encode(pixels))
        return self._last[1]

    def encode(self, pixels: Pixels) -> Picture:
        """Write pixels as a picture file of the form that is set."""
        return picture_of(pixels, self._pictures)

    def close(self) -> None:
        if self._memory:
            self._memory.close()
