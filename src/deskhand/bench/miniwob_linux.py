"""Pages of MiniWoB++ in a browser on a desktop: real pixels and keys, and a judge behind the browser's back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, async_playwright

from deskhand.core.action import At, MoveTo
from deskhand.core.errors import DeviceError
from deskhand.core.geometry import Point, Size
from deskhand.devices.browser.chromium import find_chromium
from deskhand.devices.linux.applications.launch import with_options
from deskhand.devices.linux.desktops.virtual import Desktop, virtual_desktop
from deskhand.devices.linux.device import LinuxDevice
from deskhand.devices.linux.rig import rigged
from deskhand.devices.linux.spec import parse_linux
from deskhand.devices.linux.waiting import until
from deskhand.settings import Settings

STARTED = 30.0
"""Seconds for the browser to start, on a machine that has other work."""


class LinuxStage:
    """A window without an address bar, that goes from page to page; other windows of the browser are closed."""

    def __init__(self, device: LinuxDevice, page: Page, screen: Size) -> None:
        self.device = device
        self._page = page
        self._corner = Point(screen.width - 1, screen.height - 1)
        # Without a listener the driver answers dialogs by itself.
        page.context.on("dialog", lambda _: None)

    async def show(self, url: str) -> None:
        try:
            for other in [other for other in self._page.context.pages if other is not self._page]:
                await other.close()
            await self.device.perform(MoveTo(target=At(point=self._corner)))
            await self._page.goto(url)
            await self._page.bring_to_front()
        except PlaywrightError as error:
            raise DeviceError(f"{url} cannot be shown: {error.message}") from error

    async def ask(self, script: str, *given: Any) -> Any:
        try:
            return await self._page.evaluate(script, list(given))
        except PlaywrightError as error:
            raise DeviceError(f"the page does not answer: {error.message}") from error


@asynccontextmanager
async def stage(settings: Settings, environment: Mapping[str, str]) -> AsyncIterator[LinuxStage]:
    """Bring up a virtual desktop with a browser on it.

    Raises:
        DeviceError: one of them does not come up.
    """
    spec = parse_linux(settings.device)
    async with (
        virtual_desktop(spec.size, layout=spec.layout, scale=spec.scale, environment=environment) as desktop,
        rigged(
            desktop, desktop.display_name, desktop.environment["DBUS_SESSION_BUS_ADDRESS"], settings.perception
        ) as rig,
        async_playwright() as driver,
    ):
        port = await _browser_on(desktop, environment)
        try:
            browser = await driver.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        except PlaywrightError as error:
            raise DeviceError(f"the browser on the desktop cannot be reached: {error.message}") from error
        yield LinuxStage(LinuxDevice(settings.device, rig), browser.contexts[0].pages[0], spec.size)


async def _browser_on(desktop: Desktop, environment: Mapping[str, str]) -> int:
    """Start a browser and give the port of its tools, which nothing on the desktop shows."""
    profile = desktop.folder / "judged"
    own = [
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-features=Translate,OptimizationHints,NetworkTimeServiceQuerying",
        "--password-store=basic",
        "--remote-debugging-port=0",
        f"--user-data-dir={profile}",
        "--app=data:text/html,",
        "--test-type",
        "--start-maximized",
    ]
    arguments = with_options([find_chromium(environment.get("PATH")), *own], desktop.environment)
    await desktop.start(arguments)
    said = profile / "DevToolsActivePort"
    if not await until(lambda: _lines(said), STARTED, every=0.02):
        raise DeviceError("the browser on the desktop does not start")
    return int(_lines(said)[0])


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text().splitlines()
    except FileNotFoundError:
        return []
