"""Stretches of memory that the X server writes pictures into, and that are lent to whoever looks at them."""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any

import xcffib
import xcffib.shm
import xcffib.xproto

from deskhand.core.geometry import Box
from deskhand.devices.linux.x11 import deep_colour
from deskhand.devices.linux.x11.display import Display

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.shmat.restype = ctypes.c_void_p
LIBC.shmat.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
LIBC.shmdt.argtypes = (ctypes.c_void_p,)
LIBC.shmget.argtypes = (ctypes.c_int, ctypes.c_size_t, ctypes.c_int)
IPC_PRIVATE, IPC_CREAT, IPC_RMID = 0, 0o1000, 0
ALL_PLANES = 0xFFFFFFFF
_MOST_LENT = 8
"""Stretches that may be lent at once; beyond them pictures are copied."""


class _Stretch:
    """One stretch, known to both sides; the system frees it when both have let go, even by kill -9."""

    def __init__(self, display: Display, extension: Any, size: int) -> None:
        number = LIBC.shmget(IPC_PRIVATE, size, IPC_CREAT | 0o600)
        if number < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        try:
            address = LIBC.shmat(number, None, 0)
            if address in (None, ctypes.c_void_p(-1).value):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
            self.address, self.size = address, size
            self.segment = display.conn.generate_id()
            try:
                extension.AttachChecked(self.segment, number, False).check()
            except xcffib.Error:
                LIBC.shmdt(address)
                raise
        finally:
            LIBC.shmctl(number, IPC_RMID, None)


class SharedMemory:
    """What an X server and we have in common."""

    def __init__(self, display: Display, extension: Any) -> None:
        self._display = display
        self._extension = extension
        self._free: list[_Stretch] = []
        self._lent = 0
        self._closed = False

    @classmethod
    def attach(cls, display: Display) -> SharedMemory | None:
        """Agree on shared memory; None when the server has none, or lives on another machine."""
        extension = display.extension("MIT-SHM", xcffib.shm.key)
        if extension is None:
            return None
        shared = cls(display, extension)
        corner = Box.at(0, 0, 4, 4)
        try:
            # A server in another container may attach some other memory of the same number.
            if bytes(shared.read(display.root, corner)) == read_plainly(display, display.root, corner):
                return shared
        except (OSError, xcffib.Error):
            pass  # a server on another machine, or memory is short: pictures go through the connection
        shared.close()
        return None

    def read(self, drawable: int, part: Box) -> memoryview:
        """Have the server write pixels; what is given stays as it is for as long as anybody keeps it."""
        needed = part.area * 4
        stretch = self._take(needed)
        place = (part.left, part.top, part.width, part.height)
        form = xcffib.xproto.ImageFormat.ZPixmap
        try:
            told = self._extension.GetImage(drawable, *place, ALL_PLANES, form, stretch.segment, 0).reply()
        except xcffib.Error:
            self._give_back(stretch)
            raise
        deep = told.depth == deep_colour.DEPTH
        if deep or needed < stretch.size or self._lent >= _MOST_LENT:
            data = ctypes.string_at(stretch.address, needed)
            self._give_back(stretch)
            return memoryview(deep_colour.narrowed(data) if deep else bytearray(data))
        lent = _lendable(needed).from_address(stretch.address)
        self._lent += 1
        # Whatever looks at these pixels, such as a part or an image of them, keeps the array alive.
        weakref.finalize(lent, self._returned, stretch)
        return memoryview(lent).cast("B")

    def close(self) -> None:
        """Let go of all that is not lent; the rest goes when it comes back."""
        self._closed = True
        while self._free:
            LIBC.shmdt(self._free.pop().address)

    def _take(self, needed: int) -> _Stretch:
        for stretch in self._free:
            if stretch.size >= needed:
                self._free.remove(stretch)
                return stretch
        while self._free:  # the screen has become larger
            small = self._free.pop()
            self._extension.Detach(small.segment)
            LIBC.shmdt(small.address)
        return _Stretch(self._display, self._extension, max(needed, self._display.box.area * 4))

    def _returned(self, stretch: _Stretch) -> None:
        self._lent -= 1
        self._give_back(stretch)

    def _give_back(self, stretch: _Stretch) -> None:
        if self._closed:
            LIBC.shmdt(stretch.address)
        else:
            self._free.append(stretch)


def _lendable(size: int) -> Any:
    """Make a type whose objects tell when they are no longer used, which plain arrays of C do not."""
    return type("Lent", (ctypes.c_ubyte * size,), {})


def read_plainly(display: Display, drawable: int, part: Box) -> bytes:
    """Read pixels through the connection: a hundred times slower, and always there."""
    place = (part.left, part.top, part.width, part.height)
    form = xcffib.xproto.ImageFormat.ZPixmap
    reply = display.conn.core.GetImage(form, drawable, *place, ALL_PLANES).reply()
    data = bytes(reply.data.buf())
    return bytes(deep_colour.narrowed(data)) if reply.depth == deep_colour.DEPTH else data
