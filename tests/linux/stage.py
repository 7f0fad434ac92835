"""A desktop with a device on it, and applications to try it on."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from deskhand.core.action import (
    Action,
    ActionResult,
    OnElement,
)
from deskhand.core.observation import Element, Observation, OneWindow, Window
from deskhand.devices.linux.desktops.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.device import LinuxDevice, open_linux
from deskhand.devices.linux.processes import running
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from deskhand.devices.linux.x11.display import Display

FORM = Path(__file__).parent / "apps/form.py"


class Stage:
    """A desktop with a device on it, and a form that writes down what happens to it."""

    def __init__(self, desktop: Desktop, device: LinuxDevice, folder: Path) -> None:
        self.desktop = desktop
        self.device = device
        self.folder = folder
        self.window = ""

    async def form(self, title: str = "Form", *options: str) -> str:
        """Start a form; give its window."""
        log = str(self.folder / f"{title}.log")
        await self.desktop.start(["/usr/bin/python3", str(FORM), title, log, *options])
        window = await self.shown(title)
        await self.settled(window)
        self.window = self.window or window.id
        return window.id

    async def shown(self, title: str) -> Window:
        with anyio.fail_after(20):
            while True:
                found = [window for window in self.windows() if window.title == title]
                if found and found[0].active:
                    return found[0]
                await anyio.sleep(0.01)

    async def settled(self, window: Window) -> None:
        """Wait until the form can be read wholly."""
        with anyio.fail_after(20):
            while True:
                observation = (await self.device.observe(OneWindow(id=window.id))).observation
                if any(element.name == "Row 1" and not element.box.empty for element in observation.elements):
                    return

    async def end_applications(self) -> None:
        if not running(self.desktop.pids["Xvfb"]):
            return
        pids = {window.pid for window in self.windows()}
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        assert await until(lambda: not any(map(running, pids)), 5)

    def windows(self) -> tuple[Window, ...]:
        display = Display.open(self.desktop.display_name)
        try:
            return list_windows(display)
        finally:
            display.close()

    async def look(self, window: str = "") -> Observation:
        return (await self.device.observe(OneWindow(id=window or self.window))).observation

    async def element(self, name: str, role: str = "", window: str = "") -> Element:
        observation = await self.look(window)
        found = [each for each in observation.elements if each.name == name and role in ("", each.role)]
        assert found, f"{name!r} is not among {[(each.role, each.name) for each in observation.elements]}"
        return found[-1]

    async def on(self, name: str, role: str = "", window: str = "") -> OnElement:
        return OnElement(id=(await self.element(name, role, window)).id)

    async def do(self, action: Action, window: str | None = None) -> ActionResult:
        return await self.device.perform(action, self.window if window is None else window)

    def log(self, title: str = "Form") -> list[str]:
        file = self.folder / f"{title}.log"
        return file.read_text().splitlines() if file.exists() else []

    async def logged(self, line: str, title: str = "Form") -> bool:
        return await until(lambda: line in self.log(title), 5)


@asynccontextmanager
async def a_stage(folder: Path, scale: int = 1) -> AsyncIterator[Stage]:
    async with (
        virtual_desktop(scale=scale) as desktop,
        open_linux(f"linux:display={desktop.display_name}", desktop.environment) as device,
    ):
        stage = Stage(desktop, device, folder)
        yield stage
        # Applications that were started on somebody else's desktop stay there when the device is closed.
        await stage.end_applications()


def nothing_is_held(desktop: Desktop) -> bool:
    display = Display.open(desktop.display_name)
    try:
        buttons = display.conn.core.QueryPointer(display.root).reply().mask & 0x1F00
        return not buttons and not any(display.conn.core.QueryKeymap().reply().keys)
    finally:
        display.close()
