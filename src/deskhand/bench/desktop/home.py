"""The home of one attempt: its files, its settings, and the applications that are open in it."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

import anyio

from deskhand.bench.desktop.programs import DEFAULTS, PROGRAMS
from deskhand.core.errors import DeviceError
from deskhand.core.observation import OneWindow
from deskhand.core.ports import Device
from deskhand.devices.linux.applications.catalogue import Places, installed
from deskhand.devices.linux.applications.launch import launch
from deskhand.devices.linux.desktops.virtual import Desktop
from deskhand.devices.linux.processes import running
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from deskhand.devices.linux.x11.display import Display

FOLDERS = {"DOCUMENTS": "Documents", "DOWNLOAD": "Downloads", "PICTURES": "Pictures"}
STARTING, READABLE = 90.0, 20.0
"""Seconds an application has for its first window, as some are slow in a new home, and until its controls are there."""
ENDING = 10.0
"""Seconds an application has to write down what it has not yet, when it is asked to end."""


class Home:
    """What a task's set-up fills and its check reads."""

    def __init__(self, desktop: Desktop, device: Device) -> None:
        self.site = ""
        """The address of the task's own pages, where it has some."""
        self.received: list[dict[str, str]] = []
        """The forms that were sent to the task's own pages."""
        self._desktop = desktop
        self._device = device

    @property
    def path(self) -> Path:
        return Path(self._desktop.environment["HOME"])

    @property
    def config(self) -> Path:
        return Path(self._desktop.environment["XDG_CONFIG_HOME"])

    def furnish(self) -> None:
        """Make the folders that a person has, and say which application opens what."""
        places = "".join(f'XDG_{key}_DIR="$HOME/{name}"\n' for key, name in FOLDERS.items())
        for name in FOLDERS.values():
            (self.path / name).mkdir()
        (self.config / "user-dirs.dirs").write_text(places)
        opens = "".join(f"{kind}={PROGRAMS[name].entry}.desktop\n" for kind, name in DEFAULTS.items())
        (self.config / "mimeapps.list").write_text(f"[Default Applications]\n{opens}")

    def write(self, name: str, text: str) -> Path:
        """Write a file in the home; folders on the way are made."""
        return _written(self.path / name, text)

    def configure(self, name: str, text: str) -> None:
        """Write a file of settings, by its path among them."""
        _written(self.config / name, text)

    def text(self, name: str) -> str:
        return (self.path / name).read_text("utf-8")

    def lines(self, name: str) -> list[str]:
        """Give the lines of a text file, without the empty ones at its end."""
        return self.text(name).rstrip().splitlines()

    def names(self, folder: str = "") -> list[str]:
        """Give the names of what lies in a folder, without hidden files."""
        return sorted(each.name for each in (self.path / folder).iterdir() if not each.name.startswith("."))

    async def open(self, program: str, *files: str | Path) -> None:
        """Open an application, with files or addresses, and wait until it can be read.

        Raises:
            DeviceError: it does not come up.
        """
        entry_id = PROGRAMS[program].entry
        known = await anyio.to_thread.run_sync(installed, Places.of(self._desktop.environment))
        entry = next((each.entry for each in known if each.entry.id == entry_id), None)
        if entry is None:
            raise DeviceError(f"{program} cannot be started: there is no {entry_id}.desktop")
        display = Display.open(self._desktop.display_name)
        try:
            came = await launch(self._desktop, display, entry, [str(file) for file in files], STARTING)
        finally:
            display.close()
        if came.window is None:
            raise DeviceError(f"{program} does not come up: {came.problem}")
        await self._settled(came.window.id)

    async def _settled(self, window: str) -> None:
        """Wait until two looks in a row show the same controls; some never rest, and are then as good as they get."""
        before: list[tuple[str, str]] = []
        with anyio.move_on_after(READABLE):
            while True:
                elements = (await self._device.observe(OneWindow(id=window))).observation.elements
                now = [(each.role, each.name) for each in elements]
                if len(now) > 1 and now == before:
                    return
                before = now
                await anyio.sleep(0.1)

    async def end(self, window_class: str) -> None:
        """Ask an application to end, and wait until it has."""
        display = Display.open(self._desktop.display_name)
        try:
            pids = {window.pid for window in list_windows(display) if window.app.casefold() == window_class}
        finally:
            display.close()
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        await until(lambda: not any(map(running, pids)), ENDING)


def _written(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file
