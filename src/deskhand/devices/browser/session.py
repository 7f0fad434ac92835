"""A browser from its start to its end, as a device that can be looked at and acted on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import anyio
from playwright.async_api import Error as PlaywrightError

from deskhand.core.action import Action, ActionResult, OpenUrl
from deskhand.core.errors import DeviceError
from deskhand.core.observation import ACTIVE_WINDOW, Look, OneWindow, Subject
from deskhand.devices.browser.chromium import Running, running
from deskhand.devices.browser.documents import Names
from deskhand.devices.browser.downloads import Downloads, kept_in
from deskhand.devices.browser.looking import look
from deskhand.devices.browser.opening import open_url
from deskhand.devices.browser.perform import perform
from deskhand.devices.browser.reading import Eyes
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.settle import arrive
from deskhand.devices.browser.spec import BrowserSpec
from deskhand.devices.browser.tabs import Tabs
from deskhand.perception.options import Perception

CLOSED = 5.0
"""Seconds for tabs of ours to close in a browser that goes on running."""


class BrowserDevice:
    """Tabs are its windows; the picture is the viewport of the one in front."""

    def __init__(self, name: str, browser: Browser) -> None:
        self._name = name
        self._browser = browser

    @property
    def name(self) -> str:
        return self._name

    async def observe(self, subject: Subject = ACTIVE_WINDOW) -> Look:
        """Look once: picture and elements of the same moment. Boxes are device pixels of the viewport.

        Raises:
            DeviceError: nothing can be seen.
        """
        tabs = self._browser.tabs
        await tabs.settle()
        await arrive(self._browser, (tabs.find(subject.id) if isinstance(subject, OneWindow) else None) or tabs.front)
        return await look(self._browser, subject)

    async def perform(self, action: Action, window: str = "") -> ActionResult:
        """Do one action in a tab and wait until network and page rest.

        Raises:
            DeviceError: the browser is gone.
        """
        return await perform(self._browser, action, window)


@asynccontextmanager
async def opened(
    name: str, spec: BrowserSpec, environment: Mapping[str, str], perception: Perception
) -> AsyncIterator[BrowserDevice]:
    """Open a browser as a device; raises as `rigged`."""
    async with rigged(spec, environment, perception) as browser:
        yield BrowserDevice(name, browser)


@asynccontextmanager
async def rigged(spec: BrowserSpec, environment: Mapping[str, str], perception: Perception) -> AsyncIterator[Browser]:
    """Open a browser with a tab of its own; leaving the block closes what was opened.

    Raises:
        SettingsError: reading pictures needs an extra that is not installed.
        DeviceError: there is no browser, it does not start, or its first page cannot be reached.
    """
    names = Names()
    eyes = Eyes(perception.ocr, names.count)
    async with AsyncExitStack() as stack:
        downloads = Downloads(stack.enter_context(kept_in(spec.downloads)))
        browser = await stack.enter_async_context(running(spec, environment))
        tabs = Tabs(browser.context, names, downloads, spec)
        if spec.cdp:
            stack.push_async_callback(_leave, tabs)
        rig = Browser(spec, tabs, names, downloads, perception.pictures, eyes)
        await _begin(rig, browser)
        yield rig


async def _begin(rig: Browser, browser: Running) -> None:
    if browser.first is not None:
        await rig.tabs.adopt(browser.first)
    else:
        await rig.tabs.add()
    if rig.spec.url:
        result = await open_url(rig, OpenUrl(url=rig.spec.url))
        if result.outcome == "failed":
            raise DeviceError(result.text)


async def _leave(tabs: Tabs) -> None:
    """Close the tabs that are ours, and leave the rest of the browser alone."""
    with anyio.move_on_after(CLOSED, shield=True):
        for tab in list(tabs.open):
            with suppress(PlaywrightError):  # it is closed already
                await tab.page.close()
