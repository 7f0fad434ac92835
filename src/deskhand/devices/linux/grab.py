"""Taking pictures of a display, through shared memory where the X server can."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import xcffib
import xcffib.shm
import xcffib.xproto

from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Box, Size
from deskhand.devices.linux.display import Display
from deskhand.perception.options import PictureOptions
from deskhand.perception.picture import Picture, Pixels, picture_of

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.shmat.restype = ctypes.c_void_p
LIBC.shmat.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
LIBC.shmdt.argtypes = (ctypes.c_void_p,)
LIBC.shmget.argtypes = (ctypes.c_int, ctypes.c_size_t, ctypes.c_int)
IPC_PRIVATE, IPC_CREAT, IPC_RMID = 0, 0o1000, 0
ALL_PLANES = 0xFFFFFFFF
PNG = PictureOptions()


class Grabber:
    """Takes pictures of one display's screen."""

    def __init__(self, display: Display, *, shared: bool = True, pictures: PictureOptions = PNG) -> None:
        """Agree on shared memory with the X server, unless it shall not be used or there is none."""
        self._display = display
        self._pictures = pictures
        self._memory = _Shared.attach(display) if shared else None
        self._last: tuple[Pixels, Picture] | None = None

    @property
    def shared(self) -> bool:
        """Whether pictures come through shared memory."""
        return self._memory is not None

    def grab(self, box: Box | None = None) -> Pixels:
        """Take the pixels of the screen, or of a part of it.

        Raises:
            DeviceError: the X server gives none, or nothing of `box` is on the screen.
            DeviceLost: the X server is gone.
        """
        screen = self._display.box
        part = screen if box is None else box.clipped(screen)
        if part.empty:
            raise DeviceError(f"{tuple(box or part)} lies outside the screen of {screen.width} x {screen.height}")
        try:
            data = self._memory.read(part) if self._memory else _read(self._display, part)
        except xcffib.ConnectionException as error:
            raise self._display.lost() from error
        except xcffib.Error as error:
            name = type(error).__name__
            raise DeviceError(f"display {self._display.name!r} gives no picture ({name}); is it locked?") from error
        return Pixels(Size(part.width, part.height), data)

    def picture_of(self, pixels: Pixels) -> Picture:
        """Write pixels as PNG; the same picture again while they are those of the last time."""
        if self._last is None or self._last[0] != pixels:
            self._last = (pixels, picture_of(pixels))
        return self._last[1]

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
            if shared.read(corner) == _read(display, corner):
                return shared
        except (OSError, xcffib.Error):
            pass  # a server on another machine, or memory is short: pictures go through the connection
        shared.close()
        return None

    def read(self, part: Box) -> bytes:
        needed = part.area * 4
        if needed > self._capacity:
            self._grow(max(needed, self._display.box.area * 4))
        root = self._display.root
        place = (part.left, part.top, part.width, part.height)
        form = xcffib.xproto.ImageFormat.ZPixmap
        self._extension.GetImage(root, *place, ALL_PLANES, form, self._segment, 0).reply()
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


def _read(display: Display, part: Box) -> bytes:
    """Read pixels through the connection: a hundred times slower, and always there."""
    place = (part.left, part.top, part.width, part.height)
    form = xcffib.xproto.ImageFormat.ZPixmap
    reply = display.conn.core.GetImage(form, display.root, *place, ALL_PLANES).reply()
    return bytes(reply.data.buf())
