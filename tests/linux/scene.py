"""A desktop with applications on it, and what reads it, for tests of the accessibility tree."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Element, Window
from deskhand.devices.linux.accessibility.reader import Accessibility, Reading
from deskhand.devices.linux.desktops.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.waiting import until
from deskhand.devices.linux.windows.listing import list_windows
from deskhand.devices.linux.x11.display import Display

APPS = Path(__file__).parent / "apps"
MIXED = "naïve façade – 你好 – 😀"


@dataclass
class Scene:
    """A desktop of its own, and what reads it."""

    desktop: Desktop
    display: Display
    tree: Accessibility

    async def start(self, *arguments: str) -> int:
        """Start a program of `apps`, or of the system."""
        own = APPS / f"{arguments[0]}.py"
        return await self.desktop.start(
            ["/usr/bin/python3", str(own), *arguments[1:]] if own.exists() else [*arguments]
        )

    async def window(self, title: str) -> Window:
        """Wait for a window whose title holds `title`."""

        def found() -> Window | None:
            return next((each for each in list_windows(self.display) if title in each.title), None)

        window = await until(found, 20)
        assert window, f"no window is called {title}"
        return window

    async def read(self, title: str, deadline: float = 5.0) -> Reading:
        window = await self.window(title)
        siblings = [each for each in list_windows(self.display) if each.pid == window.pid and each.id != window.id]
        return self.tree.read(window, siblings, self.display.box, deadline)

    async def read_until(self, title: str, holds: Callable[[Reading], bool]) -> Reading:
        with anyio.fail_after(10):
            while True:
                reading = await self.read(title)
                if holds(reading):
                    return reading
                await anyio.sleep(0.01)

    async def placed(self, title: str) -> Reading:
        """Read a window once the window manager has put it where it stays."""

        def stays(reading: Reading) -> bool:
            box = reading.elements[0].box if reading.elements else Box(0, 0, 0, 0)
            return box.left > 0 and box in [window.box for window in list_windows(self.display)]

        return await self.read_until(title, stays)

    async def says(self, expected: str) -> None:
        """Wait until a label of the controls says `expected`."""
        await self.read_until("Controls", lambda r: any(e.name == expected for e in r.elements))


@asynccontextmanager
async def a_scene(scale: int = 1) -> AsyncIterator[Scene]:
    async with virtual_desktop(Size(1280, 1000), scale=scale) as desktop:
        display = Display.open(desktop.display_name)
        tree = Accessibility(desktop.environment["DBUS_SESSION_BUS_ADDRESS"])
        tree.connect()
        try:
            yield Scene(desktop, display, tree)
        finally:
            tree.close()
            display.close()


def one(reading: Reading, **wanted: str) -> Element:
    """Give the only element with these properties."""
    found = [e for e in reading.elements if all(getattr(e, key) == value for key, value in wanted.items())]
    assert len(found) == 1, f"{wanted}: {found or [(e.role, e.name) for e in reading.elements]}"
    return found[0]
