"""A screen for one session at a time: two that share pointer and keyboard would disturb each other."""

from __future__ import annotations

import errno
import socket
import struct
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from deskhand.core.errors import DeviceError
from deskhand.devices.linux.desktops.kept import kept_desktop
from deskhand.devices.linux.desktops.session import display_of
from deskhand.devices.linux.spec import parse_linux
from deskhand.devices.linux.waiting import until

PATIENCE, AGAIN = 1.0, 0.05
"""Seconds in which a display comes free, and until that is tried again."""
_WAITING = 0.5
"""Seconds in which the holder's system answers who it is."""


@asynccontextmanager
async def leased(spec: str, environment: Mapping[str, str]) -> AsyncIterator[None]:
    """Hold the display that a spec names; a virtual one is nobody else's anyway.

    The system lets go of it when this process ends, however it ends. A session that is just ending is waited for.

    Raises:
        SettingsError: the spec is wrong, or there is no desktop of that name.
        DeviceError: another session holds it; says which process that is.
    """
    wanted = parse_linux(spec)
    if wanted.virtual:
        yield
        return
    kept = kept_desktop(wanted.desktop) if wanted.desktop else None
    display = (
        (kept.display if kept else wanted.display or display_of(environment)).removeprefix("unix").partition(".")[0]
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as held:
        name = f"\0deskhand on {display}"  # no file: an abstract name goes with the process
        if not await until(lambda: _bound(held, name), PATIENCE, every=AGAIN):
            raise DeviceError(
                f"another session works on the display {display} ({_holder(name)}); wait for it, stop it, or use "
                "--device linux:virtual"
            )
        held.listen(16)
        yield


def _bound(held: socket.socket, name: str) -> bool:
    try:
        held.bind(name)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return False
        raise DeviceError(f"{name[1:]} cannot be held: {error}") from error
    return True


def _holder(name: str) -> str:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        asking.settimeout(_WAITING)
        try:
            asking.connect(name)
            pid, _, _ = struct.unpack("3i", asking.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return "it has just ended"
    command = " ".join(word.decode(errors="replace") for word in words if word)
    return f"process {pid}: {command[:100]}"
