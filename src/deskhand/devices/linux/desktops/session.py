"""A desktop session that was there before us: the user's own, or another X display."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from deskhand.core.errors import DeviceError, Unsupported


class OwnSession:
    """Starts programs that stay when we go: on a user's screen they belong to the user."""

    def __init__(self, environment: Mapping[str, str], log: Path) -> None:
        self.environment = environment
        self.log = log
        self._started: list[int] = []

    async def start(self, arguments: Sequence[str]) -> int:
        """Start a program in a session of its own, its output appended to `log`.

        Raises:
            DeviceError: there is no such program, or it is none.
        """
        path = shutil.which(arguments[0], path=self.environment.get("PATH", os.defpath))
        if path is None:
            raise DeviceError(f"there is no program {arguments[0]!r} on this computer")
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(self.log), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ]
        try:
            pid = os.posix_spawn(  # noqa: ASYNC221 -- takes about a millisecond
                path, list(arguments), dict(self.environment), file_actions=actions, setsid=True
            )
        except OSError as error:
            raise DeviceError(f"{path} cannot be run: {error.strerror}") from error
        self._started.append(pid)
        return pid

    def close(self) -> None:
        """Take note of the programs that have ended."""
        for pid in self._started:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def display_of(environment: Mapping[str, str]) -> str:
    """Give the X display of a user's session.

    Raises:
        Unsupported: it is a Wayland session, whose screen can be neither read nor used from outside.
        DeviceError: it has no display.
    """
    wayland = environment.get("WAYLAND_DISPLAY") or environment.get("XDG_SESSION_TYPE", "").lower() == "wayland"
    if wayland:
        raise Unsupported(
            "this is a Wayland session, which cannot be worked in; log in to an X11 (Xorg) session, name an X display "
            "with --device linux:display=:N, or use --device linux:virtual"
        )
    display = environment.get("DISPLAY", "")
    if not display:
        raise DeviceError("no X display: DISPLAY is not set; set it, or use --device linux:virtual")
    return display


def session_bus_of(environment: Mapping[str, str]) -> str:
    """Give the address of a user's session bus, "" when there is none."""
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    usual = Path(runtime) / "bus"
    fallback = f"unix:path={usual}" if runtime and usual.exists() else ""
    return environment.get("DBUS_SESSION_BUS_ADDRESS") or fallback
