"""A terminal for a program that is used with keys: keys go in, a screen comes out."""

from __future__ import annotations

import fcntl
import os
import struct
import termios
import time
from typing import NamedTuple

import anyio
import anyio.to_thread
import pyte

from deskhand.core.geometry import Size

COLUMNS, LINES = 100, 30
QUIET = 0.15
"""Seconds without a sign after which a screen is taken to rest."""
RESTLESS = 1.5
"""Seconds after which it is shown although it does not rest."""
AT_ONCE = 1 << 14
"""Bytes that are read at a time: what the emulator takes in some hundredths of a second."""


class Screen(NamedTuple):
    """What a terminal shows."""

    lines: tuple[str, ...]
    cursor: tuple[int, int]
    """Column and line, from 0."""


class Terminal:
    """A pseudo-terminal and what is drawn on it. The program is whoever opens `path`."""

    size = Size(COLUMNS, LINES)

    def __init__(self, command: str) -> None:
        self.command = command
        self._master, self._slave = os.openpty()
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)
        self._screen.write_process_input = self._answer  # type: ignore[method-assign]  # pyte's own hook for this

    def _answer(self, data: str) -> None:
        """Give a program what it asks its terminal, such as where the cursor is."""
        self._put(data.encode())

    async def send(self, data: str) -> None:
        """Type; what does not fit, since the program does not read, is not typed."""
        self._put(data.encode())
        await self.rest()

    def _put(self, data: bytes) -> None:
        try:
            os.write(self._master, data)
        except BlockingIOError:  # a program that does not read
            return

    async def rest(self) -> None:
        """Take in what the program draws until it pauses, at most for a while."""
        deadline = time.monotonic() + RESTLESS
        while (left := deadline - time.monotonic()) > 0:
            with anyio.move_on_after(min(QUIET, left)) as quiet:
                await anyio.wait_readable(self._master)
            if quiet.cancelled_caught:
                return
            try:
                data = os.read(self._master, AT_ONCE)
            except (OSError, BlockingIOError):  # nobody has it open any more
                return
            await anyio.to_thread.run_sync(self._stream.feed, data)

    def shown(self) -> Screen:
        lines = tuple(line.rstrip() for line in self._screen.display)
        return Screen(lines, (self._screen.cursor.x, self._screen.cursor.y))

    def close(self) -> None:
        """Hang up: the program is told, as when a window is closed."""
        for end in (self._master, self._slave):
            os.close(end)
