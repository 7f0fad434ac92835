"""Programs that never outlive us: a guardian process starts them and ends them, whatever becomes of this process."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from deskhand.core.errors import DeviceError, DeviceLost
from deskhand.devices.linux import guardian

GUARDIAN = Path(guardian.__file__)
TAKEDOWN = 5.0
"""Seconds that the guardian may take to end everything."""


class Programs:
    """The programs of one private desktop, all below one guardian process."""

    def __init__(self, channel: socket.socket, guardian_pid: int) -> None:
        self.guardian_pid = guardian_pid
        self._channel = channel
        # Keeps apart tasks that start programs side by side: an answer belongs to the request before it.
        self._turn = anyio.Lock()

    async def start(
        self, arguments: Sequence[str], environment: Mapping[str, str], folder: Path, files: Sequence[int]
    ) -> int:
        """Start a program in `folder` and give its process id.

        `files[0]` takes what it prints; the others become its descriptors 3, 4 and so on. They stay open here.

        Raises:
            DeviceLost: the guardian is gone.
        """
        entries = [f"{name}={value}" for name, value in environment.items()]
        message = "\0".join([str(folder), str(len(arguments)), *arguments, *entries])
        async with self._turn:
            try:
                socket.send_fds(self._channel, [os.fsencode(message)], list(files))
                with anyio.CancelScope(shield=True):  # the answer must not be left for the next request
                    await anyio.wait_readable(self._channel)
                answer = self._channel.recv(64)
            except OSError as error:
                raise DeviceLost("the process that guards the private desktop is gone; start anew") from error
        if not answer:
            raise DeviceLost("the process that guards the private desktop is gone; start anew")
        return int(answer)


@asynccontextmanager
async def guarded(folder: Path) -> AsyncIterator[Programs]:
    """Lend a way to start programs; at the end, or when this process dies, they end and `folder` is removed."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        with theirs:
            process = _spawn(theirs.fileno(), folder)
        watch = os.pidfd_open(process)
        try:
            yield Programs(ours, process)
        finally:
            ours.close()
            with anyio.move_on_after(TAKEDOWN, shield=True):
                await anyio.wait_readable(watch)
            os.close(watch)
            os.waitpid(process, os.WNOHANG)  # noqa: ASYNC222 -- it does not wait


def _spawn(channel: int, folder: Path) -> int:
    arguments = [sys.executable, "-I", "-S", str(GUARDIAN), "3", str(folder), str(os.getpid())]
    actions = [
        (os.POSIX_SPAWN_DUP2, channel, 3),
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDWR, 0),
        (os.POSIX_SPAWN_DUP2, 0, 1),
        (os.POSIX_SPAWN_OPEN, 2, str(folder / "log"), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600),
    ]
    environment = {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}
    try:
        return os.posix_spawn(sys.executable, arguments, environment, file_actions=actions, setsid=True)
    except OSError as error:
        raise DeviceError(f"cannot start {sys.executable} for the private desktop: {error}") from error
