"""Taking pictures of a display, through shared memory where the X server can."""

from __future__ import annotations

import ctypes
import os
import time
from typing import Any

import anyio
import xcffib
import xcffib.shm
import xcffib.xproto

from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Window
from deskhand.devices.linux.display import Display
from deskhand.devices.linux.window_pictures import WindowPicture, WindowPictures
from deskhand.perception.options import PictureOptions
from deskhand.perception.picture import Picture, Pixels, picture_of

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.shmat.restype = ctypes.c_void_p
LIBC.shmat.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
LIBC.shmdt.argtypes = (ctypes.c_void_p,)
LIBC.memcmp.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t)
LIBC.shmget.argtypes = (ctypes.c_int, ctypes.c_size_t, ctypes.c_int)
IPC_PRIVATE, IPC_CREAT, IPC_RMID = 0, 0o1000, 0
ALL_PLANES = 0xFFFFFFFF
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
        self._memory = _Shared.attach(display) if shared else None
        self._whole: Pixels | None = None
        self._last: tuple[Pixels, Picture] | None = None
        self._windows = WindowPictures(display)

    @property
    def shared(self) -> bool:
        """Whether pictures come through shared memory."""
        return self._memory is not None

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
            pixels = self._read(shown.pixmap, shown.part, None)
            if shown.fresh:
                pixels = await self._repainted(shown, pixels)
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
        known = before.data if before is not None and before.size == size else b""
        data = self._memory.read(drawable, part, known) if self._memory else _read(self._display, drawable, part)
        return before if before is not None and data is known else Pixels(size, data)

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


class _Shared:
    """A stretch of memory that the X server writes pictures into."""

    def __init__(self, display: Display, extension: Any) -> None:
        self._display = display
        self._extension = extension
        self._capacity = 0
        self._address = 0
        self._segment = 0

    @classmethod
    def attach(cls, display: Display) -> _Shared | None:
        """Agree on shared memory; None when the server has none, or lives on another machine."""
        extension = display.extension("MIT-SHM", xcffib.shm.key)
        if extension is None:
            return None
        shared = cls(display, extension)
        corner = Box.at(0, 0, 4, 4)
        try:
            # A server in another container may attach some other memory of the same number.
            if shared.read(display.root, corner) == _read(display, display.root, corner):
                return shared
        except (OSError, xcffib.Error):
            pass  # a server on another machine, or memory is short: pictures go through the connection
        shared.close()
        return None

    def read(self, drawable: int, part: Box, known: bytes = b"") -> bytes:
        """Read pixels; gives `known` itself when they are the same, which saves making room for others."""
        needed = part.area * 4
        if needed > self._capacity:
            self._grow(max(needed, self._display.box.area * 4))
        place = (part.left, part.top, part.width, part.height)
        form = xcffib.xproto.ImageFormat.ZPixmap
        self._extension.GetImage(drawable, *place, ALL_PLANES, form, self._segment, 0).reply()
        if len(known) == needed and LIBC.memcmp(self._address, known, needed) == 0:
            return known
        return ctypes.string_at(self._address, needed)

    def close(self) -> None:
        if self._address:
            LIBC.shmdt(self._address)
        self._address = self._capacity = 0

    def _grow(self, size: int) -> None:
        if self._segment:
            self._extension.Detach(self._segment)
        self.close()
        number = LIBC.shmget(IPC_PRIVATE, size, IPC_CREAT | 0o600)
        if number < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        try:
            address = LIBC.shmat(number, None, 0)
            if address in (None, ctypes.c_void_p(-1).value):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
            self._address = address
            self._segment = self._display.conn.generate_id()
            self._extension.AttachChecked(self._segment, number, False).check()
        finally:
            # Both sides hold it by now; it goes when the last of them does, even by kill -9.
            LIBC.shmctl(number, IPC_RMID, None)
        self._capacity = size


def _read(display: Display, drawable: int, part: Box) -> bytes:
    """Read pixels through the connection: a hundred times slower, and always there."""
    place = (part.left, part.top, part.width, part.height)
    form = xcffib.xproto.ImageFormat.ZPixmap
    reply = display.conn.core.GetImage(form, drawable, *place, ALL_PLANES).reply()
    return bytes(reply.data.buf())
