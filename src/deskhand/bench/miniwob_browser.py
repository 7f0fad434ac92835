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
from deskhand.devices.browser.tabs import Tab
from deskhand.settings import Settings


class BrowserStage:
    """One tab that goes from page to page, without a way back; a new one where somebody left it in a state."""

    def __init__(self, name: str, browser: Browser) -> None:
        self.device = BrowserDevice(name, browser)
        self._browser = browser
        self._page: Page | None = None

    async def show(self, url: str) -> None:
        browser = self._browser
        try:
            tab = await self._only_tab()
            self._page = tab.page
            browser.pointer = (browser.spec.size.width - 1, browser.spec.size.height - 1)
            await tab.page.mouse.move(*browser.pointer)
            await tab.page.goto(url)
            await tab.cdp.send("Page.resetNavigationHistory")
        except PlaywrightError as error:
            raise DeviceError(f"{url} cannot be shown: {error.message}") from error

    async def _only_tab(self) -> Tab:
        tabs = self._browser.tabs
        await tabs.settle()
        tab = tabs.open[0] if len(tabs.open) == 1 and tabs.open[0].question is None else await tabs.add()
        for other in [other for other in tabs.open if other is not tab]:
            await other.page.close()
        return tab

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
