"""A browser that can be looked at and acted on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from playwright.async_api import Error as PlaywrightError

from deskhand.core.action import Action, ActionResult
from deskhand.core.errors import DeviceError
from deskhand.core.observation import ACTIVE_WINDOW, Look, Subject
from deskhand.devices.browser.chromium import browsing, first_line
from deskhand.devices.browser.looking import look
from deskhand.devices.browser.perform import perform
from deskhand.devices.browser.rig import Browser
from deskhand.devices.browser.spec import parse_browser
from deskhand.devices.browser.tabs import Tabs
from deskhand.perception.options import Perception

PATIENCE = 30_000
"""Milliseconds that the first page has to be there."""


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
        return await look(self._browser, subject)

    async def perform(self, action: Action, window: str = "") -> ActionResult:
        """Do one action in a tab and wait until network and page rest.

        Raises:
            DeviceError: the browser is gone.
        """
        return await perform(self._browser, action, window)


@asynccontextmanager
async def open_browser(
    spec: str, environment: Mapping[str, str], perception: Perception
) -> AsyncIterator[BrowserDevice]:
    """Open the browser that a spec names, with a tab of its own.

    Raises:
        SettingsError: the spec is wrong.
        DeviceError: there is no browser, it does not start, or its first page cannot be reached.
    """
    wanted = parse_browser(spec)
    async with browsing(wanted, environment) as context:
        tabs = Tabs(context)
        tab = await tabs.add()
        if wanted.url:
            try:
                await tab.page.goto(wanted.url, wait_until="load", timeout=PATIENCE)
            except PlaywrightError as error:
                raise DeviceError(f"{wanted.url} cannot be opened: {first_line(error)}") from error
        yield BrowserDevice(spec, Browser(wanted, tabs, perception))
