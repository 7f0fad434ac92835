"""Pages of MiniWoB++ in a browser that is the device itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from deskhand.core.errors import DeviceError
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.session import BrowserDevice, rigged
from deskhand.devices.browser.spec import parse_browser
from deskhand.settings import Settings


class BrowserStage:
    """A tab for each page that is shown; those before it are closed."""

    def __init__(self, name: str, browser: Browser) -> None:
        self.device = BrowserDevice(name, browser)
        self._browser = browser
        self._page: Page | None = None

    async def show(self, url: str) -> None:
        try:
            tab = await self._browser.tabs.add()
            for other in [other for other in self._browser.tabs.open if other is not tab]:
                await other.page.close()
            self._page = tab.page
            await tab.page.goto(url)
        except PlaywrightError as error:
            raise DeviceError(f"{url} cannot be shown: {error.message}") from error

    async def ask(self, script: str, *given: Any) -> Any:
        assert self._page is not None
        try:
            return await self._page.evaluate(script, list(given))
        except PlaywrightError as error:
            raise DeviceError(f"the page does not answer: {error.message}") from error


@asynccontextmanager
async def stage(settings: Settings, environment: Mapping[str, str]) -> AsyncIterator[BrowserStage]:
    """Open a browser as a stage; raises as `rigged` and `parse_browser`."""
    async with rigged(parse_browser(settings.device), environment, settings.perception) as browser:
        yield BrowserStage(settings.device, browser)
