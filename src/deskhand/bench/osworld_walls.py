"""Where the commands of OSWorld's tasks run: without network, with the virtual desktop's home as /home/user."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from deskhand.core.errors import DeviceError
from deskhand.devices.linux.desktops.virtual import Desktop

USER = "/home/user"
"""The home that tasks speak of."""
_MOUNTED = {"config": ".config", "data": ".local/share", "cache": ".cache"}
_STAND_INS = {
    # As whoever it is: nothing outside of the home can be changed anyway.
    "sudo": 'while [ "${1#-}" != "$1" ]; do shift; done\nexec "$@"',
    "python": 'exec python3 "$@"',
    "google-chrome": "exec chromium --no-sandbox --no-first-run --no-default-browser-check --password-store=basic "
    f'--force-renderer-accessibility --user-data-dir={USER}/.config/google-chrome "$@"',
}


class Walls:
    """The walls around what a task's files say is to be run, on one desktop."""

    def __init__(self, desktop: Desktop) -> None:
        """Prepare the home.

        Raises:
            DeviceError: bubblewrap is not installed.
        """
        bwrap = shutil.which("bwrap")
        if bwrap is None:
            raise DeviceError("the commands of OSWorld's tasks run in a sandbox: apt-get install bubblewrap")
        self._bwrap, self._desktop = bwrap, desktop
        for place in (*_MOUNTED.values(), "Desktop"):
            (self.home / place).mkdir(parents=True, exist_ok=True)
        for folder in ("bin", "tmp"):
            (desktop.folder / folder).mkdir()
        for name, text in _STAND_INS.items():
            (desktop.folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
            (desktop.folder / "bin" / name).chmod(0o755)

    @property
    def home(self) -> Path:
        return self._desktop.folder / "home"

    def command(self, *argv: str) -> list[str]:
        """Give what runs a command that sees no process but its own."""
        return [self._bwrap, "--unshare-all", *self._places(), "--proc", "/proc", "--", *argv]

    def application(self, *argv: str) -> list[str]:
        """Give what runs an application: its process is the one that its windows name."""
        return [self._bwrap, "--unshare-net", *self._places(), "--", *argv]

    def judge(self, exchange: Path, *argv: str) -> list[str]:
        """Give what runs a judge, which may write into `exchange`, and reads the packages of this Python."""
        places = ["--bind", str(exchange), str(exchange), "--chdir", str(exchange)]
        return [self._bwrap, "--unshare-all", *self._places(), *_python(), *places, "--proc", "/proc", "--", *argv]

    def _places(self) -> list[str]:
        folder = self._desktop.folder
        binds = {str(folder / "tmp"): "/tmp", "/tmp/.X11-unix": "/tmp/.X11-unix", str(folder / "run"): f"{folder}/run"}
        binds[str(self.home)] = USER
        binds |= {str(folder / name): f"{USER}/{place}" for name, place in _MOUNTED.items()}
        variables = {"HOME": USER, "XDG_CONFIG_HOME": f"{USER}/.config", "XDG_DATA_HOME": f"{USER}/.local/share"}
        variables |= {"XDG_CACHE_HOME": f"{USER}/.cache", "PATH": f"{folder}/bin:{self._desktop.environment['PATH']}"}
        return [
            *("--die-with-parent", "--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/home"),
            *(word for outside, inside in binds.items() for word in ("--bind", outside, inside)),
            *("--ro-bind", f"{folder}/bin", f"{folder}/bin", "--chdir", USER),
            *(word for name, value in variables.items() for word in ("--setenv", name, value)),
        ]


def _python() -> Iterator[str]:
    """Bring back what the walls hide of this Python and of the packages it knows."""
    for place in dict.fromkeys((sys.prefix, sys.base_prefix, *sys.path)):
        if place.startswith(("/home/", "/tmp/")) and Path(place).exists():
            yield from ("--ro-bind", place, place)
